"""What a browser asks of a virtual board, read strictly: whatever arrives, it is a movement of a hand or an error.

| JSON | what a hand does |
|---|---|
| `{"kind": "hut", "colour": "blue", "place": "club:Azzura"}` | brings a piece out of the box to a place |
| `{"kind": ..., "colour": ..., "board": ..., "x": 0.4, "y": 0.2, "angle": 20}` | ... or to any spot of a board |
| `{"piece": 3, "place": ...}`, `{"piece": 3, "x": ..., "y": ..., "angle": ...}` | moves a piece |
| `{"piece": 3, "turn": true}`, `{"piece": 3, "colour": "E12@90"}` | turns it where it lies: once, or until it lies so |
| `{"piece": 3, "gone": true}` | takes it off |
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.games.protocol import Event, FormatError, Json


class Drag(NamedTuple):
    """One movement. Without `piece`, it is one out of the box."""

    piece: int | None
    kind: str = ""
    colour: str = ""
    board: str = ""
    place: str = ""
    at: tuple[float, float] | None = None
    angle: float = 0.0
    is_turn: bool = False
    is_gone: bool = False


def parse_drag(data: Json) -> Drag:
    """Raises `FormatError`."""
    if not isinstance(data, dict):
        raise FormatError(Event("drag_unreadable"))
    piece = data.get("piece")
    if piece is None:
        return _out_of_box(data)
    if isinstance(piece, bool) or not isinstance(piece, int):
        raise FormatError(Event("drag_unreadable"))
    if data.get("gone") is True:
        return Drag(piece, is_gone=True)
    if data.get("turn") is True or ("colour" in data and "place" not in data and "x" not in data):
        return Drag(piece, colour=_word(data, "colour", ""), is_turn=True)
    place, angle = _word(data, "place", ""), _number(data, "angle", 0.0)
    return Drag(piece, place=place, at=None if place else _spot(data), angle=angle)


def _out_of_box(data: Mapping[str, Json]) -> Drag:
    place, angle = _word(data, "place", ""), _number(data, "angle", 0.0)
    at = None if place else _spot(data)
    board = "" if place else _word(data, "board")
    return Drag(None, _word(data, "kind"), _word(data, "colour"), board, place, at, angle)


def _spot(data: Mapping[str, Json]) -> tuple[float, float]:
    return _number(data, "x"), _number(data, "y")


def _number(data: Mapping[str, Json], key: str, default: float | None = None) -> float:
    value = data.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e6:
        raise FormatError(Event("drag_unreadable"))
    return float(value)


def _word(data: Mapping[str, Json], key: str, default: str | None = None) -> str:
    value = data.get(key, default)
    if not isinstance(value, str):
        raise FormatError(Event("drag_unreadable"))
    return value
