"""The signs of Māori, which players count at a glance: palm, hut, canoe, shell, wreath, volcano, and the ship.

Each is drawn around a point; `size` is about half of what it takes up. Colours are strong enough to be told from the
pale ground across a table, and soft enough to leave the loudest to the players' boats.
"""

from __future__ import annotations

from math import cos, pi, sin, tau

from vision.sheets.canvas import Canvas, Colour, Line, Point, arc, circle, moved, shape, spline

LEAF: tuple[Colour, Colour] = ((92, 146, 92), (120, 170, 104))
LEAF_INK: Colour = (58, 98, 66)
BARK: Colour = (164, 122, 84)
BARK_INK: Colour = (112, 80, 54)
THATCH: Colour = (222, 182, 116)
SAIL: Colour = (250, 240, 216)
HULL: Colour = (166, 84, 60)
PEARL: Colour = (250, 226, 214)
PEARL_INK: Colour = (186, 122, 108)
PETAL: tuple[Colour, Colour] = ((226, 112, 134), (248, 214, 206))
PETAL_INK: Colour = (168, 70, 92)
POLLEN: Colour = (246, 202, 92)
ROCK: tuple[Colour, Colour] = ((150, 136, 132), (118, 104, 104))
ROCK_INK: Colour = (78, 68, 72)
LAVA: tuple[Colour, Colour] = ((222, 92, 62), (246, 176, 84))
SMOKE: Colour = (236, 234, 236)

_FRONDS = (-2.95, -2.45, -1.95, -1.2, -0.7, -0.2, 0.35, 2.8)
_TRUNK = shape("~-.14,1 -.08,.3 .1,-.35 .2,-.62")
_ROOF = shape("o-.98,.12 -.62,-.22 -.2,-.78 0,-.98 .2,-.78 .62,-.22 .98,.12 .5,.2 0,.22 -.5,.2")
_HULL = shape("o-1.25,-.02 -.8,.18 0,.24 .8,.18 1.3,-.1 1.05,.36 .5,.58 -.4,.58 -.95,.4")
_CLAW = shape("o-.06,.14 -.12,-.5 .12,-1.15 .52,-.9 .82,-.35 .86,0 .4,.1")
_CONE = shape("o-1.3,.85 -.9,.4 -.55,-.2 -.34,-.62 0,-.55 .34,-.62 .6,-.15 .95,.42 1.3,.85 0,1")
_STREAMS = (
    shape("o-.12,-.56 -.06,-.2 -.24,.2 -.12,.5 .02,.2 .08,-.2 .1,-.56"),
    shape("o.2,-.58 .34,-.2 .3,.1 .44,.34 .46,0 .36,-.4"),
)
_SHIP_HULL = shape("o-1.5,-.1 -1.1,.1 0,.16 1.1,.1 1.55,-.22 1.3,.4 .9,.66 -.9,.66 -1.3,.3")
_SHIP_SAILS = (shape("o-.75,0 -.82,-.8 -.2,-1.2 -.12,-.5 -.18,0"), shape("o.1,0 .02,-.95 .6,-1.25 .95,-.5 .8,0"))


def palm(canvas: Canvas, at: Point, size: float, whim: float) -> None:
    """`at` is the middle; the foot stands one size below it."""
    lean = (whim - 0.5) * 0.5
    canvas.fill([arc((at[0] + size * 0.1, at[1] + size * 1.0), size * 0.55, 0, tau, 0.3)], LEAF_INK, 0.22)
    trunk = [(x + lean * (1 - y) * 0.5, y) for x, y in _TRUNK]
    canvas.stroke(moved(trunk, at, size), BARK_INK, size * 0.24)
    canvas.stroke(moved(trunk, at, size), BARK, size * 0.15)
    crown = moved(trunk[-1:], at, size)[0]
    for number, angle in enumerate(_FRONDS):
        leaf = moved(_frond(angle + lean * 0.5), crown, size)
        canvas.fill([leaf], LEAF[number % 2])
        canvas.stroke(leaf, LEAF_INK, size * 0.05, closed=True)
    for x, y in ((-0.1, 0.1), (0.12, 0.12)):
        canvas.fill([circle((crown[0] + x * size, crown[1] + y * size), size * 0.1)], BARK_INK)


def _frond(angle: float) -> list[Point]:
    """A leaf that rises from the crown and droops at its tip."""
    x, y = cos(angle), sin(angle) * 0.62
    rise, droop = (0.55 * x, 0.6 * y - 0.2), (1.02 * x, y + 0.34)
    return spline([(0, 0), (rise[0], rise[1] - 0.08), (0.88 * x, y + 0.04), droop, (0.66 * x, y + 0.1)], True, 6)


def hut(canvas: Canvas, at: Point, size: float, whim: float) -> None:
    canvas.fill([arc((at[0], at[1] + size * 0.8), size * 1.0, 0, tau, 0.22)], LEAF_INK, 0.22)
    wall = moved(shape("-.62,.05 .62,.05 .58,.82 -.58,.82"), at, size)
    canvas.fill([wall], THATCH)
    for step in range(-2, 3):
        canvas.stroke(moved([(step * 0.22, 0.1), (step * 0.21, 0.8)], at, size), BARK, size * 0.06)
    canvas.stroke(wall, BARK_INK, size * 0.07, closed=True)
    canvas.fill([moved(shape("o-.2,.82 -.2,.45 0,.3 .2,.45 .2,.82 0,.84"), at, size)], BARK_INK)
    roof = moved(_ROOF, at, size)
    canvas.fill([roof], BARK)
    for step in range(-4, 5):
        canvas.stroke(moved([(step * 0.03, -0.86), (step * 0.21, 0.14)], at, size), THATCH, size * 0.05)
    canvas.stroke(roof, BARK_INK, size * 0.09, closed=True)


def canoe(canvas: Canvas, at: Point, size: float, whim: float) -> None:
    """An outrigger canoe under its claw sail, on a small wave."""
    canvas.fill([moved(_CLAW, at, size)], SAIL)
    for x in (0.2, 0.5):
        canvas.stroke(moved([(-0.05, 0.1), (x, -1.0 + x * 0.5)], at, size), PEARL_INK, size * 0.05)
    canvas.stroke(moved(_CLAW, at, size), BARK_INK, size * 0.1, closed=True)
    canvas.fill([moved(_HULL, at, size)], HULL)
    canvas.stroke(moved(_HULL, at, size), BARK_INK, size * 0.1, closed=True)
    canvas.stroke(moved(shape("-.9,.3 0,.4 .95,.24"), at, size), SAIL, size * 0.07)
    wave = [(x / 8, 0.78 + 0.08 * sin(x * 1.3 + whim)) for x in range(-11, 12)]
    canvas.stroke(moved(wave, at, size), (255, 255, 255), size * 0.12, alpha=0.9)


def shell(canvas: Canvas, at: Point, size: float, whim: float) -> None:
    """A scallop."""
    turn = (whim - 0.5) * 0.5
    rim = [
        (cos(a) * (0.98 + 0.06 * cos(9 * (a + pi / 2))), sin(a) * 0.92 - 0.02)
        for a in _steps(-pi * 1.07, pi * 0.07, 36)
    ]
    fan = moved([*rim, (0.22, 0.74), (-0.22, 0.74)], at, size, turn)
    canvas.fill([fan], PEARL)
    for angle in _steps(-pi * 0.9, -pi * 0.1, 5):
        rib = [(0.1 * cos(angle), 0.6), (0.84 * cos(angle), 0.8 * sin(angle))]
        canvas.stroke(moved(rib, at, size, turn), PEARL_INK, size * 0.07, alpha=0.8)
    canvas.stroke(fan, PEARL_INK, size * 0.11, closed=True)
    foot = moved(shape("-.36,.74 -.3,.96 .3,.96 .36,.74"), at, size, turn)
    canvas.fill([foot], PEARL_INK)


def _steps(start: float, end: float, count: int) -> list[float]:
    return [start + (end - start) * step / count for step in range(count + 1)]


def flower(canvas: Canvas, at: Point, size: float, number: int) -> None:
    petal = shape("o.08,0 .3,-.3 .72,-.38 1,-.06 .86,.3 .4,.3")
    for step in range(5):
        leaf = moved(petal, at, size, step * tau / 5 + number * 0.7)
        canvas.fill([leaf], PETAL[number % 2])
        canvas.stroke(leaf, PETAL_INK, size * 0.09, closed=True)
    canvas.fill([circle(at, size * 0.24)], POLLEN)


def half_wreath(canvas: Canvas, edge: Point, inward: float, size: float) -> None:
    """Half of a ring of flowers around a point of the tile's edge; the neighbour's half closes it."""
    for step in range(9):
        angle = inward - pi / 2 + (step + 0.5) * pi / 9
        leaf = moved(shape("o-.5,0 0,-.26 .5,0 0,.26"), _around(edge, angle, size), size * 0.3, angle + pi / 2 + 0.5)
        canvas.fill([leaf], LEAF[step % 2])
        canvas.stroke(leaf, LEAF_INK, size * 0.02, closed=True)
    for step in range(4):
        angle = inward + (step - 1.5) * pi / 4
        flower(canvas, _around(edge, angle, size), size * 0.31, step)


def _around(centre: Point, angle: float, radius: float) -> Point:
    return centre[0] + radius * cos(angle), centre[1] + radius * sin(angle)


def volcano(canvas: Canvas, at: Point, size: float) -> None:
    for x, y, radius in (
        (0.05, -0.85, 0.2),
        (0.2, -1.08, 0.26),
        (-0.02, -1.28, 0.2),
        (0.42, -1.3, 0.24),
        (0.3, -1.5, 0.16),
    ):
        puff = moved(circle((x, y), radius), at, size)
        canvas.fill([puff], SMOKE, 0.9)
        canvas.stroke(puff, ROCK[0], size * 0.02, closed=True, alpha=0.5)
    canvas.fill([moved(_CONE, at, size)], ROCK[0])
    shade = shape("o.1,-.5 .34,-.62 .6,-.15 .95,.42 1.3,.85 .5,.97 .42,.4 .2,0")
    canvas.fill([moved(shade, at, size)], ROCK[1], 0.75)
    for stream in _STREAMS:
        canvas.fill([moved(stream, at, size)], LAVA[0])
        canvas.stroke(moved(stream, at, size), LAVA[1], size * 0.03, closed=True)
    canvas.fill([moved(arc((0.0, -0.6), 0.33, 0, tau, 0.24), at, size)], LAVA[1])
    canvas.stroke(moved(_CONE, at, size), ROCK_INK, size * 0.05, closed=True)
    canvas.stroke(moved(arc((0.0, -0.6), 0.33, 0, tau, 0.24), at, size), ROCK_INK, size * 0.04, closed=True)


def ship(canvas: Canvas, at: Point, size: float) -> None:
    """The explorers' ship under two claw sails."""
    for sail, tint in zip(_SHIP_SAILS, (SAIL, PEARL), strict=True):
        canvas.fill([moved(sail, at, size)], tint)
        canvas.stroke(moved(sail, at, size), BARK_INK, size * 0.07, closed=True)
    for mast in ("-.2,.1 -.2,-1.3", ".1,.1 .06,-1.36"):
        canvas.stroke(moved(shape(mast), at, size), BARK_INK, size * 0.08)
    canvas.fill([moved(_SHIP_HULL, at, size)], HULL)
    canvas.stroke(moved(_SHIP_HULL, at, size), BARK_INK, size * 0.08, closed=True)
    for x in (-0.7, -0.25, 0.2, 0.65):
        canvas.fill([moved(circle((x, 0.36), 0.09), at, size)], SAIL)


def wave(canvas: Canvas, at: Point, size: float, ink: Colour, alpha: float = 0.6) -> None:
    line: Line = [(x / 8, -0.14 * sin(x * tau / 10)) for x in range(-8, 9)]
    canvas.stroke(moved(line, at, size), ink, size * 0.09, alpha=alpha)
