"""What stands on the places of a training picture, and how people set it down."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from vision.locate.pose import Floats
from vision.training import models
from vision.training.painter import Thing
from vision.training.solids import Mesh, leaning, placed

_HUT_MM, _TIKI_MM = 7.4, 4.9  # radius that pieces keep free
_TRIES = 12
_LEANING = 0.12  # share of pieces that do not stand quite upright


class Standing(NamedTuple):
    """What stands on one place: index of its colour or -1."""

    base: int
    tiki: int


class PieceSet(NamedTuple):
    """One box of pieces: models by kind, whether all of a kind are alike, colours, and how clear they are."""

    models: dict[str, Mesh]
    all_alike: bool
    palette: list[Floats]
    clear: float


class Spot(NamedTuple):
    at_mm: Floats  # (2,)
    radius_mm: float
    height_mm: float = 0.0


def piece_set(rng: np.random.Generator) -> PieceSet:
    hut = models.hut(rng)
    corners = np.concatenate(hut.faces)
    kinds = {"hut": hut, "tiki": models.tiki(rng, *corners[:, [0, 2]].max(axis=0)), "token": models.token(rng)}
    palette = [models.colour_of(name, rng) for name in models.COLOURS]
    clear = rng.uniform(0.2, 0.6) if rng.random() < 0.07 else 0.0
    return PieceSet(kinds, rng.random() < 0.88, palette, clear)


def pieces(places_mm: Floats, sites: int, rng: np.random.Generator) -> tuple[tuple[Standing, ...], list[Thing]]:
    """A position drawn by chance on (N, 2) places, of which the first `sites` take huts and the others tokens.

    Pieces keep off each other, though now and then they are squeezed.
    """
    box = piece_set(rng)
    standing = _position(len(places_mm), rng)
    careful, squeeze = rng.choice([1.5, 3.5, 6.0], p=[0.3, 0.35, 0.35]), rng.choice([0.0, 1.0, 2.0])
    taken: list[Spot] = []
    things = []
    for place in rng.permutation(len(places_mm)):
        at, state, base = places_mm[place], standing[place], "hut" if place < sites else "token"
        spots = _set_down(at, state, base, (careful, squeeze), taken, rng)
        taken += [spot for spot in spots if spot is not None]
        for part, (kind, colour, spot) in enumerate(zip((base, "tiki"), state, spots, strict=True)):
            if spot is not None:
                things.append(_thing(box, kind, colour, spot, 1 + 2 * int(place) + part, rng))
    return tuple(standing), things


def _position(count: int, rng: np.random.Generator) -> list[Standing]:
    """Colours by place. Few colours make neighbours of one colour, which are the hardest to tell apart."""
    full, shares = rng.uniform(0.15, 0.95), rng.dirichlet([6, 2.5, 2.5])
    players = rng.choice(len(models.COLOURS), int(rng.choice([1, 2, 3, 5, 8])), replace=False)
    found = []
    for _ in range(count):
        what = rng.choice(3, p=shares) if rng.random() < full else 3
        colour = int(rng.choice(players))
        own = colour if rng.random() < 0.75 else int(rng.choice(players))
        found.append(Standing(colour if what in (0, 2) else -1, own if what in (1, 2) else -1))
    return found


def _set_down(
    at: Floats, state: Standing, base: str, habit: tuple[float, float], taken: list[Spot], rng: np.random.Generator
) -> tuple[Spot | None, Spot | None]:
    """Where base and tiki come to stand: the first try that touches nobody, or the last and most careful one."""
    careful, squeeze = habit
    near = [spot for spot in taken if np.hypot(*(spot.at_mm - at)) < 45]
    spots: tuple[Spot | None, Spot | None] = (None, None)
    for attempt in range(_TRIES):
        spread = careful * (1 - attempt / (_TRIES + 3))
        spots = _tried(at, state, base, spread, rng)
        gaps = [
            float(np.hypot(*(mine.at_mm - other.at_mm))) - mine.radius_mm - other.radius_mm
            for mine in spots if mine is not None for other in near
        ]  # fmt: skip
        if min(gaps, default=0.0) > -squeeze:
            break
    return spots


def _tried(
    at: Floats, state: Standing, base: str, spread: float, rng: np.random.Generator
) -> tuple[Spot | None, Spot | None]:
    radius = _HUT_MM if base == "hut" else 10.0
    off = _off_centre(spread if base == "hut" else 0.5 * spread, rng)
    if state.base < 0 or state.tiki < 0:
        return (
            Spot(at + off, radius) if state.base >= 0 else None,
            Spot(at + off, _TIKI_MM) if state.tiki >= 0 else None,
        )
    angle = rng.uniform(0, 2 * np.pi)
    away = np.array([np.cos(angle), np.sin(angle)])
    if base == "token":
        return Spot(at + off, radius), Spot(at + off + away * rng.uniform(0, 6), 0.0, 3.0)
    if rng.random() < 0.08:  # on the roof
        return Spot(at + off, radius), Spot(at + off + away * rng.uniform(0, 2), 0.0, 9.0)
    apart = rng.uniform(11.0, 14.5)
    share = rng.uniform(0.3, 0.55) if rng.random() < 0.65 else rng.uniform(0.0, 0.3)  # both beside the middle, or one
    return Spot(at + 0.3 * off - away * apart * share, radius), Spot(
        at + 0.3 * off + away * apart * (1 - share), _TIKI_MM
    )


def _off_centre(spread: float, rng: np.random.Generator) -> Floats:
    angle, radius = rng.uniform(0, 2 * np.pi), spread * 1.08 * np.sqrt(rng.random())
    return np.array([np.cos(angle) * radius, np.sin(angle) * radius])


def _thing(box: PieceSet, kind: str, colour: int, spot: Spot, ident: int, rng: np.random.Generator) -> Thing:
    mesh = box.models[kind] if box.all_alike else getattr(models, kind)(rng)
    if rng.random() < _LEANING:
        mesh = leaning(mesh, rng.uniform(0.03, 0.2), rng.uniform(0, 2 * np.pi))
    worn = box.palette[colour] * np.exp(rng.normal(0, 0.06, 3))
    at = (float(spot.at_mm[0]), float(spot.at_mm[1]))
    lit = 1.0 if rng.random() < 0.92 else rng.uniform(0, 0.5)  # some stand in the shadow of things out of view
    return Thing(placed(mesh, at, rng.uniform(0, 2 * np.pi), spot.height_mm), worn, ident, lit, box.clear)
