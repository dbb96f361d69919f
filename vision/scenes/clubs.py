"""Models of diving clubs, tokens of 20 mm, lying on z = 0 about the origin. White, to be painted."""

from __future__ import annotations

import numpy as np

from vision.scenes.arrays import floats
from vision.scenes.mesh import Mesh, box, circle, loft, merged, moved, painted, prism, ring, turned

PALE = (2.2, 2.2, 2.2)
DEEP = (0.6, 0.6, 0.6)


def disc() -> Mesh:
    """A thick disc with a raised rim and a cross on it."""
    body = turned([(9.4, 0.0), (10.0, 0.5), (10.0, 3.2), (9.6, 3.6), (8.6, 3.6), (8.3, 3.1), (0.02, 3.1)], 32)
    bars = [moved(box(9.0, 2.0, 0.5, 0.1), (0.0, 0.0, 3.0)), moved(box(2.0, 9.0, 0.5, 0.1), (0.0, 0.0, 3.0))]
    return merged([body, *[painted(bar, DEEP) for bar in bars]])


def plain_disc() -> Mesh:
    """A wooden disc with broken edges."""
    return turned([(9.5, 0.0), (10.0, 0.5), (10.0, 4.0), (9.4, 4.6), (0.02, 4.6)], 32)


def lifebuoy() -> Mesh:
    """A ring: the board shows through its middle."""
    angle = np.linspace(0, 2 * np.pi, 17)
    section = [(7.1 + 2.9 * np.cos(a), 2.6 + 2.6 * np.sin(a)) for a in angle]
    rings = np.stack([ring(circle(1.0, 28), height, radius) for radius, height in section])
    return loft(rings, around=True, along=True, closed=False)


def flag() -> Mesh:
    """A disc with a pennant on a pole."""
    foot = turned([(9.6, 0.0), (10.0, 0.4), (10.0, 2.2), (9.2, 2.8), (0.02, 2.8)], 28)
    pole = turned([(0.7, 2.6), (0.7, 15.6), (0.3, 16.0)], 8)
    wave = [(x, 0.5 * np.sin(x)) for x in np.linspace(0.4, 7.6, 7)]
    outline = floats([*[(x, y - 0.35) for x, y in wave], *[(x, y + 0.35) for x, y in reversed(wave)]])
    cloth = loft(np.stack([ring(outline, 10.6), ring(outline, 15.4)]))
    return merged([foot, painted(pole, DEEP), cloth])


def bubble() -> Mesh:
    """A flat dome, like a polished stone."""
    angle = np.linspace(0, np.pi / 2, 8)
    profile = [(9.0, 0.0), (9.8, 0.6)] + [(10.0 * np.cos(a) + 0.02, 1.2 + 4.2 * np.sin(a)) for a in angle]
    return turned(profile, 30, along=True)


def tile() -> Mesh:
    """A square tile with a rounded outline and a light sign."""
    outline = floats(circle(10.0, 32) / np.abs(circle(1.0, 32)).max(axis=1, keepdims=True) ** 0.35)
    body = prism(floats(outline * 0.93), 0.0, 2.8, 0.4)
    sign = painted(prism(circle(3.6, 20), 2.8, 2.9), PALE)
    return merged([body, moved(sign, (0.0, 0.0, 0.0))])


CLUBS = {"disc": disc, "plain": plain_disc, "lifebuoy": lifebuoy, "flag": flag, "bubble": bubble, "tile": tile}
