"""A mind for games in which one seat acts after the other: look one whole turn ahead, in worlds that fit what is known.

A game's package says two things (`Sense`): which states a seat may be in, and how well a seat stands in a state.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from companion.games.chance import chance_action, chance_is_due
from companion.games.protocol import Action, Game, Refusal
from companion.players.bot import Knowledge

_MOST_CHANCE = 30  # cards or tiles that come up in a row: a new round is dealt
_STEPS = 8  # of one's own turn that are thought through
_CANDIDATES = 12  # tried by a search, the best first
_WORLDS = 6  # kept by a search and used again


class Sense(NamedTuple):
    """What a game tells beyond its rules. `worth` is in points or so, and speaks of what the seat may come to know."""

    imagine: Callable[[Knowledge, random.Random], Any]  # a state that looks like this to the seat; None: there is none
    worth: Callable[[Any, str], float]
    worlds: int = 1  # imagined for one decision: more where more is hidden


class TurnMind(NamedTuple):
    """What greedy and strong bots ask of such a game."""

    game: Game[Any]
    sense: Sense

    def gains(self, knowledge: Knowledge, legal: Sequence[Action], rng: random.Random) -> dict[Action | None, float]:
        """By action what the seat stands to have when its turn is over, on average of the worlds imagined."""
        worlds = list(self._worlds(knowledge, rng))
        totals: dict[Action | None, float] = dict.fromkeys(legal, 0.0)
        for world in worlds:
            luck = rng.getrandbits(32)
            for action in legal:
                totals[action] += self.value_of(world, action, knowledge.seat, luck) / len(worlds)
        return totals

    def thoughts(self, knowledge: Knowledge, legal: Sequence[Action], temper: Mapping[str, float]) -> TurnThoughts:
        return TurnThoughts(self, knowledge, legal)

    def value_of(self, world: Any, action: Action, seat: str, luck: int) -> float:
        """How the seat stands after this action and the best end of its turn that is found by going step by step."""
        rng = random.Random(luck)  # the same for all actions that are compared
        state = self.after(world, action, rng)
        for _ in range(_STEPS):
            if state is None or seat not in self.game.actors(state):
                break
            state = self.best_step(state, seat, rng)
        return 0.0 if state is None else self.sense.worth(state, seat)

    def best_step(self, state: Any, seat: str, rng: random.Random) -> Any:
        """The state after the step that looks best by itself."""
        ways = [self.after(state, action, rng) for action in self.game.legal_actions(state, seat)]
        return max((way for way in ways if way is not None), key=lambda way: self.sense.worth(way, seat), default=None)

    def after(self, state: Any, action: Action, rng: random.Random) -> Any:
        """The state once the action is done and chance has spoken; None if the rules refuse it."""
        state = self.game.apply(state, action)
        for _ in range(_MOST_CHANCE):
            if isinstance(state, Refusal):
                return None
            if not chance_is_due(self.game, state):
                break
            state = self.game.apply(state, chance_action(self.game, state, rng))
        return None if isinstance(state, Refusal) else state

    def _worlds(self, knowledge: Knowledge, rng: random.Random) -> Iterator[Any]:
        for _ in range(self.sense.worlds):
            world = self.sense.imagine(knowledge, rng)
            if world is not None:
                yield world


class TurnThoughts:
    """One decision, as the search asks: whole turns, and the next seat's answer to them."""

    def __init__(self, mind: TurnMind, knowledge: Knowledge, legal: Sequence[Action]) -> None:
        self._mind, self._knowledge, self._legal = mind, knowledge, legal
        self._worlds: list[Any] = []

    def candidates(self) -> Sequence[Action | None]:
        """What looks best at first sight. The order is always the same for the same knowledge."""
        gains = self._mind.gains(self._knowledge, self._legal, random.Random(0))
        return sorted(gains, key=lambda action: -gains[action])[:_CANDIDATES]

    def prepare(self) -> Sequence[None]:
        return ()

    def imagine(self, rng: random.Random) -> Any:
        if len(self._worlds) < _WORLDS:
            self._worlds.append(self._mind.sense.imagine(self._knowledge, rng))
        return rng.choice(self._worlds)

    def value_after(self, state: Any, action: Action | None, rng: random.Random) -> float:
        """How the seat stands once its turn is over and the next seat has answered as well as it knows."""
        mind, seat = self._mind, self._knowledge.seat
        if state is None or action is None:
            return 0.0
        after = self._end_of_turn(mind.after(state, action, rng), seat, rng)
        other = next(iter(mind.game.actors(after)), seat) if after is not None else seat
        if other != seat:
            after = self._end_of_turn(after, other, rng) or after
        return 0.0 if after is None else mind.sense.worth(after, seat)

    def _end_of_turn(self, state: Any, seat: str, rng: random.Random) -> Any:
        for _ in range(_STEPS):
            if state is None or seat not in self._mind.game.actors(state):
                break
            state = self._mind.best_step(state, seat, rng)
        return state
