"""What an update says in the terminal, in two languages."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources

from companion.games.protocol import Event


class UpdateError(Exception):
    """The update can't be done, and nothing has changed: `event` says why and what to do."""

    def __init__(self, code: str, **data: object) -> None:
        self.event = Event(code, dict(data))
        super().__init__(code)


@cache
def texts() -> dict[str, dict[str, str]]:
    """All sentences: code -> language -> sentence."""
    source = resources.files(__package__).joinpath("texts.json").read_text(encoding="utf-8")
    return dict(json.loads(source))


def say(event: Event, language: str) -> str:
    return texts()[event.code][language].format(**event.data)
