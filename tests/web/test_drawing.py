"""The island as SVG: everything the board has is there, can be found by scripts, and looks the same each time."""

from __future__ import annotations

import subprocess
import sys
from itertools import combinations
from math import dist, pi
from xml.etree import ElementTree

import pytest

from companion.games.makabana.board import BOARD_NAMES, load_board
from web.drawing import MAP, Look, island_svg
from web.drawing.contours import contours, length_of, smoothed, stretches
from web.drawing.fields import closed_up, filled, grid_over, signed_distance
from web.drawing.island import island_of
from web.drawing.labels import labels_of
from web.drawing.scene import piece_svg

NS = "{http://www.w3.org/2000/svg}"
COLOURS = ("violet", "pink", "yellow", "blue", "green", "orange", "red", "black")
TABLES = [(name,) for name in BOARD_NAMES] + [("noka", "nadaa"), ("maka-bana", "noka", "nadaa")]


def drawn(names: tuple[str, ...], **look: object) -> ElementTree.Element:
    return ElementTree.fromstring(island_svg([load_board(name) for name in names], {}, Look(**look)))


@pytest.mark.parametrize("names", TABLES, ids="+".join)
def test_every_place_is_an_element_with_its_name(names: tuple[str, ...]) -> None:
    places = [group.get("data-place") for group in drawn(names).iter(f"{NS}g") if group.get("data-place")]
    boards = [load_board(name) for name in names]
    wanted = [site for board in boards for site in board.sites] + [f"club:{b}" for board in boards for b in board.clubs]
    assert sorted(places) == sorted(wanted)


@pytest.mark.parametrize("names", TABLES, ids="+".join)
def test_ids_are_unique_and_every_use_finds_its_symbol(names: tuple[str, ...]) -> None:
    svg = drawn(names)
    ids = [element.get("id") for element in svg.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    assert {use.get("href")[1:] for use in svg.iter(f"{NS}use")} <= set(ids)


@pytest.mark.parametrize("is_column", [False, True])
@pytest.mark.parametrize("names", TABLES, ids="+".join)
def test_every_place_lies_inside_the_picture(names: tuple[str, ...], is_column: bool) -> None:
    svg = drawn(names, is_column=is_column)
    _, _, width, height = map(float, svg.get("viewBox").split())
    for board in svg.findall(f"{NS}g"):
        left, top = map(float, board.get("transform")[10:-1].split())
        for place in board.iter(f"{NS}g"):
            if place.get("data-place"):
                x, y = map(float, place.get("transform")[10:-1].split())
                assert 8 < left + x < width - 8
                assert 8 < top + y < height - 8


def test_a_map_can_be_tapped_and_heard() -> None:
    labels = {"Danae-Lagon-Fleur": 'Danae & <b>"Lagon"</b>'}
    svg = drawn(("nadaa",), kind=MAP, title="Island", labels=labels)
    place = next(group for group in svg.iter(f"{NS}g") if group.get("data-place") == "Danae-Lagon-Fleur")
    assert (place.get("role"), place.get("tabindex")) == ("button", "0")
    assert place.get("aria-label") == labels["Danae-Lagon-Fleur"]
    assert svg.get("aria-label") == "Island"


def test_a_picture_is_one_image_for_screen_readers() -> None:
    svg = drawn(("nadaa",), title="Island")
    assert svg.get("role") == "img"
    assert not [group for group in svg.iter() if group.get("tabindex")]


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("kind", ["hut", "tiki"])
def test_no_colour_stands_without_its_mark(kind: str, colour: str) -> None:
    assert f"#mark-{colour}" in piece_svg(kind, colour, 20)


def test_a_club_says_its_owner_besides_its_colour() -> None:
    content = {"club:Danae": "club:pink", "Danae-Lagon-Fleur": "hut:blue+tiki:blue"}
    svg = island_svg([load_board("nadaa")], content, Look(MAP))
    assert 'data-content="club:pink"' in svg
    assert "#mark-pink" in svg
    assert svg.count("piece-tiki seat-blue") == 1


def test_names_from_outside_are_harmless() -> None:
    content = {"Danae-Lagon-Fleur": 'hut:"><script>alert(1)</script>'}
    svg = island_svg([load_board("nadaa")], content)
    assert "<script" not in svg
    ElementTree.fromstring(svg)


@pytest.mark.parametrize("name", BOARD_NAMES)
def test_no_name_covers_a_plot_or_another_name(name: str) -> None:
    island = island_of(load_board(name))
    names = labels_of(island).names
    for label in names:
        for point in island.layout.sites.values():
            across, along = abs(point[0] - label.at[0]), abs(point[1] - label.at[1])
            apart = dist((max(0, across - label.half_width), max(0, along - label.size / 2)), (0, 0))
            assert apart >= island.layout.plot / 2 - 0.5, label
    for one, other in combinations(names, 2):
        is_beside = abs(one.at[0] - other.at[0]) >= one.half_width + other.half_width
        assert is_beside or abs(one.at[1] - other.at[1]) >= (one.size + other.size) / 2, (one, other)


def test_the_same_board_is_drawn_the_same_in_another_process() -> None:
    script = "from web.drawing import island_svg\nfrom companion.games.makabana.board import load_board\n"
    script += "import hashlib\nprint(hashlib.sha256(island_svg([load_board('nadaa')]).encode()).hexdigest())"
    runs = {
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout for _ in "ab"
    }
    assert len(runs) == 1


def test_drawing_needs_neither_numpy_nor_flask() -> None:
    script = "import sys, web.drawing; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert {"numpy", "cv2", "flask"} & set(loaded) == set()


def test_a_contour_around_a_disc_is_a_circle() -> None:
    grid = grid_over(-20, -20, 40, 40, 1.0)
    field = [[10 - dist(grid.place(c, r), (0, 0)) for c in range(grid.columns)] for r in range(grid.rows)]
    ring, *others = contours(field, grid)
    assert others == []
    assert all(abs(dist(point, (0, 0)) - 10) < 0.1 for point in ring)
    assert abs(length_of([*ring, ring[0]]) - 2 * pi * 10) < 1
    assert all(abs(dist(point, (0, 0)) - 10) < 0.2 for point in smoothed(ring))


def test_a_contour_around_a_ring_has_its_hole() -> None:
    grid = grid_over(-20, -20, 40, 40, 1.0)
    field = [[4 - abs(10 - dist(grid.place(c, r), (0, 0))) for c in range(grid.columns)] for r in range(grid.rows)]
    assert len(contours(field, grid)) == 2


def test_signed_distance_counts_from_the_edge() -> None:
    mask = [[3 <= c <= 7 for c in range(11)] for _ in range(9)]
    row = signed_distance(mask, 2.0)[4]
    assert (row[5], row[3], row[2], row[0]) == (6.0, 2.0, -2.0, -6.0)


def test_holes_are_filled_and_narrow_bays_closed() -> None:
    ring = [[r in (2, 6) or c in (2, 6) for c in range(2, 7)] for r in range(2, 7)]
    padded = [[False] * 7, *([False, *row, False] for row in ring), [False] * 7]
    assert filled(padded)[3][3]
    bay = [[not (c == 5 and r < 6) and 1 < r < 9 and 1 < c < 9 for c in range(11)] for r in range(11)]
    assert closed_up(bay, 2.0, 1.0)[5][5]


def test_kept_stretches_of_a_ring_join_over_its_start() -> None:
    ring = [(float(n), 0.0) for n in range(10)]
    assert stretches(ring, lambda p: p[0] in (8, 9, 0, 1)) == [[(8.0, 0.0), (9.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]
    assert stretches(ring, lambda p: True) == [[*ring, ring[0]]]
