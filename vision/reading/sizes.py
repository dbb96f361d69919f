"""How large pieces look next to each other: seen from above, a tiki's top is half a hut's roof, whatever their shapes.

All huts of a set are alike, so the picture itself says how large a hut is, and a calibration may have said so before.
Seen from the side a tiki is as large as a hut, and size says nothing: its voice fades as the camera comes down. It only
decides where the network is torn, because what neighbours hide is smaller than it should be.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.locate.pose import Floats
from vision.reading.network import BASE, BOTH, Evidence, normalised
from vision.reading.patches import MM_PER_PX, SIZE_PX

USUAL_HUT_MM2 = 185.0
_FEW_HUTS = 3.0  # needed to say how large a set's huts are
_USUAL_COUNTS = 0.3  # of a hut seen here: as much the usual size is worth, before any was seen
_FROM_ABOVE = (0.85, 0.95)  # sine of the elevation at which size begins to speak, and speaks fully


class Settings(NamedTuple):
    """Sizes are in huts: mean and spread for a hut, a tiki, a hut with a tiki."""

    both_on_club: float = -2.0  # log chance of a token and a tiki together: no rules let them share a place
    most: float = 3.5  # logs by which size may change the chances of two states against each other
    hut: tuple[float, float] = (1.0, 0.2)
    tiki: tuple[float, float] = (0.52, 0.17)
    both: tuple[float, float] = (1.45, 0.25)


def areas_mm2(evidence: Evidence) -> Floats:
    """(N,) how much of each patch shows the place's own pieces, in mm² across the line of sight."""
    cell_mm = MM_PER_PX * SIZE_PX / evidence.masks.shape[2]
    area: Floats = evidence.masks.max(axis=1).sum(axis=(1, 2)) * cell_mm**2
    return area


def hut_mm2(evidence: Evidence, is_site: NDArray[np.bool_]) -> float | None:
    """How large the huts of a picture look, if it shows enough that are beyond doubt."""
    sure = _sure_huts(evidence, is_site)
    return float((sure * areas_mm2(evidence)).sum() / sure.sum()) if sure.sum() > _FEW_HUTS else None


def weighed(
    evidence: Evidence, elevation: Floats, is_site: NDArray[np.bool_], known_mm2: float | None, settings: Settings
) -> Evidence:
    """The evidence, with the chances of states weighed by size. `known_mm2` is what huts measure, if that is known."""
    sure, area = _sure_huts(evidence, is_site), areas_mm2(evidence)
    usual, worth = (USUAL_HUT_MM2, _USUAL_COUNTS) if known_mm2 is None else (known_mm2, _FEW_HUTS)
    others = sure.sum() - sure  # a piece says nothing about itself
    size = area * (others + worth) / ((sure * area).sum() - sure * area + usual * worth)
    kinds = np.array([settings.hut, settings.tiki, settings.both])
    fits = -0.5 * ((size[:, None] - kinds[:, 0]) / kinds[:, 1]) ** 2 - np.log(kinds[:, 1])
    fits = np.maximum(fits - fits.max(axis=1, keepdims=True), -settings.most)
    low, high = _FROM_ABOVE
    voice = np.clip((elevation - low) / (high - low), 0, 1) * is_site * (evidence.cover < -1)
    states = evidence.states.copy()
    states[:, BASE:] += fits * voice[:, None]
    states[~is_site, BOTH] += settings.both_on_club
    return evidence._replace(states=normalised(states))


def _sure_huts(evidence: Evidence, is_site: NDArray[np.bool_]) -> Floats:
    """(N,) how much each place counts as an example of a hut."""
    clear = is_site / (1 + np.exp(evidence.cover))
    sure: Floats = np.exp(2 * evidence.states[:, BASE]) * clear
    return sure
