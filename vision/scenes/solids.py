"""The solid things of a picture: which is seen where, and in which colour."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from vision.scenes.arrays import Floats, Ints, dot, floats, unit
from vision.scenes.camera import Camera
from vision.scenes.lighting import Illumination
from vision.scenes.mesh import Mesh, face_normals, merged
from vision.scenes.paints import Surface
from vision.scenes.pieces import Thing
from vision.scenes.raster import nearest_triangles
from vision.scenes.shade import Points, shaded

FINE = 2  # samples along each side of a pixel


class Seen(NamedTuple):
    """What a camera sees of the things.

    `triangle` (rows * FINE, columns * FINE) with -1 for none; `owner` (T) the thing each triangle belongs to.
    """

    mesh: Mesh
    owner: Ints
    points: Floats  # (T, 3, 2), in samples
    depths: Floats  # (T, 3)
    triangle: Ints

    def things(self) -> Ints:
        """The thing at every sample, -1 for none."""
        return np.asarray(np.append(self.owner, -1)[self.triangle])


def look(camera: Camera, things: Sequence[Thing]) -> Seen:
    mesh = merged(thing.mesh for thing in things)
    owner = np.repeat(np.arange(len(things)), [len(thing.mesh.corners) for thing in things])
    depths = camera.depth(mesh.corners.reshape(-1, 3)).reshape(-1, 3)
    faces = face_normals(mesh.corners)
    near = camera.is_near_view(mesh.corners.reshape(-1, 3)).reshape(-1, 3).all(axis=1)
    front = (dot(faces, floats(camera.eye_mm - mesh.corners[:, 0])) > 0) & near
    mesh = Mesh(*(array[front] for array in mesh))
    owner, depths = owner[front], depths[front]
    pixels = camera.project(mesh.corners.reshape(-1, 3)).reshape(-1, 3, 2)
    points = floats(np.nan_to_num(pixels * FINE + (FINE - 1) / 2, nan=-1e5))
    size = camera.size_px[0] * FINE, camera.size_px[1] * FINE
    return Seen(mesh, owner, points, depths, nearest_triangles(points, floats(1 / depths), size))


class Layer(NamedTuple):
    """Solid things over the ground: the pixels they touch (P), their summed light (P, 3) and their share of each
    pixel (P)."""

    pixel: Ints
    light: Floats
    share: Floats


def paint_solids(camera: Camera, seen: Seen, things: Sequence[Thing], found: Illumination, albedo: Floats) -> Layer:
    pixel, triangle, sample, count = _fragments(seen.triangle)
    points = _points(camera, seen, triangle, sample)
    light = np.zeros((len(pixel), 3), np.float32)
    surfaces = [thing.surface for thing in things]
    kinds: list[Surface] = sorted(set(surfaces))
    kind_of = np.array([kinds.index(surface) for surface in surfaces], dtype=np.int64)
    kind = kind_of[seen.owner[triangle]] if len(triangle) else np.zeros(0, np.int64)
    for index, surface in enumerate(kinds):
        chosen = np.flatnonzero(kind == index)
        if len(chosen):
            part = Points(*(array[chosen] for array in points))
            light[chosen] = shaded(part, surface, found, albedo)
    weight = floats(count / FINE**2)
    touched, place = np.unique(pixel, return_inverse=True)
    summed = [np.bincount(place, light[:, channel] * weight, len(touched)) for channel in range(3)]
    return Layer(touched, floats(np.stack(summed, axis=1)), floats(np.bincount(place, weight, len(touched))))


def _fragments(triangle: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Every pair of pixel and triangle once: pixel, triangle, one of its samples and how many it has (all (F))."""
    rows, columns = triangle.shape[0] // FINE, triangle.shape[1] // FINE
    cells = triangle.reshape(rows, FINE, columns, FINE).transpose(0, 2, 1, 3).reshape(-1, FINE * FINE)
    touched = np.flatnonzero((cells >= 0).any(axis=1))
    cells = cells[touched]
    found = []
    for sample in range(FINE * FINE):
        own = cells[:, sample]
        same = cells == own[:, None]
        first = (own >= 0) & ~same[:, :sample].any(axis=1)
        at = np.flatnonzero(first)
        row, column = np.divmod(touched[at], columns)
        place = (row * FINE + sample // FINE) * (columns * FINE) + column * FINE + sample % FINE
        found.append((touched[at], own[at], place, same[at].sum(axis=1)))
    pixel, own, place, count = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return pixel, own, place, count


def _points(camera: Camera, seen: Seen, triangle: Ints, sample: Ints) -> Points:
    """Places, normals, colours and views of fragments, interpolated with perspective."""
    row, column = np.divmod(sample, camera.size_px[0] * FINE)
    share = _shares(seen.points[triangle], floats(column), floats(row)) / seen.depths[triangle]
    share = floats(share / share.sum(axis=1, keepdims=True))
    places, normals, colours = (floats(np.einsum("fc,fcx->fx", share, array[triangle])) for array in seen.mesh)
    return Points(places, unit(normals), colours, unit(floats(camera.eye_mm - places)))


def _shares(corners: Floats, x: Floats, y: Floats) -> Floats:
    """Barycentric coordinates (F, 3) of points in triangles (F, 3, 2), kept inside."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    area = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
    area = np.where(np.abs(area) < 1e-9, 1e-9, area)
    second = ((x - a[:, 0]) * (c[:, 1] - a[:, 1]) - (y - a[:, 1]) * (c[:, 0] - a[:, 0])) / area
    third = ((b[:, 0] - a[:, 0]) * (y - a[:, 1]) - (b[:, 1] - a[:, 1]) * (x - a[:, 0])) / area
    share = np.clip(np.stack([1 - second - third, second, third], axis=1), 1e-4, None)
    return floats(share / share.sum(axis=1, keepdims=True))
