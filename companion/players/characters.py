"""Who sits at the table when people are missing: named characters, from somebody who has just learnt to a master.

They are data (`characters.json`; their temperament in words is in `texts.json` under `character.ID`), made of the same
few bots. `random`, `greedy` and `strong` are those bots plain, for measuring.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import NamedTuple

from companion.games.protocol import Event, FormatError, Json
from companion.players.bot import Bot
from companion.players.bots import GreedyBot, RandomBot, StrongBot
from companion.players.texts import fact

PLAIN_BOTS: Mapping[str, Bot] = MappingProxyType({"random": RandomBot(), "greedy": GreedyBot(), "strong": StrongBot()})


class Character(NamedTuple):
    """Somebody to play with. `level` goes from 1, a beginner, to 6."""

    id: str
    name: str
    level: int
    bot: Bot

    @property
    def temperament(self) -> Event:
        """What the character is like, to be said in the reader's language."""
        return fact(f"character.{self.id}", name=self.name, level=self.level)


@cache
def characters() -> tuple[Character, ...]:
    """Everybody there is, from the weakest on."""
    text = resources.files("companion.players").joinpath("characters.json").read_text(encoding="utf-8")
    return tuple(_character(entry) for entry in json.loads(text))


def _character(entry: Mapping[str, Json]) -> Character:
    noise, slips = entry.get("noise", 0.0), entry.get("slips", 0.0)
    bot: Bot = GreedyBot(noise, slips)
    if entry["bot"] == "strong":
        bot = StrongBot(noise, entry.get("time", 1.0), tuple(sorted(entry.get("temper", {}).items())))
    return Character(entry["id"], entry["name"], entry["level"], bot)


def bot_names() -> tuple[str, ...]:
    """Whom `bot_named` knows."""
    return (*PLAIN_BOTS, *(character.id for character in characters()))


def bot_named(name: str) -> Bot:
    """A plain bot or a character's. Raises `FormatError`."""
    found = {**PLAIN_BOTS, **{character.id: character.bot for character in characters()}}
    if name not in found:
        raise FormatError(fact("bot_unknown", bot=name[:40], allowed=list(found)))
    return found[name]
