"""Markers too blurred to be read one by one, recognised together: dark squares that lie as the sheet's markers do.

Every dark square in the picture is compared with every printed code, softly. One square that resembles a code says
where the others must lie; the guess that most other squares confirm wins.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, cast

import cv2
import numpy as np

from vision.locate.markers import Seen
from vision.locate.pose import Floats, Picture
from vision.reference import Reference

LEAST = 4  # markers that must agree
_SIDE_PX = 24
_SEED, _FOLLOWER = 0.45, 0.25  # correlation with a code: to start a guess, and to confirm one
_SEEDS = 200
_REACH = 2.5  # a square says where others lie within so many times what is already explained


class Squares(NamedTuple):
    corners_px: Floats  # (N, 4, 2)
    likeness: Floats  # (N, ids, 4): correlation with each code, turned by quarter turns


def find_together(grey: Picture, reference: Reference) -> list[Seen]:
    """The reference's markers in a grey picture, found by their layout; none if too few agree."""
    ids = tuple(sorted(reference.markers_mm))
    squares = _squares(grey, ids, reference.dictionary)
    if len(squares.corners_px) < LEAST:
        return []
    layout = np.array([reference.markers_mm[ident] for ident in ids])
    order = np.argsort(squares.likeness.ravel())[::-1][:_SEEDS]
    best: dict[int, tuple[int, int]] = {}
    for flat in order:
        square, code, turn = (int(i) for i in np.unravel_index(flat, squares.likeness.shape))
        if squares.likeness[square, code, turn] < _SEED or best.get(code) == (square, turn):
            continue
        grown = _grown(squares, layout, {code: (square, turn)})
        if len(grown) > len(best):
            best = grown
    if len(best) < LEAST:
        return []
    return [Seen(ids[code], _turned(squares.corners_px[square], turn)) for code, (square, turn) in best.items()]


def _grown(squares: Squares, layout: Floats, taken: dict[int, tuple[int, int]]) -> dict[int, tuple[int, int]]:
    """The markers that one guess explains, step by step outwards."""
    for _ in range(8):
        mm = np.concatenate([layout[code] for code in taken])
        px = np.concatenate([_turned(squares.corners_px[square], turn) for square, turn in taken.values()])
        matrix = _plane(mm, px, exact=len(taken) > 2)
        known = np.array([layout[code].mean(axis=0) for code in taken])
        reach = max(85.0, _REACH * float(np.ptp(known, axis=0).max()))
        near = [np.linalg.norm(known - corners.mean(axis=0), axis=1).min() <= reach for corners in layout]
        at = cv2.perspectiveTransform(layout.reshape(1, -1, 2), matrix).reshape(-1, 4, 2)
        found: dict[int, tuple[int, int]] = {}
        for code in np.flatnonzero(near):
            confirmed = _confirming(squares, at[code], int(code))
            if confirmed is not None:
                found[int(code)] = confirmed
        if len(found) <= len(taken):
            return taken
        taken = found
    return taken


def _plane(mm: Floats, px: Floats, exact: bool) -> Floats:
    """3 x 3 from mm to px. Few small squares can't tell perspective, so theirs is left out."""
    if exact:
        matrix, _ = cv2.findHomography(mm, px, cv2.RANSAC, 6.0)
        if matrix is not None:
            return cast(Floats, matrix)
    rows = np.linalg.lstsq(np.column_stack([mm, np.ones(len(mm))]), px, rcond=None)[0].T
    return np.vstack([rows, (0.0, 0.0, 1.0)])


def _confirming(squares: Squares, at: Floats, code: int) -> tuple[int, int] | None:
    """The square and its turn that best show a code expected at (4, 2) pixels, or None."""
    side = float(np.sqrt(max(cv2.contourArea(at.astype(np.float32)), 1e-3)))
    best, found = _FOLLOWER, None
    near = np.linalg.norm(squares.corners_px.mean(axis=1) - at.mean(axis=0), axis=1) < 0.7 * side
    for square in np.flatnonzero(near):
        for turn in range(4):
            apart = np.abs(_turned(squares.corners_px[square], turn) - at).max()
            value = float(squares.likeness[square, code, turn]) - 0.3 * apart / side
            if (
                apart < 0.9 * side
                and squares.likeness[square, code, turn] > _FOLLOWER
                and (found is None or value > best)
            ):
                best, found = value, (int(square), turn)
    return found


def _squares(grey: Picture, ids: tuple[int, ...], dictionary: str) -> Squares:
    settings = cv2.aruco.DetectorParameters()
    settings.adaptiveThreshWinSizeMin, settings.adaptiveThreshWinSizeMax, settings.adaptiveThreshWinSizeStep = 9, 49, 10
    settings.minMarkerPerimeterRate = 0.02
    settings.polygonalApproxAccuracyRate = 0.08
    settings.minCornerDistanceRate = 0.02
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary)), settings)
    read, _, unread = detector.detectMarkers(grey)
    quads = [np.asarray(quad, np.float64).reshape(4, 2) for quad in (*read, *unread)]
    if not quads:
        return Squares(np.zeros((0, 4, 2)), np.zeros((0, len(ids), 4)))
    last = _SIDE_PX - 1.0
    frame = np.array([[0, 0], [last, 0], [last, last], [0, last]], np.float32)
    faces = []
    for quad in quads:
        matrix = cv2.getPerspectiveTransform(quad.astype(np.float32), frame)
        face = cv2.warpPerspective(grey, matrix, (_SIDE_PX, _SIDE_PX)).astype(np.float64)
        faces.append((face - face.mean()) / max(float(face.std()), 1.0))
    codes = _codes(ids, dictionary)
    likeness = np.array(faces).reshape(len(faces), -1) @ codes.reshape(-1, _SIDE_PX * _SIDE_PX).T / _SIDE_PX**2
    return Squares(np.array(quads), likeness.reshape(len(faces), len(ids), 4))


@lru_cache(maxsize=8)
def _codes(ids: tuple[int, ...], name: str) -> Floats:
    """(ids, 4, side, side) each code as a quad whose corners begin `turn` corners later would show it."""
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name))
    cells = dictionary.markerSize + 2  # with the black border on both sides
    shown = []
    for ident in ids:
        crisp = cv2.aruco.generateImageMarker(dictionary, ident, cells * 8).astype(np.float64)
        soft = cv2.resize(cv2.GaussianBlur(crisp, (0, 0), 5), (_SIDE_PX, _SIDE_PX), interpolation=cv2.INTER_AREA)
        soft = (soft - soft.mean()) / soft.std()
        shown.append([np.rot90(soft, turn) for turn in range(4)])
    return cast(Floats, np.array(shown))


def _turned(corners: Floats, turn: int) -> Floats:
    """The quad's corners in printed order, when the code is seen rotated by `turn` quarter turns counter-clockwise."""
    return np.roll(corners, turn, axis=0)
