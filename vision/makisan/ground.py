"""The painted grounds of the mat: bamboo slats held by thread, and the lacquer of the tray. Pixels, red green blue."""

from __future__ import annotations

from typing import cast

import cv2
import numpy as np

from vision.sheets.canvas import Colour, Picture
from vision.sheets.fields import Field, layered_noise
from vision.sheets.geometry import DPI, Box, size_px

_PX = DPI / 25.4
SLAT_MM = 5.5
_STRAW: tuple[Colour, ...] = ((243, 231, 199), (240, 227, 191), (246, 235, 207), (238, 226, 196), (241, 232, 204))
_NODE: Colour = (205, 184, 136)
_GAP: Colour = (176, 152, 106)
_LACQUER: Colour = (112, 30, 34)
_GLOW: Colour = (150, 48, 44)


def bamboo(area: Box, rng: np.random.Generator) -> Picture:
    """Slats from left to right, each rounded, with its own tint, grain and now and then a node."""
    width, height = size_px((area.width, area.height))
    y = (np.arange(height, dtype=np.float32) + 0.5) / _PX
    slat = np.minimum(y / SLAT_MM, area.height / SLAT_MM - 1e-3).astype(int)
    across = y / SLAT_MM - slat  # 0 at a slat's upper edge, 1 at its lower
    tints = np.array([_STRAW[int(rng.integers(len(_STRAW)))] for _ in range(slat.max() + 1)], np.float32)
    colour = np.repeat(tints[slat][:, None], width, axis=1)
    colour *= (1.0 + 0.022 * _grain((height, width), rng))[..., None]
    colour *= (1.0 - 0.05 * (across - 0.35) ** 2 * 4)[:, None, None]
    for number in range(slat.max() + 1):
        _add_nodes(colour, number, width, rng)
    edge = np.clip(1.0 - np.minimum(across, 1.0 - across) * SLAT_MM / 0.28, 0.0, 1.0)
    return _mixed(colour, _GAP, edge[:, None] * np.float32(0.8))


def _grain(shape: tuple[int, int], rng: np.random.Generator) -> Field:
    """Fibres along the slats."""
    small = layered_noise((shape[0], max(8, shape[1] // 24)), (1.0 * _PX, 0.35 * _PX), rng)
    return cast(Field, cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC))


def _add_nodes(colour: Field, number: int, width: int, rng: np.random.Generator) -> None:
    """The rings of a cane, far apart and at another place on every slat."""
    top, bottom = round((number * SLAT_MM + 0.3) * _PX), round(((number + 1) * SLAT_MM - 0.3) * _PX)
    for start in rng.uniform(0.0, 130.0) + np.arange(0.0, 400.0, 140.0):
        x = round(float(start) * _PX)
        for offset, strength in ((0, 0.75), (round(0.55 * _PX), 0.35)):
            left, right = x + offset, x + offset + max(1, round(0.28 * _PX))
            if right < width:
                part = colour[top:bottom, left:right]
                part += (np.array(_NODE, np.float32) - part) * np.float32(strength)


def lacquer(area: Box, rng: np.random.Generator) -> Picture:
    """Deep red, a little lighter towards the middle, with the soft clouds of many coats."""
    width, height = size_px((area.width, area.height))
    y, x = np.ogrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    clouds = layered_noise((height, width), (60 * _PX, 22 * _PX), rng)
    glow = np.clip(1.1 - np.hypot(x * 0.8, y), 0.0, 1.0) + 0.16 * clouds
    colour = np.broadcast_to(np.array(_LACQUER, np.float32), (height, width, 3)).copy()
    return _mixed(colour, _GLOW, np.clip(glow, 0.0, 1.0).astype(np.float32))


def _mixed(colour: Field, other: Colour, share: Field) -> Picture:
    mixed = colour + (np.array(other, np.float32) - colour) * share[..., None]
    return cast(Picture, np.clip(mixed, 0, 255).astype(np.uint8))
