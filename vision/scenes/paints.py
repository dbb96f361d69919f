"""Paints and materials of pieces: what one set looks like. The reader knows none of this, on purpose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import cv2
import numpy as np

from vision.scenes.arrays import Rgb, between, chosen, floats, happens, linear_of_srgb, rgb_of_hex, srgb_of_linear
from vision.scenes.clubs import CLUBS
from vision.scenes.huts import HUTS
from vision.scenes.tikis import TIKIS

# Several plausible paints of every colour, as a maker of games might order them.
PAINTS: Mapping[str, tuple[str, ...]] = {
    "violet": ("#5b2a86", "#6a3fa0", "#4b2e83", "#7d4bb3", "#56308f"),
    "pink": ("#e0559c", "#f07fb2", "#d94f8a", "#f29bc1", "#d23c80"),
    "yellow": ("#f2c71a", "#f7d84a", "#e8b90f", "#ffd92e", "#eccb3c"),
    "blue": ("#1f4fb0", "#2b6fd0", "#154a8c", "#3a8ad8", "#1c3f8f"),
    "green": ("#1f8a3c", "#2fa34a", "#0f6b35", "#5cb24a", "#14753f"),
    "orange": ("#f07a1a", "#e8641b", "#f58f2c", "#d9591a", "#ee6f12"),
    "red": ("#b8202a", "#d12f2f", "#a3161f", "#c62828", "#e03a35"),
    "black": ("#1c1c1e", "#26262a", "#141416", "#222024", "#2c2b2a"),
}
COLOURS = tuple(PAINTS)
LEAST_DIFFERENCE = 22.0  # in CIE Lab; a set whose players can't tell two colours apart is not sold


class Surface(NamedTuple):
    """How a material answers light: GGX roughness, reflection at normal incidence, softening of the shade's edge, and
    a mottling of its colour with its size in mm."""

    roughness: float
    shine: float = 0.04
    wrap: float = 0.0
    grain: float = 0.0
    grain_mm: float = 3.0


class PieceSet(NamedTuple):
    """The pieces of one copy of the game. `paints` are linear RGB by colour name; `stretch` is width, depth and
    height."""

    hut: str
    tiki: str
    club: str
    paints: Mapping[str, Rgb]
    surface: Surface
    stretch: tuple[float, float, float]
    wear: float


def make_set(rng: np.random.Generator) -> PieceSet:
    size = between(rng, 0.93, 1.05)
    stretch = (size, size * between(rng, 0.95, 1.05), size * between(rng, 0.93, 1.07))
    return PieceSet(
        hut=chosen(rng, [*HUTS]),
        tiki=chosen(rng, [*TIKIS]),
        club=chosen(rng, [*CLUBS]),
        paints=_make_paints(rng),
        surface=_make_surface(rng),
        stretch=stretch,
        wear=between(rng, 0.0, 1.0) if happens(rng, 0.6) else 0.0,
    )


def _make_surface(rng: np.random.Generator) -> Surface:
    """Matte, satin or glossy plastic, or painted wood."""
    kind = chosen(rng, ("matte", "satin", "satin", "glossy", "wood", "wood"))
    match kind:
        case "matte":
            return Surface(between(rng, 0.55, 0.8), 0.035, 0.05, 0.03)
        case "satin":
            return Surface(between(rng, 0.3, 0.5), 0.045, 0.05, 0.02)
        case "glossy":
            return Surface(between(rng, 0.14, 0.26), 0.05, 0.03, 0.01)
        case _:
            return Surface(between(rng, 0.4, 0.65), 0.04, 0.0, 0.12, between(rng, 1.2, 3.0))


def _make_paints(rng: np.random.Generator) -> dict[str, Rgb]:
    for _ in range(200):
        paints = {name: _mixed(rng, chosen(rng, codes)) for name, codes in PAINTS.items()}
        if _least_difference(paints) >= LEAST_DIFFERENCE:
            break
    return paints


def _mixed(rng: np.random.Generator, code: str) -> Rgb:
    """One batch of a paint: a little off in hue, strength and lightness."""
    shown = srgb_of_linear(floats(rgb_of_hex(code))).reshape(1, 1, 3)
    lab = cv2.cvtColor(shown, cv2.COLOR_RGB2Lab)[0, 0]
    lab = floats(lab + rng.normal(0.0, (2.0, 3.0, 3.0)))
    red, green, blue = np.clip(cv2.cvtColor(lab.reshape(1, 1, 3), cv2.COLOR_Lab2RGB)[0, 0], 0.02, 0.98)
    linear = linear_of_srgb([red, green, blue])
    return float(linear[0]), float(linear[1]), float(linear[2])


def _least_difference(paints: Mapping[str, Rgb]) -> float:
    shown = srgb_of_linear(floats([*paints.values()])).reshape(1, -1, 3)
    lab = cv2.cvtColor(shown, cv2.COLOR_RGB2Lab)[0]
    apart = np.linalg.norm(lab[:, None] - lab[None], axis=2)
    return float(apart[np.triu_indices(len(lab), 1)].min())
