"""From triangles to samples: a z-buffer without loops over pixels or triangles.

Every triangle is cut into its rows, every row into its samples, all at once in long arrays.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.scenes.arrays import Floats, Ints

_CHUNK = 1_500_000  # samples worked on at a time, which bounds the memory
_FLAT = 1e-9

Doubles = NDArray[np.float64]


class _Rows(NamedTuple):
    triangle: Ints
    row: Ints
    first: Ints
    last: Ints
    near_first: Doubles  # nearness at the first sample
    slope: Doubles  # and its growth per sample


def nearest_triangles(points: Floats, nearness: Floats, size: tuple[int, int]) -> Ints:
    """The triangle seen at every sample, (rows, columns) of indices with -1 for none.

    `points` (T, 3, 2) are column and row of the corners, samples being at whole numbers; `nearness` (T, 3) is
    positive, larger is nearer and is interpolated linearly, so it must be 1/depth or the like. Triangles may wind
    either way.
    """
    width, height = size
    seen = np.zeros(width * height, np.uint64)
    for rows in _chunks(_rows(points, nearness, size)):
        at, near, triangle = _samples(rows, width)
        key = near.view(np.uint32).astype(np.uint64) << np.uint64(32) | triangle.astype(np.uint64)
        np.maximum.at(seen, at, key)
    found = (seen & np.uint64(0xFFFFFFFF)).astype(np.int64)
    found[seen == 0] = -1
    return found.reshape(height, width)


def highest_values(points: Floats, values: Floats, size: tuple[int, int], ground: float) -> Floats:
    """The largest of the values (T, 3), interpolated over each triangle, at every sample; `ground` where there is
    none."""
    width, height = size
    found = np.full(width * height, ground, np.float32)
    for rows in _chunks(_rows(points, values, size)):
        at, value, _ = _samples(rows, width)
        np.maximum.at(found, at, value)
    return found.reshape(height, width)


def _rows(points: Floats, values: Floats, size: tuple[int, int]) -> _Rows:
    x, y = (
        points[..., 0].T.astype(np.float64),
        points[..., 1].T.astype(np.float64),
    )  # (3, T): three flat arrays are fast
    area = (x[1] - x[0]) * (y[2] - y[0]) - (y[1] - y[0]) * (x[2] - x[0])
    top = np.clip(np.ceil(_least(y)), 0, size[1])
    end = np.clip(np.floor(_most(y)) + 1, 0, size[1])
    is_off = (_most(x) < 0) | (_least(x) > size[0] - 1) | ~(np.abs(area) > _FLAT)
    count = np.where(is_off, 0, np.maximum(end - top, 0)).astype(np.int64)
    triangle = np.repeat(np.arange(len(area)), count)
    row = _counting(count) + top[triangle].astype(np.int64)
    low, high = _between_sides(x, y, np.sign(area), triangle, row)
    first = np.clip(np.ceil(low), 0, size[0]).astype(np.int64)
    last = np.clip(np.floor(high), -1, size[0] - 1).astype(np.int64)
    keep = np.flatnonzero(last >= first)
    triangle, row, first, last = triangle[keep], row[keep], first[keep], last[keep]
    start, slope = _plane((x, y, area), values.T.astype(np.float64), triangle, first, row)
    return _Rows(triangle, row, first, last, start, slope)


def _least(three: Doubles) -> Doubles:
    return np.asarray(np.minimum(np.minimum(three[0], three[1]), three[2]))


def _most(three: Doubles) -> Doubles:
    return np.asarray(np.maximum(np.maximum(three[0], three[1]), three[2]))


def _between_sides(x: Doubles, y: Doubles, turn: Doubles, triangle: Ints, row: Ints) -> tuple[Doubles, Doubles]:
    """The first and last column (R) of each row inside its triangle. Inside, a*x + b*y + c >= 0 for all three sides."""
    low, high = np.full(len(row), -1e6), np.full(len(row), 1e6)
    for one, two in ((0, 1), (1, 2), (2, 0)):
        a, b = (y[one] - y[two]) * turn, (x[two] - x[one]) * turn
        c = -(a * x[one] + b * y[one])
        is_level = np.abs(a) < _FLAT
        safe = np.where(is_level, 1.0, a)
        crossing = -((b / safe)[triangle] * row + (c / safe)[triangle])
        np.maximum(low, crossing, out=low, where=(~is_level & (a > 0))[triangle])
        np.minimum(high, crossing, out=high, where=(~is_level & (a < 0))[triangle])
        if is_level.any():
            high[is_level[triangle] & ((b[triangle] * row + c[triangle]) < 0)] = -1e6
    return low, high


def _plane(
    corners: tuple[Doubles, Doubles, Doubles], values: Doubles, triangle: Ints, column: Ints, row: Ints
) -> tuple[Doubles, Doubles]:
    """The interpolated value at (column, row) of each triangle, and its slope along the row."""
    x, y, area = corners
    safe = np.where(np.abs(area) < _FLAT, 1.0, area)
    rise, fall = values[1] - values[0], values[2] - values[0]
    slope_x = (rise * (y[2] - y[0]) - fall * (y[1] - y[0])) / safe
    slope_y = (fall * (x[1] - x[0]) - rise * (x[2] - x[0])) / safe
    base = values[0] - slope_x * x[0] - slope_y * y[0]
    return base[triangle] + slope_x[triangle] * column + slope_y[triangle] * row, slope_x[triangle]


def _chunks(rows: _Rows) -> list[_Rows]:
    ends = np.cumsum(rows.last - rows.first + 1)
    if not len(ends):
        return []
    cuts = np.searchsorted(ends, np.arange(_CHUNK, int(ends[-1]), _CHUNK)) + 1
    edges = [0, *sorted({int(cut) for cut in cuts if cut < len(ends)}), len(ends)]
    return [_Rows._make(array[a:b] for array in rows) for a, b in pairwise(edges)]


def _samples(rows: _Rows, width: int) -> tuple[Ints, Floats, Ints]:
    """Index into the picture, value and triangle of every sample in the rows."""
    count = rows.last - rows.first + 1
    step = _counting(count)
    at = np.repeat(rows.row * width + rows.first, count) + step
    value = np.repeat(rows.near_first, count) + np.repeat(rows.slope, count) * step
    return at, value.astype(np.float32), np.repeat(rows.triangle, count)


def _counting(count: Ints) -> Ints:
    """0, 1, ... count[0]-1, 0, 1, ... count[1]-1, and so on."""
    ends = np.cumsum(count)
    total = int(ends[-1]) if len(ends) else 0
    return np.arange(total) - np.repeat(ends - count, count)
