"""Reads plain data from a file key by key, and notes every mistake on the way instead of stopping at the first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from companion.table.observations import Event, Json

NAME = r"[a-z0-9_-]{1,24}"
_SHOWN = 60


class Fields:
    """One table of a file. `where` is its path there, for the mistakes, which all go to one list."""

    def __init__(self, data: Json, where: str, problems: list[Event]) -> None:
        self.where, self.problems = where, problems
        self._data: Mapping[str, Json] = {}
        self._asked: set[str] = set()
        if isinstance(data, dict):
            self._data = data
        else:
            self.complain("not_a_table", value=shown(data))

    def complain(self, code: str, key: str = "", **data: Json) -> None:
        self.problems.append(Event(code, {"where": self.path(key), **data}))

    def path(self, key: str) -> str:
        return ".".join(part for part in (self.where, key) if part)

    def __contains__(self, key: str) -> bool:
        self._asked.add(key)
        return key in self._data

    def text(
        self, key: str, pattern: str = r"[^\x00-\x1f]{1,200}", default: str | None = None, code: str = "text_wrong"
    ) -> str:
        """A text that matches the pattern. Without a default it must be there; empty if it is wrong."""
        if key not in self and default is not None:
            return default
        value = self._data.get(key)
        if isinstance(value, str) and re.fullmatch(pattern, value):
            return value
        self.complain("key_missing" if value is None else code, key, value=shown(value))
        return ""

    def name(self, key: str) -> str:
        """A name as the firmware allows it: it becomes part of a topic."""
        return self.text(key, NAME, code="name_wrong")

    def integer(self, key: str, least: int, most: int, default: int | None = None) -> int | None:
        if key not in self:
            return default
        value = self._data[key]
        if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
            return value
        self.complain("number_wrong", key, value=shown(value), least=least, most=most)
        return default

    def choice(self, key: str, choices: Sequence[str], default: str | None = None) -> str:
        if key not in self and default is not None:
            return default
        value = self._data.get(key)
        if isinstance(value, str) and value in choices:
            return value
        self.complain("choice_wrong", key, value=shown(value), allowed=list(choices))
        return choices[0]

    def texts(self, key: str, pattern: str) -> tuple[str, ...]:
        """A list of texts that match the pattern; empty if it is not there."""
        value = self._data.get(key, []) if key in self else []
        if isinstance(value, list) and all(isinstance(one, str) and re.fullmatch(pattern, one) for one in value):
            return tuple(value)
        self.complain("text_wrong", key, value=shown(value))
        return ()

    def inner(self, key: str) -> Fields:
        """The table under a key; an empty one if it is not there."""
        return Fields(self._data.get(key, {}) if key in self else {}, self.path(key), self.problems)

    def each(self, key: str) -> Iterator[Fields]:
        """The tables of a list of tables, `[[key]]` in TOML."""
        value = self._data.get(key, []) if key in self else []
        if not isinstance(value, list):
            self.complain("not_a_list", key, value=shown(value))
            return
        for number, one in enumerate(value, 1):
            yield Fields(one, f"{self.path(key)}[{number}]", self.problems)

    def names(self) -> tuple[str, ...]:
        """The keys of a table whose keys are names of things."""
        self._asked.update(self._data)
        return tuple(self._data)

    def finish(self) -> None:
        """Complains about every key that nobody asked for: most likely a slip of the pen."""
        for key in self._data:
            if key not in self._asked:
                self.complain("key_unknown", shown(key), allowed=sorted(self._asked))


def shown(value: Json) -> str:
    """A value as a mistake's sentence shows it: short, and on one line."""
    text = value if isinstance(value, str) else repr(value)
    line = "".join(letter if letter.isprintable() else "?" for letter in text[: _SHOWN + 1])
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…"
