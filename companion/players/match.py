"""Whole games between bots: each is asked with what its seat knows, and the rules do the rest."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from companion.games.chance import chance_action
from companion.games.protocol import CHANCE, Action, Event, Game, Json, Refusal
from companion.players.bot import PATIENT_VERBS, Bot, Budget, know

MOST_ACTIONS = 10_000  # far beyond the longest game


class Seat(NamedTuple):
    """Who plays a seat, and which other seats the same person plays."""

    bot: Bot
    partners: tuple[str, ...] = ()


class Played(NamedTuple):
    """A finished game: its last state and its actions."""

    state: Any
    actions: tuple[Action, ...]


def play_match(
    game: Game[Any], header: Mapping[str, Json], seats: Mapping[str, Seat], rng: random.Random, budget: Budget
) -> Played:
    """A whole game between bots."""
    state = game.start(header)
    actions: list[Action] = []
    events: list[Event] = []
    while actors := game.actors(state):
        if CHANCE in actors:
            action = chance_action(game, state, rng)
        else:
            action = _next_action(game, state, _shuffled(actors, rng), seats, _Record(actions, events), rng, budget)
        result = game.apply(state, action)
        if isinstance(result, Refusal) or len(actions) >= MOST_ACTIONS:
            raise AssertionError(f"{action.text!r} after {len(actions)} actions: {result}")
        state = result
        actions.append(action)
        events += state.events
    return Played(state, tuple(actions))


class _Record(NamedTuple):
    actions: Sequence[Action]
    events: Sequence[Event]


def _shuffled(actors: Sequence[str], rng: random.Random) -> list[str]:
    """Nobody knows who speaks first when several may."""
    return rng.sample(actors, len(actors)) if len(actors) > 1 else list(actors)


def _next_action(
    game: Game[Any],
    state: Any,
    actors: Sequence[str],
    seats: Mapping[str, Seat],
    record: _Record,
    rng: random.Random,
    budget: Budget,
) -> Action:
    """What the first seat with something to say does; who only ends the time for it waits for the others."""
    patient: Action | None = None
    for name in actors:
        knowledge = know(game, state, name, record.actions, record.events, seats[name].partners)
        action = seats[name].bot.choose(game, knowledge, game.legal_actions(state, name), rng, budget)
        if action is not None and action.verb not in PATIENT_VERBS:
            return action
        patient = action or patient
    assert patient is not None, f"nobody of {actors} acts"
    return patient
