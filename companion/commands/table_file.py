"""`makabana table`: write a table file for a kit, or name every mistake in one."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from math import dist
from pathlib import Path

from companion.devices.kits import KITS, kit_text
from companion.devices.table_file import TableFile, parse_table, read_table
from companion.devices.texts import catalogue, say
from companion.games.catalogue import game_named
from companion.games.makabana.board import BOARD_NAMES, PRINTED_WIDTH_MM, Board, load_board
from companion.games.makabana.rules import DEFAULT_COLOURS
from companion.games.texts import say as say_of_games
from companion.table.observations import Event, FormatError
from vision.surfaces import GAMES

DEFAULT = "table.toml"
BAD_INPUT = 2
MOST_SEATS = 6
ALONE_MM = 41.0  # a reader is sure of its place if no other comes nearer, see hardware/README.md


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("table", help="write or check a table file", description=__doc__)
    verbs = parser.add_subparsers(required=True, metavar="VERB")
    init = verbs.add_parser("init", help="write a commented table file for a kit")
    init.add_argument("file", nargs="?", default=DEFAULT)
    init.add_argument("--kit", choices=KITS, required=True)
    init.add_argument("--name", default="table", help="the table's name, where there are several")
    init.add_argument("--board", choices=BOARD_NAMES, default="maka-bana", help="the island in play")
    init.add_argument("--game", choices=GAMES, help="instead of --board: another game, with all of its boards")
    init.add_argument("--seats", type=int, choices=range(2, MOST_SEATS + 1), default=MOST_SEATS)
    init.add_argument("--force", action="store_true", help="write over a file that is there")
    init.set_defaults(run=guarded(run_init))
    check = verbs.add_parser("check", help="name every mistake in a table file")
    check.add_argument("file", nargs="?", default=DEFAULT)
    check.set_defaults(run=guarded(run_check))


def guarded(run: Callable[[argparse.Namespace], int]) -> Callable[[argparse.Namespace], int]:
    """The command with every mistake in a file of ours said, one per line, in words that know devices."""

    def run_guarded(args: argparse.Namespace) -> int:
        try:
            return run(args)
        except FormatError as error:
            for problem in error.problems:
                print(f"makabana: {problem_in_words(problem, args.lang)}", file=sys.stderr)
            return BAD_INPUT

    return run_guarded


def problem_in_words(problem: Event, language: str) -> str:
    """What is wrong with a table file, as the devices say it, or the games where it is about them."""
    words = say if problem.code in catalogue() else say_of_games
    return words(problem, language)


def run_init(args: argparse.Namespace) -> int:
    parse_table(f'table = {json.dumps(args.name)}\nboards = []\ntags = "tags.json"\n'.encode())  # is it a name?
    text = _text_for_game(args) if args.game else _text_for_island(args)
    path = Path(args.file)
    try:
        with path.open("w" if args.force else "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise FormatError(Event("file_exists", {"path": str(path)})) from None
    except OSError as error:
        raise FormatError(Event("file_unwritable", {"path": str(path), "what": error.strerror})) from None
    print(say(Event("table_written", {"path": str(path)}), args.lang))
    return 0


def _text_for_island(args: argparse.Namespace) -> str:
    board = load_board(args.board)
    seats = DEFAULT_COLOURS[board.edition][: args.seats]
    return kit_text(args.kit, args.name, [args.board], seats, _clubs_alone(board))


def _text_for_game(args: argparse.Namespace) -> str:
    """The table file for another game: for as many seats as it has, up to those asked for."""
    from companion.house.surfaces import boards_of

    game = game_named(args.game)
    rules, people = next(iter(game.rule_sets.items()))
    header = game.default_header(rules, max(count for count in people if count <= args.seats))
    text = kit_text(args.kit, args.name, boards_of(header), header["players"], ())
    return text.replace("\nboards = ", f'\ngame = "{args.game}"\nboards = ', 1)


def _clubs_alone(board: Board) -> list[str]:
    """The club places with room for a reader under them, those farthest from everything else first."""
    width, height = PRINTED_WIDTH_MM, PRINTED_WIDTH_MM * board.aspect[1] / board.aspect[0]
    places = {**board.sites, **{f"club:{beach}": point for beach, point in board.clubs.items()}}
    points = {place: (x * width, y * height) for place, (x, y) in places.items()}
    away = {
        club: min(dist(points[club], point) for place, point in points.items() if place != club)
        for club in points
        if club.startswith("club:")
    }
    return [club for club in sorted(away, key=lambda club: -away[club]) if away[club] >= ALONE_MM]


def run_check(args: argparse.Namespace) -> int:
    table = load_table(Path(args.file))
    data = {"path": args.file, "readers": len(table.places), "seats": len(table.seats)}
    print(say(Event("table_good", data), args.lang))
    return 0


def load_table(path: Path) -> TableFile:
    """The table file, its game and its places checked against the boards it names. Raises `FormatError`."""
    try:
        table = read_table(path)
        if table.game:
            game_named(table.game)  # says which there are, if this is none
        return read_table(path, known_places(table.boards)) if table.boards else table
    except FileNotFoundError:
        raise FormatError(Event("table_missing", {"path": str(path)})) from None
    except OSError as error:
        raise FormatError(Event("file_unreadable", {"path": str(path), "what": error.strerror})) from None


def known_places(boards: tuple[str, ...]) -> set[str]:
    """All places of these boards, of islands or of other games. Raises `FormatError` for one that is not ours."""
    from companion.house.surfaces import is_surface, surface_named, surface_names

    unknown = [board for board in boards if not is_surface(board)]
    if unknown:
        names = list(surface_names())
        raise FormatError(*(Event("board_name_unknown", {"board": board, "allowed": names}) for board in unknown))
    return {place for board in boards for place in surface_named(board).places}
