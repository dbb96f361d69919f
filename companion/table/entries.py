"""What is written down, and what comes in and goes out.

An `Entry` is one line of a table's log: all that must survive a power cut, in the order in which it was accepted. The
table is the sum of its entries (`session.fold`), so there is nothing else to keep.
"""

from __future__ import annotations

import re
from typing import NamedTuple, Protocol

from companion.games.protocol import Event, FormatError, Json, Refusal

KEY = re.compile(r"[\w.:-]{1,64}")  # an idempotency key: whatever a phone makes up, within reason
MOST_ARGS = 48
MOST_ARG_CHARS = 200_000  # a header with an owner's own board in it is the longest argument there is


class Entry(NamedTuple):
    """One accepted thing. `number` counts a table's entries from 1; `at` is wall-clock time, for people only.

    `key` is the command it answers, empty where the table spoke by itself. `body` holds secrets: it is for the store.
    """

    number: int
    kind: str
    seat: str | None
    body: dict[str, Json]
    key: str = ""
    at: float = 0.0

    def __repr__(self) -> str:
        return f"Entry({self.number}, {self.kind!r}, {self.seat!r}, hidden)"  # log lines travel


class Command(NamedTuple):
    """What somebody wants. `seen` is the version they had before them; None for those who look before they speak."""

    key: str
    do: str
    args: tuple[str, ...] = ()
    seat: str | None = None  # None: the house
    seen: int | None = None

    def __repr__(self) -> str:
        return f"Command({self.do!r}, seat={self.seat!r}, hidden)"

    @classmethod
    def from_json(cls, data: Json, seat: str | None) -> Command:
        """What a phone sent, for the seat it is known to speak for. Raises `FormatError`."""
        if not isinstance(data, dict) or not isinstance(data.get("args", []), list):
            raise FormatError(Event("command_unreadable"))
        key, do, args, seen = data.get("key"), data.get("do"), data.get("args", []), data.get("seen")
        if not isinstance(key, str) or not KEY.fullmatch(key) or not isinstance(do, str) or not KEY.fullmatch(do):
            raise FormatError(Event("command_unreadable"))
        if len(args) > MOST_ARGS or not all(isinstance(arg, str) and len(arg) <= MOST_ARG_CHARS for arg in args):
            raise FormatError(Event("command_unreadable"))
        if seen is not None and (isinstance(seen, bool) or not isinstance(seen, int)):
            raise FormatError(Event("command_unreadable"))
        return cls(key, do, tuple(args), seat, seen)


class Answer(NamedTuple):
    """What became of a command. `version` is the table's after it."""

    version: int
    refusal: Refusal | None = None

    @property
    def accepted(self) -> bool:
        return self.refusal is None

    def to_json(self) -> dict[str, Json]:
        refusal = self.refusal.to_json() if self.refusal else None
        return {"accepted": self.accepted, "version": self.version, "refusal": refusal}


class StoreError(OSError):
    """Entries can't be kept: `event` says why and what to do. Nothing of what was to be kept has been."""

    def __init__(self, event: Event) -> None:
        self.event = event
        super().__init__(event.code)


class TableRow(NamedTuple):
    """A table as the store lists it."""

    id: str
    name: str
    code: str
    created: float


class Store(Protocol):
    """Keeps tables and their entries. Every method raises `StoreError` when the disk or the database fails.

    `append` returns only once the entries are safe from a power cut: all of them, or none.
    """

    def create_table(self, table: TableRow) -> None:
        """A new table. Raises `StoreError` (`table_exists`) if its id or code is taken."""

    def tables(self) -> list[TableRow]:
        """All tables, oldest first."""

    def entries(self, table_id: str, after: int = 0) -> list[Entry]:
        """A table's entries in order, those after a number."""

    def append(self, table_id: str, entries: list[Entry]) -> None:
        """Adds entries whose numbers follow on the last. Raises `StoreError` (`entry_exists`) if they do not, or if a
        key was used before at this table."""

    def close(self) -> None:
        """May be called twice."""
