"""The few drawing commands that every sheet is made of, so that PDF and PNG show the same.

Lengths are in mm from the sheet's top left corner, y grows downwards; curves arrive here already as many short lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from math import ceil, cos, dist, pi, sin, tau
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Point = tuple[float, float]
Line = Sequence[Point]
Colour = tuple[int, int, int]  # red, green, blue, 0 to 255
Picture = NDArray[np.uint8]  # height x width x 3, red, green, blue


class Canvas(Protocol):
    """What a drawing may ask of a PDF page or of a picture."""

    def fill(self, rings: Sequence[Line], colour: Colour, alpha: float = 1.0) -> None:
        """Fills the area that an odd number of the closed rings surrounds."""

    def stroke(self, line: Line, colour: Colour, width: float, closed: bool = False, alpha: float = 1.0) -> None:
        """Draws along the points with round ends and corners."""

    def picture(self, pixels: Picture, left: float, top: float, width: float, height: float) -> None:
        """Paints a picture into a box."""


def moved(line: Line, by: Point = (0.0, 0.0), scale: float = 1.0, turn: float = 0.0) -> list[Point]:
    """The points scaled, turned clockwise by radians and moved."""
    c, s = cos(turn) * scale, sin(turn) * scale
    return [(by[0] + x * c - y * s, by[1] + x * s + y * c) for x, y in line]


def circle(centre: Point, radius: float) -> list[Point]:
    return arc(centre, radius, 0.0, tau)[:-1]


def arc(centre: Point, radius: float, start: float, end: float, flat: float = 1.0) -> list[Point]:
    """Part of a circle, or with `flat` below 1 of a lying ellipse; angles in radians, clockwise from the right."""
    count = max(8, ceil(abs(end - start) * max(4.0, radius) * 1.6))
    angles = [start + (end - start) * step / count for step in range(count + 1)]
    return [(centre[0] + radius * cos(a), centre[1] + radius * flat * sin(a)) for a in angles]


def rounded_box(left: float, top: float, width: float, height: float, radius: float) -> list[Point]:
    right, bottom = left + width - radius, top + height - radius
    corners = [(right, bottom), (left + radius, bottom), (left + radius, top + radius), (right, top + radius)]
    return [
        point
        for turn, centre in enumerate(corners)
        for point in arc(centre, radius, turn * pi / 2, (turn + 1) * pi / 2)
    ]


def box(left: float, top: float, width: float, height: float) -> list[Point]:
    return [(left, top), (left + width, top), (left + width, top + height), (left, top + height)]


@cache
def shape(text: str) -> tuple[Point, ...]:
    """A line written as `x,y x,y ...`; with `~` before it a curve through its points, with `o` a closed curve."""
    pairs = (pair.split(",") for pair in text.lstrip("~o").split())
    points = [(float(x), float(y)) for x, y in pairs]
    if text.startswith("o"):
        return (*spline(points, closed=True), points[0])
    return tuple(spline(points) if text.startswith("~") else points)


def spline(points: Line, closed: bool = False, steps: int = 8) -> list[Point]:
    """A smooth curve through the points (Catmull-Rom)."""
    count = len(points)
    if count < 3:
        return list(points)
    ends = (points[-1], points[0], points[1]) if closed else (points[0], points[-1], points[-1])
    around = [ends[0], *points, *ends[1:]]  # each span needs a point before and after it
    spans = range(count if closed else count - 1)
    curve = [_between(around[i : i + 4], step / steps) for i in spans for step in range(steps)]
    return curve if closed else [*curve, points[-1]]


def _between(four: Line, t: float) -> Point:
    """The point a share t of the way from the second to the third of four points."""

    def along(p: float, q: float, r: float, s: float) -> float:
        return q + t * ((r - p) + t * ((2 * p - 5 * q + 4 * r - s) + t * (3 * (q - r) + s - p))) / 2

    (ax, ay), (bx, by), (cx, cy), (dx, dy) = four
    return along(ax, bx, cx, dx), along(ay, by, cy, dy)


def length_of(line: Line) -> float:
    return sum(dist(a, b) for a, b in pairwise(line))


def walk(line: Line, distances: Iterable[float]) -> Iterator[tuple[Point, Point]]:
    """The point and the unit direction at each of the growing distances along the line."""
    places = np.asarray(line, dtype=float)
    steps = np.diff(places, axis=0)
    lengths = np.hypot(steps[:, 0], steps[:, 1])
    ends = np.concatenate([[0.0], np.cumsum(lengths)])
    for distance in distances:
        index = int(np.clip(np.searchsorted(ends, distance, side="right") - 1, 0, len(steps) - 1))
        direction = steps[index] / max(lengths[index], 1e-9)
        x, y = places[index] + direction * (distance - ends[index])
        yield (float(x), float(y)), (float(direction[0]), float(direction[1]))


def dashes(line: Line, dash: float, gap: float, closed: bool = False) -> list[list[Point]]:
    """The line cut into dashes, stretched a little so that they end evenly."""
    path = [*line, line[0]] if closed else list(line)
    total = length_of(path)
    count = max(1, round((total + (0 if closed else gap)) / (dash + gap)))
    pitch = (total if closed else total + gap) / count
    share = dash / (dash + gap)
    bounds = [(pitch * i, pitch * (i + share)) for i in range(count)]
    return [[point for point, _ in walk(path, np.linspace(a, b, 6))] for a, b in bounds]
