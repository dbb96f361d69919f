"""Crude pieces as flat faces, in endless variety: what a set's huts, tikis and tokens might look like.

These shapes and colours belong to training alone. They share nothing with `vision/scenes`, so that its pictures stay a
fair examination of what was learned here.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from vision.locate.pose import Floats

COLOURS = ("violet", "pink", "yellow", "blue", "green", "orange", "red", "black")
# Hue in degrees, saturation and value (of linear light) that a maker of games might call by these names.
_HUES = {
    "violet": ((252, 290), (0.60, 0.97), (0.12, 0.60)),
    "pink": ((320, 350), (0.40, 0.93), (0.50, 1.0)),
    "yellow": ((36, 56), (0.70, 1.0), (0.50, 1.0)),
    "blue": ((206, 238), (0.70, 1.0), (0.15, 0.80)),
    "green": ((90, 158), (0.60, 1.0), (0.08, 0.55)),
    "orange": ((8, 24), (0.85, 1.0), (0.45, 1.0)),
    "red": ((-8, 3), (0.82, 1.0), (0.25, 0.75)),
    "black": ((0, 360), (0.0, 0.25), (0.004, 0.03)),
}


class Mesh(NamedTuple):
    """Faces of one piece: (K, 3) corners in mm, z up, counted from the middle of its foot; `tint` scales its colour."""

    faces: tuple[Floats, ...]
    tints: tuple[float, ...]


def colour_of(name: str, rng: np.random.Generator) -> Floats:
    """(3,) linear BGR that someone might call by that name."""
    hues, saturations, values = _HUES[name]
    return _from_hsv(rng.uniform(*hues) % 360, rng.uniform(*saturations), rng.uniform(*values))


def any_colour(rng: np.random.Generator) -> Floats:
    return _from_hsv(rng.uniform(0, 360), rng.uniform(0, 1), rng.uniform(0.01, 1))


def hut(rng: np.random.Generator) -> Mesh:
    width, depth = rng.uniform(12.5, 15.5), rng.uniform(12.5, 15.5)
    height = rng.uniform(9.5, 14.5)
    if rng.random() < 0.5:
        depth = width
    wall = height * rng.uniform(0.25, 0.65)
    eaves = rng.uniform(0.0, 1.8)
    kind = rng.choice(["pyramid", "gable", "hip", "round", "dome", "block", "beehive"])
    sides = int(rng.integers(6, 15))
    if kind == "beehive":
        return beehive(sides, width / 2, height, rng.uniform(0.0, 0.5))
    if kind in ("round", "dome"):
        body = prism(sides, width / 2 - eaves, 0, wall, 1.0)
        top = prism(
            sides, width / 2, wall, height, rng.uniform(0.0, 0.25) if kind == "round" else rng.uniform(0.4, 0.7)
        )
        return joined(body, tinted(top, rng.uniform(0.7, 1.1)))
    body = box(width - 2 * eaves, depth - 2 * eaves, 0, wall)
    if kind == "block":
        return joined(body, box(width, depth, wall, height))
    ridge = {"pyramid": rng.uniform(0, 0.2), "gable": 1.0, "hip": rng.uniform(0.3, 0.7)}[str(kind)]
    flat = {"pyramid": ridge, "gable": 0.02, "hip": 0.05}[str(kind)]
    roof = frustum(width, depth, wall, height, ridge, flat)
    return joined(body, tinted(roof, rng.uniform(0.75, 1.1)))


def tiki(rng: np.random.Generator) -> Mesh:
    width, height = rng.uniform(8.3, 11.6), rng.uniform(18.5, 25.5)
    depth = width * rng.uniform(0.75, 1.1)
    kind = rng.choice(["stack", "post", "figure", "pawn", "egg"])
    if kind == "egg":
        return beehive(10, width / 2, height, rng.uniform(0.2, 0.6))
    if kind == "post":
        return prism(int(rng.integers(4, 12)), width / 2, 0, height, rng.uniform(0.6, 1.0))
    if kind == "pawn":
        waist = height * rng.uniform(0.55, 0.7)
        body = prism(10, width / 2, 0, waist, rng.uniform(0.4, 0.7))
        return joined(body, prism(10, width * 0.36, waist - 0.5, height, rng.uniform(0.6, 0.9)))
    cuts = np.sort(rng.uniform(0.15, 0.9, int(rng.integers(2, 5)))) * height
    levels = [0.0, *cuts, height]
    parts = []
    for low, high in pairwise(levels):
        share = rng.uniform(0.7, 1.0)
        part = box(width * share, depth * share, low, high)
        parts.append(tinted(part, rng.uniform(0.75, 1.05)))
    if kind == "figure":  # eyes and a mouth, as dark or light marks on one side
        front = depth / 2 + 0.05
        for x, z, w, h in ((-0.22, 0.78, 0.16, 0.09), (0.22, 0.78, 0.16, 0.09), (0, 0.55, 0.5, 0.09)):
            parts.append(
                tinted(_plate(x * width, front, z * height, w * width, h * height), rng.choice([0.15, 0.3, 2.0]))
            )
    return joined(*parts)


def token(rng: np.random.Generator) -> Mesh:
    radius, height = rng.uniform(8.5, 11), rng.uniform(1.6, 6)
    sides = int(rng.choice([4, 6, 8, 16, 16, 16, 20]))
    disc = prism(sides, radius, 0, height, rng.uniform(0.88, 1.0))
    kind = rng.choice(["plain", "dome", "mast", "ring", "mark", "mark"])
    if kind == "plain":
        return disc
    if kind == "dome":
        return beehive(16, radius, height + 1.5, 0.2)
    if kind == "ring":  # a lifebuoy: the board shows through its middle
        thick = rng.uniform(2.2, 3.4)
        turn = np.arange(14) * 2 * np.pi / 14
        beads = [beehive(6, thick, height + 1.0, 0.3) for _ in turn]
        return joined(
            *(
                _moved(bead, (radius - thick) * np.cos(t), (radius - thick) * np.sin(t))
                for bead, t in zip(beads, turn, strict=True)
            )
        )
    if kind == "mast":  # a pennant on a thin pole
        pole, top = prism(5, 0.8, height, 15.0, 0.8), rng.uniform(12.0, 16.0)
        return joined(disc, tinted(pole, rng.uniform(0.4, 1.0)), _plate(3.5, 0.0, top - 2.5, 7.0, 5.0))
    mark = prism(int(rng.integers(3, 12)), radius * rng.uniform(0.3, 0.6), height, height + 0.05, 1.0)
    return joined(disc, tinted(mark, rng.choice([0.3, 0.6, 1.6, 2.5])))


def lump(rng: np.random.Generator) -> Mesh:
    """A thing that is no piece: a die, a pebble, a folded card, a coin."""
    size = rng.uniform(5, 30)
    if rng.random() < 0.5:
        return prism(int(rng.integers(4, 16)), size / 2, 0, rng.uniform(0.6, 16), rng.uniform(0.7, 1))
    return box(size, rng.uniform(5, 45), 0, rng.uniform(0.4, 14))


def box(width: float, depth: float, low: float, high: float) -> Mesh:
    return frustum(width, depth, low, high, 1.0, 1.0)


def frustum(width: float, depth: float, low: float, high: float, along: float, across: float) -> Mesh:
    """A box whose top is `along` of its width and `across` of its depth."""
    x, y = width / 2, depth / 2
    base = np.array([[-x, -y], [x, -y], [x, y], [-x, y]])
    return _between(base, base * (along, across), low, high)


def prism(sides: int, radius: float, low: float, high: float, top: float) -> Mesh:
    turn = np.arange(sides) * 2 * np.pi / sides
    base = np.column_stack([np.cos(turn), np.sin(turn)]) * radius
    return _between(base, base * top, low, high)


def beehive(sides: int, radius: float, height: float, upright: float) -> Mesh:
    """A dome of four rings; its wall is upright up to the share `upright`."""
    wall = upright * height
    turn = np.radians([0.0, 30.0, 58.0, 84.0])
    rings, levels = radius * np.cos(turn), wall + (height - wall) * np.sin(turn)
    parts = [prism(sides, radius, 0, wall, 1.0)] if wall > 0.3 else []
    for (low, high), (inner, outer) in zip(pairwise(levels), pairwise(rings[::1]), strict=True):
        parts.append(prism(sides, float(inner), float(low), float(high), float(outer / inner)))
    return joined(*parts)


def joined(*parts: Mesh) -> Mesh:
    return Mesh(tuple(f for part in parts for f in part.faces), tuple(t for part in parts for t in part.tints))


def tinted(mesh: Mesh, tint: float) -> Mesh:
    return mesh._replace(tints=tuple(t * tint for t in mesh.tints))


def placed(mesh: Mesh, at_mm: tuple[float, float], turn: float, height_mm: float = 0.0) -> Mesh:
    """The mesh standing on the board (its frame: x right, y down, z into the table)."""
    cos, sin = np.cos(turn), np.sin(turn)
    turned = [face @ np.array([[cos, sin, 0], [-sin, cos, 0], [0, 0, 1]]) for face in mesh.faces]
    shift = np.array([at_mm[0], at_mm[1], height_mm])
    return mesh._replace(faces=tuple((face + shift) * (1, 1, -1) for face in turned))


def _moved(mesh: Mesh, x: float, y: float) -> Mesh:
    return mesh._replace(faces=tuple(np.add(face, (x, y, 0.0)) for face in mesh.faces))


def _between(base: Floats, top: Floats, low: float, high: float) -> Mesh:
    count = len(base)
    lower = np.column_stack([base, np.full(count, low)])
    upper = np.column_stack([top, np.full(count, high)])
    sides = [np.array([lower[i], lower[(i + 1) % count], upper[(i + 1) % count], upper[i]]) for i in range(count)]
    return Mesh((*sides, upper), (1.0,) * (count + 1))


def _plate(x: float, y: float, z: float, width: float, height: float) -> Mesh:
    w, h = width / 2, height / 2
    return Mesh((np.array([[x - w, y, z - h], [x + w, y, z - h], [x + w, y, z + h], [x - w, y, z + h]]),), (1.0,))


def _from_hsv(hue: float, saturation: float, value: float) -> Floats:
    sector = np.array([(5 + hue / 60) % 6, (3 + hue / 60) % 6, (1 + hue / 60) % 6])  # red, green, blue
    rgb: Floats = value * (1 - saturation * np.clip(np.minimum(sector, 4 - sector), 0, 1))
    return rgb[::-1].copy()
