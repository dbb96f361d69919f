"""What the table says, in the viewer's language: its own sentences, and those of the game that is played."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources

from companion.games import texts
from companion.games.protocol import Event, Refusal


@cache
def catalogue(game: str) -> Mapping[str, Mapping[str, str]]:
    """All sentences at a table where this game is played: code -> language -> sentence."""
    own = json.loads(resources.files("companion.table").joinpath("texts.json").read_text(encoding="utf-8"))
    return {**texts.catalogue(game), **own}


def say(event: Event | Refusal, language: str = "en", game: str = "makabana") -> str:
    """The event as a sentence."""
    return texts.say_from(event, language, catalogue(game))
