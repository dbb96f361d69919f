"""Events in words: each code has a sentence per language, in `texts.json` here or beside the rules of its game."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib import resources
from string import Formatter
from types import MappingProxyType
from typing import Any

from companion.games.protocol import Event, Json, Refusal

LANGUAGES = ("en", "fr")
MOST_CHARS = 400
_VOWELS = "aeiouyAEIOUY"


@cache
def catalogue(game: str | None) -> Mapping[str, Mapping[str, str]]:
    """All texts of a game and the shared ones: code -> language -> sentence."""
    package = "companion.games" if game is None else f"companion.games.{game}"
    own: dict[str, dict[str, str]] = json.loads(
        resources.files(package).joinpath("texts.json").read_text(encoding="utf-8")
    )
    return MappingProxyType(own if game is None else {**catalogue(None), **own})


def say(event: Event | Refusal, language: str = "en", game: str = "makabana") -> str:
    """The event as a sentence. A code without a text is said as it is, with its data: better plain than silent."""
    return say_from(event, language, catalogue(game))


def say_from(event: Event | Refusal, language: str, texts: Mapping[str, Mapping[str, str]]) -> str:
    """The event as a sentence of these texts: for rooms that have texts of their own beside a game's."""
    return _say(event.code, event.data, language, texts)


def name(word: str, language: str = "en", game: str = "makabana") -> str:
    """A colour or seat as people call it: `blue-1` is "Blue 1"."""
    return _Words(language, catalogue(game)).who(word)


def word(key: str, language: str = "en", game: str = "makabana") -> str:
    """A word of the game in the reader's language: a category of its score, a verb, a phase."""
    return _Words(language, catalogue(game)).format_field(key, "word")


def piece_name(piece: str, colour: str, language: str = "en", game: str = "makabana") -> str:
    """A piece as people call it: a hut of blue is a "blue hut", "paillote bleue"."""
    return _Words(language, catalogue(game)).piece(piece, colour)


def _say(code: str, data: Mapping[str, Json], language: str, texts: Mapping[str, Mapping[str, str]]) -> str:
    if code not in texts:
        return f"{code} {json.dumps(dict(data), ensure_ascii=False, default=str)}"
    return _Words(language, texts).vformat(texts[code][language], (), data)


def harmless(text: str) -> str:
    """Text from outside as it may be shown: no control characters, and no longer than anybody reads."""
    shown = text if len(text) <= MOST_CHARS else f"{text[:MOST_CHARS]}…"
    return "".join(char if char.isprintable() or char == "\u00a0" else "\ufffd" for char in shown)


class _Words(Formatter):
    """Fills a sentence. The format after the colon says how a value is read: `{owner:who}`, `{sites:list}`."""

    def __init__(self, language: str, texts: Mapping[str, Mapping[str, str]]) -> None:
        self._language, self._texts = language, texts
        self._readings: Mapping[str, Callable[[Any], str]] = {
            "": str,
            "who": self.who,
            "of": self._of,
            "whos": lambda words: self._join(map(self.who, words), "and"),
            "list": lambda items: self._join(items, "and"),
            "or": lambda items: self._join(items, "or"),
            "plus": lambda items: "+".join(map(str, items)),
            "word": self._word,
            "pairs": self._pairs,
            "content": self._content,
            "contents": self._contents,
            "place": self._place,
            "places": lambda places: self._join(map(self._place, places), "and"),
            "say": self._sentences,
        }

    def format_field(self, value: Any, format_spec: str) -> str:
        return harmless(self._readings[format_spec](value))

    def convert_field(self, value: Any, conversion: str | None) -> Any:
        return repr(value)[:MOST_CHARS] if conversion == "r" else value

    def _word(self, word: str) -> str:
        key = f"word.{word}"
        return self._texts[key][self._language] if key in self._texts else str(word)

    def who(self, word: str) -> str:
        colour, _, half = str(word).partition("-")
        said = self._word(colour)
        return f"{said[:1].upper()}{said[1:]}" + (f" {half}" if half else "")

    def _of(self, word: str) -> str:
        said = self.who(word)
        if self._language == "fr":
            return f"d’{said}" if said[0] in _VOWELS else f"de {said}"
        return f"of {said}"

    def _join(self, items: Iterable[Any], last: str) -> str:
        *most, final = [self._word(item) if isinstance(item, str) else str(item) for item in items] or ["–"]
        return f"{', '.join(most)} {self._word(last)} {final}" if most else final

    def _pairs(self, values: Mapping[str, Any]) -> str:
        said = {key: "–" if value is None else self._word(value) for key, value in values.items()}
        return ", ".join(self._entries((self.who(key), value) for key, value in said.items()))

    def _entries(self, entries: Iterable[tuple[str, str]]) -> Iterable[str]:
        colon = self._word("colon")
        return (f"{key}{colon}{value}" for key, value in entries)

    def _contents(self, values: Mapping[str, str]) -> str:
        said = self._entries((self._place(place), self._content(content)) for place, content in values.items())
        return self._word("semicolon").join(said)

    def _place(self, place: str) -> str:
        """A place as people call it: its cards one after the other, or what stands there (`club:Azzura`)."""
        kind, _, where = str(place).rpartition(":")
        key = f"word.place.{kind}"
        if key in self._texts:
            return self.vformat(self._texts[key][self._language], (), {"where": where})
        return str(place).replace("-", " ")

    def _content(self, content: str) -> str:
        """What lies on a place, `hut:blue+tiki:pink`, as people say it."""
        pieces = [piece.partition(":") for piece in content.split("+")]
        return self._join([self.piece(kind, colour) if colour else kind for kind, _, colour in pieces], "and")

    def piece(self, kind: str, colour: str) -> str:
        gender = self._texts.get(f"gender.{kind}", {}).get(self._language, "")
        agreeing = f"{colour}.{gender}"  # where the colour has a form of its own for it
        said, of = self._word(f"piece.{kind}"), self._word(agreeing if f"word.{agreeing}" in self._texts else colour)
        return f"{of} {said}" if self._language == "en" else f"{said} {of}"

    def _sentences(self, events: Iterable[Mapping[str, Json]]) -> str:
        return " ".join(_say(event["code"], event, self._language, self._texts) for event in events)
