"""Where everything lies on the mat, in millimetres from the sheet's top left corner. Pure: no OpenCV, no files.

The sheet lies between two people: its lower edge is south's, its upper one north's. Makis stand side by side on ten
rests. A line may begin at any rest; its places are counted from the left as south sees it.

Markers are AprilTag 25h9: any two of them differ in 9 bits, and in at least 3 from every code of the other games'
dictionaries that has as many cells; those of four by four can't be taken for them at all.
"""

from __future__ import annotations

from typing import Any

from companion.games.makisan.board import PLACES, SIDES
from vision.sheets.geometry import DPI, MARGIN_MM, Box, Marker, Point, marker_at, markers_to_json, size_px

SURFACE = "makisan"
SHEET_MM = (420.0, 297.0)  # A3 lying
DICTIONARY = "DICT_APRILTAG_25h9"
MARKER_CELLS = 7
MARKER_MM = 18.0
_ACROSS, _DOWN = 5, 5  # markers along an edge and along a side, corners included

PITCH_MM = 27.0
REST_MM = 24.0
LINE_Y_MM = SHEET_MM[1] / 2
TRAY = Box(30.0, 30.0, 360.0, 237.0)
BAMBOO = Box(50.0, 74.0, 320.0, 149.0)  # deep enough to lie behind every maki, from whichever side it is seen

RESTS_MM: tuple[Point, ...] = tuple(
    (SHEET_MM[0] / 2 + PITCH_MM * (number - (len(PLACES) - 1) / 2), LINE_Y_MM) for number in range(len(PLACES))
)
# Each side's Wasabi waits on a dish at that side's right hand, beyond what the line can hide.
DISH_MM = 30.0
DISHES_MM: dict[str, Point] = dict(zip(SIDES, ((338.0, 245.0), (82.0, 52.0)), strict=True))


def places_mm() -> dict[str, Point]:
    return dict(zip(PLACES, RESTS_MM, strict=True))


def markers() -> tuple[Marker, ...]:
    """Clockwise around the sheet from the top left corner."""
    width, height = SHEET_MM
    right, bottom = width - MARGIN_MM - MARKER_MM, height - MARGIN_MM - MARKER_MM
    columns = [MARGIN_MM + (right - MARGIN_MM) * step / (_ACROSS - 1) for step in range(_ACROSS)]
    rows = [MARGIN_MM + (bottom - MARGIN_MM) * step / (_DOWN - 1) for step in range(_DOWN)]
    spots = [
        *((x, MARGIN_MM) for x in columns),
        *((right, y) for y in rows[1:]),
        *((x, bottom) for x in reversed(columns[:-1])),
        *((MARGIN_MM, y) for y in reversed(rows[1:-1])),
    ]
    return tuple(marker_at(ident, x, y, MARKER_MM) for ident, (x, y) in enumerate(spots))


def to_json() -> dict[str, Any]:
    """What makisan.json holds: the form of an island's sheet, with `places_mm` for the rests and `dishes_mm`."""
    return {
        "sheet": 1,
        "board": SURFACE,
        "size_mm": list(SHEET_MM),
        "picture": {"file": f"{SURFACE}.png", "dpi": DPI, "size_px": list(size_px(SHEET_MM))},
        "rest_mm": REST_MM,
        "places_mm": {place: list(point) for place, point in places_mm().items()},
        "dish_mm": DISH_MM,
        "dishes_mm": {side: list(point) for side, point in DISHES_MM.items()},
        "marker_dictionary": DICTIONARY,
        "markers": markers_to_json(markers()),
    }
