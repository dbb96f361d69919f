"""A board's sheet as files: the PDF to print, the picture of it, and where everything lies."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import pi

import cv2

from vision.sheets.artwork import Art, draw_board
from vision.sheets.canvas import Picture
from vision.sheets.colours import SOFT_INK
from vision.sheets.geometry import MARGIN_MM, Sheet, to_json
from vision.sheets.names import title_of
from vision.sheets.pdf import PdfCanvas
from vision.sheets.raster import RasterCanvas
from vision.sheets.tiling import A4_MM, OVERLAP_MM, Tile, tiles

_TICK_MM = 6.0
_LETTERS_MM = 3.0


def board_picture(art: Art) -> Picture:
    """The sheet as it comes out of the printer: red, green and blue, 200 dpi."""
    canvas = RasterCanvas(art.sheet.size_mm)
    draw_board(canvas, art)
    return canvas.pixels


def png_bytes(pixels: Picture) -> bytes:
    _, data = cv2.imencode(".png", cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_PNG_COMPRESSION, 4])
    return data.tobytes()


def json_bytes(content: object) -> bytes:
    return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode()


def sheet_json(sheet: Sheet) -> bytes:
    return json_bytes(to_json(sheet))


def board_pdf_a3(art: Art) -> bytes:
    canvas = PdfCanvas(art.sheet.size_mm, title_of(art.sheet.board))
    draw_board(canvas, art)
    return canvas.content()


def board_pdf_a4(art: Art) -> bytes:
    """Three A4 pages with marks where to cut and glue."""
    return tiled_pdf(art.sheet, title_of(art.sheet.board), lambda canvas: draw_board(canvas, art))


def tiled_pdf(sheet: Sheet, title: str, draw: Callable[[PdfCanvas], None]) -> bytes:
    """Whatever `draw` puts on an A3 sheet, on A4 pages with marks where to cut and glue."""
    canvas = PdfCanvas(A4_MM, title)
    pages = tiles(sheet)
    for number, tile in enumerate(pages, start=1):
        if number > 1:
            canvas.next_page()
        with canvas.window(tile.part, tile.at):
            draw(canvas)
        _draw_marks(canvas, title, tile, number, len(pages))
    return canvas.content()


def _draw_marks(canvas: PdfCanvas, title: str, tile: Tile, number: int, count: int) -> None:
    """Crop marks at the cut on the left, ticks where the next page will end, and labels beside the picture."""
    page, before, strip = f"{title} {number}/{count}", number - 1, f"{OVERLAP_MM:.0f} mm"
    if number > 1:
        _draw_ticks(canvas, tile.at[0])
        text = f"{page} · couper ici, coller sur la page {before} · cut here, glue over page {before}"
        _draw_label(canvas, tile.at[0] - 2.0, text)
    if number < count:
        _draw_ticks(canvas, tile.right - OVERLAP_MM)
        _draw_label(canvas, tile.right + 4.5, f"{page} · bande à coller : {strip} · glue strip: {strip}")


def _draw_ticks(canvas: PdfCanvas, x: float) -> None:
    height = A4_MM[1]
    for start, end in ((MARGIN_MM, MARGIN_MM + _TICK_MM), (height - MARGIN_MM - _TICK_MM, height - MARGIN_MM)):
        canvas.stroke([(x, start), (x, end)], SOFT_INK, 0.2)


def _draw_label(canvas: PdfCanvas, x: float, text: str) -> None:
    canvas.text(text, (x, A4_MM[1] - MARGIN_MM - 30), _LETTERS_MM, SOFT_INK, turn=-pi / 2)
