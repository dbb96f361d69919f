"""What a board alone tells of a game that begins with it, and a game that the people end where it stands."""

from __future__ import annotations

import pytest

from companion.games.protocol import ADJUST, END, TABLE, Action, Refusal
from tests.makabana.support import GAME

OPENED = {
    "Danae-Lagon-Fleur": "violet", "Evao-Lagon-Fleur": "violet", "Danae-Sable-Fleur": "pink",
    "Evao-Rocher-Fleur": "pink", "Danae-Rocher-Fleur": "yellow", "Evao-Cocotier-Fleur": "yellow",
}  # fmt: skip


def begun_with(huts: dict[str, str], rules: str = "2013", clubs: dict[str, str] | None = None):
    state = GAME.start(GAME.default_header(rules, 3))
    laid = [f"{site}=hut:{colour}" for site, colour in huts.items()]
    laid += [f"club:{beach}=club:{colour}" for beach, colour in (clubs or {}).items()]
    return GAME.apply(state, Action(TABLE, ADJUST, tuple(laid)))


def test_a_board_with_every_opening_hut_ends_the_opening():
    state = begun_with(OPENED)
    assert (state.phase, state.round, state.final) == ("plan", 1, None)
    assert [event.code for event in state.events] == ["board_adjusted", "round_begins"]
    assert GAME.actors(state) == ("violet", "pink", "yellow")


def test_an_opening_that_is_not_over_goes_on():
    state = begun_with(dict(list(OPENED.items())[:-1]))
    assert (state.phase, state.round) == ("opening", 0)


def test_rounds_are_counted_from_the_fewest_that_such_a_board_needs():
    more = {"Danae-Lagon-Poisson": "violet", "Danae-Lagon-Tatouage": "violet"}
    assert begun_with(OPENED | more).round == 3
    assert begun_with(OPENED | more, clubs={"Danae": "violet"}).round == 4
    assert begun_with(OPENED | more, "2013-mao").round == 2  # two deeds at a time


def test_a_hut_that_was_painted_over_takes_nobody_back_to_the_opening():
    painted = OPENED | {"Evao-Cocotier-Fleur": "violet", "Danae-Rocher-Fleur": "violet"}
    assert begun_with(painted).phase == "plan"
    assert begun_with(painted).reserves == (6, 8, 10)


def test_a_full_beach_makes_it_the_final_round():
    full = [site for site in GAME.places(GAME.start(GAME.default_header("2013", 3))) if site.startswith("Evao-")]
    state = begun_with(OPENED | dict.fromkeys(full[:4], "pink") | dict.fromkeys(full[4:], "yellow"))
    assert state.final.code == "final_round"
    assert state.final.data["because"] == [{"code": "beach_full", "beach": "Evao"}]


def test_plans_that_are_laid_stay_as_they_are():
    state = GAME.apply(begun_with(OPENED), Action.from_text("pink plan Danae Lagon Poisson show Danae"))
    changed = GAME.apply(state, Action(TABLE, ADJUST, ("Danae-Lagon-Tatouage=hut:violet",)))
    assert (changed.round, changed.plans) == (state.round, state.plans)


@pytest.mark.parametrize("rules", ["2013", "2003-mao"])
def test_a_game_that_is_ended_is_over_with_the_score_of_its_board(rules):
    state = GAME.start(GAME.default_header(rules, 3))
    over = GAME.apply(state, Action(TABLE, END))
    assert over.phase == "over"
    assert GAME.actors(over) == ()
    assert GAME.score(over).points == GAME.score(state).points
    assert isinstance(GAME.apply(over, Action(TABLE, END)), Refusal)
    assert isinstance(GAME.apply(state, Action(TABLE, END, ("now",))), Refusal)
