"""What each lamp sees of the board: shadow maps laid on the paper.

A map is a grid over the plane z = 0. A point (x, y, z) lies, for a lamp at (X, Y, Z), over the map's place where the
ray from the lamp through it meets the plane; its rank k = z * Z / (Z - z) grows from plane to lamp along every such
ray and is linear in the map. A point is in shadow where the map's highest rank exceeds its own. A mirrored eye below
the paper (Z < 0) works as well: that map tells what hides a reflection.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from vision.scenes.arrays import Flags, Floats, Vec, Xy, dot, floats
from vision.scenes.mesh import Mesh
from vision.scenes.raster import highest_values

_NOTHING = -1e6
_BIAS_MM = 0.7


class Ground(NamedTuple):
    """The part of the plane that maps cover, in mm, and the size of their cells."""

    left: float
    low: float
    width: float
    height: float
    cell_mm: float

    @property
    def size(self) -> tuple[int, int]:
        return int(self.width / self.cell_mm), int(self.height / self.cell_mm)

    def columns_rows(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Places in a map: columns to the right, rows upwards."""
        return floats((x - self.left) / self.cell_mm - 0.5), floats((y - self.low) / self.cell_mm - 0.5)

    def centres(self) -> Floats:
        """The cells' middles (rows, columns, 3) at z = 0."""
        columns, rows = self.size
        x = self.left + (np.arange(columns) + 0.5) * self.cell_mm
        y = self.low + (np.arange(rows) + 0.5) * self.cell_mm
        return floats(np.dstack([*np.meshgrid(x, y), np.zeros((rows, columns))]))

    def coarser(self, factor: float) -> Ground:
        return self._replace(cell_mm=self.cell_mm * factor)


class Shadow(NamedTuple):
    ground: Ground
    lamp: Vec
    ranks: Floats  # (rows, columns), the highest


class Casters(NamedTuple):
    """Triangles (T, 3, 3) that throw shadows, with the planes they lie in: normal (T, 3), offset (T) and highest
    point (T)."""

    corners: Floats
    normals: Floats
    offsets: Floats
    tops: Floats


def casters_of(mesh: Mesh) -> Casters:
    corners = mesh.corners
    normals = floats(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
    return Casters(corners, normals, dot(normals, corners[:, 0]), corners[:, :, 2].max(axis=1))


def cast_shadow(casters: Casters, lamp: Vec, ground: Ground, board_mm: Xy) -> Shadow:
    """The map of one point of light. The board itself, a slab below z = 0, shades the table around it."""
    x, y, rank = _on_plane(casters.corners[_is_facing(casters, lamp)], lamp)
    columns, rows = ground.columns_rows(x, y)
    ranks = highest_values(floats(np.stack([columns, rows], axis=-1)), rank, ground.size, _NOTHING)
    _lay_board(ranks, ground, board_mm)
    return Shadow(ground, lamp, ranks)


def _is_facing(casters: Casters, lamp: Vec) -> Flags:
    """The triangles (T) turned to the lamp and well below it."""
    side = casters.normals @ floats(lamp) - casters.offsets
    if lamp[2] < 0:
        # An eye mirrored below the paper looks up through it: for it, what counts is what faces away.
        return np.asarray(side < 0)
    return np.asarray((side > 0) & (casters.tops < 0.85 * lamp[2]))


def _lay_board(ranks: Floats, ground: Ground, board_mm: Xy) -> None:
    sides = floats([-board_mm[0] / 2, board_mm[0] / 2]), floats([-board_mm[1] / 2, board_mm[1] / 2])
    columns, rows = ground.columns_rows(*sides)
    left, right = (int(np.clip(np.round(value), 0, ground.size[0])) for value in columns + 0.5)
    low, high = (int(np.clip(np.round(value), 0, ground.size[1])) for value in rows + 0.5)
    np.maximum(ranks[low:high, left:right], 0.0, out=ranks[low:high, left:right])


def _on_plane(points: Floats, lamp: Vec) -> tuple[Floats, Floats, Floats]:
    z = points[..., 2]
    if lamp[2] > 0:
        z = np.minimum(z, 0.95 * lamp[2])  # an arm may reach above a low lamp
    rank = floats(z * lamp[2] / (lamp[2] - z))
    return (
        floats(points[..., 0] + (points[..., 0] - lamp[0]) / lamp[2] * rank),
        floats(points[..., 1] + (points[..., 1] - lamp[1]) / lamp[2] * rank),
        rank,
    )


def lit_points(shadow: Shadow, points: Floats, bias_mm: float = _BIAS_MM) -> Floats:
    """1 where a point (N, 3) sees the lamp, 0 where something is between."""
    x, y, rank = _on_plane(points, shadow.lamp)
    columns, rows = shadow.ground.columns_rows(x, y)
    width, height = shadow.ground.size
    column = np.clip(np.rint(columns), 0, width - 1).astype(np.int64)
    row = np.clip(np.rint(rows), 0, height - 1).astype(np.int64)
    return floats(shadow.ranks.reshape(-1)[row * width + column] <= rank + bias_mm)


def lit_surface(shadow: Shadow, is_board: Flags, drop_mm: float) -> Floats:
    """1 where the paper, or around it the table `drop_mm` lower, sees the lamp (rows, columns); 0 in shadow."""
    shift = [drop_mm * shadow.lamp[axis] / shadow.lamp[2] / shadow.ground.cell_mm for axis in (0, 1)]
    columns, rows = shadow.ground.size
    move = np.array([[1.0, 0.0, -shift[0]], [0.0, 1.0, -shift[1]]])
    lower = cv2.warpAffine(shadow.ranks, move, (columns, rows), flags=cv2.INTER_NEAREST, borderValue=_NOTHING)
    return floats(np.where(is_board, shadow.ranks <= 0.05, lower <= -0.5 * drop_mm))


def blurred(picture: Floats, cells: float) -> Floats:
    if cells <= 0.1:
        return picture
    return floats(cv2.GaussianBlur(picture, (0, 0), cells))
