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
_SPREADS = ((0.06, 0.12), (0.15, 0.4))  # within one picture, of white and of black
_PRIOR_COUNT = 3.0
_WIDE = 0.14  # of white, before this picture's own is known
_SHINES, _SHINES_IN_VEIL = 0.02, 1.0  # chance of a black piece to mirror a lamp: anywhere, and where the paper does
_SHADED = 0.02  # chance of a white piece to lie darker than its ground says
_COVERED_MM, _HIDDEN = 1.5, 0.2
_LEAST_IN_VIEW = 0.7
_ODDEST = 0.15
_NEARBY, _NEAR_A_HAND = 0.03, 0.03  # so near to a hand a finger may be taken for a piece: never quite sure
_VEILED = (0.2, 0.6)  # veils from which on evidence counts less, and from which on little
_SKIN_WARMTH, _SKIN_TONE = 0.5, -0.7
_PER_EXCESS_MM = 0.8


def judge(lines: Look, islands: Look) -> tuple[list[PlaceSeen], list[PlaceSeen]]:
    """What every line and every island shows, in the order of the looks."""
    there = [_presence(lines, LINES), _presence(islands, ISLANDS)]
    together = Look(*(np.concatenate(parts) for parts in zip(lines, islands, strict=True)))
    both = _tones(together, np.concatenate(there), _USUAL)
    found = []
    for look, kind, chance in zip((lines, islands), (LINES, ISLANDS), there, strict=True):
        own = _tones(look, chance, both)
        is_covered = _covered(look, kind)
        is_white = _whiteness(look.tone, look.veil, own)
        # Beside a hand its shadow and its colour may be what was seen of a piece.
        trust = np.where(is_covered, 1.0, 1.0 - np.clip(look.hidden / _HIDDEN, 0.0, 0.9))
        is_white = 0.5 + (is_white - 0.5) * trust
        odd = np.maximum(_oddness(look.tone, own), np.where(look.nearby > _NEARBY, _NEAR_A_HAND, 0.0))
        found.append([_seen(kind, *each) for each in zip(chance, is_white, odd, is_covered, strict=True)])
    return found[0], found[1]


def _seen(kind: _Kind, there: float, white: float, odd: float, is_covered: bool) -> PlaceSeen:
    odds = {"empty": 1.0 - there, f"{kind.name}:black": there * (1.0 - white), f"{kind.name}:white": there * white}
    # Something neither as dark as black nor as light as white may be anything: its odds are drawn together.
    odds = {content: share + there * odd * (1 / 3 - share) for content, share in odds.items()}
    return PlaceSeen({content: round(float(share), 6) for content, share in odds.items()}, bool(is_covered))


def _presence(look: Look, kind: _Kind) -> Floats:
    """(N,) the chance that a piece lies there. What is as strong beside it as in it speaks for neither."""
    logit = np.clip(kind.steep * (look.fill - kind.even), -_SURE, _SURE)
    logit *= 1.0 - np.clip(look.hidden / 0.4, 0.0, 0.8)
    logit *= 1.0 - 0.85 * np.clip((look.beside - kind.beside) / 0.6, 0.0, 1.0)
    logit *= 1.0 - 0.5 * np.clip((look.veil - _VEILED[0]) / (_VEILED[1] - _VEILED[0]), 0.0, 1.0)
    return np.asarray(1.0 / (1.0 + np.exp(_PER_EXCESS_MM * np.clip(look.excess, 0.0, 3.0) - logit)))


def _covered(look: Look, kind: _Kind) -> Floats:
    """(N,) whether something lies there that is too broad for a piece, or the picture ends."""
    is_broad = (look.fill > kind.even) & (look.excess > _COVERED_MM) & (look.beside > kind.beside - 0.3)
    is_skin = (look.fill > kind.even) & (look.warmth > _SKIN_WARMTH) & (np.abs(look.tone - _SKIN_TONE) < 0.4)
    return np.asarray(is_broad | is_skin | (look.hidden > _HIDDEN) | (look.in_view < _LEAST_IN_VIEW))


def _tones(look: Look, there: Floats, usual: _Tones) -> _Tones:
    """The tones of the pieces seen, with what is usual as a few pieces' worth of prior."""
    tones = _Tones(usual.white, max(_WIDE, usual.white_spread), usual.black, usual.black_spread)
    for _ in range(5):
        white = there * _whiteness(look.tone, look.veil, tones)
        black = there - white
        found = [_mean_spread(look.tone, weight, *prior) for weight, prior in ((white, usual[:2]), (black, usual[2:]))]
        spreads = [float(np.clip(spread, *allowed)) for allowed, (_, spread) in zip(_SPREADS, found, strict=True)]
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
    # Lighter than white is white that a lamp shines on.
    white = np.where(tone > tones.white, np.maximum(white, 0.2 / tones.white_spread), white)
    black = _bell(np.maximum(tone, tones.black), tones.black, tones.black_spread)
    gap = max(tones.white - tones.black, 0.3)
    between = 1.0 / gap
    shines = np.clip(_SHINES + _SHINES_IN_VEIL * veil, 0.0, 0.5)
    is_above = tone > tones.black
    black = np.where(is_above, (1 - shines) * black + shines * between, black)
    shaded = _SHADED * np.where(tone < tones.white, between, 0.0) * np.exp(-np.maximum(tones.white - tone, 0) / 0.25)
    return np.asarray(np.clip((white + shaded) / (white + shaded + black), 1e-4, 1 - 1e-4))


def _oddness(tone: Floats, tones: _Tones) -> Floats:
    """(N,) from 0, as light as this picture's black or white pieces, to `_ODDEST` for what is like neither."""
    to_white = np.maximum(tones.white - tone, 0.0) / tones.white_spread
    to_black = np.maximum(tone - tones.black, 0.0) / tones.black_spread
    return np.asarray(np.clip((np.minimum(to_white, to_black) - 1.4) / 10.0, 0.0, _ODDEST))


def _bell(tone: Floats | float, mean: float, spread: float) -> Floats:
    return np.asarray(np.exp(-0.5 * ((tone - mean) / spread) ** 2) / spread / np.sqrt(2 * np.pi))
