"""What the house says in the terminal, in two languages."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from importlib import resources

from companion.commands.files import command_name
from companion.games.protocol import Event


class EveningError(Exception):
    """The house can't open: `event` says why and what to do, in our words or in those of the room it comes from."""

    def __init__(self, event: Event, words: Callable[[Event, str], str] | None = None) -> None:
        self.event, self.words = event, words
        super().__init__(event.code)


@cache
def _texts() -> dict[str, dict[str, str]]:
    source = resources.files(__package__).joinpath("texts.json").read_text(encoding="utf-8")
    return dict(json.loads(source))


def text(key: str, language: str, **values: object) -> str:
    """A sentence; `command` in it is how one calls us here."""
    return _texts()[key][language].format(command=command_name(), **values)


def sentence(error: EveningError, language: str) -> str:
    if error.words is not None:
        return error.words(error.event, language)
    return text(error.event.code, language, **error.event.data)
