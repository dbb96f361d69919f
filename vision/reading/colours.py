"""Telling the colours of pieces: by what the network learned of all sets, by this set's palette, and by each other.

A piece's look is three numbers: its share of red and of blue light, and its lightness, all as they would be under the
white light in which the board was printed. Shares hardly change between a roof's bright and dark side; lightness does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.locate.pose import Floats, Picture
from vision.reading.network import COLOURS, HOLDING, Evidence, normalised
from vision.reading.patches import SIZE_PX, Patches

SPREAD = np.array([0.03, 0.03, 0.8])  # by which pieces of one colour differ in one picture
_GAMMA = 2.2
_LEAST_WEIGHT = 25.0  # px of the patch that must show a piece before its look counts
_LEAST_CHANCE = -4.0  # logit below which nobody asks for a colour
_LEAD = (1.15, 0.85)  # by which a base or a tiki must claim a cell more than the other
_ROUNDS = 2
_SELDOM = -3.0  # log weight of a colour that this set or edition does not have


class Settings(NamedTuple):
    network: float = 1.0  # how far each voice is heard
    palette: float = 0.6
    others: float = 0.4
    same_owner: float = 0.4  # how sure it is that a hut and its tiki have one colour


class Looks(NamedTuple):
    """What the pieces at N places look like: base and tiki."""

    values: Floats  # (N, 2, 3): share of red, share of blue, log of lightness
    weight: Floats  # (N, 2) px they were taken from


def looks_of(patches: Patches, gains: Floats, evidence: Evidence) -> Looks:
    """The median look of the pixels that belong to each piece."""
    there = np.stack([evidence.base, evidence.tiki], 1)
    values, weight = np.zeros((len(there), 2, 3)), np.zeros((len(there), 2))
    for place in np.flatnonzero(there.max(axis=1) >= _LEAST_CHANCE):
        chances = there[place]
        matte = ~_is_glossy(patches.seen[place])
        masks = [_in_full(mask) for mask in evidence.masks[place]]
        shared = min(chances) > 0  # two pieces touch, and cells between them may be claimed by both
        for part in range(2):
            if chances[part] < _LEAST_CHANCE:
                continue
            mask = masks[part]
            keep = (mask > min(0.6, 0.7 * float(mask.max()))) & matte
            if shared:
                keep &= mask > _LEAD[part] * masks[1 - part]
            if keep.sum() < 4:
                continue
            linear = np.maximum(patches.seen[place][keep] / (255 * gains[place]), 0.01) ** _GAMMA
            total = linear.sum(axis=1)
            shares = linear[:, [2, 0]] / total[:, None]
            values[place, part] = [*_weighted_median(shares, np.sqrt(total)), np.log(np.median(total))]
            weight[place, part] = keep.sum()
    return Looks(values, weight)


def colour_chances(
    evidence: Evidence, looks: Looks, prior: Floats, palette: Mapping[str, Floats] | None, settings: Settings
) -> Floats:
    """(N, 2, 8) log chances of each colour for base and tiki. `prior` (8,) is what `prior_of` gives."""
    heard = evidence.colours * settings.network + prior
    enough = np.minimum(looks.weight / _LEAST_WEIGHT, 1.0)[..., None]
    if palette:
        centres, known = _centres(palette)
        heard = heard + settings.palette * enough * _likeness(looks.values, centres, known)
    there = _sigmoid(np.stack([evidence.base, evidence.tiki], 1))[..., None] * enough
    result = heard
    for _ in range(_ROUNDS):
        chance = np.exp(normalised(result)) * there
        mass = chance.sum(axis=(0, 1))
        centres = np.einsum("npc,npv->cv", chance, looks.values) / np.maximum(mass, 1e-6)[:, None]
        trust = settings.others * np.clip((mass - 1) / 2, 0, 1)  # one piece says nothing about itself
        result = heard + enough * _likeness(looks.values, centres, np.ones(len(COLOURS), bool)) * trust
    return normalised(result)


def prior_of(palette: Mapping[str, Floats] | None, of_edition: tuple[str, ...]) -> Floats:
    """(8,) log weight of each colour before anything is seen.

    The colours of the set that was calibrated are expected, without one those of the board's edition. But people put
    the pieces of another box on a board, so no colour is impossible.
    """
    learned = tuple(palette or ())
    expected = learned if len(learned) >= len(of_edition) else (*learned, *of_edition)
    return np.array([0.0 if colour in expected else _SELDOM for colour in COLOURS])


def expected_colours(evidence: Evidence, prior: Floats) -> Evidence:
    """The evidence, with pieces believed less whose colour this set does not have: black tikis are mostly shadows."""
    fits = np.log((np.exp(normalised(evidence.colours)) * np.exp(prior)).sum(axis=2))
    states = evidence.states.copy()
    for part, holding in enumerate(HOLDING):
        states[:, list(holding)] += fits[:, part, None]
    return evidence._replace(states=normalised(states))


def pair_chances(chances: Floats, settings: Settings) -> Floats:
    """(N, 8, 8) log chances of base and tiki colours when both stand there: mostly they have one owner."""
    count = len(COLOURS)
    prior = np.full((count, count), np.log((1 - settings.same_owner) / (count - 1)))
    np.fill_diagonal(prior, np.log(settings.same_owner))
    both = chances[:, 0, :, None] + chances[:, 1, None, :] + prior
    return normalised(both.reshape(len(both), -1)).reshape(both.shape)


def _in_full(mask: Floats) -> Floats:
    return cast(Floats, cv2.resize(mask, (SIZE_PX, SIZE_PX), interpolation=cv2.INTER_LINEAR))


def _likeness(values: Floats, centres: Floats, known: Floats) -> Floats:
    """(N, 2, 8): log of how well looks fit the colours' (8, 3) centres, with long tails; unknown ones get the mean."""
    apart = (((values[:, :, None] - centres) / SPREAD) ** 2).sum(axis=3)
    fit = -3.0 * np.log1p(apart / 6.0)
    return cast(Floats, np.where(known, fit, fit[..., known].mean(axis=2, keepdims=True) if known.any() else 0.0))


def _centres(palette: Mapping[str, Floats]) -> tuple[Floats, Floats]:
    known = np.array([colour in palette for colour in COLOURS])
    rows = [np.asarray(palette.get(colour, np.zeros(3)), np.float64) for colour in COLOURS]
    return np.array(rows), known


def _weighted_median(values: Floats, weight: Floats) -> Floats:
    """(K,) of (N, K): half the weight lies below."""
    order = np.argsort(values, axis=0)
    reached = np.cumsum(weight[order], axis=0)
    row = (reached < reached[-1] / 2).sum(axis=0)
    columns = np.arange(values.shape[1])
    middle: Floats = values[order[row, columns], columns]
    return middle


def _is_glossy(seen: Picture) -> NDArray[np.bool_]:
    return (seen[..., 0] > 235) & (seen[..., 1] > 235) & (seen[..., 2] > 235)


def _sigmoid(logits: Floats) -> Floats:
    result: Floats = 1 / (1 + np.exp(-logits))
    return result
