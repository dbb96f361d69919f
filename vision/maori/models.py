"""Ships and boats for scenes: solids in wood, and the printed ones on card."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

import numpy as np

from companion.games.maori.board import Tile
from vision.scenes.arrays import Bytes, Floats, Rgb, between, chosen, floats, rgb_of_hex
from vision.scenes.mesh import Mesh, box, extruded, loft, merged, moved, painted, prism, scaled, turned
from vision.sheets.maori.layout import SHIP_MM
from vision.sheets.maori.pieces import BOAT_MM, draw_back, draw_boat, draw_ship
from vision.sheets.raster import RasterCanvas

_WOODS = ("#b98a58", "#8a5a32", "#d8b886", "#6b4226", "#efe6d2", "#a8452c", "#394a63")
_CLOTHS = ("#f3ead2", "#ffffff", "#d9b98a", "#c4372e", "#b98a58")


def _keel(length: float, width: float, blunt: float) -> Floats:
    """A boat's outline (N, 2) along x, pointed fore and aft."""
    way = np.linspace(0, 2 * np.pi, 28, endpoint=False)
    x, y = np.cos(way), np.sin(way)
    return floats(np.column_stack([x * length / 2, np.sign(y) * np.abs(y) ** blunt * width / 2]))


def hull(length: float, width: float, height: float) -> Mesh:
    """A hull that widens upwards, with a sunken deck."""
    steps = ((0.72, 0.55, 0.0), (0.9, 0.85, 0.35), (1.0, 1.0, 1.0), (0.86, 0.72, 1.0), (0.82, 0.66, 0.72))
    rings = []
    for long, wide, tall in steps:
        outline = _keel(length * long, width * wide, 1.25)
        rings.append(np.column_stack([outline, np.full(len(outline), height * tall)]))
    return loft(floats(rings), around=True)


def sailing(length: float, width: float, height: float, mast: float) -> Mesh:
    """A hull with an upright sail, as cut from a board."""
    sail = extruded(floats([(0.0, 0.0), (length * 0.42, 0.0), (0.0, mast)]), 1.6)
    back = extruded(floats([(-0.6, 0.0), (-0.6, mast * 0.8), (-length * 0.3, 0.0)][::-1]), 1.6)
    return merged([hull(length, width, height), moved(sail, (0.0, 0.0, height)), moved(back, (0.0, 0.0, height))])


def _flat_canoe() -> Mesh:
    return prism(_keel(21.0, 8.0, 1.4), 0.0, 4.0, 0.5)


def _bead() -> Mesh:
    return turned([(6.0, 0.0), (6.6, 1.0), (6.6, 3.5), (5.4, 4.6)], 24)


def _block() -> Mesh:
    cabin = moved(box(6.0, 5.0, 4.0), (-2.0, 0.0, 5.0))
    return merged([prism(_keel(18.0, 8.5, 0.8), 0.0, 5.0, 0.4), cabin])


BOATS: Mapping[str, Callable[[], Mesh]] = {
    "canoe": lambda: hull(20.0, 8.0, 5.5),
    "sailing": lambda: sailing(16.0, 7.0, 4.5, 12.0),
    "flat": _flat_canoe,
    "bead": _bead,
    "block": _block,
}


def _two_masts() -> Mesh:
    masts = [moved(sailing(15.0, 4.0, 2.0, 15.0), (shift, 0.0, 5.0)) for shift in (-6.0, 7.0)]
    return merged([hull(31.0, 11.0, 7.0), *masts])


def _barge() -> Mesh:
    return merged([prism(_keel(30.0, 12.0, 0.8), 0.0, 7.0, 0.6), moved(box(9.0, 7.0, 5.0), (-7.0, 0.0, 7.0))])


SHIPS: Mapping[str, Callable[[], Mesh]] = {
    "caravel": _two_masts,
    "dhow": lambda: sailing(29.0, 10.0, 7.0, 24.0),
    "barge": _barge,
    "longboat": lambda: hull(32.0, 11.0, 7.5),
}


def boat_mesh(model: str, paint: Rgb, size: float) -> Mesh:
    """A player's boat about the origin, its bow to x."""
    return painted(scaled(BOATS[model](), (size, size, size)), paint)


def ship_mesh(rng: np.random.Generator, model: str) -> Mesh:
    """Everybody's ship, its bow to x: wood, its upper parts in another colour."""
    size = between(rng, 0.9, 1.08)
    mesh = painted(scaled(SHIPS[model](), (size, size, size)), rgb_of_hex(chosen(rng, _WOODS)))
    is_high = (mesh.corners[..., 2].mean(axis=1) > 8.0 * size)[:, None, None]
    return mesh._replace(colours=floats(np.where(is_high, floats(rgb_of_hex(chosen(rng, _CLOTHS))), mesh.colours)))


@cache
def ship_face() -> Bytes:
    """The printed ship, RGB at 200 dpi."""
    canvas = RasterCanvas(SHIP_MM)
    draw_ship(canvas, (0.0, 0.0))
    return canvas.pixels


@cache
def boat_face(colour: str) -> Bytes:
    canvas = RasterCanvas((BOAT_MM, BOAT_MM))
    draw_boat(canvas, (BOAT_MM / 2, BOAT_MM / 2), colour)
    return canvas.pixels


@cache
def back_face(side_mm: float) -> Bytes:
    canvas = RasterCanvas((side_mm, side_mm))
    draw_back(canvas, Tile("", "water"), (0.0, 0.0))
    return canvas.pixels
