"""The files one prints: the board as PDF at true scale, its picture, where everything lies, and the cards."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from vision.kahuna.artwork import draw_board, plan_art
from vision.kahuna.cards import cards_pdf
from vision.kahuna.layout import SURFACE, as_board_sheet, kahuna_sheet, to_json
from vision.sheets import PAPERS
from vision.sheets.boards import json_bytes, png_bytes, tiled_pdf
from vision.sheets.canvas import Picture
from vision.sheets.files import SheetError, ready_folder, write_whole
from vision.sheets.pdf import PdfCanvas
from vision.sheets.raster import RasterCanvas

_TITLE = "KAHUNA"


@cache
def board_pixels() -> Picture:
    """The sheet as it comes out of the printer: red, green and blue, 200 dpi. Takes seconds, once."""
    canvas = RasterCanvas(kahuna_sheet().size_mm)
    draw_board(canvas, plan_art())
    return canvas.pixels


def print_sheets(folder: str | Path, paper: str, tell: Callable[[str], None]) -> list[Path]:
    """Writes kahuna-A3.pdf or kahuna-A4.pdf, kahuna.png, kahuna.json and kahuna-cards.pdf and returns their paths.

    The cards are fronts and backs in turn: print on both sides, turned over the long edge. Raises `SheetError` with a
    sentence for the person at the keyboard.
    """
    if paper not in PAPERS:
        raise SheetError("sheet_paper_unknown", paper=paper, papers=", ".join(PAPERS))
    out = ready_folder(Path(folder))
    makers: dict[str, Callable[[], bytes]] = {
        f"{SURFACE}-{paper}.pdf": {"A3": _pdf_a3, "A4": _pdf_a4}[paper],
        f"{SURFACE}.png": lambda: png_bytes(board_pixels()),
        f"{SURFACE}.json": lambda: json_bytes(to_json(kahuna_sheet())),
        f"{SURFACE}-cards.pdf": cards_pdf,
    }
    written = []
    for name, content in makers.items():
        tell(f"writing {name}")
        written.append(write_whole(out / name, content()))
    return written


def _pdf_a3() -> bytes:
    canvas = PdfCanvas(kahuna_sheet().size_mm, _TITLE)
    draw_board(canvas, plan_art())
    return canvas.content()


def _pdf_a4() -> bytes:
    """Three A4 pages with marks where to cut and glue."""
    return tiled_pdf(as_board_sheet(kahuna_sheet()), _TITLE, lambda canvas: draw_board(canvas, plan_art()))
