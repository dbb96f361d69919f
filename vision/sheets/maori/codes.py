"""The codes of Māori's sheets: each one black shape with white holes, so that no viewer shows hairlines in it."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

from vision.sheets.canvas import Canvas, Point
from vision.sheets.colours import BLACK
from vision.sheets.geometry import Marker
from vision.sheets.maori.layout import DICTIONARY, MARKER_CELLS


def draw_code(canvas: Canvas, marker: Marker) -> None:
    left, top = marker.corners_mm[0]
    cell = marker.side_mm / MARKER_CELLS
    holes = [[(left + x * cell, top + y * cell) for x, y in ring] for ring in white_outlines(marker.id)]
    canvas.fill([list(marker.corners_mm), *holes], BLACK)


@cache
def white_outlines(ident: int) -> tuple[tuple[Point, ...], ...]:
    """The closed lines around a code's white cells, in cells from its corner."""
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    is_white = np.pad(cv2.aruco.generateImageMarker(dictionary, ident, MARKER_CELLS) > 0, 1)
    sides: dict[Point, list[Point]] = {}
    for row, column in np.argwhere(is_white).tolist():
        x, y = column - 1, row - 1
        for (dx, dy), start, end in (
            ((0, -1), (x, y), (x + 1, y)),
            ((1, 0), (x + 1, y), (x + 1, y + 1)),
            ((0, 1), (x + 1, y + 1), (x, y + 1)),
            ((-1, 0), (x, y + 1), (x, y)),
        ):
            if not is_white[row + dy, column + dx]:
                sides.setdefault(start, []).append(end)
    rings = []
    while sides:
        ring = [next(iter(sides))]
        while (ends := sides.get(ring[-1])) is not None:
            here = ring[-1]
            ring.append(ends.pop())
            if not ends:
                del sides[here]
        rings.append(tuple(ring[:-1]))
    return tuple(rings)
