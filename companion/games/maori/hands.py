"""What hands do at the table: tiles, ship and boats are moved where the camera sees it; a button says the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.maori.legal import legal_actions
from companion.games.maori.state import SHARED, State, actors
from companion.games.protocol import Action, Piece, TrayReading

_BY_BUTTON = ("pass", "stay")


def places(state: State) -> tuple[str, ...]:
    return state.setup.places


def components(state: State) -> Mapping[tuple[str, str], int]:
    """Every piece that comes out of the box for this game and has a place of its own. Shells have none."""
    found = {("tile", tile): 1 for tile in state.setup.tile_set.tiles}
    boats = {("boat", seat): 1 for seat in state.setup.seats if state.setup.rules.boat}
    return found | {("ship", SHARED): 1} | boats


def component_of(piece: Piece) -> Piece:
    """A tile is named by its id, however it is turned."""
    kind, colour = piece
    return kind, colour.partition("@")[0]


def colour_of(state: State, seat: str) -> str:
    return seat


def hand_actions(state: State) -> Sequence[Action]:
    """The legal actions that show on the table when hands do them; a refill is one of them."""
    found = [legal_actions(state, name) for name in actors(state)]
    return [action for actions in found for action in actions if action.verb not in _BY_BUTTON]


def button_actions(state: State, seat: str) -> Sequence[Action]:
    """Doing nothing, or leaving one's boat where it is."""
    return [action for action in legal_actions(state, seat) if action.verb in _BY_BUTTON]


def tray_actions(state: State, seat: str, cards: Sequence[str]) -> TrayReading:
    """There are no cards in this game."""
    return TrayReading((), False)


def is_open(state: State, seat: str) -> bool:
    """Nothing is ever secret."""
    return True
