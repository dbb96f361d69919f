"""The counts of `perft.txt`, one test each."""

from __future__ import annotations

import pytest

from tests.games.every_game import check_counts, count, walk
from tests.makabana.perft import DATA
from tests.makabana.support import CONFIGURATIONS, GAME, new_game

LINES = DATA.read_text("utf-8").splitlines()


def test_every_game_is_counted():
    assert {tuple(line.split()[:2]) for line in LINES} == {(rules, str(people)) for rules, people in CONFIGURATIONS}


@pytest.mark.parametrize("line", LINES)
def test_counts_are_as_kept(line):
    moment, counts = line.split(": ")
    rules, people, steps, phase = moment.split()
    state = walk(GAME, GAME.default_header(rules, int(people)), int(steps))
    assert state.phase == phase
    check_counts(GAME, state, counts)


def test_the_opening_is_counted_by_hand():
    """On Nadaa: 21 sites, then 20, then 19."""
    assert [count(GAME, new_game("2013", 3), depth) for depth in (1, 2, 3)] == [21, 21 * 20, 21 * 20 * 19]


def test_the_first_plans_of_2003_are_counted_by_hand():
    """Four seats, 39 free sites, a build shows one of three cards, and a takeover may aim at an empty site too."""
    assert count(GAME, new_game("2003", 4), 1) == 4 * 39 * (3 + 3)
