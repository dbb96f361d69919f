"""Reasons to think again before a project is locked: the rules' own, and never a ban."""

from __future__ import annotations

import random

import pytest

from companion.games.makabana.game import MakaBana
from companion.games.makabana.state import State
from companion.games.makabana.warnings import warnings
from companion.games.protocol import Action, Refusal

GAME = MakaBana()


def planning(rules: str = "2013", people: int = 4) -> State:
    """A game whose first huts stand and whose projects are due."""
    state, rng = GAME.start(GAME.default_header(rules, people)), random.Random(1)
    while state.phase != "plan":
        seat = GAME.actors(state)[0]
        after = GAME.apply(state, rng.choice(list(GAME.legal_actions(state, seat))))
        assert not isinstance(after, Refusal)
        state = after
    return state


def plan(*cards: str) -> Action:
    return Action("violet", "plan", (*cards, "show", cards[0]))


def codes(state: State, action: Action) -> list[str]:
    return [event.code for event in warnings(state, action)]


def test_a_sound_project_is_not_warned_of() -> None:
    state = planning()
    sound = random.Random(2).sample(list(GAME.legal_actions(state, "violet")), 40)
    assert [action.text for action in sound if warnings(state, action)] == []


def test_a_build_on_a_taken_site_is_warned_of_and_still_accepted() -> None:
    state = planning()
    site = next(iter(state.huts))
    action = plan(*site.split("-"))
    assert codes(state, action) == ["site_taken"]
    assert not isinstance(GAME.apply(state, action), Refusal)


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        (("Aloa", "Borea", "Lagon"), ["several_beaches", "no_spot"]),
        (("Aloa", "Lagon"), ["no_spot"]),
        (("Aloa", "Nowhere", "Fleur"), ["card_unknown"]),
    ],
)
def test_cards_that_name_no_site_are_explained(cards: tuple[str, ...], expected: list[str]) -> None:
    assert codes(planning(), plan(*cards)) == expected


def test_painting_ones_own_hut_is_warned_of() -> None:
    state = planning()
    site = next(site for site, owner in state.huts.items() if owner == "violet")
    assert codes(state, plan(*site.split("-"), "Paint")) == ["own_hut"]


def test_in_mao_a_project_with_one_way_to_succeed_is_sound() -> None:
    state = planning("2013-mao")
    assert codes(state, plan("Aloa")) == []


def test_in_2003_a_takeover_may_hope_for_a_hut_to_come() -> None:
    state = planning("2003")
    action = Action("yellow", "plan", ("Azzura", "Lagon", "Fleur", "Paint", "show", "Azzura"))
    assert codes(state, action) == []


def test_what_the_rules_refuse_is_said_in_their_words() -> None:
    state = planning()
    assert codes(state, Action("violet", "tiki", ("Aloa-Lagon-Fleur",))) == ["not_now"]
