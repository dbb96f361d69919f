"""How a seat acts without much thought: quick and reasonable, for games played to the end in one's head."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

from companion.games.makabana.legal import legal_actions, may_protect
from companion.games.makabana.play import apply
from companion.games.makabana.setup import CLUB_PREFIX
from companion.games.makabana.state import AMENDS, DENOUNCE, OPENING, PLAN, REALISE, TIKI, State, acting_seats
from companion.games.protocol import Action, Refusal
from companion.players.makabana.beliefs import Beliefs, seen_of
from companion.players.makabana.options import gain_of
from companion.players.makabana.worth import Change, Worth, sides_of

MOST_STEPS = 400  # of one round, far beyond the longest
_OPENING_CHOICES = 4
_SPEAKS_UP = 0.5  # how often a seat that has reason to denounce does so


def allies(state: State, seat: int) -> set[int]:
    """The seats whose points count together with this one's, itself included."""
    side = next(side for side in sides_of(state.setup) if state.setup.colour_of[seat] in side)
    return {index for index, colour in enumerate(state.setup.colour_of) if colour in side}


def carry_on(state: State, beliefs: Beliefs, rng: random.Random) -> State:
    """The state at the end of this round, or of the opening, if everybody goes on by reflex."""
    round_, phase = state.round, state.phase
    for _ in range(MOST_STEPS):
        if state.round != round_ or state.phase not in _REFLEXES or (phase == OPENING != state.phase):
            return state
        result = apply(state, _REFLEXES[state.phase](state, beliefs, rng))
        assert not isinstance(result, Refusal), result
        state = result
    return state


def _open(state: State, _: Beliefs, rng: random.Random) -> Action:
    """A site with room around it."""
    legal = legal_actions(state, acting_seats(state)[0])
    some = [legal[int(rng.random() * len(legal))] for _ in range(_OPENING_CHOICES)]
    return max(some, key=lambda action: len(state.setup.neighbours[action.args[0]] - state.huts.keys()))


def accusation_values(state: State, seat: int, beliefs: Beliefs) -> dict[int, float]:
    """For each seat that could be denounced, what that promises: its round if it is trickier, else the loss of ours."""
    plan, friends = state.plans[seat], allies(state, seat)
    assert plan is not None
    mine = beliefs.options(seat)
    stake = mine[0].value if mine else 1.0
    values = {}
    for other in range(len(state.plans)):
        if other not in friends:
            odds, loss = beliefs.trickier(other, seen_of(state, other), plan.trickery)
            values[other] = loss - (1 - odds) * stake
    return values


def _denounce(state: State, beliefs: Beliefs, rng: random.Random) -> Action:
    """Somebody who has reason to denounce may do it; else the first player ends the time for it."""
    seats = list(range(len(state.plans)))
    rng.shuffle(seats)
    for seat in seats:
        values = accusation_values(state, seat, beliefs) if rng.random() < _SPEAKS_UP else {}
        accused = max(values, key=values.__getitem__, default=seat)
        if values and values[accused] > 0:
            return Action(state.setup.seats[seat], "denounce", (state.setup.seats[accused],))
    return Action(state.setup.seats[state.first], "close")


def _make_amends(state: State, _: Beliefs, rng: random.Random) -> Action:
    return best_deed(state, acting_seats(state)[0])


def tiki_values(state: State, seat: int, beliefs: Beliefs) -> dict[str, float]:
    """For each place where the seat may stand its tiki, what that can be expected to cost opponents."""
    friends = allies(state, seat)
    values: dict[str, float] = {}
    for other in range(len(state.plans)):
        if other not in friends and other != state.out:
            for place, loss in beliefs.stops(other, seen_of(state, other)).items():
                values[place] = values.get(place, 0.0) + loss
    for place in own_places(state, seat):
        values.pop(place, None)
    others = len(sides_of(state.setup)) - 1  # what one of them gains costs us a share; what we lose, we lose whole
    return {
        place: value * others if place in state.huts else value
        for place, value in values.items()
        if _may_stand(state, seat, place)
    }


def own_places(state: State, seat: int) -> Iterable[str]:
    """Where a tiki would stop the seat's own plan, as far as it is known."""
    plan = state.plans[seat]
    if plan is None or seat == state.out:
        return ()
    reach = plan.design.reach if len(plan.cards) >= 3 else ()
    clubs = [CLUB_PREFIX + state.setup.beach_of[site] for site in reach] if plan.clubs else []
    return (*(site for site in reach if site not in state.huts), *clubs)


def _may_stand(state: State, seat: int, place: str) -> bool:
    if place in state.tikis:
        return False
    if place.startswith(CLUB_PREFIX):
        return place.removeprefix(CLUB_PREFIX) not in state.clubs
    owner = state.huts.get(place)
    return owner is None or (owner == state.setup.colour_of[seat] and may_protect(state, seat))


def _place_tiki(state: State, beliefs: Beliefs, rng: random.Random) -> Action:
    seat = acting_seats(state)[0]
    values = tiki_values(state, seat, beliefs)
    if not values:
        legal = legal_actions(state, seat)
        return legal[int(rng.random() * len(legal))]
    place = max(values, key=lambda place: values[place] * (0.5 + rng.random()))
    return state.setup.place_actions("tiki", seat)[place]


def _realise(state: State, beliefs: Beliefs, rng: random.Random) -> Action:
    seat = acting_seats(state)[0]
    return best_deed(state, seat) if state.revealed[seat] else state.setup.reveal_actions[seat][0]


def best_deed(state: State, seat: int) -> Action:
    """The legal action that helps the seat's lead most at once."""
    worth, colour = Worth(state.setup, state.huts, state.clubs), state.setup.colour_of[seat]
    return max(legal_actions(state, seat), key=lambda action: gain_of(worth, deed_change(state, action, worth), colour))


def deed_change(state: State, action: Action, worth: Worth) -> Change:
    """What a deed, or an answer about amends, changes on the board."""
    verb, setup = action.verb, state.setup
    colour = setup.colour_of[setup.seat_index[action.seat]]
    amends = state.amends
    if verb == "build":
        return worth.build(action.args[0], colour)
    if verb == "club":
        return worth.club(setup.beach_of[action.args[0]], colour)
    if verb in ("paint", "repaint"):
        return worth.paint(action.args[0], colour)
    if amends is not None and verb == "offer":  # the accused may be expected to take it
        return worth.paint(action.args[0], setup.colour_of[amends.accused])
    if amends is not None and amends.offered is not None and verb == "accept":
        return worth.paint(amends.offered, colour)
    return {}


_REFLEXES: dict[str, Callable[[State, Beliefs, random.Random], Action]] = {
    OPENING: _open,
    DENOUNCE: _denounce,
    AMENDS: _make_amends,
    TIKI: _place_tiki,
    REALISE: _realise,
}
assert PLAN not in _REFLEXES  # a round ends where plans begin
