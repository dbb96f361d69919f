"""Following a board from frame to frame at little cost: what moved, what changed, is the camera still.

Each frame is looked at small and flat. Only when the table is calm are places that changed read anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration import Calibration, drift
from vision.errors import VisionError
from vision.locate.find import Located, locate
from vision.locate.pose import Floats, Picture
from vision.read import Reading, Settings, read_located
from vision.reading.judge import Verdict
from vision.reference import Reference

PX_PER_MM = 0.5
_MOVING = 14.0  # grey levels by which a pixel differs from the frame before while something moves
_MOVING_SHARE = 0.004  # of the board's pixels
_CHANGED = 9.0  # mean levels of one colour by which a place differs from when it was read
_PLACE_MM = 9.0
_CALM_FRAMES = 2
_BUMP_MM = 1.5
_LOST_FRAMES = 5


class Observation(NamedTuple):
    """What one frame says. `status` is ok, moving, covered, no_board or unavailable; places hold odds by state."""

    time_s: float
    status: str
    places: Mapping[str, Mapping[str, Any]]
    quality: Mapping[str, float]
    notes: tuple[tuple[str, Mapping[str, Any]], ...] = ()


class Track(NamedTuple):
    """What is remembered between frames: nothing else is. A tracker's step takes one and gives the next."""

    located: Located | None = None
    maps: tuple[Floats, Floats] | None = None  # where each pixel of the flat board is in the frame
    before: Picture | None = None  # the frame before, flat: (H, W, 3)
    as_read: Picture | None = None  # the board as it was when its places were read
    reading: Reading | None = None
    calm: int = 0
    lost: int = 0


def step(
    track: Track,
    picture: Picture,
    time_s: float,
    reference: Reference,
    calibration: Calibration | None,
    settings: Settings,
) -> tuple[Track, Observation]:
    """One frame further."""
    if track.located is None or track.reading is None or track.before is None or track.as_read is None:
        return _begin(track, picture, time_s, reference, calibration, settings)
    flat = _flat(track, picture)
    if _moving(flat, track.before) > _MOVING_SHARE:
        return track._replace(before=flat, calm=0), _told(track.reading, "moving", time_s)
    if track.calm + 1 < _CALM_FRAMES:
        return track._replace(before=flat, calm=track.calm + 1), _told(track.reading, "moving", time_s)
    if _bumped(flat, track.as_read):
        return _begin(Track(), picture, time_s, reference, calibration, settings)
    changed = changed_places(flat, track.as_read, reference.places_mm)
    reading, as_read = track.reading, track.as_read
    if len(changed):
        reading, as_read = _read_again(picture, track, reference, calibration, settings, changed), flat
    status = "covered" if any(v.reason == "site_covered" for v in reading.verdicts) else "ok"
    observed = _told(reading, status, time_s)
    return track._replace(before=flat, as_read=as_read, reading=reading, calm=track.calm + 1), observed


def changed_places(flat: Picture, as_read: Picture, places_mm: Floats) -> NDArray[np.intp]:
    """Indices of places that look different from when they were read, the light's strength and colour aside.

    Each colour counts by itself: a yellow tiki on sand is as bright as the sand, and only the blue is gone.
    """
    difference = cv2.subtract(flat, as_read, dtype=cv2.CV_32F)
    usual = np.median(difference[::4, ::4].reshape(-1, 3), axis=0)
    difference = np.abs(difference - usual.astype(np.float32))
    size = round(2 * _PLACE_MM * PX_PER_MM) | 1
    mean = cv2.blur(difference, (size, size))
    at = np.clip(np.round(places_mm * PX_PER_MM - 0.5).astype(int), 0, (flat.shape[1] - 1, flat.shape[0] - 1))
    return np.flatnonzero(mean[at[:, 1], at[:, 0]].max(axis=1) > _CHANGED)


def _moving(flat: Picture, before: Picture) -> float:
    """The share of the board that differs from the frame before, in any colour."""
    is_still = cv2.inRange(cv2.absdiff(flat, before), (0.0,) * 3, (_MOVING,) * 3)
    return 1 - cv2.countNonZero(is_still) / is_still.size


def _begin(
    track: Track,
    picture: Picture,
    time_s: float,
    reference: Reference,
    calibration: Calibration | None,
    settings: Settings,
) -> tuple[Track, Observation]:
    """Finds the board and reads all of it."""
    try:
        located = locate(picture, reference, calibration.camera if calibration else None)
    except VisionError as error:
        lost = track.lost + 1
        note = ((error.code, dict(error.data)),) if lost >= _LOST_FRAMES else ()
        return Track(lost=lost), Observation(time_s, "no_board", {}, {}, note)
    palette = calibration.palette if calibration else None
    hut_mm2 = calibration.hut_mm2 if calibration else None
    reading = read_located(picture, located, reference, palette, settings, hut_mm2)
    if calibration:
        reading = reading._replace(notes=(*reading.notes, *drift(calibration, located, reference)))
    fresh = Track(located=located, maps=_maps(located, reference), reading=reading)
    flat = _flat(fresh, picture)
    return fresh._replace(before=flat, as_read=flat), _told(reading, "ok", time_s)


def _read_again(
    picture: Picture,
    track: Track,
    reference: Reference,
    calibration: Calibration | None,
    settings: Settings,
    which: NDArray[np.intp],
) -> Reading:
    """The reading with some places read anew. All are looked at, because neighbours are judged together."""
    assert track.located is not None
    assert track.reading is not None
    palette = calibration.palette if calibration else None
    fresh = read_located(picture, track.located, reference, palette, settings, track.reading.hut_mm2)
    verdicts = list(track.reading.verdicts)
    for index in which:
        verdicts[index] = fresh.verdicts[index]
    return track.reading._replace(verdicts=tuple(verdicts), quality=fresh.quality)


def _maps(located: Located, reference: Reference) -> tuple[Floats, Floats]:
    width, height = (round(side * PX_PER_MM) for side in reference.size_mm)
    grid = np.stack(np.meshgrid(np.arange(width), np.arange(height)), 2).reshape(-1, 2)
    at = located.view.project(((grid + 0.5) / PX_PER_MM).astype(np.float64)).reshape(height, width, 2)
    place = at.astype(np.float32)
    fixed, rest = cv2.convertMaps(place[..., 0], place[..., 1], cv2.CV_16SC2)
    return cast(Floats, fixed), cast(Floats, rest)


def _flat(track: Track, picture: Picture) -> Picture:
    """The frame, flat and softened: noise must not look like motion."""
    assert track.maps is not None
    flat = cv2.remap(picture, track.maps[0], track.maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return cast(Picture, cv2.blur(flat, (3, 3)))


def _bumped(flat: Picture, as_read: Picture) -> bool:
    """Whether the whole board has shifted in the frame since it was read."""
    window = cv2.createHanningWindow((flat.shape[1], flat.shape[0]), cv2.CV_32F)
    green = [np.ascontiguousarray(each[..., 1], np.float32) for each in (flat, as_read)]
    shift, response = cv2.phaseCorrelate(green[0], green[1], window)
    return bool(response > 0.1 and np.hypot(shift[0], shift[1]) > _BUMP_MM * PX_PER_MM)


def _told(reading: Reading, status: str, time_s: float) -> Observation:
    places = {_key(verdict): _evidence(verdict) for verdict in reading.verdicts}
    return Observation(time_s, status, places, reading.quality, reading.notes)


def _key(verdict: Verdict) -> str:
    return verdict.place if verdict.base_name == "hut" else f"club:{verdict.place}"


def _evidence(verdict: Verdict) -> dict[str, Any]:
    odds = {state.text(verdict.base_name): round(chance, 5) for state, chance in verdict.odds.items()}
    return {**verdict.to_json(), "odds": odds, "covered": verdict.reason == "site_covered"}
