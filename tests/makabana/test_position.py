"""Positions from outside: right ones are scored, wrong ones are told in full."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.makabana.position import parse_position
from companion.games.protocol import FormatError
from tests.makabana.support import BOARD_FILES
from tests.makabana.test_board import json_values

GOOD = {
    "game": "makabana",
    "rules": "2013",
    "boards": ["maka-bana"],
    "players": ["blue", "green", "yellow", "pink", "violet"],
    "huts": {"Azzura-Lagon-Fleur": "blue", "Azzura-Lagon-Tatouage": "blue", "Bikini-Sable-Fleur": "green"},
    "clubs": {"Azzura": "green"},
    "tikis": {"blue": "Azzura-Lagon-Fleur", "green": "club:Bikini"},
}
TEN_SITES = [f"{beach}-{sector}-{spot}" for beach in ("Azzura", "Bikini") for sector in ("Lagon", "Rocher")
             for spot in ("Fleur", "Poisson", "Tatouage")]  # fmt: skip


def problems(**changes) -> list[str]:
    with pytest.raises(FormatError) as caught:
        parse_position({**GOOD, **changes})
    return [problem.code for problem in caught.value.problems]


def test_a_good_position_is_taken_as_it_is():
    position = parse_position(GOOD)
    assert (position.huts, position.clubs) == (GOOD["huts"], GOOD["clubs"])
    assert position.tikis == {"Azzura-Lagon-Fleur": "blue", "club:Bikini": "green"}


@pytest.mark.parametrize(
    ("changes", "codes"),
    [
        ({"game": "chess"}, ["game_unknown"]),
        ({"rules": "2014"}, ["rules_unknown"]),
        ({"rules": None}, ["rules_unknown"]),
        ({"boards": []}, ["boards_missing"]),
        ({"boards": ["atlantis"]}, ["board_unknown"]),
        ({"boards": ["maka-bana-2003"]}, ["board_edition"]),
        ({"boards": ["maka-bana", "maka-bana"]}, ["beach_on_two_boards"] * 4),
        ({"players": "blue"}, ["players_missing"]),
        ({"players": ["blue", "blue", "green", "yellow", "pink"]}, ["player_twice"]),
        ({"players": ["blue", "green", "yellow", "pink", "beige"]}, ["colour_unknown"]),
        ({"players": ["blue", "green"]}, ["colours_number"]),
        ({"camps": [["blue"], ["green"]]}, ["camps_wrong"]),
        ({"options": {"protect_only_when_threatened": True}}, ["option_unknown"]),
        ({"options": 1}, ["options_wrong"]),
        ({"boards": ["noka"] * 3000}, ["too_many_entries"]),
        ({"players": ["blue"] * 40_000}, ["too_many_entries"]),
        ({"huts": {"Azzura-Sable-Fleur": "blue"}}, ["site_not_on_beach"]),
        ({"huts": {"Aloa-Lagon-Fleur": "blue"}}, ["site_of_no_beach"]),
        ({"huts": {"Azzura-Lagon-Poisson": "red"}}, ["owner_unknown"]),
        ({"huts": {"Azzura-Lagon-Poisson": ["blue", "green"]}}, ["several_on_place"]),
        ({"huts": {"Azzura-Lagon-Poisson": None}}, ["owner_unknown"]),
        ({"huts": []}, ["not_an_object"]),
        ({"huts": dict.fromkeys(TEN_SITES[:11], "blue")}, ["too_many_huts"]),
        ({"clubs": {"Aloa": "blue"}}, ["club_on_no_beach"]),
        ({"clubs": {"Azzura": "blue", "Diabolo": "blue"}}, ["too_many_clubs"]),
        ({"tikis": {"blue": "club:Aloa"}}, ["tiki_place_unknown"]),
        ({"tikis": {"red": "club:Bikini"}}, ["tiki_owner_unknown"]),
        ({"tikis": {"blue": 3}}, ["tiki_place_unknown"]),
        ({"tikis": {"blue": "Bikini-Sable-Fleur"}}, ["tiki_on_others_hut"]),
        ({"tikis": {"blue": "club:Azzura"}}, ["tiki_on_built_club"]),
        ({"tikis": {"blue": "club:Bikini", "pink": "club:Bikini"}}, ["tikis_share_place"]),
        ({"tikis": "none"}, ["not_an_object"]),
        ({"hats": {}}, ["key_unknown"]),
        ({"clubs": {"Aloa": "red"}, "huts": {"X": "blue"}}, ["owner_unknown", "site_of_no_beach"]),
    ],
)
def test_a_wrong_position_is_told_with_everything_wrong(changes, codes):
    assert problems(**changes) == codes


def test_huts_must_be_said_even_if_there_are_none():
    with pytest.raises(FormatError, match="huts_missing"):
        parse_position({key: value for key, value in GOOD.items() if key != "huts"})


def test_edition_2003_has_neither_clubs_nor_with_three_players_bikini():
    header = {"rules": "2003", "boards": ["maka-bana-2003"], "players": ["yellow", "blue", "green"], "tikis": {}}
    huts = {"Bikini-Lagon-Fleur": "blue"}
    assert problems(**header, huts=huts) == ["beach_left_out", "rules_without_clubs"]
    assert problems(**{**header, "players": ["yellow", "blue", "green", "red"]}, huts=huts) == ["rules_without_clubs"]


def test_an_owners_own_board_can_stand_in_the_position_itself():
    own = {**BOARD_FILES["maka-bana"], "board": "our-copy"}
    assert parse_position({**GOOD, "boards": [own]}).setup.boards[0].name == "our-copy"
    assert problems(boards=[{**own, "clubs": []}]) == ["beach_without_club"] * 4


@given(st.sampled_from(list(GOOD)), json_values)
def test_nothing_but_a_format_error_comes_of_strange_data(key, value):
    with suppress(FormatError):
        parse_position({**GOOD, key: value})
