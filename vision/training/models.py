"""What a set's huts, tikis and tokens might look like, in endless variety, and their colours.

These shapes and colours belong to training alone. They share nothing with `vision/scenes`, so that its pictures stay a
fair examination of what was learned here.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from vision.locate.pose import Floats
from vision.training.solids import (
    Mesh,
    between,
    box,
    dome,
    frustum,
    joined,
    moved,
    plate,
    prism,
    rounded_box,
    striped,
    tinted,
    turned,
)

COLOURS = ("violet", "pink", "yellow", "blue", "green", "orange", "red", "black")
# Hue in degrees, saturation and value (of linear light) that a maker of games might call by these names.
_HUES = {
    "violet": ((252, 290), (0.55, 0.97), (0.10, 0.60)),
    "pink": ((320, 350), (0.38, 0.93), (0.45, 1.0)),
    "yellow": ((36, 56), (0.70, 1.0), (0.45, 1.0)),
    "blue": ((206, 238), (0.65, 1.0), (0.12, 0.80)),
    "green": ((90, 158), (0.55, 1.0), (0.07, 0.55)),
    "orange": ((8, 24), (0.85, 1.0), (0.40, 1.0)),
    "red": ((-8, 3), (0.82, 1.0), (0.22, 0.75)),
    "black": ((0, 360), (0.0, 0.25), (0.004, 0.03)),
}
_SHADES = (0.25, 0.5, 0.7, 1.3, 1.8)

Rng = np.random.Generator


def colour_of(name: str, rng: Rng) -> Floats:
    """(3,) linear BGR that someone might call by that name."""
    hues, saturations, values = _HUES[name]
    return _from_hsv(rng.uniform(*hues) % 360, rng.uniform(*saturations), rng.uniform(*values))


def any_colour(rng: Rng) -> Floats:
    return _from_hsv(rng.uniform(0, 360), rng.uniform(0, 1), rng.uniform(0.01, 1))


def hut(rng: Rng) -> Mesh:
    """A little house of some kind, wider than it is high."""
    width, height = rng.uniform(12.0, 16.0), rng.uniform(9.5, 14.0)
    kind = str(rng.choice(["walls", "walls", "walls", "tent", "round", "dome", "block", "meeple"]))
    mesh = _HUTS[kind](width, height, rng)
    return _decorated(mesh, rng)


def _walled(width: float, height: float, rng: Rng) -> Mesh:
    """Walls under a roof that is gabled, hipped or a pyramid, with or without eaves, door and chimney."""
    depth = width * (1.0 if rng.random() < 0.5 else rng.uniform(0.78, 1.0))
    wall, eaves = height * rng.uniform(0.2, 0.65), rng.choice([0.0, 1.0]) * rng.uniform(0.3, 2.0)
    body = box(width - 2 * eaves, depth - 2 * eaves, 0, wall)
    along, across = [(0.05, 0.05), (1.0, 0.03), (0.55, 0.04), (0.3, 0.3), (1.0, 0.25)][int(rng.integers(5))]
    roof = frustum(width, depth, wall, height, along, across)
    parts = [body, tinted(roof, rng.uniform(0.6, 1.25))]
    if rng.random() < 0.4:
        front = depth / 2 - eaves + 0.05
        parts.append(tinted(plate(0.0, front, wall * 0.4, width * 0.25, wall * 0.8), float(rng.choice(_SHADES))))
    if rng.random() < 0.1:
        parts.append(moved(box(2.0, 2.0, wall, height + 0.5), width * 0.25, depth * 0.2))
    return joined(*parts)


def _tent(width: float, height: float, rng: Rng) -> Mesh:
    """A roof down to the ground."""
    low = rng.uniform(0.0, 2.5)
    roof = frustum(width, width * rng.uniform(0.85, 1.0), low, height, rng.choice([1.0, 0.5, 0.05]), 0.05)
    return joined(box(width, width * 0.9, 0, low), roof) if low > 0.5 else roof


def _round(width: float, height: float, rng: Rng) -> Mesh:
    """A round wall under a cone, of one to three tiers."""
    sides, wall = int(rng.integers(6, 21)), height * rng.uniform(0.2, 0.6)
    body = prism(sides, width / 2 * rng.uniform(0.75, 1.0), 0, wall, 1.0)
    tiers = int(rng.integers(1, 4))
    levels, radii = (
        np.linspace(wall, height, tiers + 1),
        np.linspace(width / 2, width * rng.uniform(0.02, 0.15), tiers + 1),
    )
    cone = [prism(sides, float(r0), float(z0), float(z1), float(r1 / r0) * 0.9) for (z0, z1), (r0, r1) in
            zip(pairwise(levels), pairwise(radii), strict=True)]  # fmt: skip
    return joined(body, tinted(joined(*cone), rng.uniform(0.6, 1.25)))


def _domed(width: float, height: float, rng: Rng) -> Mesh:
    return dome(int(rng.integers(8, 21)), width / 2, height, rng.uniform(0.0, 0.5))


def _block(width: float, height: float, rng: Rng) -> Mesh:
    """A cube or cylinder, whole or of two storeys."""
    if rng.random() < 0.35:
        return prism(int(rng.choice([6, 8, 12, 16])), width / 2, 0, height, rng.uniform(0.85, 1.0))
    waist = height * rng.uniform(0.3, 0.7)
    upper = rounded_box(
        width * rng.uniform(0.75, 1.0), width * rng.uniform(0.75, 1.0), waist, height, rng.uniform(0.2, 3)
    )
    return joined(rounded_box(width, width, 0, waist, rng.uniform(0.2, 2.5)), upper)


def _meeple_house(width: float, height: float, rng: Rng) -> Mesh:
    """The outline of a house, cut from a board."""
    thick, wall = width * rng.uniform(0.55, 0.95), height * rng.uniform(0.4, 0.6)
    half = width / 2
    outline = np.array(
        [[-half, 0], [half, 0], [half, wall], [0.05 * half, height], [-0.05 * half, height], [-half, wall]]
    )
    return _upright(outline, thick)


def _upright(outline: Floats, thick: float) -> Mesh:
    """A board standing up: an outline (N, 2) in x and z, `thick` in y."""
    flat = between(outline, outline, -thick / 2, thick / 2)
    back = flat.faces[-1] - np.array([0.0, 0.0, thick])
    faces = [face[:, [0, 2, 1]] for face in (*flat.faces, back)]
    heart = np.array([outline[:, 0].mean(), 0.0, outline[:, 1].mean()])
    return Mesh(tuple(faces), (1.0,) * len(faces), (heart,) * len(faces))


_HUTS: dict[str, Callable[[float, float, Rng], Mesh]] = {
    "walls": _walled, "tent": _tent, "round": _round, "dome": _domed, "block": _block, "meeple": _meeple_house,
}  # fmt: skip


def tiki(rng: Rng, hut_half: float = 7.0, hut_height: float = 12.0) -> Mesh:
    """A carved post of some kind, slimmer and much higher than its set's huts, which are `hut_half` to each side."""
    width = rng.uniform(7.5, min(11.8, 1.62 * hut_half))
    height = rng.uniform(max(16.0, 1.45 * hut_height), 28.0)
    kind = str(rng.choice(["stack", "stack", "head", "post", "pawn", "lathe", "lathe", "egg", "board"]))
    return _decorated(_TIKIS[kind](width, height, rng), rng)


def _stack(width: float, height: float, rng: Rng) -> Mesh:
    """Blocks of changing width, with or without a face."""
    count = int(rng.integers(2, 8))
    cuts = np.sort(rng.uniform(0.1, 0.92, count - 1)) * height
    depth = rng.uniform(0.75, 1.1)
    is_round, sides = rng.random() < 0.4, int(rng.integers(5, 14))
    parts = []
    for low, high in pairwise([0.0, *cuts, height]):
        wide = width * rng.uniform(0.65, 1.0)
        block = prism(sides, wide / 2, low, high, rng.uniform(0.85, 1.0)) if is_round else (
            rounded_box(wide, wide * depth, low, high, rng.uniform(0.1, 1.2)))  # fmt: skip
        parts.append(tinted(block, rng.uniform(0.8, 1.1)))
    return joined(*parts, *_face(width, width * depth, height, rng))


def _face(width: float, depth: float, height: float, rng: Rng) -> list[Mesh]:
    """Eyes and a mouth, as dark or light marks on one side."""
    if rng.random() < 0.4:
        return []
    front, tint, top = depth / 2 + 0.1, float(rng.choice([0.1, 0.3, 0.5, 2.0])), rng.uniform(0.6, 0.85)
    marks = ((-0.22, top, 0.2, 0.09), (0.22, top, 0.2, 0.09), (0.0, top - 0.25, 0.55, 0.1))
    return [tinted(plate(x * width, front, z * height, w * width, h * height), tint) for x, z, w, h in marks]


def _head(width: float, height: float, rng: Rng) -> Mesh:
    """A long face: chin, nose and a heavy brow."""
    brow = height * rng.uniform(0.65, 0.85)
    body = frustum(width, width * 0.9, 0, brow, rng.uniform(0.75, 1.05), rng.uniform(0.75, 1.05))
    crown = rounded_box(width, width * rng.uniform(0.9, 1.15), brow, height, rng.uniform(0.2, 2.0))
    nose = moved(box(width * 0.2, width * 0.25, brow * 0.5, brow), 0.0, width * 0.5)
    return joined(body, nose, tinted(crown, rng.uniform(0.8, 1.15)), *_face(width, width, height, rng))


def _post(width: float, height: float, rng: Rng) -> Mesh:
    return prism(int(rng.integers(4, 14)), width / 2, 0, height, rng.uniform(0.45, 1.1))


def _pawn(width: float, height: float, rng: Rng) -> Mesh:
    """A foot, a waist and a head, as the pawns of many games."""
    neck, waist = height * rng.uniform(0.55, 0.72), width * rng.uniform(0.18, 0.35)
    ball, middle = width * rng.uniform(0.28, 0.42), (neck + height) / 2
    profile = [(width / 2, 0.0), (width / 2, height * 0.08), (waist, neck), (ball * 0.7, neck + 0.1), (ball, middle)]
    profile += [(ball * 0.75, middle + 0.6 * (height - middle)), (ball * 0.1, height)]
    return turned(profile, int(rng.choice([12, 20])))


def _lathe(width: float, height: float, rng: Rng) -> Mesh:
    """Rings and grooves."""
    count = int(rng.integers(3, 10))
    levels = np.linspace(0, height, count)
    radii = (
        width / 2 * np.where(np.arange(count) % 2 == 0, rng.uniform(0.85, 1.0, count), rng.uniform(0.6, 0.95, count))
    )
    return turned([(float(r), float(z)) for r, z in zip(radii, levels, strict=True)], int(rng.integers(8, 21)))


def _egg(width: float, height: float, rng: Rng) -> Mesh:
    return dome(int(rng.choice([12, 20])), width / 2, height, rng.uniform(0.2, 0.7))


def _standing_board(width: float, height: float, rng: Rng) -> Mesh:
    """A figure or a disc cut from a board, standing on its edge."""
    angle = np.linspace(-0.35 * np.pi, 1.35 * np.pi, int(rng.integers(5, 12)))
    flat = rng.uniform(0.75, 1.0)
    round_outline = np.column_stack([np.cos(angle) * width * 0.55, (np.sin(angle) + 0.9) / 1.9 * height])
    straight = np.array([[-0.5, 0], [0.5, 0], [0.5 * flat, 1], [-0.5 * flat, 1]]) * (width, height)
    outline = round_outline if rng.random() < 0.5 else straight
    return _upright(outline, width * rng.uniform(0.5, 0.85))


_TIKIS: dict[str, Callable[[float, float, Rng], Mesh]] = {
    "stack": _stack, "head": _head, "post": _post, "pawn": _pawn, "lathe": _lathe, "egg": _egg,
    "board": _standing_board,
}  # fmt: skip


def token(rng: Rng) -> Mesh:
    """A club's token: a disc, a low box, a ring, a pennant."""
    radius, height = rng.uniform(8.0, 11.5), rng.uniform(1.6, 7)
    sides = int(rng.choice([4, 6, 8, 16, 16, 16, 20]))
    disc = prism(sides, radius, 0, height, rng.uniform(0.85, 1.0))
    kind = rng.choice(["plain", "dome", "mast", "ring", "mark", "mark", "mark"])
    if kind == "dome":
        return dome(16, radius, height + 1.5, 0.2)
    if kind == "ring":  # a lifebuoy: the board shows through its middle
        return _ring(radius, height, rng)
    if kind == "mast":  # a pennant on a thin pole
        top = rng.uniform(11.0, 17.0)
        flag = _upright(np.array([[0.5, top - 5.0], [7.5, top - 2.5], [0.5, top]]), 0.6)
        return joined(disc, tinted(prism(5, 0.8, height, top, 0.8), rng.uniform(0.4, 1.0)), flag)
    if kind == "mark":
        mark = prism(int(rng.integers(3, 12)), radius * rng.uniform(0.3, 0.7), height, height + 0.05, 1.0)
        return joined(disc, tinted(mark, float(rng.choice([0.2, 0.5, 1.6, 2.5, 5.0]))))
    return disc


def _ring(radius: float, height: float, rng: Rng) -> Mesh:
    thick = rng.uniform(2.2, 3.4)
    bead = dome(6, thick, height + 1.0, 0.3)
    angles = np.arange(14) * 2 * np.pi / 14
    return joined(*(moved(bead, (radius - thick) * np.cos(a), (radius - thick) * np.sin(a)) for a in angles))


def lump(rng: Rng) -> Mesh:
    """A thing that is no piece: a die, a pebble, a folded card, a coin, a cup."""
    size = rng.uniform(5, 30)
    if rng.random() < 0.15:
        return turned([(25.0, 0.0), (rng.uniform(28, 40), rng.uniform(50, 90))], 20)
    if rng.random() < 0.5:
        return prism(int(rng.integers(4, 16)), size / 2, 0, rng.uniform(0.6, 16), rng.uniform(0.7, 1))
    return box(size, rng.uniform(5, 45), 0, rng.uniform(0.4, 14))


def _decorated(mesh: Mesh, rng: Rng) -> Mesh:
    """Some pieces have courses of tiles, rings or planks."""
    if rng.random() < 0.35 and len(mesh.faces) < 60:
        return striped(mesh, int(rng.integers(2, 5)), float(rng.choice([0.45, 0.7, 0.85, 1.25])))
    return mesh


def _from_hsv(hue: float, saturation: float, value: float) -> Floats:
    sector = np.array([(5 + hue / 60) % 6, (3 + hue / 60) % 6, (1 + hue / 60) % 6])  # red, green, blue
    rgb: Floats = value * (1 - saturation * np.clip(np.minimum(sector, 4 - sector), 0, 1))
    return rgb[::-1].copy()
