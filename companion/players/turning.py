"""What decided a game: its turning points, named, from the record alone. For every game; a game may know of more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from companion.games.catalogue import game_of
from companion.games.protocol import Event, Game, Json
from companion.games.record import Record, replay
from companion.players.makabana.hindsight import missed
from companion.players.texts import fact

MOST_POINTS = 6
LEAST_SWING = 3.0  # points that make a moment worth telling
_SMALL_TALK = ("revealed", "round_begins", "plan_laid")

# Plans that came to nothing and what they would have brought, by game: (seat, gain, event).
Missed = Callable[[Any, Iterable[Event]], list[tuple[str, float, Event]]]
_MISSED: Mapping[str, Missed] = {"makabana": missed}


class TurningPoint(NamedTuple):
    """A moment that mattered: after so many actions, in this round; `event` names it, `swing` is in points."""

    number: int
    round: int
    event: Event
    swing: float
    totals: Mapping[str, int]

    def to_json(self) -> dict[str, Json]:
        return {**self._asdict(), "event": self.event.to_json(), "totals": dict(self.totals)}


class _Step(NamedTuple):
    """One action of the record: the states around it, and the totals."""

    round: int
    before: Any
    after: Any
    totals_before: Mapping[str, int]
    totals: Mapping[str, int]
    leaders: frozenset[str]  # after it

    def point(self, event: Event, swing: float) -> TurningPoint:
        return TurningPoint(self.after.number, self.round, event, swing, self.totals)

    @property
    def because(self) -> list[dict[str, Json]]:
        return [event.to_json() for event in self.after.events if event.code not in _SMALL_TALK]


def turning_points(record: Record, most: int = MOST_POINTS) -> list[TurningPoint]:
    """The moments that decided the game, in the order they came. Raises `FormatError` as `replay` does."""
    game = game_of(dict(record.header))
    steps = _steps(game, record)
    settled = _settled(steps) if steps and game.outcome(steps[-1].after) else []
    numbers = {point.number for point in settled}
    found = [point for step in steps if step.after.number not in numbers
             for point in (*_swings(step), *_stopped(game, step))]  # fmt: skip
    found.sort(key=lambda point: (-point.swing, point.number))
    return sorted(found[: most - len(settled)] + settled, key=lambda point: (point.number, point.event.code))


def _steps(game: Game[Any], record: Record) -> list[_Step]:
    steps: list[_Step] = []
    states: list[Any] = list(replay(record))
    totals = _totals(game, states[0])
    for before, after in pairwise(states):
        score = game.score(after)
        later = {player: points["total"] for player, points in score.points.items()}
        round_ = game.view(before, None).get("round", 0)
        steps.append(_Step(round_, before, after, totals, later, frozenset(score.winners)))
        totals = later
    return steps


def _totals(game: Game[Any], state: Any) -> dict[str, int]:
    return {player: points["total"] for player, points in game.score(state).points.items()}


def _swings(step: _Step) -> list[TurningPoint]:
    """A step that moved many points: somebody's leap, or a blow to somebody."""
    change = {player: total - step.totals_before[player] for player, total in step.totals.items()}
    gainer = max(change, key=lambda player: change[player])
    loser = min(change, key=lambda player: change[player])
    swing = float(change[gainer] - change[loser]) if change[loser] < 0 else float(change[gainer])
    if not step.round or swing < LEAST_SWING:
        return []
    if change[loser] < 0:
        blow = fact("turn_blow", player=loser, lost=-change[loser], gainer=gainer, gained=max(0, change[gainer]),
                    because=step.because)  # fmt: skip
        return [step.point(blow, swing)]
    return [step.point(fact("turn_leap", player=gainer, gained=change[gainer], because=step.because), swing)]


def _stopped(game: Game[Any], step: _Step) -> list[TurningPoint]:
    """A plan that somebody stopped, if it would have brought much."""
    look = _MISSED.get(game.name)
    return [
        step.point(fact("turn_stopped", seat=seat, missed=round(gain, 1), because=[event.to_json()]), gain)
        for seat, gain, event in (look(step.before, step.after.events) if look else ())
        if gain >= LEAST_SWING
    ]


def _settled(steps: Sequence[_Step]) -> list[TurningPoint]:
    """The moment from which the winners were never behind again."""
    winners = steps[-1].leaders
    since = len(steps)
    while since and steps[since - 1].leaders <= winners:
        since -= 1
    if since == len(steps):
        return []
    step = steps[since]
    swing = float(max(abs(total - step.totals_before[player]) for player, total in step.totals.items()))
    return [step.point(fact("turn_settled", players=sorted(winners), round=step.round, because=step.because), swing)]
