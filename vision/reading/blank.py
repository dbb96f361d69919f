"""Places where even the print can't be seen: under a plain card or napkin, or burnt out by glare. They are not empty.

An empty plot shows its symbol. Where the patch is much flatter than the print and does not follow it either, something
lies on it that looks like nothing, and the place must not be called empty. On the 60 scenes by which these numbers were
chosen none of 553 truly empty sites in easy and normal light was suspected, and 3 of 336 in hard light, by glare.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.locate.pose import Picture
from vision.reading.network import Evidence
from vision.reading.patches import ANCHOR_PX, Patches

LEAST_AGREEMENT = 0.4  # correlation with the print
LEAST_CONTRAST = 0.5  # of the print's own
_HALF_PX, _SHIFT_PX = 10, 3  # of the window around the symbol, and by how much it may lie beside where it should
_SOFTER_PX = 1.0  # a camera draws softer than a printer
_SURELY_COVERED = 3.0  # as a logit


def doubt_blank_places(evidence: Evidence, cut: Patches) -> Evidence:
    """The evidence, with places that would be called empty but do not show their print counted as covered."""
    looks_empty = (evidence.base < 0) & (evidence.tiki < 0)
    blank = looks_empty & are_blank(cut)
    return evidence._replace(cover=np.where(blank, np.maximum(evidence.cover, _SURELY_COVERED), evidence.cover))


def are_blank(cut: Patches) -> NDArray[np.bool_]:
    """(N,) whether a place shows neither its print nor anything else."""
    return np.array([_is_blank(seen, empty) for seen, empty in zip(cut.seen, cut.empty, strict=True)], np.bool_)


def _is_blank(seen: Picture, empty: Picture) -> bool:
    looked = cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY).astype(np.float32)
    printed = cv2.cvtColor(cv2.GaussianBlur(empty, (0, 0), _SOFTER_PX), cv2.COLOR_BGR2GRAY).astype(np.float32)
    symbol, patch = _window(printed, _HALF_PX), _window(looked, _HALF_PX)
    if _contrast(patch) >= LEAST_CONTRAST * _contrast(symbol):
        return False
    around = _window(looked, _HALF_PX + _SHIFT_PX)
    return float(cv2.matchTemplate(around, symbol, cv2.TM_CCOEFF_NORMED).max()) < LEAST_AGREEMENT


def _window(patch: NDArray[np.float32], half: int) -> NDArray[np.float32]:
    x, y = (round(value) for value in ANCHOR_PX)
    return patch[y - half : y + half + 1, x - half : x + half + 1]


def _contrast(patch: NDArray[np.float32]) -> float:
    return float(patch.std() / max(float(patch.mean()), 1.0))
