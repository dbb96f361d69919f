"""What the picture says about every spot of the board, laid flat: is this the print, and if not, how light is it?

Printed grounds are strong colours; bridges and stones are black, white and what lies between. So under the picture's
own light every pixel is asked whether its colour is the print's, in whatever shade, or has lost it. Shadows darken and
keep the colour; pieces do not have it. Everything happens on logs of values as the camera gives them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.locate.flat import laid_flat
from vision.locate.pose import Floats, Picture, PictureKey, View
from vision.reading.light import Light
from vision.reference import Reference

PX_PER_MM = 1.5
_FLOOR = 3.0  # camera values near black are noise
_HALFWAY = 0.45  # of the way from the print's colour to grey
# The spread of a pixel's colour: so many times the usual deviation, within bounds, and more where few photons came.
_PER_MEDIAN, _SPREAD, _DARK_SPREAD = 1.6, (0.04, 0.2), 4.0
_SHADOW, _PER_DARK, _SUNNY, _PER_BRIGHT = 0.5, 0.28, 0.2, 0.3  # what lightness adds, beyond what light alone does
_BURNT, _PER_BURNT, _BURNT_FROM = 0.3, 0.15, 238
_COLOURED, _VEIL_MM, _VEIL_SPREAD = 0.25, 11.0, 0.25
_MOST_VEIL = 0.4  # a greater loss of colour may be a hand's doing
_STRANGE, _STRANGE_PIECE, _UNDER_ALIEN = 3.0, 0.5, -0.3
_BROAD_MM, _LARGE_MM2, _LONG_MM, _FRINGE_MM, _GROWTHS, _ALIKE = 12.0, 800.0, 48.0, 4.0, 16, 0.38
_FINGER_MM = 9.0  # nothing narrower is taken for a part of something large: it may be a bridge
_INK_STEP, _LEAST_INK = 12, 60
_DRIFT_STEP, _DRIFT_MM, _DRIFT_SHARE = 4, 22.0, 0.2
_NIGHT, _NIGHT_WIDTH = 1.05, 0.25  # no shadow is darker than this, in logs: what is so dark is black itself

Field = NDArray[np.float32]
_LOGS: Field = np.log(np.arange(256, dtype=np.float32) + np.float32(_FLOOR))


class Evidence(NamedTuple):
    """(H, W) each, over the sheet at `PX_PER_MM`. `piece` from -1, surely the print, to 1, surely not; `tone` the log
    of lightness under white light, 0 for white paper; `warmth` that of red over blue; `shade` the log of light on the
    ground against what is usual there; `veil` the share of colour that mirrored light takes from all around; `alien`
    whether it is part of something larger than any piece, a hand or a card; `seen` whether the picture shows it."""

    piece: Field
    tone: Field
    warmth: Field
    shade: Field
    veil: Field
    alien: NDArray[np.bool_]
    seen: NDArray[np.bool_]


def evidence_of(picture: Picture, view: View, reference: Reference, lit: Light) -> Evidence:
    """The evidence in a BGR picture whose view and light are known."""
    flat = laid_flat(picture, view, reference.size_mm, PX_PER_MM)
    size = (flat.shape[1], flat.shape[0])
    printed = _print(PictureKey(reference.picture), size)
    lamp = cv2.resize(np.log(lit.gain), size, interpolation=cv2.INTER_LINEAR)
    under_white = _LOGS[flat] - lamp
    brightness = np.maximum(np.maximum(flat[..., 0], flat[..., 1]), flat[..., 2])
    is_clear = (brightness > 8) & (brightness < 250)
    expected = _as_developed(printed, under_white, brightness > 8)
    chroma = expected - _mean(expected)[..., None]
    strength = np.maximum(_length(chroma), np.float32(0.05))
    over = under_white - expected
    over -= _drift(over, is_clear, strength)
    shade = _mean(over)
    tint = over - shade[..., None]
    # How far each pixel has come from the print's colour towards grey, in logs.
    drained = _mean(tint * chroma) * np.float32(-3) / strength
    usual = float(np.median(np.abs(drained[is_clear & (strength > 0.2)]))) if is_clear.any() else 0.1
    noise = np.clip(_PER_MEDIAN * usual, *_SPREAD) + np.float32(_DARK_SPREAD) / (brightness + np.float32(_FLOOR))
    veil = _veil(np.asarray(drained / strength, np.float32), is_clear & (strength > _COLOURED))
    odds = (drained - (veil + _HALFWAY * (1 - veil)) * strength) / noise
    odds += np.maximum(-shade - _SHADOW, 0) / _PER_DARK + np.maximum(shade - _SUNNY, 0) / _PER_BRIGHT
    # At the end of the camera's scale colour says nothing; that it got there, from what is printed, says something.
    most = np.maximum(np.maximum(over[..., 0], over[..., 1]), over[..., 2])
    burnt = (most - _BURNT) / _PER_BURNT * _lonely(brightness >= _BURNT_FROM)
    piece = np.tanh(np.where(brightness < _BURNT_FROM, odds, np.maximum(odds, burnt)))
    night = np.clip((-shade - _NIGHT) / _NIGHT_WIDTH, -1.0, 1.0)
    tone = _mean(under_white) - np.float32(np.log(255.0 + _FLOOR))
    piece = np.maximum(piece, night)
    strange = _length(tint + np.minimum(veil, _MOST_VEIL)[..., None] * chroma) / noise
    alien = _large((strange > _STRANGE) | (piece > _STRANGE_PIECE), under_white)
    piece = np.where(alien, np.float32(_UNDER_ALIEN), piece)
    warmth = under_white[..., 2] - under_white[..., 0]
    return Evidence(piece, tone, warmth, shade, veil, alien, brightness > 0)


def _mean(field: Field) -> Field:
    """(H, W) of (H, W, 3). Channel by channel: NumPy's own way along so short an axis takes ten times as long."""
    return cast(Field, (field[..., 0] + field[..., 1] + field[..., 2]) * np.float32(1 / 3))


def _length(field: Field) -> Field:
    return cast(Field, np.sqrt(_mean(field * field) * np.float32(3)))


@lru_cache(maxsize=2)
def _print(key: PictureKey, size_px: tuple[int, int]) -> Picture:
    return cast(Picture, cv2.resize(key.picture, size_px, interpolation=cv2.INTER_AREA))


def _as_developed(printed: Picture, under_white: Field, is_clear: NDArray[np.bool_]) -> Field:
    """(H, W, 3) what this camera, printer and veil of light make of the print, in logs.

    For each ink value the middle of all that is seen where it was printed: pieces are few, so the middle is print.
    """
    expected = np.empty_like(under_white)
    some = (slice(None, None, 3), slice(None, None, 3))
    for channel in range(3):
        inks, seen = printed[some][..., channel][is_clear[some]], under_white[some][..., channel][is_clear[some]]
        expected[..., channel] = _curve(inks, seen)[printed[..., channel]]
    return expected


def _curve(inks: Picture, seen: Field) -> Field:
    """(256,) the usual log seen for every ink value; where an ink is rare, on the line between its neighbours."""
    step = inks // _INK_STEP
    at, found = [], []
    for each in range(256 // _INK_STEP):
        own = seen[step == each]
        if len(own) >= _LEAST_INK:
            at.append((each + 0.5) * _INK_STEP)
            found.append(float(np.median(own)))
    return np.interp(np.arange(256), at, found).astype(np.float32) if at else _LOGS


def _drift(over: Field, is_clear: NDArray[np.bool_], strength: Field) -> Field:
    """(H, W, 3) by what the light's colour still differs around every spot, slowly changing."""
    small = (over.shape[1] // _DRIFT_STEP, over.shape[0] // _DRIFT_STEP)
    few = cv2.resize(over, small, interpolation=cv2.INTER_AREA)
    clear = cv2.resize(is_clear.astype(np.float32), small, interpolation=cv2.INTER_AREA)
    spread = np.clip(_DRIFT_SHARE * float(np.median(strength[is_clear])), 0.05, 0.16) if is_clear.any() else 0.1
    drift = np.zeros_like(few)
    for _ in range(3):
        left = few - drift
        apart = left - _mean(left)[..., None]
        weight = clear * np.exp(_mean(apart * apart) * np.float32(-1.5 / spread**2)) + np.float32(1e-4)
        drift = drift + _mean_around(apart, weight, _DRIFT_MM)
    return cast(Field, cv2.resize(drift, over.shape[1::-1], interpolation=cv2.INTER_LINEAR))


def _veil(share: Field, is_coloured: NDArray[np.bool_]) -> Field:
    """(H, W) from 0 to 1: how much of the print's colour is lost all around a spot, to a lamp mirrored in the paper."""
    small = (share.shape[1] // _DRIFT_STEP, share.shape[0] // _DRIFT_STEP)
    use = is_coloured.astype(np.float32)
    mass = cv2.resize(use, small, interpolation=cv2.INTER_AREA)
    summed = cv2.resize(np.clip(share, -0.5, 1.5) * use, small, interpolation=cv2.INTER_AREA)
    few = cast(Field, (summed / np.maximum(mass, 1e-3)).astype(np.float32))
    veil = np.zeros_like(few)
    for _ in range(4):
        weight = mass * np.exp(np.float32(-0.5 / _VEIL_SPREAD**2) * (few - veil) ** 2) + np.float32(1e-6)
        veil = _mean_around(few[..., None], weight, _VEIL_MM)[..., 0]
    return cast(Field, np.clip(cv2.resize(veil, share.shape[1::-1], interpolation=cv2.INTER_LINEAR), 0.0, 0.95))


def _lonely(is_burnt: NDArray[np.bool_]) -> Field:
    """(H, W) from 1, where few spots around are burnt out, to 0 in the middle of a lamp's mirror image."""
    small = (is_burnt.shape[1] // _DRIFT_STEP, is_burnt.shape[0] // _DRIFT_STEP)
    few = cv2.resize(is_burnt.astype(np.float32), small, interpolation=cv2.INTER_AREA)
    around = cv2.GaussianBlur(few, (0, 0), _VEIL_MM * PX_PER_MM / _DRIFT_STEP)
    return cast(Field, cv2.resize(np.clip((0.55 - around) / 0.25, 0.0, 1.0), is_burnt.shape[::-1]))


def _large(strange: NDArray[np.bool_], under_white: Field) -> NDArray[np.bool_]:
    """(H, W) what belongs to something broader than a bridge and larger than a stone with bridges at it."""
    small = (round(strange.shape[1] / PX_PER_MM), round(strange.shape[0] / PX_PER_MM))
    mm = PX_PER_MM * small[0] / strange.shape[1]
    mask = (cv2.resize(strange.astype(np.float32), small, interpolation=cv2.INTER_AREA) > 0.5).astype(np.uint8)
    looks = cast(Field, cv2.resize(under_white, small, interpolation=cv2.INTER_AREA))
    broad = cv2.morphologyEx(mask, cv2.MORPH_OPEN, _round(_BROAD_MM * mm))
    count, parts, stats, _ = cv2.connectedComponentsWithStats(broad)
    found = np.zeros_like(mask)
    for part in range(1, count):
        extent = max(stats[part, cv2.CC_STAT_WIDTH], stats[part, cv2.CC_STAT_HEIGHT]) / mm
        if stats[part, cv2.CC_STAT_AREA] > _LARGE_MM2 * mm**2 or extent > _LONG_MM:
            found |= _grown((parts == part).astype(np.uint8), mask, looks, mm)
    return np.asarray(cv2.resize(found, strange.shape[::-1], interpolation=cv2.INTER_NEAREST) > 0)


def _grown(core: Picture, mask: Picture, looks: Field, mm: float) -> Picture:
    """A large thing with its narrow ends, but without pieces of another colour that touch it."""
    chroma = looks - _mean(looks)[..., None]
    own = np.median(chroma[core > 0], axis=0)
    alike = (_length(chroma - own.astype(np.float32)) < _ALIKE).astype(np.uint8) & mask
    grown = core & alike
    for _ in range(_GROWTHS):
        grown = cast(Picture, cv2.dilate(grown, _round(2 * _FRINGE_MM * mm))) & alike
    whole = cv2.morphologyEx(grown, cv2.MORPH_CLOSE, _round(_FRINGE_MM * mm))
    broad = cv2.morphologyEx(whole, cv2.MORPH_OPEN, _round(_FINGER_MM * mm))
    return cast(Picture, cv2.dilate(broad, _round(3 * mm))) & mask


def _round(diameter_px: float) -> Picture:
    side = round(diameter_px) | 1
    return cast(Picture, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)))


def _mean_around(field: Field, weight: Field, reach_mm: float) -> Field:
    sigma = reach_mm * PX_PER_MM / _DRIFT_STEP
    stack = cv2.GaussianBlur(np.dstack([field * weight[..., None], weight]), (0, 0), sigma)
    return cast(Field, stack[..., :-1] / np.maximum(stack[..., -1:], 1e-12))


def sampled(field: Field | NDArray[np.bool_], points_mm: Floats) -> Field:
    """The field's values at (..., 2) points of the sheet, the nearest inside for those beyond its rim."""
    at = np.rint(points_mm * PX_PER_MM - 0.5).astype(np.intp)
    rows = np.clip(at[..., 1], 0, field.shape[0] - 1)
    columns = np.clip(at[..., 0], 0, field.shape[1] - 1)
    return np.asarray(field[rows, columns], np.float32)
