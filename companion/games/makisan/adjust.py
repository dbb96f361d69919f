"""When the people agree that the line is right: the game takes over what lies there, if such a line is possible."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.makisan.board import maki_of
from companion.games.makisan.position import parse_position, position_with
from companion.games.makisan.rules import MAKIS, PLACES
from companion.games.makisan.state import OPENING, OVER, State, expected
from companion.games.protocol import ADJUST, TABLE, Event, FormatError, Pieces, Refusal, parse_content


def adjusted(state: State, args: Sequence[str]) -> dict[str, Any] | Refusal:
    """The fields that change when these places (`place=content`) are as given; a refusal for an impossible line."""
    try:
        changes = _changes(args)
        found = parse_position(position_with(state.setup.header(), {**expected(state), **changes}))
    except FormatError as error:
        return Refusal(*error.problems[0])
    makis = [maki_of(faces) for faces in found.line]
    if state.phase in (OPENING, OVER) or not makis or state.drawn in makis:
        return Refusal("board_impossible", {"places": sorted(changes)})
    # Everybody saw what was agreed on: of the line as it is now, nothing is hidden.
    seen = frozenset(makis)
    south, north = (seen | (known & {state.drawn}) for known in state.known)
    bag = tuple(maki for maki in MAKIS if maki not in makis and maki != state.drawn)
    return {"line": found.line, "bag": bag, "wasabi": found.wasabi, "known": (south, north)}


def _changes(args: Sequence[str]) -> dict[str, Pieces]:
    changes: dict[str, Pieces] = {}
    for arg in args:
        place, _, content = arg.partition("=")
        if place not in PLACES:
            raise FormatError(Event("place_unknown", {"place": place, "most": len(PLACES)}))
        changes[place] = parse_content(content)
    if not changes:
        raise FormatError(Event("wrong_arguments", {"seat": TABLE, "verb": ADJUST, "args": []}))
    return changes
