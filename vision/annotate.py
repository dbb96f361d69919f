"""A picture with what was read drawn onto it, for people who want to see why."""

from __future__ import annotations

import cv2
import numpy as np

from vision.locate.pose import Picture, at_height
from vision.read import Reading
from vision.reading.judge import Verdict
from vision.reference import Reference

_INKS = {  # BGR
    "violet": (150, 60, 110), "pink": (170, 100, 240), "yellow": (40, 215, 250), "blue": (210, 110, 30),
    "green": (60, 160, 40), "orange": (30, 130, 245), "red": (40, 40, 205), "black": (40, 40, 40),
}  # fmt: skip
_WHITE, _DOUBT = (255, 255, 255), (0, 0, 255)


def annotated(picture: Picture, reading: Reading, reference: Reference) -> Picture:
    """A copy of the BGR picture: the board's outline, each place with its pieces, doubts in red with confidence."""
    drawn = picture.copy()
    view = reading.located.view
    width, height = reference.size_mm
    edge = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
    cv2.polylines(drawn, [np.round(view.project(edge)).astype(np.int32)], True, (255, 200, 0), 2, cv2.LINE_AA)
    feet = view.project(reference.places_mm)
    tops = view.project(at_height(reference.places_mm, 16.0))
    scales = view.scale_at(at_height(reference.places_mm, 0.0))
    for verdict, foot, top, scale in zip(reading.verdicts, feet, tops, scales, strict=True):
        _draw(drawn, verdict, (foot[0], foot[1]), (top[0], top[1]), float(scale))
    return drawn


def _draw(drawn: Picture, verdict: Verdict, foot: tuple[float, float], top: tuple[float, float], scale: float) -> None:
    at, above = (round(foot[0]), round(foot[1])), (round(top[0]), round(top[1]))
    radius = max(4, round(10.5 * scale))
    rim = _WHITE if verdict.reason is None else _DOUBT
    cv2.circle(drawn, at, radius, rim, 1 if verdict.reason is None else 2, cv2.LINE_AA)
    base, tiki = verdict.state
    if base is not None:
        corner = max(3, round(3.0 * scale))
        low, high = (at[0] + radius, at[1] - corner), (at[0] + radius + 2 * corner, at[1] + corner)
        cv2.rectangle(drawn, low, high, _INKS[base], -1)
        cv2.rectangle(drawn, low, high, _WHITE, 1)
    if tiki is not None:
        cv2.line(drawn, at, above, _WHITE, max(4, round(2.6 * scale)), cv2.LINE_AA)
        cv2.line(drawn, at, above, _INKS[tiki], max(2, round(1.6 * scale)), cv2.LINE_AA)
    if verdict.reason is not None:
        where = (at[0] - radius, at[1] + radius + 12)
        cv2.putText(drawn, f"{verdict.confidence:.2f}", where, cv2.FONT_HERSHEY_SIMPLEX, 0.45, _DOUBT, 1, cv2.LINE_AA)


def png(picture: Picture) -> bytes:
    """The bytes of a PNG file."""
    return cv2.imencode(".png", picture)[1].tobytes()
