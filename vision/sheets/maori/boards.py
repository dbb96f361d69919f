"""The display with the ship's track, and both sides of the players' boards."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import pi
from zlib import crc32

import numpy as np

from companion.games.maori.board import SHIP_PLACES, Board, load_board
from vision.sheets import motifs
from vision.sheets.canvas import Canvas, Colour, Picture, Point, dashes, rounded_box
from vision.sheets.colours import FOAM, GROUND_INK, PAPER, PIECES, SEA_INK, SOFT_INK, TITLE_INK
from vision.sheets.geometry import MARGIN_MM, Box
from vision.sheets.lettering import text_width, write
from vision.sheets.maori import signs
from vision.sheets.maori.codes import draw_code
from vision.sheets.maori.ground import land_along, painted, ring_of
from vision.sheets.maori.layout import (
    BOARD_MARKER_MM,
    PITCH_MM,
    TILE_MM,
    TRACK_MM,
    MaoriSheet,
    grid_box,
)

Sign = Callable[[Canvas, Point, float, float], None]

_REEF_MM = 4.2  # half the breadth of the atoll's ring
_HOME_MM = 11.0  # half the breadth of the land in the corners of the front
_PLATE_MM = 1.93  # white around a code: one of its cells
_RIM_MM = 1.0  # from the cells to the line in the board's own colour


def draw_display(canvas: Canvas, sheet: MaoriSheet) -> None:
    """Open sea with sixteen places for tiles and as many for the ship."""
    area = Box(MARGIN_MM, MARGIN_MM, sheet.size_mm[0] - 2 * MARGIN_MM, sheet.size_mm[1] - 2 * MARGIN_MM)
    canvas.picture(_sea("display", area, ()), *area)
    for place in range(1, SHIP_PLACES + 1):
        _draw_mooring(canvas, sheet.places_mm[f"ship:{place}"], place)
    for name, middle in sheet.places_mm.items():
        if not name.startswith("ship:"):
            _draw_cell(canvas, middle)
            _draw_name(canvas, name, middle)
    _draw_title(canvas, (sheet.size_mm[0] / 2, 32.0), 12.0)
    low = sheet.size_mm[1] - MARGIN_MM - 24.0
    for x in (62.0, 148.0):
        _draw_pile(canvas, (x, low))
    motifs.compass(canvas, (sheet.size_mm[0] / 2, low + 1.0), 15.0, SEA_INK, 0.5)
    motifs.whale(canvas, (44.0, 26.0), 5.0, SEA_INK, 0.4)
    motifs.turtle(canvas, (166.0, 25.0), 5.4, SEA_INK, 0.6)
    _draw_codes(canvas, sheet)


def _draw_mooring(canvas: Canvas, middle: Point, place: int) -> None:
    """A place of the ship: a dotted berth with its number; between two of them the way goes on, clockwise."""
    is_lying = (place - 1) // 4 % 2 == 0
    width, height = (TILE_MM, TRACK_MM - 1.0) if is_lying else (TRACK_MM - 1.0, TILE_MM)
    berth = rounded_box(middle[0] - width / 2, middle[1] - height / 2, width, height, 5.0)
    canvas.fill([berth], FOAM, 0.35)
    for dash in dashes(berth, 1.5, 1.5, closed=True):
        canvas.stroke(dash, SEA_INK, 0.35)
    _centred(canvas, str(place), (middle[0], middle[1] + 1.5), 3.0, SEA_INK)
    turn = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[(place - 1) // 4]
    for step in (9.0, 11.2, -9.0, -11.2):
        x, y = middle[0] + turn[0] * step, middle[1] + turn[1] * step
        tips = [(x - turn[0] + turn[1] * s, y - turn[1] + turn[0] * s) for s in (1.3, -1.3)]
        canvas.stroke([tips[0], (x + turn[0], y + turn[1]), tips[1]], SEA_INK, 0.4, alpha=0.8)


def _draw_pile(canvas: Canvas, middle: Point) -> None:
    _draw_cell(canvas, middle)
    signs.wave(canvas, middle, 5.0, SEA_INK)
    signs.wave(canvas, (middle[0] + 2.0, middle[1] + 4.0), 4.0, SEA_INK)
    signs.wave(canvas, (middle[0] - 2.0, middle[1] - 4.0), 4.0, SEA_INK)


def draw_board(canvas: Canvas, sheet: MaoriSheet) -> None:
    """A side of a player's board in its colour."""
    board, colour = load_board(sheet.name), str(sheet.colour)
    ink = PIECES[colour].ink
    grid = grid_box(board)
    page = Box(MARGIN_MM, MARGIN_MM, sheet.size_mm[0] - 2 * MARGIN_MM, sheet.size_mm[1] - 2 * MARGIN_MM)
    canvas.picture(_sea(sheet.name, page, tuple(_land_lines(board, sheet))), *page)
    rim = 2 * _RIM_MM
    frame = rounded_box(grid.left - _RIM_MM, grid.top - _RIM_MM, grid.width + rim, grid.height + rim, 3.0)
    canvas.stroke(frame, ink, 1.1, closed=True, alpha=0.75)
    for cell in board.free:
        _draw_cell(canvas, sheet.places_mm[cell])
        _draw_name(canvas, cell, sheet.places_mm[cell])
    for number, cell in enumerate(board.printed):
        _draw_home(canvas, sheet.places_mm[cell], number, has_canoe=number in (0, 3))
    for cell in board.canoe_cells:
        signs.canoe(canvas, (sheet.places_mm[cell][0], sheet.places_mm[cell][1] + 2.0), 6.4, 0.3)
    x, low = sheet.places_mm["stock"][0], sheet.size_mm[1] - 30.0
    for number in range(board.canoes if board.inside else 0):
        signs.canoe(canvas, (x + number * 16.0, low), 6.4, 0.3)
    _centred(canvas, board.name.upper(), (x - 11.5, MARGIN_MM + 9.0), 4.2, TITLE_INK)
    _draw_panel(canvas, sheet, board, ink)
    _draw_codes(canvas, sheet)


def _land_lines(board: Board, sheet: MaoriSheet) -> list[tuple[Point, Point]]:
    """The printed land: the corners of the front, the ring around the inside of the back."""
    if not board.inside:
        return [((x - 4.0, y), (x + 4.0, y)) for x, y in (sheet.places_mm[cell] for cell in board.printed)]
    xs, ys = zip(*(sheet.places_mm[cell] for cell in board.inside), strict=True)
    half, cut = PITCH_MM / 2, 9.0
    left, right, top, bottom = min(xs) - half, max(xs) + half, min(ys) - half, max(ys) + half
    corners = [(left + cut, top), (right - cut, top), (right, top + cut), (right, bottom - cut)]
    return ring_of([*corners, (right - cut, bottom), (left + cut, bottom), (left, bottom - cut), (left, top + cut)])


@cache
def _sea(name: str, area: Box, lines: tuple[tuple[Point, Point], ...]) -> Picture:
    """The painted ground of a sheet, the same for all five colours."""
    rng = np.random.default_rng(crc32(name.encode()))
    half = _REEF_MM if len(lines) > 4 else _HOME_MM
    return painted(land_along(area, list(lines), half, rng), (area.width, area.height), rng)


def _draw_cell(canvas: Canvas, middle: Point) -> None:
    """A free space: light water inside a dotted line, calm enough for tile and camera."""
    outline = rounded_box(middle[0] - TILE_MM / 2, middle[1] - TILE_MM / 2, TILE_MM, TILE_MM, 2.2)
    canvas.fill([outline], PAPER, 0.42)
    for dash in dashes(outline, 1.3, 1.3, closed=True):
        canvas.stroke(dash, SEA_INK, 0.3)


def _draw_name(canvas: Canvas, cell: str, middle: Point) -> None:
    """Row and column, for whoever types instead of tapping."""
    write(canvas, cell.replace(",", "·"), (middle[0] - 16.6, middle[1] + 16.8), 2.0, SEA_INK, 0.3)


def _draw_title(canvas: Canvas, foot: Point, height: float) -> None:
    """The game's name, with the long A that our letters lack."""
    _centred(canvas, "MAORI", foot, height, TITLE_INK)
    start = foot[0] - text_width("MAORI", height) / 2 + text_width("M", height) + 0.33 * height
    bar = [(start + share * height, foot[1] - 1.27 * height) for share in (0.2, 0.56)]
    canvas.stroke(bar, FOAM, height * 0.3)
    canvas.stroke(bar, TITLE_INK, height * 0.13)


def _draw_home(canvas: Canvas, middle: Point, number: int, has_canoe: bool) -> None:
    """One of the four printed lands: homes of the people, no islands of the game."""
    x, y = middle
    ink = GROUND_INK["Cocotier"]
    motifs.hill(canvas, (x + 3.0, y - 3.2), 4.4, ink, 0.2 * number)
    for dx, dy, size in ((-7.5, -1.4, 2.8), (8.8, 0.6, 2.4), (-3.0, -4.4, 2.0)):
        motifs.tree(canvas, (x + dx, y + dy), size, ink, 0.3 * number % 1)
    if has_canoe:
        signs.canoe(canvas, (x + (3.0 if number == 0 else -3.0), y + 5.2), 5.6, 0.3)
    else:
        motifs.stones(canvas, (x - 2.0, y + 5.0), 2.2, GROUND_INK["Rocher"], 0.6)
        motifs.grass(canvas, (x + 4.6, y + 5.0), 1.8, ink, 0.4)


def _draw_panel(canvas: Canvas, sheet: MaoriSheet, board: Board, ink: Colour) -> None:
    """The stock, and the score as a reminder in signs and numbers."""
    x, y = sheet.places_mm["stock"]
    _draw_cell(canvas, (x, y))
    frame = rounded_box(x - TILE_MM / 2 - 1.6, y - TILE_MM / 2 - 1.6, TILE_MM + 3.2, TILE_MM + 3.2, 3.0)
    canvas.stroke(frame, ink, 0.8, closed=True, alpha=0.75)
    _centred(canvas, "STOCK", (x, y + 1.2), 3.2, SEA_INK)
    rows = _reminders(board)
    panel = rounded_box(x - 27.0, y + 26.0, 54.0, 12.4 * len(rows) + 5.0, 4.0)
    canvas.fill([panel], PAPER, 0.62)
    canvas.stroke(panel, ink, 0.5, closed=True, alpha=0.6)
    for number, (draws, text) in enumerate(rows):
        foot = y + 35.4 + 12.4 * number
        for draw, dx, size in draws:
            draw(canvas, (x - 27.0 + dx, foot - 0.8), size, 0.4)
        write(canvas, text, (x + 1.5, foot + 1.6), 4.0, TITLE_INK, 0.62)


def _reminders(board: Board) -> list[tuple[list[tuple[Sign, float, float]], str]]:
    palms, huts = ("1 · 2", "2 · 4") if board.inside else ("1", "2")
    return [
        ([(signs.palm, 9.0, 4.4)], palms),
        ([(signs.palm, 9.0, 4.4), (signs.hut, 18.5, 4.0)], huts),
        ([(_wreath, 10.0, 4.0)], "10"),
        ([(signs.shell, 10.0, 3.6)], "MAX"),
        ([(signs.canoe, 10.5, 4.6)], "MAX"),
        ([(_gap, 10.0, 3.8)], "-1"),
    ]


def _wreath(canvas: Canvas, at: Point, size: float, whim: float) -> None:
    for inward in (0.0, pi):
        signs.half_wreath(canvas, at, inward, size)


def _gap(canvas: Canvas, at: Point, size: float, whim: float) -> None:
    outline = rounded_box(at[0] - size, at[1] - size, 2 * size, 2 * size, 0.8)
    for dash in dashes(outline, 1.1, 1.1, closed=True):
        canvas.stroke(dash, SOFT_INK, 0.4)


def _draw_codes(canvas: Canvas, sheet: MaoriSheet) -> None:
    for marker in sheet.markers:
        (left, top), side = marker.corners_mm[0], BOARD_MARKER_MM + 2 * _PLATE_MM
        canvas.fill([rounded_box(left - _PLATE_MM, top - _PLATE_MM, side, side, 2.0)], PAPER)
        draw_code(canvas, marker)


def _centred(canvas: Canvas, text: str, foot: Point, height: float, ink: Colour) -> None:
    start = (foot[0] - text_width(text, height) / 2, foot[1])
    write(canvas, text, start, height, FOAM, height * 0.15 + min(1.4, height * 0.2))
    write(canvas, text, start, height, ink, height * 0.15)
