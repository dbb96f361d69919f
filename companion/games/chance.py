"""Letting chance speak: whoever runs a game draws with a generator of their own, and records what came up.

The games know no generator. They say what may come up and how likely each is (`Game.odds`); a table with real cards
records what its people or trays report instead, and never comes here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.games.protocol import CHANCE, Action, Game

if TYPE_CHECKING:
    from random import Random


def chance_is_due(game: Game[Any], state: Any) -> bool:
    """Whether the game waits for chance."""
    return CHANCE in game.actors(state)


def chance_action(game: Game[Any], state: Any, rng: Random) -> Action:
    """What comes up, drawn with the generator by the game's own odds."""
    outcomes = game.odds(state)
    return rng.choices(list(outcomes), weights=list(outcomes.values()))[0]
