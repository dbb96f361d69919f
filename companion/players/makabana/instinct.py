"""What each legal action of Maka Bana brings at once, as somebody sees it who does not think ahead."""

from __future__ import annotations

import random
from collections.abc import Sequence

from companion.games.makabana.play import apply
from companion.games.makabana.state import DENOUNCE, OPENING, PLAN, TIKI, State
from companion.games.protocol import Action, Refusal
from companion.players.bot import Knowledge
from companion.players.makabana.options import Option
from companion.players.makabana.reflexes import accusation_values, tiki_values
from companion.players.makabana.thoughts import MakaBanaThoughts
from companion.players.makabana.worth import Worth, lead, sides_of

_ROOM = 0.4  # what a free site next to an own hut is worth
Gains = dict[Action | None, float]


def gains(knowledge: Knowledge, legal: Sequence[Action], rng: random.Random) -> Gains:
    """The actions worth a thought, each with the points by which the seat's lead would grow at once."""
    thoughts = MakaBanaThoughts(knowledge, legal, {"sharpness": 0.0})  # others may lay anything that fits their clue
    by_phase = {PLAN: _plan_gains, TIKI: _tiki_gains, DENOUNCE: _denounce_gains}
    return by_phase.get(thoughts.base.phase, _deed_gains)(thoughts, rng)


def _plan_gains(thoughts: MakaBanaThoughts, rng: random.Random) -> Gains:
    """What plans promise, less the share of it that the shown card gives away."""
    found: Gains = {}
    for option in thoughts.own_options():
        promise = option.value + _ROOM * _room(thoughts.base, option)
        for plan in option.plans:
            action = thoughts.plan_action(plan)
            if action in thoughts.legal:
                found[action] = promise * (1 - thoughts.beliefs.exposure(thoughts.seat, option, plan))
    return found or {thoughts.legal[0]: 0.0}


def _room(state: State, option: Option) -> int:
    """The free sites around new huts, as far as there is time to build on them."""
    if state.final is not None:
        return 0
    free = [
        near
        for aim in option.aims
        if aim.verb != "club"
        for near in state.setup.neighbours[aim.site] - state.huts.keys()
    ]
    return min(len(free), max(0, min(state.reserves) - state.setup.rules.last_huts))


def _tiki_gains(thoughts: MakaBanaThoughts, rng: random.Random) -> Gains:
    values = tiki_values(thoughts.imagine(rng), thoughts.seat, thoughts.beliefs)
    return {action: values.get(action.args[0], 0.0) for action in thoughts.legal}


def _denounce_gains(thoughts: MakaBanaThoughts, rng: random.Random) -> Gains:
    values = accusation_values(thoughts.imagine(rng), thoughts.seat, thoughts.beliefs)
    seats = thoughts.base.setup.seat_index
    found: Gains = {action: values.get(seats[action.args[0]], 0.0) for action in thoughts.legal if action.args}
    close: list[Action | None] = [action for action in thoughts.legal if not action.args]
    return {**dict.fromkeys(close or [None], 0.0), **found}


def _deed_gains(thoughts: MakaBanaThoughts, rng: random.Random) -> Gains:
    """What an action does to the points on the table. In the opening, room to grow counts, for nothing else differs."""
    state = thoughts.imagine(rng)
    return {action: _lead_after(state, action, thoughts.seat) for action in thoughts.legal}


def _lead_after(state: State, action: Action, seat: int) -> float:
    after = apply(state, action)
    if isinstance(after, Refusal):
        return 0.0
    setup = state.setup
    worth = Worth(setup, after.huts, after.clubs)
    colour = setup.colour_of[seat]
    room = _ROOM * worth.room_to_grow()[colour] if state.phase == OPENING else 0.0
    return lead(worth.points, sides_of(setup), colour) + room
