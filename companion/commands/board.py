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

WORDS = {
    "en": {
        "edition": "edition", "designed": "designed by this project", "traced": "traced", "sites": "sites",
        "pairs": "neighbour pairs", "beach": "beach", "sectors": "sectors", "complexes": "hotel complexes",
        "yes": "yes", "no": "no",
    },
    "fr": {
        "edition": "édition", "designed": "dessiné par ce projet", "traced": "relevé", "sites": "emplacements",
        "pairs": "paires voisines", "beach": "plage", "sectors": "secteurs", "complexes": "complexes hôteliers",
        "yes": "oui", "no": "non",
    },
}  # fmt: skip


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
    print("\n".join(_lines(board, args.lang)))
    return 0


def _lines(board: Board, language: str) -> Iterator[str]:
    words = WORDS[language]
    yield f"  {board.name}, {words['edition']} {board.edition}, {words['designed' if board.designed else 'traced']}"
    yield f"  {len(board.sites)} {words['sites']}, {len(board.adjacent)} {words['pairs']}"
    rows = [[words["beach"], words["sectors"], words["sites"], "club"]]
    for beach in board.beaches:
        sites = [site for site in board.sites if beach_of(site) == beach]
        rows.append(
            [
                beach,
                str(len({site.split("-")[1] for site in sites})),
                str(len(sites)),
                words["yes" if beach in board.clubs else "no"],
            ]
        )
    yield from ("  " + line for line in columns(rows, "   "))
    sizes = sorted(map(len, board.complexes), reverse=True)
    yield f"  {words['complexes']}: {', '.join(map(str, sizes))}"
