"""Small drawings that bring the map to life: palms, stones, waves, a canoe. None of them means anything to the game.

`size` is about half the drawing's height; `whim`, from 0 to 1, makes each one a little different.
"""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin, tau
from typing import NamedTuple

from vision.sheets.canvas import Canvas, Colour, Line, Point, arc, circle, moved, shape, spline
from vision.sheets.lettering import strokes_along

Motif = Callable[[Canvas, Point, float, Colour, float], None]

_WHITE: Colour = (255, 255, 255)
_ROCK = shape("o-.9,.35 -.6,-.5 .1,-.6 .75,-.2 .9,.4 0,.5")
_CROWN = shape("o-.75,.1 -.7,-.45 -.2,-.85 .4,-.75 .8,-.25 .65,.25 0,.3")
_RIDGE = shape("~-1.5,.8 -.8,.1 -.2,-.8 .15,-.85 .7,0 1.5,.8")
_WAVE = tuple((x, -0.16 * sin((x + 1) * tau * 0.95)) for x in (step / 16 - 1 for step in range(33)))
_HULL = shape("o-1.3,.35 -.9,.62 0,.72 .9,.62 1.35,.25 .8,.44 0,.48 -.9,.46")
_SAIL = shape("o-.1,.42 -.05,-.5 .25,-1.15 .75,-.7 .95,.1 .5,.3")
_RIGGING = (
    *map(shape, ("-.1,.42 .25,-1.15", ".08,-.4 .82,-.45", "0,0 .95,0", "-.7,.5 -.6,.95", ".5,.55 .6,.95")),
    shape("~-1,.9 -.6,.96 .6,.96 1,.88"),
)
_FLUKE = shape("o1.15,-.6 .85,-.85 .6,-.78 .95,-.62 1.15,-.5 1.4,-.66 1.7,-.85 1.42,-.9")
_WHALE = (
    shape("~-1.3,.5 -1.05,0 -.4,-.3 .4,-.1 .95,.2 1.2,-.1 1.15,-.6"),
    shape("~1.2,-.1 1.1,.3 .7,.58"),
    *(tuple(arc(centre, r, a, b)) for centre, r, a, b in (
        ((-0.2, 0.55), 0.3, -2.9, -0.6), ((-0.72, -0.5), 0.28, -2.6, 0.1), ((-1.2, -0.5), 0.28, -3.2, -0.5),
    )),
)  # fmt: skip
_SHELL_OF_TURTLE = shape("o-.62,0 -.4,-.46 .2,-.5 .66,-.14 .66,.14 .2,.5 -.4,.46")
_LIMBS = (shape("~.4,-.44 .5,-.95 .05,-1.15 .12,-.5"), shape("~-.4,-.44 -.8,-.72 -.66,-.3"))
_HEAD = shape("~.66,-.12 .98,-.14 1.05,0 .98,.14 .66,.12")
_PLATES = tuple(map(shape, (
    "-.3,0 -.12,-.24 .2,-.24 .38,0 .2,.24 -.12,.24 -.3,0", "-.3,0 -.62,0", ".38,0 .68,0",
    "-.12,-.24 -.25,-.46", "-.12,.24 -.25,.46", ".2,-.24 .32,-.44", ".2,.24 .32,.44",
)))  # fmt: skip


class _Pen(NamedTuple):
    """Draws what is given in a drawing's own units; small drawings get a thinner line, so that they don't clot."""

    canvas: Canvas
    at: Point
    size: float
    ink: Colour
    turn: float = 0.0

    def line(self, line: Line, weight: float = 1.0, closed: bool = False, alpha: float = 1.0) -> None:
        width = min(0.24, 0.07 + self.size * 0.05) * weight
        self.canvas.stroke(moved(line, self.at, self.size, self.turn), self.ink, width, closed, alpha)

    def area(self, ring: Line, tint: float, weight: float = 1.0) -> None:
        self.canvas.fill([moved(ring, self.at, self.size, self.turn)], self.ink, tint)
        self.line(ring, weight, closed=True)


def palm(canvas: Canvas, at: Point, size: float, ink: Colour, whim: float) -> None:
    pen = _Pen(canvas, at, size, ink)
    lean = (whim - 0.5) * 0.9
    x, y = lean * 0.7, -0.5
    for side in (-0.05, 0.05):
        pen.line(spline([(side * 1.6, 1.0), (lean * 0.15 + side, 0.3), (x + side * 0.6, y)]))
    for angle in (-2.75, -2.1, -1.2, -0.45, 0.25, 2.95):
        pen.area(moved(_frond(angle + (whim - 0.5) * 0.3), (x, y)), 0.3)


def _frond(angle: float) -> list[Point]:
    """A drooping leaf from the crown outwards."""
    x, y = cos(angle) * 1.05, sin(angle) * 0.525
    return spline([(0.0, 0.0), (x * 0.55, y - 0.18), (x, y + 0.3), (x * 0.5, y + 0.08)], closed=True, steps=5)


def grass(canvas: Canvas, at: Point, size: float, ink: Colour, whim: float) -> None:
    for blade in (-0.8, -0.4, 0.0, 0.4, 0.8):
        tip = ((blade + (whim - 0.5) * 0.6) * 0.9, -0.9 + abs(blade) * 0.5)
        _Pen(canvas, at, size, ink).line(spline([(blade * 0.3, 0.8), (blade * 0.45, 0.0), tip]))


def stones(canvas: Canvas, at: Point, size: float, ink: Colour, whim: float) -> None:
    for x, y, scale in ((-0.35, 0.1, 0.7), (0.65, 0.35, 0.42), (0.4, -0.45, 0.32))[: 2 + (whim > 0.5)]:
        pen = _Pen(canvas, (at[0] + x * size, at[1] + y * size), size * scale, ink, (whim - 0.5) * 0.6)
        canvas.fill([moved(_ROCK, pen.at, pen.size, pen.turn)], _WHITE, 0.3)
        pen.line(_ROCK, closed=True)
        pen.line([(-0.25, -0.1), (0.05, 0.12), (0.3, 0.05)], 0.8)


def sand_grains(canvas: Canvas, at: Point, size: float, ink: Colour, whim: float) -> None:
    for step in range(5):
        angle = tau * (step * 0.382 + whim)
        reach = size * (0.25 + 0.17 * step)
        canvas.fill([circle((at[0] + reach * cos(angle), at[1] + reach * sin(angle)), 0.17)], ink)


def starfish(canvas: Canvas, at: Point, size: float, ink: Colour, whim: float) -> None:
    pen = _Pen(canvas, at, size, ink, whim)
    rays = [(cos(i * tau / 10) * r, sin(i * tau / 10) * r) for i, r in enumerate((1.0, 0.42) * 5)]
    pen.area(spline(rays, closed=True, steps=5), 0.22)
    for i in range(0, 10, 2):
        pen.line([(rays[i][0] * 0.1, rays[i][1] * 0.1), (rays[i][0] * 0.6, rays[i][1] * 0.6)], 0.7)


def shell(canvas: Canvas, at: Point, size: float, ink: Colour, whim: float) -> None:
    pen = _Pen(canvas, at, size, ink, (whim - 0.5) * 2.0)
    pen.area([(0.0, 0.8), *arc((0.0, 0.0), 0.9, -pi * 1.08, pi * 0.08)], 0.16)
    for angle in (-2.4, -1.95, -1.57, -1.19, -0.74):
        pen.line([(0.0, 0.8), (0.86 * cos(angle), 0.86 * sin(angle))], 0.7)


def ripples(canvas: Canvas, at: Point, size: float, ink: Colour, whim: float) -> None:
    for row, reach in ((-0.4, 1.0), (0.4, 0.62)):
        place = (at[0] + (whim - 0.5) * size * 0.8 * row, at[1] + row * size)
        _Pen(canvas, place, size * reach, ink).line(_WAVE, 1.2, alpha=0.85)


def swell(canvas: Canvas, at: Point, size: float, ink: Colour, whim: float) -> None:
    _Pen(canvas, at, size * (1.0 + whim * 0.5), ink).line(_WAVE, 1.1, alpha=0.7)


def tree(canvas: Canvas, at: Point, size: float, ink: Colour, whim: float) -> None:
    _Pen(canvas, at, size, ink).line([(0.0, 0.25), (0.0, 0.85)])
    pen = _Pen(canvas, at, size, ink, (whim - 0.5) * 0.4)
    pen.area(_CROWN, 0.26)
    pen.line(arc((0.1, -0.2), 0.42, -0.4, 1.3), 0.8)


def hill(canvas: Canvas, at: Point, size: float, ink: Colour, whim: float) -> None:
    pen = _Pen(canvas, at, size * (0.9 + whim * 0.2), ink)
    pen.line(_RIDGE, 1.4)
    for step in range(5):
        x = 0.22 + step * 0.22
        pen.line([(x, -0.6 + step * 0.27), (x - 0.16, 0.05 + step * 0.16)], 0.8)


def canoe(canvas: Canvas, at: Point, size: float, ink: Colour, whim: float) -> None:
    """An outrigger canoe under sail."""
    pen = _Pen(canvas, at, size, ink)
    pen.area(_HULL, 0.4, 1.2)
    pen.area(_SAIL, 0.14, 1.2)
    for line in _RIGGING:
        pen.line(line)


def whale(canvas: Canvas, at: Point, size: float, ink: Colour, whim: float) -> None:
    pen = _Pen(canvas, at, size, ink)
    pen.area(_FLUKE, 0.3)
    for line in _WHALE:
        pen.line(line, 1.2)
    canvas.fill([circle((at[0] - 0.95 * size, at[1] + 0.22 * size), 0.06 * size)], ink)
    _Pen(canvas, (at[0] - 0.3 * size, at[1] + 0.72 * size), size * 1.3, ink).line(_WAVE, 1.1)


def turtle(canvas: Canvas, at: Point, size: float, ink: Colour, whim: float) -> None:
    pen = _Pen(canvas, at, size, ink, (whim - 0.5) * 2.4)
    for limb in _LIMBS:
        pen.line(limb)
        pen.line([(x, -y) for x, y in limb])
    pen.line(_HEAD)
    pen.area(_SHELL_OF_TURTLE, 0.2, 1.2)
    for line in _PLATES:
        pen.line(line, 0.8)


def compass(canvas: Canvas, at: Point, size: float, ink: Colour, whim: float) -> None:
    """A rose of the winds whose north wears its letter."""
    pen = _Pen(canvas, at, size, ink)
    for radius in (0.5, 0.56):
        pen.line(circle((0.0, 0.0), radius), 0.8, closed=True)
    for step in range(32):
        pen._replace(turn=step * tau / 32).line([(0.56, 0.0), (0.62 if step % 2 else 0.66, 0.0)], 0.8)
    for step in (*range(1, 8, 2), *range(0, 8, 2)):
        for side, tint in ((1, 0.75), (-1, 0.08)):
            half = _Pen(canvas, at, size, ink, step * tau / 8 - pi / 2)
            ray = [(0.0, 0.0), (0.13, 0.13 * side), (0.5 if step % 2 else 0.86, 0.0)]
            canvas.fill([moved(ray, at, size, half.turn)], _WHITE, 0.75)
            half.area(ray, tint)
    foot = at[1] - size * 0.94
    for stroke in strokes_along("N", [(at[0] - size * 0.075, foot), (at[0] + size, foot)], size * 0.22):
        canvas.stroke(stroke, ink, 0.5)
