"""One piece stands on one place: where two neighbours claim the same thing in the picture, the better claim wins.

The network looks at each place alone. A tiki between two sites, or a roof that hides the site behind it, may then be
seen twice. Here the cells that two places claim are laid over each other.
"""

from __future__ import annotations

from typing import NamedTuple, cast

import cv2
import numpy as np

from vision.locate.pose import Floats
from vision.reading.network import HOLDING, Evidence, normalised
from vision.reading.patches import ANCHOR_PX, MM_PER_PX, SIZE_PX

_MIDDLE_MM = (6.0, 11.0)  # half the height of a hut and of a tiki


class Settings(NamedTuple):
    from_logit: float = -2.0  # weaker claims are not heard
    reach_mm: float = 42.0  # neighbours farther apart can't be mistaken for each other
    overlap: float = 0.5  # share of the smaller claim from which two are one thing
    off_mm: float = 5.0  # spread of a piece's place around its site
    cost: float = 4.0  # logits that a lost claim costs, at full overlap


class Claim(NamedTuple):
    place: int
    part: int
    mask: Floats  # (C, C)
    score: float


def settled(
    evidence: Evidence, transforms: Floats, places_mm: Floats, elevation: Floats, settings: Settings
) -> Evidence:
    """The evidence once every thing in the picture belongs to one place. `transforms` (N, 2, 3): patch to picture.

    A place shows no longer what it has lost: the cells of a lost claim fade.
    """
    claims = _claims(evidence, elevation, settings)
    states, masks = evidence.states.copy(), evidence.masks.copy()
    for index, one in enumerate(claims):
        for other in claims[index + 1 :]:
            apart = places_mm[one.place] - places_mm[other.place]
            if one.place == other.place or np.hypot(apart[0], apart[1]) > settings.reach_mm:
                continue
            shared = _overlap(one.mask, other.mask, transforms[one.place], transforms[other.place])
            if shared > settings.overlap:
                loser, lead = (
                    (one, other.score - one.score) if one.score < other.score else (other, one.score - other.score)
                )
                lost = shared * min(1.0, 0.35 + lead / 4)
                states[loser.place, HOLDING[loser.part]] -= settings.cost * lost
                masks[loser.place, loser.part] *= 1 - min(lost, 1.0)
    return evidence._replace(states=normalised(states), masks=masks)


def _claims(evidence: Evidence, elevation: Floats, settings: Settings) -> list[Claim]:
    found = []
    for part, logits in enumerate((evidence.base, evidence.tiki)):
        for place in np.flatnonzero(logits > settings.from_logit):
            mask = evidence.masks[place, part]
            if mask.sum() < 1.0:
                continue
            lift = _MIDDLE_MM[part] * np.sqrt(max(0.0, 1 - float(elevation[place]) ** 2))
            off = _off_mm(mask, lift) / settings.off_mm
            found.append(Claim(int(place), part, mask, float(logits[place]) - 0.5 * off**2))
    return found


def _off_mm(mask: Floats, lift_mm: float) -> float:
    """How far the middle of a claim lies from where that of a piece on the site's middle would."""
    cell = SIZE_PX / len(mask)
    middle = (np.arange(len(mask)) + 0.5) * cell - 0.5
    x = float((mask.sum(axis=0) * middle).sum() / mask.sum()) - ANCHOR_PX[0]
    y = float((mask.sum(axis=1) * middle).sum() / mask.sum()) - ANCHOR_PX[1]
    return float(np.hypot(x * MM_PER_PX, y * MM_PER_PX + lift_mm))


def _overlap(one: Floats, other: Floats, from_one: Floats, from_other: Floats) -> float:
    """The share of the smaller claim that both cover."""
    cell = SIZE_PX / len(one)
    cells = np.array([[cell, 0, (cell - 1) / 2], [0, cell, (cell - 1) / 2], [0, 0, 1.0]])
    to_picture = [np.vstack([matrix, (0.0, 0.0, 1.0)]) @ cells for matrix in (from_one, from_other)]
    matrix = (np.linalg.inv(to_picture[0]) @ to_picture[1])[:2]
    size = (len(one), len(one))
    moved = cv2.warpAffine(one, matrix, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    return float(np.minimum(cast(Floats, moved), other).sum() / max(min(one.sum(), other.sum()), 1e-6))
