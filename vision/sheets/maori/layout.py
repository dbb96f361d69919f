"""Where everything lies on the sheets of Māori, in mm from a sheet's top left corner. Pure: no OpenCV, no files.

All codes are of one dictionary that no other sheet of ours uses, so a tile is never taken for a board of another game.
Every tile has its own, on its lower right as its palms stand: it says which tile it is and which way round it lies.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from companion.games.maori.board import BOARD_NAMES, DISPLAY_SIDE, SHIP_PLACES, Board, cells_of, load_board, load_tiles
from vision.sheets.canvas import Point
from vision.sheets.geometry import MARGIN_MM, Box, Marker, marker_at, markers_to_json

DICTIONARY = "DICT_5X5_250"
MARKER_CELLS = 7  # 5 bits and the black border on both sides
TILE_MM = 38.0
PITCH_MM = 40.0  # from cell to cell: what is printed between them stays visible
TILE_MARKER_MM = 8.4
TILE_MARKER_AT = 27.2  # from the tile's left and top
BOARD_MARKER_MM = 13.5
TRACK_MM = 16.0  # the water around the display on which the ship sails
SHIP_MM = (34.0, 14.0)
SHIP_MARKER_MM = 9.8

UPRIGHT_MM = (210.0, 297.0)  # A4
LYING_MM = (297.0, 210.0)

# The rulebook names no colours for its five boats: ours.
COLOURS = ("blue", "red", "yellow", "green", "violet")
# Numbers are for ever: another number would make printed copies unreadable.
_DISPLAY_FROM, _BOARDS_FROM, _SHIP = 100, 108, 248
MARKERS_PER_BOARD = 8
_LEFT_MM = 6.0  # of sea beside a board's cells


class MaoriSheet(NamedTuple):
    """One printed sheet: the display (`colour` is None), or a side of a player's board."""

    name: str
    colour: str | None
    size_mm: Point
    places_mm: Mapping[str, Point]  # the middle of every place, named as the game names it, without the player
    markers: tuple[Marker, ...]


def tile_marker_ids() -> dict[str, int]:
    """The code of each tile of our set."""
    return {tile: number for number, tile in enumerate(load_tiles("ours").tiles)}


def ship_marker_id() -> int:
    return _SHIP


def display_sheet() -> MaoriSheet:
    """The display upright on A4: four by four tiles, the ship's track around them, codes in the corners."""
    left, top = (UPRIGHT_MM[0] - DISPLAY_SIDE * PITCH_MM) / 2, 56.0
    side = DISPLAY_SIDE * PITCH_MM
    places = {cell: _middle(cell, left, top) for cell in cells_of(DISPLAY_SIDE, DISPLAY_SIDE)}
    places |= {f"ship:{place}": _ship_place(place, left, top, side) for place in range(1, SHIP_PLACES + 1)}
    low, high = UPRIGHT_MM[1] - MARGIN_MM - BOARD_MARKER_MM, MARGIN_MM
    right = UPRIGHT_MM[0] - MARGIN_MM - BOARD_MARKER_MM
    ring = (top - TRACK_MM, top + side + TRACK_MM - BOARD_MARKER_MM)
    spots = [(MARGIN_MM, high), (right, high), (right, ring[0]), (right, ring[1]), (right, low), (MARGIN_MM, low)]
    spots += [(MARGIN_MM, ring[1]), (MARGIN_MM, ring[0])]
    return MaoriSheet("display", None, UPRIGHT_MM, places, _markers(_DISPLAY_FROM, spots))


def _ship_place(place: int, left: float, top: float, side: float) -> Point:
    edge, step = divmod(place - 1, DISPLAY_SIDE)
    along, off = (step + 0.5) * PITCH_MM, TRACK_MM / 2
    return (
        (left + along, top - off),
        (left + side + off, top + along),
        (left + side - along, top + side + off),
        (left - off, top + side - along),
    )[edge]


def board_sheet(side: str, colour: str) -> MaoriSheet:
    """A side of a player's board lying on A4: the cells left, stock and score at the right, codes around."""
    board = load_board(side)
    left, top = grid_box(board)[:2]
    places = {cell: _middle(cell, left, top) for cell in cells_of(board.rows, board.columns)}
    places["stock"] = (LYING_MM[0] - MARGIN_MM - 33.0, top + 1.5 * PITCH_MM - 31.0)
    right, low = LYING_MM[0] - MARGIN_MM - BOARD_MARKER_MM, LYING_MM[1] - MARGIN_MM - BOARD_MARKER_MM
    columns = (MARGIN_MM, left + 2.5 * PITCH_MM - BOARD_MARKER_MM / 2, left + 5 * PITCH_MM - BOARD_MARKER_MM, right)
    spots = [(x, MARGIN_MM) for x in columns] + [(x, low) for x in reversed(columns)]
    number = BOARD_NAMES.index(side) * len(COLOURS) + COLOURS.index(colour)
    return MaoriSheet(side, colour, LYING_MM, places, _markers(_BOARDS_FROM + MARKERS_PER_BOARD * number, spots))


def grid_box(board: Board) -> Box:
    """The place of a board's cells on its sheet."""
    width, height = board.columns * PITCH_MM, board.rows * PITCH_MM
    return Box(MARGIN_MM + _LEFT_MM, (LYING_MM[1] - height) / 2, width, height)


def _middle(cell: str, left: float, top: float) -> Point:
    row, column = map(int, cell.split(","))
    return left + (column - 0.5) * PITCH_MM, top + (row - 0.5) * PITCH_MM


def _markers(first: int, spots: list[Point]) -> tuple[Marker, ...]:
    return tuple(marker_at(first + number, *spot, BOARD_MARKER_MM) for number, spot in enumerate(spots))


def sheets() -> tuple[MaoriSheet, ...]:
    """The display and both sides of all five boards."""
    return (display_sheet(), *(board_sheet(side, colour) for colour in COLOURS for side in BOARD_NAMES))


def to_json() -> dict[str, Any]:
    """What maori.json holds: where codes and places are. Lengths in mm, corners clockwise from the top left.

    `sheets` [{`sheet`, `colour`, `size_mm`, `places_mm`, `markers`}] · `tile_mm` · `tile_marker` {`side_mm`, `at_mm`
    of its corner from the tile's, `ids` by tile} · `ship` {`size_mm`, `id`, `side_mm`} · `marker_dictionary`, OpenCV's
    """
    return {
        "maori": 1,
        "marker_dictionary": DICTIONARY,
        "tile_mm": TILE_MM,
        "tile_marker": {
            "side_mm": TILE_MARKER_MM,
            "at_mm": [TILE_MARKER_AT, TILE_MARKER_AT],
            "ids": tile_marker_ids(),
        },
        "ship": {"size_mm": list(SHIP_MM), "side_mm": SHIP_MARKER_MM, "id": ship_marker_id()},
        "sheets": [_sheet_json(sheet) for sheet in sheets()],
    }


def _sheet_json(sheet: MaoriSheet) -> dict[str, Any]:
    return {
        "sheet": sheet.name,
        "colour": sheet.colour,
        "size_mm": list(sheet.size_mm),
        "places_mm": {place: [round(x, 3), round(y, 3)] for place, (x, y) in sheet.places_mm.items()},
        "markers": markers_to_json(sheet.markers),
    }
