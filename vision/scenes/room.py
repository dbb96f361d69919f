"""Beyond the table's edge: floor and wall, out of focus."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from vision.scenes.arrays import Floats, Rgb, Xy, between, chosen, floats, rgb_of_hex
from vision.scenes.camera import Camera
from vision.scenes.ground import Hits, hit_plane
from vision.scenes.noise import clouds

FLOOR_MM = 740.0  # below the table


class Room(NamedTuple):
    """The table top's half sides, middle and turn, and the colours around it."""

    half_mm: Xy
    middle_mm: Xy
    turn_deg: float
    floor: Rgb
    wall: Rgb


def make_room(rng: np.random.Generator, sheet_mm: Xy) -> Room:
    half = (sheet_mm[0] / 2 + between(rng, 160, 520), sheet_mm[1] / 2 + between(rng, 120, 420))
    middle = (between(rng, -70, 70), between(rng, -70, 70))
    floor = rgb_of_hex(chosen(rng, ("#3a2a1f", "#55504a", "#6d4a30", "#2b2b2e", "#8a8378")))
    wall = rgb_of_hex(chosen(rng, ("#3d3530", "#6b6258", "#8f8a80", "#2a2f3a", "#b5ada0", "#4a3a30")))
    return Room(half, middle, float(rng.normal(0, 6)), floor, wall)


def beyond_table(room: Room, camera: Camera, hits: Hits) -> tuple[Floats, Floats]:
    """How much of each pixel lies beyond the table (rows, columns), and the colour there (rows, columns, 3)."""
    share = _outside(room, hits)
    if not (share > 0).any():
        return share, np.zeros((1, 1, 3), np.float32)
    step = 8
    rays = hits.rays[::step, ::step]
    x, y, _ = hit_plane(camera.eye_mm, rays, -FLOOR_MM)
    boards = 1 + 0.1 * np.sin(x / 38.0) * (np.abs(x) < 2500) + 0.1 * np.sin(y / 160.0)
    steep = np.clip(-rays[..., 2:] / np.linalg.norm(rays, axis=2, keepdims=True) * 5, 0, 1)
    blotches = 1 + 0.3 * clouds(np.random.default_rng(11), (rays.shape[1], rays.shape[0]), (5, 4), 2)[..., None]
    small = floats(room.floor) * boards[..., None] * steep * 0.8 + floats(room.wall) * (1 - steep) * blotches * 0.7
    small = cv2.GaussianBlur(floats(small), (0, 0), 1.2)
    size = hits.x.shape[1], hits.x.shape[0]
    return share, floats(np.maximum(cv2.resize(small, size, interpolation=cv2.INTER_LINEAR), 0.005))


def is_on_table(room: Room, points: Floats) -> bool:
    """Whether the table carries all these world points (N, 3)."""
    x, y = _along_sides(room, points[:, 0], points[:, 1])
    return bool((np.abs(x) < room.half_mm[0]).all() and (np.abs(y) < room.half_mm[1]).all())


def _along_sides(room: Room, x: Floats, y: Floats) -> tuple[Floats, Floats]:
    c, s = np.cos(np.radians(room.turn_deg)), np.sin(np.radians(room.turn_deg))
    x, y = floats(x - room.middle_mm[0]), floats(y - room.middle_mm[1])
    return floats(c * x + s * y), floats(c * y - s * x)


def _outside(room: Room, hits: Hits) -> Floats:
    x, y = _along_sides(room, hits.x, hits.y)
    over = np.maximum(np.abs(x) - room.half_mm[0], np.abs(y) - room.half_mm[1])
    # The edge is a pixel or two wide; 1.5 mm is near enough to that.
    return floats(np.where(hits.downward, np.clip(over / 1.5 + 0.5, 0, 1), 1.0))
