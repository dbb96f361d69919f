"""The calm white frame around the artwork: the markers that the camera looks for, and a ruler to check the print."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from math import dist, sin, tau

import cv2
import numpy as np

from vision.sheets.canvas import Canvas, Point
from vision.sheets.colours import BLACK, FRAME_INK, SOFT_INK
from vision.sheets.geometry import DICTIONARY, MARKER_CELLS, Marker, Sheet
from vision.sheets.lettering import text_width, write

_RULER_MM = 50
_LETTERS_MM = 2.2
_AIR_MM = 14.0  # from a marker's middle to the ornament beside it: clear of its quiet zone
_RULER_AFTER = 2 * 5 + 1  # markers run clockwise; this one is the second from the right at the foot


def draw_frame(canvas: Canvas, sheet: Sheet) -> None:
    """All markers, a thin wave from each to the next, and the ruler in place of one wave at the foot."""
    for marker in sheet.markers:
        draw_marker(canvas, marker)
    for here, there in pairwise([*map(_centre, sheet.markers), _centre(sheet.markers[0])]):
        (_draw_wave if here != _centre(sheet.markers[_RULER_AFTER]) else _draw_ruler)(canvas, here, there)


def _centre(marker: Marker) -> Point:
    (left, top), _, (right, bottom), _ = marker.corners_mm
    return (left + right) / 2, (top + bottom) / 2


def _draw_wave(canvas: Canvas, here: Point, there: Point) -> None:
    length = dist(here, there) - 2 * _AIR_MM
    along, across = ((there[0] - here[0]) / dist(here, there), (there[1] - here[1]) / dist(here, there)), 0.9
    start = (here[0] + along[0] * _AIR_MM, here[1] + along[1] * _AIR_MM)
    points = []
    for step in range(round(length * 2)):
        t = step / 2
        lift = across * sin(tau * t / 7.5) * min(1.0, t / 6, (length - t) / 6)
        points.append((start[0] + along[0] * t - along[1] * lift, start[1] + along[1] * t + along[0] * lift))
    canvas.stroke(points, FRAME_INK, 0.5)


def _draw_ruler(canvas: Canvas, here: Point, there: Point) -> None:
    """A length to hold a ruler against: a sheet printed at another scale shows it here."""
    middle, y = (here[0] + there[0]) / 2, here[1] + 1.5
    left = middle - _RULER_MM / 2
    canvas.stroke([(left, y), (left + _RULER_MM, y)], SOFT_INK, 0.25)
    for step in range(0, _RULER_MM + 1, 10):
        canvas.stroke([(left + step, y), (left + step, y - (2.0 if step % _RULER_MM == 0 else 1.2))], SOFT_INK, 0.25)
    text = f"{_RULER_MM} ㎜"
    write(canvas, text, (middle - text_width(text, _LETTERS_MM) / 2, y - 2.4), _LETTERS_MM, SOFT_INK, 0.3)


def draw_marker(canvas: Canvas, marker: Marker, dictionary: str = DICTIONARY, cells: int = MARKER_CELLS) -> None:
    """One black shape with white holes, so that no viewer shows hairlines between cells."""
    left, top = marker.corners_mm[0]
    cell = marker.side_mm / cells
    rings = white_rings(marker.id, dictionary, cells)
    holes = [[(left + x * cell, top + y * cell) for x, y in ring] for ring in rings]
    canvas.fill([list(marker.corners_mm), *holes], BLACK)


@cache
def white_rings(ident: int, dictionary: str = DICTIONARY, cells: int = MARKER_CELLS) -> tuple[tuple[Point, ...], ...]:
    """The closed lines around a code's white cells, in cells from the marker's corner."""
    codes = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    bits = cv2.aruco.generateImageMarker(codes, ident, cells) > 0
    steps: dict[Point, list[Point]] = {}
    for row, column in np.argwhere(bits).tolist():
        corners: list[Point] = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]
        for here, there in zip(corners, corners[1:] + corners[:1], strict=True):
            if here in steps.get(there, []):
                steps[there].remove(here)  # the neighbour cell is white as well: no line between them
            else:
                steps.setdefault(here, []).append(there)
    return tuple(_rings(steps))


def _rings(steps: dict[Point, list[Point]]) -> list[tuple[Point, ...]]:
    rings = []
    while start := next((point for point, ends in steps.items() if ends), None):
        ring, at = [start], steps[start].pop()
        while at != start:
            ring.append(at)
            at = steps[at].pop()
        rings.append(tuple(ring))
    return rings
