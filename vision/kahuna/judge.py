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


class _Trait(NamedTuple):
    """Something about pieces of a colour: what it is with most of them, and how much it varies."""

    usual: float
    spread: float


class _Paints(NamedTuple):
    """How light white and black pieces are in this picture; white's red over blue, and how light its darkest side."""

    white: _Trait
    black: _Trait
    warmth: _Trait
    flank: _Trait


LINES = _Kind("bridge", 0.1, 14.0, -0.2)
ISLANDS = _Kind("stone", 0.42, 13.0, 0.15)
_USUAL = _Paints(_Trait(-0.15, 0.1), _Trait(-1.4, 0.3), _Trait(0.03, 0.1), _Trait(-0.6, 0.25))
_SPREADS = ((0.06, 0.12), (0.15, 0.4), (0.04, 0.15), (0.1, 0.2))  # within one picture
_ANY_WARMTH, _ANY_FLANK, _ODD_LIGHT = 1.2, 0.4, 0.04  # densities of traits that may be anything
_PRIOR_COUNT = 3.0
_WIDE = 0.14  # of white, before this picture's own is known
_SHINES, _SHINES_IN_VEIL = 0.02, 1.0  # chance of a black piece to mirror a lamp: anywhere, and where the paper does
_SHADED = 0.02  # chance of a white piece to lie darker than its ground says
_SHADED_AT_DUSK, _DUSK = 0.08, 0.6  # and what is added where the rim of such a shadow runs
_COVERED_MM, _HIDDEN = 1.5, 0.2
_LEAST_IN_VIEW = 0.7
_TEACHES = 0.3  # how much darker than usual, in logs, a side may be for a piece to still teach what white is
_ODDEST, _STRANGE_WHITE = 0.16, 2.2
_MIRRORED, _IN_A_MIRROR = 0.15, 0.03
_FLAT, _PER_FLAT, _LESS_IF_FLAT = 0.35, 0.1, 0.6
_NEARBY, _NEAR_A_HAND = 0.03, 0.03  # so near to a hand a finger may be taken for a piece: never quite sure
_VEILED = (0.2, 0.6)  # veils from which on evidence counts less, and from which on little
_SKIN_WARMTH, _SKIN_TONE = 0.5, -0.7
_PER_EXCESS_MM = 0.8


def judge(lines: Look, islands: Look) -> tuple[list[PlaceSeen], list[PlaceSeen]]:
    """What every line and every island shows, in the order of the looks."""
    there = [_presence(lines, LINES), _presence(islands, ISLANDS)]
    together = Look(*(np.concatenate(parts) for parts in zip(lines, islands, strict=True)))
    both = _paints(together, np.concatenate(there), _USUAL)
    found = []
    for look, kind, chance in zip((lines, islands), (LINES, ISLANDS), there, strict=True):
        own = _paints(look, chance, both)
        is_covered = _covered(look, kind)
        is_white = _whiteness(look, own)
        # Beside a hand its shadow and its colour may be what was seen of a piece.
        trust = np.where(is_covered, 1.0, 1.0 - np.clip(look.hidden / _HIDDEN, 0.0, 0.9))
        is_white = 0.5 + (is_white - 0.5) * trust
        odd = np.maximum(_oddness(look, own, is_white), np.where(look.nearby > _NEARBY, _NEAR_A_HAND, 0.0))
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
    if kind is ISLANDS:
        # A pool on which a lamp is mirrored is round and grey like a stone, but has no dark side.
        flat = np.clip((_FLAT - look.tone + look.flank) / _PER_FLAT, 0.0, 1.0)
        logit *= 1.0 - _LESS_IF_FLAT * flat * np.clip(look.veil / _VEILED[0], 0.0, 1.0) * (logit > 0)
    return np.asarray(1.0 / (1.0 + np.exp(_PER_EXCESS_MM * np.clip(look.excess, 0.0, 3.0) - logit)))


def _covered(look: Look, kind: _Kind) -> Floats:
    """(N,) whether something lies there that is too broad for a piece, or the picture ends."""
    is_broad = (look.fill > kind.even) & (look.excess > _COVERED_MM) & (look.beside > kind.beside - 0.3)
    is_skin = (look.fill > kind.even) & (look.warmth > _SKIN_WARMTH) & (np.abs(look.tone - _SKIN_TONE) < 0.4)
    return np.asarray(is_broad | is_skin | (look.hidden > _HIDDEN) | (look.in_view < _LEAST_IN_VIEW))


def _paints(look: Look, there: Floats, usual: _Paints) -> _Paints:
    """What the pieces seen are painted like, with what is usual as a few pieces' worth of prior."""
    paints = usual._replace(white=usual.white._replace(spread=max(_WIDE, usual.white.spread)))
    traits = (look.tone, look.tone, look.warmth, look.flank)
    # From what has a side darker than white usually has, little is learned of white: many may be black that shines.
    darker = np.maximum(_USUAL.flank.usual - look.flank, 0.0) / _TEACHES
    teaches = np.exp(-0.5 * darker**2)
    for _ in range(5):
        white = there * _whiteness(look, paints)
        weights = (white * teaches, there - white, white * teaches, white * teaches)
        each = zip(traits, weights, usual, _SPREADS, strict=True)
        paints = _Paints(*(_trait(values, weight, prior, bounds) for values, weight, prior, bounds in each))
    return paints


def _trait(values: Floats, weight: Floats, prior: _Trait, bounds: tuple[float, float]) -> _Trait:
    total = float(weight.sum()) + _PRIOR_COUNT
    middle = (float(weight @ values) + _PRIOR_COUNT * prior.usual) / total
    # Deviations count at most twice the usual: one shining piece must not widen what white or black is.
    off = np.minimum((values - middle) ** 2, (2.5 * prior.spread) ** 2)
    spread = float(np.sqrt((float(weight @ off) + _PRIOR_COUNT * prior.spread**2) / total))
    return _Trait(middle, float(np.clip(spread, *bounds)))


def _whiteness(look: Look, paints: _Paints) -> Floats:
    """(N,) the chance that a piece that looks so is white."""
    tone, own, dark = look.tone, paints.white, paints.black
    in_shadow = _SHADED + _SHADED_AT_DUSK * np.clip(look.dusk / _DUSK, 0.0, 1.0)
    white = _bell(tone, own) * (1 - in_shadow)
    # Lighter than white is white that a lamp shines on.
    white = np.where(tone > own.usual, np.maximum(white, 0.2 / own.spread), white)
    between = 1.0 / max(own.usual - dark.usual, 0.3)
    deeper = np.maximum(own.usual - look.dusk - tone, 0)
    shaded = in_shadow * np.where(tone < own.usual, between, 0.0) * np.exp(-deeper / 0.25)
    # The colour and the dark side of the white pieces hardly vary; those of a lamp in black lacquer are anything.
    alike = _mostly(look.warmth, paints.warmth, _ANY_WARMTH) * _mostly(look.flank, paints.flank, _ANY_FLANK)
    white = white * alike + shaded * _ANY_WARMTH * _ANY_FLANK
    shines = np.clip(_SHINES + _SHINES_IN_VEIL * look.veil, 0.0, 0.5)
    black = _bell(np.maximum(tone, dark.usual), dark)
    black = np.where(tone > dark.usual, (1 - shines) * black + shines * between, black) * _ANY_WARMTH * _ANY_FLANK
    return np.asarray(np.clip(white / (white + black), 1e-4, 1 - 1e-4))


def _mostly(value: Floats, trait: _Trait, anything: float) -> Floats:
    """(N,) the density of a trait that a few pieces in odd light do not show."""
    return np.asarray((1 - _ODD_LIGHT) * _bell(value, trait) + _ODD_LIGHT * anything)


def _oddness(look: Look, paints: _Paints, is_white: Floats) -> Floats:
    """(N,) from 0, like this picture's black or white pieces, to `_ODDEST` for what is like neither."""
    to_white = np.maximum(paints.white.usual - look.tone, 0.0) / paints.white.spread
    to_black = np.maximum(look.tone - paints.black.usual, 0.0) / paints.black.spread
    odd = (np.minimum(to_white, to_black) - 1.4) / 10.0
    # As light as white, but with a side as dark as no white piece here, or of another colour.
    darker = (paints.flank.usual - look.flank) / paints.flank.spread
    tinted = np.abs(look.warmth - paints.warmth.usual) / paints.warmth.spread
    # Where the paper mirrors a lamp, black lacquer may be lighter than white or just as light: never quite sure.
    mirrored = np.clip(look.veil / _MIRRORED, 0.0, 1.0)
    lighter = mirrored * (look.tone - paints.white.usual) / paints.white.spread
    strange = (np.maximum(np.maximum(darker, tinted), lighter) - _STRANGE_WHITE) / 5.0
    as_white = np.where(is_white > 0.5, np.maximum(strange, _IN_A_MIRROR * mirrored), 0.0)
    return np.asarray(np.clip(np.maximum(odd, as_white), 0.0, _ODDEST))


def _bell(value: Floats, trait: _Trait) -> Floats:
    return np.asarray(np.exp(-0.5 * ((value - trait.usual) / trait.spread) ** 2) / trait.spread / np.sqrt(2 * np.pi))
