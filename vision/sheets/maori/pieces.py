"""What stands on boards and display: the ship, the players' boats, shells to pay with; and the backs of the tiles."""

from __future__ import annotations

from companion.games.maori.board import Tile
from vision.sheets.canvas import Canvas, Point, box, circle, dashes, moved, rounded_box
from vision.sheets.colours import FOAM, PAPER, PIECES, SEA, SEA_INK, SOFT_INK, TITLE_INK
from vision.sheets.geometry import marker_at
from vision.sheets.lettering import text_width, write
from vision.sheets.maori import signs
from vision.sheets.maori.codes import draw_code
from vision.sheets.maori.layout import COLOURS, SHIP_MARKER_MM, SHIP_MM, TILE_MM, ship_marker_id

SHELLS = 30
BOAT_MM = 13.0
SHELL_MM = 17.0
_RULER_MM = 50


def draw_pieces(canvas: Canvas, width: float) -> None:
    """All of them on one page, to be glued on card and cut out."""
    draw_ship(canvas, (width / 2 - SHIP_MM[0] / 2, 24.0))
    for number, colour in enumerate(COLOURS):
        draw_boat(canvas, (width / 2 + (number - 2) * 24.0, 62.0), colour)
    for number in range(SHELLS):
        row, column = divmod(number, 6)
        _draw_shell(canvas, (width / 2 + (column - 2.5) * 28.0, 98.0 + row * 28.0))
    _draw_ruler(canvas, (width / 2 - _RULER_MM / 2, 264.0))


def _draw_ruler(canvas: Canvas, at: Point) -> None:
    """A length to hold a ruler against: sheets printed at another scale show it here."""
    canvas.stroke([at, (at[0] + _RULER_MM, at[1])], SOFT_INK, 0.25)
    for step in range(0, _RULER_MM + 1, 10):
        x, tick = at[0] + step, 2.0 if step % _RULER_MM == 0 else 1.2
        canvas.stroke([(x, at[1]), (x, at[1] - tick)], SOFT_INK, 0.25)
    text = f"{_RULER_MM} ㎜"
    write(canvas, text, (at[0] + (_RULER_MM - text_width(text, 2.2)) / 2, at[1] - 2.4), 2.2, SOFT_INK, 0.3)


def draw_ship(canvas: Canvas, at: Point) -> None:
    outline = rounded_box(*at, *SHIP_MM, 3.0)
    canvas.fill([outline], SEA[2])
    canvas.stroke(outline, TITLE_INK, 0.6, closed=True)
    signs.ship(canvas, (at[0] + 10.5, at[1] + 8.4), 5.2)
    x, y = at[0] + SHIP_MM[0] - SHIP_MARKER_MM - 2.1, at[1] + 2.1
    side = SHIP_MARKER_MM + 2.8
    canvas.fill([rounded_box(x - 1.4, y - 1.4, side, side, 1.0)], PAPER)
    draw_code(canvas, marker_at(ship_marker_id(), x, y, SHIP_MARKER_MM))


def draw_boat(canvas: Canvas, at: Point, colour: str) -> None:
    """A disc in the player's colour: small enough to leave the tile below in sight."""
    ink = PIECES[colour].ink
    canvas.fill([circle(at, BOAT_MM / 2)], ink)
    canvas.stroke(circle(at, BOAT_MM / 2 - 1.0), PAPER, 0.35, closed=True)
    signs.canoe(canvas, (at[0] - 0.1, at[1] + 0.4), 3.4, 0.3)


def _draw_shell(canvas: Canvas, at: Point) -> None:
    canvas.fill([circle(at, SHELL_MM / 2)], FOAM)
    canvas.stroke(circle(at, SHELL_MM / 2), SOFT_INK, 0.3, closed=True)
    for dot in dashes(circle(at, SHELL_MM / 2 - 1.2), 0.05, 1.3, closed=True):
        canvas.stroke(dot, signs.PEARL_INK, 0.4)
    signs.shell(canvas, (at[0], at[1] - 0.1), 5.2, 0.5)


def draw_back(canvas: Canvas, tile: Tile, at: Point) -> None:
    """The same for every tile, so that a back gives nothing away: waves and the double curl of a fern's frond."""
    canvas.fill([box(*at, TILE_MM, TILE_MM)], SEA[2])
    for row in range(5):
        for column in range(4 - row % 2):
            spot = (at[0] + 6.0 + row % 2 * 4.4 + column * 8.7, at[1] + 4.6 + row * 7.2)
            signs.wave(canvas, spot, 3.2, SEA_INK, 0.7)
    middle = (at[0] + TILE_MM / 2, at[1] + TILE_MM / 2)
    canvas.fill([circle(middle, 11.0)], FOAM)
    canvas.stroke(circle(middle, 11.0), SEA_INK, 0.5, closed=True)
    signs.canoe(canvas, (middle[0] - 0.3, middle[1] + 1.4), 6.8, 0.3)
    canvas.stroke(moved(circle((0.0, 0.0), 12.3), middle), SEA_INK, 0.25, closed=True)
    canvas.stroke(box(*at, TILE_MM, TILE_MM), SOFT_INK, 0.12, closed=True, alpha=0.6)
