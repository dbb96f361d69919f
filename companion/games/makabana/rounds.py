"""How far a game has come: what brings the final round, and what a board alone tells of the rounds before it."""

from __future__ import annotations

from collections import Counter
from typing import Any

from companion.games.makabana.state import OPENING, PLAN, State
from companion.games.protocol import Event


def final_round_cause(state: State) -> Event | None:
    """Why the next round is the final one, if it is."""
    setup, rules = state.setup, state.setup.rules
    because = [
        Event("reserve_low", {"player": colour, "left": left})
        for colour, left in zip(setup.colours, state.reserves, strict=True)
        if left <= rules.last_huts
    ]
    covered = state.huts.keys() | state.tikis.keys()
    full = [Event("beach_full", {"beach": b}) for b, sites in setup.beach_sites.items() if covered.issuperset(sites)]
    if len(full) >= rules.full_beaches:
        because += full
    return Event("final_round", {"because": [cause.to_json() for cause in because]}) if because else None


def brought_forward(state: State) -> tuple[tuple[Event, ...], dict[str, Any]]:
    """What else changes when the people have said what lies on the board: a game that begins with a board on which more
    stands than its opening leaves goes on between two rounds, as late as the board shows at least."""
    opened = state.setup.rules.opening_huts * len(state.setup.seats)
    is_opened = state.phase == OPENING and len(state.huts) >= opened  # no hut ever leaves the board for good
    if not is_opened and (state.phase != PLAN or any(state.plans)):
        return (), {}
    number = max(state.round, _rounds_shown(state) + 1)
    final = state.final or final_round_cause(state)
    begins = [Event("round_begins", {"round": number})] if number != state.round else []
    news = (*begins, *([final] if final is not None and state.final is None else []))
    return news, {"phase": PLAN, "turn": 0, "round": number, "final": final}


def _rounds_shown(state: State) -> int:
    """How many rounds the board took at least: whoever has done most can't have done it in fewer."""
    rules = state.setup.rules
    # In Mao a plan may do two things, and amends a third.
    each_round = rules.seats_per_colour * (2 + rules.amends if rules.tricky else 1)
    done = Counter(state.huts.values()) + Counter(state.clubs.values())
    most = max(done.values(), default=0) - rules.opening_huts * rules.seats_per_colour
    return max(0, -(-most // each_round))
