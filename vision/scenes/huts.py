"""Models of huts, about 14 x 14 x 12 mm, standing on z = 0 about the origin. White, to be painted."""

from __future__ import annotations

import numpy as np

from vision.scenes.arrays import Floats, Rgb, floats
from vision.scenes.mesh import (
    Mesh,
    box,
    circle,
    extruded,
    loft,
    merged,
    moved,
    painted,
    prism,
    rectangle,
    ring,
    transformed,
    turn_about,
    turned,
)

SHADE: Rgb = (0.3, 0.28, 0.27)  # a doorway, where little light comes back
DUSK: Rgb = (0.78, 0.77, 0.76)


def thatched() -> Mesh:
    """Low walls under a gabled roof whose thatch lies in courses."""
    walls = box(10.6, 12.0, 6.0, 0.4)
    roof = extruded(_courses(7.1, 4.6, 12.0, 4), 14.0, 0.5)
    ridge = moved(extruded(floats(circle(1.0, 6)), 14.4, 0.2), (0.0, 0.0, 11.7))
    door = moved(painted(box(3.2, 0.5, 4.4), SHADE), (0.0, -6.05, 0.0))
    return merged([painted(walls, (0.95, 0.95, 0.95)), roof, ridge, door])


def _courses(half: float, low: float, high: float, count: int) -> Floats:
    """A gable (N, 2) in x and z whose slopes go up in steps, anticlockwise."""
    right = []
    for step in range(count):
        near, far = step / count, (step + 1) / count
        right.append((half * (1 - near), low + (high - low) * near))
        right.append((half * (1 - near) - 0.15, low + (high - low) * near + 0.7))
        right.append((half * (1 - far) + 0.75, low + (high - low) * far - 0.1))
    left = [(-x, z) for x, z in reversed(right)]
    return floats([*right, (0.0, high), *left])


def cone_roofed() -> Mesh:
    """A round wall under a straw cone of three tiers."""
    walls = turned([(5.0, 0.0), (5.3, 0.4), (5.2, 6.0)], 18)
    tiers = turned(
        [(6.9, 4.6), (7.1, 5.1), (4.9, 7.4), (5.3, 7.7), (2.9, 9.8), (3.2, 10.0), (0.7, 12.2), (0.2, 12.4)], 18
    )
    door = moved(painted(box(3.0, 0.9, 4.0), SHADE), (0.0, -4.9, 0.0))
    return merged([walls, tiers, door])


def pyramid_roofed() -> Mesh:
    """A cube with eaves and a pyramid on top."""
    walls = box(11.0, 11.0, 6.4, 0.5)
    square = rectangle(2.0, 2.0, 0.12)
    levels = [(5.6, 6.7), (6.1, 7.1), (6.6, 6.9), (11.7, 0.9), (12.0, 0.5)]
    roof = loft(np.stack([ring(square, height, half) for height, half in levels]))
    windows = [moved(painted(box(2.4, 0.3, 2.2), SHADE), (x, -5.45, 2.6)) for x in (-2.6, 2.6)]
    return merged([walls, roof, *windows])


def rounded() -> Mesh:
    """A smooth loaf, as cast in one piece."""
    angle = np.linspace(0, np.pi / 2, 9)
    profile = [(6.6, 0.0), (7.0, 0.6)] + [
        (7.0 * np.cos(a) ** 0.75 + 0.02, 0.8 + 11.0 * np.sin(a) ** 0.9) for a in angle
    ]
    door = moved(painted(box(3.4, 1.4, 4.2, 0.3), DUSK), (0.0, -6.4, 0.0))
    return merged([turned(profile, 22, along=True), door])


def gabled() -> Mesh:
    """The plain little house of many games: one prism, walls flush with the roof."""
    profile = floats(
        [
            (-5.6, 0.0),
            (5.6, 0.0),
            (5.6, 4.9),
            (7.0, 5.4),
            (7.0, 6.4),
            (0.0, 12.2),
            (-7.0, 6.4),
            (-7.0, 5.4),
            (-5.6, 4.9),
        ]
    )
    return extruded(profile, 13.6, 0.45)


def ribbed() -> Mesh:
    """A gabled roof down to the ground, with ribs along its slopes."""
    core = extruded(floats([(-6.4, 0.0), (6.4, 0.0), (5.9, 2.2), (0.4, 11.4), (-0.4, 11.4), (-5.9, 2.2)]), 13.6, 0.5)
    bars = []
    for side in (-1, 1):
        for at in np.linspace(-5.6, 5.6, 5):
            bar = moved(box(10.4, 1.0, 0.8, 0.15), (0.0, 0.0, -0.2))
            bar = transformed(bar, turn_about("y", side * 59.0))
            bars.append(moved(bar, (side * 3.15, float(at), 6.8)))
    door = moved(painted(prism(circle(1.9, 8), 0.0, 0.5), SHADE), (0.0, 0.0, 0.0))
    front = moved(transformed(door, turn_about("x", 90.0)), (0.0, -6.6, 2.4))
    return merged([core, *bars, front])


HUTS = {
    "thatched": thatched,
    "cone": cone_roofed,
    "pyramid": pyramid_roofed,
    "rounded": rounded,
    "gabled": gabled,
    "ribbed": ribbed,
}
