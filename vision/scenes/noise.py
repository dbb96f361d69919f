"""Noise for grain, cloth and clouds, built by enlarging small random pictures."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

from vision.scenes.arrays import Floats, floats


def clouds(rng: np.random.Generator, size: tuple[int, int], cells: tuple[float, float], octaves: int = 3) -> Floats:
    """Smooth noise (rows, columns) about 0 with a spread near 1. `size` and `cells` are (across, down): how many
    bumps."""
    total = np.zeros((size[1], size[0]), np.float32)
    weight = 0.0
    for octave in range(octaves):
        across, down = (max(2, round(count * 2**octave)) for count in cells)
        small = floats(rng.standard_normal((min(down, size[1]), min(across, size[0]))))
        share = 0.55**octave
        total += share * floats(cv2.resize(small, size, interpolation=cv2.INTER_CUBIC))
        weight += share * share
    return floats(total / np.sqrt(weight))


@cache
def mottling() -> Floats:
    """A fixed noise tile (256, 256) between about -1 and 1, for the grain of materials."""
    noise = clouds(np.random.default_rng(7), (256, 256), (64, 64), 2)
    return floats(np.clip(noise / 2, -1, 1))


def mottled(points: Floats, cell_mm: float) -> Floats:
    """Noise at points (N, 3), the same at the same place."""
    tile = mottling()
    x, y, z = points[:, 0], points[:, 1], points[:, 2]
    scale = 4.0 / cell_mm
    column = np.floor((x + 0.71 * z) * scale).astype(np.int64) & 255
    row = np.floor((y + 0.43 * z) * scale).astype(np.int64) & 255
    return floats(tile[row, column])
