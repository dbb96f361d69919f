"""`makabana play`: opens the house in the browser; with `--terminal`, a game right here against random opponents."""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

from companion.commands import evening
from companion.commands.files import FileError, command_name, read_text
from companion.commands.play.match import Leave, Match
from companion.commands.play.save import Keeper, exists
from companion.commands.play.terminal import Terminal
from companion.games.catalogue import GAME_NAMES, game_named
from companion.games.headers import known_rules
from companion.games.makabana.rules import RULE_SETS
from companion.games.protocol import Event, FormatError
from companion.games.record import Record, replay_text

TERMINAL_GAME = "makabana"  # whose board and hands this terminal can show
RULES, PLAYERS = "2013", 4  # four on Noka: an island to survey at a glance, and three opponents to guess at
NOBODY_THERE, INTERRUPTED = 2, 130
MOST_PAUSE_S = 10.0


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("play", help="open the house for phones and screens", description=__doc__)
    evening.add_options(parser)
    parser.add_argument(
        "--game", choices=GAME_NAMES, help="lay a table for this game, with bots at all seats but yours"
    )
    parser.add_argument("--terminal", action="store_true", help="play in this terminal, against random opponents")
    parser.add_argument("--rules", help="by which rules; the ordinary ones if not said")
    parser.add_argument("--players", type=int, help=f"how many people play, you included; {PLAYERS} if not said")
    parser.add_argument("--seed", type=int, help="the same seed gives the same opponents")
    parser.add_argument("--save", metavar="FILE", help="keep the game in this file, and go on with the one in it")
    parser.add_argument("--pause", type=float, default=0.6, metavar="SECONDS", help="time to read what others do")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    if not (args.terminal or args.save):
        return evening.run(args)
    if args.game not in (None, TERMINAL_GAME):
        from companion.house.desk import TITLES

        raise evening.EveningError(Event("no_terminal", {"game": TITLES[args.game]}))
    return _in_terminal(args)


def _in_terminal(args: argparse.Namespace) -> int:
    kept = _kept_record(args.save) if args.save and exists(Path(args.save)) else None
    record = kept or _new_record(args.rules, args.players)
    terminal = Terminal(args.lang, min(MOST_PAUSE_S, max(0.0, args.pause)))
    if not terminal.has_player():
        sentence = terminal.scene.text("nobody", command=command_name())
        print(f"makabana: {sentence}", file=sys.stderr)
        return NOBODY_THERE
    seed = random.SystemRandom().getrandbits(32) if args.seed is None else args.seed
    keeper = Keeper(Path(args.save) if args.save else None)
    if problem := keeper.keep(record):
        raise problem
    match = Match(record, terminal, seed, keeper)
    match.welcome(is_resumed=kept is not None)
    return _play(match)


def _new_record(rules: str | None, players: int | None) -> Record:
    """A game that has not begun. Raises `FormatError` where the rules are not for so many."""
    rules = known_rules(rules or RULES, tuple(RULE_SETS))
    most_like_default = min(RULE_SETS[rules].boards, key=lambda seats: abs(seats - PLAYERS))
    return Record(game_named(TERMINAL_GAME).default_header(rules, most_like_default if players is None else players))


def _kept_record(path: str) -> Record:
    try:
        return replay_text(read_text(path))[0]
    except FormatError as error:
        raise FileError(path, error) from None


def _play(match: Match) -> int:
    """However the game stops, it ends kindly."""
    try:
        match.play()
    except (Leave, EOFError):
        match.say_goodbye()
    except KeyboardInterrupt:
        print()
        match.say_goodbye()
        return INTERRUPTED
    return 0
