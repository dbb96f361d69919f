"""Reads plain JSON data key by key, and notes everything that is wrong instead of stopping at the first fault."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from companion.games.protocol import Action, Event, FormatError, Json
from companion.games.texts import LANGUAGES
from companion.teaching.lesson import Text

MOST_CHARS = 500
MOST_ITEMS = 60
_WORDS = re.compile(r"[^\s#]{1,64}( [^\s#]{1,64}){0,39}")


class Reader:
    """One JSON object of a lesson. `where` says where it stands, for the teacher's eyes."""

    def __init__(self, data: Json, where: str, allowed: Sequence[str], problems: list[Event]) -> None:
        self._data: dict[str, Json] = data if isinstance(data, dict) else {}
        self._where, self._problems = where, problems
        if not isinstance(data, dict):
            self.note("lesson_not_object")
        for key in self._data:
            if key not in allowed:
                self.note("lesson_key_unknown", key=str(key)[:60], allowed=list(allowed))

    def note(self, code: str, **data: Json) -> None:
        self._problems.append(Event(code, {"where": self._where, **data}))

    def has(self, key: str) -> bool:
        return key in self._data

    def raw(self, key: str, default: Any = None) -> Json:
        return self._data.get(key, default)

    def text(self, key: str, is_needed: bool = True) -> Text:
        """A sentence in both languages."""
        if key not in self._data and not is_needed:
            return Text("", "")
        value = self._data.get(key)
        found = value if isinstance(value, dict) else {}
        sentences = []
        for language in LANGUAGES:
            sentence = found.get(language)
            if not isinstance(sentence, str) or not sentence.strip():
                self.note("lesson_text_missing", key=key, language=language)
                sentence = ""
            elif len(sentence) > MOST_CHARS:
                self.note("lesson_text_long", key=key, language=language, count=len(sentence), most=MOST_CHARS)
            sentences.append(sentence[:MOST_CHARS])
        return Text(*sentences)

    def number(self, key: str, least: int, most: int) -> int:
        value = self._data.get(key)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            self.note("lesson_number_wrong", key=key, value=str(value)[:60], least=least, most=most)
            return least
        return value

    def items(self, key: str) -> list[Json]:
        """A list that need not be there."""
        value = self._data.get(key, [])
        if not isinstance(value, list) or len(value) > MOST_ITEMS:
            self.note("lesson_list_wrong", key=key, most=MOST_ITEMS)
            return []
        return value

    def lines(self, key: str) -> tuple[str, ...]:
        """Short lines of plain words."""
        found = []
        for item in self.items(key):
            if isinstance(item, str) and _WORDS.fullmatch(" ".join(item.split())):
                found.append(" ".join(item.split()))
            else:
                self.note("lesson_line_unreadable", key=key, text=str(item)[:80])
        return tuple(found)

    def actions(self, key: str) -> tuple[Action, ...]:
        found = []
        for line in self.lines(key):
            try:
                found.append(Action.from_text(line))
            except FormatError:
                self.note("lesson_line_unreadable", key=key, text=line[:80])
        return tuple(found)
