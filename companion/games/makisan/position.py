"""Positions: the JSON form of a line of makis, checked so that a score is never silently wrong.

A position tells both sides of every maki, as a referee or two cameras see them. `views.py` tells a player less.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.games.headers import unknown_keys
from companion.games.makisan.board import Line, faces_of, facing_of, is_facing, maki_of
from companion.games.makisan.rules import MAKIS, PLACES, ROUNDS_TO_WIN, SIDES
from companion.games.makisan.setup import HEADER_KEYS, Setup, make_setup
from companion.games.makisan.state import State, Wasabi
from companion.games.protocol import Event, Expected, FormatError, Json

POSITION_KEYS = (*HEADER_KEYS, "wins", "line", "wasabi")


class Position(NamedTuple):
    """A line of makis after so many rounds won."""

    setup: Setup
    wins: tuple[int, int]
    line: Line
    wasabi: Wasabi | None


def position_of(state: State) -> dict[str, Json]:
    """The position of a game in its JSON form."""
    position = state.setup.header()
    position["wins"] = dict(zip(SIDES, state.wins, strict=True))
    position["line"] = [facing_of(faces) for faces in state.line]
    position["wasabi"] = {} if state.wasabi is None else {_place_of(state.line, state.wasabi): state.wasabi.owner}
    return position


def _place_of(line: Line, wasabi: Wasabi) -> str:
    return PLACES[[maki_of(faces) for faces in line].index(wasabi.maki)]


def position_with(header: Mapping[str, Json], pieces: Expected) -> dict[str, Json]:
    """The position if these pieces lay on the mat. It is not checked: eyes may see what the rules don't allow."""
    position: dict[str, Json] = {key: header[key] for key in (*HEADER_KEYS, "wins") if key in header}
    line: dict[str, Json] = {}
    wasabis: dict[str, Json] = {}
    for place, on_place in pieces.items():
        for kind, colour in on_place:
            found = wasabis if kind == "wasabi" else line
            found[place] = [found[place], colour] if place in found else colour
    last = max((PLACES.index(place) + 1 for place in line if place in PLACES), default=0)
    position["line"] = [line.get(place) for place in PLACES[:last]]
    position["wasabi"] = wasabis
    return position


def parse_position(data: Json) -> Position:
    """The position that plain JSON data describes. Raises `FormatError` naming everything that is wrong."""
    if not isinstance(data, dict):
        raise FormatError(Event("header_not_object"))
    setup = make_setup(data)
    problems = unknown_keys(data, POSITION_KEYS)
    wins = _wins(data.get("wins", {}), problems)
    line = _line(data.get("line"), problems)
    wasabi = None if problems else _wasabi(data.get("wasabi", {}), setup, line, problems)
    if problems:
        raise FormatError(*problems)
    return Position(setup, wins, line, wasabi)


def _wins(entries: Json, problems: list[Event]) -> tuple[int, int]:
    is_object = isinstance(entries, dict) and entries.keys() <= set(SIDES)
    counts = [entries.get(side, 0) for side in SIDES] if is_object else []
    if not counts or not all(type(count) is int and 0 <= count < ROUNDS_TO_WIN for count in counts):
        problems.append(Event("wins_wrong", {"wins": entries, "most": ROUNDS_TO_WIN - 1}))
        return 0, 0
    return counts[0], counts[1]


def _line(entries: Json, problems: list[Event]) -> Line:
    if not isinstance(entries, list) or len(entries) > len(MAKIS):
        problems.append(Event("line_missing", {"most": len(MAKIS)}))
        return ()
    line: list[tuple[str, str]] = []
    for place, entry in zip(PLACES, entries, strict=False):
        if entry is None:
            problems.append(Event("gap_in_line", {"place": place}))
        elif not isinstance(entry, str) or not is_facing(entry):
            problems.append(Event("maki_unknown", {"place": place, "maki": entry, "makis": list(MAKIS)}))
        elif maki_of(faces_of(entry)) in map(maki_of, line):
            problems.append(Event("maki_twice", {"place": place, "maki": entry}))
        else:
            line.append(faces_of(entry))
    return tuple(line)


def _wasabi(entries: Json, setup: Setup, line: Line, problems: list[Event]) -> Wasabi | None:
    if entries in ({}, None):
        return None
    if not setup.has_wasabi:
        problems.append(Event("rules_without_wasabi", {"rules": setup.rules}))
        return None
    if not isinstance(entries, dict) or len(entries) != 1:
        problems.append(Event("wasabi_wrong", {"wasabi": entries}))
        return None
    ((place, owner),) = entries.items()
    if place not in PLACES[: len(line)] or owner not in SIDES:
        problems.append(Event("wasabi_wrong", {"wasabi": entries}))
        return None
    return Wasabi(owner, maki_of(line[int(place) - 1]))
