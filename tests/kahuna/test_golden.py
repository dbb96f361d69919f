"""Golden examples of Kahuna: the rulebook's as stories, whole games told line by line, counts of what may follow."""

from __future__ import annotations

import pytest

from tests.games.every_game import check_counts, count, walk
from tests.kahuna import regenerate
from tests.kahuna.golden.stories import FOLDER, STORIES, tell
from tests.kahuna.support import GAME, HEADER, OPTIONS, header_with

GAMES = sorted(regenerate.FOLDER.glob("*.txt"))
PERFT = regenerate.PERFT.read_text("utf-8").splitlines()


def named(path):
    return path.stem


@pytest.mark.parametrize("number", range(len(OPTIONS)))
def test_games_are_told_as_kept_and_are_what_the_command_writes(number):
    text = regenerate.path_of(number).read_text("utf-8")
    assert regenerate.retold(text).splitlines() == text.splitlines()
    assert regenerate.golden_text(number) == text


def test_every_game_has_its_options_and_reaches_its_end():
    assert {regenerate.path_of(number) for number in range(len(OPTIONS))} == set(GAMES)
    for path in GAMES:
        assert GAME.outcome(tell(path.read_text("utf-8")).moment.state) is not None


def test_readme_tells_the_origin_of_every_story():
    readme = (FOLDER / "README.md").read_text("utf-8")
    assert [path.name for path in STORIES if f"`{path.name}`" not in readme] == []


@pytest.mark.parametrize("line", PERFT)
def test_counts_are_as_kept(line):
    moment, kept = line.split(": ")
    number, steps, phase, round_ = moment.split()
    state = walk(GAME, header_with(OPTIONS[int(number)]), int(steps))
    assert (state.phase, str(state.round)) == (phase, round_)
    check_counts(GAME, state, kept)


def test_every_choice_of_options_is_counted():
    assert {line.split()[0] for line in PERFT} == {str(number) for number in range(len(OPTIONS))}


def test_the_first_cards_are_counted_by_hand():
    """Twelve kinds of cards, two of each: any pair can come up, and any three but three of a kind."""
    start = GAME.start(HEADER)
    assert [count(GAME, start, depth) for depth in (1, 2, 3)] == [12, 12 * 12, 12 * 12 * 12 - 12]
