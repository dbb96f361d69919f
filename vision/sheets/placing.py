"""Finding room on the map: where a name, a ship or a palm can stand without touching what matters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import cos, sin
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sheets.canvas import Line, Point
from vision.sheets.fields import GRID, Field, Grid, Mask

_STEP = 2.0  # mm between the places tried for a name
_AIR = 0.7  # what must be free on both sides of a name's middle line, as a share of its height
_TURNS = (0.0, -0.12, 0.12, -0.26, 0.26, -0.42, 0.42, -0.6, 0.6)
_BENDS = (0.07, -0.07)  # how far a name's line bows, as a share of its length


class Room(NamedTuple):
    """What is taken on the map. Grows as things are put down."""

    grid: Grid
    taken: NDArray[np.uint8]

    def free(self) -> Field:
        """How many mm from each spot to the nearest taken one; the rim of the artwork counts as taken."""
        padded = np.pad(1 - self.taken, 1)
        return (cv2.distanceTransform(padded, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)[1:-1, 1:-1] / GRID).astype(np.float32)

    def take_discs(self, points: Iterable[Point], radius: float) -> None:
        for row, column in zip(*self.grid.indices(list(points)), strict=True):
            cv2.circle(self.taken, (int(column), int(row)), round(radius * GRID), 1, cv2.FILLED)

    def take_line(self, line: Line, width: float, closed: bool = False) -> None:
        rows, columns = self.grid.indices(line)
        points = np.stack([columns, rows], axis=1).astype(np.int32)
        cv2.polylines(self.taken, [points], closed, 1, max(1, round(width * GRID)))


def empty_room(grid: Grid) -> Room:
    return Room(grid, np.zeros(grid.shape, np.uint8))


def name_line(room: Room, length: float, height: float, where: Mask, near: Sequence[Point]) -> list[Point] | None:
    """The best gently bowed line for a name: all of it `where` it may be, with air around it, near those points."""
    best, line = -np.inf, None
    free = _within(room, where)
    centres = _lattice(room.grid, free > height * _AIR)
    if not len(centres):
        return None
    pull = _pull(centres, near)
    for turn in _TURNS:
        for bend in _BENDS:
            shape = _bowed(length, turn, bend)
            air = _least_air(room.grid, free, centres, shape, height)
            score = np.where(air > 0, np.minimum(air, height) * 1.5 - pull - abs(turn) * 12, -np.inf)
            top = int(score.argmax())
            if score[top] > best:
                best, line = float(score[top]), _on_foot(shape, centres[top], height)
    return line


def widest_spot(room: Room, where: Mask, radius: float) -> Point | None:
    """The middle of the largest empty circle there, if it is large enough."""
    free = _within(room, where)
    row, column = np.unravel_index(int(free.argmax()), free.shape)
    if free[row, column] < radius:
        return None
    return float(room.grid.x[row, column]), float(room.grid.y[row, column])


def scattered(room: Room, where: Mask, radius: float, spacing: float, rng: np.random.Generator) -> list[Point]:
    """Random spots with room for the radius, at least `spacing` apart; they are taken from then on."""
    rows, columns = np.nonzero(_within(room, where) > radius)
    order = rng.permutation(len(rows))[:6000]
    kept: list[Point] = []
    chosen = np.empty((len(order), 2), np.float32)
    for index in order:
        at = (float(room.grid.x[rows[index], columns[index]]), float(room.grid.y[rows[index], columns[index]]))
        others = chosen[: len(kept)]
        if not len(others) or ((others - at) ** 2).sum(axis=1).min() > spacing**2:
            chosen[len(kept)] = at
            kept.append(at)
    room.take_discs(kept, radius * 0.9)
    return kept


def _within(room: Room, where: Mask) -> Field:
    """How many mm from each spot to the nearest that is taken or not `where`."""
    return Room(room.grid, np.where(where, room.taken, 1).astype(np.uint8)).free()


def _lattice(grid: Grid, where: Mask) -> NDArray[np.float64]:
    """Places `_STEP` mm apart where the mask allows them."""
    step = round(_STEP * GRID)
    rows, columns = np.nonzero(where[::step, ::step])
    return np.stack([grid.x[::step, ::step][rows, columns], grid.y[::step, ::step][rows, columns]], axis=1).astype(
        float
    )


def _pull(centres: NDArray[np.float64], near: Sequence[Point]) -> NDArray[np.float64]:
    """The mean distance to the points, so that a name keeps to the middle of what it names."""
    if not near:
        return np.zeros(len(centres))
    apart = np.hypot(centres[:, None, 0] - [x for x, _ in near], centres[:, None, 1] - [y for _, y in near])
    return np.asarray(0.5 * apart.mean(axis=1) + 0.5 * apart.min(axis=1))


def _bowed(length: float, turn: float, bend: float) -> NDArray[np.float64]:
    """A bowed line around the origin."""
    along = np.linspace(-0.5, 0.5, max(9, round(length / 2)))
    x, y = along * length, bend * length * (4 * along**2 - 0.5)
    return np.stack([x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn)], axis=1)


def _least_air(
    grid: Grid, free: Field, centres: NDArray[np.float64], shape: NDArray[np.float64], height: float
) -> NDArray[np.float64]:
    """For each centre: what is left between the letters and the nearest taken spot, at the tightest point."""
    least = np.full(len(centres), np.inf)
    art = grid.area
    for offset in shape:
        at = centres + offset
        rows, columns = grid.indices(at)
        inside = (at[:, 0] > art.left) & (at[:, 0] < art.right) & (at[:, 1] > art.top) & (at[:, 1] < art.bottom)
        least = np.minimum(least, np.where(inside, free[rows, columns], 0.0))
    return least - height * _AIR


def _on_foot(shape: NDArray[np.float64], centre: NDArray[np.float64], height: float) -> list[Point]:
    """The line moved down by half a letter, so that the letters stand around the middle that was tested."""
    steps = np.gradient(shape, axis=0)
    normals = np.stack([-steps[:, 1], steps[:, 0]], axis=1) / np.hypot(steps[:, 0], steps[:, 1])[:, None]
    return [(float(x), float(y)) for x, y in shape + centre + normals * height / 2]
