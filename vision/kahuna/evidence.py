"""What the picture says about every spot of the board, laid flat: is this the print, and if not, how light is it?

Printed grounds are strong colours; bridges and stones are black, white and what lies between. So under the picture's
own light every pixel is asked whether its colour is the print's, in whatever shade, or has lost it. Shadows darken and
keep the colour; pieces do not have it. Everything happens on logs of values as the camera gives them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.locate.flat import laid_flat
from vision.locate.pose import Floats, Picture, PictureKey, View
from vision.reading.light import Light
from vision.reference import Reference

PX_PER_MM = 1.5
_FLOOR = 8.0  # camera values near black are noise
_HALFWAY = 0.45  # of the way from the print's colour to grey
# The spread of a pixel's colour: so many times the usual deviation, within bounds, and more where few photons came.
_PER_MEDIAN, _SPREAD, _DARK_SPREAD = 1.6, (0.04, 0.2), 4.0
_SHADOW, _PER_DARK, _SUNNY, _PER_BRIGHT = 0.5, 0.28, 0.2, 0.3  # what lightness adds, beyond what light alone does
_BURNT, _PER_BURNT, _BURNT_FROM, _WHITEST = 0.3, 0.15, 238, 250
_LEAST_STRENGTH = 0.03  # of a colour, in logs
_VEIL_MM = 11.0
_VEIL_SPREADS = (0.35, 0.25, 0.18, 0.14)  # what still counts as print, round by round
_LOST_STEPS = 3.0  # of `_DRIFT_STEP`, over which the loss is averaged
_GREY, _BLACKEST = 0.25, 40
_CURVE = 0.25  # of the log of light that a veil took: half of what falls on paper alone, since pieces shine as well
_MOST_VEIL = 0.4  # a greater loss of colour may be a hand's doing
_STRANGE, _STRANGE_PIECE, _UNDER_ALIEN = 3.0, 0.5, -0.3
_BROAD_MM, _LARGE_MM2, _LONG_MM, _FRINGE_MM, _GROWTHS = 12.0, 800.0, 48.0, 4.0, 16
_ALIKE, _PER_LIGHTNESS = 0.38, 0.25
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
    brightest = np.maximum(np.maximum(flat[..., 0], flat[..., 1]), flat[..., 2])
    darkest = np.minimum(np.minimum(flat[..., 0], flat[..., 1]), flat[..., 2])
    is_clear = (brightest > 8) & (brightest < 250)
    developed = _as_developed(printed, under_white, brightest > 8)
    behind_veil = _veiled(developed, under_white, is_clear)
    expected = np.log(behind_veil)
    compared = _compared(under_white, expected, brightest, is_clear)
    # Of sums, not a mean of logs: where a channel is at the foot of the scale, its log says nothing.
    light = np.log(_mean(np.exp(under_white)))
    shade = light - np.log(_mean(behind_veil))
    veil = _lost(developed, expected)
    piece = _unlike_print(compared, shade, brightest, darkest)
    greyed = np.clip((veil - _MOST_VEIL) / (1 - veil), 0.0, None)[..., None]
    strange = _length(_as_field(compared.tint + greyed * compared.chroma)) / compared.noise
    alien = _large((strange > _STRANGE) | (piece > _STRANGE_PIECE), under_white)
    # What is grey in or at something large may be a piece that it only touches.
    is_coloured = _length(_as_field(under_white - _mean(under_white)[..., None])) > _GREY
    piece = np.where(alien & is_coloured & (brightest > _BLACKEST), np.float32(_UNDER_ALIEN), piece)
    # A veil lightens the paper beyond what falls on a piece.
    tone = light - np.float32(np.log(255.0 + _FLOOR)) - _CURVE * np.log1p(-np.minimum(veil, _MOST_VEIL))
    warmth = under_white[..., 2] - under_white[..., 0]
    return Evidence(piece, _as_field(tone), warmth, shade, veil, alien, brightest > 0)


class _Compared(NamedTuple):
    """(H, W, 3) how what is seen differs from what is expected, in logs: `over` in all, `tint` in colour; the expected
    colour less its lightness, `chroma`. (H, W) its `strength`; how far each pixel has come from there towards grey,
    `drained`; and the `noise` of that."""

    over: Field
    tint: Field
    chroma: Field
    strength: Field
    drained: Field
    noise: Field


def _compared(under_white: Field, expected: Field, brightest: Picture, is_clear: NDArray[np.bool_]) -> _Compared:
    chroma = expected - _mean(expected)[..., None]
    strength = np.maximum(_length(chroma), np.float32(_LEAST_STRENGTH))
    over = under_white - expected
    over -= _drift(over, is_clear, strength)
    tint = over - _mean(over)[..., None]
    drained = _mean(tint * chroma) * np.float32(-3) / strength
    usual = float(np.median(np.abs(drained[is_clear & (strength > 0.2)]))) if is_clear.any() else 0.1
    noise = np.clip(_PER_MEDIAN * usual, *_SPREAD) + _DARK_SPREAD / (brightest + np.float32(_FLOOR))
    return _Compared(over, tint, chroma, strength, _as_field(drained), _as_field(noise))


def _unlike_print(compared: _Compared, shade: Field, brightest: Picture, darkest: Picture) -> Field:
    """(H, W) from -1, surely the print, to 1, surely not."""
    odds = (compared.drained - _HALFWAY * compared.strength) / compared.noise
    odds += np.maximum(-shade - _SHADOW, 0) / _PER_DARK + np.maximum(shade - _SUNNY, 0) / _PER_BRIGHT
    # At the end of the camera's scale colour says nothing; that it got there, from what is printed, says something.
    over = compared.over
    most = np.maximum(np.maximum(over[..., 0], over[..., 1]), over[..., 2])
    burnt = (most - _BURNT) / _PER_BURNT * _lonely(brightest >= _BURNT_FROM)
    informed = np.clip((_WHITEST - darkest) / np.float32(_WHITEST - _BURNT_FROM), 0.0, 1.0)
    piece = np.tanh(np.where((brightest < _BURNT_FROM) | (burnt <= 0), odds * informed, np.maximum(odds, burnt)))
    night = np.clip((-shade - _NIGHT) / _NIGHT_WIDTH, -1.0, 1.0)
    return _as_field(np.maximum(piece, night))


def _mean(field: Field) -> Field:
    """(H, W) of (H, W, 3). Channel by channel: NumPy's own way along so short an axis takes ten times as long."""
    return cast(Field, (field[..., 0] + field[..., 1] + field[..., 2]) * np.float32(1 / 3))


def _as_field(values: NDArray[np.floating[Any]]) -> Field:
    return values.astype(np.float32, copy=False)


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


def _veiled(expected: Field, under_white: Field, is_clear: NDArray[np.bool_]) -> Field:
    """(H, W, 3) what is expected behind the light that a mirrored lamp lays over print; not in logs.

    It adds the same to all colours around, so what is seen is `a * print + b`. Both follow from the print around every
    spot, which says more than its mean colour: a hand or a piece has not its pattern.
    """
    size = (expected.shape[1], expected.shape[0])
    small = (size[0] // _DRIFT_STEP, size[1] // _DRIFT_STEP)
    ink, seen = (np.exp(cv2.resize(each, small, interpolation=cv2.INTER_AREA)) for each in (expected, under_white))
    clear = cv2.resize(is_clear.astype(np.float32), small, interpolation=cv2.INTER_AREA)
    through, added = np.ones_like(clear), np.zeros_like(clear)
    for spread in _VEIL_SPREADS:
        off = np.log(seen) - np.log(through[..., None] * ink + added[..., None])
        weight = clear * np.exp(_mean(_as_field(off * off)) * np.float32(-1.5 / spread**2)) + np.float32(1e-3)
        through, added = _line(ink, seen, weight)
    through, added = (cv2.resize(each, size, interpolation=cv2.INTER_LINEAR) for each in (through, added))
    return cast(Field, through[..., None] * np.exp(expected) + added[..., None])


def _line(ink: Field, seen: Field, weight: Field) -> tuple[Field, Field]:
    """(H, W) each: the slope and the rest of the line that leads from ink to what is seen around every spot."""
    stack = np.dstack([_mean(ink), _mean(seen), _mean(ink * ink), _mean(ink * seen)])
    ink_mean, seen_mean, square, product = np.moveaxis(_mean_around(stack, weight, _VEIL_MM), -1, 0)
    slope = (product - ink_mean * seen_mean) / np.maximum(square - ink_mean**2, 1e-4)
    slope = np.clip(slope, 0.03, np.minimum(1.2, seen_mean / ink_mean))
    return slope, np.maximum(seen_mean - slope * ink_mean, 0.0)


def _lost(developed: Field, expected: Field) -> Field:
    """(H, W) from 0 to 1: how much of the print's colour mirrored light takes from a spot."""
    small = (developed.shape[1] // _DRIFT_STEP, developed.shape[0] // _DRIFT_STEP)
    few = [cast(Field, cv2.resize(each, small, interpolation=cv2.INTER_AREA)) for each in (expected, developed)]
    left = [cv2.GaussianBlur(_length(each - _mean(each)[..., None]), (0, 0), _LOST_STEPS) for each in few]
    lost = np.clip(1 - left[0] / np.maximum(left[1], 0.05), 0.0, 0.95)
    return cast(Field, cv2.resize(lost, developed.shape[1::-1], interpolation=cv2.INTER_LINEAR))


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
    lightness = _mean(looks) - np.float32(np.median(_mean(looks)[core > 0]))
    apart = np.hypot(_length(chroma - own.astype(np.float32)), _PER_LIGHTNESS * lightness)
    alike = (apart < _ALIKE).astype(np.uint8) & mask
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
