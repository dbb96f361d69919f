"""Where everything lies on a printed sheet, in millimetres from the sheet's top left corner. Pure: no OpenCV, no files.

**Why these markers.** Size decides. In simulated 1600 x 1200 pictures taken from the side with blur, shadow and glare,
markers of equal printed size were found in this share (18 mm / 13.5 mm): 4x4 bits 81 % / 49 %, 5x5 bits 76 % / 45 %,
AprilTag 36h11 67 % / 39 % (25 views each, in a trial that was not kept; none gave a false id). A 4x4 code spends its
millimetres on bigger cells, and what it lacks in distance we give
back by choosing: of DICT_4X4_250 only the codes below are printed. Any two of them differ in at least 4 bits under
every rotation (in the whole dictionary: 3), and in at least 2 bits from every printed code seen in a mirror (in the
whole: 0, some are mirror images of each other). So a mirrored picture shows no printed code, and shows all once
flipped. A reader may narrow its dictionary to these codes; a false reading must also agree with the layout of all.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from math import dist
from typing import Any, NamedTuple

from companion.games.makabana.board import PRINTED_WIDTH_MM, Board

Point = tuple[float, float]
Corners = tuple[Point, Point, Point, Point]

SHEET_MM = (420.0, 297.0)  # A3 landscape
MARGIN_MM = 8.0  # what home printers can't reach
ART_MM = (PRINTED_WIDTH_MM, 249.0)  # the most that artwork may take
DPI = 200

DICTIONARY = "DICT_4X4_250"
MARKER_CELLS = 6  # 4 bits and the black border on both sides
SIDE_MARKER_MM = 18.0
EDGE_MARKER_MM = 13.5
MARKERS_PER_SIDE = 5  # left and right, corners included
MARKERS_PER_EDGE = 5  # top and bottom, between the corners

WIDEST_PLOT_MM = 16.0  # leaves room for a road between two plots 19 mm apart
CLUB_MM = 22.0  # a token of 20 mm lies inside its ring
GAP_MM = 0.7  # between the plots of the two nearest sites

_CODES = (
    0, 1, 2, 4, 5, 7, 11, 14, 15, 23, 26, 32, 34, 40, 42, 44, 45, 46, 48, 50, 54, 55, 57, 60, 61, 66, 67,
    69, 73, 74, 78, 79, 83, 89, 92, 95, 97, 98, 99, 100, 103, 107, 112, 114, 115, 117, 119, 121, 122, 123,
    129, 130, 131, 132, 134, 138, 141, 143, 144, 148, 151, 153, 154, 161, 162, 164, 165, 169, 175, 176,
    177, 178, 179, 180, 184, 185, 187, 188, 189, 194, 195, 196, 200, 202, 205, 209, 211, 212, 214, 215,
    219, 220, 221, 223, 226, 227, 228, 229, 232, 233, 236, 238, 239, 241, 244, 245, 246, 249,
)  # fmt: skip
# Slots are for ever: a renumbered board would make every printed copy unreadable. Slot 4 is an owner's own board.
_SLOTS = {"maka-bana": 0, "maka-bana-2003": 1, "nadaa": 2, "noka": 3}
_OWN_SLOT = 4
MARKERS_PER_BOARD = 2 * MARKERS_PER_SIDE + 2 * MARKERS_PER_EDGE
STICKER_SETS = ("A", "B", "C")
STICKERS_PER_SET = 8


class Box(NamedTuple):
    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + self.height


class Marker(NamedTuple):
    """An ArUco code with its outer black corners, clockwise from the top left one as printed."""

    id: int
    corners_mm: Corners

    @property
    def side_mm(self) -> float:
        return dist(self.corners_mm[0], self.corners_mm[1])


class Sheet(NamedTuple):
    """One printed board. Every length is in mm, every point is measured from the sheet's top left corner."""

    board: Board
    size_mm: Point
    art_mm: Box
    plot_mm: float  # diameter of the light disc under a site
    club_mm: float  # diameter of a club place's ring
    sites_mm: Mapping[str, Point]
    clubs_mm: Mapping[str, Point]
    markers: tuple[Marker, ...]


def sheet_geometry(board: Board) -> Sheet:
    """The layout of a board's sheet. All boards share the frame; one of other proportions fits in the same space."""
    art = art_box(board.aspect)
    sites = _placed(board.sites, art)
    return Sheet(
        board=board,
        size_mm=SHEET_MM,
        art_mm=art,
        plot_mm=_plot_mm(sites),
        club_mm=CLUB_MM,
        sites_mm=sites,
        clubs_mm=_placed(board.clubs, art),
        markers=tuple(map(marker_at, board_ids(board.name), *zip(*_frame(), strict=True))),
    )


def art_box(aspect: Point) -> Box:
    """The artwork's place: as large as the frame allows in these proportions, in the middle of the sheet."""
    scale = min(ART_MM[0] / aspect[0], ART_MM[1] / aspect[1])
    width, height = aspect[0] * scale, aspect[1] * scale
    return Box((SHEET_MM[0] - width) / 2, (SHEET_MM[1] - height) / 2, width, height)


def board_ids(name: str) -> tuple[int, ...]:
    """The codes around a board. An owner's own board takes those of the stickers, which it needs no more."""
    start = MARKERS_PER_BOARD * _SLOTS.get(name, _OWN_SLOT)
    return _CODES[start : start + MARKERS_PER_BOARD]


def sticker_ids(set_name: str) -> tuple[int, ...]:
    """The codes kept for stickers on a bought board: corners from the top left clockwise, then sides from the top."""
    start = MARKERS_PER_BOARD * _OWN_SLOT + STICKERS_PER_SET * STICKER_SETS.index(set_name)
    return _CODES[start : start + STICKERS_PER_SET]


def palette_ids() -> tuple[int, ...]:
    """The four codes at the corners of the palette sheet."""
    return _CODES[-4:]


def marker_at(ident: int, left: float, top: float, side: float) -> Marker:
    right, bottom = left + side, top + side
    return Marker(ident, ((left, top), (right, top), (right, bottom), (left, bottom)))


def to_json(sheet: Sheet) -> dict[str, Any]:
    """What BOARD.json holds. A point p in mm lies at p * dpi / 25.4 pixels from the picture's outer corner.

    `sheet` 1, the version of this form · `board`, `edition` · `size_mm` [width, height] · `art_mm` [left, top, width,
    height] · `picture` {file, dpi, size_px} · `plot_mm`, `club_mm` diameters · `sites_mm`, `clubs_mm` {name: [x, y]} ·
    `marker_dictionary`, OpenCV's name · `markers` [{id, corners_mm: four [x, y], clockwise from the top left}].
    """
    return {
        "sheet": 1,
        "board": sheet.board.name,
        "edition": sheet.board.edition,
        "size_mm": list(sheet.size_mm),
        "art_mm": _rounded(sheet.art_mm),
        "picture": {"file": f"{sheet.board.name}.png", "dpi": DPI, "size_px": list(size_px(sheet.size_mm))},
        "plot_mm": sheet.plot_mm,
        "club_mm": sheet.club_mm,
        "sites_mm": {site: _rounded(point) for site, point in sheet.sites_mm.items()},
        "clubs_mm": {beach: _rounded(point) for beach, point in sheet.clubs_mm.items()},
        "marker_dictionary": DICTIONARY,
        "markers": markers_to_json(sheet.markers),
    }


def markers_to_json(markers: tuple[Marker, ...]) -> list[dict[str, Any]]:
    return [{"id": marker.id, "corners_mm": [_rounded(corner) for corner in marker.corners_mm]} for marker in markers]


def size_px(size_mm: Point, dpi: int = DPI) -> tuple[int, int]:
    return round(size_mm[0] * dpi / 25.4), round(size_mm[1] * dpi / 25.4)


def _rounded(lengths: tuple[float, ...]) -> list[float]:
    return [round(length, 3) for length in lengths]


def _placed(points: Mapping[str, Point], art: Box) -> dict[str, Point]:
    return {name: (art.left + x * art.width, art.top + y * art.height) for name, (x, y) in points.items()}


def _plot_mm(sites: Mapping[str, Point]) -> float:
    nearest = min((dist(a, b) for a, b in combinations(sites.values(), 2)), default=WIDEST_PLOT_MM + GAP_MM)
    return round(min(WIDEST_PLOT_MM, nearest - GAP_MM), 1)


def _frame() -> list[tuple[float, float, float]]:
    """Left, top and side of every marker: clockwise around the sheet from the top left corner.

    The outer half of a quiet zone is the white margin that no printer fills, so markers begin right at the margin.
    """
    width, height = SHEET_MM
    right, bottom = width - MARGIN_MM - SIDE_MARKER_MM, height - MARGIN_MM - SIDE_MARKER_MM
    step_y = (bottom - MARGIN_MM) / (MARKERS_PER_SIDE - 1)
    rows = [MARGIN_MM + step_y * row for row in range(MARKERS_PER_SIDE)]
    step_x = ART_MM[0] / MARKERS_PER_EDGE
    first = (width - ART_MM[0] + step_x - EDGE_MARKER_MM) / 2
    columns = [first + step_x * column for column in range(MARKERS_PER_EDGE)]
    low = height - MARGIN_MM - EDGE_MARKER_MM
    return [
        (MARGIN_MM, rows[0], SIDE_MARKER_MM),
        *((left, MARGIN_MM, EDGE_MARKER_MM) for left in columns),
        *((right, top, SIDE_MARKER_MM) for top in rows),
        *((left, low, EDGE_MARKER_MM) for left in reversed(columns)),
        *((MARGIN_MM, top, SIDE_MARKER_MM) for top in reversed(rows[1:])),
    ]
