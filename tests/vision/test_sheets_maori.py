"""What Māori prints is where its JSON says it is, can be read by a camera, and fits together on the table."""

from __future__ import annotations

import json
import re
from functools import cache
from itertools import pairwise

import cv2
import numpy as np
import pytest

from companion.games.maori.board import BOARD_NAMES, SIDES, load_board, load_tiles
from companion.games.maori.rules import DEFAULT_COLOURS
from companion.games.maori.setup import default_header, make_setup
from vision.sheets import geometry
from vision.sheets.maori import layout, print_maori
from vision.sheets.maori.boards import draw_board, draw_display
from vision.sheets.maori.codes import white_outlines
from vision.sheets.maori.layout import MARKER_CELLS, TILE_MM, MaoriSheet, board_sheet, display_sheet, sheets
from vision.sheets.maori.pages import FILES, pieces_pdf, place_of
from vision.sheets.maori.tiles import draw_tile, tile_ground
from vision.sheets.raster import RasterCanvas

DPI = geometry.DPI
TILES = load_tiles("ours").tiles
SOME_SHEETS = [display_sheet(), board_sheet("archipelago", "blue"), board_sheet("atoll", "violet")]


@cache
def picture_of(sheet_name: str) -> np.ndarray:
    sheet = next(sheet for sheet in SOME_SHEETS if sheet.name == sheet_name)
    canvas = RasterCanvas(sheet.size_mm)
    (draw_board if sheet.colour else draw_display)(canvas, sheet)
    return canvas.pixels


def codes_in(pixels: np.ndarray) -> dict[int, np.ndarray]:
    """The codes a camera finds, with their corners in pixels."""
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, layout.DICTIONARY))
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY))
    return {} if ids is None else {int(i): c.reshape(4, 2) for i, c in zip(ids.reshape(-1), corners, strict=True)}


def enlarged(pixels: np.ndarray) -> np.ndarray:
    return cv2.resize(pixels, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)


def mm_of(points: np.ndarray) -> np.ndarray:
    return (points + 0.5) * 25.4 / DPI


def named(sheet: MaoriSheet) -> str:
    return sheet.name


def test_no_code_is_printed_twice_and_none_is_of_another_game():
    ids = [marker.id for sheet in sheets() for marker in sheet.markers]
    ids += [*layout.tile_marker_ids().values(), layout.ship_marker_id()]
    assert len(ids) == len(set(ids)) == 11 * 8 + 97 + 1
    assert max(ids) < 250
    assert layout.DICTIONARY != geometry.DICTIONARY


@pytest.mark.parametrize("sheet", SOME_SHEETS, ids=named)
def test_the_codes_of_a_sheet_are_found_where_they_are_said_to_be(sheet):
    found = codes_in(picture_of(sheet.name))
    assert found.keys() == {marker.id for marker in sheet.markers}
    for marker in sheet.markers:
        assert np.abs(mm_of(found[marker.id]) - np.array(marker.corners_mm)).max() < 0.25


@pytest.mark.parametrize("sheet", sheets(), ids=lambda sheet: f"{sheet.name}-{sheet.colour}")
def test_a_sheet_stays_within_the_margins_and_its_tiles_off_its_codes(sheet):
    width, height = sheet.size_mm
    half, margin = TILE_MM / 2, geometry.MARGIN_MM
    for x, y in (point for name, point in sheet.places_mm.items() if not name.startswith("ship")):
        assert margin <= x - half < x + half <= width - margin
        assert margin <= y - half < y + half <= height - margin
        for marker in sheet.markers:
            (left, top), _, (right, bottom), _ = marker.corners_mm
            air = max(left - (x + half), x - half - right, top - (y + half), y - half - bottom)
            assert air > 1.5, (sheet.name, marker.id)


def test_the_places_of_the_sheets_are_the_places_of_the_game():
    setup = make_setup(default_header("base", 2))
    display = {f"display:{name}" for name in display_sheet().places_mm if not name.startswith("ship:")}
    ship = {name for name in display_sheet().places_mm if name.startswith("ship:")}
    for side in BOARD_NAMES:
        printed = set(board_sheet(side, "red").places_mm)
        assert {*load_board(side).free, "stock"} <= printed
    own = {f"blue:{cell}" for cell in (*setup.cells, "stock")} | {f"red:{cell}" for cell in (*setup.cells, "stock")}
    assert display | ship | own == set(setup.places)


def test_there_is_a_board_for_every_colour_of_an_ordinary_game():
    assert layout.COLOURS == DEFAULT_COLOURS


def test_the_ship_goes_clockwise_beside_the_row_it_looks_at():
    places = display_sheet().places_mm
    assert places["ship:1"][0] == places["1,1"][0]
    assert places["ship:5"][1] == places["1,4"][1]
    assert places["ship:9"][0] == places["4,4"][0]
    assert places["ship:13"][1] == places["4,1"][1]
    assert places["ship:1"][1] < places["1,1"][1] < places["ship:9"][1]
    assert places["ship:13"][0] < places["1,1"][0] < places["ship:5"][0]


@cache
def all_tiles() -> tuple[np.ndarray, dict[str, tuple[float, float]]]:
    """Every tile on one large sheet, a little apart."""
    pitch = TILE_MM + 3
    at = {tile: (3 + number % 10 * pitch, 3 + number // 10 * pitch) for number, tile in enumerate(TILES)}
    canvas = RasterCanvas((10 * pitch + 4, 10 * pitch + 4), dpi=DPI // 2)
    for tile, place in at.items():
        draw_tile(canvas, TILES[tile], place)
    return canvas.pixels, at


def test_every_tile_is_told_by_its_code_and_by_which_way_it_lies():
    """At 4 pixels a mm, as from a camera above the display; OpenCV misses some there unless the picture is enlarged."""
    pixels, at = all_tiles()
    found = codes_in(enlarged(pixels))
    ids = layout.tile_marker_ids()
    assert found.keys() == set(ids.values())
    for tile, (left, top) in at.items():
        corner = mm_of(found[ids[tile]][0])
        expected = np.array([left, top]) + layout.TILE_MARKER_AT
        assert np.abs(corner - expected).max() < 0.4, tile
    turned = codes_in(enlarged(np.rot90(pixels)))
    assert turned.keys() == found.keys()
    for ident, corners in turned.items():  # a quarter to the left: the first corner is now at the lower left
        assert corners[0][1] > corners[1][1], ident


def test_coasts_meet_where_islands_go_on():
    """Along the edge of every tile that goes on to a side, land begins and ends at the same place."""
    shores = {}
    for tile in TILES.values():
        ground = tile_ground(tile).astype(int)
        edges = {"N": ground[0], "E": ground[:, -1], "S": ground[-1], "W": ground[:, 0]}
        for side in SIDES:
            is_green = edges[side][:, 2] < edges[side][:, 0]  # land is warm, water is cool
            if side in tile.land:
                shores[tile.id, side] = np.flatnonzero(is_green)[[0, -1]]
            else:
                assert not is_green.any(), (tile.id, side)
    first, last = (np.array([shore[end] for shore in shores.values()]) * 25.4 / DPI for end in (0, 1))
    assert np.ptp(first) < 1.0
    assert np.ptp(last) < 1.0
    assert abs(first.mean() + last.mean() - TILE_MM) < 0.5


def test_half_wreaths_stay_on_their_own_tile():
    """Beyond the edge nothing of the flowers is drawn, so that two halves make one wreath."""
    for tile in ("E13", "E26", "E40", "E53"):
        canvas = RasterCanvas((TILE_MM + 10, TILE_MM + 10))
        draw_tile(canvas, TILES[tile], (5.0, 5.0))
        outside = canvas.pixels.copy()
        low, high = round(4.7 * DPI / 25.4), round((TILE_MM + 5.3) * DPI / 25.4)
        outside[low:high, low:high] = 255
        assert outside.min() == 255, tile


def test_white_cells_of_a_code_are_outlined_exactly():
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, layout.DICTIONARY))
    for ident in (*range(0, 250, 9), layout.ship_marker_id()):
        bits = cv2.aruco.generateImageMarker(dictionary, ident, MARKER_CELLS) > 0
        area = sum(
            sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairwise([*ring, ring[0]])) / 2
            for ring in white_outlines(ident)
        )
        assert abs(area) == bits.sum(), ident


def test_backs_lie_behind_their_fronts():
    left, top = place_of(1, is_back=False)
    assert place_of(3, is_back=True) == (left, top)
    assert left + TILE_MM == pytest.approx(place_of(2, is_back=False)[0])


def test_the_same_pieces_are_the_same_file():
    assert pieces_pdf() == pieces_pdf()


def test_print_maori_writes_everything_at_true_scale(tmp_path):
    told = []
    written = print_maori(tmp_path, told.append)
    assert [path.name for path in written] == list(FILES)
    assert len(told) == len(FILES)
    pages = {path.name: re.findall(rb"/MediaBox \[ ([^]]*) \]", path.read_bytes()) for path in written[:-1]}
    sizes = {name: (len(boxes), {box.split()[2] for box in boxes}) for name, boxes in pages.items()}
    upright, lying = b"595.2756", b"841.8898"
    assert sizes == {
        "maori-display.pdf": (1, {upright}),
        "maori-boards.pdf": (10, {lying}),
        "maori-tiles.pdf": (6, {upright}),
        "maori-pieces.pdf": (1, {upright}),
    }
    data = json.loads(written[-1].read_text("utf-8"))
    assert len(data["sheets"]) == 11
    assert data["tile_marker"]["ids"].keys() == TILES.keys()
    assert sum(path.stat().st_size for path in written) < 8_000_000
