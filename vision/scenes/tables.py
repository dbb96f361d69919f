"""Table tops: wood, cloth, dark veneer, white laminate, checks. Pictures made from nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import cv2
import numpy as np

from vision.scenes.arrays import Floats, Rgb, Words, between, chosen, floats, rgb_of_hex
from vision.scenes.noise import clouds

TILE_PX = 1408
TILE_MM = 800.0


class Table(NamedTuple):
    """A table top. `levels` are mip levels (rows, columns, 3) of linear RGB with 16 bits, each half the size of the
    one before."""

    name: str
    levels: tuple[Words, ...]
    turn_deg: float
    roughness: float
    shine: float


def make_table(rng: np.random.Generator, name: str | None = None) -> Table:
    name = name or chosen(rng, [*TABLES])
    painter, roughness, shine = TABLES[name]
    picture = np.clip(painter(rng), 0.0, 1.0)
    return Table(
        name, mip_levels(words(picture)), between(rng, 0, 360), min(0.98, roughness * between(rng, 0.85, 1.15)), shine
    )


def words(picture: Floats) -> Words:
    return np.asarray(np.clip(picture, 0.0, 1.0) * 65535.0 + 0.5, dtype=np.uint16)


def mip_levels(picture: Words, count: int = 6) -> tuple[Words, ...]:
    levels = [picture]
    while len(levels) < count and min(levels[-1].shape[:2]) >= 16:
        rows, columns = levels[-1].shape[:2]
        small = cv2.resize(levels[-1], (columns // 2, rows // 2), interpolation=cv2.INTER_AREA)
        levels.append(np.asarray(small, dtype=np.uint16))
    return tuple(levels)


def _blend(low: Rgb, high: Rgb, share: Floats) -> Floats:
    """Colours (rows, columns, 3) between two, by shares (rows, columns)."""
    part = np.clip(share, 0.0, 1.0)[..., None]
    return floats(floats(low) * (1 - part) + floats(high) * part)


def _two_tone(rng: np.random.Generator, pairs: tuple[tuple[str, str], ...], share: Floats) -> Floats:
    low, high = chosen(rng, pairs)
    return _blend(rgb_of_hex(low), rgb_of_hex(high), share)


def _planks(rng: np.random.Generator, dark: str, light: str, contrast: float) -> Floats:
    """Boards side by side, each with its own grain and tone, and narrow joints."""
    size = (TILE_PX, TILE_PX)
    grain = clouds(rng, size, (9, 260), 3)
    figure = clouds(rng, size, (3, 14), 3)
    waves = np.sin(figure * 7.0 + clouds(rng, size, (5, 60), 2) * 1.4)
    share = 0.5 + contrast * (0.16 * grain + 0.2 * waves)
    count = int(rng.integers(5, 10))
    edges = np.sort(np.linspace(0, TILE_PX, count + 1)[1:-1] + rng.normal(0, 12, count - 1))
    plank = np.searchsorted(edges, np.arange(TILE_PX))
    share += (rng.normal(0, 0.13, count)[plank])[:, None]
    for index in range(count):  # no two boards come from the same log
        share[plank == index] = np.roll(share[plank == index], int(rng.integers(TILE_PX)), axis=1)
    picture = _blend(rgb_of_hex(dark), rgb_of_hex(light), floats(share))
    distance = np.abs(np.arange(TILE_PX)[:, None] - edges[None]).min(axis=1)
    joint = 1.0 - 0.65 * np.exp(-((distance / 1.6) ** 2))
    return floats(picture * joint[:, None, None])


def _oak(rng: np.random.Generator) -> Floats:
    return _planks(rng, *chosen(rng, (("#8a5a2c", "#d2a468"), ("#7d5530", "#c49a5f"), ("#a0714a", "#e0bd8a"))), 0.9)


def _pale(rng: np.random.Generator) -> Floats:
    return _planks(rng, *chosen(rng, (("#a58c6c", "#dcc8a6"), ("#8f877b", "#cfc8bb"))), 0.7)


def _walnut(rng: np.random.Generator) -> Floats:
    return _planks(rng, *chosen(rng, (("#2a1a12", "#5d4029"), ("#33201a", "#6b4632"), ("#1c1512", "#3f2e25"))), 0.9)


def _veneer(rng: np.random.Generator) -> Floats:
    size = (TILE_PX, TILE_PX)
    share = 0.5 + 0.2 * np.sin(clouds(rng, size, (2, 9), 3) * 9) + 0.18 * clouds(rng, size, (12, 300), 2)
    return _two_tone(rng, (("#5f3a1e", "#a8733f"), ("#a9814f", "#dfbd85")), floats(share))


def _laminate(rng: np.random.Generator) -> Floats:
    size = (TILE_PX, TILE_PX)
    speckle = clouds(rng, size, (400, 400), 1) * 0.05 + clouds(rng, size, (6, 6), 3) * 0.08
    pairs = (("#c9c6c0", "#f4f2ee"), ("#d6d8da", "#fafafa"), ("#3a3b3d", "#5a5c5f"))
    return _two_tone(rng, pairs, floats(0.6 + speckle))


def _cloth(rng: np.random.Generator) -> Floats:
    """A woven cloth in one colour, with soft creases."""
    size = (TILE_PX, TILE_PX)
    thread = np.arange(TILE_PX) * (2 * np.pi / between(rng, 2.6, 4.5))
    weave = np.sin(thread)[None] * np.sin(thread)[:, None]
    share = 0.5 + 0.22 * weave + 0.12 * clouds(rng, size, (500, 500), 1) + 0.12 * clouds(rng, size, (4, 4), 3)
    code = chosen(rng, ("#7a2430", "#2e4a3a", "#2b3a5c", "#d8d2c4", "#5b5f66", "#b9a27c", "#3f6f7a"))
    colour = floats(rgb_of_hex(code))
    return floats(colour * (0.55 + 0.9 * np.clip(share, 0, 1))[..., None])


def _checks(rng: np.random.Generator) -> Floats:
    """A checked café cloth."""
    size = (TILE_PX, TILE_PX)
    step = between(rng, 12, 40) * TILE_PX / TILE_MM
    stripe = floats(np.floor(np.arange(TILE_PX) / step).astype(int) % 2)
    amount = 0.5 * (stripe[None] + stripe[:, None])
    dark = rgb_of_hex(chosen(rng, ("#b3202c", "#2a5aa0", "#2f7a46", "#4a4a4a", "#d08a2a")))
    cloth = _blend(rgb_of_hex("#efece4"), dark, floats(amount * 0.92))
    return floats(
        cloth * (1 + 0.06 * clouds(rng, size, (500, 500), 1) + 0.06 * clouds(rng, size, (5, 5), 2))[..., None]
    )


def _dark(rng: np.random.Generator) -> Floats:
    size = (TILE_PX, TILE_PX)
    share = 0.4 + 0.15 * clouds(rng, size, (300, 300), 2) + 0.15 * clouds(rng, size, (5, 5), 3)
    return _blend(rgb_of_hex("#0d0d0f"), rgb_of_hex("#2c2b2d"), floats(share))


def _stone(rng: np.random.Generator) -> Floats:
    size = (TILE_PX, TILE_PX)
    vein = np.exp(-np.abs(clouds(rng, size, (3, 5), 6)) * 30) * np.clip(0.5 + clouds(rng, size, (6, 6), 2) * 0.6, 0, 1)
    share = 0.75 + 0.12 * clouds(rng, size, (8, 8), 6) - 0.35 * vein
    return _two_tone(rng, (("#77787a", "#ecebe8"), ("#4c4a48", "#a9a39b")), floats(share))


Painter = Callable[[np.random.Generator], Floats]
# Painter, roughness, reflection at normal incidence.
TABLES: dict[str, tuple[Painter, float, float]] = {
    "oak": (_oak, 0.5, 0.04),
    "pale": (_pale, 0.6, 0.03),
    "walnut": (_walnut, 0.42, 0.04),
    "veneer": (_veneer, 0.35, 0.045),
    "laminate": (_laminate, 0.45, 0.04),
    "cloth": (_cloth, 0.95, 0.01),
    "checks": (_checks, 0.95, 0.01),
    "dark": (_dark, 0.6, 0.03),
    "stone": (_stone, 0.4, 0.04),
}
