"""What each seat may know: projections of the state that leave other seats' secrets out."""

from __future__ import annotations

from companion.games.makabana.position import position_of
from companion.games.makabana.setup import CLUB, PAINT
from companion.games.makabana.state import NOBODY, PLAN, State, acting_seats
from companion.games.protocol import Action, Json


def view(state: State, seat: str | None) -> dict[str, Json]:
    """All that the seat may know; `None` is anybody looking at the table."""
    setup = state.setup
    seen = position_of(state)
    seen["seat"] = seat
    seen["seats"] = dict(zip(setup.seats, setup.colour_of, strict=True))
    seen["number"] = state.number
    seen["phase"] = state.phase
    seen["round"] = state.round
    seen["final"] = state.final.to_json() if state.final else None
    seen["first"] = setup.seats[state.first]
    seen["waits_for"] = [setup.seats[i] for i in acting_seats(state)]
    seen["reserves"] = dict(zip(setup.colours, state.reserves, strict=True))
    seen["cards_left"] = {
        name: {PAINT: state.paints[i], CLUB: state.club_cards[i]} for i, name in enumerate(setup.seats)
    }
    seen["out"] = None if state.out == NOBODY else setup.seats[state.out]
    seen["plans"] = {name: _plan_seen(state, i, name == seat) for i, name in enumerate(setup.seats)}
    seen["amends"] = _amends_seen(state)
    seen["events"] = [event.to_json() for event in state.events]
    seen["story"] = [event.to_json() for event in state.story]
    return seen


def _amends_seen(state: State) -> dict[str, Json] | None:
    """Mao 2003: who owes whom, and the hut put up for it."""
    if state.amends is None:
        return None
    accuser, accused, accuser_repaints, offered = state.amends
    seats = state.setup.seats
    return {"accuser": seats[accuser], "accused": seats[accused], "repaints": accuser_repaints, "offered": offered}


def _plan_seen(state: State, seat: int, own: bool) -> dict[str, Json] | None:
    """A plan as its owner or as another seat sees it; None where none is laid."""
    plan = state.plans[seat]
    if plan is None:
        return None
    clues_shown = state.phase != PLAN
    open_paints = plan.paints if state.setup.rules.paint_lies_open else 0
    clue = plan.clue if own or state.revealed[seat] or plan.clue is None else state.setup.seen_face[plan.clue]
    return {
        "clue": clue if own or clues_shown else None,
        "count": len(plan.cards) if own or state.counted[seat] else None,
        "open_paints": open_paints if own or clues_shown else None,
        "cards": list(plan.cards) if own or state.revealed[seat] else None,
    }


def witness(action: Action, seat: str | None) -> Action:
    """The action as the seat sees it being done: nobody sees which cards another seat lays."""
    if action.verb == "plan" and action.seat != seat:
        return action._replace(args=())
    return action
