"""Makis and Wasabis as solids, for scenes: many makers' ideas of one. The reader knows none of this, on purpose.

A maki stands about the origin, its south face towards -y. It comes in parts: what shows the south colour, what shows
the north colour, and the rest of its body.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from vision.scenes.arrays import Floats, Rgb, between, chosen, floats, happens, rgb_of_hex
from vision.scenes.mesh import (
    Mesh,
    circle,
    merged,
    moved,
    painted,
    prism,
    rectangle,
    rounded_rectangle,
    transformed,
    turn_about,
    turned,
)
from vision.scenes.paints import Surface

PAINTS: Mapping[str, tuple[str, ...]] = {
    "red": ("#c0262c", "#d8372f", "#a81d26", "#e2493f", "#b3202f"),
    "green": ("#23873d", "#3aa54c", "#186b36", "#57b054", "#2e9158"),
    "yellow": ("#f3c921", "#f8dc4c", "#e9bb14", "#ffd83a", "#eecf45"),
    "blue": ("#2152ae", "#2f72cc", "#1a478c", "#3f8cd6", "#223f96"),
    "black": ("#1b1b1d", "#262629", "#151517", "#222125", "#2d2c2b"),
}
_BODIES = ("#e9ddc3", "#d9b988", "#f2efe8", "#c49a6c", "#20211f", "#8d8f92", "#efe3d0")
_WASABIS = ("#7fae4e", "#8dbb5a", "#6a9c3f", "#a5c76b", "#4f8f46", "#93b443")
_NORI, _RICE = ("#1c241e", "#232a20", "#161b18"), ("#f1ede2", "#e8e4d8", "#f5f2ea")
_STICKER_MM = 0.25


class Parts(NamedTuple):
    """White meshes: what takes the colours to the south and to the north; and the body in its own colours."""

    south: Mesh
    north: Mesh
    body: Mesh


class MakiSet(NamedTuple):
    """One copy's pieces: size (across, deep, high) in mm; paints are linear RGB."""

    model: str
    size_mm: tuple[float, float, float]
    parts: Parts
    paints: Mapping[str, Rgb]
    surface: Surface
    wasabi: Mesh


def make_makis(rng: np.random.Generator) -> MakiSet:
    model = chosen(rng, [*MODELS])
    width = between(rng, 20.0, 25.0)
    size = (width, between(rng, 18.0, 25.0), width if model in ("drum", "roll") else between(rng, 19.0, 26.0))
    surface = Surface(between(rng, 0.22, 0.8), between(rng, 0.035, 0.05), 0.04, chosen(rng, (0.01, 0.03, 0.1)), 2.0)
    paints = {name: _batch(rng, chosen(rng, codes)) for name, codes in PAINTS.items()}
    return MakiSet(model, size, MODELS[model](rng, size), paints, surface, _wasabi(rng))


def _batch(rng: np.random.Generator, code: str) -> Rgb:
    """A paint as one pot of it came out."""
    red, green, blue = floats(rgb_of_hex(code)) * np.exp(rng.normal(0.0, 0.07, 3)) * np.exp(rng.normal(0.0, 0.08))
    return float(np.clip(red, 0.006, 0.95)), float(np.clip(green, 0.006, 0.95)), float(np.clip(blue, 0.006, 0.95))


Size = tuple[float, float, float]


def _upright(mesh: Mesh, deep: float, high: float) -> Mesh:
    """A solid drawn along z from 0 to `deep` about the origin, turned to reach from the south to the north face."""
    lying = transformed(moved(mesh, (0.0, 0.0, -deep / 2)), turn_about("x", 90.0))
    return moved(lying, (0.0, 0.0, high / 2))


def _stickers(outline: Floats, size: Size) -> tuple[Mesh, Mesh]:
    """A flat patch on each face, in the middle of it."""
    _, deep, high = size
    patch = _upright(prism(outline, 0.0, _STICKER_MM), _STICKER_MM, high)
    out = deep / 2 + _STICKER_MM / 4
    return moved(patch, (0.0, -out, 0.0)), moved(patch, (0.0, out, 0.0))


def _block(rng: np.random.Generator, size: Size) -> Mesh:
    outline = rounded_rectangle(size[0], size[1], between(rng, 0.8, 3.0)) if happens(rng, 0.5) else rectangle(*size[:2])
    return prism(outline, 0.0, size[2], between(rng, 0.3, 1.2))


def plain_block(rng: np.random.Generator, size: Size) -> Parts:
    """A block of wood or plastic whose two faces are painted from edge to edge."""
    south, north = _stickers(rectangle(size[0] - 1.6, size[2] - 1.6, 0.6), size)
    return Parts(south, north, painted(prism(rectangle(*size[:2], 0.5), 0.0, size[2], 0.5), _body(rng)))


def round_stickers(rng: np.random.Generator, size: Size) -> Parts:
    """A rounded block with a round patch on each face."""
    south, north = _stickers(circle(min(size[0], size[2]) / 2 * between(rng, 0.72, 0.92), 28), size)
    return Parts(south, north, painted(_block(rng, size), _body(rng)))


def square_stickers(rng: np.random.Generator, size: Size) -> Parts:
    share = between(rng, 0.7, 0.9)
    south, north = _stickers(rounded_rectangle(size[0] * share, size[2] * share, 2.0), size)
    return Parts(south, north, painted(_block(rng, size), _body(rng)))


def two_halves(rng: np.random.Generator, size: Size) -> Parts:
    """A block of two glued halves, each in its colour through and through."""
    half = prism(rectangle(size[0], size[1] / 2, 0.4), 0.0, size[2], between(rng, 0.2, 0.8))
    return Parts(moved(half, (0.0, -size[1] / 4, 0.0)), moved(half, (0.0, size[1] / 4, 0.0)), merged([]))


def round_halves(rng: np.random.Generator, size: Size) -> Parts:
    """An upright cylinder of two half rounds."""
    angle = np.linspace(np.pi, 2 * np.pi, 18)
    radius = size[0] / 2
    south = floats(np.column_stack([np.cos(angle), np.sin(angle)]) * radius)
    return Parts(
        prism(south, 0.0, size[2], 0.0, around=False),
        prism(floats(-south), 0.0, size[2], 0.0, around=False),
        merged([]),
    )


def drum(rng: np.random.Generator, size: Size) -> Parts:
    """A lying cylinder: its two round ends are the faces."""
    south, north = _stickers(circle(size[0] / 2 - between(rng, 0.5, 2.2), 32), size)
    body = _upright(prism(circle(size[0] / 2, 32), 0.0, size[1], 0.5, around=True), size[1], size[2])
    return Parts(south, north, painted(body, _body(rng)))


def roll(rng: np.random.Generator, size: Size) -> Parts:
    """What a cook makes: seaweed around rice around a filling, which is the colour."""
    radius = size[0] / 2
    body = _upright(prism(circle(radius, 32), 0.0, size[1], 0.5, around=True), size[1], size[2])
    rice = _stickers(circle(radius * between(rng, 0.86, 0.92), 30), size)
    share = between(rng, 0.55, 0.74)
    side = radius * share * 1.7
    filling = circle(radius * share, 24) if happens(rng, 0.6) else rounded_rectangle(side, side, 2.5)
    cores = _stickers(filling, (size[0], size[1] + 2 * _STICKER_MM, size[2]))
    nori, white = rgb_of_hex(chosen(rng, _NORI)), rgb_of_hex(chosen(rng, _RICE))
    return Parts(*cores, merged([painted(body, nori), *(painted(one, white) for one in rice)]))


def _body(rng: np.random.Generator) -> Rgb:
    return rgb_of_hex(chosen(rng, _BODIES))


MODELS: Mapping[str, Callable[[np.random.Generator, Size], Parts]] = {
    "plain block": plain_block,
    "round stickers": round_stickers,
    "square stickers": square_stickers,
    "two halves": two_halves,
    "round halves": round_halves,
    "drum": drum,
    "roll": roll,
}


def _wasabi(rng: np.random.Generator) -> Mesh:
    """A dollop, a dome or a twisted heap."""
    radius, high = between(rng, 7.0, 9.5), between(rng, 8.0, 13.0)
    kind = chosen(rng, ("dome", "heap", "twist"))
    share = np.linspace(0.0, 1.0, 10)
    sag = {"dome": 0.5, "heap": 0.9, "twist": 0.7}[kind]
    twist = 0.08 * np.sin(share * 14) * (kind == "twist")
    reach = radius * (1 - share) ** sag * (1.0 + twist)
    profile = [(float(wide), float(up)) for wide, up in zip(reach, high * share, strict=True)]
    tone = floats(rgb_of_hex(chosen(rng, _WASABIS))) * between(rng, 0.8, 1.15)
    return painted(turned(profile, 20, along=True), (float(tone[0]), float(tone[1]), float(tone[2])))
