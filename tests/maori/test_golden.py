"""Golden examples: every example of the rulebook as a story or a position, and whole games told line by line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.maori import regenerate
from tests.maori.golden.stories import FOLDER, STORIES, tell
from tests.maori.support import BOARD_FILES, CONFIGURATIONS, GAME, TILES
from tests.reference import maori_scorer as scorer

POSITIONS = sorted(path for path in FOLDER.glob("*.json") if not path.name.endswith(".score.json"))
GAMES = sorted(regenerate.FOLDER.glob("*.txt"))

# Worked out on paper: islands, wreaths, shells, canoes, gaps, total.
ON_PAPER = {
    "score-example": {"blue": (22, 10, 0, 7, -2, 37), "red": (20, 20, 11, 0, 0, 51)},
    "atoll": {"blue": (32, 10, 4, 0, -11, 35), "red": (18, 0, 4, 3, -15, 10)},
    "tie-broken": {"red": (6, 0, 0, 2, -14, -6), "blue": (2, 0, 5, 2, -15, -6)},
    "tie-shared": {"blue": (2, 0, 4, 2, -15, -7), "red": (2, 0, 4, 2, -15, -7), "yellow": (0, 0, 0, 2, -16, -14)},
    "one-board": {"red": (0, 0, 0, 0, 0, 0), "blue": (22, 10, 0, 0, -2, 30)},
    "turned": {"blue": (0, 10, 0, 3, -11, 2), "red": (0, 0, 0, 0, -16, -16)},
}
WINNERS = {"tie-broken": ("blue",), "tie-shared": ("blue", "red"), "one-board": ()}


def named(path: Path) -> str:
    return path.stem


def read(path: Path) -> dict:
    return json.loads(path.read_text("utf-8"))


def score_file(position: Path) -> Path:
    return position.with_suffix(".score.json")


# The language of the stories must be able to say no.

SCENE = (FOLDER / "advanced-rowing.txt").read_text("utf-8")


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("events boat_moved", "events boat_stayed"),
        ("event boat_moved cell=2,1", "event boat_moved cell=2,2"),
        ("tile blue:2,4 M08", "tile blue:2,4 M09"),
        ("tile blue:2,5 none", "tile blue:2,4 none"),
        ("boat blue:2,1 blue", "boat blue:2,2 blue"),
        ("ship ship:8 shared", "ship ship:9 shared"),
        ("shells blue 3", "shells blue 4"),
        ("canoes blue 5", "canoes blue 4"),
        ("reserve 22", "reserve 23"),
        ("pile 76", "pile 77"),
        ("waits red", "waits blue"),
        ("refused not_your_turn: blue sail 1", "refused not_now: blue sail 1"),
        ("refused not_now: red pass", "refused not_now: red sail 1"),
        ("would sailed: red sail 1", "would passed: red sail 1"),
        ("round 4", "round 3"),
        ("phase sail", "phase boat"),
        ("final none", "final board_full"),
        ("score blue 2 0 0 4 -13 -7", "score blue 2 0 0 4 -13 -6"),
        ("reason unfinished player=blue cells=2,4", "reason unfinished player=blue cells=2,3"),
        ("winners none", "winners blue"),
    ],
)
def test_an_expectation_can_fail(true, false):
    assert tell(f"{SCENE}#= {true}\n").faults == ()
    (fault,) = tell(f"{SCENE}#= {false}\n").faults
    assert f": expected {false!r}, found " in fault


@pytest.mark.parametrize("line", ["#= tyle blue:2,4 M08", "#= tile blue:1,1 none", "red sail 1 #= x"])
def test_a_slip_in_an_expectation_is_never_silent(line):
    with pytest.raises(ValueError, match=r"there is no|belongs at the start"):
        tell(f"{SCENE}{line}\n")


def test_an_action_the_rules_refuse_is_a_fault():
    (fault,) = tell(f"{SCENE}blue sail 1\n").faults
    assert fault.endswith("'blue sail 1' is refused: not_your_turn seat=blue waits_for=red")


# Positions


@pytest.mark.parametrize("path", POSITIONS, ids=named)
def test_position_scores_as_written_down(path):
    score = GAME.score_position(read(path))
    assert score.to_json() == read(score_file(path))
    assert {player: tuple(points.values()) for player, points in score.points.items()} == ON_PAPER[path.stem]
    assert score.winners == WINNERS.get(path.stem, score.winners)


@pytest.mark.parametrize("path", [path for path in POSITIONS if path.stem != "one-board"], ids=named)
def test_second_scorer_agrees(path):
    position, written = read(path), read(score_file(path))
    again = scorer.score(position, BOARD_FILES[position["boards"][0]], TILES)
    assert {key: written[key] for key in again} == again


def test_every_position_has_a_score_and_every_score_a_position():
    assert {score_file(path) for path in POSITIONS} == set(FOLDER.glob("*.score.json"))


def test_the_example_of_a_score_counts_what_the_rulebook_counts():
    """10 palms without a hut, 6 with one, a wreath, 7 canoes, 3 shells that are not most, 2 empty spaces: 37."""
    score = GAME.score_position(read(FOLDER / "score-example.json"))
    mine = [reason for reason in score.reasons if reason.data.get("player") == "blue"]
    assert sum(reason.data["palms"] for reason in mine if reason.code == "island") == 10
    assert sum(reason.data["palms"] for reason in mine if reason.code == "island_with_hut") == 6
    assert [reason.data["points"] for reason in mine if reason.code == "wreath"] == [10]
    assert [len(reason.data["cells"]) for reason in mine if reason.code in ("gaps", "unfinished")] == [1, 2]
    counts = {reason.code: reason.data["counts"]["blue"] for reason in score.reasons if "counts" in reason.data}
    assert counts == {"shells_most": 3, "canoes_most": 7}
    assert score.points["blue"] == {
        "islands": 10 + 12, "wreaths": 10, "shells": 0, "canoes": 7, "gaps": -2, "total": 37
    }  # fmt: skip


def test_the_example_of_a_score_is_where_its_game_ends():
    state = tell((FOLDER / "score-example.txt").read_text("utf-8")).moment.state
    position = read(FOLDER / "score-example.json")
    assert GAME.outcome(state).ended_by.code == "board_full"
    assert {key: GAME.position(state)[key] for key in position} == position


# Whole games


@pytest.mark.parametrize("path", GAMES, ids=named)
def test_game_is_told_line_by_line(path):
    text = path.read_text("utf-8")
    assert regenerate.retold(text).splitlines() == text.splitlines()


def test_no_rule_set_and_number_of_people_lacks_a_game():
    assert set(GAMES) == {regenerate.path_of(rules, people) for rules, people in CONFIGURATIONS}


@pytest.mark.parametrize(("rules", "people"), CONFIGURATIONS)
def test_games_are_what_the_command_writes(rules, people):
    assert regenerate.path_of(rules, people).read_text("utf-8") == regenerate.golden_text(rules, people)


def test_readme_tells_the_origin_of_every_file():
    readme = (FOLDER / "README.md").read_text("utf-8")
    assert [path.name for path in [*STORIES, *POSITIONS] if f"`{path.name}`" not in readme] == []
