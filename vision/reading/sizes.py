"""How large pieces look next to each other: seen from above, a tiki's top is half a hut's roof, whatever their shapes.

All huts of a set are alike, so the picture itself says how large a hut is. Seen from the side a tiki is as large as a
hut, and size says nothing: its voice fades as the camera comes down.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.locate.pose import Floats
from vision.reading.network import Evidence
from vision.reading.patches import MM_PER_PX, SIZE_PX

EMPTY, BASE, TIKI, BOTH = range(4)
USUAL_HUT_MM2 = 185.0
_FEW_HUTS, _MANY_HUTS = 3, 6  # needed for their size, and for how much they differ
_SPREADS = (0.07, 0.16)
_FROM_ABOVE = (0.80, 0.92)  # sine of the elevation at which size begins to speak, and speaks fully


class Settings(NamedTuple):
    """Sizes are in huts: mean and spread for a hut, a token, a tiki, a hut with a tiki, a token with a tiki."""

    weight: float = 0.8
    both_on_club: float = -2.0  # log chance of a token and a tiki together, against what the network was shown
    most: float = 7.0  # logs by which size may change the chances of two states against each other
    hut: tuple[float, float] = (1.0, 0.12)
    token: tuple[float, float] = (1.5, 0.25)
    tiki: tuple[float, float] = (0.5, 0.17)
    both: tuple[float, float] = (1.4, 0.22)
    token_tiki: tuple[float, float] = (1.6, 0.3)
    empty: float = 0.13  # spread of what seems to be a piece on an empty place
    unknown: float = 1.6  # spreads are this much wider where no hut of the set has been measured


def areas_mm2(evidence: Evidence) -> Floats:
    """(N,) how much of each patch shows the place's own pieces, in mm² across the line of sight."""
    cell_mm = MM_PER_PX * SIZE_PX / evidence.masks.shape[2]
    area: Floats = evidence.masks.max(axis=1).sum(axis=(1, 2)) * cell_mm**2
    return area


class Huts(NamedTuple):
    """How large this set's huts look: in mm², and by which share they differ."""

    area_mm2: float
    spread: float = 0.12


def huts_of(evidence: Evidence, is_site: NDArray[np.bool_]) -> Huts | None:
    """The huts of this picture, if it shows enough that are beyond doubt."""
    plain = is_site & (evidence.base > 2) & (evidence.tiki < -2) & (evidence.cover < -2)
    areas = areas_mm2(evidence)[plain]
    if len(areas) < _FEW_HUTS:
        return None
    middle = float(np.median(areas))
    spread = 1.5 * float(np.median(np.abs(areas - middle))) / middle
    return Huts(middle, min(max(spread, _SPREADS[0]), _SPREADS[1]) if len(areas) >= _MANY_HUTS else Huts(middle).spread)


def state_chances(
    evidence: Evidence, elevation: Floats, is_site: NDArray[np.bool_], huts: Huts | None, settings: Settings
) -> Floats:
    """(N, 4) log chances of nothing, a hut or token, a tiki, and both."""
    zero = np.zeros_like(evidence.base)
    logs = np.stack([zero, evidence.base, evidence.tiki, evidence.base + evidence.tiki], 1)
    size = areas_mm2(evidence) / (huts.area_mm2 if huts else USUAL_HUT_MM2)
    wide = 1.0 if huts else settings.unknown
    hut = (settings.hut[0], huts.spread if huts else settings.hut[1])
    fits = np.where(
        is_site[:, None],
        _fit(size, (hut, settings.tiki, settings.both), wide),
        _fit(size, (settings.token, settings.tiki, settings.token_tiki), wide),
    )
    fits = np.maximum(fits - fits.max(axis=1, keepdims=True), -settings.most)
    logs[~is_site, BOTH] += settings.both_on_club
    low, high = _FROM_ABOVE
    voice = settings.weight * np.clip((elevation - low) / (high - low), 0, 1) * (evidence.cover < -1)
    logs[:, BASE:] += fits * voice[:, None]
    # Torn between hut and tiki the network may believe in neither; what shows a piece is not empty from any side.
    logs[:, EMPTY] += settings.weight * np.maximum(-0.5 * (size / settings.empty) ** 2, -settings.most)
    logs -= logs.max(axis=1, keepdims=True)
    result: Floats = logs - np.log(np.exp(logs).sum(axis=1, keepdims=True))
    return result


def _fit(size: Floats, kinds: tuple[tuple[float, float], ...], wide: float) -> Floats:
    """(N, kinds) log likelihood of sizes."""
    mean = np.array([kind[0] for kind in kinds])
    spread = np.array([kind[1] for kind in kinds]) * wide
    result: Floats = -0.5 * ((size[:, None] - mean) / spread) ** 2 - np.log(spread)
    return result
