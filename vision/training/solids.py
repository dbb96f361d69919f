"""Convex solids as flat faces, and pieces put together from them. Crude on purpose; all sizes in mm."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from vision.locate.pose import Floats

_SMOOTH = 17  # a vault of so many sides is made of more rings, too


class Mesh(NamedTuple):
    """Faces of one piece: (K, 3) corners, z up, counted from the middle of its foot.

    `tints` scale the piece's colour face by face; `hearts` are points inside the convex part that a face belongs to.
    """

    faces: tuple[Floats, ...]
    tints: tuple[float, ...]
    hearts: tuple[Floats, ...]


def box(width: float, depth: float, low: float, high: float) -> Mesh:
    return frustum(width, depth, low, high, 1.0, 1.0)


def frustum(width: float, depth: float, low: float, high: float, along: float, across: float) -> Mesh:
    """A box whose top is `along` of its width and `across` of its depth."""
    x, y = width / 2, depth / 2
    base = np.array([[-x, -y], [x, -y], [x, y], [-x, y]])
    return between(base, base * (along, across), low, high)


def prism(sides: int, radius: float, low: float, high: float, top: float, turn: float = 0.0) -> Mesh:
    angle = np.arange(sides) * 2 * np.pi / sides + turn
    base = np.column_stack([np.cos(angle), np.sin(angle)]) * radius
    return between(base, base * top, low, high)


def rounded_box(width: float, depth: float, low: float, high: float, round_mm: float) -> Mesh:
    """A box with cut edges, and a top a little smaller than its foot."""
    x, y, r = width / 2, depth / 2, round_mm
    base = np.array(
        [[-x + r, -y], [x - r, -y], [x, -y + r], [x, y - r], [x - r, y], [-x + r, y], [-x, y - r], [-x, -y + r]]
    )
    return between(base, base * (1 - 0.5 * r / x), low, high)


def turned(profile: list[tuple[float, float]], sides: int) -> Mesh:
    """A piece from the lathe: (radius, height) pairs from its foot to its top."""
    rings = [(max(radius, 0.05), height) for radius, height in profile]
    return joined(*(prism(sides, r0, low, high, r1 / r0) for (r0, low), (r1, high) in pairwise(rings) if high > low))


def dome(sides: int, radius: float, height: float, upright: float) -> Mesh:
    """A wall that is upright up to the share `upright`, and a vault on it."""
    wall = upright * height
    angle = np.radians([0.0, 25.0, 50.0, 70.0, 86.0] if sides < _SMOOTH else np.linspace(0.0, 87.0, 8))
    vault = [(float(radius * np.cos(a)), float(wall + (height - wall) * np.sin(a))) for a in angle]
    return turned([(radius, 0.0), *vault] if wall > 0.3 else vault, sides)


def between(base: Floats, top: Floats, low: float, high: float) -> Mesh:
    """The convex part between two polygons of as many corners."""
    count = len(base)
    lower = np.column_stack([base, np.full(count, low)])
    upper = np.column_stack([top, np.full(count, high)])
    sides = [np.array([lower[i], lower[(i + 1) % count], upper[(i + 1) % count], upper[i]]) for i in range(count)]
    heart = (lower.mean(axis=0) + upper.mean(axis=0)) / 2
    return Mesh((*sides, upper), (1.0,) * (count + 1), (heart,) * (count + 1))


def plate(x: float, y: float, z: float, width: float, height: float) -> Mesh:
    """An upright rectangle that is seen from the side of greater y."""
    w, h = width / 2, height / 2
    face = np.array([[x - w, y, z - h], [x + w, y, z - h], [x + w, y, z + h], [x - w, y, z + h]])
    return Mesh((face,), (1.0,), (np.array([x, y - 1.0, z]),))


def joined(*parts: Mesh) -> Mesh:
    return Mesh(
        tuple(face for part in parts for face in part.faces),
        tuple(tint for part in parts for tint in part.tints),
        tuple(heart for part in parts for heart in part.hearts),
    )


def tinted(mesh: Mesh, tint: float) -> Mesh:
    return mesh._replace(tints=tuple(each * tint for each in mesh.tints))


def striped(mesh: Mesh, count: int, tint: float) -> Mesh:
    """The mesh with its four-cornered faces cut into courses, every other one in another shade: tiles, thatch."""
    faces, tints, hearts = [], [], []
    for face, own, heart in zip(*mesh, strict=True):
        steps = np.linspace(0, 1, 2 * count + 1) if len(face) == 4 else np.array([0.0, 1.0])
        for index, (near, far) in enumerate(pairwise(steps)):
            whole = len(face) != 4
            low = [face[0] + (face[3] - face[0]) * near, face[1] + (face[2] - face[1]) * near] if not whole else []
            high = [face[1] + (face[2] - face[1]) * far, face[0] + (face[3] - face[0]) * far] if not whole else []
            faces.append(face if whole else np.array([*low, *high]))
            tints.append(own * (tint if index % 2 else 1.0))
            hearts.append(heart)
    return Mesh(tuple(faces), tuple(tints), tuple(hearts))


def moved(mesh: Mesh, x: float, y: float, z: float = 0.0) -> Mesh:
    shift = np.array([x, y, z])
    return mesh._replace(
        faces=tuple(face + shift for face in mesh.faces), hearts=tuple(heart + shift for heart in mesh.hearts)
    )


def toppled(mesh: Mesh) -> Mesh:
    """The mesh lying on its side on the ground."""
    fallen = [face[:, [0, 2, 1]] * (1, 1, -1) for face in mesh.faces]
    lowest = min(float(face[:, 2].min()) for face in fallen)
    hearts = [heart[[0, 2, 1]] * (1, 1, -1) for heart in mesh.hearts]
    return moved(mesh._replace(faces=tuple(fallen), hearts=tuple(hearts)), 0.0, 0.0, -lowest)


def leaning(mesh: Mesh, lean: float, along: float) -> Mesh:
    """The mesh tilted by `lean` radians, resting on its lowest point, as on the edge of something."""
    cos, sin = np.cos(along), np.sin(along)
    turn = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
    tilt = np.array([[1, 0, 0], [0, np.cos(lean), -np.sin(lean)], [0, np.sin(lean), np.cos(lean)]])
    turning = turn @ tilt @ turn.T
    tilted = mesh._replace(
        faces=tuple(face @ turning for face in mesh.faces), hearts=tuple(heart @ turning for heart in mesh.hearts)
    )
    return moved(tilted, 0.0, 0.0, -min(float(face[:, 2].min()) for face in tilted.faces))


def placed(mesh: Mesh, at_mm: tuple[float, float], turn: float, height_mm: float = 0.0) -> Mesh:
    """The mesh standing on the board (its frame: x right, y down, z into the table)."""
    cos, sin = np.cos(turn), np.sin(turn)
    turning = np.array([[cos, sin, 0], [-sin, cos, 0], [0, 0, 1]])
    shift, flip = np.array([at_mm[0], at_mm[1], height_mm]), np.array([1, 1, -1])
    return mesh._replace(
        faces=tuple((face @ turning + shift) * flip for face in mesh.faces),
        hearts=tuple((heart @ turning + shift) * flip for heart in mesh.hearts),
    )
