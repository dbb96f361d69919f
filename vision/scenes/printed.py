"""The board as it lies on the table: its print, how the paper warps and folds, and how it shines."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np

from companion.games.makabana.board import load_board
from vision.scenes.arrays import Bytes, Floats, Rgb, Words, Xy, between, chosen, floats, happens, linear_of_srgb
from vision.scenes.tables import mip_levels, words
from vision.sheets.geometry import DPI, Sheet, sheet_geometry

DOTS_PER_MM = DPI / 25.4
RELIEF_MM = 2.0  # cells of the height map


class Print(NamedTuple):
    """A board's picture: mip levels (rows, columns, 4) of linear RGB and coverage with 16 bits."""

    levels: tuple[Words, ...]


class Paper(NamedTuple):
    """One copy of a board. Heights and lengths in mm; `gains`, `gamma` and `saturation` are the printer's errors."""

    thickness: float
    curls: tuple[float, float, float, float]  # how far each corner lifts, anticlockwise from the lower left
    wave: Xy  # height and length of a gentle wave
    folds: tuple[tuple[str, float, float], ...]  # axis, where, and height of the crease
    gains: Rgb
    gamma: float
    saturation: float
    roughness: float
    shine: float
    edge: Rgb = (0.6, 0.58, 0.54)


@lru_cache(maxsize=4)
def sheet_of(board: str) -> Sheet:
    return sheet_geometry(load_board(board))


@lru_cache(maxsize=3)
def print_of(board: str, markers: bool = True) -> Print:
    """A board's print, drawn once: it takes seconds. Without markers it is an owner's bought copy, in stronger inks."""
    picture = board_pixels(board)
    if not markers:
        picture = _without_frame(picture, sheet_of(board))
    light = linear_of_srgb(np.arange(256) / 255.0)
    coloured = words(light)[picture]
    full = np.full((*picture.shape[:2], 1), 65535, np.uint16)
    return Print(mip_levels(np.concatenate([coloured, full], axis=2)))


@lru_cache(maxsize=4)
def board_pixels(board: str) -> Bytes:
    """The sheet's picture as printed: RGB, 200 dpi."""
    from vision.sheets.artwork import plan_art
    from vision.sheets.boards import board_picture

    return np.asarray(board_picture(plan_art(sheet_of(board))), dtype=np.uint8)


def _without_frame(picture: Bytes, sheet: Sheet) -> Bytes:
    """The artwork alone, in deeper colours, on a board with a plain border."""
    art = sheet.art_mm
    left, right = (round(side * DOTS_PER_MM) for side in (art.left, art.right))
    top, bottom = (round(side * DOTS_PER_MM) for side in (art.top, art.bottom))
    deep = floats(picture) / 255.0
    grey = deep.mean(axis=2, keepdims=True)
    deep = np.clip(grey + (deep - grey) * 1.9, 0, 1) ** 1.7
    bought = np.empty_like(picture)
    bought[:] = (34, 62, 92)
    bought[top:bottom, left:right] = (deep[top:bottom, left:right] * 255).astype(np.uint8)
    return bought


def flat_paper(rng: np.random.Generator) -> Paper:
    """A board mounted on card, lying flat."""
    return Paper(
        between(rng, 0.6, 2.2),
        (0, 0, 0, 0),
        (between(rng, 0, 0.1), 300.0),
        (),
        *_inks(rng, 0.4),
        between(rng, 0.5, 0.75),
        0.035,
    )


def used_paper(rng: np.random.Generator) -> Paper:
    """A print that has been rolled or folded, sometimes varnished or behind film."""
    curls = [max(0.0, float(rng.normal(0.4, 0.9))) for _ in range(4)]
    roughness = between(rng, 0.42, 0.68)
    wave = (between(rng, 0.0, 0.4), between(rng, 180, 420))
    return Paper(
        _thickness(rng),
        (curls[0], curls[1], curls[2], curls[3]),
        wave,
        _folds(rng, 0.5),
        *_inks(rng, 1.0),
        roughness,
        0.04,
    )


def worn_paper(rng: np.random.Generator) -> Paper:
    """A warped and glossy sheet."""
    curls = [max(0.0, float(rng.normal(1.2, 1.8))) for _ in range(4)]
    roughness = between(rng, 0.2, 0.5)
    wave = (between(rng, 0.1, 0.7), between(rng, 150, 400))
    return Paper(
        _thickness(rng),
        (curls[0], curls[1], curls[2], curls[3]),
        wave,
        _folds(rng, 0.7),
        *_inks(rng, 1.5),
        roughness,
        0.045,
    )


def _thickness(rng: np.random.Generator) -> float:
    return between(rng, 1.2, 2.6) if happens(rng, 0.6) else 0.25


def _folds(rng: np.random.Generator, chance: float) -> tuple[tuple[str, float, float], ...]:
    """Creases where a board is folded in halves, thirds or quarters."""
    if not happens(rng, chance):
        return ()
    kind = chosen(rng, ("half", "cross", "six"))
    height = between(rng, -0.5, 0.6)
    upright = {"half": [0.0], "cross": [0.0], "six": [-1 / 6, 1 / 6]}[kind]
    level = {"half": [], "cross": [0.0], "six": [0.0]}[kind]
    folds = [("x", share * 420.0, height) for share in upright] + [
        ("y", share * 297.0, height * 0.7) for share in level
    ]
    return tuple(folds)


def _inks(rng: np.random.Generator, error: float) -> tuple[Rgb, float, float]:
    """Gains, gamma and saturation of a home printer: ink is never quite what the screen showed."""
    gains = 0.88 + rng.normal(0, 0.025 * error, 3)
    return (
        (float(gains[0]), float(gains[1]), float(gains[2])),
        float(np.exp(rng.normal(0.04, 0.09 * error))),
        1 + float(rng.normal(0, 0.09 * error)),
    )


def relief_of(paper: Paper, size_mm: Xy) -> Floats:
    """Heights in mm (rows, columns) on a grid of `RELIEF_MM` over the sheet, rows from the low edge upwards."""
    columns, rows = (round(side / RELIEF_MM) for side in size_mm)
    x, y = np.meshgrid(*(floats((np.arange(count) + 0.5) / count * 2 - 1) for count in (columns, rows)))
    height = np.zeros((rows, columns), np.float32)
    for curl, (sx, sy) in zip(paper.curls, ((-1, -1), (1, -1), (1, 1), (-1, 1)), strict=True):
        corner = np.maximum(0.0, (sx * x + sy * y) / 2 - 0.45) / 0.55
        height += curl * corner**2
    length = paper.wave[1]
    height += paper.wave[0] * (1 + np.sin(x * size_mm[0] / length * 3.1 + y * 2.0)) / 2
    for axis, where, lift in paper.folds:
        across = np.abs((x * size_mm[0] if axis == "x" else y * size_mm[1]) / 2 - where)
        height += lift * np.maximum(0.0, 1 - across / 25.0) ** 2
    return floats(cv2.GaussianBlur(np.maximum(height, 0.0), (0, 0), 0.8))


def inked(paper: Paper, albedo: Floats) -> Floats:
    """What the printer made of the picture's linear RGB (rows, columns, 3)."""
    grey = albedo.mean(axis=2, keepdims=True)
    strong = np.maximum(grey + (albedo - grey) * paper.saturation, 0.0)
    # Black ink still reflects a little, and white paper not everything.
    return floats(0.022 + 0.978 * strong**paper.gamma * floats(paper.gains))
