"""What a bot is: somebody who chooses among legal actions, knowing what its seat may know and nothing else."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from companion.games.protocol import Action, Event, Game, Json

Clock = Callable[[], float]

# Verbs that end a time in which others may still speak up: done only when nobody else wants to say anything.
PATIENT_VERBS = frozenset({"close"})


class Knowledge(NamedTuple):
    """All that a seat may know: what it sees now, and what it has witnessed since the game began."""

    seat: str
    header: Mapping[str, Json]  # what the game began with
    view: Mapping[str, Json]  # as `Game.view` gives it; of a person with several seats, see `know`
    actions: tuple[Action, ...] = ()  # as `Game.witness` shows them to the seat
    events: tuple[Event, ...] = ()  # what everybody was told

    @property
    def is_alone(self) -> bool:
        """Whether the game waits for this seat and no other."""
        return list(self.view["waits_for"]) == [self.seat]


class Budget(NamedTuple):
    """How long a bot may think: so many seconds by this clock, and so many looks ahead where a number is given.

    With a number of looks and no limit of seconds, the same seed gives the same action on any machine.
    """

    seconds: float | None = 0.3
    iterations: int | None = None
    clock: Clock = time.perf_counter

    def share(self, part: float) -> Budget:
        """A part of this budget."""
        seconds = None if self.seconds is None else self.seconds * part
        return Budget(seconds, None if self.iterations is None else max(1, int(self.iterations * part)), self.clock)


class Bot(Protocol):
    """A way to play any game. It keeps nothing between two choices."""

    def choose(
        self, game: Game[Any], knowledge: Knowledge, legal: Sequence[Action], rng: random.Random, budget: Budget
    ) -> Action | None:
        """One of the legal actions; None to let a moment pass in which others can go on (nobody need denounce)."""


def know(
    game: Game[Any],
    state: Any,
    seat: str,
    actions: Iterable[Action] = (),
    events: Iterable[Event] = (),
    partners: Sequence[str] = (),
) -> Knowledge:
    """What a seat may know of a state and of the actions and events that led there.

    `partners` are the other seats of the same person, whose plans that person knows as well.
    """
    view = game.view(state, seat)
    for partner in partners:
        view["plans"] = {**view["plans"], partner: game.view(state, partner)["plans"][partner]}
    witnessed = tuple(game.witness(action, seat) for action in actions)
    return Knowledge(seat, game.header(state), view, witnessed, tuple(events))


class Thrift:
    """Spends a budget: says whether there is time for one more step, going by the longest so far."""

    def __init__(self, budget: Budget) -> None:
        self._budget, self._looks, self._longest = budget, 0, 0.0
        self._began = self._last = budget.clock()

    def has_time(self) -> bool:
        """Whether a step as long as the longest so far would still end in time."""
        now = self._budget.clock()
        self._longest = max(self._longest, now - self._last)
        self._last = now
        seconds = self._budget.seconds
        return seconds is None or now - self._began + self._longest <= seconds

    def allows_another(self) -> bool:
        """Whether there is time for one more look ahead, which is counted."""
        self._looks += 1
        iterations = self._budget.iterations
        return self.has_time() and (iterations is None or self._looks <= iterations)
