"""The files of Māori: PDF pages of A4 at true scale, and the JSON that tells a reader where everything lies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from companion.games.maori.board import BOARD_NAMES, Tile, load_tiles
from vision.sheets.boards import json_bytes
from vision.sheets.canvas import Canvas, Point
from vision.sheets.colours import SOFT_INK
from vision.sheets.maori.boards import draw_board, draw_display
from vision.sheets.maori.layout import (
    COLOURS,
    LYING_MM,
    TILE_MM,
    UPRIGHT_MM,
    board_sheet,
    display_sheet,
    to_json,
)
from vision.sheets.maori.pieces import draw_back, draw_pieces
from vision.sheets.maori.tiles import draw_tile
from vision.sheets.pdf import PdfCanvas

COLUMNS, ROWS = 5, 7
_LEFT = (UPRIGHT_MM[0] - COLUMNS * TILE_MM) / 2
_TOP = (UPRIGHT_MM[1] - ROWS * TILE_MM) / 2
_PER_PAGE = COLUMNS * ROWS


def display_pdf() -> bytes:
    canvas = PdfCanvas(UPRIGHT_MM, "Māori display")
    draw_display(canvas, display_sheet())
    return canvas.content()


def boards_pdf() -> bytes:
    canvas = PdfCanvas(LYING_MM, "Māori boards")
    sheets = [board_sheet(side, colour) for colour in COLOURS for side in BOARD_NAMES]
    for number, sheet in enumerate(sheets):
        if number:
            canvas.next_page()
        draw_board(canvas, sheet)
    return canvas.content()


def tiles_pdf() -> bytes:
    """Pages of tiles edge to edge, so that one cut serves two; each page is followed by its backs."""
    canvas = PdfCanvas(UPRIGHT_MM, "Māori tiles")
    tiles = list(load_tiles("ours").tiles.values())
    for start in range(0, len(tiles), _PER_PAGE):
        page = tiles[start : start + _PER_PAGE]
        if start:
            canvas.next_page()
        _draw_page(canvas, page, draw_tile, is_back=False)
        canvas.next_page()
        _draw_page(canvas, page, draw_back, is_back=True)
    return canvas.content()


def place_of(number: int, is_back: bool) -> Point:
    """The top left corner of a page's tile; on the back, columns run the other way."""
    row, column = divmod(number, COLUMNS)
    column = COLUMNS - 1 - column if is_back else column
    return _LEFT + column * TILE_MM, _TOP + row * TILE_MM


def _draw_page(
    canvas: Canvas, tiles: Sequence[Tile], draw: Callable[[Canvas, Tile, Point], None], is_back: bool
) -> None:
    for number, tile in enumerate(tiles):
        draw(canvas, tile, place_of(number, is_back))
    for column in range(COLUMNS + 1):
        x = _LEFT + column * TILE_MM
        for y in (_TOP - 5.0, UPRIGHT_MM[1] - _TOP + 1.0):
            canvas.stroke([(x, y), (x, y + 4.0)], SOFT_INK, 0.15)
    for row in range(ROWS + 1):
        y = _TOP + row * TILE_MM
        for x in (_LEFT - 4.0, UPRIGHT_MM[0] - _LEFT + 1.0):
            canvas.stroke([(x, y), (x + 3.0, y)], SOFT_INK, 0.15)


def pieces_pdf() -> bytes:
    canvas = PdfCanvas(UPRIGHT_MM, "Māori pieces")
    draw_pieces(canvas, UPRIGHT_MM[0])
    return canvas.content()


FILES: Mapping[str, Callable[[], bytes]] = {
    "maori-display.pdf": display_pdf,
    "maori-boards.pdf": boards_pdf,
    "maori-tiles.pdf": tiles_pdf,
    "maori-pieces.pdf": pieces_pdf,
    "maori.json": lambda: json_bytes(to_json()),
}
