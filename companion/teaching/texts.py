"""What this room says of itself: faults of lesson files, beside the texts of games, players and table."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType

from companion.games.protocol import Event, Refusal
from companion.games.texts import say_from
from companion.players.texts import catalogue as player_texts


@cache
def catalogue(game: str) -> Mapping[str, Mapping[str, str]]:
    text = resources.files("companion.teaching").joinpath("texts.json").read_text(encoding="utf-8")
    return MappingProxyType({**player_texts(game), **json.loads(text)})


def say(event: Event | Refusal, language: str = "en", game: str = "makabana") -> str:
    """The event as a sentence in the reader's language."""
    return say_from(event, language, catalogue(game))
