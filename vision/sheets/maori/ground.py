"""The painted ground of tiles and boards: a watercolour of sea and sand, made from how deep each point lies in land."""

from __future__ import annotations

from typing import cast

import cv2
import numpy as np

from vision.sheets.canvas import Colour, Line, Picture, Point
from vision.sheets.colours import FOAM, GROUND, PAPER, SEA, SHORE
from vision.sheets.fields import Field, Grid, distance_to_lines, distance_to_points, grid_over, layered_noise
from vision.sheets.geometry import DPI, Box, size_px
from vision.sheets.wash import mixed, pooled, step

_PX = DPI / 25.4
_DEPTHS = (4.5, 8.5, 14.0)  # mm off the coast where the sea grows deeper
LAND_MM = 8.6  # half the breadth of an island
_SAND_MM = 2.3  # of it, from the water to the green
_MEET_MM = 5.0  # so near to where an island goes on, its coast is straight
_MIDDLE = (0.0, 0.0)
_WAYS: dict[str, Point] = {"N": (0.0, -1.0), "E": (1.0, 0.0), "S": (0.0, 1.0), "W": (-1.0, 0.0)}


def tile_land(side_mm: float, land: str, is_island: bool, rng: np.random.Generator) -> Field:
    """How deep each point of a tile lies in its island, in mm; negative in the water."""
    half = side_mm / 2
    grid = grid_over(Box(-half, -half, side_mm, side_mm))
    if not land and not is_island:
        return np.full(grid.shape, -30.0, np.float32)
    wobble = layered_noise(grid.shape, (20, 9), rng) * 1.5
    if not land:
        return cast(Field, LAND_MM * 1.18 - distance_to_points(grid, [_MIDDLE]) * _oval(grid) + wobble)
    edges = [(_WAYS[side][0] * half, _WAYS[side][1] * half) for side in land]
    near = distance_to_points(grid, edges) - LAND_MM
    fade = np.clip((near - _MEET_MM * 0.2) / _MEET_MM, 0.0, 1.0)
    start = edges[1] if len(edges) == 2 else (-edges[0][0] * 0.12, -edges[0][1] * 0.12)
    lines = [(start, (edge[0] * 1.4, edge[1] * 1.4)) for edge in edges]
    return cast(Field, LAND_MM - distance_to_lines(grid, lines) + wobble * fade)


def _oval(grid: Grid) -> Field:
    angle = np.arctan2(grid.y, grid.x)
    return cast(Field, (1.0 + 0.07 * np.cos(2 * angle)).astype(np.float32))


def land_along(area: Box, lines: list[tuple[Point, Point]], half_mm: float, rng: np.random.Generator) -> Field:
    """How deep each point of an area lies in a strip of land along these lines."""
    grid = grid_over(area)
    wobble = layered_noise(grid.shape, (36, 14, 6), rng) * 1.6
    if not lines:
        return np.full(grid.shape, -30.0, np.float32)
    return half_mm - distance_to_lines(grid, lines) + wobble


def ring_of(points: Line) -> list[tuple[Point, Point]]:
    return list(zip(points, [*points[1:], points[0]], strict=True))


def painted(land: Field, size_mm: Point, rng: np.random.Generator, inner: Colour = GROUND["Cocotier"]) -> Picture:
    """The ground at the resolution of a printed picture: sea that deepens off the coast, foam, sand, green."""
    width, height = size_px(size_mm)
    shape = (height, width)
    fine = cast(Field, cv2.resize(land, (width, height), interpolation=cv2.INTER_LINEAR))
    fine = fine + layered_noise(shape, (2.2 * _PX, 0.8 * _PX), rng) * np.float32(0.22)
    bloom = layered_noise(shape, (26 * _PX, 10 * _PX, 4 * _PX), rng)
    colour = np.empty((3, *shape), np.float32)
    colour[:] = np.asarray(SEA[0], np.float32)[:, None, None]
    for level, tone in zip(_DEPTHS, SEA[1:], strict=True):
        mixed(colour, tone, step(-fine + bloom * level * 0.25, level - 1.0, level + 1.0))
    mixed(colour, FOAM, np.clip(np.exp(-(((-fine - 1.5) / 0.5) ** 2)), 0.0, 1.0).astype(np.float32))
    mixed(colour, SHORE, step(fine, -0.22, 0.22))
    mixed(colour, inner, step(fine + bloom * 0.5, _SAND_MM, _SAND_MM + 1.1))
    density = 1.0 + 0.12 * bloom + 0.05 * layered_noise(shape, (0.9 * _PX, 0.4 * _PX), rng)
    density += pooled(fine, 0.5, 0.3) + pooled(fine - _SAND_MM, 0.6, 0.16)
    white = np.float32(PAPER[0])
    planes = [np.clip(white - (white - plane) * density, 0, 255).astype(np.uint8) for plane in colour]
    return cast(Picture, cv2.merge(planes))
