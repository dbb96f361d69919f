"""Golden examples: every example of the rulebooks as a story or a position, and whole games told line by line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.games.makabana.rules import RULE_SETS
from tests.makabana import regenerate
from tests.makabana.golden.stories import FOLDER, STORIES, tell
from tests.makabana.support import BOARD_FILES, GAME
from tests.reference import scorer

POSITIONS = sorted(path for path in FOLDER.glob("*.json") if not path.name.endswith(".score.json"))
GAMES = sorted(regenerate.FOLDER.glob("*.txt"))
EVERY_GAME = [
    (rules.name, people) for rules in RULE_SETS.values() for people in [*([2] if rules.camps else []), *rules.boards]
]

# What the rulebooks say: beaches, huts, clubs, total.
SCORE_2013 = {
    "violet": (0, 8, 0, 8),
    "pink": (4, 5, 3, 12),
    "yellow": (4, 8, 2, 14),
    "blue": (0, 14, 0, 14),
    "green": (4, 10, 3, 17),
}
SCORE_2003 = {"yellow": (2, 6, 0, 8), "blue": (6, 5, 0, 11), "green": (8, 5, 0, 13), "red": (0, 5, 0, 5)}


def named(path: Path) -> str:
    return path.stem


def score_file(position: Path) -> Path:
    return position.with_suffix(".score.json")


def points_of(name: str) -> dict[str, tuple[int, ...]]:
    score = GAME.score_position(json.loads((FOLDER / name).read_text("utf-8")))
    return {player: tuple(points.values()) for player, points in score.points.items()}


# The language of the stories must be able to say no.

SCENE = """
makabana rules=2013-mao boards=nadaa players=blue,green,yellow
blue hut Danae-Sable-Poisson
green hut Evao-Lagon-Poisson
yellow hut Danae-Cocotier-Tatouage
yellow hut Evao-Rocher-Fleur
green hut Danae-Lagon-Fleur
blue hut Evao-Lagon-Fleur
blue plan Danae Sable Poisson Club show Sable
green plan Evao Lagon Poisson Club show Club
yellow plan Danae Lagon Fleur Paint show Danae
blue close
blue tiki club:Evao
green tiki Danae-Rocher-Poisson
yellow tiki Danae-Sable-Tatouage
blue reveal
blue club Danae-Sable-Poisson
"""


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("events club_founded", "events built"),
        ("events club_founded", "events club_founded round_begins"),
        ("event club_founded beach=Danae seat=blue", "event club_founded beach=Evao"),
        ("event club_founded", "event club_founded colour=blue"),
        ("hut Evao-Lagon-Fleur blue", "hut Evao-Lagon-Fleur green"),
        ("hut Evao-Lagon-Tatouage none", "hut Evao-Lagon-Fleur none"),
        ("club Danae blue", "club Danae none"),
        ("tiki club:Evao blue", "tiki club:Evao none"),
        ("reserve blue 8", "reserve blue 7"),
        ("cards blue Paint=2 Club=0", "cards blue Paint=2 Club=1"),
        ("seen green clue=Club cards=none", "seen green clue=Club cards=Evao+Lagon+Poisson+Club"),
        ("waits green", "waits blue"),
        ("choices green: reveal", "choices green: reveal | done"),
        ("refused not_your_turn: blue done", "refused not_now: blue done"),
        ("refused not_your_turn: blue done", "refused not_your_turn: green reveal"),
        ("would revealed void: green reveal", "would revealed: green reveal"),
        ("would revealed void: green reveal", "would revealed void: blue reveal"),
        ("round 1", "round 2"),
        ("first blue", "first green"),
        ("out none", "out green"),
        ("phase realise", "phase tiki"),
        ("final none", "final beach_full"),
        ("score blue 4 2 1 7", "score blue 4 2 1 8"),
        ("reason beach_won_by_club beach=Danae", "reason beach_won_by_club beach=Evao"),
        ("winners none", "winners blue"),
    ],
)
def test_an_expectation_can_fail(true, false):
    number = len(SCENE.splitlines()) + 1
    assert tell(f"{SCENE}#= {true}\n").faults == ()
    (fault,) = tell(f"{SCENE}#= {false}\n").faults
    assert fault.startswith(f"line {number}: expected {false!r}, found ")


def test_an_action_the_rules_refuse_is_a_fault():
    assert tell(f"{SCENE}blue done\n").faults == (
        "line 18: 'blue done' is refused: not_your_turn seat=blue waits_for=green",
    )


@pytest.mark.parametrize(
    "line", ["#= hutt Danae-Lagon-Fleur green", "#= hut Azzura-Lagon-Fleur none", "green done #= x"]
)
def test_a_slip_in_an_expectation_is_never_silent(line):
    with pytest.raises(ValueError, match=r"there is no|belongs at the start"):
        tell(f"{SCENE}{line}\n")


# Positions


@pytest.mark.parametrize("path", POSITIONS, ids=named)
def test_position_scores_as_written_down(path):
    assert GAME.score_position(json.loads(path.read_text("utf-8"))).to_json() == json.loads(
        score_file(path).read_text("utf-8")
    )


@pytest.mark.parametrize("path", POSITIONS, ids=named)
def test_second_scorer_agrees(path):
    position, written = json.loads(path.read_text("utf-8")), json.loads(score_file(path).read_text("utf-8"))
    again = scorer.score(position, [BOARD_FILES[name] for name in position["boards"]])
    assert {key: written[key] for key in again} == again


def test_every_position_has_a_score_and_every_score_a_position():
    assert {score_file(path) for path in POSITIONS} == set(FOLDER.glob("*.score.json"))


def test_score_example_of_2013():
    assert points_of("2013-score-example.json") == SCORE_2013


def test_score_example_of_2013_is_won_as_the_rulebook_tells():
    position = json.loads((FOLDER / "2013-score-example.json").read_text("utf-8"))
    score = GAME.score_position(position)
    beaches = {reason.data["beach"]: reason for reason in score.reasons if reason.code.startswith("beach")}
    assert {beach: reason.code for beach, reason in beaches.items()} == {
        "Azzura": "beach_won",
        "Bikini": "beach_blocked",
        "Coquito": "beach_won_by_club",
        "Diabolo": "beach_won_by_club",
    }
    assert {beach: reason.data["points"] for beach, reason in beaches.items()} == {
        "Azzura": {"green": 4},
        "Bikini": {},
        "Coquito": {"yellow": 4},
        "Diabolo": {"pink": 4},
    }
    assert score.winners == ("green",)
    assert list(position["huts"].values()).count("blue") == 10


def test_score_example_of_2003():
    assert points_of("2003-score-example.json") == SCORE_2003


@pytest.mark.parametrize("name", ["2013-score-example", "2003-score-example"])
def test_score_example_is_where_its_game_ends(name):
    state = tell((FOLDER / f"{name}.txt").read_text("utf-8")).moment.state
    position = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    assert GAME.outcome(state) is not None
    assert (state.huts, state.clubs) == (position["huts"], position["clubs"])


def test_groups_of_three_and_four_and_huts_corner_to_corner():
    """The two numbered examples of 2003: 6 and 9. Green's huts touch by a corner, red's not at all."""
    huts = {player: points[1] for player, points in points_of("2003-groups.json").items()}
    assert huts == {"yellow": 6, "blue": 9, "green": 2, "red": 2}


def test_largest_complexes_span_beaches_as_the_rulebook_of_2003_says():
    """Eight sites, four each on Diabolo and Bikini; six across Coquito and two sectors of Diabolo."""
    position = json.loads((FOLDER / "2003-largest-groups.json").read_text("utf-8"))
    groups = [reason.data for reason in GAME.score_position(position).reasons if reason.code == "group"]
    assert [(group["player"], len(group["sites"]), group["points"]) for group in groups] == [
        ("yellow", 8, 1 + 2 + 6 * 3),
        ("blue", 6, 1 + 2 + 4 * 3),
    ]
    assert sorted(site.split("-")[0] for site in groups[0]["sites"]) == ["Bikini"] * 4 + ["Diabolo"] * 4


# Whole games


@pytest.mark.parametrize("path", GAMES, ids=named)
def test_game_is_told_line_by_line(path):
    text = path.read_text("utf-8")
    assert regenerate.retold(text).splitlines() == text.splitlines()


@pytest.mark.parametrize("path", GAMES, ids=named)
def test_game_reaches_its_end(path):
    assert GAME.outcome(tell(path.read_text("utf-8")).moment.state) is not None


def test_no_rule_set_and_number_of_people_lacks_a_game():
    assert set(GAMES) == {regenerate.path_of(rules, people) for rules, people in EVERY_GAME}


@pytest.mark.parametrize(("rules", "people"), EVERY_GAME)
def test_games_are_what_the_command_writes(rules, people):
    assert regenerate.path_of(rules, people).read_text("utf-8") == regenerate.golden_text(rules, people)


def test_readme_tells_the_origin_of_every_file():
    readme = (FOLDER / "README.md").read_text("utf-8")
    assert [path.name for path in [*STORIES, *POSITIONS] if f"`{path.name}`" not in readme] == []
