"""Where entries are kept: an SQLite file beside the companion, or a PostgreSQL server by its address.

`append` returns only once all its entries are synced to the disk, and keeps all of them or none. After any error but
`store_doubtful` nothing of them was kept; after that one, and after `entry_exists`, read the table's entries again.
"""

from __future__ import annotations

import contextlib
import logging
import re
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

from companion.games.protocol import Event
from companion.table.entries import Entry, Store, TableRow
from companion.table.store_commits import GroupCommit, Job
from companion.table.store_link import BrokenOffError, Link, Row, Tell, Value, fault
from companion.table.store_opening import Memory, OpenFile
from companion.table.store_postgres import PostgresLink
from companion.table.store_rows import (
    ENTRY_COLUMNS,
    TABLE_COLUMNS,
    append_rows,
    entry_of,
    entry_rows,
    has_rows,
    has_table,
    insert_table,
    table_row,
)
from companion.table.store_sqlite import MEMORY

log = logging.getLogger(__name__)
_POSTGRES = re.compile(r"postgres(ql)?://")
_ANY_SCHEME = re.compile(r"[A-Za-z][\w+.-]*://")


def _log_event(event: Event) -> None:
    log.error("%s %s", event.code, dict(event.data))


def open_store(address: str, tell: Tell = _log_event) -> Store:
    """The store at a path (`tables.db`, `sqlite:tables.db`), a server (`postgresql://...`) or nowhere (`memory:`).

    A broken file is set aside, what can be read of it is saved, and `tell` hears of it (`store_set_aside`). Raises
    `StoreError` if the store can't be opened.
    """
    if _POSTGRES.match(address):
        return _open_postgres(address)
    path = address.removeprefix("sqlite:")
    if not path or "\0" in path or _ANY_SCHEME.match(address):
        raise fault("store_address_unreadable", address=re.sub("//.*", "//…", address)[:80])
    return _open_sqlite(Memory() if address == MEMORY else OpenFile(Path(path), tell))


def _open_sqlite(file: OpenFile | Memory) -> Store:
    with contextlib.ExitStack() as if_it_fails:
        if_it_fails.callback(file.release)
        writer = file.link()
        if_it_fails.callback(writer.close)
        store = LogStore(writer, file.link(), file.release)
        if_it_fails.pop_all()
        return store


def _open_postgres(address: str) -> Store:
    with contextlib.ExitStack() as if_it_fails:
        writer = PostgresLink(address)
        if_it_fails.callback(writer.close)
        writer.migrate()
        store = LogStore(writer, PostgresLink(address))
        if_it_fails.pop_all()
        return store


class LogStore:
    """The `Store` over two links, so that reading does not wait for a sync. Any thread may call it."""

    def __init__(self, writer: Link, reader: Link, when_closed: Callable[[], None] = lambda: None) -> None:
        self._commits, self._reader = GroupCommit(writer), reader
        self._reading = threading.Lock()
        self._when_closed = when_closed

    def create_table(self, table: TableRow) -> None:
        row = table_row(table)
        self._commits.do(Job(partial(insert_table, row), partial(has_table, row)))

    def tables(self) -> list[TableRow]:
        rows = self._read(f"SELECT {TABLE_COLUMNS} FROM tables")
        return sorted((TableRow(*row) for row in rows), key=lambda table: (table.created, table.id))

    def entries(self, table_id: str, after: int = 0) -> list[Entry]:
        where = "table_id = ? AND number > ? ORDER BY number"
        return [
            entry_of(row) for row in self._read(f"SELECT {ENTRY_COLUMNS} FROM entries WHERE {where}", (table_id, after))
        ]

    def append(self, table_id: str, entries: list[Entry]) -> None:
        if rows := entry_rows(table_id, entries):
            self._commits.do(Job(partial(append_rows, rows), partial(has_rows, rows)))

    def close(self) -> None:
        self._commits.close()
        with self._reading:
            self._reader.close()
        self._when_closed()

    def _read(self, sql: str, values: tuple[Value, ...] = ()) -> list[Row]:
        with self._reading:
            try:
                return self._reader.read(sql, values)
            except BrokenOffError:
                return self._reader.read(sql, values)
