"""What the house has to say, in words: `texts.json` has a sentence per code and language."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources

from companion.games.protocol import Event
from companion.games.texts import harmless


@cache
def catalogue() -> Mapping[str, Mapping[str, str]]:
    """All texts: code -> language -> sentence."""
    text = resources.files("companion.house").joinpath("texts.json").read_text(encoding="utf-8")
    found: dict[str, dict[str, str]] = json.loads(text)
    return found


def say(event: Event, language: str = "en") -> str:
    """The event as a sentence. A code without a text is said as it is, with its data: better plain than silent."""
    if event.code not in catalogue():
        return f"{event.code} {json.dumps(dict(event.data), ensure_ascii=False, default=str)}"
    data = {key: ", ".join(map(str, value)) if isinstance(value, list) else value for key, value in event.data.items()}
    return harmless(catalogue()[event.code][language].format(**data))
