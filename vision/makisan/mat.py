"""The mat's drawing: a bamboo mat on a lacquer tray, ten rests for makis, a dish for each side's Wasabi."""

from __future__ import annotations

from functools import cache
from math import cos, pi, sin, tau

import numpy as np

from vision.makisan import ground
from vision.makisan.layout import (
    BAMBOO,
    DICTIONARY,
    DISH_MM,
    DISHES_MM,
    LINE_Y_MM,
    MARKER_CELLS,
    REST_MM,
    RESTS_MM,
    SHEET_MM,
    TRAY,
    markers,
)
from vision.sheets.canvas import Canvas, Colour, Picture, Point, arc, box, circle, dashes, moved, rounded_box, shape
from vision.sheets.colours import PAPER, SOFT_INK
from vision.sheets.frame import draw_marker
from vision.sheets.lettering import text_width, write, write_along
from vision.sheets.raster import RasterCanvas

_GOLD: Colour = (222, 184, 104)
_DIM_GOLD: Colour = (176, 118, 72)
_EDGE: Colour = (62, 14, 20)
_THREAD: Colour = (158, 126, 78)
_SHADE: Colour = (48, 12, 16)
_CHINA: Colour = (244, 246, 240)
_CHINA_RIM: Colour = (128, 160, 168)
_PETAL: Colour = (250, 214, 214)
_PETAL_DEEP: Colour = (236, 160, 172)
_TWIG: Colour = (74, 34, 30)
_THREADS_MM = (16.0, 160.0, 304.0)  # from the mat's left edge
_SCALE_MM = 11.0  # of the wave pattern
_RULER_MM = 50
_VEINS = ("0,-.9 0,1.2", "0,-.3 .4,-.55", "0,-.3 -.4,-.55", "0,.1 .46,-.16", "0,.1 -.46,-.16", "0,.45 .3,.25")
_TWIGS = (
    ("~-1.5,.55 -.7,.3 0,.06 .8,-.06 1.5,-.34", 1.5),
    ("~-.3,.16 .1,-.3 .5,-.5", 0.9),
    ("~.5,0 .9,.3 1.3,.36", 0.9),
)
_BLOSSOMS = (  # places about the twig's middle in mm, and sizes
    (-22.0, 8.0, 4.4),
    (-9.0, 1.5, 5.6),
    (3.0, -8.0, 5.0),
    (10.0, -11.0, 3.4),
    (15.0, -1.0, 5.8),
    (25.0, 6.0, 4.6),
    (30.0, -6.0, 4.0),
)
_PETAL_SHAPE = shape("o0,0 .3,-.34 .34,-.74 .12,-1 0,-.86 -.12,-1 -.34,-.74 -.3,-.34")


@cache
def mat_pixels() -> Picture:
    """The mat as it comes out of the printer: red, green and blue, 200 dpi."""
    canvas = RasterCanvas(SHEET_MM)
    draw_mat(canvas)
    return canvas.pixels


def draw_mat(canvas: Canvas) -> None:
    _draw_tray(canvas)
    _draw_bamboo(canvas)
    for rest in RESTS_MM:
        _draw_rest(canvas, rest)
    for side, at in DISHES_MM.items():
        _draw_dish(canvas, at, 0.0 if side == "south" else pi)
    for turn in (0.0, pi):
        _draw_title(canvas, turn)
        _draw_branch(canvas, turn)
    for marker in markers():
        draw_marker(canvas, marker, DICTIONARY, MARKER_CELLS)
    _draw_ruler(canvas)


def _draw_tray(canvas: Canvas) -> None:
    canvas.picture(_lacquer(), *TRAY)
    _draw_waves(canvas)
    for inset, ink, width in ((0.9, _EDGE, 1.8), (3.2, _GOLD, 0.7), (4.6, _DIM_GOLD, 0.25)):
        line = rounded_box(
            TRAY.left + inset, TRAY.top + inset, TRAY.width - 2 * inset, TRAY.height - 2 * inset, max(2.0, 7.0 - inset)
        )
        canvas.stroke(line, ink, width, closed=True)
    _round_corners(canvas)


def _round_corners(canvas: Canvas) -> None:
    """Paper where the square picture reaches beyond the tray's round corners."""
    around = box(TRAY.left - 0.3, TRAY.top - 0.3, TRAY.width + 0.6, TRAY.height + 0.6)
    canvas.fill([around, rounded_box(*TRAY, 7.0)], PAPER)


def _draw_waves(canvas: Canvas) -> None:
    """Overlapping waves in dim gold, the old pattern of calm seas, on the tray around the mat."""
    rows = int((TRAY.height - 12.0) / (_SCALE_MM / 2))
    columns = int((TRAY.width - 14.0) / _SCALE_MM)
    left = TRAY.left + 7.0 + (TRAY.width - 14.0 - columns * _SCALE_MM) / 2
    for row in range(rows):
        for column in range(columns - row % 2):
            middle = (left + (column + 0.5 + row % 2 / 2) * _SCALE_MM, TRAY.top + 12.5 + row * _SCALE_MM / 2)
            if not _is_under_mat(middle):
                for share in (0.96, 0.62, 0.28):
                    canvas.stroke(arc(middle, _SCALE_MM / 2 * share, pi, tau), _DIM_GOLD, 0.22, alpha=0.55)


def _is_under_mat(point: Point) -> bool:
    return BAMBOO.left < point[0] < BAMBOO.right and BAMBOO.top + 6 < point[1] < BAMBOO.bottom - 1


def _draw_bamboo(canvas: Canvas) -> None:
    for spread in (2.4, 1.6, 0.8):
        corner = (BAMBOO.left - spread + 0.6, BAMBOO.top - spread + 1.0)
        canvas.fill([rounded_box(*corner, BAMBOO.width + 2 * spread, BAMBOO.height + 2 * spread, 2.0)], _SHADE, 0.35)
    canvas.picture(_bamboo(), *BAMBOO)
    for x in _THREADS_MM:
        _draw_thread(canvas, BAMBOO.left + x)
    canvas.stroke(box(*BAMBOO), _THREAD, 0.3, closed=True)


def _draw_thread(canvas: Canvas, x: float) -> None:
    """Two cotton threads that cross between the slats, with a loose end at the top and the foot."""
    slats = round(BAMBOO.height / ground.SLAT_MM)
    for sign in (1.0, -1.0):
        points = [
            (x + sign * 0.8 * sin(pi * step / 6 + pi / 2), BAMBOO.top + step * BAMBOO.height / slats / 6)
            for step in range(slats * 6 + 1)
        ]
        canvas.stroke(points, _THREAD, 0.42)
    for y, way in ((BAMBOO.top, -1.0), (BAMBOO.bottom, 1.0)):
        for lean in (-0.9, 0.7):
            canvas.stroke([(x, y), (x + lean, y + way * 1.8), (x + lean * 1.9, y + way * 3.4)], _CHINA, 0.5)


def _draw_rest(canvas: Canvas, at: Point) -> None:
    """A stitched square with a small blossom in its middle, which the maki hides."""
    half = REST_MM / 2
    for dash in dashes(rounded_box(at[0] - half, at[1] - half, REST_MM, REST_MM, 3.0), 1.9, 1.3, closed=True):
        canvas.stroke(dash, _THREAD, 0.4)
    for step in range(5):
        canvas.fill([moved(_PETAL_SHAPE, at, 3.4, step * tau / 5)], _PETAL_DEEP, 0.5)
    canvas.fill([circle(at, 0.6)], _THREAD, 0.8)


def _draw_dish(canvas: Canvas, at: Point, turn: float) -> None:
    """A small porcelain dish with a painted leaf."""
    for spread in (2.2, 1.4, 0.7):
        canvas.fill([circle((at[0] + 0.5, at[1] + 0.9), DISH_MM / 2 + spread)], _SHADE, 0.3)
    canvas.fill([circle(at, DISH_MM / 2)], _CHINA)
    canvas.stroke(circle(at, DISH_MM / 2 - 0.9), _CHINA_RIM, 0.7, closed=True)
    canvas.stroke(circle(at, DISH_MM / 2 - 2.4), _CHINA_RIM, 0.25, closed=True)
    leaf = shape("o0,-1 .42,-.72 .62,-.2 .5,.34 .2,.72 0,.86 -.2,.72 -.5,.34 -.62,-.2 -.42,-.72")
    canvas.stroke(moved(leaf, at, 7.0, turn + 0.35), _CHINA_RIM, 0.4, closed=True)
    for line in _VEINS:
        canvas.stroke(moved(shape(line), at, 7.0, turn + 0.35), _CHINA_RIM, 0.3)


def _draw_title(canvas: Canvas, turn: float) -> None:
    """The name in gold before each player, upright to whoever sits there."""
    text, height = "MAKI-SAN", 9.0
    half, depth = text_width(text, height) / 2, TRAY.bottom - LINE_Y_MM - 16.5
    middle = (SHEET_MM[0] / 2, LINE_Y_MM)
    for ink, width, drop in ((_SHADE, 1.7, 0.4), (_GOLD, 1.2, 0.0)):
        line = moved([(-half, depth + drop), (half, depth + drop)], middle, turn=turn)
        write_along(canvas, text, line, height, ink, width)


def _draw_branch(canvas: Canvas, turn: float) -> None:
    """A twig of cherry in bloom on the tray, left of each player's title."""
    at = moved([(-128.0, TRAY.bottom - LINE_Y_MM - 20.0)], (SHEET_MM[0] / 2, LINE_Y_MM), turn=turn)[0]
    for line, width in _TWIGS:
        canvas.stroke(moved(shape(line), at, 20.0, turn), _TWIG, width)
    for x, y, size in _BLOSSOMS:
        _draw_blossom(canvas, moved([(x, y)], at, turn=turn)[0], size, turn + x)
    for x, y in ((-34.0, -4.0), (40.0, 3.0), (44.0, -9.0)):
        canvas.fill([moved(_PETAL_SHAPE, moved([(x, y)], at, turn=turn)[0], 2.6, turn + x)], _PETAL)


def _draw_blossom(canvas: Canvas, at: Point, size: float, turn: float) -> None:
    for step in range(5):
        petal = moved(_PETAL_SHAPE, at, size, turn + step * tau / 5)
        canvas.fill([petal], _PETAL)
        canvas.stroke(petal, _PETAL_DEEP, 0.25, closed=True)
    for step in range(10):
        angle = turn + step * tau / 10
        tip = (at[0] + size * 0.36 * cos(angle), at[1] + size * 0.36 * sin(angle))
        canvas.stroke([at, tip], _PETAL_DEEP, 0.2)
        canvas.fill([circle(tip, 0.3)], _GOLD)


def _draw_ruler(canvas: Canvas) -> None:
    """A length to hold a ruler against: a sheet printed at another scale shows it here."""
    right, y = SHEET_MM[0] / 2 + 77.0, SHEET_MM[1] - 13.0
    left = right - _RULER_MM
    canvas.stroke([(left, y), (right, y)], SOFT_INK, 0.25)
    for step in range(0, _RULER_MM + 1, 10):
        canvas.stroke([(left + step, y), (left + step, y - (2.0 if step % _RULER_MM == 0 else 1.2))], SOFT_INK, 0.25)
    text = f"{_RULER_MM} ㎜"
    write(canvas, text, ((left + right - text_width(text, 2.2)) / 2, y - 2.4), 2.2, SOFT_INK, 0.3)


@cache
def _bamboo() -> Picture:
    return ground.bamboo(BAMBOO, np.random.default_rng(10))


@cache
def _lacquer() -> Picture:
    return ground.lacquer(TRAY, np.random.default_rng(5))
