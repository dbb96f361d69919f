"""What bots need to know of a game beyond its rules, by the game's name."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from companion.games.protocol import Action, Game
from companion.players.bot import Knowledge
from companion.players.kahuna import worth as kahuna
from companion.players.makabana.instinct import gains
from companion.players.makabana.thoughts import MakaBanaThoughts
from companion.players.makisan import worth as makisan
from companion.players.maori import worth as maori
from companion.players.plain import PlainMind
from companion.players.search import Thoughts
from companion.players.turns import Sense, TurnMind


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
# Games in which one acts after the other, by what is known of them.
_SENSES: Mapping[str, Sense] = {
    "kahuna": Sense(kahuna.imagine, kahuna.worth, worlds=2),
    "makisan": Sense(makisan.imagine, makisan.worth, worlds=4),
    "maori": Sense(maori.imagine, maori.worth),
}


def mind_of(game: Game[Any]) -> Mind:
    """The game's own mind, or the plain one that every game has."""
    if game.name in _SENSES:
        return TurnMind(game, _SENSES[game.name])
    return _MINDS.get(game.name) or PlainMind(game)
