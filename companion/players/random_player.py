"""A player without a thought: any legal action, each as likely as the next. For simulations and empty seats."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from companion.games.chance import chance_action
from companion.games.protocol import CHANCE, Action, Game, Json, Refusal

MOST_ACTIONS = 10_000  # far beyond the longest game; a game that gets here would never end


def random_action(game: Game[Any], state: Any, rng: random.Random) -> Action | None:
    """A random legal action of a random seat among those the game can go on with; None when it is over.

    Where chance is due, it speaks by the game's own odds.
    """
    actors = game.actors(state)
    if not actors:
        return None
    actor = actors[int(rng.random() * len(actors))]
    if actor == CHANCE:
        return chance_action(game, state, rng)
    actions = game.legal_actions(state, actor)
    return actions[int(rng.random() * len(actions))]


def play_randomly(game: Game[Any], header: Mapping[str, Json], rng: random.Random) -> tuple[Any, list[Action]]:
    """A whole random game: its last state and its actions."""
    state = game.start(header)
    actions: list[Action] = []
    while (action := random_action(game, state, rng)) is not None:
        result = game.apply(state, action)
        if isinstance(result, Refusal):
            raise AssertionError(f"{action.text!r} is listed as legal but refused: {result.code} {dict(result.data)}")
        state = result
        actions.append(action)
        if len(actions) > MOST_ACTIONS:
            raise AssertionError(f"the game has not ended after {MOST_ACTIONS} actions")
    return state, actions
