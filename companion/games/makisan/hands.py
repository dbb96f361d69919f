"""What hands do at the table: makis laid, turned and moved, a button pressed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.makisan.board import faces_of, is_facing, maki_of
from companion.games.makisan.legal import legal_actions
from companion.games.makisan.rules import MAKIS, PLACES, SIDES
from companion.games.makisan.state import State, acting
from companion.games.protocol import CHANCE, Action, Piece, TrayReading


def places(state: State) -> tuple[str, ...]:
    return PLACES


def components(state: State) -> Mapping[tuple[str, str], int]:
    """Every piece that comes out of the box for this game; a maki is one piece, whichever way it lies."""
    pieces = {("maki", maki): 1 for maki in MAKIS}
    return pieces | ({("wasabi", side): 1 for side in SIDES} if state.setup.has_wasabi else {})


def component_of(piece: Piece) -> Piece:
    """A maki is named by its two colours in their usual order."""
    kind, colour = piece
    return (kind, maki_of(faces_of(colour))) if kind == "maki" and is_facing(colour) else piece


def colour_of(state: State, seat: str) -> str:
    return seat


def hand_actions(state: State) -> Sequence[Action]:
    """All that changes the line."""
    seat = acting(state)
    found = legal_actions(state, seat) if seat not in (None, CHANCE) else ()
    return [action for action in found if action.verb != "draw"]


def button_actions(state: State, seat: str) -> Sequence[Action]:
    """To draw: what no eye can see before the maki is laid."""
    return [action for action in legal_actions(state, seat) if action.verb == "draw"]


def tray_actions(state: State, seat: str, cards: Sequence[str]) -> TrayReading:
    return TrayReading((), False)  # there are no cards


def is_open(state: State, seat: str) -> bool | None:
    return None  # nobody lays anything down in secret
