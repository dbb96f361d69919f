"""What hands do: pieces put down, a button pressed, cards laid in a tray."""

from itertools import permutations

import pytest

from companion.games.catalogue import game_named
from companion.games.protocol import Action
from tests.makabana.support import CONFIGURATIONS, random_states

GAME = game_named("makabana")


def state_after(rules: str, people: int, *lines: str) -> object:
    state = GAME.start(GAME.default_header(rules, people))
    for line in lines:
        state = GAME.apply(state, Action.from_text(line))
    return state


OPENED = (
    "violet hut Danae-Cocotier-Fleur",
    "pink hut Danae-Lagon-Fleur",
    "yellow hut Danae-Rocher-Fleur",
    "yellow hut Evao-Lagon-Fleur",
    "pink hut Evao-Rocher-Fleur",
    "violet hut Evao-Cocotier-Fleur",
)
PLANNED = (
    *OPENED,
    "violet plan Danae Sable Fleur show Danae",
    "pink plan Danae Sable Poisson show Danae",
    "yellow plan Danae Sable Tatouage show Danae",
)


@pytest.mark.parametrize(("rules", "people"), CONFIGURATIONS)
def test_every_hand_and_button_action_is_legal_and_those_of_hands_change_the_board(rules, people):
    for state, _, _ in random_states(rules, people, seed=1)[::29]:
        legal = {action for seat in GAME.actors(state) for action in GAME.legal_actions(state, seat)}
        by_hand = GAME.hand_actions(state)
        assert set(by_hand) <= legal
        assert all(GAME.expected(GAME.apply(state, action)) != GAME.expected(state) for action in by_hand[:3])
        for seat in GAME.seats(state):
            assert set(GAME.button_actions(state, seat)) <= set(GAME.legal_actions(state, seat))


def test_opening_huts_and_tikis_are_of_hands():
    assert {action.verb for action in GAME.hand_actions(state_after("2013", 3))} == {"hut"}
    assert GAME.hand_actions(state_after("2013", 3, *OPENED)) == []
    assert {action.verb for action in GAME.hand_actions(state_after("2013", 3, *PLANNED))} == {"tiki"}


def test_the_button_reveals_at_ones_turn_and_denounces_in_mao():
    tikis = ("violet tiki club:Danae", "pink tiki club:Evao", "yellow tiki Danae-Rocher-Poisson")
    state = state_after("2013", 3, *PLANNED, *tikis)
    assert [action.text for action in GAME.button_actions(state, "violet")] == ["violet reveal"]
    assert list(GAME.button_actions(state, "pink")) == []
    mao = state_after("2013-mao", 3, *PLANNED)
    assert {action.text for action in GAME.button_actions(mao, "pink")} == {
        "pink denounce violet",
        "pink denounce yellow",
    }


@pytest.mark.parametrize("cards", list(permutations(("Danae", "Sable", "Fleur"))))
def test_a_tray_is_the_same_plan_in_any_order_with_the_first_card_as_its_clue(cards):
    reading = GAME.tray_actions(state_after("2013", 3, *OPENED), "violet", cards)
    assert [action.text for action in reading.actions] == [f"violet plan Danae Sable Fleur show {cards[0]}"]
    assert reading.is_complete


@pytest.mark.parametrize("cards", [("Danae",), ("Danae", "Sable"), ("Danae", "Evao", "Sable")])
def test_cards_that_name_no_site_are_a_plan_that_is_not_complete(cards):
    reading = GAME.tray_actions(state_after("2013", 3, *OPENED), "violet", cards)
    assert len(reading.actions) == 1
    assert not reading.is_complete


@pytest.mark.parametrize("cards", [(), ("Nowhere",), ("Danae", "Danae", "Sable"), ("Club", "Club")])
def test_cards_nobody_can_have_are_no_plan(cards):
    assert GAME.tray_actions(state_after("2013", 3, *OPENED), "violet", cards).actions == ()


def test_a_tray_means_nothing_outside_the_time_for_plans():
    assert GAME.tray_actions(state_after("2013", 3), "violet", ("Danae", "Sable", "Fleur")).actions == ()


def test_every_plan_of_a_tray_is_accepted_by_the_rules():
    state = state_after("2013", 3, *OPENED)
    for cards in (("Danae",), ("Danae", "Sable", "Fleur"), ("Paint", "Danae", "Lagon", "Fleur"), ("Club",)):
        for action in GAME.tray_actions(state, "violet", cards).actions:
            assert not hasattr(GAME.apply(state, action), "code")


def test_the_box_holds_ten_huts_a_tiki_and_a_club_for_each_colour():
    components = GAME.components(state_after("2013", 3))
    assert components["hut", "violet"] == 10
    assert components["tiki", "violet"] == components["club", "violet"] == 1
    assert ("club", "yellow") not in GAME.components(state_after("2003", 3))
    teams = GAME.components(state_after("2013-teams", 8))
    assert (teams["hut", "violet"], teams["tiki", "violet"], teams["club", "violet"]) == (20, 1, 2)


@pytest.mark.parametrize(("rules", "people"), [("2013", 3), ("2013-teams", 8), ("2003", 4)])
def test_every_seat_has_a_colour_of_the_game(rules, people):
    state = state_after(rules, people)
    assert {GAME.colour_of(state, seat) for seat in GAME.seats(state)} == set(GAME.header(state)["players"])


def test_a_plan_is_open_once_it_is_revealed():
    state = state_after("2013", 3, *OPENED)
    assert GAME.is_open(state, "violet") is None
    state = state_after("2013", 3, *PLANNED)
    assert GAME.is_open(state, "violet") is False
    tikis = ("violet tiki club:Danae", "pink tiki club:Evao", "yellow tiki Danae-Rocher-Poisson")
    state = state_after("2013", 3, *PLANNED, *tikis, "violet reveal")
    assert (GAME.is_open(state, "violet"), GAME.is_open(state, "pink")) == (True, False)
