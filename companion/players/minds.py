"""What bots need to know of a game beyond its rules, by the game's name."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from companion.games.protocol import Action, Game
from companion.players.bot import Knowledge
from companion.players.makabana.instinct import gains
from companion.players.makabana.thoughts import MakaBanaThoughts
from companion.players.plain import PlainMind
from companion.players.search import Thoughts


class Mind(Protocol):
    """What greedy and strong bots ask about one decision. A mind sees a seat's knowledge and nothing else."""

    def gains(self, knowledge: Knowledge, legal: Sequence[Action], rng: random.Random) -> dict[Action | None, float]:
        """The actions worth a thought, each with what it brings the seat at once."""

    def thoughts(self, knowledge: Knowledge, legal: Sequence[Action], temper: Mapping[str, float]) -> Thoughts:
        """What a search needs; `temper` names what a character likes and fears, where the game knows such words."""


class MakaBanaMind:
    gains = staticmethod(gains)
    thoughts = staticmethod(MakaBanaThoughts)


_MINDS: Mapping[str, Mind] = {"makabana": MakaBanaMind()}


def mind_of(game: Game[Any]) -> Mind:
    """The game's own mind, or the plain one that every game has."""
    return _MINDS.get(game.name) or PlainMind(game)
