"""From looks to verdicts: is a piece there, and is it black or white?

Black and white are told by the picture itself: its own pieces say how light black and white are here. White is a matter
of paint and varies little; black may shine, so a piece between the two is sooner a black one that mirrors a lamp.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from vision.kahuna.looks import Look
from vision.locate.pose import Floats
from vision.surfaces import PlaceSeen

_SURE = 9.0  # no single look is believed beyond these odds, in logs


class _Kind(NamedTuple):
    """How a kind of piece is judged: the evidence at which it is as likely there as not, and how steeply that turns;
    and what may lie beside it before something else is meant."""

    name: str
    even: float
    steep: float
    beside: float


class _Tones(NamedTuple):
    """How light white and black pieces are in this picture, and how much they vary."""

    white: float
    white_spread: float
    black: float
    black_spread: float


LINES = _Kind("bridge", 0.1, 14.0, -0.2)
ISLANDS = _Kind("stone", 0.42, 13.0, 0.15)
_USUAL = _Tones(-0.15, 0.1, -1.4, 0.3)
_LEAST_SPREAD = (0.07, 0.15)
_PRIOR_COUNT = 3.0
_WIDE = 0.22  # of white, before this picture's own is known
_SHINES, _SHINES_IN_VEIL = 0.02, 0.35  # chance of a black piece to mirror a lamp: anywhere, and where the paper does
_SHADED = 0.02  # chance of a white piece to lie darker than its ground says
_COVERED_MM, _HIDDEN = 1.5, 0.2
_LEAST_IN_VIEW = 0.7
_PER_EXCESS_MM = 0.8


def judge(lines: Look, islands: Look) -> tuple[list[PlaceSeen], list[PlaceSeen]]:
    """What every line and every island shows, in the order of the looks."""
    there = [_presence(lines, LINES), _presence(islands, ISLANDS)]
    both = _tones(np.concatenate([lines.tone, islands.tone]), np.concatenate(there), _USUAL)
    found = []
    for look, kind, chance in zip((lines, islands), (LINES, ISLANDS), there, strict=True):
        own = _tones(look.tone, chance, both)
        is_covered = _covered(look, kind)
        is_white = _whiteness(look.tone, look.veil, own)
        found.append([_seen(kind, *each) for each in zip(chance, is_white, is_covered, strict=True)])
    return found[0], found[1]


def _seen(kind: _Kind, there: float, white: float, is_covered: bool) -> PlaceSeen:
    odds = {"empty": 1.0 - there, f"{kind.name}:black": there * (1.0 - white), f"{kind.name}:white": there * white}
    return PlaceSeen({content: round(float(share), 6) for content, share in odds.items()}, bool(is_covered))


def _presence(look: Look, kind: _Kind) -> Floats:
    """(N,) the chance that a piece lies there. What is as strong beside it as in it speaks for neither."""
    logit = np.clip(kind.steep * (look.fill - kind.even), -_SURE, _SURE)
    logit *= 1.0 - np.clip(look.hidden / 0.4, 0.0, 0.8)
    logit *= 1.0 - 0.85 * np.clip((look.beside - kind.beside) / 0.6, 0.0, 1.0)
    return np.asarray(1.0 / (1.0 + np.exp(_PER_EXCESS_MM * np.clip(look.excess, 0.0, 3.0) - logit)))


def _covered(look: Look, kind: _Kind) -> Floats:
    """(N,) whether something lies there that is too broad for a piece, or the picture ends."""
    is_broad = (look.fill > kind.even) & (look.excess > _COVERED_MM) & (look.beside > kind.beside - 0.3)
    return np.asarray(is_broad | (look.hidden > _HIDDEN) | (look.in_view < _LEAST_IN_VIEW))


def _tones(tone: Floats, there: Floats, usual: _Tones) -> _Tones:
    """The tones of the pieces seen, with what is usual as a few pieces' worth of prior."""
    tones = _Tones(usual.white, max(_WIDE, usual.white_spread), usual.black, usual.black_spread)
    for _ in range(5):
        white = there * _whiteness(tone, np.zeros(len(tone)), tones)
        black = there - white
        found = [_mean_spread(tone, weight, *prior) for weight, prior in ((white, usual[:2]), (black, usual[2:]))]
        spreads = [max(least, spread) for least, (_, spread) in zip(_LEAST_SPREAD, found, strict=True)]
        tones = _Tones(found[0][0], spreads[0], found[1][0], spreads[1])
    return tones


def _mean_spread(tone: Floats, weight: Floats, mean: float, spread: float) -> tuple[float, float]:
    total = float(weight.sum()) + _PRIOR_COUNT
    middle = (float(weight @ tone) + _PRIOR_COUNT * mean) / total
    # Deviations count at most twice the usual: one shining piece must not widen what white or black is.
    off = np.minimum((tone - middle) ** 2, (2.5 * spread) ** 2)
    return middle, float(np.sqrt((float(weight @ off) + _PRIOR_COUNT * spread**2) / total))


def _whiteness(tone: Floats, veil: Floats, tones: _Tones) -> Floats:
    """(N,) the chance that a piece of such a tone is white."""
    white = _bell(tone, tones.white, tones.white_spread) * (1 - _SHADED)
    white = np.where(tone > tones.white, np.maximum(white, _bell(tones.white, tones.white, tones.white_spread) / 2), white)
    black = _bell(np.maximum(tone, tones.black), tones.black, tones.black_spread)
    gap = max(tones.white - tones.black, 0.3)
    between = 1.0 / gap
    shines = np.clip(_SHINES + _SHINES_IN_VEIL * veil, 0.0, 0.5)
    is_above = tone > tones.black
    black = np.where(is_above, (1 - shines) * black + shines * between, black)
    shaded = _SHADED * np.where(tone < tones.white, between, 0.0) * np.exp(-np.maximum(tones.white - tone, 0) / 0.25)
    return np.asarray(np.clip((white + shaded) / (white + shaded + black), 1e-4, 1 - 1e-4))


def _bell(tone: Floats | float, mean: float, spread: float) -> Floats:
    return np.asarray(np.exp(-0.5 * ((tone - mean) / spread) ** 2) / spread / np.sqrt(2 * np.pi))
