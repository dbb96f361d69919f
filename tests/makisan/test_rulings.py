"""How we read the rulebook of Maki-San where it is silent, and what is wrong with a wrong line."""

from __future__ import annotations

import random
from contextlib import suppress
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.makisan.board import hidden_colours, maki_of
from companion.games.makisan.rules import COLOURS, MAKIS, PLACES
from companion.games.protocol import Action, FormatError, Refusal
from tests.games.every_game import applied, refusal
from tests.makisan.support import GAME, line_of, new_game, with_line

TEN = "red-green red-yellow blue-red red-black yellow-green green-blue black-green yellow-blue black-yellow blue-black"
HEADER = GAME.default_header("wasabi", 2)


# Four in a row


def test_four_side_by_side_win_and_three_or_four_with_a_gap_do_not():
    state = with_line("red-green red-yellow blue-red green-yellow red-black")
    assert GAME.score(state).points["south"]["line"] == 0
    after = applied(GAME, with_line("red-green red-yellow red-blue black-red"), "south flip 4")
    assert after.wins == (1, 0)
    assert after.round == 2


def test_closing_a_gap_can_win():
    state = with_line("red-green red-yellow green-blue red-blue red-black")
    assert applied(GAME, state, "south move 3 right").wins == (1, 0)


def test_an_action_can_win_for_the_opponent_alone():
    state = with_line("red-green red-yellow red-blue black-red", turn="north")
    assert applied(GAME, state, "north flip 4").wins == (1, 0)


def test_both_at_once_both_win_and_two_each_share_the_game():
    line = "red-yellow red-blue red-black green-red yellow-green blue-green black-green"
    state = with_line(line)._replace(wins=(1, 1))
    after = applied(GAME, state, "south flip 4")
    assert GAME.outcome(after).score.winners == ("south", "north")
    ahead = applied(GAME, with_line(line)._replace(wins=(1, 0)), "south flip 4")
    assert GAME.outcome(ahead).score.winners == ("south",)
    assert ahead.ended_by.data == {"rounds": {"south": 2, "north": 1}}


def test_the_first_player_alternates_and_the_other_chooses_the_first_facing():
    state = applied(GAME, with_line("red-green red-yellow red-blue black-red"), "south flip 4", "chance open red-blue")
    assert (state.first, GAME.actors(state)) == ("north", ("south",))
    state = applied(GAME, state, "south face blue")
    assert line_of(state) == "blue-red"
    assert GAME.actors(state) == ("north",)


# Bans


def test_a_move_must_change_the_line():
    state = with_line("red-green yellow-blue blue-black")
    assert refusal(GAME, state, "south move 1 left") == "already_at_end"
    assert refusal(GAME, state, "south move 3 right") == "already_at_end"
    assert line_of(applied(GAME, state, "south move 1 right")) == "yellow-blue blue-black red-green"
    assert line_of(applied(GAME, state, "south move 2 left")) == "yellow-blue red-green blue-black"


def test_a_maki_just_turned_may_be_moved_and_one_just_moved_may_be_turned():
    state = applied(GAME, with_line("red-green yellow-blue blue-black"), "south flip 1")
    assert refusal(GAME, state, "north move 1 right") is None
    state = applied(GAME, with_line("red-green yellow-blue blue-black"), "south move 1 right")
    assert refusal(GAME, state, "north flip 3") is None
    assert refusal(GAME, state, "north move 3 left") == "just_moved"


def test_makis_turned_by_a_wasabi_count_as_just_turned():
    state = applied(GAME, with_line("red-green yellow-blue blue-black"), "south wasabi 2 right")
    assert line_of(state) == "red-green yellow-blue black-blue"
    assert refusal(GAME, state, "north flip 3") == "just_turned"
    assert refusal(GAME, state, "north flip 1") is None


def test_a_wasabi_may_turn_what_was_just_turned():
    state = applied(GAME, with_line("red-green yellow-blue blue-black"), "south flip 1")
    assert line_of(applied(GAME, state, "north wasabi 2 left")) == "red-green yellow-blue blue-black"


def test_a_draw_between_ends_the_ban():
    state = applied(GAME, with_line("red-green yellow-blue blue-black"), "south flip 1")
    state = applied(GAME, state, "north draw", "chance draw north red-blue", "north lay right red blue")
    assert refusal(GAME, state, "south flip 1") is None


def test_a_wasabi_at_an_end_may_turn_nothing_and_still_protects():
    state = applied(GAME, with_line("red-green yellow-blue"), "south wasabi 1 left")
    assert line_of(state) == "red-green yellow-blue"
    assert refusal(GAME, state, "north flip 1") == "covered_by_wasabi"


def test_with_an_empty_bag_there_is_always_something_to_do():
    state = with_line(TEN)
    assert refusal(GAME, state, "south draw") == "bag_empty"
    after = applied(GAME, state, "south wasabi 1 right")
    assert {action.verb for action in GAME.legal_actions(after, "north")} == {"move", "wasabi"}


def test_wasabis_are_back_with_their_owners_in_a_new_round():
    state = applied(GAME, with_line("red-green red-yellow red-blue black-red"), "south wasabi 3 right")
    assert state.wins == (1, 0)
    assert state.wasabi is None


# Secrets


def test_a_laid_maki_hides_one_face_from_the_opponent_until_it_is_turned():
    state = applied(GAME, with_line("red-green"), "south draw", "chance draw south blue-black")
    assert GAME.view(state, "south")["drawn"] == ["blue", "black"]
    assert GAME.view(state, "north")["drawn"] is None
    assert GAME.view(state, None)["drawn"] is None
    state = applied(GAME, state, "south lay left blue black")
    assert GAME.view(state, "north")["line"]["1"] == {
        "south": None,
        "north": "black",
        "wasabi": None,
        "known_to": ["south"],
    }
    assert GAME.view(state, None)["line"]["1"] == {"south": None, "north": None, "wasabi": None, "known_to": ["south"]}
    moved = applied(GAME, state, "north move 1 right")
    assert GAME.view(moved, "north")["line"]["2"]["south"] is None
    turned = applied(GAME, state, "north flip 1")
    seen = GAME.view(turned, "north")["line"]["1"]
    assert seen == {"south": "black", "north": "blue", "wasabi": None, "known_to": ["south", "north"]}


def test_at_the_end_everything_is_open():
    state = with_line("red-green red-yellow red-blue black-red")._replace(wins=(1, 0))
    state = applied(GAME, state._replace(known=(frozenset(), frozenset())), "south flip 4")
    seen = GAME.view(state, None)["line"]
    assert [maki["north"] for maki in seen.values()] == ["green", "yellow", "blue", "black"]


# Positions


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"line": ["red-red"]}, "maki_unknown"),
        ({"line": ["red-pink"]}, "maki_unknown"),
        ({"line": [7]}, "maki_unknown"),
        ({"line": ["red-green", "green-red"]}, "maki_twice"),
        ({"line": [None, "red-green"]}, "gap_in_line"),
        ({"line": ["red-green"] * 11}, "line_missing"),
        ({"line": {}}, "line_missing"),
        ({}, "line_missing"),
        ({"line": [], "wins": {"south": 2}}, "wins_wrong"),
        ({"line": [], "wins": {"east": 1}}, "wins_wrong"),
        ({"line": [], "wins": {"south": True}}, "wins_wrong"),
        ({"line": [], "wasabi": {"1": "south"}}, "wasabi_wrong"),
        ({"line": ["red-green"], "wasabi": {"1": "east"}}, "wasabi_wrong"),
        ({"line": ["red-green"], "wasabi": ["1"]}, "wasabi_wrong"),
        ({"line": ["red-green"], "wasabi": {"1": "south"}, "rules": "standard"}, "rules_without_wasabi"),
        ({"line": [], "boards": []}, "key_unknown"),
        ({"line": [], "players": ["south", "south"]}, "players_wrong"),
        ({"line": [], "options": {"wasabi": True}}, "option_unknown"),
    ],
)
def test_a_wrong_position_is_named(change, code):
    with pytest.raises(FormatError) as caught:
        GAME.score_position({**HEADER, **change})
    assert caught.value.problems[0].code == code


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(["south", "red-green", "1"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(st.sampled_from(["line", "wins", "wasabi", "players", "options", "rules"]), json_values)
def test_no_position_does_more_than_raise_a_format_error(key, value):
    with suppress(FormatError):
        GAME.score_position({**HEADER, "line": ["red-green"], key: value})


def test_a_seen_line_with_a_gap_or_two_makis_on_a_place_is_a_position_that_is_refused():
    for pieces in (
        {"1": (("maki", "red-green"),), "3": (("maki", "red-blue"),)},
        {"1": (("maki", "red-green"), ("maki", "red-blue"))},
    ):
        with pytest.raises(FormatError):
            GAME.score_position(GAME.position_with(HEADER, pieces))


# The line is right


def test_agreed_changes_of_the_line_are_taken_over_or_refused():
    state = with_line("red-green yellow-blue")
    after = GAME.apply(state, Action("table", "adjust", ("2=maki:blue-yellow+wasabi:north", "3=maki:red-black")))
    assert line_of(after) == "red-green blue-yellow red-black"
    assert (after.wasabi.owner, after.wasabi.maki) == ("north", "yellow-blue")
    assert "red-black" not in after.bag
    assert GAME.view(after, "north")["line"]["3"]["south"] == "red"
    for wrong, code in (
        (("4=maki:red-black",), "gap_in_line"),
        (("1=maki:yellow-blue",), "maki_twice"),
        (("11=empty",), "place_unknown"),
        ((), "wrong_arguments"),
        (("1=empty", "2=empty"), "board_impossible"),
    ):
        result = GAME.apply(state, Action("table", "adjust", wrong))
        assert isinstance(result, Refusal)
        assert result.code == code


def test_the_maki_in_a_hand_can_not_lie_on_the_line():
    state = applied(GAME, with_line("red-green yellow-blue"), "south draw", "chance draw south red-black")
    result = GAME.apply(state, Action("table", "adjust", ("3=maki:red-black",)))
    assert isinstance(result, Refusal)
    assert refusal(GAME, new_game(), "table adjust 1=maki:red-green") == "board_impossible"


def test_there_is_a_place_for_every_maki():
    assert GAME.places(new_game()) == PLACES
    assert sum(GAME.components(new_game("standard")).values()) == 10
    assert sum(GAME.components(new_game("wasabi")).values()) == 12


# What one side of the mat tells of the other


def test_ten_makis_tell_hidden_colours_where_that_is_settled_and_leave_them_open_where_not():
    assert hidden_colours(["red"]) == (("green", "yellow", "blue", "black"),)
    assert hidden_colours(["red"] * 4) == (("green", "yellow", "blue", "black"),) * 4
    # All four reds and three greens lie: red-green is among the reds, so green has the other three behind.
    assert hidden_colours(["red"] * 4 + ["green"] * 3)[4:] == (("yellow", "blue", "black"),) * 3
    # All ten lie. Four reds, then three greens, two yellows and a blue: only blue-black is left for the last.
    assert hidden_colours(["red"] * 4 + ["green"] * 3 + ["yellow"] * 2 + ["blue"])[-1] == ("black",)
    assert hidden_colours(["red"] * 5) == ((),) * 5


def test_hidden_colours_are_those_of_every_line_that_shows_the_same():
    rng = random.Random("hidden")
    for _ in range(60):
        seen = [rng.choice(maki.split("-")) for maki in rng.sample(MAKIS, rng.randint(1, 6))]
        lines = [
            hidden
            for hidden in product(COLOURS, repeat=len(seen))
            if all(map(str.__ne__, seen, hidden))
            and len({maki_of(pair) for pair in zip(seen, hidden, strict=True)}) == len(seen)
        ]
        found = hidden_colours(seen)
        assert [set(colours) for colours in found] == [{line[i] for line in lines} for i in range(len(seen))], seen
