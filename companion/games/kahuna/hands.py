"""What hands do at the table: pieces put on the board, a button pressed, cards laid in a tray."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.kahuna.legal import STOCK, acting, legal_actions
from companion.games.kahuna.rules import BRIDGES_PER_COLOUR, STONES_PER_COLOUR
from companion.games.kahuna.state import State
from companion.games.protocol import CHANCE, Action, TrayReading

_BY_HAND = ("bridge", "remove", "replace")


def places(state: State) -> tuple[str, ...]:
    return (*state.setup.board.lines, *state.setup.islands)


def components(state: State) -> Mapping[tuple[str, str], int]:
    """Every piece that comes out of the box for this game."""
    counts = {"bridge": BRIDGES_PER_COLOUR, "stone": STONES_PER_COLOUR}
    return {(kind, colour): count for kind, count in counts.items() for colour in state.setup.colours}


def colour_of(state: State, seat: str) -> str:
    return seat


def hand_actions(state: State) -> Sequence[Action]:
    """Bridges that come or go. Which card was spent for one is nothing that a board shows."""
    seat = acting(state)
    found = legal_actions(state, seat) if seat not in (None, CHANCE) else ()
    return [action for action in found if action.verb in _BY_HAND]


def button_actions(state: State, seat: str) -> Sequence[Action]:
    """The end of one's turn: a card from the stock, or none where that can't be."""
    found = legal_actions(state, seat)
    draw, skip = Action(seat, "draw", (STOCK,)), Action(seat, "skip")
    return [draw] if draw in found else [skip] if skip in found else []


def tray_actions(state: State, seat: str, cards: Sequence[str]) -> TrayReading:
    """What may be done with just these cards: one lays a bridge or is discarded, two remove a bridge."""
    spent = tuple(sorted(cards))
    found = [action for action in legal_actions(state, seat) if _cards_of(action) == spent]
    return TrayReading(tuple(found), bool(found))


def _cards_of(action: Action) -> tuple[str, ...]:
    """The cards that an action spends."""
    return {"bridge": action.args[1:], "remove": action.args[1:], "discard": action.args}.get(action.verb, ())


def is_open(state: State, seat: str) -> bool | None:
    return None  # nobody lays anything down in secret
