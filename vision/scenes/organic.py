"""Rounded living shapes: capsules that melt into each other, and the skin around them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from vision.scenes.arrays import Floats, Ints, Vec, floats, unit
from vision.scenes.mesh import Mesh


class Limb(NamedTuple):
    """A capsule from `start` to `end` (mm) whose radius goes from `thick` to `thin`."""

    start: Vec
    end: Vec
    thick: float
    thin: float


def skin(limbs: list[Limb], step_mm: float, melt_mm: float) -> Mesh:
    """The smooth surface around limbs, on a grid of `step_mm`; joints are rounded over about `melt_mm`."""
    ends = np.array([[limb.start, limb.end] for limb in limbs]).reshape(-1, 3)
    pad = max(limb.thick for limb in limbs) + melt_mm + 2 * step_mm
    origin = ends.min(axis=0) - pad
    shape = tuple(int(count) for count in np.ceil((ends.max(axis=0) + pad - origin) / step_mm) + 1)
    field = np.full(shape, 1e3, np.float32)
    for limb in limbs:
        _melt_in(field, limb, origin, step_mm, melt_mm)
    return _surface(field, floats(origin), step_mm)


def _melt_in(field: Floats, limb: Limb, origin: Floats, step: float, melt: float) -> None:
    """Joins a limb to the distance field with a polynomial smooth minimum, near the limb only."""
    reach = max(limb.thick, limb.thin) + melt + 2 * step
    low, high = np.minimum(limb.start, limb.end) - reach, np.maximum(limb.start, limb.end) + reach
    first = np.maximum(np.floor((low - origin) / step).astype(int), 0)
    last = np.minimum(np.ceil((high - origin) / step).astype(int) + 1, field.shape)
    part = tuple(slice(int(a), int(b)) for a, b in zip(first, last, strict=True))
    axes = [floats(origin[axis] + np.arange(part[axis].start, part[axis].stop) * step) for axis in range(3)]
    distance = _distance(limb, np.meshgrid(*axes, indexing="ij", sparse=True))
    old = field[part]
    mix = np.clip(0.5 + 0.5 * (old - distance) / melt, 0, 1)
    field[part] = old + (distance - old) * mix - melt * mix * (1 - mix)


def _distance(limb: Limb, grid: tuple[Floats, ...] | list[Floats]) -> Floats:
    way = floats(np.subtract(limb.end, limb.start))
    from_start = [axis - start for axis, start in zip(grid, limb.start, strict=True)]
    along = sum(part * float(step) for part, step in zip(from_start, way, strict=True)) / max(float(way @ way), 1e-6)
    along = np.clip(along, 0, 1)
    off = sum((part - along * float(step)) ** 2 for part, step in zip(from_start, way, strict=True))
    return floats(np.sqrt(off) - (limb.thick + (limb.thin - limb.thick) * along))


def _surface(field: Floats, origin: Floats, step: float) -> Mesh:
    """Naive surface nets: one vertex for each cell that the surface crosses, one quad for each grid edge."""
    inside = field < 0
    vertices, number = _vertices(field, inside)
    quads = np.concatenate([_quads(inside, number, axis) for axis in range(3)])
    places = floats(vertices * step + origin)
    corners = np.concatenate([quads[:, (0, 1, 2)], quads[:, (0, 2, 3)]])
    normals = _vertex_normals(places, corners)
    return Mesh(places[corners], normals[corners], np.ones((len(corners), 3, 3), np.float32))


def _vertices(field: Floats, inside: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> tuple[Floats, Ints]:
    """Places (V, 3) in cells, and the number of each cell's vertex (-1 for none)."""
    steps = [(i, j, k) for i in (0, 1) for j in (0, 1) for k in (0, 1)]
    count = np.zeros(tuple(side - 1 for side in field.shape), np.int8)
    for corner in steps:
        count += inside[_shifted(field.shape, corner)]
    cells = np.argwhere((count > 0) & (count < 8))
    total, hits = np.zeros((len(cells), 3)), np.zeros(len(cells))
    for a in steps:
        for axis in range(3):
            if a[axis]:
                continue
            b = tuple(1 if index == axis else value for index, value in enumerate(a))
            at_a, at_b = field[tuple((cells + a).T)], field[tuple((cells + b).T)]
            crosses = (at_a < 0) != (at_b < 0)
            share = at_a / np.where(crosses, at_a - at_b, 1.0)
            total += np.where(crosses[:, None], np.array(a) + share[:, None] * np.subtract(b, a), 0.0)
            hits += crosses
    number = np.full(count.shape, -1, np.int64)
    number[tuple(cells.T)] = np.arange(len(cells))
    return floats(cells + total / np.maximum(hits, 1)[:, None]), number


def _shifted(shape: tuple[int, ...], corner: tuple[int, ...]) -> tuple[slice, ...]:
    return tuple(slice(offset, side - 1 + offset) for offset, side in zip(corner, shape, strict=True))


def _quads(inside: np.ndarray[tuple[int, ...], np.dtype[np.bool_]], number: Ints, axis: int) -> Ints:
    """Vertex numbers (Q, 4) around the grid edges along one axis that leave or enter the body."""
    one, two = (axis + 1) % 3, (axis + 2) % 3
    start = np.moveaxis(inside, (axis, one, two), (0, 1, 2))
    cell = np.moveaxis(number, (axis, one, two), (0, 1, 2))
    leaves = start[:-1, 1:-1, 1:-1] & ~start[1:, 1:-1, 1:-1]
    enters = ~start[:-1, 1:-1, 1:-1] & start[1:, 1:-1, 1:-1]
    around = np.stack([cell[:, :-1, :-1], cell[:, 1:, :-1], cell[:, 1:, 1:], cell[:, :-1, 1:]], axis=-1)
    return np.concatenate([around[leaves], around[enters][:, ::-1]])


def _vertex_normals(places: Floats, corners: Ints) -> Floats:
    sides = places[corners]
    faces = np.cross(sides[:, 1] - sides[:, 0], sides[:, 2] - sides[:, 0])
    total = np.zeros(places.shape)
    for axis in range(3):
        for corner in range(3):
            total[:, axis] += np.bincount(corners[:, corner], faces[:, axis], len(places))
    return unit(floats(total))
