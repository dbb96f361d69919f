"""When the people agree that the board is right: the game takes over what lies there, if such a board is possible."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.kahuna.position import parse_position, position_with
from companion.games.kahuna.state import State, expected
from companion.games.protocol import ADJUST, TABLE, Event, FormatError, Pieces, Refusal, parse_content


def adjusted(state: State, args: Sequence[str]) -> dict[str, Any] | Refusal:
    """The fields that change when these places (`place=content`) are as given; a refusal for an impossible board."""
    try:
        pieces = {**expected(state), **_changes(state, args)}
        found = parse_position(position_with(state.setup.header(), pieces))
    except FormatError as error:
        return Refusal(*error.problems[0])
    return {"bridges": found.bridges, "stones": found.stones}


def _changes(state: State, args: Sequence[str]) -> dict[str, Pieces]:
    changes: dict[str, Pieces] = {}
    for arg in args:
        place, _, content = arg.partition("=")
        if place not in state.setup.lines and place not in state.setup.islands:
            raise FormatError(Event("place_unknown", {"place": place}))
        changes[place] = parse_content(content)
    if not changes:
        raise FormatError(Event("wrong_arguments", {"seat": TABLE, "verb": ADJUST, "args": []}))
    return changes
