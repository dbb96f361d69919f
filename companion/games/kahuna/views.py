"""What each seat may know: projections of the state that leave other hands and the stock's cards out."""

from __future__ import annotations

from companion.games.kahuna.legal import acting, draw_obstacle, skip_obstacle
from companion.games.kahuna.position import position_of
from companion.games.kahuna.rules import BRIDGES_PER_COLOUR
from companion.games.kahuna.state import OPEN, TURN, State
from companion.games.protocol import CHANCE, Action, Json


def view(state: State, seat: str | None) -> dict[str, Json]:
    """All that the seat may know; `None` is anybody looking at the table."""
    setup, waits_for = state.setup, acting(state)
    seat = seat if seat in setup.seat_index else None
    seen = position_of(state)
    seen["options"] = dict(setup.options)
    seen["seat"] = seat
    seen["seats"] = {colour: colour for colour in setup.colours}
    seen["number"] = state.number
    seen["phase"] = state.phase
    seen["round"] = state.round
    seen["waits_for"] = [waits_for] if waits_for else []
    seen["turn"] = setup.colours[state.turn]
    seen["hands"] = {colour: len(hand) for colour, hand in zip(setup.colours, state.hands, strict=True)}
    seen["hand"] = None if seat is None else list(state.hands[setup.seat_index[seat]])
    seen["open"] = list(state.open)
    seen["stock"] = len(state.stock)
    seen["discards"] = list(state.discards)
    laid = list(state.bridges.values())
    seen["bridges_left"] = {colour: BRIDGES_PER_COLOUR - laid.count(colour) for colour in setup.colours}
    seen["free_bridges"] = state.free_bridges
    seen["due"] = ["open" if to == OPEN else setup.colours[to] for to in state.due]
    seen["was_skipped"] = state.was_skipped
    seen["replaceable"] = state.replaceable
    seen["may_skip"] = skip_obstacle(state) is None
    seen["may_draw"] = state.phase == TURN and draw_obstacle(state, state.turn) is None
    seen["last_turns"] = state.last_turns
    seen["ended_by"] = state.ended_by.to_json() if state.ended_by else None
    seen["events"] = [event.to_json() for event in state.events]
    return seen


def witness(action: Action, seat: str | None) -> Action:
    """The action as the seat sees it being done: a card that chance deals is seen by whom it is dealt to."""
    if action.seat == CHANCE and action.verb == "deal" and action.args[:1] != (seat,):
        return action._replace(args=action.args[:1])
    return action
