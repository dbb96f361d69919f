"""Whole training pictures: a board on a table under some lamp before some camera, with pieces, strangers and hands.

Crude on purpose and wide in range: nothing here looks like a photo, but light, colours, shapes, blur and noise vary
more than photos do. Deterministic by the generator passed in.
"""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.locate.pose import Camera, Floats, Picture, Pose, View
from vision.training import models
from vision.training.clutter import hands, strangers
from vision.training.developing import developed, lensed, room
from vision.training.painter import Canvas, Lamp, Light, paint, shadows
from vision.training.placing import Standing, pieces

_GAMMA = 2.2


class Training(NamedTuple):
    picture: Picture  # (H, W, 3) BGR
    view: View
    owners: NDArray[np.int32]  # (H, W): 1 + 2 * place for a hut or token, 2 + 2 * place for a tiki, FOREIGN for others
    standing: tuple[Standing, ...]


def make(empty: Picture, px_per_mm: float, places_mm: Floats, sites: int, rng: np.random.Generator) -> Training:
    """A picture of the board `empty` (BGR). The first `sites` of the (N, 2) places take huts, the others tokens."""
    height = int(rng.integers(480, 1000))
    size = (round(height * rng.choice([4 / 3, 16 / 9, 3 / 4 + 0.4])), height)
    board_mm = np.array([empty.shape[1], empty.shape[0]]) / px_per_mm
    view = random_view(board_mm, size, rng)
    lamp = _lamp(rng)
    standing, things = pieces(places_mm, sites, rng)
    everything = things + strangers(board_mm, places_mm, rng) + (hands(board_mm, rng) if rng.random() < 0.25 else [])
    canvas = Canvas(_table_and_board(empty, px_per_mm, view, rng), np.zeros((size[1], size[0]), np.int32))
    shade = shadows((size[1], size[0]), view, everything, lamp, float(rng.choice([0.6, 1.5, 4.0, 9.0])))
    below = shadows((size[1], size[0]), view, everything, lamp._replace(direction=np.array([0.0, 0.0, -1.0])), 5.0)
    sky = (1 - np.float32(rng.uniform(0, 0.7)) * (1 - below))[..., None] * lamp.ambient.astype(np.float32)
    up = max(0.05, float(-lamp.direction[2]))
    canvas.light[:] *= sky + shade[..., None] * (lamp.direct * up).astype(np.float32)
    paint(canvas, view, everything, lamp, rng)
    canvas.light[:] *= _grain(canvas.owners, rng)
    light = canvas.light * room(canvas.light.shape, rng)
    return Training(developed(lensed(light, rng), rng), view, canvas.owners, standing)


def random_view(board_mm: Floats, size: tuple[int, int], rng: np.random.Generator) -> View:
    """A camera somewhere above the board, looking at it."""
    focal = size[0] * rng.uniform(0.65, 1.5)
    # From straight above a hut and a tiki differ least, so that is practised more.
    elevation = np.radians(rng.uniform(24, 89) if rng.random() < 0.7 else rng.uniform(68, 89.5))
    azimuth = rng.uniform(0, 2 * np.pi)
    away = focal * board_mm[0] / (size[0] * rng.uniform(0.5, 1.1))
    target = np.array([*(board_mm * rng.uniform(0.35, 0.65, 2)), 0.0])
    ray = np.array([np.cos(azimuth) * np.cos(elevation), np.sin(azimuth) * np.cos(elevation), -np.sin(elevation)])
    eye = target + ray * max(away, 260.0)
    forward = -ray
    right = np.cross(forward, (0.0, 0.0, -1.0))
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    roll = rng.normal(0, 0.15)
    turned = np.array([right * np.cos(roll) + down * np.sin(roll), down * np.cos(roll) - right * np.sin(roll), forward])
    rotation = cv2.Rodrigues(turned)[0].ravel()
    translation = -turned @ eye
    return View(Camera(float(focal), size), Pose(_three(rotation), _three(translation)))


def _three(values: Any) -> tuple[float, float, float]:
    a, b, c = values
    return float(a), float(b), float(c)


def _lamp(rng: np.random.Generator) -> Lamp:
    height = np.radians(rng.uniform(20, 88))
    around = rng.uniform(0, 2 * np.pi)
    direction = np.array([np.cos(around) * np.cos(height), np.sin(around) * np.cos(height), -np.sin(height)])
    warmth, coolness = rng.normal(0, 0.65), rng.normal(0, 0.3)
    strength = rng.uniform(0.3, 1.0) / max(float(np.sin(height)), 0.4)
    direct = np.array([np.exp(-0.7 * warmth), 1.0, np.exp(0.55 * warmth)]) * strength
    ambient = np.array([np.exp(-0.7 * (warmth + coolness)), 1.0, np.exp(0.55 * (warmth + coolness))])
    return Lamp(direction, direct, ambient * rng.uniform(0.1, 0.8), rng.choice([0.0, 0.1, 0.5, 1.5]) * rng.random())


def _table_and_board(empty: Picture, px_per_mm: float, view: View, rng: np.random.Generator) -> Light:
    """(H, W, 3) linear reflectance of everything flat."""
    width, height = view.camera.size_px
    table = models.any_colour(rng) * 0.6 + 0.02
    coarse = rng.normal(0, 0.25, (int(rng.integers(4, 60)), int(rng.integers(4, 200)))).astype(np.float32)
    grain = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    flat = np.exp(grain)[..., None] * table.astype(np.float32)
    matrix = view.plane_homography() @ np.diag([1 / px_per_mm, 1 / px_per_mm, 1.0])
    inks = ((np.arange(256) / 255) ** (_GAMMA * np.exp(rng.normal(0, 0.12)))).astype(np.float32)
    printed = inks[cv2.warpPerspective(empty, matrix, (width, height), flags=cv2.INTER_LINEAR)]
    tint = (np.exp(rng.normal(0, 0.05, 3)) * rng.uniform(0.75, 1)).astype(np.float32)
    printed = printed * tint + np.float32(rng.uniform(0, 0.03))
    cover = cv2.warpPerspective(np.full(empty.shape[:2], 255, np.uint8), matrix, (width, height))
    return cast(Light, np.where(cover[..., None] > 127, printed, flat))


def _grain(owners: NDArray[np.int32], rng: np.random.Generator) -> Light:
    """(H, W, 1) uneven colour of wood, paint and skin."""
    strength = float(rng.choice([0.0, 0.1, 0.2, 0.3]))
    coarse = rng.normal(0, strength, (owners.shape[0] // 3, owners.shape[1] // 6)).astype(np.float32)
    fine = cv2.resize(coarse, owners.shape[::-1], interpolation=cv2.INTER_LINEAR)
    return cast(Light, np.exp(np.where(owners > 0, fine, np.float32(0)))[..., None])
