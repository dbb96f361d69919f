"""A mind for any game, through its protocol alone: replay what was witnessed, draw what was hidden, look at the score.

A game for which more is known has a mind of its own; see `minds.py`.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from companion.games.protocol import CHANCE, Action, Game, Refusal
from companion.players.bot import Knowledge
from companion.players.random_player import random_action

_TRIES = 4  # to imagine a world that fits
_WORLDS = 6  # kept and used again: replaying a long game costs more than looking ahead
_STEPS = 8  # played on by chance before the score is looked at
_MOST_CANDIDATES = 60


class PlainMind(NamedTuple):
    """What greedy and strong bots ask of a game that has no mind of its own."""

    game: Game[Any]

    def gains(self, knowledge: Knowledge, legal: Sequence[Action], rng: random.Random) -> dict[Action | None, float]:
        tries = (possible_world(self.game, knowledge, rng) for _ in range(_TRIES))
        world = next((found for found in tries if found is not None), None)
        if world is None:  # nothing to go by
            return dict.fromkeys(legal, 0.0)
        return {action: _lead_after(self.game, world, action, knowledge.seat) for action in legal}

    def thoughts(self, knowledge: Knowledge, legal: Sequence[Action], temper: Mapping[str, float]) -> PlainThoughts:
        return PlainThoughts(self.game, knowledge, legal)


class PlainThoughts:
    """One decision in a game of which nothing but the rules is known."""

    def __init__(self, game: Game[Any], knowledge: Knowledge, legal: Sequence[Action]) -> None:
        self._game, self._knowledge, self._legal = game, knowledge, legal
        self._worlds: list[Any] = []

    def candidates(self) -> Sequence[Action | None]:
        every = -(-len(self._legal) // _MOST_CANDIDATES)
        return list(self._legal[::every])

    def prepare(self) -> Sequence[None]:
        return ()

    def imagine(self, rng: random.Random) -> Any:
        """A state that fits all the seat knows; None where a draw did not fit and none has so far."""
        if len(self._worlds) < _WORLDS:
            world = possible_world(self._game, self._knowledge, rng)
            self._worlds += [] if world is None else [world]
        return rng.choice(self._worlds) if self._worlds else None

    def value_after(self, state: Any, action: Action | None, rng: random.Random) -> float:
        if state is None or action is None:
            return 0.0
        after = self._game.apply(state, action)
        for _ in range(_STEPS):
            if isinstance(after, Refusal):
                return 0.0
            by_chance = random_action(self._game, after, rng)
            if by_chance is None:
                break
            after = self._game.apply(after, by_chance)
        return 0.0 if isinstance(after, Refusal) else _lead(self._game, after, self._knowledge.seat)


def possible_world(game: Game[Any], knowledge: Knowledge, rng: random.Random) -> Any | None:
    """A state to which the witnessed actions lead, hidden parts drawn by lot; None if the draw does not fit."""
    state = game.start(knowledge.header)
    wanted = _words_by_seat(knowledge.actions)
    for seen in knowledge.actions:
        wanted[seen.seat].subtract(seen.args)
        after = game.apply(state, seen)
        if isinstance(after, Refusal):
            action = _fitting(game, state, seen, knowledge.seat, wanted, rng)
            after = seen if action is None else game.apply(state, action)
        if isinstance(after, Refusal | Action):
            return None
        state = after
    return state if game.view(state, knowledge.seat) == knowledge.view else None


def _words_by_seat(actions: Sequence[Action]) -> dict[str, Counter[str]]:
    words: dict[str, Counter[str]] = {}
    for action in actions:
        words.setdefault(action.seat, Counter()).update(action.args)
    return words


def _fitting(
    game: Game[Any], state: Any, seen: Action, seat: str, wanted: Mapping[str, Counter[str]], rng: random.Random
) -> Action | None:
    """An action that looks like this one to the seat; what its receiver is seen to use later is much likelier."""
    odds = game.odds(state) if seen.seat == CHANCE else dict.fromkeys(game.legal_actions(state, seen.seat), 1)
    fitting = {action: weight for action, weight in odds.items() if game.witness(action, seat) == seen}
    later = wanted.get(next(iter(seen.args), ""), Counter())
    weights = [weight * (200 if later[action.args[-1]] > 0 else 1) for action, weight in fitting.items()]
    return rng.choices(list(fitting), weights=weights)[0] if fitting else None


def _lead_after(game: Game[Any], state: Any, action: Action, seat: str) -> float:
    after = game.apply(state, action)
    return 0.0 if isinstance(after, Refusal) else _lead(game, after, seat)


def _lead(game: Game[Any], state: Any, seat: str) -> float:
    """How far the seat's points are ahead of the average of the others."""
    points = {player: by_category["total"] for player, by_category in game.score(state).points.items()}
    mine = points.pop(game.colour_of(state, seat), 0) if len(points) > 1 else 0
    return mine - sum(points.values()) / len(points)
