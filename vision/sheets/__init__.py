"""Everything the companion prints: boards, marker stickers, cards and the palette sheet.

Importing this package is free; OpenCV and ReportLab are loaded when something is printed.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from companion.games.makabana.board import BOARD_NAMES, Board, load_board
from vision.sheets.files import SheetError, ready_folder, write_whole
from vision.sheets.geometry import Sheet, sheet_geometry, to_json

__all__ = [
    "PAPERS", "Sheet", "SheetError", "print_board", "print_cards", "print_markers", "print_palette", "sheet_geometry",
    "to_json",
]  # fmt: skip

PAPERS = ("A3", "A4")
Progress = Callable[[str], None]  # is told in a few words what is being made


def print_board(
    board: str | Board, out_dir: str | Path, paper: str = "A3", progress: Progress | None = None
) -> list[Path]:
    """Writes NAME-A3.pdf or NAME-A4.pdf, NAME.png and NAME.json and returns their paths.

    Raises `SheetError` with a sentence for the person at the keyboard.
    """
    tell = progress or _silent
    if paper not in PAPERS:
        raise SheetError("sheet_paper_unknown", paper=paper, papers=", ".join(PAPERS))
    sheet = sheet_geometry(_known_board(board))
    folder = ready_folder(Path(out_dir))
    from vision.sheets.artwork import plan_art
    from vision.sheets.boards import board_pdf_a3, board_pdf_a4, board_picture, png_bytes, sheet_json

    name = sheet.board.name
    tell(f"drawing {name}")
    art = plan_art(sheet)
    tell(f"writing {name}-{paper}.pdf")
    pdf = write_whole(folder / f"{name}-{paper}.pdf", board_pdf_a3(art) if paper == "A3" else board_pdf_a4(art))
    tell(f"writing {name}.png and {name}.json")
    png = write_whole(folder / f"{name}.png", png_bytes(board_picture(art)))
    return [pdf, png, write_whole(folder / f"{name}.json", sheet_json(sheet))]


def print_markers(out_dir: str | Path, progress: Progress | None = None) -> list[Path]:
    """Writes markers.pdf, stickers for an owner's own board, and markers.json with their ids."""
    folder = ready_folder(Path(out_dir))
    from vision.sheets.markers import markers_json, markers_pdf

    (progress or _silent)("writing markers.pdf")
    return [write_whole(folder / "markers.pdf", markers_pdf()), write_whole(folder / "markers.json", markers_json())]


def print_cards(out_dir: str | Path, edition: str | None = None, progress: Progress | None = None) -> list[Path]:
    """Writes cards-2013.pdf and cards-2003.pdf, or only the one asked for: fronts and backs in turn."""
    from vision.sheets.decks import EDITIONS

    if edition is not None and edition not in EDITIONS:
        raise SheetError("sheet_edition_unknown", edition=edition, editions=", ".join(EDITIONS))
    folder = ready_folder(Path(out_dir))
    from vision.sheets.cards import cards_pdf

    written = []
    for each in EDITIONS if edition is None else (edition,):
        (progress or _silent)(f"writing cards-{each}.pdf")
        written.append(write_whole(folder / f"cards-{each}.pdf", cards_pdf(each)))
    return written


def print_palette(out_dir: str | Path, progress: Progress | None = None) -> list[Path]:
    """Writes palette.pdf, on which one piece of each colour is shown to the camera, and palette.json."""
    folder = ready_folder(Path(out_dir))
    from vision.sheets.palette import palette_json, palette_pdf

    (progress or _silent)("writing palette.pdf")
    return [write_whole(folder / "palette.pdf", palette_pdf()), write_whole(folder / "palette.json", palette_json())]


def _silent(text: str) -> None:
    """Nobody listens."""


def _known_board(board: str | Board) -> Board:
    if isinstance(board, str) and board not in BOARD_NAMES:
        raise SheetError("sheet_board_unknown", board=board, boards=", ".join(BOARD_NAMES))
    return load_board(board) if isinstance(board, str) else board
