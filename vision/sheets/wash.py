"""The painted ground of a board: a watercolour of sea, lagoons and grounds, made from the island's fields."""

from __future__ import annotations

from typing import cast

import cv2
import numpy as np

from vision.sheets.canvas import Colour, Picture
from vision.sheets.colours import FOAM, GROUND, HINTERLAND, PAPER, SEA, SHORE
from vision.sheets.fields import Field, blurred, layered_noise
from vision.sheets.geometry import DPI, size_px
from vision.sheets.island import LAGOON, Island

_PX = DPI / 25.4  # pixels per mm
_DEPTHS = (7.0, 17.0, 31.0)  # mm off the coast where the sea grows deeper
_HINTERLAND_FROM, _HINTERLAND_TO = 16.0, 23.0  # mm from the nearest sites


def painted(island: Island, rng: np.random.Generator) -> Picture:
    """The ground under the whole artwork, at the resolution of the printed picture."""
    width, height = size_px((island.grid.area.width, island.grid.area.height))
    shape = (height, width)
    wobble = layered_noise(shape, (9 * _PX, 2.5 * _PX, 0.8 * _PX), rng) * 0.45
    land, lagoon = _enlarged(island.land, shape) + wobble, _enlarged(island.lagoon, shape) + wobble
    bloom = layered_noise(shape, (42 * _PX, 16 * _PX, 5 * _PX), rng)

    colour = _sea(land, lagoon, bloom)
    colour = mixed(colour, GROUND[LAGOON], step(lagoon, -0.4, 0.4))
    colour = mixed(colour, SHORE, step(land, -0.25, 0.25))
    colour = _grounds(colour, island, land + bloom * 0.6)
    density = 1.0 + 0.13 * bloom + 0.05 * layered_noise(shape, (0.9 * _PX, 0.4 * _PX), rng)
    density += pooled(land, 0.5, 0.34) + pooled(lagoon, 0.45, 0.2) * (land < 0)
    return _on_paper(colour, density, wobble)


def _sea(land: Field, lagoon: Field, bloom: Field) -> Field:
    """Open water that deepens in soft steps away from the coast, with a line of foam along it."""
    depth = -np.maximum(land, lagoon)
    colour = np.empty((3, *land.shape), np.float32)  # one plane per colour, which is faster than one triple per pixel
    colour[:] = np.asarray(SEA[0], np.float32)[:, None, None]
    for level, tone in zip(_DEPTHS, SEA[1:], strict=True):
        colour = mixed(colour, tone, step(depth + bloom * level * 0.22, level - 0.8, level + 0.8))
    foam = np.exp(-(((depth - 1.7) / 0.55) ** 2)) * (0.75 + 0.25 * bloom)
    return mixed(colour, FOAM, np.clip(foam, 0.0, 1.0))


def _grounds(colour: Field, island: Island, land: Field) -> Field:
    """Each sector's ground over the sand of the shore, and the green hinterland far from all sites."""
    shape = land.shape
    names = np.array([name for _, name in island.sectors])[island.owner]
    for name in sorted({name for _, name in island.sectors} - {LAGOON}):
        share = _enlarged(blurred((names == name).astype(np.float32), 0.45), shape)
        colour = mixed(colour, GROUND[name], share * step(land, 1.4, 2.6))
    near = _enlarged(blurred(island.reach.min(axis=0), 1.0), shape)
    inner = step(near, _HINTERLAND_FROM, _HINTERLAND_TO)
    is_bank = _enlarged(blurred((names == LAGOON).astype(np.float32), 1.0), shape)
    return mixed(colour, HINTERLAND, np.maximum(inner, is_bank * 0.9) * step(land, 2.0, 4.5))


def _on_paper(colour: Field, density: Field, wobble: Field) -> Picture:
    """Colour as pigment on white paper, with the uneven rim of a picture that was painted by hand."""
    height, width = density.shape
    y, x = np.ogrid[:height, :width]
    rim = (np.minimum(np.minimum(x, width - 1 - x), np.minimum(y, height - 1 - y)) / _PX).astype(
        np.float32
    ) + wobble * 1.6
    density = (density + pooled(rim - 1.6, 0.7, 0.3)) * step(rim, 1.0, 1.8)
    white = np.float32(PAPER[0])
    planes = [np.clip(white - (white - plane) * density, 0, 255).astype(np.uint8) for plane in colour]
    return cast(Picture, cv2.merge(planes))


def pooled(depth: Field, reach: float, strength: float) -> Field:
    """Pigment gathers along the inside of a painted edge."""
    return cast(Field, strength * np.exp(-np.abs(depth) / reach) * (depth > 0))


def mixed(colour: Field, other: Colour, share: Field) -> Field:
    """The picture with that share of another colour painted into it, in place."""
    for plane, tone in enumerate(other):
        colour[plane] += (np.float32(tone) - colour[plane]) * share
    return colour


def step(field: Field, low: float, high: float) -> Field:
    """0 below `low`, 1 above `high`, and a smooth way between."""
    t = np.clip((field - low) / (high - low), 0.0, 1.0)
    return cast(Field, (t * t * (3.0 - 2.0 * t)).astype(np.float32))


def _enlarged(field: Field, shape: tuple[int, ...]) -> Field:
    return cast(Field, cv2.resize(field, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR))
