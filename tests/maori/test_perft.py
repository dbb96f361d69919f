"""The counts of `perft.txt`, one test each."""

from __future__ import annotations

import pytest

from tests.games.every_game import check_counts, count
from tests.maori.perft import DATA, walk
from tests.maori.support import CONFIGURATIONS, GAME, new_game, play

LINES = DATA.read_text("utf-8").splitlines()


def test_every_game_is_counted():
    assert {tuple(line.split()[:2]) for line in LINES} == {(rules, str(people)) for rules, people in CONFIGURATIONS}


@pytest.mark.parametrize("line", LINES)
def test_counts_are_as_kept(line):
    moment, counts = line.split(": ")
    rules, people, steps, phase = moment.split()
    state = walk(rules, int(people), int(steps))
    assert state.phase == phase
    check_counts(GAME, state, counts)


def test_the_deal_is_counted_by_hand():
    """95 tiles that are no volcano, then one fewer each time."""
    assert [count(GAME, walk("base", 2, 0), depth) for depth in (1, 2)] == [95, 95 * 94]


def test_the_first_turn_is_counted_by_hand():
    """Sixteen places for the ship; then two canoes and five shells let it go up to seven islands on."""
    assert [count(GAME, walk("base", 3, 16), depth) for depth in (1, 2)] == [16, 16 * 7]


def test_a_first_exploration_is_counted_by_hand():
    """Sailing two on leaves five shells, enough for the whole row: each tile on 16 spaces, or into stock, or none."""
    deal = "E01 I01 W01 M01 E02 E15 W07 I05 W10 E29 E30 I08 E42 W16 E13 M08".split()
    lines = [f"chance refill display:{number // 4 + 1},{number % 4 + 1} {tile}" for number, tile in enumerate(deal)]
    state = play(new_game("base", 2), *lines, "red anchor 14", "blue sail 2")
    assert count(GAME, state, 1) == 4 * 16 + 4 + 1  # the row is E01, I01, W01, M01 and none of them may be turned
    state = play(state, "blue pass", "red sail 7")
    # E15 upright, W16 water, E13 without palms four ways: eight shells would pay for all, but none is left.
    assert state.shells[1] == 0
    assert count(GAME, state, 1) == 16 + 1 + 1
