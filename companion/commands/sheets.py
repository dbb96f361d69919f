"""`makabana print`: boards to play on, marker stickers, cards and the palette sheet, as PDF at true scale."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from companion.commands.extras import need
from companion.games.makabana.board import BOARD_NAMES

SHEETS = ("markers", "cards", "palette")


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "print", help="make boards, markers, cards and the palette to print", description=__doc__
    )
    parser.add_argument(
        "what", choices=[*BOARD_NAMES, *SHEETS], metavar="WHAT", help=", ".join([*BOARD_NAMES, *SHEETS])
    )
    parser.add_argument("--out", metavar="DIR", default=".", help="the folder to write to; here, if not said")
    parser.add_argument("--paper", choices=("A3", "A4"), default="A3", help="A4 gives a board in pages to glue")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    need("cv2", "reportlab", extra="vision")
    for path in _make(args.what, args.out, args.paper):
        print(path)
    return 0


def _make(what: str, folder: str, paper: str) -> list[Path]:
    from vision import sheets

    if what in BOARD_NAMES:
        return sheets.print_board(what, folder, paper, _tell)
    if what == "cards":
        return sheets.print_cards(folder, progress=_tell)
    return sheets.print_markers(folder, _tell) if what == "markers" else sheets.print_palette(folder, _tell)


def _tell(doing: str) -> None:
    """What is being made, for whoever watches: a board takes some seconds."""
    if sys.stderr.isatty():
        print(f"{doing} ...", file=sys.stderr)
