"""`makabana tournament`: bots against bots, and how strong each is."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence

from companion.commands.terminal import Ink, columns, progress
from companion.games.catalogue import GAME_NAMES, errors_of, game_named
from companion.games.protocol import Event, FormatError, Json
from companion.players.bot import Budget
from companion.players.characters import bot_named, bot_names
from companion.players.texts import fact, own_texts, say
from companion.players.tournament import Comparison, compare, meetings, pairings, ratings

MOST_GAMES, MOST_SECONDS, MOST_BOTS, MOST_LOOKS = 100_000, 60.0, 20, 1_000_000
PEOPLE = 4
BAD_INPUT = 2


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("tournament", help="let bots play each other and rate them", description=__doc__)
    parser.add_argument("--bots", default="random,greedy,strong", help=f"who plays: some of {', '.join(bot_names())}")
    parser.add_argument("--game", choices=GAME_NAMES, default=GAME_NAMES[0], help="which game is played")
    parser.add_argument("--rules", help="its rules; the ordinary ones, if not said")
    parser.add_argument("--players", type=int, help=f"how many people play; {PEOPLE} if not said and possible")
    parser.add_argument("--games", type=int, default=20, help="comparisons of each pair, two games each")
    parser.add_argument("--seed", type=int, default=0, help="where the luck begins")
    parser.add_argument("--seconds", type=float, default=0.3, help="time for one move, in seconds of one core")
    parser.add_argument("--looks", type=int, help="looks ahead for one move instead: the same seed, the same games")
    parser.add_argument("--json", action="store_true", help="print JSON for programs")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    try:
        return _run(args)
    except FormatError as error:
        if error.problems[0].code not in own_texts():
            raise
        print(f"makabana: {say(error.problems[0], args.lang)}", file=sys.stderr)  # only here are these words known
        return BAD_INPUT


def _run(args: argparse.Namespace) -> int:
    bots = _bots(args.bots)
    budget = _budget(args)
    _check("--games", args.games, MOST_GAMES)
    game = game_named(args.game)
    rules = args.rules or next(iter(game.rule_sets))
    usual = min(game.rule_sets.get(rules, ()), key=lambda count: abs(count - PEOPLE), default=PEOPLE)
    with errors_of(game):
        header = game.default_header(rules, usual if args.players is None else args.players)
    rows = progress(pairings(bots, args.games), "tournament")
    comparisons = [compare(game, header, pairing, args.seed, budget) for pairing in rows]
    if args.json:
        print(json.dumps(_table(bots, comparisons, header)))
    else:
        print("\n".join(_lines(bots, comparisons, args.lang)))
    return 0


def _bots(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    for name in names:
        bot_named(name)
    if not 2 <= len(names) <= MOST_BOTS or len(set(names)) < len(names):
        raise FormatError(fact("bots_number", count=len(set(names)), most=MOST_BOTS))
    return names


def _check(option: str, value: int, most: int) -> None:
    if not 1 <= value <= most:
        raise FormatError(Event("number_wrong", {"option": option, "least": 1, "most": most, "value": value}))


def _budget(args: argparse.Namespace) -> Budget:
    """Time is that of our own work, so that a busy machine makes the tournament longer and nobody weaker."""
    if args.looks is not None:
        _check("--looks", args.looks, MOST_LOOKS)
        return Budget(None, args.looks)
    if not 0 < args.seconds <= MOST_SECONDS:
        raise FormatError(fact("seconds_wrong", value=str(args.seconds), most=MOST_SECONDS))
    return Budget(args.seconds, None, time.process_time)


def _table(bots: Sequence[str], comparisons: Sequence[Comparison], header: Mapping[str, Json]) -> dict[str, Json]:
    return {
        "header": dict(header),
        "ratings": [rating._asdict() for rating in ratings(bots, comparisons)],
        "meetings": [meeting._asdict() for meeting in meetings(comparisons)],
    }


def _lines(bots: Sequence[str], comparisons: Sequence[Comparison], language: str) -> Iterator[str]:
    ink = Ink()
    head = [say(fact(f"tournament.{key}"), language) for key in ("bot", "elo", "interval", "won", "played")]
    rows = [
        [r.bot, f"{r.elo:+.0f}", f"±{r.plus_minus:.0f}", f"{r.won:g}", str(r.played)]
        for r in ratings(bots, comparisons)
    ]
    yield from _titled(columns([head, *rows], "   "), ink)
    yield ""
    titles = ("pair", "won", "share", "range", "games_won", "margin")
    head = [say(fact(f"tournament.{title}"), language) for title in titles]
    rows = [
        [
            f"{m.one} – {m.other}",
            f"{m.won:g}/{m.played}",
            f"{m.won / m.played:.0%}",
            f"{m.low:.0%}–{m.high:.0%}",
            f"{m.wins:.0%}",
            f"{m.margin:+.1f}",
        ]
        for m in meetings(comparisons)
    ]
    yield from _titled(columns([head, *rows], "   "), ink)
    yield ""
    yield "  " + ink.dim(say(fact("tournament.legend"), language))


def _titled(lines: Sequence[str], ink: Ink) -> Iterator[str]:
    yield "  " + ink.bold(lines[0])
    yield from (f"  {line}" for line in lines[1:])
