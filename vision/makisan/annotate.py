"""A picture of the mat with what was read drawn onto it, for people who want to see why."""

from __future__ import annotations

import cv2
import numpy as np

from companion.games.makisan.board import PLACES, SIDES
from vision.locate.pose import Picture
from vision.makisan.facade import side_of
from vision.makisan.layout import LINE_Y_MM, RESTS_MM, SHEET_MM
from vision.surfaces import DOUBTFUL, PlaceSeen, SurfaceReading

_INKS = {  # BGR
    "red": (40, 40, 205), "green": (60, 160, 40), "yellow": (40, 215, 250), "blue": (210, 110, 30),
    "black": (40, 40, 40),
}  # fmt: skip
_WHITE, _DOUBT, _EDGE, _OPEN = (255, 255, 255), (0, 0, 255), (255, 200, 0), (170, 170, 170)
_SQUARE = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))
_BEFORE_MM, _SIDE_MM = 34.0, 6.0  # where the colours are drawn, before the line, and how large


def annotated(picture: Picture, reading: SurfaceReading) -> Picture:
    """A copy of the BGR picture: the sheet's outline, and before the line a tile for each place: the near colour below,
    the far one above if it is known, a dot for a Wasabi, red where there is doubt."""
    drawn = picture.copy()
    view = reading.located.view
    width, height = SHEET_MM
    edge = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
    cv2.polylines(drawn, [np.round(view.project(edge)).astype(np.int32)], True, _EDGE, 2, cv2.LINE_AA)
    side = side_of(view)
    near = SIDES[0] if side > 0 else SIDES[1]
    for place, (x, _) in zip(PLACES, RESTS_MM, strict=True):
        seen = reading.places[place]
        if seen.content != "empty" or seen.is_covered or seen.confidence < DOUBTFUL:
            _draw(drawn, reading, (x, LINE_Y_MM + side * _BEFORE_MM), (seen, place, near), side)
    return drawn


def _draw(
    drawn: Picture, reading: SurfaceReading, at: tuple[float, float], what: tuple[PlaceSeen, str, str], side: int
) -> None:
    seen, place, near = what
    faces = seen.content.partition("+")[0].partition(":")[2].split("-")
    shown, hidden = (faces if near == SIDES[0] else faces[::-1]) if len(faces) == 2 else ("", "")
    known = sum(chance for content, chance in seen.odds.items() if _far(content, near) == hidden) >= DOUBTFUL
    for colour, back in ((shown, 0.0), (hidden if known else "", side * _SIDE_MM)):
        corners = np.array(_SQUARE) * _SIDE_MM / 2 + (at[0], at[1] - back)
        quad = np.round(reading.located.view.project(corners)).astype(np.int32)
        cv2.fillPoly(drawn, [quad], _INKS.get(colour, _OPEN), cv2.LINE_AA)
        cv2.polylines(drawn, [quad], True, _DOUBT if _is_doubtful(seen, near) else _WHITE, 1, cv2.LINE_AA)
    spot = reading.located.view.project(np.array([(at[0], at[1] + side * _SIDE_MM)]))[0]
    text = f"{place}{'?' if seen.is_covered else ''}{' W' if 'wasabi' in seen.content else ''}"
    where = (round(spot[0]) - 6, round(spot[1]) + 6)
    cv2.putText(drawn, text, where, cv2.FONT_HERSHEY_SIMPLEX, 0.45, _DOUBT, 1, cv2.LINE_AA)


def _far(content: str, near: str) -> str:
    faces = content.partition("+")[0].partition(":")[2].split("-")
    return faces[1 - SIDES.index(near)] if len(faces) == 2 else ""


def _near(content: str, near: str) -> str:
    faces = content.partition("+")[0].partition(":")[2].split("-")
    return faces[SIDES.index(near)] if len(faces) == 2 else ""


def _is_doubtful(seen: PlaceSeen, near: str) -> bool:
    """Whether more than the far side is in doubt."""
    shown = _near(seen.content, near)
    alike = sum(chance for content, chance in seen.odds.items() if _near(content, near) == shown)
    return seen.is_covered or alike < DOUBTFUL
