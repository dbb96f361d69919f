"""What the house says in the terminal, in two languages."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources

from companion.commands.files import command_name
from companion.games.protocol import Event
from companion.table.texts import say


class EveningError(Exception):
    """The house can't open: `event` says why and what to do."""

    def __init__(self, event: Event) -> None:
        self.event = event
        super().__init__(event.code)


@cache
def _texts() -> dict[str, dict[str, str]]:
    source = resources.files(__package__).joinpath("texts.json").read_text(encoding="utf-8")
    return dict(json.loads(source))


def text(key: str, language: str, **values: object) -> str:
    """A sentence; `command` in it is how one calls us here."""
    return _texts()[key][language].format(command=command_name(), **values)


def sentence(error: EveningError, language: str) -> str:
    """What the house says of it, or else what a table would."""
    if error.event.code in _texts():
        return text(error.event.code, language, **error.event.data)
    return say(error.event, language)
