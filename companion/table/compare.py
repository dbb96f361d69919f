"""Belief against expectation, place by place: what agrees, what is still to be done, what differs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from companion.games.protocol import EMPTY, Expected, Game, content_of
from companion.table.belief import Belief

# Up to 2 : 1 against, a reading is the camera's hesitation: people put pieces where they belong far oftener than not.
AGREE_NATS = 0.7
# Where hands were to change something, it counts as done once it looks ten times likelier than what lay there before.
CHANGE_NATS = 2.3
# From 100 : 1 against on, it is worth somebody's attention. In between, the place is doubtful.
DIFFER_NATS = 4.6

CONFIRMED, PENDING, DOUBTFUL, DIFFERS, HIDDEN, UNKNOWN = (
    "confirmed",
    "pending",
    "doubtful",
    "differs",
    "hidden",
    "unknown",
)

Contents = Mapping[str, str]  # what lies on each place that is not empty


class PlaceState(NamedTuple):
    """How a place stands. `seen` is what lies there as far as anybody can tell."""

    state: str
    expected: str
    seen: str | None


def contents_of(expected: Expected) -> dict[str, str]:
    return {place: content_of(pieces) for place, pieces in expected.items()}


def expected_contents(game: Game[Any], state: Any) -> dict[str, str]:
    return contents_of(game.expected(state))


def compare(
    places: tuple[str, ...], expected: Contents, earlier: Mapping[str, frozenset[str]], belief: Belief, now: float
) -> dict[str, PlaceState]:
    """Every place's standing. `earlier` are contents that may still lie where hands have not followed yet."""
    return {
        place: _standing(place, expected.get(place, EMPTY), earlier.get(place, frozenset()), belief, now)
        for place in places
    }


def _standing(place: str, expected: str, earlier: frozenset[str], belief: Belief, now: float) -> PlaceState:
    cost = belief.cost(place, expected, now)
    seen = belief.favourite(place)
    if cost is None:
        return PlaceState(HIDDEN if belief.is_hidden(place) else UNKNOWN, expected, None)
    before = min((_certain(belief.cost(place, content, now)) for content in earlier), default=float("inf"))
    if cost <= AGREE_NATS and before - cost >= CHANGE_NATS:
        return PlaceState(CONFIRMED, expected, expected)
    if before <= AGREE_NATS:
        return PlaceState(PENDING, expected, seen)
    # Where the camera itself agrees and only a reader does not, it is a doubt about sensors, not about the board.
    return PlaceState(DIFFERS if cost >= DIFFER_NATS and seen != expected else DOUBTFUL, expected, seen)


def _certain(cost: float | None) -> float:
    return float("inf") if cost is None else cost
