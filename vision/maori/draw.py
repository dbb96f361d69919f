"""A picture with what was read drawn onto it."""

from __future__ import annotations

import cv2
import numpy as np

from vision.locate.pose import Floats, Picture
from vision.maori.surfaces import is_berth, places_of, sheet_of
from vision.sheets.maori.layout import TILE_MM
from vision.surfaces import DOUBTFUL, PlaceSeen, SurfaceReading

_WHITE, _DOUBT, _EDGE, _DARK = (255, 255, 255), (0, 0, 255), (255, 200, 0), (40, 40, 40)
_BERTH_MM = 12.0


def annotated(picture: Picture, reading: SurfaceReading) -> Picture:
    """A copy of the BGR picture: the sheet's outline, and on each place what lies there; doubts in red."""
    drawn = picture.copy()
    width, height = sheet_of(reading.surface).size_mm
    _outline(drawn, reading, np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64), _EDGE)
    for place, (x, y) in places_of(reading.surface).items():
        seen = reading.places[place]
        half = (_BERTH_MM if is_berth(place) else TILE_MM) / 2
        box = np.array([[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]])
        is_doubt = seen.confidence < DOUBTFUL
        if seen.content != "empty" or is_doubt:
            _outline(drawn, reading, box, _DOUBT if is_doubt else _WHITE)
            _label(drawn, reading, (x, y), seen)
    return drawn


def _outline(drawn: Picture, reading: SurfaceReading, corners_mm: Floats, ink: tuple[int, int, int]) -> None:
    points = np.round(reading.located.view.project(corners_mm)).astype(np.int32)
    cv2.polylines(drawn, [points], True, ink, 2, cv2.LINE_AA)


def _label(drawn: Picture, reading: SurfaceReading, at_mm: tuple[float, float], seen: PlaceSeen) -> None:
    words = [part.removeprefix("tile:") for part in seen.content.split("+")]
    if seen.confidence < DOUBTFUL:
        words.append("?" if seen.is_covered else f"{seen.confidence:.2f}")
    x, y = np.round(reading.located.view.project(np.array([at_mm]))[0]).astype(int)
    size = max(0.4, drawn.shape[1] / 2000)
    for number, word in enumerate(words):
        where = (int(x - 16 * len(word) * size / 1.4), int(y + number * 36 * size))
        cv2.putText(drawn, word, where, cv2.FONT_HERSHEY_SIMPLEX, size, _DARK, 4, cv2.LINE_AA)
        cv2.putText(drawn, word, where, cv2.FONT_HERSHEY_SIMPLEX, size, _WHITE, 1, cv2.LINE_AA)
