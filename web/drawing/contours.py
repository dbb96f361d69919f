"""Lines of equal value through a field, smoothed, as SVG paths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby, pairwise
from math import hypot

from web.drawing.fields import Field, Grid, Point

Ring = list[Point]
_Edge = tuple[int, int, bool]  # column, row, and whether it runs down from there (else to the right)

# For each of the sixteen ways the corners of a cell can lie inside (bits: top left, top right, bottom right, bottom
# left), the sides of the cell that the line enters and leaves by. Two opposite corners inside are kept apart.
_SIDES: dict[int, tuple[tuple[str, str], ...]] = {
    1: (("left", "top"),), 2: (("top", "right"),), 3: (("left", "right"),), 4: (("right", "bottom"),),
    5: (("left", "top"), ("right", "bottom")), 6: (("top", "bottom"),), 7: (("left", "bottom"),),
    8: (("bottom", "left"),), 9: (("bottom", "top"),), 10: (("top", "right"), ("bottom", "left")),
    11: (("bottom", "right"),), 12: (("right", "left"),), 13: (("right", "top"),), 14: (("top", "left"),),
}  # fmt: skip


def contours(field: Field, grid: Grid, level: float = 0.0) -> list[Ring]:
    """The closed lines around where the field is above the level, longest first. The rim counts as outside."""
    padded = _padded(field, level)
    ways = _ways(padded, level)
    rings: list[Ring] = []
    while ways:
        start, here = ways.popitem()
        ring = [start]
        while here != start:
            ring.append(here)
            here = ways.pop(here)
        rings.append([_crossing(padded, grid, edge, level) for edge in ring])
    return sorted(rings, key=len, reverse=True)


def _padded(field: Field, level: float) -> Field:
    low = level - 1.0
    width = len(field[0]) + 2
    return [[low] * width, *([low, *row, low] for row in field), [low] * width]


def _ways(field: Field, level: float) -> dict[_Edge, _Edge]:
    """For every grid edge the line enters a cell by, the edge it leaves that cell by."""
    ways: dict[_Edge, _Edge] = {}
    for row, (upper, lower) in enumerate(pairwise(field)):
        for column in range(len(upper) - 1):
            bits = (
                (upper[column] > level)
                | (upper[column + 1] > level) << 1
                | (lower[column + 1] > level) << 2
                | (lower[column] > level) << 3
            )
            for enter, leave in _SIDES.get(bits, ()):
                ways[_edge(enter, column, row)] = _edge(leave, column, row)
    return ways


def _edge(side: str, column: int, row: int) -> _Edge:
    return {
        "top": (column, row, False),
        "bottom": (column, row + 1, False),
        "left": (column, row, True),
        "right": (column + 1, row, True),
    }[side]


def _crossing(field: Field, grid: Grid, edge: _Edge, level: float) -> Point:
    column, row, down = edge
    first = field[row][column]
    second = field[row + 1][column] if down else field[row][column + 1]
    share = min(0.95, max(0.05, (level - first) / (second - first)))
    return grid.place(column - 1 + (0 if down else share), row - 1 + (share if down else 0))


def smoothed(ring: Sequence[Point], times: int = 2) -> Ring:
    """A closed line with its jags evened out."""
    points = list(ring)
    for _ in range(times):
        count = len(points)
        points = [
            (
                (points[i - 1][0] + 2 * points[i][0] + points[(i + 1) % count][0]) / 4,
                (points[i - 1][1] + 2 * points[i][1] + points[(i + 1) % count][1]) / 4,
            )
            for i in range(count)
        ]
    return points


def stretches(ring: Sequence[Point], keep: Callable[[Point], bool]) -> list[Ring]:
    """The parts of a closed line whose points are kept, each as an open line."""
    kept = [keep(point) for point in ring]
    if all(kept):
        return [[*ring, ring[0]]]
    start = kept.index(False)
    turned = [(ring[(start + i) % len(ring)], kept[(start + i) % len(ring)]) for i in range(len(ring))]
    return [[point for point, _ in run] for is_kept, run in groupby(turned, key=lambda pair: pair[1]) if is_kept]


def length_of(line: Sequence[Point]) -> float:
    return sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(line))


def closed_path(ring: Sequence[Point]) -> str:
    """A flowing closed line: the points steer curves that run from middle to middle."""
    middles = [_middle(point, ring[(i + 1) % len(ring)]) for i, point in enumerate(ring)]
    return _curves(middles[-1], list(zip(ring, middles, strict=True))) + "Z"


def open_path(line: Sequence[Point]) -> str:
    if len(line) < 3:
        return "M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in line)
    steps = [(a, _middle(a, b)) for a, b in pairwise(line[1:-1])]
    return _curves(line[0], [*steps, (line[-2], line[-1])])


def _curves(start: Point, steps: Sequence[tuple[Point, Point]]) -> str:
    """Curves as steps from the one before, in tenths of a mm, which is short and never drifts."""
    x, y = _tenths(start)
    words = [f"M{_number(x)} {_number(y)}q"]
    for control, end in steps:
        (cx, cy), (ex, ey) = _tenths(control), _tenths(end)
        words.append(_joined((cx - x, cy - y, ex - x, ey - y)))
        x, y = ex, ey
    return words[0] + _glued(words[1:])


def _tenths(point: Point) -> tuple[int, int]:
    return round(point[0] * 10), round(point[1] * 10)


def _number(tenths: int) -> str:
    whole, part = divmod(abs(tenths), 10)
    sign = "-" if tenths < 0 else ""
    return f"{sign}{whole or ('' if part else '0')}{f'.{part}' if part else ''}"


def _joined(values: Sequence[int]) -> str:
    return _glued([_number(value) for value in values])


def _glued(words: Sequence[str]) -> str:
    """Numbers side by side; a minus sign parts them as well as a space does."""
    return words[0] + "".join(word if word.startswith("-") else f" {word}" for word in words[1:])


def thinned(ring: Sequence[Point], every: int) -> Ring:
    """Every so many points of a line, but never so few that its shape is lost."""
    return list(ring) if len(ring) < 6 * every else list(ring[::every])


def _middle(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
