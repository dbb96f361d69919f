"""The boards that come with the companion, and what validation says about a wrong one."""

from __future__ import annotations

from contextlib import suppress
from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.makabana.board import BOARD_NAMES, beach_of, load_board, parse_board
from companion.games.protocol import Event, FormatError
from tests.makabana.support import BOARD_FILES

FACTS = {
    # sites, club places, neighbour pairs, sizes of the hotel complexes
    "maka-bana": (39, 4, 25, [8, 6, 3, 3, 3, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1]),
    "maka-bana-2003": (39, 0, 25, [8, 6, 3, 3, 3, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1]),
    "noka": (30, 3, 20, [7, 5, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1]),
    "nadaa": (21, 2, 14, [6, 4, 3, 2, 2, 1, 1, 1, 1]),
}


@pytest.mark.parametrize("name", BOARD_NAMES)
def test_boards_have_the_known_counts(name):
    board = load_board(name)
    complexes = sorted(map(len, board.complexes), reverse=True)
    assert (len(board.sites), len(board.clubs), len(board.adjacent), complexes) == FACTS[name]


def test_designed_boards_say_so():
    assert {name: load_board(name).designed for name in BOARD_NAMES} == {
        "maka-bana": False,
        "maka-bana-2003": False,
        "nadaa": True,
        "noka": True,
    }


@pytest.mark.parametrize("name", ["nadaa", "noka"])
def test_designed_boards_have_a_complex_across_two_beaches_and_fit_the_rulebook(name):
    board = load_board(name)
    assert any(len({beach_of(site) for site in group}) == 2 for group in board.complexes)
    assert len(board.sites) in {"noka": range(27, 37), "nadaa": range(18, 25)}[name]


def test_the_main_islands_largest_complex_lies_across_diabolo_and_bikini_with_four_sites_each():
    largest = max(load_board("maka-bana").complexes, key=len)
    beaches = [beach_of(site) for site in largest]
    assert (beaches.count("Bikini"), beaches.count("Diabolo")) == (4, 4)


def test_an_unknown_name_lists_the_boards():
    with pytest.raises(FormatError) as caught:
        load_board("atlantis")
    assert caught.value.problems == (Event("board_unknown", {"board": "atlantis", "allowed": list(BOARD_NAMES)}),)


def wrong_board(change) -> tuple[Event, ...]:
    data = deepcopy(BOARD_FILES["nadaa"])
    change(data)
    with pytest.raises(FormatError) as caught:
        parse_board(data)
    return caught.value.problems


def rename(old: str, new: str):
    def change(data):
        for site in data["sites"]:
            site["id"] = new if site["id"] == old else site["id"]
        data["adjacent"] = [[new if site == old else site for site in pair] for pair in data["adjacent"]]

    return change


FLEUR = "Danae-Lagon-Fleur"


@pytest.mark.parametrize(
    ("change", "code", "named"),
    [
        (lambda d: d.update(board="Nadaa!"), "board_name_wrong", "Nadaa!"),
        (lambda d: d.update(edition="1999"), "edition_unknown", "1999"),
        (lambda d: d.update(aspect=[0, 1]), "aspect_wrong", [0, 1]),
        (lambda d: d.update(sites="many"), "not_a_list", "sites"),
        (lambda d: d.update(sites=[]), "board_empty", None),
        (lambda d: d["sites"].append({"x": 0.5, "y": 0.5}), "entry_without_id", "sites"),
        (lambda d: d["sites"].append(dict(d["sites"][0])), "entry_twice", "Danae-Cocotier-Fleur"),
        (lambda d: d["sites"][0].update(x=1.2), "point_off_board", 1.2),
        (lambda d: d["sites"][0].update(y=float("nan")), "point_off_board", "Danae-Cocotier-Fleur"),
        (rename(FLEUR, "Danae-Lagon"), "site_name_wrong", "Danae-Lagon"),
        (rename(FLEUR, "Danae-Herbe-Fleur"), "sector_unknown", "Herbe"),
        (rename(FLEUR, "Danae-Lagon-Rose"), "spot_unknown", "Rose"),
        (rename(FLEUR, "Danae-Lagon-Rose"), "sector_incomplete", "Danae-Lagon"),
        (rename(FLEUR, "Dune-Lagon-Fleur"), "beaches_share_card", ["Danae", "Dune"]),
        (rename(FLEUR, "Dune-Lagon-Fleur"), "sectors_number", "Dune"),
        (lambda d: d["sites"][1].update(x=d["sites"][0]["x"], y=d["sites"][0]["y"]), "sites_too_near", 0),
        (lambda d: d["clubs"].pop(0), "beach_without_club", "Danae"),
        (lambda d: d["clubs"].append({"beach": "Fata", "x": 0, "y": 0}), "club_without_beach", "Fata"),
        (lambda d: d.update(adjacent={}), "not_a_list", "adjacent"),
        (lambda d: d["adjacent"].append(["Danae-Lagon-Fleur"]), "not_a_pair", '["Danae-Lagon-Fleur"]'),
        (lambda d: d["adjacent"].append([FLEUR, "Nowhere"]), "names_unknown_sites", ["Nowhere"]),
        (lambda d: d["adjacent"].append([FLEUR, FLEUR]), "own_neighbour", FLEUR),
        (lambda d: d["adjacent"].append(d["adjacent"][0][::-1]), "pair_twice", None),
        (rename(FLEUR, "Lagon-Lagon-Fleur"), "beach_name_wrong", "Lagon"),
        (rename(FLEUR, "club:D-Lagon-Fleur"), "beach_name_wrong", "club:D"),
        (rename(FLEUR, "D\x1b[2J-Lagon-Fleur"), "beach_name_wrong", "D\x1b[2J"),
        (lambda d: d["sites"][0].update(x=10**400), "point_off_board", "Danae-Cocotier-Fleur"),
        (lambda d: d.update(sites=d["sites"] * 100), "too_many_entries", 2100),
        (lambda d: d.update(complexes=3), "not_a_list", "complexes"),
        (lambda d: d.update(complexes=[["Nowhere"]]), "names_unknown_sites", ["Nowhere"]),
        (lambda d: d.update(complexes=[[FLEUR], [FLEUR]]), "complexes_of_site", 2),
        (lambda d: d.update(complexes=[[s["id"]] for s in d["sites"]]), "complex_splits_pair", None),
    ],
)
def test_a_wrong_board_is_told_with_what_is_wrong(change, code, named):
    problems = [problem for problem in wrong_board(change) if problem.code == code]
    assert problems
    assert named is None or any(named in problem.data.values() for problem in problems)


def test_all_problems_are_told_at_once():
    def change(data):
        data["aspect"] = None
        data["clubs"] = []
        data["adjacent"].append(["Nowhere", "Nobody"])

    codes = {problem.code for problem in wrong_board(change)}
    assert codes == {"aspect_wrong", "beach_without_club", "names_unknown_sites"}


def test_edition_2003_has_no_clubs():
    data = {**BOARD_FILES["maka-bana-2003"], "clubs": [{"beach": "Azzura", "x": 0.5, "y": 0.5}]}
    with pytest.raises(FormatError) as caught:
        parse_board(data)
    assert [problem.code for problem in caught.value.problems] == ["edition_without_clubs"]


def test_drawn_complexes_may_join_what_does_not_touch():
    data = deepcopy(BOARD_FILES["nadaa"])
    data["complexes"] = [[site["id"] for site in data["sites"]]]
    assert len(parse_board(data).complexes) == 1


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


@given(st.sampled_from(["board", "edition", "aspect", "sites", "clubs", "adjacent", "complexes"]), json_values)
def test_nothing_but_a_format_error_comes_of_strange_data(key, value):
    with suppress(FormatError):
        parse_board({**BOARD_FILES["nadaa"], key: value})


@given(json_values)
def test_nothing_but_a_format_error_comes_of_anything(value):
    with pytest.raises(FormatError):
        parse_board(value)
