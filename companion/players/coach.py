"""The coach: on demand, from what a seat may know, in codes and data that phones can show (`texts.say` has the words).

It is given a `Knowledge` and never a state, so it can't look into anybody's cards. Games that it knows nothing of
beyond the rules get no advice while they are played; what decided a game is told of every one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from companion.games.protocol import Action, Event, Game
from companion.games.record import Record
from companion.players.bot import Knowledge
from companion.players.makabana import advice, hindsight
from companion.players.turning import turning_points

LOOKS = 60  # imagined worlds behind each figure of risk


class _Adviser(NamedTuple):
    """What a game can tell its players."""

    open_plans: Callable[[Knowledge], list[Event]]
    projects: Callable[[Knowledge, Sequence[Action], int, int], list[Event]]
    tikis: Callable[[Knowledge, Sequence[Action]], list[Event]]
    why_failed: Callable[[Knowledge], list[Event]]


_ADVISERS: Mapping[str, _Adviser] = {
    "makabana": _Adviser(advice.open_plans, advice.projects, advice.tikis, hindsight.why_failed)
}


def advise(
    game: Game[Any], knowledge: Knowledge, legal: Sequence[Action], looks: int = LOOKS, seed: int = 0
) -> list[Event]:
    """Everything worth telling now: what others may mean, what one's plans are worth and risk, where a tiki helps."""
    adviser = _ADVISERS.get(game.name)
    if adviser is None:
        return []
    opponents, plans = adviser.open_plans(knowledge), adviser.projects(knowledge, legal, looks, seed)
    return [*opponents, *plans, *adviser.tikis(knowledge, legal)]


def why_failed(game: Game[Any], knowledge: Knowledge) -> list[Event]:
    """What went wrong for the seat this round, and what would have been better."""
    adviser = _ADVISERS.get(game.name)
    return [] if adviser is None else adviser.why_failed(knowledge)


def what_decided(record: Record) -> list[Event]:
    """After the game: its turning points. Raises `FormatError` if the record is not a game."""
    return [point.event for point in turning_points(record)]
