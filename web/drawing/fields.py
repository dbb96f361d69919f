"""Distances over a coarse grid, in millimetres, with nothing but Python: a web server should not need NumPy to draw."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import ceil, floor, hypot, inf, sqrt
from typing import NamedTuple

Point = tuple[float, float]
Segment = tuple[Point, Point]
Field = list[list[float]]  # rows of values, one per grid point
Mask = list[list[bool]]


class Grid(NamedTuple):
    """Grid points every `step` mm over a box whose top left corner is (`left`, `top`)."""

    left: float
    top: float
    columns: int
    rows: int
    step: float

    def place(self, column: float, row: float) -> Point:
        return self.left + column * self.step, self.top + row * self.step

    def nearest(self, point: Point) -> tuple[int, int]:
        """Column and row of the grid point nearest to a place, clipped to the grid."""
        column, row = round((point[0] - self.left) / self.step), round((point[1] - self.top) / self.step)
        return min(max(column, 0), self.columns - 1), min(max(row, 0), self.rows - 1)

    def full(self, value: float) -> Field:
        return [[value] * self.columns for _ in range(self.rows)]


def grid_over(left: float, top: float, width: float, height: float, step: float) -> Grid:
    return Grid(left, top, ceil(width / step) + 1, ceil(height / step) + 1, step)


def distance_to_segment(point: Point, segment: Segment) -> float:
    (ax, ay), (bx, by) = segment
    dx, dy = bx - ax, by - ay
    length = dx * dx + dy * dy
    share = 0.0 if length == 0 else ((point[0] - ax) * dx + (point[1] - ay) * dy) / length
    share = min(1.0, max(0.0, share))
    return hypot(point[0] - ax - share * dx, point[1] - ay - share * dy)


def spread(grid: Grid, segments: Iterable[tuple[Segment, float]], reach: float) -> Field:
    """The distance to the nearest segment plus that segment's handicap, worked out only within `reach` of it."""
    field = grid.full(inf)
    for segment, handicap in segments:
        columns, rows = _around(grid, segment, reach)
        for row in rows:
            line = field[row]
            for column in columns:
                distance = distance_to_segment(grid.place(column, row), segment) + handicap
                line[column] = min(line[column], distance)
    return field


def _around(grid: Grid, segment: Segment, reach: float) -> tuple[range, range]:
    xs, ys = zip(*segment, strict=True)
    first, last = floor((min(xs) - reach - grid.left) / grid.step), ceil((max(xs) + reach - grid.left) / grid.step)
    top, bottom = floor((min(ys) - reach - grid.top) / grid.step), ceil((max(ys) + reach - grid.top) / grid.step)
    return range(max(0, first), min(grid.columns, last + 1)), range(max(0, top), min(grid.rows, bottom + 1))


def combined(fields: Sequence[Field], join: Callable[..., float]) -> Field:
    """One field from several of the same grid, value by value."""
    return [[join(*values) for values in zip(*rows, strict=True)] for rows in zip(*fields, strict=True)]


def masked(field: Field, is_inside: Callable[[float], bool]) -> Mask:
    return [[is_inside(value) for value in row] for row in field]


def signed_distance(mask: Mask, step: float) -> Field:
    """How many mm inside the mask each grid point lies; negative outside."""
    outside = _squared_distances([[0.0 if inside else inf for inside in row] for row in mask])
    inside = _squared_distances([[inf if inside else 0.0 for inside in row] for row in mask])
    return combined([inside, outside], lambda a, b: (sqrt(min(a, 1e8)) - sqrt(min(b, 1e8))) * step)


def _squared_distances(start: Field) -> Field:
    rows = [_lower_envelope(row) for row in start]
    columns = [_lower_envelope(list(column)) for column in zip(*rows, strict=True)]
    return [list(row) for row in zip(*columns, strict=True)]


def _lower_envelope(values: list[float]) -> list[float]:
    """For each place the least of (distance squared + value) over all places: one pass over parabolas."""
    peaks: list[int] = []
    bounds: list[float] = []
    for at, value in enumerate(values):
        if value == inf:
            continue
        start = -inf
        while peaks:
            last = peaks[-1]
            start = (value + at * at - values[last] - last * last) / (2 * at - 2 * last)
            if start > bounds[-1]:
                break
            peaks.pop()
            bounds.pop()
        peaks.append(at)
        bounds.append(start if len(peaks) > 1 else -inf)
    return _under(peaks, bounds, values)


def _under(peaks: list[int], bounds: list[float], values: list[float]) -> list[float]:
    if not peaks:
        return [inf] * len(values)
    result, current = [], 0
    for at in range(len(values)):
        while current + 1 < len(peaks) and bounds[current + 1] < at:
            current += 1
        result.append((at - peaks[current]) ** 2 + values[peaks[current]])
    return result


def closed_up(mask: Mask, radius: float, step: float) -> Mask:
    """Grown and shrunk again by a disc, which rounds narrow bays."""
    grown = masked(signed_distance(mask, step), lambda value: value > -radius)
    return masked(signed_distance(grown, step), lambda value: value > radius)


def filled(mask: Mask) -> Mask:
    """The mask with every hole closed that the rim can't reach."""
    rows, columns = len(mask), len(mask[0])
    outside = [[False] * columns for _ in range(rows)]
    edge = [(r, c) for r in range(rows) for c in range(columns) if r in (0, rows - 1) or c in (0, columns - 1)]
    while edge:
        row, column = edge.pop()
        if not (0 <= row < rows and 0 <= column < columns) or outside[row][column] or mask[row][column]:
            continue
        outside[row][column] = True
        edge += [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
    return [[not out for out in line] for line in outside]


def softened(field: Field, times: int = 1) -> Field:
    """Each value mixed with its neighbours, which takes the grid's steps out of a line drawn through it."""
    for _ in range(times):
        across = [_mixed([row[0], *row[:-1]], row, [*row[1:], row[-1]]) for row in field]
        above, below = [across[0], *across[:-1]], [*across[1:], across[-1]]
        field = [_mixed(*rows) for rows in zip(above, across, below, strict=True)]
    return field


def _mixed(before: list[float], here: list[float], after: list[float]) -> list[float]:
    return [(a + 2 * b + c) / 4 for a, b, c in zip(before, here, after, strict=True)]
