"""`makabana simulate`: random legal games, for statistics, speed and records to test with."""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from companion.commands.files import FileError, make_folder, write_text
from companion.commands.terminal import Ink, bars, columns, progress
from companion.games.catalogue import GAME_NAMES, errors_of, game_named
from companion.games.protocol import Action, Event, FormatError, Game, Json, Score
from companion.games.record import Record, to_jsonl
from companion.players.random_player import play_randomly

MOST_GAMES = 1_000_000
PLAYERS = 5


class Finished(NamedTuple):
    """What the summary needs of one simulated game."""

    actions: int
    rounds: int
    score: Score


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("simulate", help="play random legal games", description=__doc__)
    parser.add_argument("--game", choices=GAME_NAMES, default=GAME_NAMES[0], help="which game is played")
    parser.add_argument("--rules", help="its rules; the ordinary ones, if not said")
    parser.add_argument("--players", type=int, help=f"how many people play; {PLAYERS} if not said and possible")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same games")
    parser.add_argument("--records", metavar="DIR", help="keep every game as a record in this folder")
    parser.add_argument("--json", action="store_true", help="print JSON for programs")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    if not 1 <= args.games <= MOST_GAMES:
        limits = {"option": "--games", "least": 1, "most": MOST_GAMES, "value": args.games}
        raise FormatError(Event("number_wrong", limits))
    game = game_named(args.game)
    header = _header(game, args.rules, args.players)
    folder = _folder(args.records)
    finished: list[Finished] = []
    seconds = 0.0
    for number in progress(range(args.games), "simulate"):
        rng = random.Random(f"{args.seed}/{number}")  # each game can be had again alone
        began = time.perf_counter()
        state, actions = play_randomly(game, header, rng)
        seconds += time.perf_counter() - began
        finished.append(Finished(len(actions), game.view(state, None)["round"], game.score(state)))
        if folder:
            _keep(folder, number, header, actions)
    if args.json:
        print(json.dumps(_totals(finished, seconds)))
    else:
        print("\n".join(_summary(header, finished, seconds)))
    return 0


def _header(game: Game[Any], rules: str | None, people: int | None) -> dict[str, Json]:
    """The header of a game for as many people as asked for, else for a number near the usual one."""
    rules = rules or next(iter(game.rule_sets))
    usual = min(game.rule_sets.get(rules, ()), key=lambda count: abs(count - PLAYERS), default=PLAYERS)
    with errors_of(game):
        return game.default_header(rules, usual if people is None else people)


def _folder(path: str | None) -> Path | None:
    if path is None:
        return None
    try:
        return make_folder(path)
    except FormatError as error:
        raise FileError(path, error) from None


def _keep(folder: Path, number: int, header: dict[str, Json], actions: list[Action]) -> None:
    try:
        write_text(folder / f"game-{number + 1:05}.jsonl", to_jsonl(Record(header, tuple(actions))))
    except FormatError as error:
        raise FileError(str(folder), error) from None


def _totals(finished: list[Finished], seconds: float) -> dict[str, Any]:
    actions = sum(one.actions for one in finished)
    return {
        "games": len(finished),
        "actions": actions,
        "seconds": round(seconds, 6),
        "actions_per_second": round(actions / seconds) if seconds else 0,
    }


def _summary(header: dict[str, Json], finished: list[Finished], seconds: float) -> Iterator[str]:
    ink, totals = Ink(), _totals(finished, seconds)
    games, colours = len(finished), header["players"]
    yield f"  {games} games of {header['rules']} on {' + '.join(header.get('boards', [header['game']]))}"
    yield f"  {totals['actions']} actions in {seconds:.2f} s, {totals['actions_per_second']} a second"
    yield f"  actions a game: {_spread([one.actions for one in finished])}"
    yield f"  rounds a game: {_spread([one.rounds for one in finished])}"
    yield ""
    yield "  " + ink.bold("Wins by player, in turn order (a shared win counts for each)")
    yield from bars({c: sum(c in one.score.winners for one in finished) / games for c in colours}, ink)
    yield ""
    categories = list(finished[0].score.points[colours[0]])
    rows = [["Points a game", *categories]]
    for colour in colours:
        means = (sum(one.score.points[colour][category] for one in finished) / games for category in categories)
        rows.append([colour, *(f"{mean:.1f}" for mean in means)])
    yield from ("  " + line for line in columns(rows, "   "))


def _spread(values: list[int]) -> str:
    return f"{sum(values) / len(values):.1f} ({min(values)} to {max(values)})"
