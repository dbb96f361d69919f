"""Models of bridges and stones, lying on z = 0 about the origin, bridges along x. White, to be painted.

Bridges are made 36 mm long, 5 wide and 5 high, stones 16 mm wide; a set stretches them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from vision.scenes.arrays import Floats, floats
from vision.scenes.mesh import (
    Mesh,
    box,
    extruded,
    merged,
    moved,
    prism,
    rounded_rectangle,
    transformed,
    turn_about,
    turned,
)

LENGTH_MM, BREADTH_MM, STONE_MM = 36.0, 5.0, 16.0
_PIECES = 6  # a stick is cut along its length, so that a lens may bend it and shadows fall on parts of it


def _along(profile: Floats, chamfer: float) -> Mesh:
    """A section (N, 2) in y and z drawn along x, in pieces."""
    step = LENGTH_MM / _PIECES
    middles = (np.arange(_PIECES) - (_PIECES - 1) / 2) * step
    ends = {0, _PIECES - 1}
    parts = [moved(extruded(profile, step, chamfer if i in ends else 0.0), (0.0, float(y), 0.0))
             for i, y in enumerate(middles)]  # fmt: skip
    return transformed(merged(parts), turn_about("z", 90.0))


def square_bar() -> Mesh:
    """A plain bar with hardly broken edges."""
    return _along(floats([(2.5, 0.0), (2.5, 4.7), (2.2, 5.0), (-2.2, 5.0), (-2.5, 4.7), (-2.5, 0.0)]), 0.25)


def soft_bar() -> Mesh:
    """A bar whose edges are well rounded, as tumbled wood is."""
    angle = np.radians([0, 30, 60, 90])
    right = [(1.5 + np.cos(a), 4.0 + np.sin(a)) for a in angle]
    left = [(-x, z) for x, z in reversed(right)]
    return _along(floats([(1.8, 0.0), (2.5, 0.7), *right, *left, (-2.5, 0.7), (-1.8, 0.0)]), 0.5)


def dowel() -> Mesh:
    """A round stick."""
    angle = np.radians(np.arange(-90, 270, 30))
    return _along(floats([(2.5 * np.cos(a), 2.5 + 2.5 * np.sin(a)) for a in angle]), 0.3)


def half_round() -> Mesh:
    """Flat below, arched above."""
    angle = np.radians(np.arange(0, 181, 22.5))
    return _along(floats([(2.9 * np.cos(a), 4.2 * np.sin(a)) for a in angle]), 0.2)


def plank() -> Mesh:
    """A flat strip, wider than high."""
    return _along(floats([(3.2, 0.0), (3.2, 2.3), (2.9, 2.6), (-2.9, 2.6), (-3.2, 2.3), (-3.2, 0.0)]), 0.2)


def footbridge() -> Mesh:
    """A bridge with a shallow arch beneath, seen from above a bar with grooves."""
    posts = [moved(box(5.0, 5.2, 3.0, 0.2), (x, 0.0, 0.0)) for x in (-15.0, 15.0)]
    planks = [moved(box(2.7, 5.4, 1.6, 0.25), (float(x), 0.0, 2.8)) for x in np.arange(-16.5, 17.0, 3.0)]
    rails = [moved(box(LENGTH_MM, 1.0, 1.2, 0.15), (0.0, y, 4.2)) for y in (-2.3, 2.3)]
    return merged([*posts, *planks, *rails])


def disc() -> Mesh:
    """A flat wooden disc with broken edges."""
    return turned([(7.6, 0.0), (8.0, 0.4), (8.0, 3.6), (7.5, 4.1), (0.02, 4.1)], 30)


def nugget() -> Mesh:
    """A glass bead poured flat: a low dome."""
    angle = np.linspace(0, np.pi / 2, 9)
    return turned([(6.9, 0.0), (7.7, 0.6)] + [(8.0 * np.cos(a) + 0.02, 1.2 + 4.6 * np.sin(a)) for a in angle], 30, True)


def lens() -> Mesh:
    """A stone like those of go: two flat domes."""
    angle = np.linspace(-np.pi / 2, np.pi / 2, 15)
    return turned([(8.0 * np.cos(a) + 0.02, 3.4 + 3.4 * np.sin(a)) for a in angle], 30, True)


def pebble() -> Mesh:
    """Not quite round and not quite flat."""
    angle = np.linspace(-1.2, np.pi / 2, 11)
    body = turned([(8.2 * np.cos(a) ** 0.8 + 0.02, 2.8 + 3.0 * np.sin(a)) for a in angle], 26, True)
    return body._replace(corners=floats(body.corners * floats([1.06, 0.9, 1.0])))


def draughtsman() -> Mesh:
    """A turned piece with a raised rim and a groove."""
    side, top = [(7.4, 0.0), (8.0, 0.5), (8.0, 4.4), (7.6, 4.9)], [(6.4, 4.9), (6.0, 4.2), (4.4, 4.2), (4.0, 4.7)]
    return turned([*side, *top, (0.02, 4.7)], 30)


def rounded_tile() -> Mesh:
    """A thick token with rounded corners."""
    return prism(rounded_rectangle(14.5, 14.5, 4.6), 0.0, 3.4, 0.4)


STICKS: Mapping[str, Callable[[], Mesh]] = {
    "square": square_bar, "soft": soft_bar, "dowel": dowel, "half": half_round, "plank": plank, "bridge": footbridge,
}  # fmt: skip
STONES: Mapping[str, Callable[[], Mesh]] = {
    "disc": disc, "nugget": nugget, "lens": lens, "pebble": pebble, "draughts": draughtsman, "tile": rounded_tile,
}  # fmt: skip
