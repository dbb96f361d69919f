"""A game that begins in the middle or at its end, from a board that a photograph showed and people have checked."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping
from itertools import islice

from companion.games.catalogue import game_of
from companion.games.protocol import ADJUST, END, TABLE, Action, FormatError, Json, Refusal
from companion.table.entries import Command
from companion.table.questions import CHECK, YES
from companion.table.table import Table
from web.services import PhotoBoard

MOST_PLACES = 30  # in one action: a line of the log has room for so many words


def begin_from(table: Table, board: PhotoBoard, is_over: bool) -> Refusal | None:
    """Begins the game, or says why it can't be; then everything is as it was. What a board does not tell (how many
    Paints are spent, whose turn comes first) is as at the beginning of a game."""
    steps = [*_adjustments(board.contents), *([Action(TABLE, END)] if is_over else [])]
    if refusal := _why_not(board.header, steps):
        return refusal
    commands = [("new_game", (json.dumps(dict(board.header)), "anyway")), ("start", ())]
    for do, args in [*commands, *((step.verb, step.args) for step in steps)]:
        answer = table.do(Command(_key(), do, args))
        if answer.refusal is not None:
            return answer.refusal
    if is_over:
        _confirm(table)
    return None


def _adjustments(contents: Mapping[str, str]) -> Iterator[Action]:
    places = iter(f"{place}={content}" for place, content in sorted(contents.items()))
    while some := tuple(islice(places, MOST_PLACES)):
        yield Action(TABLE, ADJUST, some)


def _why_not(header: Mapping[str, Json], steps: list[Action]) -> Refusal | None:
    """Tried out first: a game under way must not be lost to a board that can't be."""
    try:
        game = game_of(header)
        state = game.start(header)
    except FormatError as error:
        return Refusal(*error.problems[0])
    for step in steps:
        after = game.apply(state, step)
        if isinstance(after, Refusal):
            return after
        state = after
    return None


def _confirm(table: Table) -> None:
    """Whoever checked the photo has compared the board already."""
    question = table.question
    if question is not None and question.kind == CHECK:
        table.do(Command(_key(), "answer", (question.id, YES)))


def _key() -> str:
    return f"photo.{secrets.token_hex(10)}"
