"""The search behind the strong bot: the same for every game that can imagine what is hidden.

Information-set search over the actions of one decision: imagine a world that fits what is known, try the promising
actions in that same world, and go on from the averages (the upper ends of their confidence intervals choose what is
tried next). It can be stopped after any look.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from math import inf, log, sqrt
from typing import Any, NamedTuple, Protocol

from companion.games.protocol import Action
from companion.players.bot import Thrift

_CURIOSITY = 1.0  # in standard deviations
_DISORDER = 2.0  # places by which the order of first looks is off, on average
_SHARE_TRIED = 3  # of the candidates, every third is tried in each world


class Thoughts(Protocol):
    """What a game tells the search about one decision of one seat."""

    def candidates(self) -> Sequence[Action | None]:
        """The actions worth trying, the most promising first; never empty."""

    def prepare(self) -> Iterable[None]:
        """Works out what imagining needs, in short steps, so that it can be given up when time is short."""

    def imagine(self, rng: random.Random) -> Any:
        """A state that fits all the seat knows."""

    def value_after(self, state: Any, action: Action | None, rng: random.Random) -> float:
        """How good things are for the seat once the action has had its effects in this world."""


class Trial(NamedTuple):
    """What the search found out about one candidate."""

    action: Action | None
    looks: int
    value: float


class _Arm:
    """A candidate and the values it has had so far."""

    def __init__(self, action: Action | None) -> None:
        self.action, self.looks, self.total, self.squares = action, 0, 0.0, 0.0

    def add(self, value: float) -> None:
        self.looks += 1
        self.total += value
        self.squares += value * value

    @property
    def mean(self) -> float:
        return self.total / self.looks if self.looks else -inf

    def upper_end(self, spread: float, log_looks: float) -> float:
        return inf if not self.looks else self.mean + _CURIOSITY * spread * sqrt(log_looks / self.looks)


def best_of(trials: Sequence[Trial]) -> Action | None:
    """The action with the best value among those that were looked at often enough to say so."""
    enough = max(trial.looks for trial in trials) / 3
    known = [trial for trial in trials if trial.looks >= enough]
    return max(known, key=lambda trial: trial.value).action


def explore(thoughts: Thoughts, thrift: Thrift, rng: random.Random) -> list[Trial]:
    """All candidates with what was found out about each."""
    arms = [_Arm(action) for action in _more_or_less(thoughts.candidates(), rng)]
    is_ready = len(arms) > 1 and all(thrift.has_time() for _ in thoughts.prepare())
    while is_ready and _try_in_one_world(thoughts, arms, thrift, rng):
        pass
    return [Trial(arm.action, arm.looks, arm.mean) for arm in arms]


def _more_or_less(candidates: Sequence[Action | None], rng: random.Random) -> list[Action | None]:
    """The candidates about in their order: who has no time to look must not do the same for ever."""
    late = [place + rng.expovariate(1 / _DISORDER) for place in range(len(candidates))]
    return [candidates[place] for place in sorted(range(len(candidates)), key=late.__getitem__)]


def _try_in_one_world(thoughts: Thoughts, arms: list[_Arm], thrift: Thrift, rng: random.Random) -> bool:
    """Tries the most promising candidates in one imagined world, all with the same luck; False when time is up."""
    seed, world = rng.getrandbits(32), None
    for arm in _most_promising(arms):
        if not thrift.allows_another():
            return False
        world = thoughts.imagine(random.Random(seed)) if world is None else world
        arm.add(thoughts.value_after(world, arm.action, random.Random(seed)))
    return True


def _most_promising(arms: list[_Arm]) -> list[_Arm]:
    looks = sum(arm.looks for arm in arms)
    if not looks:
        return arms
    mean = sum(arm.total for arm in arms) / looks
    spread = sqrt(max(0.0, sum(arm.squares for arm in arms) / looks - mean * mean))
    log_looks = log(looks + 1)
    ranked = sorted(arms, key=lambda arm: -arm.upper_end(spread, log_looks))
    return ranked[: max(2, len(arms) // _SHARE_TRIED)]
