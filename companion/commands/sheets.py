"""`makabana print`: boards to play on, marker stickers, cards and the palette sheet, or all of another game, as PDF."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from companion.commands.extras import need
from companion.games.makabana.board import BOARD_NAMES
from vision import sheets
from vision.surfaces import GAMES, maker_of

Print = Callable[[str, str], list[Path]]  # folder and paper


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "print", help="make boards, markers, cards, the palette, or another game to print", description=__doc__
    )
    names = list(_printers())
    parser.add_argument("what", choices=names, metavar="WHAT", help=", ".join(names))
    parser.add_argument("--out", metavar="DIR", default=".", help="the folder to write to; here, if not said")
    parser.add_argument("--paper", choices=("A3", "A4"), default="A3", help="A4 gives a board in pages to glue")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    need("cv2", "reportlab", extra="vision")
    for path in _printers()[args.what](args.out, args.paper):
        print(path)
    return 0


def _printers() -> Mapping[str, Print]:
    """What can be printed, and who prints it."""
    own: dict[str, Print] = {
        "markers": lambda folder, paper: sheets.print_markers(folder, _tell),
        "cards": lambda folder, paper: sheets.print_cards(folder, progress=_tell),
        "palette": lambda folder, paper: sheets.print_palette(folder, _tell),
    }
    boards: dict[str, Print] = {name: partial(_print_board, name) for name in BOARD_NAMES}
    return {**boards, **own, **{name: partial(_print_game, name) for name in GAMES}}


def _print_board(name: str, folder: str, paper: str) -> list[Path]:
    return sheets.print_board(name, folder, paper, _tell)


def _print_game(name: str, folder: str, paper: str) -> list[Path]:
    return maker_of(name).print_sheets(folder, paper, _tell)


def _tell(doing: str) -> None:
    """What is being made, for whoever watches: a board takes some seconds."""
    if sys.stderr.isatty():
        print(f"{doing} ...", file=sys.stderr)
