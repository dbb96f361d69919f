"""One guided look at the table: which camera, where it stands, and what this set's colours look like in this light.

Pieces may stand on the board. One piece of each colour on a known place is enough; the file is JSON a person can read.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from vision.errors import CalibrationUnusable, VisionError
from vision.locate.find import Located, locate
from vision.locate.pose import Camera, Floats, Picture, Pose, View
from vision.read import Reading, Settings, look_at, read_located
from vision.reading.network import COLOURS
from vision.reference import Reference

_VERSION = 1
_BUMPED_MM = 3.0  # by which the board seems to have moved in the picture
_OTHER_CAMERA_PX = 2.5
_SURE = 0.97

Note = tuple[str, Mapping[str, Any]]


class Calibration(NamedTuple):
    """What one calibration found. `palette` holds (3,) looks by colour, see `vision.reading.colours`."""

    board: str
    camera: Camera
    pose: Pose
    palette: Mapping[str, Floats]
    lamp: tuple[float, float, float]  # BGR camera value per printed value
    sharpness: float
    hut_mm2: float | None = None  # how large a hut would look from above, see `vision.reading.sizes`


def calibrate(picture: Picture, reference: Reference, known: Mapping[str, Any] | None = None) -> Calibration:
    """Learns camera and palette from one BGR picture.

    `known` is a position (`huts`, `clubs`, `tikis` as in companion/README.md) that stands on the board, or part of one.
    Without it the palette comes from the pieces whose colour is beyond doubt.
    """
    located = locate(picture, reference)
    reading = read_located(picture, located, reference, None, Settings())
    found = _looks(reading, known) if known else _sure_looks(reading)
    palette = {colour: np.median(looks, axis=0) for colour, looks in found.items()}
    return Calibration(
        board=reference.name,
        camera=located.view.camera,
        pose=located.view.pose,
        palette=palette,
        lamp=_three(reading.lamp),
        sharpness=float(reading.quality["sharpness"]),
        hut_mm2=reading.hut_mm2,
    )


def read_calibrated(
    picture: Picture, reference: Reference, calibration: Calibration, settings: Settings | None = None
) -> Reading:
    """Reads a picture with a calibration. A picture of another camera is read too, with the palette alone."""
    notes: list[Note] = []
    try:
        located = locate(picture, reference, calibration.camera)
        same = located.error_px < _OTHER_CAMERA_PX
    except VisionError:
        same = False
    if same:
        notes += drift(calibration, located, reference)
    else:
        located = locate(picture, reference)
        notes.append(("camera_changed", {}))
    hut_mm2 = calibration.hut_mm2 if same else None
    reading = read_located(picture, located, reference, calibration.palette, settings or Settings(), hut_mm2)
    return reading._replace(notes=(*reading.notes, *notes))


def drift(calibration: Calibration, located: Located, reference: Reference) -> list[Note]:
    """Whether the camera was bumped since: how far the board's corners have moved, in mm on the table."""
    width, height = reference.size_mm
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
    now = located.view
    before = View(calibration.camera.scaled_to(now.camera.size_px), calibration.pose).project(corners)
    apart_px = np.linalg.norm(now.project(corners) - before, axis=1)
    scale = now.scale_at(np.column_stack([corners, np.zeros(4)]))
    moved = float((apart_px / scale).max())
    return [("camera_moved", {"distance_mm": round(moved)})] if moved > _BUMPED_MM else []


def to_json(calibration: Calibration) -> str:
    """The calibration as a readable file."""
    camera, pose = calibration.camera, calibration.pose
    looks = {
        colour: {"red_share": round(look[0], 4), "blue_share": round(look[1], 4), "log_lightness": round(look[2], 3)}
        for colour, look in sorted((c, [float(v) for v in values]) for c, values in calibration.palette.items())
    }
    data = {
        "calibration": _VERSION,
        "board": calibration.board,
        "camera": {
            "focal_px": round(camera.focal_px, 2),
            "size_px": list(camera.size_px),
            "k1": camera.k1,
            "k2": camera.k2,
        },
        "pose": {"rotation": list(pose.rotation), "translation_mm": list(pose.translation)},
        "palette": looks,
        "lamp_bgr": [round(value, 4) for value in calibration.lamp],
        "sharpness": calibration.sharpness,
        "hut_from_above_mm2": calibration.hut_mm2,
    }
    return json.dumps(data, indent=1) + "\n"


def from_json(text: str) -> Calibration:
    """The calibration in a file. Raises `CalibrationUnusable`."""
    try:
        data = json.loads(text)
        if data["calibration"] != _VERSION:
            raise CalibrationUnusable(what=f"it is of version {data['calibration']}")
        camera = data["camera"]
        width, height = (int(side) for side in camera["size_px"])
        lens = Camera(float(camera["focal_px"]), (width, height), float(camera["k1"]), float(camera["k2"]))
        pose = Pose(_three(data["pose"]["rotation"]), _three(data["pose"]["translation_mm"]))
        looks = {
            colour: np.array([look["red_share"], look["blue_share"], look["log_lightness"]], np.float64)
            for colour, look in data["palette"].items()
        }
        lamp = _three(data["lamp_bgr"])
        hut = data.get("hut_from_above_mm2")
        size = None if hut is None else float(hut)
        result = Calibration(str(data["board"]), lens, pose, looks, lamp, float(data["sharpness"]), size)
    except (KeyError, TypeError, AttributeError, json.JSONDecodeError) as error:
        raise CalibrationUnusable(what=f"{type(error).__name__}: {error}") from None
    except ValueError as error:
        if isinstance(error, VisionError):
            raise
        raise CalibrationUnusable(what=str(error)) from None
    _check(result)
    return result


def missing_colours(calibration: Calibration, reference: Reference) -> list[str]:
    """Colours of the game that the calibration has not seen: one piece of each should stand on the board."""
    return [colour for colour in reference.colours if colour not in calibration.palette]


def _looks(reading: Reading, known: Mapping[str, Any]) -> dict[str, list[Floats]]:
    """The looks of pieces by their colour, where a person has said which stands where."""
    places = [(site, 0, colour) for site, colour in known.get("huts", {}).items()]
    places += [(f"club:{beach}", 0, colour) for beach, colour in known.get("clubs", {}).items()]
    places += [(place, 1, colour) for colour, place in known.get("tikis", {}).items()]
    found: dict[str, list[Floats]] = {}
    for place, part, colour in places:
        look = look_at(reading, place, part)
        if look is not None and colour in COLOURS:
            found.setdefault(colour, []).append(look)
    return found


def _sure_looks(reading: Reading) -> dict[str, list[Floats]]:
    found: dict[str, list[Floats]] = {}
    for row, verdict in enumerate(reading.verdicts):
        if verdict.confidence < _SURE:
            continue
        for part, colour in enumerate(verdict.state):
            if colour is not None and reading.looks.weight[row, part] > 20:
                found.setdefault(colour, []).append(reading.looks.values[row, part])
    return found


def _check(calibration: Calibration) -> None:
    camera = calibration.camera
    numbers = [camera.focal_px, camera.k1, camera.k2, *calibration.pose.rotation, *calibration.pose.translation]
    numbers += [float(value) for look in calibration.palette.values() for value in look]
    if not np.isfinite(numbers).all() or camera.focal_px <= 0 or min(camera.size_px) < 1:
        raise CalibrationUnusable(what="its numbers are out of range")


def _three(values: Any) -> tuple[float, float, float]:
    a, b, c = values
    return float(a), float(b), float(c)
