"""What the tests of players share: games in the middle, and worlds that look the same to a seat."""

from __future__ import annotations

import random

from companion.games.makabana.determinise import possible_state
from companion.games.makabana.state import State
from companion.games.protocol import Action, Event
from companion.players.bot import Budget, Knowledge, know
from companion.players.characters import bot_named
from companion.players.match import Played, Seat, play_match
from tests.makabana.support import GAME, new_game, play, random_states

LOOKS = Budget(seconds=None, iterations=12)

# Four players on Noka. Of the nine Lagon sites two carry a hut; violet and pink have neighbours to build on.
OPENING = (
    "violet hut Coconut-Cocotier-Poisson",
    "pink hut Aloa-Sable-Fleur",
    "yellow hut Borea-Lagon-Fleur",
    "blue hut Aloa-Rocher-Fleur",
    "blue hut Coconut-Sable-Fleur",
    "yellow hut Coconut-Lagon-Tatouage",
    "pink hut Borea-Sable-Fleur",
    "violet hut Borea-Cocotier-Fleur",
)


def opened(rules: str = "2013") -> State:
    """Round one of a game for four, with the huts above."""
    return play(new_game(rules, 4), *OPENING)


def planned(**plans: str) -> State:
    """The same with everybody's plan laid, by seat."""
    return play(opened(), *(f"{seat} plan {plan}" for seat, plan in plans.items()))


def lookalike(state: State, seat: str, seed: int) -> State:
    """Another state that the seat can't tell from this one."""
    return possible_state({**GAME.header(state), **GAME.view(state, seat)}, random.Random(seed))


def knowledge_of(state: State, seat: str, actions: list[Action] = (), events: list[Event] = ()) -> Knowledge:
    return know(GAME, state, seat, actions, events)


def moments(rules: str, people: int, seed: int) -> list[tuple[State, list[Action], list[Event]]]:
    """Every state of a random game with what led there."""
    found, actions, events = [], [], []
    for before, action, after in random_states(rules, people, seed):
        found.append((before, list(actions), list(events)))
        actions.append(action)
        events += after.events
    return found


def match(rules: str, people: int, *bots: str, seed: int = 0, budget: Budget = LOOKS) -> Played:
    """A game between named bots, who take the seats in turns."""
    header = GAME.default_header(rules, people)
    camps = {seat: tuple(set(camp) - {seat}) for camp in header.get("camps", ()) for seat in camp}
    names = GAME.seats(GAME.start(header))
    seats = {seat: Seat(bot_named(bots[index % len(bots)]), camps.get(seat, ())) for index, seat in enumerate(names)}
    return play_match(GAME, header, seats, random.Random(seed), budget)
