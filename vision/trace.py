"""An owner's own board, traced on a photo: corners and sites as clicked points become a board file and a reference.

The clicks are one JSON object:
`{"trace": 1, "board": "my-island", "edition": "2013", "photo_px": [4000, 3000], "size_mm": [520, 360],
  "corners_px": [[x, y] x 4, clockwise from the top left], "sites": {"Azzura-Lagon-Fleur": [x, y]},
  "clubs": {"Azzura": [x, y]}, "adjacent": [["A", "B"]], "complexes": [["A", "B"], ["C"]]}`
`complexes` may be left out: then they are what the neighbours connect. `size_mm` is the area between the corners.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

import cv2
import numpy as np

from companion.games.makabana.board import Board, parse_board
from vision.errors import TraceWrong
from vision.locate.pose import Floats, Picture
from vision.reference import Reference
from vision.sheets.geometry import Point

PX_PER_MM = 3.0
_LEAST_CORNER_DEGREES = 25.0


class Trace(NamedTuple):
    """Checked clicks. Points are in pixels of the photo."""

    name: str
    edition: str
    photo_px: tuple[int, int]
    size_mm: Point
    corners_px: Floats  # (4, 2)
    sites_px: Mapping[str, Point]
    clubs_px: Mapping[str, Point]
    adjacent: tuple[tuple[str, str], ...]
    complexes: tuple[tuple[str, ...], ...] | None


def parse_trace(data: object) -> Trace:
    """Clicks from JSON. Raises `TraceWrong` naming the first thing that can't be used."""
    if not isinstance(data, dict) or data.get("trace") != 1:
        raise TraceWrong(what='one JSON object with "trace": 1 is expected')
    photo, size = _pair(data, "photo_px"), _pair(data, "size_mm")
    corners = _corners(data.get("corners_px"), photo)
    complexes = data.get("complexes")
    return Trace(
        name=str(data.get("board", "")),
        edition=str(data.get("edition", "2013")),
        photo_px=(int(photo[0]), int(photo[1])),
        size_mm=size,
        corners_px=corners,
        sites_px=_points(data, "sites", photo),
        clubs_px=_points(data, "clubs", photo),
        adjacent=tuple((str(a), str(b)) for a, b in _lists(data.get("adjacent", []), "adjacent", 2)),
        complexes=None
        if complexes is None
        else tuple(tuple(map(str, group)) for group in _lists(complexes, "complexes")),
    )


def board_file(trace: Trace) -> dict[str, Any]:
    """The board as a board file holds it: places as fractions of the area between the corners."""
    shares = {name: _share(trace, point) for name, point in trace.sites_px.items()}
    clubs = {beach: _share(trace, point) for beach, point in trace.clubs_px.items()}
    data: dict[str, Any] = {
        "board": trace.name,
        "edition": trace.edition,
        "designed": False,
        "aspect": list(trace.size_mm),
        "sites": [{"id": name, "x": x, "y": y} for name, (x, y) in sorted(shares.items())],
        "adjacent": [list(pair) for pair in trace.adjacent],
        "clubs": [{"beach": beach, "x": x, "y": y} for beach, (x, y) in sorted(clubs.items())],
    }
    if trace.complexes is not None:
        data["complexes"] = [list(group) for group in trace.complexes]
    return data


def board_of(trace: Trace) -> Board:
    """The traced board. Raises the board file's own `FormatError`, which names every problem at once."""
    return parse_board(board_file(trace))


def reference_of_trace(trace: Trace, photo: Picture, markers_mm: Mapping[int, Floats] | None = None) -> Reference:
    """What the reader compares with: the owner's photo of the empty board (BGR), laid flat.

    `markers_mm` are stickers on the board by id, measured from its top left corner; without them its art must do.
    """
    if photo.shape[1::-1] != trace.photo_px:
        raise TraceWrong(
            what=f"the photo has {photo.shape[1]} x {photo.shape[0]} pixels, the clicks say {trace.photo_px}"
        )
    size = (round(trace.size_mm[0] * PX_PER_MM), round(trace.size_mm[1] * PX_PER_MM))
    matrix = np.diag([PX_PER_MM, PX_PER_MM, 1.0]) @ _to_mm(trace)
    flat = cv2.warpPerspective(photo, matrix, size, flags=cv2.INTER_AREA)
    width, height = trace.size_mm
    return Reference(
        name=trace.name,
        edition=trace.edition,
        picture=cast(Picture, flat),
        px_per_mm=PX_PER_MM,
        sites_mm={name: (x * width, y * height) for name, (x, y) in _shares(trace, trace.sites_px).items()},
        clubs_mm={name: (x * width, y * height) for name, (x, y) in _shares(trace, trace.clubs_px).items()},
        markers_mm=markers_mm or {},
    )


def _shares(trace: Trace, points: Mapping[str, Point]) -> dict[str, Point]:
    return {name: _share(trace, point) for name, point in sorted(points.items())}


def _share(trace: Trace, point: Point) -> Point:
    at = cv2.perspectiveTransform(np.array([[point]], np.float64), _to_mm(trace)).ravel()
    x, y = float(at[0]) / trace.size_mm[0], float(at[1]) / trace.size_mm[1]
    return round(min(max(x, 0.0), 1.0), 5), round(min(max(y, 0.0), 1.0), 5)


def _to_mm(trace: Trace) -> Floats:
    """3 x 3 from the photo's pixels to mm on the board."""
    width, height = trace.size_mm
    square = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    return cast(Floats, cv2.getPerspectiveTransform(trace.corners_px.astype(np.float32), square))


def _corners(data: object, photo: Point) -> Floats:
    if not isinstance(data, list) or len(data) != 4:
        raise TraceWrong(what="corners_px needs four points")
    corners = np.array([_point(entry, "corners_px", photo) for entry in data], np.float64)
    sides = np.roll(corners, -1, axis=0) - corners
    turns = sides[:, 0] * np.roll(sides, -1, axis=0)[:, 1] - sides[:, 1] * np.roll(sides, -1, axis=0)[:, 0]
    lengths = np.linalg.norm(sides, axis=1)
    sine = turns / np.maximum(lengths * np.roll(lengths, -1), 1e-9)
    if (sine < np.sin(np.radians(_LEAST_CORNER_DEGREES))).any():
        raise TraceWrong(what="the corners must go clockwise from the top left one and form a real quadrangle")
    return corners


def _pair(data: Mapping[str, Any], key: str) -> Point:
    value = data.get(key)
    if not (isinstance(value, list) and len(value) == 2 and all(_is_number(v) and v > 0 for v in value)):
        raise TraceWrong(what=f"{key} needs two positive numbers, not {value!r}")
    return float(value[0]), float(value[1])


def _points(data: Mapping[str, Any], key: str, photo: Point) -> dict[str, Point]:
    entries = data.get(key, {})
    if not isinstance(entries, dict):
        raise TraceWrong(what=f"{key} must name points")
    return {str(name): _point(entry, f"{key} {name}", photo) for name, entry in entries.items()}


def _point(entry: object, what: str, photo: Point) -> Point:
    if not (isinstance(entry, list) and len(entry) == 2 and all(_is_number(value) for value in entry)):
        raise TraceWrong(what=f"{what} needs x and y, not {entry!r}")
    x, y = float(entry[0]), float(entry[1])
    if not (-0.5 * photo[0] <= x <= 1.5 * photo[0] and -0.5 * photo[1] <= y <= 1.5 * photo[1]):
        raise TraceWrong(what=f"{what} lies far outside the photo")
    return x, y


def _lists(entries: object, key: str, length: int | None = None) -> list[list[Any]]:
    good = isinstance(entries, list) and all(
        isinstance(entry, list) and (length is None or len(entry) == length) for entry in entries
    )
    if not good:
        raise TraceWrong(what=f"{key} must be a list of lists")
    return cast(list[list[Any]], entries)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and bool(np.isfinite(value))
