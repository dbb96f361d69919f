"""The counts of `perft.txt`, one test each."""

from __future__ import annotations

import pytest

from tests.makabana.perft import DATA, count, divide, walk
from tests.makabana.support import CONFIGURATIONS

LINES = DATA.read_text("utf-8").splitlines()


def test_every_game_is_counted():
    assert {tuple(line.split()[:2]) for line in LINES} == {(rules, str(people)) for rules, people in CONFIGURATIONS}


@pytest.mark.parametrize("line", LINES)
def test_counts_are_as_kept(line):
    moment, counts = line.split(": ")
    rules, people, steps, phase = moment.split()
    state = walk(rules, int(people), int(steps))
    assert state.phase == phase
    for depth, kept in enumerate(map(int, counts.split()), 1):
        assert count(state, depth) == kept, f"by first action: {divide(state, depth)}"


def test_the_opening_is_counted_by_hand():
    """On Nadaa: 21 sites, then 20, then 19."""
    assert [count(walk("2013", 3, 0), depth) for depth in (1, 2, 3)] == [21, 21 * 20, 21 * 20 * 19]


def test_the_first_plans_of_2003_are_counted_by_hand():
    """Four seats, 39 free sites, a build shows one of three cards, and a takeover may aim at an empty site too."""
    assert count(walk("2003", 4, 0), 1) == 4 * 39 * (3 + 3)
