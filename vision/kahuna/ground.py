"""The painted ground: a sea that deepens away from twelve islands, each with a beach and a ground of its own."""

from __future__ import annotations

from typing import cast

import cv2
import numpy as np

from vision.kahuna.characters import CHARACTERS
from vision.kahuna.colours import BEACH, FOAM, SEA
from vision.kahuna.layout import ISLAND_MM, KahunaSheet
from vision.sheets.canvas import Picture, Point
from vision.sheets.colours import PAPER
from vision.sheets.fields import GRID, Field, Grid, layered_noise
from vision.sheets.geometry import DPI, size_px
from vision.sheets.wash import mixed, pooled, step

_PX = DPI / 25.4  # pixels per mm
_DEPTHS = (5.0, 11.0, 20.0)  # mm off the coast where the sea grows deeper
_BEACH_MM = 1.7


def lands(sheet: KahunaSheet, grid: Grid, rng: np.random.Generator) -> Field:
    """How deep each grid point lies in each island, in mm, negative outside; one layer per island."""
    wobble = layered_noise(grid.shape, (26 * GRID, 11 * GRID, 4 * GRID), rng) * 3.6
    return cast(Field, np.stack([_land(grid, middle, rng) + wobble for middle in sheet.islands_mm.values()]))


def _land(grid: Grid, middle: Point, rng: np.random.Generator) -> Field:
    """A round island whose coast swings in two and three waves around it."""
    x, y = grid.x - middle[0], grid.y - middle[1]
    angle = np.arctan2(y, x)
    two, three = rng.uniform(0, 2 * np.pi, 2)
    swing = 1.0 + 0.1 * np.cos(2 * angle + two) + 0.06 * np.cos(3 * angle + three)
    return cast(Field, (ISLAND_MM / 2 * swing - np.hypot(x, y)).astype(np.float32))


def painted(sheet: KahunaSheet, layers: Field, rng: np.random.Generator) -> Picture:
    """The ground under the whole artwork, at the resolution of the printed picture."""
    width, height = size_px((sheet.art_mm.width, sheet.art_mm.height))
    shape = (height, width)
    ripple = layered_noise(shape, (2.5 * _PX, 0.8 * _PX), rng) * np.float32(0.35)
    bloom = layered_noise(shape, (44 * _PX, 17 * _PX, 5 * _PX), rng)
    land = _enlarged(layers.max(axis=0), shape) + ripple
    colour = _sea(land, bloom)
    mixed(colour, BEACH, step(land, -0.25, 0.25))
    owner = layers.argmax(axis=0)
    for index, island in enumerate(sheet.islands_mm):
        own = _enlarged((owner == index).astype(np.float32), shape)
        mixed(colour, CHARACTERS[island].ground, own * step(land + bloom * 0.5, _BEACH_MM, _BEACH_MM + 1.0))
    density = 1.0 + 0.1 * bloom + 0.04 * layered_noise(shape, (0.9 * _PX, 0.4 * _PX), rng)
    density = density + pooled(land, 0.5, 0.22) + pooled(land - np.float32(_BEACH_MM), 0.7, 0.16)
    return _on_paper(colour, density.astype(np.float32), ripple)


def _sea(land: Field, bloom: Field) -> Field:
    """(3, H, W): water that deepens in soft steps, with a line of foam along the coasts."""
    colour = np.empty((3, *land.shape), np.float32)
    colour[:] = np.asarray(SEA[0], np.float32)[:, None, None]
    for level, tone in zip(_DEPTHS, SEA[1:], strict=True):
        mixed(colour, tone, step(-land + bloom * np.float32(level * 0.2), level - 1.2, level + 1.2))
    mixed(colour, FOAM, (np.exp(-(((-land - 1.5) / 0.45) ** 2)) * 0.8).astype(np.float32))
    return colour


def _on_paper(colour: Field, density: Field, ripple: Field) -> Picture:
    """Colour as pigment on white paper, with the uneven rim of a picture that was painted by hand."""
    height, width = density.shape
    y, x = np.ogrid[:height, :width]
    edge = np.minimum(np.minimum(x, width - 1 - x), np.minimum(y, height - 1 - y)) / _PX
    rim = edge.astype(np.float32) + ripple * np.float32(1.6)
    density = (density + pooled(rim - 1.6, 0.7, 0.2)) * step(rim, 1.0, 1.8)
    white = np.float32(PAPER[0])
    planes = [np.clip(white - (white - plane) * density, 0, 255).astype(np.uint8) for plane in colour]
    return cast(Picture, cv2.merge(planes))


def _enlarged(field: Field, shape: tuple[int, ...]) -> Field:
    return cast(Field, cv2.resize(field, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR))
