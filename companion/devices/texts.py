"""What devices have to say, in words: `texts.json` has a sentence per code and language."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from string import Formatter
from typing import Any

from companion.table.observations import Event

_AND_OR = {"en": {"list": "and", "or": "or"}, "fr": {"list": "et", "or": "ou"}}


@cache
def catalogue() -> Mapping[str, Mapping[str, str]]:
    """All texts: code -> language -> sentence."""
    texts: dict[str, dict[str, str]] = json.loads(
        resources.files(__package__).joinpath("texts.json").read_text(encoding="utf-8")
    )
    return texts


def say(event: Event, language: str = "en") -> str:
    """The event as a sentence. A code without a text is said as it is, with its data: better plain than silent."""
    texts = catalogue()
    if event.code not in texts:
        return f"{event.code} {json.dumps(dict(event.data), ensure_ascii=False, default=str)}"
    return _Words(language).vformat(texts[event.code][language], (), event.data)


class _Words(Formatter):
    """Fills a sentence: `{names:list}` is "a, b and c", `{names:or}` likewise, `{piece:piece}` a piece in words."""

    def __init__(self, language: str) -> None:
        self._language = language

    def format_field(self, value: Any, format_spec: str) -> str:
        match format_spec:
            case "list" | "or":
                return self._join([str(one) for one in value], _AND_OR[self._language][format_spec])
            case "colour":
                return self._colour(str(value))
            case "piece":
                return self._piece(str(value))
        return str(value)

    def _join(self, words: list[str], last: str) -> str:
        *most, final = words or ["–"]
        return f"{', '.join(most)} {last} {final}" if most else final

    def _colour(self, colour: str) -> str:
        bare, _, half = colour.partition("-")
        said = catalogue().get(f"colour.{bare}", {}).get(self._language, bare.capitalize())
        return f"{said} {half}" if half else said

    def _piece(self, text: str) -> str:
        """`blue card Azzura` as people say it: "Blue's Azzura card"."""
        colour, kind, *card = text.split()
        key = f"piece.{kind}"
        if key not in catalogue():
            return text
        return catalogue()[key][self._language].format(colour=self._colour(colour), card=" ".join(card))
