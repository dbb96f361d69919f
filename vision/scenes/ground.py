"""What every pixel sees of the level things: paper, table, floor, wall."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from vision.scenes.arrays import Flags, Floats, Words, Xy, floats
from vision.scenes.camera import Camera
from vision.scenes.printed import DOTS_PER_MM, RELIEF_MM, Paper, Print, inked, relief_of
from vision.scenes.tables import TILE_MM, TILE_PX, Table

_FAR_MM = 6000.0


class Hits(NamedTuple):
    """Where the rays of a picture (rows, columns) meet the paper's surface, in world mm. Beyond the horizon: far
    away."""

    rays: Floats
    x: Floats
    y: Floats
    downward: Flags


class Albedo(NamedTuple):
    """Linear RGB (rows, columns, 3) of the ground and how much of each pixel is board (rows, columns)."""

    colour: Floats
    board: Floats


def hit_plane(eye: Floats, rays: Floats, height: Floats | float) -> tuple[Floats, Floats, Flags]:
    """Where rays (rows, columns, 3) meet z = height; the flags say which go down at all."""
    fall = rays[..., 2]
    downward = fall < -1e-3
    reach = (height - eye[2]) / np.where(downward, fall, -1e-3)
    x = np.clip(eye[0] + rays[..., 0] * reach, -_FAR_MM, _FAR_MM)
    y = np.clip(eye[1] + rays[..., 1] * reach, -_FAR_MM, _FAR_MM)
    return floats(x), floats(y), downward


def hit_paper(camera: Camera, paper: Paper) -> Hits:
    """The rays' meeting points with the warped paper; around it with the plane z = 0."""
    rays = camera.rays()
    eye = camera.eye_mm
    x, y, downward = hit_plane(eye, rays, 0.0)
    if max(paper.curls) > 0 or paper.wave[0] > 0.02 or paper.folds:
        relief = relief_of(paper, camera.sheet_mm)
        for _ in range(2):
            x, y, downward = hit_plane(eye, rays, _height_at(relief, x, y, camera.sheet_mm))
    return Hits(rays, x, y, downward)


def _height_at(relief: Floats, x: Floats, y: Floats, size_mm: Xy) -> Floats:
    columns, rows = (x + size_mm[0] / 2) / RELIEF_MM - 0.5, (y + size_mm[1] / 2) / RELIEF_MM - 0.5
    return floats(cv2.remap(relief, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def height_at(relief: Floats, at: Xy, size_mm: Xy) -> float:
    """The paper's height in mm at one place."""
    return float(_height_at(relief, floats([[at[0]]]), floats([[at[1]]]), size_mm)[0, 0])


def ground_albedo(camera: Camera, hits: Hits, printed: Print, paper: Paper, table: Table) -> Albedo:
    board = _board_colours(camera, hits, printed)
    share = np.where(hits.downward, board[..., 3], 0.0)
    colour = inked(paper, floats(board[..., :3] / np.maximum(board[..., 3:], 1e-3)))
    colour *= _creases(paper, hits)[..., None]
    under = _table_colours(camera, hits, table, paper.thickness)
    part = share[..., None]
    return Albedo(floats(colour * part + under * (1 - part)), floats(share))


def _board_colours(camera: Camera, hits: Hits, printed: Print) -> Floats:
    """RGB and coverage (rows, columns, 4), four samples to a pixel, each from the two mip levels that fit."""
    width, height = camera.sheet_mm
    column = floats((hits.x + width / 2) * DOTS_PER_MM - 0.5)
    row = floats((height / 2 - hits.y) * DOTS_PER_MM - 0.5)
    steps = [*np.gradient(column), *np.gradient(row)]  # down, across, down, across
    level = _level(steps, len(printed.levels))
    places = [
        (floats(column + down * steps[0] + across * steps[1]), floats(row + down * steps[2] + across * steps[3]))
        for down, across in ((-0.25, -0.25), (-0.25, 0.25), (0.25, -0.25), (0.25, 0.25))
    ]
    return sampled(printed.levels, places, level, cv2.BORDER_CONSTANT)


def _level(steps: list[Floats], count: int) -> Floats:
    """The mip level for half a pixel's shorter side, as a smooth number."""
    across, down = np.hypot(steps[1], steps[3]), np.hypot(steps[0], steps[2])
    return floats(np.clip(np.log2(np.maximum(np.minimum(across, down) * 0.6, 1.0)), 0, count - 1))


def sampled(levels: tuple[Words, ...], places: list[tuple[Floats, Floats]], level: Floats, border: int) -> Floats:
    """Mean colours between 0 and 1 at places, each columns and rows in pixels of the first level; one, two or four of
    them."""
    lowest, highest = int(np.floor(level.min())), int(np.ceil(level.max()))
    total = np.zeros((*level.shape, levels[0].shape[2]), np.float32)
    for index in range(lowest, highest + 1):
        weight = floats(np.clip(1 - np.abs(level - index), 0, 1) / 65535.0)
        parts = [_taken(levels[index], *place, 0.5**index, border) for place in places]
        while len(parts) > 1:
            parts = [
                np.asarray(cv2.addWeighted(a, 0.5, b, 0.5, 0.0), dtype=np.uint16)
                for a, b in zip(parts[::2], parts[1::2], strict=True)
            ]
        total += parts[0] * weight[..., None]
    return total


def _taken(picture: Words, column: Floats, row: Floats, scale: float, border: int) -> Words:
    columns, rows = floats((column + 0.5) * scale - 0.5), floats((row + 0.5) * scale - 0.5)
    return np.asarray(cv2.remap(picture, columns, rows, cv2.INTER_LINEAR, borderMode=border), dtype=np.uint16)


def _creases(paper: Paper, hits: Hits) -> Floats:
    """Ink rubs off along a fold."""
    rubbed = np.ones(hits.x.shape, np.float32)
    for axis, where, lift in paper.folds:
        across = hits.x - where if axis == "x" else hits.y - where
        rubbed *= (
            1 + np.exp(-((across / 0.45) ** 2)) * 0.45 - np.exp(-(((across - 0.8) / 0.6) ** 2)) * 0.3 * abs(lift + 0.4)
        )
    return rubbed


def _table_colours(camera: Camera, hits: Hits, table: Table, drop_mm: float) -> Floats:
    x, y, _ = hit_plane(camera.eye_mm, hits.rays, -drop_mm)
    c, s = np.cos(np.radians(table.turn_deg)), np.sin(np.radians(table.turn_deg))
    scale = TILE_PX / TILE_MM
    column, row = floats((c * x + s * y) * scale), floats((c * y - s * x) * scale)
    steps = [*np.gradient(column), *np.gradient(row)]
    level = floats(np.clip(_level(steps, len(table.levels)) + 0.5, 0, len(table.levels) - 1))
    return sampled(table.levels, [(_folded(column), _folded(row))], level, cv2.BORDER_REFLECT)


def _folded(places: Floats) -> Floats:
    """Places laid back onto the tile, which is mirrored at its edges."""
    turn = np.mod(places, 2 * TILE_PX)
    return floats(np.minimum(turn, 2 * TILE_PX - turn))
