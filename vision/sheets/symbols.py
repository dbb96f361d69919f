"""The signs that players must tell apart: three spots, the diving club and the paint pot.

Each is drawn around a point in thin lines of middle contrast; `size` is the radius that it fills.
"""

from __future__ import annotations

from math import cos, pi, sin, tau

from vision.sheets.canvas import Canvas, Colour, Line, Point, arc, circle, moved, shape

_TINT = 0.16  # how strongly a sign's ink also fills it

_PETAL = shape("o.1,0 .16,-.1 .42,-.34 .78,-.36 1,-.1 .94,.1 1,.22 .7,.36 .38,.26")
_FISH = (
    shape("o-1,.06 -.62,-.36 -.08,-.56 .36,-.36 .62,0 .36,.36 -.08,.56 -.62,.4"),
    shape("o.56,0 .78,-.26 1,-.5 .9,0 1,.5 .78,.26"),
)
_FINS = (shape("~-.36,-.5 -.1,-.82 .34,-.74 .26,-.44"), shape("~-.1,.56 .1,.8 .38,.66 .24,.44"))
_MASK = shape("o-.86,-.3 -.4,-.44 .14,-.42 .46,-.24 .44,.12 .16,.36 -.06,.22 -.2,.08 -.36,.22 -.6,.36 -.86,.1")
_GLASSES = (
    shape("o-.7,-.16 -.42,-.26 -.28,-.18 -.34,.04 -.58,.18 -.7,.04"),
    shape("o-.1,-.2 .16,-.26 .32,-.12 .3,.06 .12,.18 -.06,.02"),
)
_SNORKEL = (
    shape("~.62,-.92 .63,-.3 .6,.3 .34,.62 .02,.6"),
    shape("~.75,-.92 .76,-.3 .73,.3 .42,.75 .02,.73"),
    shape(".62,-.92 .75,-.92"),
    shape(".02,.6 .02,.73"),
)
_BUBBLES = ((-0.5, 0.72, 0.09), (-0.74, 0.56, 0.06), (-0.34, -0.74, 0.07), (-0.1, -0.84, 0.1), (0.2, -0.7, 0.05))
_BUCKET = shape("-.62,-.1 -.5,.82 .5,.82 .62,-.1")
_DRIPS = shape("~-.62,-.1 -.5,.2 -.36,.42 -.24,.2 -.06,.1 .1,.5 .24,.22 .42,.14 .62,-.1")


def draw_spot(canvas: Canvas, spot: str, at: Point, size: float, ink: Colour, width: float) -> None:
    """The sign of a spot type, as board files name it."""
    {"Fleur": flower, "Poisson": fish, "Tatouage": tattoo}[spot](canvas, at, size, ink, width)


def flower(canvas: Canvas, at: Point, size: float, ink: Colour, width: float) -> None:
    for turn in range(5):
        angle = turn * tau / 5 - pi / 2
        _tinted(canvas, moved(_PETAL, at, size, angle), ink, width)
        canvas.stroke(moved([(0.34, -0.02), (0.68, -0.04)], at, size, angle), ink, width * 0.8)
    canvas.fill([circle(at, size * 0.16)], ink)


def fish(canvas: Canvas, at: Point, size: float, ink: Colour, width: float) -> None:
    for part in _FISH:
        _tinted(canvas, moved(part, at, size), ink, width)
    gill = arc((-1.0, 0.02), 0.62, -0.72, 0.78)
    for line in (*_FINS, gill, arc((-0.66, 0.0), 0.72, -0.7, 0.7), arc((-0.3, 0.0), 0.7, -0.52, 0.52)):
        canvas.stroke(moved(line, at, size), ink, width)
    canvas.fill([circle((at[0] - 0.66 * size, at[1] - 0.08 * size), size * 0.09)], ink)


def tattoo(canvas: Canvas, at: Point, size: float, ink: Colour, width: float) -> None:
    """A diamond with rows of shark teeth around a double curl, after the patterns of Pacific tattoos."""
    _tinted(canvas, moved(shape("0,-1 1,0 0,1 -1,0"), at, size), ink, width)
    for turn in range(4):
        for along in (0.2, 0.5, 0.8):
            tooth = [(along - 0.13, along - 1.0), (along + 0.13, along - 0.74), (along - 0.16, along - 0.71)]
            canvas.fill([moved(tooth, at, size * 0.84, turn * pi / 2)], ink)
    for half in (0.0, pi):
        canvas.stroke(moved(_curl(), at, size, half + 0.3), ink, width)


def mask_and_snorkel(canvas: Canvas, at: Point, size: float, ink: Colour, width: float) -> None:
    _tinted(canvas, moved(_MASK, at, size), ink, width * 1.3)
    for glass in _GLASSES:
        canvas.stroke(moved(glass, at, size), ink, width * 0.8, closed=True)
    for line in _SNORKEL:
        canvas.stroke(moved(line, at, size), ink, width)
    for x, y, radius in _BUBBLES:
        canvas.stroke(moved(circle((x, y), radius), at, size), ink, width * 0.7, closed=True)


def paint_pot(canvas: Canvas, at: Point, size: float, ink: Colour, width: float) -> None:
    canvas.fill([moved([*_DRIPS, *arc((0.0, -0.1), 0.62, 0.0, -pi, 0.3)], at, size)], ink, 0.55)
    for line in (_BUCKET, _DRIPS, arc((0.0, -0.1), 0.62, 0.0, tau, 0.3), arc((0.0, -0.12), 0.6, pi, tau, 1.15)):
        canvas.stroke(moved(line, at, size), ink, width)
    canvas.stroke(moved([(0.06, -0.06), (0.66, -0.98)], at, size), ink, width * 2.2)


def _tinted(canvas: Canvas, ring: Line, ink: Colour, width: float) -> None:
    canvas.fill([ring], ink, _TINT)
    canvas.stroke(ring, ink, width, closed=True)


def _curl() -> list[Point]:
    """Half of a double spiral, like a fern's young frond: from the middle out and around a point at the right."""
    angles = [pi - step * 0.45 for step in range(14)]
    return [(0.18 + (0.18 - 0.011 * i) * cos(a), (0.18 - 0.011 * i) * sin(a)) for i, a in enumerate(angles)]
