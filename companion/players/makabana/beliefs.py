"""What others may have in mind: plans weighted by what they would bring, as far as the clues leave them open."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate
from math import exp
from typing import NamedTuple

from companion.games.makabana.determinise import possible_plan
from companion.games.makabana.plans import Plan
from companion.games.makabana.setup import Setup
from companion.games.makabana.state import PLAN, State
from companion.games.protocol import Event, Json
from companion.players.makabana.options import Option, options_of
from companion.players.makabana.worth import Worth

_CARELESS = 0.1  # the share of plans that follow no reason we know
_HABIT_BEFORE = (6.0, 3.0, 1.0)  # how often plans are 0, 1, 2 or more cards away from three, before anybody is known
Seen = Mapping[str, Json]
Stops = dict[str, float]
Look = tuple[Json, Json, Json]
Habits = tuple[tuple[str, tuple[float, ...]], ...]
UNSEEN: Seen = {"clue": None, "count": None, "open_paints": None}


class Guess(NamedTuple):
    """A plan somebody may have laid, and how likely that is."""

    plan: Plan
    option: Option
    odds: float


class Guesses(NamedTuple):
    """All plans that fit what is seen, ready to be drawn from; none where no reasonable plan fits."""

    each: tuple[Guess, ...]
    cumulative: tuple[float, ...]


class Beliefs:
    """The opinion of one observer at one moment. It keeps what it has worked out: a search asks thousands of times."""

    def __init__(self, state: State, habits: Habits, sharpness: float) -> None:
        self._state, self._sharpness = state, sharpness
        self.worth = Worth(state.setup, state.huts, state.clubs)
        self._habits = dict(habits)
        self._options: dict[tuple[str, int, int], list[Option]] = {}
        self._looking: dict[int, dict[Look, list[Guess]]] = {}
        self._guesses: dict[tuple[int, Look], Guesses] = {}
        self._trickier: dict[tuple[int, Look, int], tuple[float, float]] = {}
        self._stops: dict[tuple[int, Look], Stops] = {}

    def options(self, seat: int) -> list[Option]:
        """The plans worth a thought for a seat; partners with the same cards left have the same."""
        state = self._state
        key = (state.setup.colour_of[seat], state.paints[seat], state.club_cards[seat])
        if key not in self._options:
            self._options[key] = options_of(state, seat, self.worth)
        return self._options[key]

    def guesses(self, seat: int, seen: Seen = UNSEEN) -> Guesses:
        """What the seat may have laid, given what is seen of it."""
        look = _look(seen)
        if (seat, look) not in self._guesses:
            fitting = self._by_look(seat).get(look, [])
            total = sum([guess.odds for guess in fitting])
            each = tuple([guess._replace(odds=guess.odds / total) for guess in fitting])
            self._guesses[seat, look] = Guesses(each, tuple(accumulate([guess.odds for guess in each])))
        return self._guesses[seat, look]

    def draw(self, seat: int, seen: Seen, rng: random.Random) -> Plan:
        """A plan the seat may have laid: the likelier the oftener."""
        each, cumulative = self.guesses(seat, seen)
        if not each:
            return possible_plan(self._state, seat, seen, rng)
        return rng.choices(each, cum_weights=cumulative)[0].plan

    def stops(self, seat: int, seen: Seen) -> Stops:
        """For each place, how much a tiki there can be expected to cost the seat."""
        key = (seat, _look(seen))
        if key not in self._stops:
            found: Stops = {}
            for _, option, odds in self.guesses(seat, seen).each:
                for place, loss in option.stops:
                    found[place] = found.get(place, 0.0) + odds * loss
            self._stops[key] = found
        return self._stops[key]

    def trickier(self, seat: int, seen: Seen, than: int) -> tuple[float, float]:
        """The odds that the seat's plan is trickier than so many cards, and what such plans bring, times their odds."""
        key = (seat, _look(seen), than)
        if key not in self._trickier:
            found = [guess for guess in self.guesses(seat, seen).each if guess.plan.trickery > than]
            odds = sum(guess.odds for guess in found)
            self._trickier[key] = odds, sum(guess.odds * guess.option.value for guess in found)
        return self._trickier[key]

    def exposure(self, seat: int, option: Option, plan: Plan) -> float:
        """How much of what others would want to stop, going by the shown card, is this very plan: 0 to 1."""
        setup = self._state.setup
        stops = self.stops(seat, outside_of(setup, plan, setup.rules.count_is_public))
        total = sum([loss for loss in stops.values() if loss > 0])
        places = {place for place, _ in option.stops}
        return sum([max(0.0, stops.get(place, 0.0)) for place in places]) / total if total else 0.0

    def _by_look(self, seat: int) -> dict[Look, list[Guess]]:
        """All guesses about a seat by how they look from outside: before clues are shown, with and without a count."""
        if seat not in self._looking:
            options, setup = self.options(seat), self._state.setup
            found: dict[Look, list[Guess]] = {}
            for option, share in zip(options, self._odds_of(seat, options), strict=True):
                for plan in option.plans:
                    guess = Guess(plan, option, share / len(option.plans))
                    face, count, paints = _look(outside_of(setup, plan, is_counted=True))
                    for look in ((None, None, None), (face, count, paints), (face, None, paints)):
                        found.setdefault(look, []).append(guess)
            self._looking[seat] = found
        return self._looking[seat]

    def _odds_of(self, seat: int, options: list[Option]) -> list[float]:
        """The better, the likelier; in Mao the numbers of cards are as likely as the seat's habit says."""
        if not options:
            return []
        best = options[0].value
        weights = [exp((option.value - best) * self._sharpness) for option in options]
        total, careless = sum(weights), _CARELESS / len(options)
        odds = [(1 - _CARELESS) * weight / total + careless for weight in weights]
        return self._by_habit(seat, options, odds) if self._state.setup.rules.tricky else odds

    def _by_habit(self, seat: int, options: list[Option], odds: list[float]) -> list[float]:
        kinds = [min(option.plans[0].trickery, 2) for option in options]
        totals = [0.0, 0.0, 0.0]
        for share, kind in zip(odds, kinds, strict=True):
            totals[kind] += share
        habit = self._habits.get(self._state.setup.seats[seat], _HABIT_BEFORE)
        present = sum(habit[kind] for kind in range(3) if totals[kind])
        return [share * habit[kind] / present / totals[kind] for share, kind in zip(odds, kinds, strict=True)]


def _look(seen: Seen) -> Look:
    return seen["clue"], seen["count"], seen["open_paints"]


@dataclass(frozen=True)
class _Moment:
    """A state as far as beliefs depend on it: a whole round has the same, and so have all bots at a table."""

    key: tuple[object, ...]
    state: State = field(compare=False)


def beliefs_about(state: State, events: Iterable[Event] = (), sharpness: float = 1.0) -> Beliefs:
    """What to believe of everybody's plans. `events` tell their habits so far.

    `sharpness`: how strongly others are thought to prefer what brings most; 0 is not at all.
    """
    board = (tuple(sorted(state.huts.items())), tuple(sorted(state.clubs.items())), state.final is None)
    key = (state.setup, *board, state.reserves, state.paints, state.club_cards)
    return _beliefs(_Moment(key, state), _habits(events) if state.setup.rules.tricky else (), sharpness)


@lru_cache(maxsize=16)
def _beliefs(moment: _Moment, habits: Habits, sharpness: float) -> Beliefs:
    return Beliefs(moment.state, habits, sharpness)


def _habits(events: Iterable[Event]) -> Habits:
    """How tricky each seat's plans have been, as far as they were seen."""
    found: dict[str, list[float]] = {}
    for event in events:
        if event.code == "revealed":
            habit = found.setdefault(event.data["seat"], list(_HABIT_BEFORE))
            habit[min(abs(len(event.data["cards"]) - 3), 2)] += 2.0
    return tuple((seat, tuple(habit)) for seat, habit in found.items())


def outside_of(setup: Setup, plan: Plan, is_counted: bool) -> Seen:
    """What everybody sees of a plan that lies face down but for its clue."""
    return {
        "clue": None if plan.clue is None else setup.seen_face[plan.clue],
        "count": len(plan.cards) if is_counted else None,
        "open_paints": plan.paints if setup.rules.paint_lies_open else 0,
    }


def seen_of(state: State, seat: int) -> Seen:
    """What everybody sees of a seat's plan in a state."""
    plan = state.plans[seat]
    return UNSEEN if plan is None or state.phase == PLAN else outside_of(state.setup, plan, state.counted[seat])
