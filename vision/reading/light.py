"""The light of this very picture: what it makes of the paper, everywhere on the board.

The board's printed picture is known, so the ratio of what is seen to what was printed is the light (times whatever the
camera does to colours). Pieces, hands and cards disturb it; they are told by their colour, which does not fit the lamp,
and by where they stand. Everything happens on values as the camera gives them: on a power law, a ratio stays a ratio.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.locate.flat import laid_flat
from vision.locate.pose import Floats, Picture, PictureKey, View

PX_PER_MM = 0.5
_DARKEST = 70  # printed values below this are ink: their ratio says little
_FLOOR = 3.0  # camera values near black are noise
_BRIGHTEST = 250
_CHROMA_SPREAD = 0.10  # of log ratios, by which paper under one lamp may differ
_SITE_MM = 9.0
_SHADE_MM, _LAMP_MM = 11.0, 45.0  # how far brightness and colour of the light reach

Field = NDArray[np.float32]
_LOGS: Field = np.log(np.arange(256, dtype=np.float32) + np.float32(_FLOOR))


class Light(NamedTuple):
    """`gain` (H, W, 3) BGR: camera value per printed value at `PX_PER_MM`; `lamp` (3,) its colour over the board."""

    gain: Field
    lamp: Floats
    bent: Picture  # (H, W, 3) the picture as seen on the paper, small
    clipped: float  # share of the board at the end of the camera's scale


def light_of(picture: Picture, view: View, empty: Picture, empty_px_per_mm: float, sites_mm: Floats) -> Light:
    """The light on a board of which `empty` (BGR at `empty_px_per_mm`) is the printed picture."""
    size_mm = (empty.shape[1] / empty_px_per_mm, empty.shape[0] / empty_px_per_mm)
    small = laid_flat(picture, view, size_mm, PX_PER_MM)
    printed, is_light = _print(PictureKey(empty), small.shape[1::-1])
    ratio = _LOGS[small] - printed
    brightest, darkest = _extremes(small)
    usable = is_light & (brightest < _BRIGHTEST) & (brightest > 8)
    weight = usable.astype(np.float32) * _away_from(sites_mm, usable.shape)
    brightness = (ratio[..., 0] + ratio[..., 1] + ratio[..., 2]) / np.float32(3)
    chroma = ratio - brightness[..., None]
    usual = _mode(chroma[::3, ::3][usable[::3, ::3]]) if usable.sum() > 500 else np.zeros(3)
    off = chroma - usual.astype(np.float32)
    apart = off[..., 0] ** 2 + off[..., 1] ** 2 + off[..., 2] ** 2
    weight *= np.exp(apart * np.float32(-0.5 / _CHROMA_SPREAD**2)) + np.float32(1e-4)
    gain = np.exp(_spread(brightness[..., None], weight, _SHADE_MM) + _spread(chroma, weight, _LAMP_MM))
    level = float(np.median(brightness[::3, ::3])) if usable.any() else 0.0
    return Light(gain, np.exp(usual + level), small, float((darkest >= _BRIGHTEST).mean()))


@lru_cache(maxsize=8)
def _print(key: PictureKey, size_px: tuple[int, int]) -> tuple[Field, NDArray[np.bool_]]:
    """(H, W, 3) logs of the printed board at a size, and (H, W) where it is light enough to compare with."""
    small = cast(Picture, cv2.resize(key.picture, size_px, interpolation=cv2.INTER_AREA))
    return _LOGS[small], _extremes(small)[1] > _DARKEST


def _extremes(picture: Picture) -> tuple[Picture, Picture]:
    """(H, W) the largest and the smallest channel."""
    blue, green, red = picture[..., 0], picture[..., 1], picture[..., 2]
    return np.maximum(np.maximum(blue, green), red), np.minimum(np.minimum(blue, green), red)


def gains_at(light: Light, sites_mm: Floats) -> Floats:
    """(N, 3) BGR: camera value per printed value at (N, 2) sites."""
    height, width = light.gain.shape[:2]
    x = np.clip(np.round(sites_mm[:, 0] * PX_PER_MM - 0.5).astype(int), 0, width - 1)
    y = np.clip(np.round(sites_mm[:, 1] * PX_PER_MM - 0.5).astype(int), 0, height - 1)
    return cast(Floats, np.clip(light.gain[y, x].astype(np.float64), 0.02, 4.0))


def _away_from(sites_mm: Floats, shape: tuple[int, ...]) -> Field:
    weight = np.ones(shape, np.float32)
    for x, y in sites_mm * PX_PER_MM:
        cv2.circle(weight, (round(x), round(y)), round(_SITE_MM * PX_PER_MM), 0.1, -1)
    return weight


def _mode(chroma: NDArray[np.float32]) -> Floats:
    """(3,) the commonest colour of (N, 3): a median that forgets what lies far off, a few times over."""
    centre = np.median(chroma, axis=0)
    for _ in range(3):
        near = np.abs(chroma - centre).max(axis=1) < 2.5 * _CHROMA_SPREAD
        if near.sum() < 20:
            break
        centre = np.median(chroma[near], axis=0)
    return cast(Floats, centre.astype(np.float64))


def _spread(field: Field, weight: Field, reach_mm: float) -> Field:
    """The weighted mean around every pixel. Wide means are taken on a coarser grid: they are smooth anyway."""
    size = weight.shape[::-1]
    coarse = max(1, round(reach_mm * PX_PER_MM / 3))
    small = (max(4, size[0] // coarse), max(4, size[1] // coarse))
    stack = np.dstack([field * weight[..., None], weight])
    shrunk = cv2.resize(stack, small, interpolation=cv2.INTER_AREA)
    blurred = cv2.GaussianBlur(shrunk, (0, 0), reach_mm * PX_PER_MM * small[0] / size[0])
    mean = blurred[..., :-1] / np.maximum(blurred[..., -1:], 1e-12)
    return cast(Field, cv2.resize(mean, size, interpolation=cv2.INTER_LINEAR).reshape(field.shape))
