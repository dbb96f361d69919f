"""Positions: the JSON form of a board with bridges and stones, checked so that a score is never silently wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.games.headers import HEADER_KEYS, unknown_keys
from companion.games.kahuna.bridges import stones_on
from companion.games.kahuna.rules import BRIDGES_PER_COLOUR, ROUNDS
from companion.games.kahuna.setup import Setup, make_setup
from companion.games.kahuna.state import State
from companion.games.protocol import Event, Expected, FormatError, Json

POSITION_KEYS = (*HEADER_KEYS, "won", "bridges", "stones")
_KINDS = {"bridge": "bridges", "stone": "stones"}


class Position(NamedTuple):
    """A board with pieces, in the round after those `won`."""

    setup: Setup
    won: tuple[str | None, ...]
    bridges: Mapping[str, str]
    stones: Mapping[str, str]


def position_of(state: State) -> dict[str, Json]:
    """The position of a game in its JSON form."""
    position = state.setup.header()
    position.pop("options", None)
    position["won"] = list(state.won)
    position["bridges"] = dict(sorted(state.bridges.items()))
    position["stones"] = dict(sorted(state.stones.items()))
    return position


def position_with(header: Mapping[str, Json], pieces: Expected) -> dict[str, Json]:
    """The position if these pieces lay on the board. It is not checked: eyes may see what the rules don't allow."""
    position: dict[str, Json] = {key: header[key] for key in (*HEADER_KEYS, "won") if key in header}
    position.update({key: {} for key in _KINDS.values()})
    for place, on_place in pieces.items():
        for kind, colour in on_place:
            key, others = _KINDS.get(kind, kind), position.get(_KINDS.get(kind, kind), {})
            position[key] = {**others, place: [others[place], colour] if place in others else colour}
    return position


def parse_position(data: Json) -> Position:
    """The position that plain JSON data describes. Raises `FormatError` naming everything that is wrong."""
    if not isinstance(data, dict):
        raise FormatError(Event("header_not_object"))
    setup = make_setup(data)
    problems = unknown_keys(data, POSITION_KEYS)
    if "bridges" not in data:
        problems.append(Event("bridges_missing"))
    won = _won(data.get("won", []), setup, problems)
    bridges = _owners(data, "bridges", setup.lines, setup, problems)
    problems += [
        Event("too_many_bridges", {"player": colour, "count": count, "most": BRIDGES_PER_COLOUR})
        for colour, count in Counter(bridges.values()).items()
        if count > BRIDGES_PER_COLOUR
    ]
    stones = stones_on(setup, bridges)
    if "stones" in data and not problems:
        laid = _owners(data, "stones", setup.islands, setup, problems)
        problems += [] if problems else _stone_problems(laid, stones)
    if problems:
        raise FormatError(*problems)
    return Position(setup, won, bridges, stones)


def _won(entries: Json, setup: Setup, problems: list[Event]) -> tuple[str | None, ...]:
    is_list = isinstance(entries, list) and len(entries) < ROUNDS
    if not is_list or not all(entry is None or entry in setup.colours for entry in entries):
        problems.append(Event("won_wrong", {"won": entries, "players": list(setup.colours), "most": ROUNDS - 1}))
        return ()
    return tuple(entries)


def _owners(
    data: Mapping[str, Json], key: str, places: Sequence[str] | frozenset[str], setup: Setup, problems: list[Event]
) -> dict[str, str]:
    """The places of one kind of piece with their owners, those that can be read."""
    entries = data.get(key, {})
    if not isinstance(entries, dict):
        problems.append(Event("not_an_object", {"key": key}))
        return {}
    owners = {}
    for place, owner in entries.items():
        if place not in places:
            problems.append(Event("no_such_place", {"key": key, "place": place}))
        elif isinstance(owner, list) and len(owner) > 1:
            problems.append(Event("several_on_place", {"key": key, "place": place, "owners": owner}))
        elif owner not in setup.colours:
            data_of_owner = {"key": key, "place": place, "owner": owner, "players": list(setup.colours)}
            problems.append(Event("owner_unknown", data_of_owner))
        else:
            owners[place] = owner
    return owners


def _stone_problems(laid: Mapping[str, str], due: Mapping[str, str]) -> list[Event]:
    """Stones follow from bridges: one that is missing or too many means that something was misread or forgotten."""
    problems = [
        Event("stone_without_majority", {"island": island, "owner": owner})
        for island, owner in laid.items()
        if due.get(island) != owner
    ]
    return problems + [
        Event("stone_missing", {"island": island, "owner": owner})
        for island, owner in due.items()
        if laid.get(island) != owner
    ]
