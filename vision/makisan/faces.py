"""The colours of the faces, judged together: all of them look the same way, so one light falls on all.

Each face is a direction in the plane of hues (see `colours.py`). The light that the faces get differs a little from the
light on the mat: it is thrown back by the bamboo, or a lamp of another colour stands before them. That shift is common
to all faces of a picture and is not known, so every likely shift is tried, and those that make sense of all faces
count most.
"""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np

from companion.games.makisan.board import COLOURS
from vision.locate.pose import Floats
from vision.makisan import colours
from vision.makisan.facade import Facade
from vision.makisan.lamp import Field
from vision.makisan.row import Spot, face_pixels

_SHIFTS_WARM = (-0.2, -0.1, 0.0, 0.1, 0.2)
_SHIFTS_COLD = (-0.45, -0.3, -0.15, 0.0, 0.15, 0.3)
_USUAL_WARM, _USUAL_COLD = 0.1, 0.17  # how far shifts go
_VEILS = ((0.0, 0.0), (0.0, 0.35), (0.0, 0.65), (0.35, 0.0), (0.65, 0.0))  # of what black ink shows, see `_cleared`
_TOO_LIGHT = 1.05  # of white: no face that stands upright is lighter
_OTHER = 0.012  # how well something unforeseen explains any look
_SKIN_HUE, _SKIN_STRENGTH, _SKIN = (-54.0, 9.0), (0.6, 0.5), 0.6  # hands lie between red and yellow; their share
_SHARPER = 2.2  # faces are read better than each of these numbers knows
_LEAST = 3e-4  # nothing about a colour is surer than this


class Faces(NamedTuple):
    """For N spots: `chances` (N, 5) of each colour if it is a maki, `known` (N,) that it is one of the five at all,
    `shift` the likeliest shift of hues."""

    chances: Floats
    known: Floats
    shift: tuple[float, float]


def faces_of(facade: Facade, spots: list[Spot], weights: Floats) -> Faces:
    """`weights` (N,) say how likely each spot is a maki at all: others do not speak for a shift."""
    seen = np.array([np.median(face_pixels(facade.seen, spot), axis=0) for spot in spots], np.float64)
    shifts = [(warm, cold) for warm in _SHIFTS_WARM for cold in _SHIFTS_COLD]
    likeness, prior = [], []
    for veil in _VEILS:
        looks = colours.hues_of(_cleared(seen, facade.black, veil), facade.depth)
        for warm, cold in shifts:
            likeness.append(_likeness(looks, warm, cold))
            prior.append(-((warm / _USUAL_WARM) ** 2 + (cold / _USUAL_COLD) ** 2) / 2)
    found = np.array(likeness)  # (ways, N, 6)
    fits = np.array(prior) + (np.log(found.sum(axis=2)) * weights).sum(axis=1)
    share = np.exp(fits - fits.max())
    share /= share.sum()
    mean = np.einsum("w,wnk->nk", share, found / found.sum(axis=2, keepdims=True))
    chances = (mean[:, :-1] / mean[:, :-1].sum(axis=1, keepdims=True)) ** _SHARPER + _LEAST
    shift = shifts[int(share.argmax()) % len(shifts)]
    return Faces(chances / chances.sum(axis=1, keepdims=True), 1.0 - mean[:, -1], shift)


def _cleared(seen: Floats, black: Floats, veil: tuple[float, float]) -> Field:
    """Looks (N, 3) without haze: a share of black's own tint is taken away, or of its darkest channel from all."""
    haze = veil[0] * black + veil[1] * black.min()
    return cast(Field, (np.maximum(seen - haze, 0.0) / (1 - haze)).astype(np.float32))


def _likeness(looks: Field, shift_warm: float, shift_cold: float) -> Floats:
    """(N, 6) how well the five colours, and something else, explain looks under a shift."""
    warm, cold, light = looks[:, 0] - shift_warm, looks[:, 1] - shift_cold, looks[:, 2]
    strength, angle = np.hypot(warm, cold) + 1e-3, np.degrees(np.arctan2(cold, warm))
    upright = 1 / (1 + np.exp((light - np.log(_TOO_LIGHT)) * 15))
    found = [colours.likeness_of(colour, strength, angle, light) * upright for colour in COLOURS]
    skin = _SKIN * colours.hue_likeness(strength, angle, _SKIN_HUE, _SKIN_STRENGTH)
    return np.stack([*found, _OTHER + skin], axis=1)
