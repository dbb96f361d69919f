"""The fast score says what the score with its reasons says."""

from __future__ import annotations

import random

import pytest

from companion.games.makabana.position import parse_position
from companion.games.makabana.score import score
from companion.players.makabana.worth import Worth, lead, majority
from tests.makabana.support import CONFIGURATIONS, random_position, random_states


def totals(setup, huts, clubs):
    return {colour: points["total"] for colour, points in score(setup, huts, clubs).points.items()}


@pytest.mark.parametrize(("rules", "people"), CONFIGURATIONS)
def test_points_and_changes_are_those_of_the_score(rules, people):
    rng = random.Random(people)
    for _ in range(6):
        setup, huts, clubs, _ = parse_position(random_position(rules, people, rng))
        worth = Worth(setup, huts, clubs)
        before = totals(setup, huts, clubs)
        assert worth.points == before
        colour = rng.choice(setup.colours)
        for site in rng.sample(setup.sites, 12):
            if huts.get(site) != colour:
                change = worth.paint(site, colour) if site in huts else worth.build(site, colour)
                after = totals(setup, {**huts, site: colour}, clubs)
                assert {c: before[c] + change.get(c, 0) for c in before} == after
        for beach in [beach for beach in setup.beach_sites if beach not in clubs and setup.rules.clubs]:
            change = worth.club(beach, colour)
            after = totals(setup, huts, {**clubs, beach: colour})
            assert {c: before[c] + change.get(c, 0) for c in before} == after


def test_a_majority_is_four_two_each_or_nothing():
    assert majority({"blue": 2, "pink": 1}, None) == {"blue": 4}
    assert majority({"blue": 2, "pink": 2}, None) == {"blue": 2, "pink": 2}
    assert majority({"blue": 2, "pink": 2}, "pink") == {"pink": 4}
    assert majority({"blue": 1, "pink": 1, "green": 1}, None) == {}
    assert majority({}, "pink") == {}


def test_a_lead_is_over_the_average_of_the_others_or_over_the_best():
    values, sides = {"blue": 10.0, "pink": 8.0, "green": 2.0}, (("blue",), ("pink",), ("green",))
    assert lead(values, sides, "blue") == 5.0
    assert lead(values, sides, "blue", rivalry=1.0) == 2.0
    assert lead({**values, "red": 3.0}, (("blue", "green"), ("pink", "red")), "green") == 1.0


def test_room_to_grow_counts_each_free_neighbour_once():
    state = random_states("2013", 4, 1)[-1][2]
    worth = Worth(state.setup, state.huts, state.clubs)
    for colour, count in worth.room_to_grow().items():
        own = [site for site, owner in state.huts.items() if owner == colour]
        free = {near for site in own for near in state.setup.neighbours[site] if near not in state.huts}
        assert count == len(free)
