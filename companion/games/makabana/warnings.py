"""What speaks against an action before it is done: reasons to think again, never a ban (ruling 7)."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.makabana.legal import OBSTACLES
from companion.games.makabana.plans import Plan, parse_plan
from companion.games.makabana.play import apply
from companion.games.makabana.state import PLAN, State
from companion.games.protocol import Action, Event, Refusal


def warnings(state: State, action: Action) -> tuple[Event, ...]:
    """Why the action would be refused, or why a plan can't succeed as the board stands now; nothing if all is well."""
    if state.phase == PLAN and action.verb == "plan":
        plan = parse_plan(state.setup, action.args)
        return (Event(*plan),) if isinstance(plan, Refusal) else _against(state, action.seat, plan)
    after = apply(state, action)
    return (Event(*after),) if isinstance(after, Refusal) else ()


def _against(state: State, name: str, plan: Plan) -> tuple[Event, ...]:
    design = plan.design
    if design.faults or name not in state.setup.seat_index:
        return design.faults
    seat = state.setup.seat_index[name]
    if design.verb is not None:
        obstacle = OBSTACLES[design.verb](state, seat, design.reach[0])
        return (obstacle,) if obstacle and not _is_hoped_for(state, design.verb, obstacle) else ()
    verbs = ["build", *(["paint"] if design.paints else []), *(["club"] if design.club else [])]
    ways = [OBSTACLES[verb](state, seat, site) for verb in verbs for site in design.reach]
    return () if None in ways else tuple(_unique([obstacle for obstacle in ways if obstacle])[:3])


def _is_hoped_for(state: State, verb: str, obstacle: Event) -> bool:
    """2003: a takeover may hope for a hut to come."""
    return verb == "paint" and obstacle.code == "no_hut_there" and state.setup.rules.paint_aims_anywhere


def _unique(events: Sequence[Event]) -> list[Event]:
    return [event for index, event in enumerate(events) if event not in events[:index]]
