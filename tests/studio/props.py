"""Things that stand and lie on a table, as meshes of Blender. Lengths in millimetres, z up, the foot at the origin."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence

import bpy

Point = tuple[float, float, float]
Faces = Sequence[Sequence[int]]


def solid(name: str, parts: Sequence[tuple[Sequence[Point], Faces]], bevel_mm: float = 0.4) -> bpy.types.Object:
    """One object of several parts, its edges a little worn."""
    points: list[Point] = []
    faces: list[list[int]] = []
    for corners, sides in parts:
        faces += [[at + len(points) for at in side] for side in sides]
        points += corners
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    mesh.update()
    found = bpy.data.objects.new(name, mesh)
    bpy.context.collection.objects.link(found)
    if bevel_mm:
        worn = found.modifiers.new("worn", "BEVEL")
        worn.width, worn.segments, worn.limit_method = bevel_mm, 2, "ANGLE"
    return found


def tower(outline: Sequence[tuple[float, float]], levels: Sequence[tuple[float, float]], turn: float = 0.0) -> tuple:
    """A solid whose outline is scaled from level to level: (scale, z) from foot to top."""
    count, (c, s) = len(outline), (math.cos(turn), math.sin(turn))
    points = [(k * (x * c - y * s), k * (x * s + y * c), z) for k, z in levels for x, y in outline]
    sides = [
        [
            level * count + i,
            level * count + (i + 1) % count,
            (level + 1) * count + (i + 1) % count,
            (level + 1) * count + i,
        ]
        for level in range(len(levels) - 1)
        for i in range(count)
    ]
    top = (len(levels) - 1) * count
    return points, [*sides, list(reversed(range(count))), [top + i for i in range(count)]]


def ring(sides: int) -> list[tuple[float, float]]:
    return [(math.cos(2 * math.pi * i / sides), math.sin(2 * math.pi * i / sides)) for i in range(sides)]


def block(wide: float, deep: float, low: float, high: float, at: tuple[float, float] = (0, 0)) -> tuple:
    x, y = wide / 2, deep / 2
    points, faces = tower([(-x, -y), (x, -y), (x, y), (-x, y)], [(1, low), (1, high)])
    return [(px + at[0], py + at[1], z) for px, py, z in points], faces


def roof(wide: float, deep: float, low: float, high: float, ridge: float) -> tuple:
    """A roof over a rectangle; `ridge` is the length of its ridge, 0 for a pyramid, `deep` for gables."""
    x, y, r = wide / 2, deep / 2, max(ridge / 2, 0.01)
    points = [(-x, -y, low), (x, -y, low), (x, y, low), (-x, y, low), (0, -r, high), (0, r, high)]
    return points, [[3, 2, 1, 0], [0, 1, 4], [1, 2, 5, 4], [2, 3, 5], [3, 0, 4, 5]]


# --- Huts, about 14 mm wide and 12 high ---


def gabled(rng: random.Random) -> bpy.types.Object:
    wall, wide, deep = rng.uniform(3.5, 6), rng.uniform(10.5, 12.5), rng.uniform(10, 12)
    eaves = rng.uniform(0.6, 2)
    parts = [block(wide, deep, 0, wall), roof(wide + 2 * eaves, deep + eaves, wall, 12, deep + eaves)]
    return solid("hut", parts, rng.uniform(0.2, 0.6))


def thatched(rng: random.Random) -> bpy.types.Object:
    wall, wide = rng.uniform(3, 5.5), rng.uniform(10, 12)
    parts = [block(wide, wide, 0, wall)]
    for tier in range(rng.choice([1, 2, 3])):
        low = wall + tier * (10 - wall) / 3
        size = (wide + 3) * (1 - 0.25 * tier)
        parts.append(roof(size, size, low, min(12.0, low + rng.uniform(5, 7)), rng.choice([0, size * 0.4])))
    return solid("hut", parts, 0.3)


def rounded(rng: random.Random) -> bpy.types.Object:
    wall, radius = rng.uniform(3.5, 6), rng.uniform(5, 6.2)
    sides = rng.choice([8, 24])
    parts = [
        tower(ring(sides), [(radius, 0), (radius, wall)]),
        tower(ring(sides), [(radius + 1.5, wall), (radius * 0.6, wall + 3.5), (0.4, 12)]),
    ]
    return solid("hut", parts, 0.3)


def tent(rng: random.Random) -> bpy.types.Object:
    deep = rng.uniform(10, 13)
    return solid("hut", [roof(rng.uniform(12, 14), deep, 0, 12, deep)], 0.6)


def house(rng: random.Random) -> bpy.types.Object:
    wide, wall = rng.uniform(10, 12), rng.uniform(5, 7.5)
    return solid("hut", [block(wide, wide, 0, wall), roof(wide, wide, wall, 12, wide)], rng.uniform(0.3, 0.9))


# --- Tikis, about 8 mm wide and 22 high ---


def totem(rng: random.Random) -> bpy.types.Object:
    parts, low, widths = [], 0.0, [rng.uniform(7, 9), rng.uniform(5.5, 7), rng.uniform(7.5, 9.5), rng.uniform(6, 8)]
    for width, high in zip(widths, (6, 9, 17.5, 22), strict=True):
        parts.append(block(width, width * rng.uniform(0.8, 1), low, high))
        low = high
    parts += [block(2, 2, 11, 15, (0, -4.5)), block(6.5, 2, 15, 16.5, (0, -4.4)), block(5, 1.5, 9.5, 10.6, (0, -4.4))]
    return solid("tiki", parts, 0.3)


def carved(rng: random.Random) -> bpy.types.Object:
    wide, sides = rng.uniform(3.6, 4.5), rng.choice([8, 20])
    levels = [
        (wide, 0),
        (wide, 3),
        (wide * 0.7, 4),
        (wide * 0.75, 8),
        (wide * 1.05, 9.5),
        (wide, 16),
        (wide * 0.75, 17),
        (wide * 0.95, 18.5),
        (wide * 0.8, 22),
    ]
    return solid("tiki", [tower(ring(sides), levels), block(1.8, 2.2, 11, 15, (0, -wide))], 0.25)


def moai(rng: random.Random) -> bpy.types.Object:
    outline = [(-3.6, -3), (3.6, -3), (4, 3), (-4, 3)]
    levels = [(1.1, 0), (0.95, 7), (0.85, 8.5), (1.05, 10.5), (1.0, 17), (0.9, 22)]
    return solid(
        "tiki",
        [tower(outline, levels), block(2, 2.4, 11.5, 16, (0, -3.6)), block(6.4, 1.6, 16, 17.3, (0, -3.4))],
        rng.uniform(0.3, 0.7),
    )


def idol(rng: random.Random) -> bpy.types.Object:
    """Slim and turned on a lathe."""
    wide = rng.uniform(3.4, 4.2)
    levels = [
        (wide, 0),
        (wide, 1.5),
        (wide * 0.55, 3),
        (wide * 0.5, 12),
        (wide * 0.9, 14),
        (wide, 17),
        (wide * 0.8, 20.5),
        (wide * 0.2, 22),
    ]
    return solid("tiki", [tower(ring(24), levels)], 0.0)


# --- Tokens of diving clubs, about 20 mm wide and flat ---


def disc(rng: random.Random) -> bpy.types.Object:
    radius, high = rng.uniform(8.5, 10.5), rng.uniform(2, 3.5)
    return solid("club", [tower(ring(40), [(radius, 0), (radius, high)])], 0.5)


def tile(rng: random.Random) -> bpy.types.Object:
    radius, high = rng.uniform(8.5, 10.5), rng.uniform(2, 3)
    return solid("club", [tower(ring(rng.choice([6, 8])), [(radius, 0), (radius * 0.95, high)])], 0.4)


def pebble(rng: random.Random) -> bpy.types.Object:
    radius = rng.uniform(8, 9.5)
    levels = [(radius * 0.8, 0), (radius, 1.2), (radius * 0.85, 2.8), (radius * 0.4, 3.8)]
    found = solid("club", [tower(ring(32), levels)], 0.0)
    for face in found.data.polygons:
        face.use_smooth = True
    return found


HUTS: tuple[Callable[[random.Random], bpy.types.Object], ...] = (gabled, thatched, rounded, tent, house)
TIKIS = (totem, carved, moai, idol)
TOKENS = (disc, tile, pebble)


# --- What else lies about ---


def hand(fingers: int, rng: random.Random) -> bpy.types.Object:
    """A forearm and a hand that points to the origin, from +x: spheres along bones, melted together."""
    found = bpy.data.metaballs.new("hand")
    found.resolution, found.render_resolution, found.threshold = 4.0, 3.0, 0.1
    bones = [((70, 0, 55), (300, 40, 110), 30, 42), ((70, 0, 50), (45, 0, 42), 30, 28)]
    for finger in range(5):
        across = (finger - 2) * 15
        straight = finger == 1 or finger < fingers
        tip = (0 if finger == 1 else rng.uniform(5, 20), across * 0.7, 8) if straight else (28, across * 0.8, 14)
        middle = (30, across * 0.9, 38 if straight else 40)
        bones += [((50, across, 42), middle, 9, 8.5), (middle, tip, 8.5, 7)]
    for start, end, thick, thin in bones:
        steps = max(2, round(math.dist(start, end) / (0.4 * thin)))
        for step in range(steps + 1):
            share = step / steps
            ball = found.elements.new()
            ball.co = [a + (b - a) * share for a, b in zip(start, end, strict=True)]
            ball.radius = 1.35 * (thick + (thin - thick) * share)
    thing = bpy.data.objects.new("hand", found)
    bpy.context.collection.objects.link(thing)
    return thing


def cup(rng: random.Random) -> bpy.types.Object:
    radius, high = rng.uniform(32, 42), rng.uniform(60, 95)
    levels = [
        (radius * 0.7, 0),
        (radius, high * 0.6),
        (radius, high),
        (radius * 0.9, high),
        (radius * 0.88, high * 0.6),
    ]
    return solid("cup", [tower(ring(40), [*levels, (radius * 0.5, 12)])], 0.0)


def card(rng: random.Random) -> bpy.types.Object:
    return solid("card", [block(rng.uniform(45, 62), rng.uniform(68, 90), 0, rng.choice([0.4, 0.4, 14]))], 0.2)


def pencil(rng: random.Random) -> bpy.types.Object:
    parts = [
        (
            [(x, 3.5 * c, 3.5 + 3.5 * s) for x in (0.0, 165.0) for c, s in ring(6)],
            [[i, (i + 1) % 6, 6 + (i + 1) % 6, 6 + i] for i in range(6)] + [list(range(6)), list(range(6, 12))],
        )
    ]
    return solid("pencil", parts, 0.2)


def die(rng: random.Random) -> bpy.types.Object:
    size = rng.uniform(10, 16)
    return solid("die", [block(size, size, 0, size)], 1.6)


CLUTTER = (cup, card, card, pencil, die)
