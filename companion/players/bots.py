"""The bots: random, greedy and strong. What they know of a game beyond its rules is in its mind, see `minds.py`."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import inf
from typing import Any, NamedTuple

from companion.games.protocol import Action, Game
from companion.players.bot import Budget, Knowledge, Thrift
from companion.players.minds import mind_of
from companion.players.search import best_of, explore


class RandomBot(NamedTuple):
    """Any legal action, each as likely as the next."""

    def choose(
        self, game: Game[Any], knowledge: Knowledge, legal: Sequence[Action], rng: random.Random, budget: Budget
    ) -> Action | None:
        return legal[int(rng.random() * len(legal))]


class GreedyBot(NamedTuple):
    """What brings most at once, by its own reckoning, which is off by `noise` points or so."""

    noise: float = 0.0
    slips: float = 0.0  # how often it does not reckon at all

    def choose(
        self, game: Game[Any], knowledge: Knowledge, legal: Sequence[Action], rng: random.Random, budget: Budget
    ) -> Action | None:
        if len(legal) == 1 and knowledge.is_alone:
            return legal[0]
        gains = mind_of(game).gains(knowledge, legal, rng)
        if rng.random() < self.slips:
            return rng.choice(list(gains))
        return max(gains, key=lambda action: (_blurred(gains[action], self.noise, rng), rng.random()))


class StrongBot(NamedTuple):
    """Looks ahead in worlds that fit what it knows, for its share of the time."""

    noise: float = 0.0
    time: float = 1.0
    temper: tuple[tuple[str, float], ...] = ()  # what it likes and fears, in the words of the game's mind

    def choose(
        self, game: Game[Any], knowledge: Knowledge, legal: Sequence[Action], rng: random.Random, budget: Budget
    ) -> Action | None:
        if len(legal) == 1 and knowledge.is_alone:
            return legal[0]
        thrift = Thrift(budget.share(self.time))  # from here on the clock runs
        trials = explore(mind_of(game).thoughts(knowledge, legal, dict(self.temper)), thrift, rng)
        return best_of([trial._replace(value=_blurred(trial.value, self.noise, rng)) for trial in trials])


def _blurred(value: float, noise: float, rng: random.Random) -> float:
    return value + rng.gauss(0, noise) if noise and value > -inf else value
