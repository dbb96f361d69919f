"""Finding the printed markers, fast where the picture is good and stubbornly where it is not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple, cast

import cv2
import numpy as np

from vision.locate.pose import Floats, Picture
from vision.sheets.geometry import DICTIONARY

ENOUGH = 7
_PLENTY = 10  # found in a small copy of the picture, these need no look at the whole
_SMALL_PX = 850  # longer side of such a copy


class Seen(NamedTuple):
    """One marker in a picture: (4, 2) corners in px, clockwise from the top left one as printed."""

    ident: int
    corners_px: Floats


class Wanted(NamedTuple):
    """The ids of one dictionary (OpenCV's name) that are printed, sorted."""

    dictionary: str
    ids: tuple[int, ...]


def find(grey: Picture, known: Iterable[int], enough: int = ENOUGH, dictionary: str = DICTIONARY) -> list[Seen]:
    """Markers with known ids in an (H, W) picture. Tries harder while fewer than `enough` are found."""
    wanted = Wanted(dictionary, tuple(sorted(known)))
    found = _glimpsed(grey, wanted)
    if len(found) >= _PLENTY:
        return found
    found = merged(_detect(grey, wanted, fast=True), found)
    if len(found) >= enough:
        return found
    found = merged(found, _detect(grey, wanted, fast=False))
    if len(found) >= enough:
        return found
    for picture, scale in _other_looks(grey):
        found = merged(found, _detect(picture, wanted, fast=False, scale=scale))
        if len(found) >= enough:
            break
    return found


def find_quickly(grey: Picture, known: Iterable[int]) -> list[Seen]:
    """One fast look, for live pictures and for a mirrored one."""
    return _detect(grey, Wanted(DICTIONARY, tuple(sorted(known))), fast=True)


def _glimpsed(grey: Picture, wanted: Wanted) -> list[Seen]:
    """Markers found in a small copy of a large picture, their corners made exact in the picture itself."""
    step = round(max(grey.shape) / _SMALL_PX)
    if step < 2:
        return []
    size = (grey.shape[1] // step, grey.shape[0] // step)
    small = cv2.resize(grey[: size[1] * step, : size[0] * step], size, interpolation=cv2.INTER_AREA)
    found = _detect(cast(Picture, small), wanted, fast=True, scale=1 / step)
    return _exact(grey, found) if len(found) >= _PLENTY else found


def _exact(grey: Picture, markers: list[Seen]) -> list[Seen]:
    """The markers with their corners moved to where the edges really meet."""
    start = np.stack([marker.corners_px for marker in markers])
    sides = np.linalg.norm(np.roll(start, 1, axis=1) - start, axis=2)
    reach = max(2, min(8, round(float(sides.min()) / 8)))  # less than a bit of the code: no other corner is as near
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_COUNT, 12, 0.05)
    moved = cv2.cornerSubPix(grey, start.astype(np.float32).reshape(-1, 1, 2), (reach, reach), (-1, -1), stop)
    exact = np.asarray(moved, np.float64).reshape(start.shape)
    is_near = np.linalg.norm(exact - start, axis=2, keepdims=True) < reach
    corners = np.where(is_near, exact, start)
    return [Seen(marker.ident, own) for marker, own in zip(markers, corners, strict=True)]


def merged(*looks: list[Seen]) -> list[Seen]:
    """All markers found, each place in the picture once. An id in two places stays twice: it may be two boards."""
    kept: list[Seen] = []
    for marker in (marker for look in looks for marker in look):
        size = np.linalg.norm(marker.corners_px[0] - marker.corners_px[2])
        if not any(
            other.ident == marker.ident and np.linalg.norm(other.corners_px.mean(0) - marker.corners_px.mean(0)) < size
            for other in kept
        ):
            kept.append(marker)
    return kept


def _other_looks(grey: Picture) -> Iterable[tuple[Picture, float]]:
    yield cast(Picture, cv2.createCLAHE(3.0, (8, 8)).apply(grey)), 1.0
    if max(grey.shape) <= 2600:
        big = cv2.resize(grey, None, fx=1.6, fy=1.6, interpolation=cv2.INTER_CUBIC)
        soft = cv2.GaussianBlur(big, (0, 0), 3.0)
        yield cast(Picture, cv2.addWeighted(big, 2.2, soft, -1.2, 0)), 1.6
    if max(grey.shape) >= 1400:
        yield cast(Picture, cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)), 0.5


def _detect(grey: Picture, wanted: Wanted, fast: bool, scale: float = 1.0) -> list[Seen]:
    corners, ids, _ = _detector(wanted, fast).detectMarkers(grey)
    found = []
    # Without any marker OpenCV gives None instead of an empty array.
    for ident, quad in zip(np.ravel(ids) if len(corners) else (), corners, strict=True):
        points = (np.asarray(quad, np.float64).reshape(4, 2) + 0.5) / scale - 0.5
        found.append(Seen(wanted.ids[int(ident)], points))
    return merged(found)


@cache
def _detector(wanted: Wanted, fast: bool) -> cv2.aruco.ArucoDetector:
    """A detector for these ids alone: what is not printed can't be mistaken for them."""
    whole = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, wanted.dictionary))
    own = cv2.aruco.Dictionary(whole.bytesList[list(wanted.ids)], whole.markerSize, 1)
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    settings.cornerRefinementWinSize = 4
    settings.relativeCornerRefinmentWinSize = 0.25
    settings.errorCorrectionRate = 1.0  # of the one bit that the printed codes can spare
    if fast:
        # One threshold window instead of three: as many markers at a quarter of the time. OpenCV's own fast way,
        # useAruco3Detection, missed most of the 13.5 mm markers in pictures of 1600 x 1200.
        settings.adaptiveThreshWinSizeMin = settings.adaptiveThreshWinSizeMax = 13
        settings.minMarkerPerimeterRate = 0.025
    else:
        settings.adaptiveThreshWinSizeMin, settings.adaptiveThreshWinSizeMax = 5, 45
        settings.adaptiveThreshWinSizeStep = 10
        settings.minMarkerPerimeterRate = 0.02
        settings.polygonalApproxAccuracyRate = 0.05
    return cv2.aruco.ArucoDetector(own, settings)


def mirrored(grey: Picture, known: Iterable[int], dictionary: str = DICTIONARY) -> bool:
    """Whether the picture shows our markers in a mirror."""
    wanted = Wanted(dictionary, tuple(sorted(known)))
    return len(_detect(cast(Picture, cv2.flip(grey, 1)), wanted, fast=False)) >= 3


def by_board(markers: Iterable[Seen], board_of: Mapping[int, str]) -> dict[str, list[Seen]]:
    found: dict[str, list[Seen]] = {}
    for marker in markers:
        found.setdefault(board_of.get(marker.ident, ""), []).append(marker)
    return found
