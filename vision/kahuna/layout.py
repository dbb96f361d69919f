"""Where everything lies on the sheet of Kahuna, in mm from its top left corner. Pure: no OpenCV, no files.

The board's data say which lines there are; where islands lie they only hint at. Here they are moved apart until a
bridge of `STICK_MM` fits on every line with room for a stone at either end, and no two bridges come nearer than 13 mm.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import atan2, degrees, dist
from typing import Any, NamedTuple

from companion.games.kahuna.board import ends_of, load_board
from companion.games.makabana.board import load_board as load_islands
from vision.sheets.geometry import (
    DICTIONARY,
    DPI,
    Box,
    Marker,
    Point,
    Sheet,
    marker_at,
    markers_to_json,
    sheet_geometry,
)
from vision.sheets.geometry import size_px as pixels_of

SURFACE = "kahuna"
STICK_MM = (38.0, 5.0)  # length and breadth of a bridge
STONE_MM = 16.0
PLACE_MM = 14.0  # diameter of what must be seen of a place
ISLAND_MM = 40.0  # diameter of the ground that an island is drawn on, roughly

# Inside the artwork, mm from its top left corner.
_ISLANDS_MM: Mapping[str, Point] = {
    "ALOA": (312.0, 219.0), "BARI": (193.0, 213.0), "COCO": (31.0, 205.0), "DUDA": (282.0, 157.0),
    "ELAI": (198.0, 146.0), "FAAA": (128.0, 176.0), "GOLA": (64.0, 150.0), "HUNA": (317.0, 96.0),
    "IFFI": (235.0, 90.0), "JOJO": (115.0, 107.0), "KAHU": (42.0, 67.0), "LALE": (214.0, 31.0),
}  # fmt: skip
# Of DICT_4X4_250, none of them printed on an island of Maka Bana: at least 3 bits from each of those and 4 from one
# another under every rotation, and 2 from every one of ours seen in a mirror. For ever: others would make copies
# unreadable.
MARKER_IDS = (22, 80, 86, 90, 93, 102, 104, 125, 142, 146, 156, 159, 181, 193, 201, 208, 210, 218, 225, 237)


class KahunaSheet(NamedTuple):
    """The printed board."""

    size_mm: Point
    art_mm: Box
    islands_mm: Mapping[str, Point]
    lines_mm: Mapping[str, tuple[Point, Point]]  # from island to island
    markers: tuple[Marker, ...]

    @property
    def places_mm(self) -> dict[str, Point]:
        """The middle of every line, then every island, in the order in which the game names its places."""
        middles = {line: ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for line, (a, b) in self.lines_mm.items()}
        return {**middles, **self.islands_mm}


@cache
def kahuna_sheet() -> KahunaSheet:
    """The sheet, A3 lying, with the frame that our other boards have."""
    frame = sheet_geometry(load_islands("maka-bana"))
    art, board = frame.art_mm, load_board(SURFACE)
    at = {island: (art.left + x, art.top + y) for island, (x, y) in _ISLANDS_MM.items()}
    islands = {island: at[island] for island in board.islands}
    lines = {line: (islands[ends_of(line)[0]], islands[ends_of(line)[1]]) for line in board.lines}
    spots = [(*marker.corners_mm[0], marker.side_mm) for marker in frame.markers]
    markers = tuple(marker_at(ident, *spot) for ident, spot in zip(MARKER_IDS, spots, strict=True))
    return KahunaSheet(frame.size_mm, art, islands, lines, markers)


def as_board_sheet(sheet: KahunaSheet) -> Sheet:
    """The sheet in the form that frame and tiling know: what they must not cut is the islands."""
    return sheet_geometry(load_islands("maka-bana"))._replace(
        art_mm=sheet.art_mm, plot_mm=ISLAND_MM, sites_mm=sheet.islands_mm, clubs_mm={}, markers=sheet.markers
    )


def line_angle(line: str) -> float:
    """The direction of a line on the sheet in degrees clockwise from the right, between -90 and 90."""
    (ax, ay), (bx, by) = kahuna_sheet().lines_mm[line]
    turn = degrees(atan2(by - ay, bx - ax))
    return (turn + 90.0) % 180.0 - 90.0


def line_length(line: str) -> float:
    return dist(*kahuna_sheet().lines_mm[line])


def to_json(sheet: KahunaSheet) -> dict[str, Any]:
    """What kahuna.json holds. A point p in mm lies at p * dpi / 25.4 pixels from the picture's outer corner.

    `sheet` 1, the version of this form · `board` · `size_mm` · `picture` {file, dpi, size_px} · `stick_mm` [length,
    breadth], `stone_mm` that the board is made for · `places_mm` {line or island: [x, y]} · `lines_mm` {line: its two
    ends} · `marker_dictionary`, OpenCV's name · `markers` [{id, corners_mm: clockwise from the top left}].
    """
    return {
        "sheet": 1,
        "board": SURFACE,
        "size_mm": list(sheet.size_mm),
        "picture": {"file": f"{SURFACE}.png", "dpi": DPI, "size_px": list(pixels_of(sheet.size_mm))},
        "stick_mm": list(STICK_MM),
        "stone_mm": STONE_MM,
        "places_mm": {place: list(point) for place, point in sheet.places_mm.items()},
        "lines_mm": {line: [list(end) for end in ends] for line, ends in sheet.lines_mm.items()},
        "marker_dictionary": DICTIONARY,
        "markers": markers_to_json(sheet.markers),
    }
