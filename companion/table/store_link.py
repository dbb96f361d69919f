"""The way to a database, and what every store says when that way is blocked.

SQLite and PostgreSQL differ in how one connects, begins, commits and fails; that is a `Link`. What is written and read
is the same SQL for both, in `store_rows.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from companion.games.protocol import Event, Json
from companion.table.entries import StoreError

T = TypeVar("T")
Value = str | int | float | None
Row = tuple[Any, ...]
Tell = Callable[[Event], None]


class Execute(Protocol):
    """Runs one statement, with `?` for each value, and gives its rows."""

    def __call__(self, sql: str, values: tuple[Value, ...] = ()) -> list[Row]: ...


class Link(Protocol):
    """One connection, made anew whenever it was lost. Whoever shares it between threads takes care of turns.

    `path` is what people call it: a file's path, or a server's address without its secrets.
    """

    @property
    def path(self) -> str: ...

    def write(self, work: Callable[[Execute], T]) -> T:
        """Does the work in one transaction and returns once that is safe from a power cut.

        Raises `StoreError`: `BrokenOffError` if nobody knows what became of it, `ConflictError` if another writer was
        faster.
        """

    def read(self, sql: str, values: tuple[Value, ...] = ()) -> list[Row]:
        """All rows of one query. Raises `StoreError`, `BrokenOffError` where asking again may help."""

    def close(self) -> None:
        """May be called twice; afterwards all else raises `StoreError`."""


class BrokenOffError(StoreError):
    """It broke off in mid-work: only reading tells what was kept."""


class ConflictError(StoreError):
    """Another writer has just taken that number, key, id or code. Looking again tells which."""


def fault(code: str, /, **data: Json) -> StoreError:
    return StoreError(Event(code, data))
