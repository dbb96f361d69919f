"""What each seat may know: projections of the state that leave other seats' secrets out."""

from __future__ import annotations

from companion.games.makabana.plans import Plan
from companion.games.makabana.position import position_of
from companion.games.makabana.setup import CLUB, PAINT
from companion.games.makabana.state import DENOUNCE, NOBODY, OPENING, PLAN, State, acting_seats, seat_at
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
    seen["acting"] = None if state.phase in (OPENING, PLAN, DENOUNCE) else setup.seats[seat_at(state, state.turn)]
    seen["events"] = [event.to_json() for event in state.events]
    seen["story"] = [event.to_json() for event in state.story]
    return seen


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


def own_plan(state: State, seat: str) -> Plan | None:
    """The plan a seat has laid, for that seat alone."""
    return state.plans[state.setup.seat_index[seat]]
