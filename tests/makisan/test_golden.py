"""Golden examples of Maki-San: the rulebook's as stories, whole games told line by line, counts of what may follow."""

from __future__ import annotations

import pytest

from tests.games.every_game import check_counts, count, walk
from tests.makisan import regenerate
from tests.makisan.golden.stories import FOLDER, STORIES, tell
from tests.makisan.support import GAME, RULES, new_game

GAMES = sorted(regenerate.FOLDER.glob("*.txt"))
PERFT = regenerate.PERFT.read_text("utf-8").splitlines()


def named(path):
    return path.stem


@pytest.mark.parametrize("rules", RULES)
def test_games_are_told_as_kept_and_are_what_the_command_writes(rules):
    text = regenerate.path_of(rules).read_text("utf-8")
    assert regenerate.retold(text).splitlines() == text.splitlines()
    assert regenerate.golden_text(rules) == text


def test_every_rule_set_has_its_game_and_it_reaches_its_end():
    assert {regenerate.path_of(rules) for rules in RULES} == set(GAMES)
    for path in GAMES:
        assert GAME.outcome(tell(path.read_text("utf-8")).moment.state) is not None


def test_readme_tells_the_origin_of_every_story():
    readme = (FOLDER / "README.md").read_text("utf-8")
    assert [path.name for path in STORIES if f"`{path.name}`" not in readme] == []


@pytest.mark.parametrize("line", PERFT)
def test_counts_are_as_kept(line):
    moment, kept = line.split(": ")
    rules, steps, phase, round_ = moment.split()
    state = walk(GAME, GAME.default_header(rules, 2), int(steps))
    assert (state.phase, str(state.round)) == (phase, round_)
    check_counts(GAME, state, kept)


def test_every_rule_set_is_counted():
    assert {line.split()[0] for line in PERFT} == set(RULES)


@pytest.mark.parametrize(("rules", "wasabis"), [("standard", 0), ("wasabi", 2)])
def test_the_opening_is_counted_by_hand(rules, wasabis):
    """Ten makis, two facings; then a draw, a turn, and a Wasabi to the left or right, for nothing can move yet."""
    start = new_game(rules)
    assert [count(GAME, start, depth) for depth in (1, 2, 3)] == [10, 20, 20 * (2 + wasabis)]
