"""Positions and headers from outside: right ones are scored, wrong ones are told in full."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.maori.position import parse_position
from companion.games.protocol import FormatError
from tests.maori.support import BOARD_FILES, GAME, TILE_FILE, some_games

GOOD = {
    "game": "maori",
    "rules": "advanced",
    "boards": ["archipelago"],
    "players": ["blue", "red"],
    "display": {"1,1": "E02", "4,4": "V1"},
    "ship": 5,
    "laid": {"blue": {"2,2": "E01", "2,3": "E28"}, "red": {"3,3": "E14@90"}},
    "stocks": {"red": "W01"},
    "boats": {"blue": "2,2", "red": "3,3"},
    "shells": {"blue": 3, "red": 4},
}
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


def problems(**changes) -> list[str]:
    with pytest.raises(FormatError) as caught:
        parse_position({**GOOD, **changes})
    return [problem.code for problem in caught.value.problems]


def test_a_good_position_is_taken_as_it_is():
    position = parse_position(GOOD)
    assert {key: getattr(position, key) for key in ("display", "ship", "laid", "stocks", "boats", "shells")} == {
        key: GOOD[key] for key in ("display", "ship", "laid", "stocks", "boats", "shells")
    }


@pytest.mark.parametrize(
    ("changes", "codes"),
    [
        ({"game": "chess"}, ["game_unknown"]),
        ({"rules": "easy"}, ["rules_unknown"]),
        ({"boards": []}, ["boards_missing"]),
        ({"boards": ["lagoon"]}, ["board_unknown"]),
        ({"boards": ["atoll"]}, ["board_side"]),
        ({"rules": "advanced-atoll"}, ["board_side"]),
        ({"tiles": ["theirs"]}, ["tiles_unknown"]),
        ({"tiles": "ours"}, ["tiles_unknown"]),
        ({"players": "blue"}, ["players_missing"]),
        ({"players": []}, ["players_missing"]),
        ({"players": ["blue", "blue"]}, ["player_twice"]),
        ({"players": ["blue", "beige"]}, ["colour_unknown"]),
        ({"players": ["blue"]}, ["players_number"]),
        ({"players": ["blue"] * 40_000}, ["too_many_entries"]),
        ({"laid": []}, ["not_an_object", "boat_off_tiles", "boat_off_tiles"]),
        ({"laid": {"blue": {"2,2": "E01"}, "red": 3}}, ["not_an_object", "boat_off_tiles"]),
        ({"laid": {**GOOD["laid"], "green": {}}}, ["owner_unknown"]),
        ({"laid": {**GOOD["laid"], "blue": {"2,2": "E01", "1,1": "E03"}}}, ["cell_not_free"]),
        ({"laid": {**GOOD["laid"], "blue": {"2,2": "E01", "2,3": "E99"}}}, ["tile_unknown"]),
        ({"laid": {**GOOD["laid"], "blue": {"2,2": "E01", "2,3": None}}}, ["tile_unknown"]),
        ({"laid": {**GOOD["laid"], "blue": {"2,2": "E01", "2,3": "V2"}}}, ["volcano_stays"]),
        ({"laid": {**GOOD["laid"], "blue": {"2,2": "E01", "2,3": "E03@90"}}}, ["tile_lies_wrong"]),
        ({"laid": {**GOOD["laid"], "blue": {"2,2": "E01", "2,3": "W02@90"}}}, ["tile_lies_wrong"]),
        ({"laid": {**GOOD["laid"], "blue": {"2,2": "E01", "2,3": "E14"}}}, ["tile_in_two_places"]),
        ({"display": {"1,1": "E01"}}, ["tile_in_two_places"]),
        ({"display": {"1,5": "E03"}}, ["display_cell_wrong"]),
        ({"display": 4}, ["not_an_object"]),
        ({"stocks": {"blue": "V2"}}, ["volcano_stays"]),
        ({"stocks": {"blue": 7}}, ["tile_unknown"]),
        ({"boats": {"blue": "2,4"}}, ["boat_off_tiles"]),
        ({"rules": "base"}, ["rules_without_boats"]),
        ({"ship": 17}, ["ship_place_wrong"]),
        ({"ship": True}, ["ship_place_wrong"]),
        ({"ship": 1.0}, ["ship_place_wrong"]),
        ({"shells": {"blue": -1}}, ["shells_wrong"]),
        ({"shells": {"blue": True}}, ["shells_wrong"]),
        ({"shells": {"blue": 16, "red": 15}}, ["too_many_shells"]),
        ({"unseen": ["blue"]}, ["unseen_yet_laid"]),
        ({"unseen": "red"}, ["unseen_wrong"]),
        ({"hats": {}}, ["key_unknown"]),
        ({"ship": "x", "shells": {"blue": 99}}, ["shells_wrong", "ship_place_wrong"]),
    ],
)
def test_a_wrong_position_is_told_with_everything_wrong(changes, codes):
    assert problems(**changes) == codes


def test_laid_must_be_said_even_if_nothing_is():
    with pytest.raises(FormatError, match="laid_missing"):
        parse_position({key: value for key, value in GOOD.items() if key not in ("laid", "boats")})


def test_a_start_takes_no_position_for_a_header():
    with pytest.raises(FormatError, match="key_unknown"):
        GAME.start(GOOD)


@pytest.mark.parametrize("people", [0, 1, 6])
def test_no_rules_are_for_so_many(people):
    with pytest.raises(FormatError, match="players_number"):
        GAME.default_header("base", people)


def test_the_atoll_seats_four_at_most():
    assert GAME.default_header("expert-atoll", 4)["boards"] == ["atoll"]
    with pytest.raises(FormatError, match="players_number"):
        GAME.default_header("expert-atoll", 5)


def test_an_owners_own_board_and_tiles_can_stand_in_the_header():
    own = {**BOARD_FILES["archipelago"], "board": "our-copy", "printed": []}
    few = {"set": "our-tiles", "tiles": TILE_FILE["tiles"][:60]}
    header = {"game": "maori", "rules": "base", "boards": [own], "tiles": [few], "players": ["blue", "red"]}
    state = GAME.start(header)
    assert (len(state.setup.cells), len(state.pile)) == (20, 60)
    assert GAME.header(state) == header


# A photo of one board


def seen(*boards: str) -> dict:
    """What a camera sees of these players' boards: two tiles each, the water one turned by careless hands."""
    tiles = iter(("E01", "W05@270", "E02", "W06"))
    places = [f"{player}:{cell}" for player in boards for cell in ("2,2", "3,3")]
    return {place: (("tile", next(tiles)),) for place in places}


HEADER = {key: GOOD[key] for key in ("game", "rules", "boards", "players")}


def test_a_photo_of_one_board_scores_that_board():
    position = GAME.position_with(HEADER, seen("blue"))
    assert (position["unseen"], position["laid"]) == (["red"], {"blue": {"2,2": "E01", "3,3": "W05"}})
    score = GAME.score_position(position)
    assert score.points["blue"] == {"islands": 0, "wreaths": 0, "shells": 0, "canoes": 0, "gaps": -15, "total": -15}
    assert score.winners == ()
    assert {reason.code for reason in score.reasons} == {"unfinished", "gaps", "shells_open", "canoes_open"}


def test_photos_of_all_boards_and_the_shells_told_score_the_game():
    position = GAME.position_with({**HEADER, "shells": {"blue": 4, "red": 3}}, seen("blue", "red"))
    score = GAME.score_position(position)
    assert (score.points["blue"]["shells"], score.points["red"]["canoes"]) == (4, 3)
    assert score.winners == ("blue",)


def test_what_a_photo_shows_wrongly_is_told():
    pieces = {"blue:2,2": (("tile", "E01@90"), ("boat", "blue")), "red:2,2": (("tile", "W01"), ("boat", "blue"))}
    with pytest.raises(FormatError) as caught:
        GAME.score_position(GAME.position_with(HEADER, pieces))
    assert {problem.code for problem in caught.value.problems} == {"tile_lies_wrong", "boat_off_tiles"}


@some_games
@given(st.sampled_from(list(GOOD)), json_values)
def test_nothing_but_a_format_error_comes_of_strange_data(key, value):
    with suppress(FormatError):
        parse_position({**GOOD, key: value})
