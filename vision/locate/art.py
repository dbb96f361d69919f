"""The printed art as a second way to find the board and to place it exactly."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.locate.flat import laid_flat
from vision.locate.pose import Camera, Floats, Picture, PictureKey, View
from vision.locate.solve import Fit, fit_view, refine
from vision.reference import Reference
from vision.sheets.geometry import Point

Shorts = NDArray[np.float32]  # (N, 1, 2) points as OpenCV tracks them

PX_PER_MM = 2.0
_POINTS = 220
_NOISE_PX = 1.2
_LEAST_MATCHES = 18
_LONGEST_PX = 1100


class Tracks(NamedTuple):
    points_mm: Floats  # (N, 2) of the print
    points_px: Floats  # (N, 2) where the picture shows them
    share: float  # of the points looked for that were found near where they should be


def track(grey: Picture, view: View, reference: Reference) -> Tracks:
    """Where details of the print really are, given a view that is nearly right."""
    printed, points = _details(PictureKey(reference.picture), reference.size_mm)
    flat = laid_flat(grey, view, reference.size_mm, PX_PER_MM)
    seen = _evened(flat)
    there, found = _flow(printed, seen, points)
    back, found_back = _flow(seen, printed, there)
    apart = np.linalg.norm((back - points).reshape(-1, 2), axis=1)
    good = found & found_back & (apart < 1.0)
    there_mm = (there.reshape(-1, 2)[good].astype(np.float64) + 0.5) / PX_PER_MM
    return Tracks(_mm(points[good]), view.project(there_mm), float(good.mean()))


def _flow(before: Picture, after: Picture, points: Shorts) -> tuple[Shorts, NDArray[np.bool_]]:
    there, found, _ = cv2.calcOpticalFlowPyrLK(
        before, after, points, np.zeros_like(points), winSize=(21, 21), maxLevel=3
    )
    return cast(Shorts, there), np.asarray(found).ravel() == 1


def refine_by_art(
    grey: Picture, view: View, reference: Reference, marks: tuple[Floats, Floats], fixed: bool, rounds: int = 2
) -> tuple[Fit, float]:
    """The view improved by the print, markers' (mm, px) points counting too; and the share of the print that agrees."""
    fit, agreeing = Fit(view, 99.0, np.zeros(0)), 0.0
    for _ in range(rounds):
        tracks = track(grey, fit.view, reference)
        points_mm = np.concatenate([marks[0], tracks.points_mm])
        points_px = np.concatenate([marks[1], tracks.points_px])
        if len(points_mm) < 8:
            return fit, 0.0
        fit = refine(fit.view, points_mm, points_px, fixed, _NOISE_PX)
        agreeing = float((fit.fits[len(marks[0]) :] > 0.3).mean()) * tracks.share if len(tracks.points_mm) else 0.0
    return fit, agreeing


def find_by_features(grey: Picture, reference: Reference, camera: Camera | None) -> Fit | None:
    """The board found by what is printed on it alone, or None."""
    shrink = min(1.0, _LONGEST_PX / max(grey.shape))
    small = cv2.resize(grey, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA) if shrink < 1 else grey
    spots, words = _sift(3000).detectAndCompute(small, None)
    if words is None or len(words) < _LEAST_MATCHES:
        return None
    own_mm, own_words = _features(PictureKey(reference.picture), reference.size_mm)
    pairs = cv2.BFMatcher(cv2.NORM_L2).knnMatch(words, own_words, k=2)
    near = [pair[0] for pair in pairs if len(pair) == 2 and pair[0].distance < 0.8 * pair[1].distance]
    if len(near) < _LEAST_MATCHES:
        return None
    points_mm = own_mm[[match.trainIdx for match in near]]
    points_px = (np.array([spots[match.queryIdx].pt for match in near]) + 0.5) / shrink - 0.5
    fit = fit_view(points_mm, points_px, grey.shape[1::-1], camera, noise_px=2.0)
    return fit if fit is not None and int((fit.fits > 0.3).sum()) >= _LEAST_MATCHES else None


def _sift(most: int) -> Any:
    return getattr(cv2, "SIFT_create")(most)  # noqa: B009 - missing in OpenCV's own type stubs


@lru_cache(maxsize=4)
def _details(key: PictureKey, size_mm: Point) -> tuple[Picture, Shorts]:
    """The evened print at `PX_PER_MM` and (N, 1, 2) points of it worth tracking."""
    printed = _evened(_grey_print(key.picture, size_mm))
    points = cv2.goodFeaturesToTrack(printed, _POINTS, 0.02, 9, blockSize=9)
    return printed, cast(Shorts, points)


@lru_cache(maxsize=4)
def _features(key: PictureKey, size_mm: Point) -> tuple[Floats, Floats]:
    spots, words = _sift(4000).detectAndCompute(_grey_print(key.picture, size_mm), None)
    return (np.array([spot.pt for spot in spots]) + 0.5) / PX_PER_MM, cast(Floats, words)


def _grey_print(picture: Picture, size_mm: Point) -> Picture:
    size = (round(size_mm[0] * PX_PER_MM), round(size_mm[1] * PX_PER_MM))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return cast(Picture, cv2.cvtColor(small, cv2.COLOR_BGR2GRAY))


def _evened(grey: Picture) -> Picture:
    """Local contrast alone: the same under any lamp."""
    values = grey.astype(np.float32)
    detail = values - cv2.GaussianBlur(values, (0, 0), 12)
    strength = np.sqrt(cv2.GaussianBlur(detail * detail, (0, 0), 24)) + 3
    return cast(Picture, np.clip(128 + 45 * detail / strength, 0, 255).astype(np.uint8))


def _mm(points: Shorts) -> Floats:
    return (points.reshape(-1, 2).astype(np.float64) + 0.5) / PX_PER_MM
