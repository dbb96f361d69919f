"""How much light arrives: on the ground, as a map, and at single points of the pieces."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from vision.scenes.arrays import Flags, Floats, Vec, Xy, dot, floats, unit
from vision.scenes.camera import Camera
from vision.scenes.lamps import Lamp, Light, lamp_points, sky_light, sky_points
from vision.scenes.mesh import Mesh, merged
from vision.scenes.shadows import Casters, Ground, Shadow, blurred, cast_shadow, casters_of, lit_points, lit_surface

CELL_MM = 0.8
_MARGIN_MM = 190.0  # maps reach this far beyond the sheet
_SKY_COARSER = 2.5
_SKY_POINTS = 14
BOUNCE = 0.55  # what the ground gives back of the light that it gets, before its colour


class Illumination(NamedTuple):
    """The light of a scene with its shadow maps. `ground` is linear RGB (rows, columns, 3) that falls on paper and
    table, 1 being full light; `lamp_lit` per lamp the share of it that is seen there."""

    light: Light
    lamp_shadows: tuple[tuple[Shadow, ...], ...]
    sky_shadows: tuple[tuple[Shadow, float], ...]
    area: Ground
    ground: Floats
    lamp_lit: tuple[Floats, ...]


def illuminate(
    light: Light, things: Mesh, blockers: Mesh, camera: Camera, drop_mm: float, slopes: Floats
) -> Illumination:
    """Casts all shadows. `blockers` shade but are never seen; `slopes` (rows, columns, 2) are those of the paper on
    the grid of `ground_area`."""
    area = ground_area(camera)
    solid, shading = casters_of(things), casters_of(merged([things, blockers]))
    lamp_shadows = tuple(_lamp_shadows(lamp, shading, area, camera.sheet_mm) for lamp in light.lamps)
    coarse = area.coarser(_SKY_COARSER)
    points, strength = sky_points(light.sky, _SKY_POINTS)
    sky_shadows = tuple(
        (cast_shadow(solid, _vec(point), coarse, camera.sheet_mm), float(power))
        for point, power in zip(points, strength, strict=True)
    )
    lamp_lit = tuple(_mean_lit(shadows, area, camera.sheet_mm, drop_mm) for shadows in lamp_shadows)
    ground = _sky_on_ground(light, sky_shadows, area, camera.sheet_mm, drop_mm)
    for lamp, lit in zip(light.lamps, lamp_lit, strict=True):
        ground += (lit * _lamp_on_ground(lamp, area, slopes))[..., None] * floats(lamp.colour)
    return Illumination(light, lamp_shadows, sky_shadows, area, ground, lamp_lit)


def ground_area(camera: Camera) -> Ground:
    width, height = camera.sheet_mm[0] + 2 * _MARGIN_MM, camera.sheet_mm[1] + 2 * _MARGIN_MM
    return Ground(-width / 2, -height / 2, width, height, CELL_MM)


def _vec(point: Floats) -> Vec:
    return float(point[0]), float(point[1]), float(point[2])


def _lamp_shadows(lamp: Lamp, shading: Casters, area: Ground, sheet_mm: Xy) -> tuple[Shadow, ...]:
    """One map for each of the points that stand for a lamp: many coarse ones for a lamp that looks large, few fine
    ones else."""
    spread = max(lamp.reach_mm) / float(np.linalg.norm(lamp.place_mm))
    count = int(np.clip(5 + 130 * spread, 5, 34))
    ground = area if spread < 0.08 else area.coarser(2.0)
    return tuple(cast_shadow(shading, _vec(point), ground, sheet_mm) for point in lamp_points(lamp, count))


def _board_cells(area: Ground, sheet_mm: Xy) -> Flags:
    centres = area.centres()
    inside = (np.abs(centres[..., 0]) <= sheet_mm[0] / 2) & (np.abs(centres[..., 1]) <= sheet_mm[1] / 2)
    return np.asarray(inside)


def _mean_lit(shadows: tuple[Shadow, ...], area: Ground, sheet_mm: Xy, drop_mm: float) -> Floats:
    is_board = _board_cells(shadows[0].ground, sheet_mm)
    total = sum((lit_surface(shadow, is_board, drop_mm) for shadow in shadows), np.zeros(is_board.shape, np.float32))
    # Few points make steps in a soft shadow: a blur of about their distance hides them.
    smooth = blurred(floats(total / len(shadows)), 0.5 + 0.05 * len(shadows))
    return (
        smooth if shadows[0].ground == area else floats(cv2.resize(smooth, area.size, interpolation=cv2.INTER_LINEAR))
    )


def _sky_on_ground(
    light: Light, shadows: tuple[tuple[Shadow, float], ...], area: Ground, sheet_mm: Xy, drop_mm: float
) -> Floats:
    coarse = area.coarser(_SKY_COARSER)
    is_board = _board_cells(coarse, sheet_mm)
    total = np.zeros(is_board.shape, np.float32)
    for shadow, power in shadows:
        total += power * blurred(lit_surface(shadow, is_board, drop_mm), 1.2)
    share = floats(total / sum(power for _, power in shadows))
    smooth = cv2.resize(blurred(share, 0.8), area.size, interpolation=cv2.INTER_LINEAR)
    return floats(smooth[..., None] * floats(light.sky.colour) * light.sky.power)


def _lamp_on_ground(lamp: Lamp, area: Ground, slopes: Floats) -> Floats:
    """The lamp's light on level ground (rows, columns), a little more where the paper leans towards it."""
    small = area.coarser(6.0)
    way = floats(lamp.place_mm) - small.centres()
    amount = cv2.resize(_strength(lamp, way, unit(way)[..., 2]), area.size, interpolation=cv2.INTER_LINEAR)
    lean = 1 - (slopes[..., 0] * lamp.place_mm[0] + slopes[..., 1] * lamp.place_mm[1]) / lamp.place_mm[2]
    return floats(amount * np.clip(lean, 0.0, 2.0))


def _strength(lamp: Lamp, way: Floats, cosine: Floats) -> Floats:
    """The light that arrives over `way` (..., 3) from point to lamp on a surface at that cosine."""
    place = floats(lamp.place_mm)
    home = dot(place, place)
    return floats(lamp.power * np.maximum(cosine, 0.0) / (place[2] / np.sqrt(home)) * home / dot(way, way))


class Arriving(NamedTuple):
    """Light of one lamp at points (N): direction towards it (N, 3), share of it seen (N), strength at cosine 1 (N)."""

    lamp: Lamp
    way: Floats
    lit: Floats
    strength: Floats


def arriving(found: Illumination, index: int, points: Floats, normals: Floats) -> Arriving:
    lamp = found.light.lamps[index]
    way = floats(lamp.place_mm) - points
    shadows = found.lamp_shadows[index]
    raised = floats(points + normals * 0.25)
    lit = sum((lit_points(shadow, raised) for shadow in shadows), np.zeros(len(points), np.float32)) / len(shadows)
    ones = np.ones(len(points), np.float32)
    return Arriving(lamp, unit(way), floats(lit), _strength(lamp, way, ones))


def sky_at(found: Illumination, points: Floats, normals: Floats) -> Floats:
    """The room's light (N, 3) on surfaces that face along `normals`, with what others hide of it and what the ground
    gives back."""
    sky = found.light.sky
    direct = np.zeros(len(points), np.float32)
    full = 0.0
    raised = floats(points + normals * 0.4)
    for shadow, power in found.sky_shadows:
        way = unit(floats(shadow.lamp))
        # The maps are dense where a level sheet needs them; a sloping face weighs them anew.
        weight = power * np.maximum(normals @ way, 0.0) / float(way[2])
        direct += floats(weight * lit_points(shadow, raised, 1.2))
        full += power
    rise = np.clip(normals[:, 2], -1, 1)
    limit = 0.6 + 0.4 * rise  # keeps the few directions near the horizon from outshining the rest
    room = np.minimum(direct / full, np.maximum(limit, 0.05))
    return floats(room[:, None] * floats(sky.colour) * sky.power)


def from_ground(found: Illumination, albedo: Floats, points: Floats, normals: Floats) -> Floats:
    """Light (N, 3) that the ground throws back onto faces that look down or sideways. `albedo` (rows, columns, 3) is
    the ground's colour on a coarse grid over the whole area."""
    glow = cv2.resize(found.ground, (albedo.shape[1], albedo.shape[0]), interpolation=cv2.INTER_AREA) * albedo
    glow = floats(cv2.GaussianBlur(floats(glow), (0, 0), 1.5))
    columns, rows = found.area.columns_rows(points[:, 0], points[:, 1])
    scale = albedo.shape[1] / found.area.size[0]
    column = np.clip(columns * scale, 0, albedo.shape[1] - 1).astype(np.int64)
    row = np.clip(rows * scale, 0, albedo.shape[0] - 1).astype(np.int64)
    share = (1 - normals[:, 2]) / 2
    # Close to the ground a face sees its own shadow more than the lit paper.
    near = 0.45 + 0.55 * np.clip(points[:, 2] / 12.0, 0, 1)
    return floats(glow[row, column] * (share * near * BOUNCE)[:, None])


def room_seen(found: Illumination, ways: Floats) -> Floats:
    """The room's brightness (..., 3) in directions, for reflections: wall, ceiling, and darkness below."""
    sky = found.light.sky
    up = np.clip(ways[..., 2] * 4 + 0.5, 0.15, 1.0)
    return floats((sky_light(sky, ways) * up)[..., None] * floats(sky.colour) * sky.power)
