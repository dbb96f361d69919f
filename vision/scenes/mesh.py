"""Solids made of triangles: lofted, turned, extruded and moved."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from vision.scenes.arrays import Floats, Rgb, Vec, floats, unit

WHITE: Rgb = (1.0, 1.0, 1.0)


class Mesh(NamedTuple):
    """Triangles in mm, z up. Every array is (T, 3, 3): triangle, corner, then x y z or r g b.

    Corners run anticlockwise seen from outside. `colours` are linear RGB.
    """

    corners: Floats
    normals: Floats
    colours: Floats


def merged(meshes: Iterable[Mesh]) -> Mesh:
    parts = [*meshes]
    if not parts:
        none = np.zeros((0, 3, 3), np.float32)
        return Mesh(none, none, none)
    return Mesh(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def flat(corners: Floats, colour: Rgb = WHITE) -> Mesh:
    """Triangles (T, 3, 3) that show every edge."""
    normals = np.repeat(face_normals(corners)[:, None], 3, axis=1)
    return Mesh(corners, normals, np.broadcast_to(floats(colour), corners.shape).copy())


def face_normals(corners: Floats) -> Floats:
    return unit(floats(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])))


def loft(rings: Floats, around: bool = False, along: bool = False, closed: bool = True) -> Mesh:
    """The white skin between rings (K, N, 3), anticlockwise seen from above when they rise; `closed` adds both ends.

    `around` smooths the edges that run from ring to ring, `along` those of the rings themselves.
    """
    low, high = rings[:-1], rings[1:]
    quads = np.stack([low, np.roll(low, -1, 1), np.roll(high, -1, 1), high], axis=2)  # (K-1, N, 4, 3)
    face = unit(floats(np.cross(quads[:, :, 2] - quads[:, :, 0], quads[:, :, 3] - quads[:, :, 1])))
    normals = _loft_normals(face, around, along)
    skin = Mesh(_halves(quads), _halves(normals), np.ones_like(_halves(quads)))
    ends = floats(np.concatenate([_fan(rings[0][::-1]), _fan(rings[-1])]))
    return merged([skin, flat(ends)]) if closed else skin


def _loft_normals(face: Floats, around: bool, along: bool) -> Floats:
    """Normals (K-1, N, 4, 3) of the quads' corners from those of the quads (K-1, N, 3)."""
    left = face + np.roll(face, 1, 1) if around else face
    right = np.roll(left, -1, 1) if around else face
    if not along:
        return unit(floats(np.stack([left, right, right, left], axis=2)))
    below = [side + np.concatenate([side[:1], side[:-1]]) for side in (left, right)]
    above = [side + np.concatenate([side[1:], side[-1:]]) for side in (left, right)]
    return unit(floats(np.stack([below[0], below[1], above[1], above[0]], axis=2)))


def _halves(quads: Floats) -> Floats:
    return floats(np.concatenate([quads[:, :, (0, 1, 2)], quads[:, :, (0, 2, 3)]]).reshape(-1, 3, 3))


def _fan(ring: Floats) -> Floats:
    middle = np.broadcast_to(ring.mean(axis=0), ring.shape)
    return floats(np.stack([middle, ring, np.roll(ring, -1, 0)], axis=1))


def ring(points: Floats, height: float, scale: float = 1.0, inset: float = 0.0) -> Floats:
    """A level ring (N, 3) of an outline (N, 2) about the origin, drawn in by `inset` mm on its longer half axis."""
    reach = float(np.abs(points).max())
    factor = scale * (1.0 - inset / max(reach, 1e-6))
    return floats(np.column_stack([points * factor, np.full(len(points), height)]))


def circle(radius: float, count: int) -> Floats:
    angle = np.arange(count) * (2 * np.pi / count)
    return floats(np.column_stack([np.cos(angle), np.sin(angle)]) * radius)


def rectangle(width: float, depth: float, cut: float = 0.0) -> Floats:
    """A rectangle about the origin, its corners cut by `cut` mm."""
    x, y = width / 2, depth / 2
    if cut <= 0:
        return floats([(x, -y), (x, y), (-x, y), (-x, -y)])
    return floats(
        [
            (x, -y + cut),
            (x, y - cut),
            (x - cut, y),
            (cut - x, y),
            (-x, y - cut),
            (-x, cut - y),
            (cut - x, -y),
            (x - cut, -y),
        ]
    )


def rounded_rectangle(width: float, depth: float, radius: float) -> Floats:
    """A rectangle about the origin with round corners."""
    x, y = width / 2 - radius, depth / 2 - radius
    corners = [(x, -y, -90), (x, y, 0), (-x, y, 90), (-x, -y, 180)]
    turns = np.radians([(start + step) for _, _, start in corners for step in (0, 30, 60, 90)])
    middles = np.repeat([(a, b) for a, b, _ in corners], 4, axis=0)
    return floats(middles + radius * np.column_stack([np.cos(turns), np.sin(turns)]))


def prism(outline: Floats, low: float, high: float, chamfer: float = 0.0, around: bool = False) -> Mesh:
    """An upright prism of an outline (N, 2) with its upper and lower edges broken."""
    if chamfer <= 0:
        return loft(np.stack([ring(outline, low), ring(outline, high)]), around)
    heights = [(low, chamfer), (low + chamfer, 0.0), (high - chamfer, 0.0), (high, chamfer)]
    return loft(np.stack([ring(outline, height, inset=inset) for height, inset in heights]), around)


def tube(outline: Floats, heights: Floats) -> Mesh:
    """Upright walls of an outline (N, 2) through several heights, open above and below."""
    return loft(np.stack([ring(outline, float(height)) for height in heights]), closed=False)


def subdivided(outline: Floats, count: int) -> Floats:
    """The outline (N, 2) with each side cut into `count` pieces."""
    share = floats(np.arange(count) / count)[None, :, None]
    return floats((outline[:, None] + share * (np.roll(outline, -1, 0) - outline)[:, None]).reshape(-1, 2))


def box(width: float, depth: float, height: float, chamfer: float = 0.0) -> Mesh:
    return prism(rectangle(width, depth, chamfer), 0.0, height, chamfer)


def turned(profile: Iterable[tuple[float, float]], count: int = 20, along: bool = False) -> Mesh:
    """A body of revolution from (radius, height) pairs, from its foot to its top."""
    rings = [ring(circle(1.0, count), height, max(radius, 0.02)) for radius, height in profile]
    return loft(np.stack(rings), around=True, along=along)


def extruded(profile: Floats, depth: float, chamfer: float = 0.0) -> Mesh:
    """A profile (N, 2) in x and z, anticlockwise seen from the front (from -y), drawn `depth` mm along y."""
    middle = profile.mean(axis=0)
    lying = prism(floats(profile - middle), -depth / 2, depth / 2, chamfer)
    # The outline's plane becomes x and z: (x, y, z) -> (x, -z, y).
    turn = floats([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
    return moved(transformed(lying, turn), (float(middle[0]), 0.0, float(middle[1])))


def sheet_mesh(width: float, depth: float, height: float, colours: Floats) -> Mesh:
    """A level grid that faces up, its corners coloured from a picture (rows, columns, 3) seen from above, y upwards."""
    rows, columns = colours.shape[:2]
    x = np.linspace(-width / 2, width / 2, columns)
    y = np.linspace(depth / 2, -depth / 2, rows)
    points = floats(np.dstack([*np.meshgrid(x, y), np.full((rows, columns), height)]))
    corners = _halves(_cells(points))
    return Mesh(corners, np.broadcast_to(floats([0, 0, 1]), corners.shape).copy(), _halves(_cells(colours)))


def _cells(grid: Floats) -> Floats:
    """The four corners (rows-1, columns-1, 4, 3) of every cell, anticlockwise from the lower left one."""
    return floats(np.stack([grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:], grid[:-1, :-1]], axis=2))


def transformed(mesh: Mesh, matrix: Floats) -> Mesh:
    """A mesh turned by a rotation (3, 3), without reflection."""
    return Mesh(floats(mesh.corners @ matrix.T), floats(mesh.normals @ matrix.T), mesh.colours)


def moved(mesh: Mesh, by_mm: Vec) -> Mesh:
    return mesh._replace(corners=floats(mesh.corners + floats(by_mm)))


def scaled(mesh: Mesh, factors: Vec) -> Mesh:
    """A mesh stretched along the axes; normals follow."""
    return mesh._replace(
        corners=floats(mesh.corners * floats(factors)), normals=unit(floats(mesh.normals / floats(factors)))
    )


def mirrored(mesh: Mesh) -> Mesh:
    """The mesh seen in a mirror across y."""
    flip = floats([1, -1, 1])
    return Mesh(mesh.corners[:, ::-1] * flip, mesh.normals[:, ::-1] * flip, mesh.colours[:, ::-1])


def painted(mesh: Mesh, colour: Rgb) -> Mesh:
    """The mesh with all its colours multiplied by one."""
    return mesh._replace(colours=floats(mesh.colours * floats(colour)))


def turn_about(axis: str, degrees: float) -> Floats:
    """The rotation (3, 3) about x, y or z, anticlockwise seen from the axis's tip."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return floats({"x": [[1, 0, 0], [0, c, -s], [0, s, c]], "y": [[c, 0, s], [0, 1, 0], [-s, 0, c]],
                   "z": [[c, -s, 0], [s, c, 0], [0, 0, 1]]}[axis])  # fmt: skip


def extremes(mesh: Mesh) -> Floats:
    """The corners (N, 3) that reach farthest in many directions: enough to know what a mesh covers."""
    points = mesh.corners.reshape(-1, 3)
    grid = [
        (x, y, z) for x in (-2, -1, 0, 1, 2) for y in (-2, -1, 0, 1, 2) for z in (-1, 0, 1) if (x, y, z) != (0, 0, 0)
    ]
    ways = unit(floats([way for way in grid if 2 in map(abs, way) or way[2] == 0]))
    return floats(points[np.argmax(points @ ways.T, axis=0)])


def dropped(mesh: Mesh, floor_mm: float = 0.0) -> Mesh:
    """The mesh lowered or raised until its lowest corner touches the floor."""
    return moved(mesh, (0.0, 0.0, floor_mm - float(mesh.corners[..., 2].min())))
