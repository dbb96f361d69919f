"""How large and how slim pieces look next to each other: a tiki is slimmer than its set's huts and much higher.

All huts of a set are alike, so the picture itself says how a hut looks, and a calibration may have said so before.
From straight above a tiki's top is half a hut's roof; from the side it covers as much as a hut, but it is slim. What is
to be expected in between follows from the pieces' usual measures and the camera's elevation. Sizes only decide where
the network is torn, because what neighbours hide is smaller than it should be.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.locate.pose import Floats
from vision.reading.network import BASE, BOTH, Evidence, normalised
from vision.reading.patches import MM_PER_PX, SIZE_PX

USUAL_HUT_MM2 = 185.0  # seen from straight above
_HUT_MM, _TIKI_MM = (14.0, 12.0), (10.0, 22.0)  # width and height
_FEW_HUTS = 3.0  # needed to say how large a set's huts are
_USUAL_COUNTS = 0.3  # of a hut seen here: as much the usual size is worth, before any was seen
_FROM_ABOVE = (0.85, 0.95)  # sine of the elevation at which areas begin to speak, and speak fully
_TOUCHING = 0.85  # share of a hut and a tiki on one place that they do not hide of each other


class Settings(NamedTuple):
    """Spreads are those of logs of sizes, for a hut, a tiki, a hut with a tiki."""

    both_on_club: float = -2.0  # log chance of a token and a tiki together: no rules let them share a place
    most: float = 3.5  # logs by which size may change the chances of two states against each other
    most_slim: float = 1.5  # and by which slimness may
    areas: tuple[float, float, float] = (0.13, 0.28, 0.16)
    slimness: tuple[float, float, float] = (0.2, 0.3, 0.6)


class Shape(NamedTuple):
    """How N claims look beside a hut seen from there: 1 is as large, and as slim, as a hut of the usual measures."""

    area: Floats  # (N,) in huts of `USUAL_HUT_MM2`
    slim: Floats  # (N,) width over height, in huts


def shapes(evidence: Evidence, elevation: Floats) -> Shape:
    """The shapes of each place's own pieces, as far as they are seen; `elevation` is a sine.

    A cell shows one piece: where the network is torn between hut and tiki, its shares of both add up.
    """
    own = np.minimum(evidence.masks.sum(axis=1), 1.0)
    cell_mm = MM_PER_PX * SIZE_PX / own.shape[1]
    total = own.sum(axis=(1, 2)) + 1e-6
    across, down = _spread(own.sum(axis=1), total), _spread(own.sum(axis=2), total)
    high = _seen_height(_HUT_MM, elevation)
    return Shape(total * cell_mm**2 / USUAL_HUT_MM2 * _HUT_MM[0] / high, across / down * high / _HUT_MM[0])


def hut_mm2(evidence: Evidence, elevation: Floats, is_site: NDArray[np.bool_]) -> float | None:
    """How large the huts of a picture would look from above, if it shows enough that are beyond doubt."""
    sure = _sure_huts(evidence, is_site)
    area = shapes(evidence, elevation).area * USUAL_HUT_MM2
    return float((sure * area).sum() / sure.sum()) if sure.sum() > _FEW_HUTS else None


def weighed(
    evidence: Evidence, elevation: Floats, is_site: NDArray[np.bool_], known_mm2: float | None, settings: Settings
) -> Evidence:
    """The evidence, with the chances of states weighed by size. `known_mm2` is what huts measure, if that is known."""
    sure, shape = _sure_huts(evidence, is_site), shapes(evidence, elevation)
    usual, worth = (1.0, _USUAL_COUNTS) if known_mm2 is None else (known_mm2 / USUAL_HUT_MM2, _FEW_HUTS)
    others = sure.sum() - sure  # a piece says nothing about itself
    area = shape.area / _mean_of_others(shape.area, sure, usual, worth)
    slim = shape.slim / _mean_of_others(shape.slim, sure, 1.0, _USUAL_COUNTS)
    areas, slimness = _expected(elevation)
    low, high = _FROM_ABOVE
    above = np.clip((elevation - low) / (high - low), 0, 1)
    fits = _fit(area, areas, settings.areas, settings.most) * above[:, None]
    fits += _fit(slim, slimness, settings.slimness, settings.most_slim) * (others / (others + 1))[:, None]
    states = evidence.states.copy()
    states[:, BASE:] += fits * (is_site * (evidence.cover < -1))[:, None]
    states[~is_site, BOTH] += settings.both_on_club
    return evidence._replace(states=normalised(states))


def _expected(elevation: Floats) -> tuple[Floats, Floats]:
    """(N, 3) areas and slimness of a hut, a tiki, and both, in huts seen from there."""
    wide, high = _TIKI_MM[0] / _HUT_MM[0], _seen_height(_TIKI_MM, elevation) / _seen_height(_HUT_MM, elevation)
    one = np.ones(len(elevation))
    areas = np.stack([one, wide * high, _TOUCHING * (1 + wide * high)], 1)
    return areas, np.stack([one, wide / high, one], 1)


def _seen_height(size_mm: tuple[float, float], elevation: Floats) -> Floats:
    """(N,) how high a piece of some width and height looks from there: its top and its side."""
    result: Floats = size_mm[0] * elevation + size_mm[1] * np.sqrt(np.maximum(0.0, 1 - elevation**2))
    return result


def _spread(profile: Floats, total: Floats) -> Floats:
    """(N,) the spread of (N, C) shares around their middle, in cells, and never less than that of one cell."""
    at = np.arange(profile.shape[1])
    middle = (profile * at).sum(axis=1) / total
    around: Floats = (profile * (at - middle[:, None]) ** 2).sum(axis=1) / total
    return np.sqrt(around + 1 / 12)


def _mean_of_others(values: Floats, sure: Floats, usual: float, worth: float) -> Floats:
    """(N,) the mean over all huts beyond doubt but the one itself; the usual value is worth so many huts."""
    result: Floats = ((sure * values).sum() - sure * values + usual * worth) / (sure.sum() - sure + worth)
    return result


def _fit(ratio: Floats, expected: Floats, spreads: tuple[float, float, float], most: float) -> Floats:
    """(N, 3) log chances of a ratio in each state against the likeliest, at least `-most`."""
    off = np.log(np.maximum(ratio, 1e-3))[:, None] - np.log(expected)
    fits = -0.5 * (off / np.array(spreads)) ** 2 - np.log(spreads)
    result: Floats = np.maximum(fits - fits.max(axis=1, keepdims=True), -most)
    return result


def _sure_huts(evidence: Evidence, is_site: NDArray[np.bool_]) -> Floats:
    """(N,) how much each place counts as an example of a hut."""
    clear = is_site / (1 + np.exp(evidence.cover))
    sure: Floats = np.exp(2 * evidence.states[:, BASE]) * clear
    return sure
