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
from vision.reading.network import EMPTY, Evidence
from vision.reading.patches import ANCHOR_PX, Patches

LEAST_AGREEMENT = 0.4  # correlation with the print
LEAST_CONTRAST = 0.5  # of the print's own
_HALF_PX, _SHIFT_PX = 10, 3  # of the window around the symbol, and by how much it may lie beside where it should
_SOFTER_PX = 1.0  # a camera draws softer than a printer
_SURELY_COVERED = 3.0  # as a logit


def doubt_blank_places(evidence: Evidence, cut: Patches, shows_print: NDArray[np.bool_]) -> Evidence:
    """The evidence, with places that would be called empty but do not show their print counted as covered."""
    cover = evidence.cover.copy()
    for place in np.flatnonzero((evidence.states.argmax(axis=1) == EMPTY) & ~shows_print):
        if is_blank(cut.seen[place], cut.empty[place]):
            cover[place] = max(cover[place], _SURELY_COVERED)
    return evidence._replace(cover=cover)


def is_blank(seen: Picture, empty: Picture) -> bool:
    """Whether a patch shows neither its print nor anything else."""
    around = cv2.cvtColor(_window(seen, _HALF_PX + _SHIFT_PX), cv2.COLOR_BGR2GRAY).astype(np.float32)
    patch = around[_SHIFT_PX:-_SHIFT_PX, _SHIFT_PX:-_SHIFT_PX]
    soft = cv2.GaussianBlur(_window(empty, _HALF_PX + _SHIFT_PX), (0, 0), _SOFTER_PX)
    symbol = cv2.cvtColor(soft, cv2.COLOR_BGR2GRAY).astype(np.float32)[_SHIFT_PX:-_SHIFT_PX, _SHIFT_PX:-_SHIFT_PX]
    if _contrast(patch) >= LEAST_CONTRAST * _contrast(symbol):
        return False
    return float(cv2.matchTemplate(around, symbol, cv2.TM_CCOEFF_NORMED).max()) < LEAST_AGREEMENT


def _window(patch: Picture, half: int) -> Picture:
    x, y = (round(value) for value in ANCHOR_PX)
    return patch[y - half : y + half + 1, x - half : x + half + 1]


def _contrast(patch: NDArray[np.float32]) -> float:
    return float(patch.std() / max(float(patch.mean()), 1.0))
