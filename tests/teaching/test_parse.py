"""A teacher's mistakes are named, all at once and in both languages; nothing from outside breaks the reader."""

from __future__ import annotations

import copy
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cli import main
from companion.games.protocol import FormatError
from companion.games.texts import LANGUAGES
from companion.teaching.library import course_of
from companion.teaching.parse import parse_lesson
from companion.teaching.texts import catalogue, say

FILE = Path(__file__).parents[2] / "companion" / "games" / "makabana" / "lessons" / "refresher-tiki.json"
GOOD = json.loads(FILE.read_text("utf-8"))
TEXT = {"en": "a", "fr": "b"}


def changed(path: str, value: Any) -> dict[str, Any]:
    """The good lesson with one thing changed; `...` takes it away."""
    data = copy.deepcopy(GOOD)
    *way, last = [int(key) if key.isdigit() else key for key in path.split(".")]
    at: Any = data
    for key in way:
        at = at[key]
    if value is ...:
        del at[last]
    else:
        at[last] = value
    return data


FAULTS = [
    ("lesson", 2, "lesson_version"),
    ("id", "Nö!", "lesson_id_wrong"),
    ("game", "makabana", "lesson_game_missing"),
    ("game.rules", "2099", "rules_unknown"),
    ("seat", ..., "lesson_seat_missing"),
    ("seat", "black", "lesson_refused"),
    ("title", {"en": "Only English"}, "lesson_text_missing"),
    ("about", {"en": "x" * 501, "fr": "y"}, "lesson_text_long"),
    ("minutes", 0, "lesson_number_wrong"),
    ("minutes", True, "lesson_number_wrong"),
    ("before", "violet hut", "lesson_list_wrong"),
    ("before.0", "violet", "lesson_line_unreadable"),
    ("before.0", "violet hut Danae-Nowhere-Fleur", "lesson_refused"),
    ("steps", [], "lesson_steps_number"),
    ("steps.0", 7, "lesson_not_object"),
    ("steps.0.colour", "red", "lesson_key_unknown"),
    ("steps.0.board", [], "lesson_board_wrong"),
    ("steps.0.board.Evao-Lagon-Fleur", "hut", "lesson_content_wrong"),
    ("steps.0.board.Evao-Lagon-Nowhere", "hut:pink", "lesson_refused"),
    ("steps.0.then.0", "violet tiki Evao-Lagon-Fleur", "lesson_refused"),
    ("steps.0.right", ["tiki Evao-Cocotier-Fleur"], "lesson_refused"),
    ("steps.0.right", ["tiki *"], "lesson_model_has_star"),
    ("steps.0.count", {"player": "violet", "column": "huts", "choices": [1, 2]}, "lesson_two_questions"),
    ("steps.0.hints", [], "lesson_without_hint"),
    ("steps.0.hints.0.lit", ["Nowhere"], "lesson_place_unknown"),
    ("steps.0.lit", ["Nowhere"], "lesson_place_unknown"),
    ("steps.0.so", ..., "lesson_text_missing"),
]


@pytest.mark.parametrize(("path", "value", "code"), FAULTS)
def test_a_fault_is_named_in_both_languages(path: str, value: Any, code: str) -> None:
    with pytest.raises(FormatError) as caught:
        course_of(json.dumps(changed(path, value)))
    problem = next(problem for problem in caught.value.problems if problem.code == code)
    for language in LANGUAGES:
        sentence = say(problem, language)
        assert not sentence.startswith(code)
        assert "{" not in sentence or "{ ... }" in sentence or '{"' in sentence


QUESTION = {
    "title": TEXT,
    "say": TEXT,
    "so": TEXT,
    "hints": [{"say": TEXT}],
    "board": {"Danae-Lagon-Fleur": "hut:pink"},
}


@pytest.mark.parametrize(
    ("count", "code"),
    [
        ({"player": "pink", "column": "huts", "choices": [1, "2"]}, "lesson_choices_wrong"),
        ({"player": "pink", "column": "huts", "choices": [2, 3]}, "lesson_choice_missing"),
        ({"player": "pink", "column": "shells", "choices": [2, 3]}, "lesson_column_unknown"),
        ({"player": "black", "column": "huts", "choices": [2, 3]}, "lesson_column_unknown"),
    ],
)
def test_a_question_about_points_is_checked_by_the_rules(count: dict[str, Any], code: str) -> None:
    with pytest.raises(FormatError) as caught:
        course_of(json.dumps({**GOOD, "steps": [{**QUESTION, "count": count}]}))
    assert [problem.code for problem in caught.value.problems] == [code]


def test_all_faults_are_told_at_once() -> None:
    data = {**GOOD, "minutes": -1, "id": "", "title": {}}
    with pytest.raises(FormatError) as caught:
        parse_lesson(data)
    codes = [problem.code for problem in caught.value.problems]
    assert codes == ["lesson_id_wrong", "lesson_text_missing", "lesson_text_missing", "lesson_number_wrong"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=20,
)


@given(st.sampled_from([path for path, _, _ in FAULTS if "colour" not in path]), JSON)
def test_whatever_stands_in_a_lesson_only_the_declared_error_escapes(path: str, value: Any) -> None:
    try:
        data = changed(path, value)
    except (KeyError, IndexError):
        return
    with suppress(FormatError):
        course_of(json.dumps(data))


def test_every_own_text_is_there_in_both_languages() -> None:
    own = {code: texts for code, texts in catalogue("makabana").items() if code.startswith("lesson_")}
    assert len(own) > 20
    assert all(set(texts) == set(LANGUAGES) and all(texts.values()) for texts in own.values())


def test_the_command_plays_a_good_lesson(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lesson", "check", str(FILE), "--lang", "en"]) == 0
    assert capsys.readouterr().out.startswith("Refresher: the tiki: 3 steps")


def test_the_command_lists_every_fault_of_a_bad_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({**GOOD, "minutes": 0, "order": "x"}), "utf-8")
    assert main(["--lang", "fr", "lesson", "check", str(path)]) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2
    assert all("mine.json" in line and "doit être un entier" in line for line in said)


def test_the_command_lists_the_lessons(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--lang", "en", "lesson", "list"]) == 0
    assert "first-steps" in capsys.readouterr().out


def test_a_file_that_is_not_there_is_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--lang", "en", "lesson", "check", "nowhere.json"]) == 2
    assert "nowhere.json" in capsys.readouterr().err


def test_the_worked_example_of_the_readme_is_a_lesson() -> None:
    page = FILE.parents[3] / "teaching" / "README.md"
    example = page.read_text("utf-8").partition("```json\n")[2].partition("```")[0]
    assert course_of(example).lesson.id == "my-tiki"
