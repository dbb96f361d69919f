"""What the coach, the characters and the tournament have to say: `texts.json` beside the texts of the game at hand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType

from companion.games import texts as games
from companion.games.protocol import Event, Json


@cache
def own_texts() -> Mapping[str, Mapping[str, str]]:
    """The texts of this room: code -> language -> sentence."""
    text = resources.files("companion.players").joinpath("texts.json").read_text(encoding="utf-8")
    return MappingProxyType(json.loads(text))


@cache
def catalogue(game: str) -> Mapping[str, Mapping[str, str]]:
    """The texts of this room and of a game."""
    return MappingProxyType({**games.catalogue(game), **own_texts()})


def say(event: Event, language: str = "en", game: str = "makabana") -> str:
    """The event as a sentence in the reader's language."""
    return games.say_from(event, language, catalogue(game))


def fact(code: str, **data: Json) -> Event:
    """Something the coach has to say; its code has a sentence in `texts.json`."""
    return Event(code, data)


def percent(share: float) -> int:
    """A share as people read it."""
    return round(100 * share)
