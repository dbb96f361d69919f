"""When the people agree that the board is right: the game takes over what lies there, if such a board is possible."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.maori.position import Position, parse_position, position_with
from companion.games.maori.setup import DISPLAY_CELLS
from companion.games.maori.state import NOT_AFLOAT, State, expected
from companion.games.protocol import Event, Expected, FormatError, Pieces, Refusal, parse_content


def adjusted(state: State, args: Sequence[str]) -> dict[str, Any] | Refusal:
    """The fields that change when these places (`place=content`) are as given; a refusal for an impossible board."""
    try:
        changes = _changes(state, args)
        pieces = {place: laid for place, laid in {**expected(state), **changes}.items() if laid}
        header = {
            **state.setup.header(),
            "shells": dict(zip(state.setup.seats, state.shells, strict=True)),
            "unseen": [],
        }
        found = parse_position(position_with(header, pieces))
    except FormatError as error:
        return Refusal(*error.problems[0])
    after = state._replace(**_fields(state, found))
    if not _is_possible(after) or _sorted(expected(after)) != _sorted(_written(state, pieces)):
        return Refusal("board_impossible", {"places": sorted(changes)})
    return _fields(state, found) | _end(after)


def _changes(state: State, args: Sequence[str]) -> dict[str, Pieces]:
    changes: dict[str, Pieces] = {}
    for arg in args:
        place, _, content = arg.partition("=")
        if place not in state.setup.places:
            raise FormatError(Event("place_unknown", {"place": place}))
        changes[place] = parse_content(content)
    if not changes:
        raise FormatError(Event("wrong_arguments", {"seat": "table", "verb": "adjust", "args": []}))
    return changes


def _fields(state: State, found: Position) -> dict[str, Any]:
    """Tiles that come to light leave pile and box; one that is gone was misread, and is in the pile."""
    seats = state.setup.seats
    words = [word.partition("@")[0] for laid in found.laid.values() for word in laid.values()]
    visible = {*found.display.values(), *found.stocks.values(), *words}
    box = tuple(tile for tile in state.box if tile not in visible)
    return {
        "display": tuple(found.display.get(cell) for cell in DISPLAY_CELLS),
        "ship": found.ship,
        "laid": tuple(found.laid.get(seat, {}) for seat in seats),
        "stocks": tuple(found.stocks.get(seat) for seat in seats),
        "boats": tuple(found.boats.get(seat) for seat in seats),
        "box": box,
        "pile": tuple(tile for tile in state.setup.tile_set.tiles if tile not in visible and tile not in box),
    }


def _is_possible(after: State) -> bool:
    """The ship floats from the moment it is placed; who has laid a tile has a boat where boats are used; gaps in the
    display stay only when there is no tile to fill them."""
    has_ship = (after.ship != NOT_AFLOAT) == (after.round > 0)
    pairs = zip(after.laid, after.boats, strict=True)
    has_boats = not after.setup.rules.boat or all((boat is not None) == bool(laid) for laid, boat in pairs)
    return has_ship and has_boats and (not after.pile or None not in after.display)


def _end(after: State) -> dict[str, Any]:
    """A board that turns out to be full brings the last round."""
    full = [
        seat for seat, laid in zip(after.setup.seats, after.laid, strict=True) if len(laid) == len(after.setup.cells)
    ]
    if full and after.final is None:
        return {"final": Event("board_full", {"player": full[0]})}
    return {}


def _written(state: State, pieces: Expected) -> dict[str, Pieces]:
    """The same pieces with every tile's turn written as the rules write it; off the boards a turn means nothing."""
    own = {f"{seat}:{cell}" for seat in state.setup.seats for cell in state.setup.cells}
    return {
        place: tuple(
            (kind, (state.setup.written(word) if place in own else word.partition("@")[0]) if kind == "tile" else word)
            for kind, word in laid
        )
        for place, laid in pieces.items()
    }


def _sorted(pieces: Expected) -> dict[str, list[tuple[str, str]]]:
    return {place: sorted(laid) for place, laid in sorted(pieces.items())}
