"""All tables of one house over one store: opening tables, finding them by their code, and who may speak for a seat."""

from __future__ import annotations

import hashlib
import logging
import secrets
import threading
import time
from collections.abc import Callable
from typing import NamedTuple

from companion.games.protocol import Json, Refusal
from companion.table.commands import clean_name
from companion.table.entries import Answer, Command, Store, StoreError, TableRow
from companion.table.observations import Clock
from companion.table.session import EMPTY_SEAT
from companion.table.table import Table

log = logging.getLogger(__name__)
CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"  # no vowels, so that no code is a word; nothing that looks like a digit
CODE_LENGTH = 4
_TRIES = 50


class Seated(NamedTuple):
    """Somebody who has taken a seat: the token is theirs to keep, and known to nobody else."""

    answer: Answer
    token: str

    def __repr__(self) -> str:
        return f"Seated({self.answer})"


class House:
    """The tables. Replayed from the store when it opens."""

    def __init__(self, store: Store, clock: Clock, wall: Callable[[], float] = time.time) -> None:
        self._store, self._clock, self._wall = store, clock, wall
        self._opening = threading.Lock()
        found = [self._opened(row) for row in store.tables()]
        self._tables = {table.row.id: table for table in found if table is not None}

    def _opened(self, row: TableRow) -> Table | None:
        """The table as its entries tell; None for one that can't be read, which must not keep the others closed."""
        try:
            return Table(self._store, row, self._clock, self._wall)
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever its entries hold, they stay in the store
            log.error("table %s can't be read and stays closed: %s", row.id, type(error).__name__)
            return None

    def tables(self) -> list[Table]:
        return list(self._tables.values())

    def table(self, table_id: str) -> Table | None:
        return self._tables.get(table_id)

    def by_code(self, code: str) -> Table | None:
        """The table with this code, however it was typed."""
        wanted = "".join(code.upper().split())
        found = [table for table in self._tables.values() if secrets.compare_digest(_b(table.row.code), _b(wanted))]
        return found[0] if found else None

    def open_table(self, name: str) -> Table:
        """A new table with a fresh code. Raises `StoreError` if it can't be kept."""
        for _ in range(_TRIES):
            code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
            row = TableRow(secrets.token_hex(6), clean_name(name) or "Maka Bana", code, self._wall())
            try:
                self._store.create_table(row)
            except StoreError as error:
                if error.event.code != "table_exists":
                    raise
                continue
            table = Table(self._store, row, self._clock, self._wall)
            with self._opening:  # replaced, never changed: others may go through it at this moment
                self._tables = {**self._tables, row.id: table}
            return table
        raise RuntimeError(f"no free code after {_TRIES} tries")  # with 160,000 codes, a house of that size is a fault

    def sit(self, table: Table, seat: str, name: str, key: str) -> Seated:
        """A person takes a free seat. Whoever sits there already keeps it."""
        with table.lock:
            sitting = table.session.seats.get(seat)
            if sitting is None:
                return Seated(Answer(table.session.number, Refusal("seat_unknown", _about(table, seat))), "")
            if sitting.kind != EMPTY_SEAT:
                return Seated(Answer(table.session.number, Refusal("seat_is_taken", {"seat": seat})), "")
            return self._sit(table, seat, name, key)

    def move_phone(self, table: Table, seat: str, key: str) -> Seated:
        """The same person on another phone; whoever asks has shown that they speak for the seat."""
        with table.lock:
            return self._sit(table, seat, table.session.seats[seat].name, key)

    def _sit(self, table: Table, seat: str, name: str, key: str) -> Seated:
        token = secrets.token_urlsafe(32)
        answer = table.do(Command(key, "sit", (name, token_hash(token)), seat))
        return Seated(answer, token if answer.accepted else "")

    def seat_of(self, table: Table, token: str) -> str | None:
        """The seat that a token speaks for."""
        known = token_hash(token)
        for name, seat in table.session.seats.items():
            if any(secrets.compare_digest(known, one) for one in seat.tokens):
                return name
        return None


def token_hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _b(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _about(table: Table, seat: str) -> dict[str, Json]:
    return {"seat": seat[:40], "seats": list(table.session.seats)}
