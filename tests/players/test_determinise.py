"""A state imagined from a view shows that very view, and leaves the seat the same choices."""

from __future__ import annotations

import random

import pytest

from companion.games.makabana.determinise import hidden_seats, known_state, possible_state
from companion.games.makabana.plans import Plan, parse_plan
from tests.makabana.support import CONFIGURATIONS, GAME, new_game, play, random_slip, random_states
from tests.players.support import OPENING, lookalike, planned


@pytest.mark.parametrize(("rules", "people"), CONFIGURATIONS)
def test_a_possible_state_looks_like_the_view_it_came_from(rules, people):
    rng = random.Random(people)
    for state, _, _ in rng.sample(random_states(rules, people, people), 25):
        for seat in rng.sample((*GAME.seats(state), None), 2):
            view = GAME.view(state, seat)
            assert GAME.view(possible_state(view, rng), seat) == view


@pytest.mark.parametrize(("rules", "people"), CONFIGURATIONS)
def test_a_possible_state_leaves_the_seat_its_choices(rules, people):
    rng = random.Random(people)
    for state, _, _ in rng.sample(random_states(rules, people, people), 25):
        for seat in GAME.actors(state):
            imagined = GAME.legal_actions(possible_state(GAME.view(state, seat), rng), seat)
            real = GAME.legal_actions(state, seat)
            assert len(imagined) == len(real)
            assert [imagined[i] for i in range(0, len(real), 97)] == [real[i] for i in range(0, len(real), 97)]


def test_plans_that_make_no_sense_can_be_imagined_too():
    rng = random.Random(3)
    for seed in range(40):
        state, _, _ = random_states("2013", 4, seed)[20]
        while GAME.actors(state) and state.phase == "plan":
            slip = random_slip(state, rng)
            after = GAME.apply(state, slip) if slip.verb == "plan" else state
            state = after if hasattr(after, "setup") else state
        for seat in GAME.seats(state):
            view = GAME.view(state, seat)
            assert GAME.view(possible_state(view, rng), seat) == view


def test_known_state_leaves_out_what_is_hidden_and_nothing_else():
    state = planned(violet="Aloa Lagon Fleur show Lagon", pink="Aloa Sable Poisson show Aloa",
                    yellow="Borea Lagon Poisson show Borea", blue="Aloa Lagon Fleur show Fleur")  # fmt: skip
    view = GAME.view(state, "pink")
    assert hidden_seats(view) == ["violet", "yellow", "blue"]
    known = known_state(view)
    assert known.plans[1] == state.plans[1]
    assert known.plans[0] is known.plans[2] is known.plans[3] is None
    opening = {"first_huts": state.first_huts}  # which nobody asks about any more
    assert known.but({"plans": state.plans, **opening}) == state


def test_worlds_differ_in_what_the_seat_cannot_know():
    state = planned(violet="Aloa Lagon Fleur show Lagon", pink="Aloa Sable Poisson show Aloa",
                    yellow="Borea Lagon Poisson show Borea", blue="Aloa Lagon Fleur show Fleur")  # fmt: skip
    violets = {lookalike(state, "pink", seed).plans[0].cards for seed in range(60)}
    lagon = {("Aloa", "Lagon", spot) for spot in ("Fleur", "Poisson", "Tatouage")}
    assert lagon < violets  # and Borea's and Coconut's
    assert all("Lagon" in cards and len(cards) == 3 for cards in violets)


def test_a_shown_two_way_card_leaves_both_beaches_possible():
    state = new_game("2013-teams", 8)
    while state.phase != "plan":
        state = GAME.apply(state, GAME.legal_actions(state, GAME.actors(state)[0])[0])
    state = play(state, "violet-1 plan Azzura Lagon Fleur show Azzura")
    for seat in GAME.actors(state):
        state = GAME.apply(state, GAME.legal_actions(state, seat)[0])
    beaches = {lookalike(state, "pink-1", seed).plans[0].cards[0] for seed in range(40)}
    assert beaches == {"Azzura", "Aloa"}


def test_a_tables_options_are_part_of_the_imagined_state():
    state = new_game("2003", 3, options={"protect_only_when_threatened": False})
    view = {**GAME.header(state), **GAME.view(state, "yellow")}
    assert known_state(view).setup is state.setup


def test_the_opening_remembers_everybodys_first_hut():
    state = play(new_game("2013", 4), *OPENING[:6])
    known = known_state(GAME.view(state, "pink"))
    assert known.first_huts == state.first_huts
    assert known.turn == 6


def test_open_paints_are_among_the_imagined_cards():
    state = play(new_game("2003", 3), "yellow plan Azzura Lagon Fleur Paint show Lagon",
                 "blue plan Azzura Lagon Fleur show Lagon", "green plan Azzura Lagon Fleur show Fleur")  # fmt: skip
    for seed in range(20):
        plans = lookalike(state, "green", seed).plans
        assert plans[0].paints == 1
        assert plans[1].paints == 0
        assert isinstance(parse_plan(state.setup, (*plans[0].cards, "show", "Lagon")), Plan)
