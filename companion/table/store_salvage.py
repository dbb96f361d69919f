"""What can still be read of a broken file, copied into a fresh one.

A table goes on from its longest unbroken beginning: entries behind a gap would tell another game.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from companion.table.entries import StoreError, TableRow
from companion.table.store_link import Row
from companion.table.store_rows import ENTRY_COLUMNS, TABLE_COLUMNS, append_rows, entry_of, insert_table, table_row
from companion.table.store_sqlite import connect, file_uri, sqlite_fault


def salvage(broken: Path, fresh: Path) -> None:
    """Raises `StoreError` if the fresh file can't take it. A broken file that yields nothing is no error."""
    tables, entries = _rows_of(broken, "tables", TABLE_COLUMNS), _rows_of(broken, "entries", ENTRY_COLUMNS)
    try:
        with contextlib.closing(connect(file_uri(fresh))) as connection:
            connection.execute("BEGIN IMMEDIATE")
            for table in filter(_is_table, tables):
                _copy(connection, table, [row for row in entries if row[0] == table[0]])
            connection.execute("COMMIT")
    except sqlite3.Error as error:
        raise sqlite_fault(error, str(fresh)) from error


def _copy(connection: sqlite3.Connection, table: Row, entries: list[Row]) -> None:
    def execute(sql: str, values: Row = ()) -> list[Row]:
        return connection.execute(sql, values).fetchall()

    try:
        insert_table(table, execute)
        for batch in _whole_batches(entries):
            append_rows(batch, execute)
    except StoreError:  # damage made two tables or keys alike: what came before is in
        return


def _rows_of(broken: Path, name: str, columns: str) -> list[Row]:
    """Read from both ends, because a damaged page stops a reading at it."""
    found: dict[Row, None] = {}
    if not broken.stat().st_size:  # SQLite would delete the log of an empty file
        return []
    for direction in ("ASC", "DESC"):
        with contextlib.suppress(sqlite3.Error), contextlib.closing(_connect_anyway(broken)) as connection:
            for row in connection.execute(f"SELECT {columns} FROM {name} NOT INDEXED ORDER BY rowid {direction}"):
                found[row] = None
    return list(found)


def _connect_anyway(broken: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(file_uri(broken, "ro"), uri=True)
    connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
    connection.execute("PRAGMA writable_schema = ON")  # first of all: reads on in a file shorter than it says
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def _is_table(row: Row) -> bool:
    is_typed = all(isinstance(text, str) for text in row[:3]) and isinstance(row[3], float)
    try:
        return is_typed and table_row(TableRow(*row)) == row
    except StoreError:
        return False


def _whole_batches(entries: list[Row]) -> Iterator[list[Row]]:
    """The entries from number 1 on without a gap, as they were appended; ends before the first that is not whole."""
    by_number = {row[1]: row for row in entries if _is_entry(row)}
    number = 1
    while number in by_number:
        numbers = range(number, by_number[number][7] + 1)
        if not numbers or any(one not in by_number for one in numbers):
            return
        yield [by_number[one] for one in numbers]
        number = numbers.stop


def _is_entry(row: Row) -> bool:
    try:
        entry_of(row)
    except StoreError:
        return False
    return isinstance(row[7], int)
