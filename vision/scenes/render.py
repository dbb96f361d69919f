"""A whole picture's light: ground, things on it, glare over it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np

from vision.scenes.arrays import Floats, Rgb, Xy, dot, floats, unit
from vision.scenes.camera import Camera
from vision.scenes.ground import Albedo, Hits, ground_albedo, hit_paper
from vision.scenes.lamps import Light
from vision.scenes.lighting import Illumination, ground_area, illuminate, room_seen
from vision.scenes.mesh import Mesh, merged
from vision.scenes.noise import clouds
from vision.scenes.pieces import Thing
from vision.scenes.printed import RELIEF_MM, Paper, Print, relief_of
from vision.scenes.room import Room, beyond_table
from vision.scenes.shade import fresnel_of, glare
from vision.scenes.shadows import Ground, blurred, cast_shadow, casters_of, lit_surface
from vision.scenes.solids import Seen, look, paint_solids
from vision.scenes.tables import Table

_COARSE = 12.0  # cells of the ground's colour, in cells of the light's map
_GLARE_STEP = 2  # glare is smooth: every second pixel is enough


class Stage(NamedTuple):
    """Everything that is lit and seen."""

    camera: Camera
    light: Light
    printed: Print
    paper: Paper
    table: Table
    room: Room
    things: Sequence[Thing]
    blockers: Mesh


class Rendering(NamedTuple):
    """Linear RGB (rows, columns, 3), the mean colour of the light on the board, and what is seen where."""

    radiance: Floats
    lamps: Rgb
    seen: Seen


def render(stage: Stage) -> Rendering:
    camera, paper = stage.camera, stage.paper
    area = ground_area(camera)
    slopes = paper_slopes(paper, camera.sheet_mm, area)
    solid = merged(thing.mesh for thing in stage.things)
    found = illuminate(stage.light, solid, stage.blockers, camera, paper.thickness, slopes)
    hits = hit_paper(camera, paper)
    albedo = ground_albedo(camera, hits, stage.printed, paper, stage.table)
    picture = _ground_light(found, hits, albedo)
    picture += _glare(stage, found, hits, albedo, slopes, solid)
    _add_room(picture, stage, hits)
    seen = look(camera, stage.things)
    if len(seen.mesh.corners):
        layer = paint_solids(camera, seen, stage.things, found, _coarse_albedo(stage, area))
        flat = picture.reshape(-1, 3)
        flat[layer.pixel] = flat[layer.pixel] * (1 - layer.share)[:, None] + layer.light
    return Rendering(picture, _mean_light(found, camera.sheet_mm), seen)


def _add_room(picture: Floats, stage: Stage, hits: Hits) -> None:
    share, colour = beyond_table(stage.room, stage.camera, hits)
    if (share > 0).any():
        sky = stage.light.sky
        picture += share[..., None] * (colour * floats(sky.colour) * max(sky.power, 0.2) - picture)


def paper_slopes(paper: Paper, sheet_mm: Xy, area: Ground) -> Floats:
    """The paper's slopes along x and y (rows, columns, 2) on the light's grid; level around it."""
    relief = relief_of(paper, sheet_mm)
    down, across = np.gradient(relief, RELIEF_MM)
    cockle = (
        clouds(np.random.default_rng(5), (relief.shape[1], relief.shape[0]), (14, 10), 2)
        * 0.006
        * (0.2 + paper.wave[0])
    )
    both = floats(np.dstack([across + cockle, down - cockle]))
    columns, rows = (round(side / area.cell_mm) for side in sheet_mm)
    inner = cv2.resize(both, (columns, rows), interpolation=cv2.INTER_LINEAR)
    slopes = np.zeros((area.size[1], area.size[0], 2), np.float32)
    left, low = (
        round((-sheet_mm[0] / 2 - area.left) / area.cell_mm),
        round((-sheet_mm[1] / 2 - area.low) / area.cell_mm),
    )
    slopes[low : low + rows, left : left + columns] = inner
    return slopes


def _ground_light(found: Illumination, hits: Hits, albedo: Albedo) -> Floats:
    return floats(albedo.colour * _on_map(found.area, found.ground, hits.x, hits.y))


def _on_map(area: Ground, values: Floats, x: Floats, y: Floats) -> Floats:
    columns, rows = area.columns_rows(x, y)
    return floats(cv2.remap(values, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def _glare(stage: Stage, found: Illumination, hits: Hits, albedo: Albedo, slopes: Floats, solid: Mesh) -> Floats:
    """What paper and table mirror: lamps, windows and the room, less what stands in the way (rows, columns, 3)."""
    step = slice(None, None, _GLARE_STEP)
    x, y = hits.x[step, step].copy(), hits.y[step, step].copy()
    board = albedo.board[step, step]
    camera, paper, table = stage.camera, stage.paper, stage.table
    places = floats(np.dstack([x, y, np.zeros_like(x)]))
    lean = _on_map(found.area, slopes, x, y) * board[..., None]
    normals = unit(floats(np.dstack([-lean[..., 0], -lean[..., 1], np.ones_like(x)])))
    views = unit(floats(camera.eye_mm - places))
    facing = dot(normals, views)
    mirrors = floats(2 * facing[..., None] * normals - views)
    roughness = floats(board * paper.roughness + (1 - board) * table.roughness)
    shine = board * paper.shine + (1 - board) * table.shine
    fresnel = fresnel_of(0.0, facing) * (1 - roughness) ** 1.5 + shine
    eye = camera.eye_mm
    hidden = cast_shadow(
        casters_of(solid), (float(eye[0]), float(eye[1]), -float(eye[2])), found.area.coarser(2.0), camera.sheet_mm
    )
    open_way = blurred(lit_surface(hidden, np.ones(hidden.ranks.shape, bool), 0.0), 1 + 8 * paper.roughness**2)
    total = room_seen(found, mirrors) * _on_map(hidden.ground, open_way, x, y)[..., None]
    for lamp, lit in zip(stage.light.lamps, found.lamp_lit, strict=True):
        amount = glare(lamp, places, mirrors, roughness) * _on_map(found.area, lit, x, y)
        total += amount[..., None] * floats(lamp.colour)
    total *= floats(fresnel)[..., None]
    return floats(cv2.resize(total, (hits.x.shape[1], hits.x.shape[0]), interpolation=cv2.INTER_LINEAR))


def _coarse_albedo(stage: Stage, area: Ground) -> Floats:
    """The ground's colour on a coarse grid over the light's area: what it throws back onto the pieces."""
    coarse = area.coarser(_COARSE)
    columns, rows = coarse.size
    table = stage.table.levels[-1].reshape(-1, 3).mean(axis=0) / 65535.0
    grid = np.broadcast_to(floats(table), (rows, columns, 3)).copy()
    width, height = (round(side / coarse.cell_mm) for side in stage.camera.sheet_mm)
    small = cv2.resize(stage.printed.levels[-1][::-1, :, :3], (width, height), interpolation=cv2.INTER_AREA)
    left, low = (columns - width) // 2, (rows - height) // 2
    grid[low : low + height, left : left + width] = small / 65535.0
    return grid


def _mean_light(found: Illumination, sheet_mm: Xy) -> Rgb:
    columns, rows = found.area.size
    inset_x, inset_y = (
        round((size - side) / 2 / found.area.cell_mm)
        for size, side in zip((found.area.width, found.area.height), sheet_mm, strict=True)
    )
    red, green, blue = found.ground[inset_y : rows - inset_y, inset_x : columns - inset_x].mean(axis=(0, 1))
    return float(red), float(green), float(blue)
