"""Everything of Maki-San that one prints, as files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from companion.games.makabana.board import load_board
from vision.makisan.layout import REST_MM, SHEET_MM, SURFACE, TRAY, markers, places_mm, to_json
from vision.makisan.mat import draw_mat, mat_pixels
from vision.makisan.pieces import pieces_pdf
from vision.sheets import PAPERS
from vision.sheets.boards import json_bytes, png_bytes, tiled_pdf
from vision.sheets.files import SheetError, ready_folder, write_whole
from vision.sheets.geometry import Sheet, sheet_geometry
from vision.sheets.pdf import PdfCanvas

_TITLE = "MAKI-SAN"


def print_sheets(folder: str | Path, paper: str, tell: Callable[[str], None]) -> list[Path]:
    """Writes makisan-A3.pdf or -A4.pdf, makisan.png, makisan.json and makisan-pieces.pdf and returns their paths.

    Raises `SheetError` with a sentence for the person at the keyboard.
    """
    if paper not in PAPERS:
        raise SheetError("sheet_paper_unknown", paper=paper, papers=", ".join(PAPERS))
    out = ready_folder(Path(folder))
    makers: dict[str, Callable[[], bytes]] = {
        f"{SURFACE}-{paper}.pdf": {"A3": _pdf_a3, "A4": _pdf_a4}[paper],
        f"{SURFACE}.png": lambda: png_bytes(mat_pixels()),
        f"{SURFACE}.json": lambda: json_bytes(to_json()),
        f"{SURFACE}-pieces.pdf": pieces_pdf,
    }
    written = []
    for name, content in makers.items():
        tell(f"writing {name}")
        written.append(write_whole(out / name, content()))
    return written


def _pdf_a3() -> bytes:
    canvas = PdfCanvas(SHEET_MM, _TITLE)
    draw_mat(canvas)
    return canvas.content()


def _pdf_a4() -> bytes:
    """Three A4 pages with marks where to cut and glue."""
    return tiled_pdf(_as_board_sheet(), _TITLE, draw_mat)


def _as_board_sheet() -> Sheet:
    """The mat in the form that the tiling knows, which asks only what must not be cut."""
    ours = sheet_geometry(load_board("maka-bana"))
    return ours._replace(
        size_mm=SHEET_MM, art_mm=TRAY, plot_mm=REST_MM, sites_mm=places_mm(), clubs_mm={}, markers=markers()
    )
