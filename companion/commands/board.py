"""`makabana board`: check a board file, or show what a board has."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from companion.commands.files import FileError, read_text
from companion.commands.terminal import columns
from companion.games.makabana.board import BOARD_NAMES, Board, beach_of, load_board, parse_board
from companion.games.protocol import FormatError
from companion.games.record import loads_strictly
from companion.games.texts import say


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("board", help="check a board file", description=__doc__)
    parser.add_argument("board", help=f"a board file, or one of {', '.join(BOARD_NAMES)}")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    try:
        known = args.board in BOARD_NAMES and not Path(args.board).exists()
        board = load_board(args.board) if known else parse_board(loads_strictly(read_text(args.board)))
    except FormatError as error:
        if len(error.problems) > 1:  # a board file's author wants the whole list, not one problem at a time
            print("\n".join(f"  · {say(problem, args.lang)}" for problem in error.problems))
        raise FileError(args.board, error) from None
    print("\n".join(_lines(board)))
    return 0


def _lines(board: Board) -> Iterator[str]:
    origin = "designed by this project" if board.designed else "traced"
    yield f"  {board.name}, edition {board.edition}, {origin}"
    yield f"  {len(board.sites)} sites, {len(board.adjacent)} neighbour pairs"
    rows = [["beach", "sectors", "sites", "club"]]
    for beach in board.beaches:
        sites = [site for site in board.sites if beach_of(site) == beach]
        rows.append(
            [
                beach,
                str(len({site.split("-")[1] for site in sites})),
                str(len(sites)),
                "yes" if beach in board.clubs else "no",
            ]
        )
    yield from ("  " + line for line in columns(rows, "   "))
    sizes = sorted(map(len, board.complexes), reverse=True)
    yield f"  hotel complexes: {', '.join(map(str, sizes))}"
