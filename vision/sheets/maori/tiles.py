"""The tiles: each is drawn from its data alone, and looks the same each time."""

from __future__ import annotations

from functools import cache
from math import atan2
from zlib import crc32

import numpy as np

from companion.games.maori.board import VOLCANO, Tile
from vision.sheets.canvas import Canvas, Picture, Point, box, rounded_box
from vision.sheets.colours import PAPER, SEA_INK, SOFT_INK, TITLE_INK
from vision.sheets.geometry import marker_at
from vision.sheets.lettering import text_width, write
from vision.sheets.maori import signs
from vision.sheets.maori.codes import draw_code
from vision.sheets.maori.ground import painted, tile_land
from vision.sheets.maori.layout import TILE_MARKER_AT, TILE_MARKER_MM, TILE_MM, tile_marker_ids

_HALF = TILE_MM / 2
_INWARD: dict[str, Point] = {"N": (0.0, 1.0), "E": (-1.0, 0.0), "S": (0.0, -1.0), "W": (1.0, 0.0)}
_WREATH_MM = 5.6
_AWAY_MM = 3.2  # from an edge with flowers
_PLATE_MM = 1.2  # white around a code, one of its cells
# Where palms and huts stand on land that lies across, by how many there are; on land that goes up they stand likewise.
_ACROSS = {1: ((0.0, 0.2),), 2: ((-5.0, -0.6), (4.6, 0.8)), 3: ((-7.6, 0.6), (-0.4, -1.4), (6.6, 0.8))}
_UP = {1: ((0.0, 0.0),), 2: ((-2.6, -4.6), (2.4, 4.4)), 3: ((-3.2, -6.6), (3.2, -0.4), (-3.0, 6.0))}
_WAVES_AT = (
    (-13.5, -6.4),
    (13.6, -7.0),
    (-14.0, 4.4),
    (13.8, 2.6),
    (-5.0, -15.8),
    (5.0, -16.6),
    (-6.6, 16.0),
    (1.6, 16.6),
)
_CANOES_AT = ((-12.6, -12.4), (12.6, -12.4))
_SHELLS_AT = ((-14.2, 14.0), (-14.4, 8.0))
_ON_WATER = {1: ((0.0, -1.0),), 2: ((-6.6, -5.4), (5.2, 0.4))}


def draw_tile(canvas: Canvas, tile: Tile, at: Point) -> None:
    """The tile with its top left corner at `at`."""
    middle = (at[0] + _HALF, at[1] + _HALF)
    canvas.picture(tile_ground(tile), *at, TILE_MM, TILE_MM)
    _draw_waves(canvas, tile, middle)
    for side in tile.wreaths:
        _draw_wreath(canvas, side, middle)
    if tile.kind == VOLCANO:
        signs.volcano(canvas, (middle[0] - 3.4, middle[1] + 1.6), 9.2)
    elif tile.kind == "water":
        _draw_on_water(canvas, tile, middle)
    else:
        _draw_on_land(canvas, tile, middle)
        _draw_beside(canvas, tile, middle)
    _draw_plate(canvas, tile, at)
    canvas.stroke(box(*at, TILE_MM, TILE_MM), SOFT_INK, 0.12, closed=True, alpha=0.6)


@cache
def tile_ground(tile: Tile) -> Picture:
    rng = np.random.default_rng(crc32(tile.id.encode()))
    land = tile_land(TILE_MM, tile.land, tile.kind in ("island", VOLCANO), rng)
    return painted(land, (TILE_MM, TILE_MM), rng)


def _whims(tile: Tile) -> np.random.Generator:
    return np.random.default_rng(crc32(f"whim {tile.id}".encode()))


def _draw_waves(canvas: Canvas, tile: Tile, middle: Point) -> None:
    """A few waves where there is open water, and none across a coast."""
    rng = _whims(tile)
    goes_up = tile.land in ("N", "S", "NS")
    for x, y in _WAVES_AT:
        is_open = tile.kind == "water" or not tile.land or (abs(x) > 11 if goes_up else abs(y) > 12)
        dx, dy = rng.uniform(-1.2, 1.2, 2)
        if is_open:
            signs.wave(canvas, (middle[0] + x + dx, middle[1] + y + dy), 2.1, SEA_INK)


def _draw_wreath(canvas: Canvas, side: str, middle: Point) -> None:
    dx, dy = _INWARD[side]
    edge = (middle[0] - dx * _HALF, middle[1] - dy * _HALF)
    signs.half_wreath(canvas, edge, atan2(dy, dx), _WREATH_MM)


def _draw_on_land(canvas: Canvas, tile: Tile, middle: Point) -> None:
    """Palms and huts, the farthest first, away from an edge with flowers."""
    rng = _whims(tile)
    kinds = [signs.hut] * tile.huts + [signs.palm] * tile.palms
    if len(kinds) == 3:
        kinds[:2] = kinds[1::-1]  # a hut stands in the middle
    spots = (_UP if tile.land in ("N", "S", "NS") else _ACROSS).get(len(kinds), ())
    away_x, away_y = _INWARD[tile.wreaths[0]] if tile.wreaths else (0.0, 0.0)
    size = 5.4 if len(kinds) < 3 else 4.7
    for (x, y), draw in sorted(zip(spots, kinds, strict=True), key=lambda each: each[0][1]):
        place = (middle[0] + x + away_x * _AWAY_MM, middle[1] + y + away_y * _AWAY_MM)
        draw(canvas, place, size * (0.86 if draw is signs.hut else 1.0), float(rng.random()))


def _draw_beside(canvas: Canvas, tile: Tile, middle: Point) -> None:
    """Canoes and shells in the water at the corners."""
    for x, y in _CANOES_AT[: tile.canoes]:
        signs.canoe(canvas, (middle[0] + x, middle[1] + y), 3.9, 0.3)
    for x, y in _SHELLS_AT[: tile.shells]:
        signs.shell(canvas, (middle[0] + x, middle[1] + y), 2.7, 0.3)


def _draw_on_water(canvas: Canvas, tile: Tile, middle: Point) -> None:
    drawings = [signs.canoe] * tile.canoes + [signs.shell] * tile.shells
    for draw, (x, y) in zip(drawings, _ON_WATER.get(len(drawings), ()), strict=True):
        draw(canvas, (middle[0] + x, middle[1] + y), 6.6 if draw is signs.canoe else 5.0, 0.4)


def _draw_plate(canvas: Canvas, tile: Tile, at: Point) -> None:
    """The code on white, and in another corner the tile's name for human eyes."""
    x, y = at[0] + TILE_MARKER_AT, at[1] + TILE_MARKER_AT
    side = TILE_MARKER_MM + 2 * _PLATE_MM
    canvas.fill([rounded_box(x - _PLATE_MM, y - _PLATE_MM, side, side, 0.9)], PAPER)
    draw_code(canvas, marker_at(tile_marker_ids()[tile.id], x, y, TILE_MARKER_MM))
    name = (at[0] + TILE_MM - 2.2 - text_width(tile.id, 1.8), at[1] + 3.9)
    write(canvas, tile.id, name, 1.8, TITLE_INK, 0.3)
