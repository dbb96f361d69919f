"""A picture with what was read drawn onto it, for people who want to see why."""

from __future__ import annotations

from typing import cast

import cv2
import numpy as np

from vision.kahuna.layout import STICK_MM, STONE_MM, kahuna_sheet, line_angle
from vision.locate.pose import Floats, Picture, at_height
from vision.surfaces import DOUBTFUL, PlaceSeen, SurfaceReading

_INKS = {"black": (30, 30, 30), "white": (255, 255, 255)}  # BGR
_RIM, _DOUBT, _EDGE = (0, 200, 255), (0, 0, 255), (255, 200, 0)
_HEIGHT_MM = 5.0


def annotated(picture: Picture, reading: SurfaceReading) -> Picture:
    """A copy of the BGR picture: the board's outline, what lies on each place, doubts in red with their confidence."""
    drawn = picture.copy()
    width, height = kahuna_sheet().size_mm
    view = reading.located.view
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
    cv2.polylines(drawn, [_pixels(view.project(corners))], True, _EDGE, 2, cv2.LINE_AA)
    for place, seen in reading.places.items():
        outline = view.project(at_height(_outline(place), _HEIGHT_MM))
        _draw(drawn, seen, _pixels(outline))
    return drawn


def _outline(place: str) -> Floats:
    """(N, 2) mm: the shape of the piece that belongs there."""
    middle = np.array(kahuna_sheet().places_mm[place])
    if place in kahuna_sheet().islands_mm:
        angle = np.linspace(0, 2 * np.pi, 20, endpoint=False)
        return cast(Floats, middle + np.stack([np.cos(angle), np.sin(angle)], axis=1) * (STONE_MM / 2 + 1.0))
    x, y = STICK_MM[0] / 2, STICK_MM[1] / 2 + 1.0
    turn = np.radians(line_angle(place))
    matrix = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return cast(Floats, middle + np.array([[-x, -y], [x, -y], [x, y], [-x, y]]) @ matrix)


def _draw(drawn: Picture, seen: PlaceSeen, outline: Picture) -> None:
    is_doubt = seen.confidence < DOUBTFUL
    if seen.content != "empty":
        ink = _INKS[seen.content.partition(":")[2]]
        cv2.polylines(drawn, [outline], True, ink, 4, cv2.LINE_AA)
        cv2.polylines(drawn, [outline], True, _RIM, 1, cv2.LINE_AA)
    if is_doubt:
        cv2.polylines(drawn, [outline], True, _DOUBT, 2, cv2.LINE_AA)
        at = (int(outline[:, 0].max()) + 3, int(outline[:, 1].mean()))
        cv2.putText(drawn, f"{seen.confidence:.2f}", at, cv2.FONT_HERSHEY_SIMPLEX, 0.45, _DOUBT, 1, cv2.LINE_AA)


def _pixels(points: Floats) -> Picture:
    return cast(Picture, np.round(points).astype(np.int32))
