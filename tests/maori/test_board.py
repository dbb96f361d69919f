"""Boards and tiles as data: ours are what is published, and a wrong file is told in full."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.maori.board import (
    BOARD_NAMES,
    SHIP_PLACES,
    load_board,
    load_tiles,
    neighbour,
    parse_board,
    parse_tiles,
    row_of_ship,
    turned,
)
from companion.games.protocol import FormatError
from tests.maori.support import BOARD_FILES, TILE_FILE, TILES, some_games
from tests.maori.test_position import json_values


def codes(parse, data) -> list[str]:
    with pytest.raises(FormatError) as caught:
        parse(data)
    return [problem.code for problem in caught.value.problems]


def test_the_tiles_are_as_many_of_each_kind_as_published():
    kinds = Counter(tile.kind for tile in load_tiles("ours").tiles.values())
    assert kinds == {"island": 10, "end": 54, "middle": 14, "water": 17, "volcano": 2}
    assert sum(kinds.values()) == 97


def test_the_tiles_are_marked_as_designed_by_us():
    assert load_tiles("ours").designed
    assert all(load_board(name).designed for name in BOARD_NAMES)


def test_every_end_has_its_counterpart_and_every_wreath_another_half():
    tiles = load_tiles("ours").tiles.values()
    ends = Counter(tile.land for tile in tiles if tile.kind == "end")
    assert (ends["E"], ends["N"]) == (ends["W"], ends["S"])
    halves = Counter("".join(tile.wreaths for tile in tiles))
    assert min(halves.values()) >= 3
    assert set(halves) == set("NESW")


def test_the_boards_are_as_published():
    front, back = load_board("archipelago"), load_board("atoll")
    assert (front.rows, front.columns, len(front.printed), len(front.free)) == (4, 5, 4, 16)
    assert front.canoes == 2
    assert len(back.free) == 20
    assert set(back.canoe_cells) < set(back.inside)
    assert back.canoes + len(back.canoe_cells) == 2


def test_a_full_table_never_needs_more_tiles_than_there_are():
    """Why the atoll seats four: with five, boards and display would need 116 of 97 tiles."""
    assert 5 * len(load_board("archipelago").free) + 16 <= 97
    assert 4 * len(load_board("atoll").free) + 16 <= 97 < 5 * len(load_board("atoll").free)


def test_sides_turn_clockwise():
    assert [turned("N", turn) for turn in (0, 90, 180, 270)] == ["N", "E", "S", "W"]
    assert turned("EW", 90) == "SN"
    assert [neighbour("2,2", side) for side in "NESW"] == ["1,2", "2,3", "3,2", "2,1"]


def test_the_ship_looks_inwards_from_every_place():
    rows = [row_of_ship(place) for place in range(1, SHIP_PLACES + 1)]
    assert rows[0] == ("1,1", "2,1", "3,1", "4,1")
    assert rows[3] == ("1,4", "2,4", "3,4", "4,4")
    assert rows[4] == ("1,4", "1,3", "1,2", "1,1")
    assert rows[7] == ("4,4", "4,3", "4,2", "4,1")
    assert rows[8] == ("4,4", "3,4", "2,4", "1,4")
    assert rows[12] == ("4,1", "4,2", "4,3", "4,4")
    assert rows[15] == ("1,1", "1,2", "1,3", "1,4")
    assert Counter(cell for row in rows for cell in row) == {f"{r},{c}": 4 for r in range(1, 5) for c in range(1, 5)}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"board": "Our Board"}, ["board_name_wrong"]),
        ({"rows": 0}, ["number_wrong"] + ["cell_off_board"] * 2),
        ({"columns": 10}, ["number_wrong"] + ["cell_off_board"] * 2),
        ({"printed": "1,1"}, ["cells_wrong"]),
        ({"printed": ["1,1"] * 99}, ["cells_wrong"]),
        ({"printed": ["0,1"]}, ["cell_off_board"]),
        ({"canoes": -1}, ["number_wrong"]),
        ({"inside": ["1,1"]}, ["printed_cells_wrong"]),
        ({"rows": 1, "columns": 1, "printed": ["1,1"]}, ["printed_cells_wrong"]),
    ],
)
def test_a_wrong_board_is_told(changes, expected):
    assert set(codes(parse_board, {**BOARD_FILES["archipelago"], **changes})) == set(expected)


@pytest.mark.parametrize(
    ("tile", "code"),
    [
        ({"id": "lots"}, "tile_without_id"),
        (7, "tile_without_id"),
        ({"id": "E01", "kind": "end"}, "tile_shape_wrong"),
        ({"id": "E01", "kind": "bend", "land": "NE"}, "tile_shape_wrong"),
        ({"id": "M01", "kind": "middle", "land": "NE"}, "tile_shape_wrong"),
        ({"id": "E01", "kind": "end", "land": "E", "wreaths": "W"}, "wreath_off_land"),
        ({"id": "E01", "kind": "end", "land": "E", "palms": "two"}, "number_wrong"),
        (TILES["E02"], "tile_twice"),
    ],
)
def test_a_wrong_tile_is_told(tile, code):
    assert codes(parse_tiles, {**TILE_FILE, "tiles": [*TILE_FILE["tiles"][11:], tile]}) == [code]


def test_a_set_must_fill_the_display_and_no_file_is_endless():
    assert codes(parse_tiles, {**TILE_FILE, "tiles": TILE_FILE["tiles"][:15]}) == ["tiles_too_few"]
    assert codes(parse_tiles, {**TILE_FILE, "tiles": TILE_FILE["tiles"] * 4}) == ["tiles_wrong"]


@some_games
@given(st.sampled_from([*BOARD_FILES["atoll"], "tiles", "set"]), json_values)
def test_nothing_but_a_format_error_comes_of_strange_files(key, value):
    with suppress(FormatError):
        parse_board({**BOARD_FILES["atoll"], key: value})
    with suppress(FormatError):
        parse_tiles({**TILE_FILE, key: value})
    with suppress(FormatError):
        parse_tiles({**TILE_FILE, "tiles": [value, {**TILES["E13"], key: value}]})
