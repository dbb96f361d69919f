"""From a teacher's file to a lesson, or to everything that is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from companion.games.protocol import EMPTY, Event, FormatError, Json, content_of, parse_content
from companion.games.record import loads_strictly
from companion.teaching.lesson import Count, Hint, Lesson, Step
from companion.teaching.reading import Reader

VERSION = 1
MOST_STEPS, MOST_MINUTES, MOST_POINTS = 40, 60, 999
MOST_TEXT_CHARS = 200_000
LESSON_KEYS = ("lesson", "id", "game", "seat", "title", "about", "minutes", "order", "before", "steps")
STEP_KEYS = ("title", "say", "so", "seat", "board", "then", "right", "count", "lit", "hints", "after")
HINT_KEYS = ("if", "say", "lit")
COUNT_KEYS = ("player", "column", "choices")
_ID = re.compile(r"[a-z][a-z0-9-]{1,39}")


def parse_lesson_text(text: str) -> Lesson:
    """The lesson in a JSON text. Raises `FormatError` naming everything that can't be read."""
    if len(text) > MOST_TEXT_CHARS:
        raise FormatError(Event("lesson_too_long", {"most": MOST_TEXT_CHARS}))
    return parse_lesson(loads_strictly(text))


def parse_lesson(data: Json) -> Lesson:
    """The lesson that plain JSON data describes. Whether it can be played is `stage.py`'s to say."""
    problems: list[Event] = []
    reader = Reader(data, "lesson", LESSON_KEYS, problems)
    if reader.raw("lesson") != VERSION:
        reader.note("lesson_version", known=VERSION)
    name, header, seat = reader.raw("id"), reader.raw("game"), reader.raw("seat")
    if not isinstance(name, str) or not _ID.fullmatch(name):
        reader.note("lesson_id_wrong", value=str(name)[:60])
    if not isinstance(header, dict):
        reader.note("lesson_game_missing")
    if not isinstance(seat, str):
        reader.note("lesson_seat_missing")
    rows = reader.items("steps")
    if not 1 <= len(rows) <= MOST_STEPS:
        reader.note("lesson_steps_number", count=len(rows), most=MOST_STEPS)
    lesson = Lesson(
        id=str(name),
        header=header if isinstance(header, dict) else {},
        title=reader.text("title"),
        about=reader.text("about"),
        minutes=reader.number("minutes", 1, MOST_MINUTES),
        order=reader.number("order", 0, 99),
        before=reader.actions("before"),
        steps=tuple(_step(row, number, str(seat), problems) for number, row in enumerate(rows[:MOST_STEPS], 1)),
    )
    if problems:
        raise FormatError(*problems)
    return lesson


def _step(data: Json, number: int, seat: str, problems: list[Event]) -> Step:
    where = f"step {number}"
    reader = Reader(data, where, STEP_KEYS, problems)
    right = reader.lines("right")
    if right and "*" in right[0]:
        reader.note("lesson_model_has_star", text=right[0])
    if right and reader.has("count"):
        reader.note("lesson_two_questions")
    hints = [_hint(row, f"{where}, hint {at}", problems) for at, row in enumerate(reader.items("hints"), 1)]
    if (right or reader.has("count")) and not any(not hint.patterns for hint in hints):
        reader.note("lesson_without_hint")
    return Step(
        title=reader.text("title"),
        say=reader.text("say"),
        so=reader.text("so", is_needed=bool(right) or reader.has("count")),
        seat=str(reader.raw("seat", seat)),
        board=_board(reader) if reader.has("board") else None,
        then=reader.actions("then"),
        right=right,
        question=_count(reader.raw("count"), where, problems) if reader.has("count") else None,
        lit=reader.lines("lit"),
        hints=tuple(hints),
        after=reader.actions("after"),
    )


def _hint(data: Json, where: str, problems: list[Event]) -> Hint:
    reader = Reader(data, where, HINT_KEYS, problems)
    return Hint(reader.text("say"), reader.lines("if"), reader.lines("lit"))


def _count(data: Json, where: str, problems: list[Event]) -> Count:
    reader = Reader(data, f"{where}, count", COUNT_KEYS, problems)
    choices = reader.items("choices")
    if len(choices) < 2 or not all(isinstance(one, int) and 0 <= one <= MOST_POINTS for one in choices):
        reader.note("lesson_choices_wrong")
        choices = []
    return Count(str(reader.raw("player")), str(reader.raw("column")), tuple(choices))


def _board(reader: Reader) -> Mapping[str, str]:
    """What lies on each place, in the game's own spelling of contents."""
    value = reader.raw("board")
    if not isinstance(value, dict):
        reader.note("lesson_board_wrong")
        return {}
    found = {}
    for place, content in value.items():
        try:
            found[place] = content_of(parse_content(content)) if isinstance(content, str) else EMPTY
        except FormatError:
            reader.note("lesson_content_wrong", place=place[:60], content=str(content)[:60])
    return found
