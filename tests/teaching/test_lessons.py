"""Every lesson is played from start to end: right answers, a wrong one that gets its hint, both languages."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from companion.games.texts import LANGUAGES
from companion.teaching import library
from companion.teaching.lesson import Lesson, Step, Text, fits
from companion.teaching.library import Course, courses
from companion.teaching.stage import PLACE, SEAT, SECRET, Stage, attempt, model_words, offers

GAMES = Path(__file__).parents[2] / "companion" / "games"
STAGES = [(name, number) for name, course in courses().items() for number in range(len(course.stages))]


def stage_of(name: str, number: int) -> Stage:
    return courses()[name].stages[number]


def test_every_lesson_file_is_in_the_library() -> None:
    assert {path.stem for path in GAMES.glob("*/lessons/*.json")} == set(courses())


def test_a_spoilt_lesson_is_named_in_the_log_and_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    good = next(GAMES.glob("makabana/lessons/*.json"))
    files = [tmp_path / name for name in ("good.json", "spoilt.json", "bytes.json")]
    for file, content in zip(files, (good.read_bytes(), b"{}", b"\xff\xfe"), strict=True):
        file.write_bytes(content)
    monkeypatch.setattr(library, "_files", lambda game: files if game == "makabana" else [])
    assert list(library.courses.__wrapped__()) == [good.stem]
    assert [record.args[0] for record in caplog.records] == ["spoilt.json", "bytes.json"]


@pytest.mark.parametrize(("name", "number"), STAGES)
def test_the_model_answer_is_right(name: str, number: int) -> None:
    stage = stage_of(name, number)
    trial = attempt(stage, model_words(stage))
    assert trial.is_right
    assert trial.pieces.keys() == stage.game.expected(stage.end).keys()
    assert stage.pieces or number == 0


@pytest.mark.parametrize(("name", "number"), STAGES)
def test_the_model_answer_can_be_given_with_what_the_page_offers(name: str, number: int) -> None:
    stage = stage_of(name, number)
    if stage.step.question is not None:
        assert stage.answer in stage.step.question.choices
        return
    verb, *words = model_words(stage)
    offer = next(offer for offer in offers(stage) if offer.verb == verb)
    assert offer.kind == SECRET or tuple(words) in offer.ways
    assert bool(offer.piece) == (offer.kind == PLACE)


@pytest.mark.parametrize(("name", "number"), STAGES)
def test_every_right_answer_is_accepted_by_the_rules(name: str, number: int) -> None:
    stage = stage_of(name, number)
    for pattern in stage.step.right:
        for words in concrete(pattern):
            assert attempt(stage, words).is_right, words


def concrete(pattern: str) -> Iterator[tuple[str, ...]]:
    """A pattern whose star stands for the shown card, with each card it can be."""
    head, _, tail = pattern.partition(" show ")
    shown = head.split()[1:] if tail == "*" else [tail]
    for card in shown:
        yield (*head.split(), *(("show", card) if tail else ()))


@pytest.mark.parametrize(("name", "number"), STAGES)
def test_a_wrong_answer_gets_a_hint_in_both_languages(name: str, number: int) -> None:
    stage = stage_of(name, number)
    for words in wrong_answers(stage):
        trial = attempt(stage, words)
        assert not trial.is_right
        assert trial.hint is not None
        assert all(trial.hint.text.said(language) for language in LANGUAGES)


def wrong_answers(stage: Stage) -> list[tuple[str, ...]]:
    """Answers that the page lets one give and that are not right."""
    step = stage.step
    if step.question is not None:
        return [("count", str(one)) for one in step.question.choices if one != stage.answer]
    found: list[tuple[str, ...]] = [("plan", "Evao", "Sable", "show", "Evao"), ("tiki", "Nowhere-At-All"), ("done",)]
    for offer in offers(stage):
        if offer.kind in (PLACE, SEAT):
            found += [(offer.verb, choice) for choice in offer.choices]
    return [words for words in found if not any(fits(pattern, words) for pattern in step.right)]


@pytest.mark.parametrize(("name", "number"), STAGES)
def test_every_hint_for_a_mistake_can_be_reached(name: str, number: int) -> None:
    stage = stage_of(name, number)
    for hint in stage.step.hints:
        assert not hint.patterns or any(
            attempt(stage, words).hint == hint for pattern in hint.patterns for words in mistakes(stage, pattern)
        ), hint


def mistakes(stage: Stage, pattern: str) -> list[tuple[str, ...]]:
    """Answers that fit a hint's pattern: its stars filled with places of the board, or with cards."""
    places = stage.game.places(stage.state)
    if len(pattern.split()) == 2 and "*" in pattern:
        return [(pattern.split()[0], place) for place in places if fits(pattern, (pattern.split()[0], place))]
    cards = sorted({card for place in places if "-" in place for card in place.split("-")} | {"Paint", "Club"})
    words = pattern.split()
    free = [[word] if word != "*" else cards for word in words]
    filled = [tuple(choice) for choice in product(*free)]
    return [words for words in filled if "show" not in words or words[-1] in words[:-2]]


def test_a_learner_who_is_stuck_gets_the_next_hint_each_time() -> None:
    stage = stage_of("first-steps", 0)
    common = [hint for hint in stage.step.hints if not hint.patterns]
    far_off = ("plan", "Evao", "Rocher", "Fleur", "show", "Evao")
    assert [attempt(stage, far_off, tries).hint for tries in (0, 5)] == [common[0], common[-1]]


def test_a_move_that_the_rules_refuse_is_told_with_their_reason() -> None:
    stage = next(stage for stage in courses()["first-steps"].stages if "tiki" in stage.step.right[0])
    trial = attempt(stage, ("tiki", "Evao-Lagon-Fleur"))
    assert [reason.code for reason in trial.because] == ["hut_not_yours"]
    assert trial.hint is not None


@pytest.mark.parametrize("course", courses().values(), ids=lambda course: course.lesson.id)
def test_every_text_is_there_in_both_languages(course: Course) -> None:
    texts = list(texts_of(course.lesson))
    assert len(texts) > 3 * len(course.stages)
    assert all(text.en.strip() and text.fr.strip() for text in texts)
    assert [text for text in texts if text.en == text.fr and any(map(str.isalpha, text.en))] == []


def texts_of(lesson: Lesson) -> Iterator[Text]:
    yield from (lesson.title, lesson.about)
    for step in lesson.steps:
        yield from texts_of_step(step)


def texts_of_step(step: Step) -> Iterator[Text]:
    yield from (step.title, step.say, step.so)
    yield from (hint.text for hint in step.hints)


def test_the_first_lesson_plays_everything_once() -> None:
    course = courses()["first-steps"]
    assert course.lesson.minutes == 5
    verbs = [model_words(stage)[0] for stage in course.stages]
    assert verbs == ["plan", "plan", "tiki", "plan", "plan", "count", "count"]
    assert [model_words(stage)[-3] for stage in course.stages[3:5]] == ["Paint", "Club"]


def test_the_mao_lesson_is_played_by_mao_rules() -> None:
    course = courses()["mao"]
    assert course.lesson.header["rules"] == "2013-mao"
    assert {model_words(stage)[0] for stage in course.stages} == {"plan", "build", "denounce"}


@pytest.mark.parametrize(
    ("pattern", "words", "is_fit"),
    [
        ("tiki A-B-C", "tiki A-B-C", True),
        ("tiki *-B-*", "tiki A-B-C", True),
        ("tiki *", "hut A-B-C", False),
        ("plan A B C show *", "plan C A B show B", True),
        ("plan A B * show *", "plan A B show A", False),
        ("plan A B C show B", "plan A B C show C", False),
        ("plan A * show A", "plan X A show A", True),
        ("close", "close", True),
    ],
)
def test_patterns(pattern: str, words: str, is_fit: bool) -> None:
    assert fits(pattern, tuple(words.split())) is is_fit
