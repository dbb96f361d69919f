"""The light on the mat: what is seen over what was printed, wherever no maki can stand in between."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.locate.flat import laid_flat
from vision.locate.pose import Floats, Picture, PictureKey, View
from vision.makisan.layout import LINE_Y_MM, MARKER_CELLS, PITCH_MM, RESTS_MM
from vision.reference import Reference

Field = NDArray[np.float32]

LIGHT_PX_PER_MM = 0.5
_INK = 70  # printed values below this are ink: their ratio says little
_FLOOR = 4.0  # camera values near black are noise
_BRIGHTEST = 250
_USUAL_BLACK, _MOST_BLACK = 0.12, 0.4  # how light black ink looks
_CHROMA = 0.12  # by which paper under one lamp may differ, in logs
_NEAR_MM, _FAR_MM = 14.0, 40.0  # how far around light is taken over, where there is paper and where there is none
_DEEP_MM, _HIGH_MM = 20.0, 40.0  # what a line with a Wasabi may cover: on the mat, and upwards


class Light(NamedTuple):
    """`gain` (H, W, 3) BGR: logs of camera value over printed value; `level` their mean over the mat; `black` (3,) how
    light the markers' black ink looks, 1 being white paper; `flat` the picture as seen on the paper; `clipped` the
    share of it at the end of the camera's scale; `alike` how much the sheet looks like the mat, 1 at most."""

    gain: Field
    level: float
    black: Floats
    flat: Picture
    clipped: float
    alike: float


def logs_of(values: Picture | Field) -> Field:
    return cast(Field, np.log(values.astype(np.float32) + np.float32(_FLOOR)))


def light_of(picture: Picture, view: View, reference: Reference) -> Light:
    small = laid_flat(picture, view, reference.size_mm, LIGHT_PX_PER_MM)
    printed, is_paper = _print(PictureKey(reference.picture), small.shape[1::-1])
    ratio = logs_of(small) - printed
    brightest = small.max(axis=2)
    usable = is_paper & (brightest < _BRIGHTEST) & (brightest > 8) & ~_behind_line(view, small.shape)
    brightness = ratio.mean(axis=2)
    chroma = ratio - brightness[..., None]
    usual = _commonest(chroma[usable]) if usable.sum() > 200 else np.zeros(3)
    apart = ((chroma - usual) ** 2).sum(axis=2)
    weight = (usable * np.exp(apart * (-0.5 / _CHROMA**2)) + 1e-6).astype(np.float32)
    weight *= _not_dark(brightness, usable)
    gain = _spread(ratio, weight, _NEAR_MM, _FAR_MM)
    level = float(np.median(brightness[usable])) if usable.any() else 0.0
    black = _black(picture, view, reference, gain)
    clipped = float((small.min(axis=2) >= _BRIGHTEST).mean())
    return Light(gain, level, black, small, clipped, _alike(logs_of(small).mean(axis=2), printed.mean(axis=2)))


@lru_cache(maxsize=2)
def _print(key: PictureKey, size_px: tuple[int, int]) -> tuple[Field, NDArray[np.bool_]]:
    small = cv2.resize(key.picture, size_px, interpolation=cv2.INTER_AREA)
    return logs_of(cast(Picture, small)), small.min(axis=2) > _INK


def _behind_line(view: View, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """(H, W) the paper that makis may cover or hide from this camera."""
    eye = view.pose.eye_mm * (1.0, 1.0, -1.0)
    side = 1 if eye[1] > LINE_Y_MM else -1
    x = [RESTS_MM[0][0] - PITCH_MM, RESTS_MM[-1][0] + PITCH_MM]
    near, far = LINE_Y_MM + side * _DEEP_MM, LINE_Y_MM - side * _DEEP_MM
    corners = np.array([(a, b, h) for a in x for b in (near, far) for h in (0.0, _HIGH_MM)])
    share = eye[2] / np.maximum(eye[2] - corners[:, 2], 1.0)
    ground = eye[:2] + (corners[:, :2] - eye[:2]) * share[:, None]
    mask = np.zeros(shape[:2], np.uint8)
    hull = cv2.convexHull((ground * LIGHT_PX_PER_MM).astype(np.float32))
    cv2.fillConvexPoly(mask, np.round(hull).astype(np.int32), 1)
    return mask > 0


def _black(picture: Picture, view: View, reference: Reference, gain: Field) -> Floats:
    """(3,) what the black borders of the markers look like: haze, glare and the camera's curve lift them."""
    points = np.concatenate([_border(corners) for corners in reference.markers_mm.values()])
    at = np.round(view.project(points)).astype(int)
    inside = (at >= 0).all(axis=1) & (at[:, 0] < picture.shape[1]) & (at[:, 1] < picture.shape[0])
    if inside.sum() < 20:
        return np.full(3, _USUAL_BLACK)
    seen = logs_of(picture[at[inside, 1], at[inside, 0]])
    spots = np.clip((points[inside] * LIGHT_PX_PER_MM).astype(int), 0, np.array(gain.shape[1::-1]) - 1)
    shares = np.exp(seen - gain[spots[:, 1], spots[:, 0]]) / 255.0
    # What covers a marker is mostly lighter than ink.
    return cast(Floats, np.clip(np.percentile(shares, 35, axis=0), 0.01, _MOST_BLACK).astype(np.float64))


def _border(corners: Floats) -> Floats:
    """Points along the middle of a marker's black border."""
    inner = corners.mean(axis=0) + (corners - corners.mean(axis=0)) * (1 - 1 / MARKER_CELLS)
    share = np.linspace(0.0, 1.0, 5)[:-1, None]
    return np.concatenate([a + (b - a) * share for a, b in zip(inner, np.roll(inner, -1, axis=0), strict=True)])


def _alike(seen: Field, printed: Field) -> float:
    """How much two pictures rise and fall together."""
    return float(np.corrcoef(seen.ravel(), printed.ravel())[0, 1]) if seen.std() > 0 else 0.0


def _commonest(chroma: Field) -> Floats:
    """(3,) a median that forgets what lies far off, a few times over."""
    centre = np.median(chroma, axis=0)
    for _ in range(3):
        near = np.abs(chroma - centre).max(axis=1) < 2.5 * _CHROMA
        if near.sum() < 20:
            break
        centre = np.median(chroma[near], axis=0)
    return cast(Floats, centre.astype(np.float64))


def _not_dark(brightness: Field, usable: NDArray[np.bool_]) -> Field:
    """(H, W) lower weights for paper in a deep shadow of something: it says little about the light nearby."""
    usual = float(np.median(brightness[usable])) if usable.any() else 0.0
    return cast(Field, np.where(brightness < usual - 0.9, 0.05, 1.0).astype(np.float32))


def _spread(field: Field, weight: Field, near_mm: float, far_mm: float) -> Field:
    """The weighted mean near every pixel, and where hardly anything counts there, from farther away."""
    size = weight.shape[::-1]
    small = (size[0] // 2, size[1] // 2)
    stack = cv2.resize(np.dstack([field * weight[..., None], weight]), small, interpolation=cv2.INTER_AREA)
    near = cv2.GaussianBlur(stack, (0, 0), near_mm * LIGHT_PX_PER_MM / 2)
    far = cv2.GaussianBlur(stack, (0, 0), far_mm * LIGHT_PX_PER_MM / 2)
    total = near + far * np.float32(0.15)
    mean = total[..., :-1] / np.maximum(total[..., -1:], 1e-12)
    return cast(Field, cv2.resize(mean, size, interpolation=cv2.INTER_LINEAR))
