"""What each seat may know: in Māori everything lies open, so everyone sees the same."""

from __future__ import annotations

from companion.games.maori.legal import free_steps, row_before_ship
from companion.games.maori.position import position_of
from companion.games.maori.setup import DISPLAY, DISPLAY_CELLS
from companion.games.maori.state import ANCHOR, BOAT, DEAL, EXPLORE, OVER, REFILL, SAIL, State, actors, canoes, reserve
from companion.games.protocol import Action, Event, Json


def view(state: State, seat: str | None) -> dict[str, Json]:
    """All that the seat may know; `None` is anybody looking at the table."""
    setup = state.setup
    seen = position_of(state)
    seen["seat"] = seat
    seen["seats"] = {name: name for name in setup.seats}
    seen["number"] = state.number
    seen["phase"] = state.phase
    seen["round"] = state.round
    seen["final"] = state.final.to_json() if state.final else None
    seen["waits_for"] = list(actors(state))
    seen["canoes"] = {name: canoes(setup, laid) for name, laid in zip(setup.seats, state.laid, strict=True)}
    seen["reserve"] = reserve(state)
    seen["pile"] = len(state.pile)
    seen["row"] = dict(row_before_ship(state)) if state.phase == EXPLORE else {}
    seen["reminder"] = reminder(state).to_json()
    seen["events"] = [event.to_json() for event in state.events]
    seen["story"] = [event.to_json() for event in state.story]
    return seen


def reminder(state: State) -> Event:
    """What is to be done now, as a short reminder of the rules."""
    seat, rules = state.setup.seats[state.turn], state.setup.rules
    place = f"{DISPLAY}:{DISPLAY_CELLS[state.gap]}"
    free = free_steps(state, state.turn)
    told = {
        DEAL: Event("remind_deal", {"place": place}),
        ANCHOR: Event("remind_anchor", {"seat": seat}),
        SAIL: Event("remind_sail", {"seat": seat, "free": free, "shells": state.shells[state.turn]}),
        REFILL: Event("remind_refill", {"place": place}),
        OVER: Event("remind_over"),
    }
    if state.phase == EXPLORE:
        return Event("remind_explore_by_boat" if rules.boat else "remind_explore", {"seat": seat})
    if state.phase == BOAT:
        return Event("remind_boat_must" if rules.must_move else "remind_boat", {"seat": seat})
    return told[state.phase]


def witness(action: Action, seat: str | None) -> Action:
    """The action as the seat sees it being done: nothing is secret."""
    return action
