"""Tables and entries as rows: the schema, and the few statements there are. The same for SQLite and PostgreSQL."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from itertools import count

from companion.games.protocol import Json
from companion.table.entries import Entry, TableRow
from companion.table.store_link import Execute, Row, Value, fault

MOST_NUMBER = 2**31 - 1
MOST_BODY_CHARS = 16_000_000  # a command's longest arguments, written as JSON

# Step n takes a database from schema n to n + 1. A step that was ever released is never edited again.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE tables (
            id TEXT PRIMARY KEY, name TEXT NOT NULL, code TEXT NOT NULL UNIQUE, created DOUBLE PRECISION NOT NULL)""",
        # `batch_end` is the number of the last entry that was appended together with this one.
        """CREATE TABLE entries (
            table_id TEXT NOT NULL REFERENCES tables (id), number INTEGER NOT NULL CHECK (number > 0),
            kind TEXT NOT NULL, seat TEXT, body TEXT NOT NULL, key TEXT NOT NULL, at DOUBLE PRECISION NOT NULL,
            batch_end INTEGER NOT NULL, PRIMARY KEY (table_id, number))""",
        "CREATE UNIQUE INDEX entries_key ON entries (table_id, key) WHERE key <> ''",
    ),
)

TABLE_COLUMNS = "id, name, code, created"
# The second condition says nothing new to us, but without it no planner dares to use the index of keys.
FIND_KEY = "SELECT 1 FROM entries WHERE table_id = ? AND key = ? AND key <> ''"
# Whether there is the table, its last number, and whether the key is known: at once, because with every statement the
# interpreter goes to somebody else, and under load comes back late.
_STAND = (
    "SELECT EXISTS (SELECT 1 FROM tables WHERE id = ?), "
    f"(SELECT coalesce(max(number), 0) FROM entries WHERE table_id = ?), EXISTS ({FIND_KEY})"
)
ENTRY_COLUMNS = "table_id, number, kind, seat, body, key, at, batch_end"


# --- From and to rows ---


def table_row(table: TableRow) -> Row:
    """Raises `StoreError` (`table_unstorable`) if it holds what a database can't keep."""
    if not all(map(_is_plain_text, table[:3])) or not math.isfinite(table.created):
        raise fault("table_unstorable", table=repr(table.id)[:80])
    return (table.id, table.name, table.code, float(table.created))


def entry_rows(table_id: str, entries: Sequence[Entry]) -> list[Row]:
    """Raises `StoreError` (`entry_unstorable`) if one holds what a database can't keep."""
    return [_entry_row(table_id, entry, entries[-1].number) for entry in entries]


def _entry_row(table_id: str, entry: Entry, batch_end: int) -> Row:
    body = _body_text(entry.body)
    texts = (table_id, entry.kind, entry.seat or "", entry.key)
    is_number = 0 < entry.number <= MOST_NUMBER and math.isfinite(entry.at)
    if body is None or not is_number or not all(map(_is_plain_text, texts)):
        raise fault("entry_unstorable", table=repr(table_id)[:80], number=entry.number)
    return (table_id, entry.number, entry.kind, entry.seat, body, entry.key, float(entry.at), batch_end)


def _body_text(body: dict[str, Json]) -> str | None:
    try:
        text = json.dumps(body, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError):
        return None
    return text if len(text) <= MOST_BODY_CHARS else None


def _is_plain_text(text: str) -> bool:
    """PostgreSQL knows no NUL, and half a surrogate pair has no UTF-8."""
    return "\0" not in text and not any("\ud800" <= char <= "\udfff" for char in text)


def entry_of(row: Row) -> Entry:
    """Raises `StoreError` (`entry_unreadable`) if the row is not what `entry_rows` makes."""
    table_id, number, kind, seat, body, key, at, _ = row
    try:
        read = json.loads(body)
    except (TypeError, ValueError, RecursionError):
        read = None
    is_typed = isinstance(number, int) and isinstance(kind, str) and isinstance(key, str) and isinstance(at, float)
    if not isinstance(read, dict) or not is_typed or not (seat is None or isinstance(seat, str)):
        raise fault("entry_unreadable", table=table_id, number=number)
    return Entry(number, kind, seat, read, key, at)


# --- Statements ---


def insert_table(row: Row, execute: Execute) -> None:
    """Raises `StoreError` (`table_exists`) before it has written anything."""
    if execute("SELECT 1 FROM tables WHERE id = ? OR code = ?", (row[0], row[2])):
        raise fault("table_exists", table=row[0], code=row[2])
    execute(f"INSERT INTO tables ({TABLE_COLUMNS}) VALUES (?, ?, ?, ?)", row)


def has_table(row: Row, execute: Execute) -> bool:
    return execute(f"SELECT {TABLE_COLUMNS} FROM tables WHERE id = ?", (row[0],)) == [row]


def append_rows(rows: Sequence[Row], execute: Execute) -> None:
    """Raises `StoreError` (`table_unknown`, `entry_exists`) before it has written anything."""
    table_id, key = rows[0][0], rows[0][5]
    is_table, last, is_known = execute(_STAND, (table_id, table_id, table_id, key))[0]
    if not is_table:
        raise fault("table_unknown", table=table_id)
    for row, expected in zip(rows, count(last + 1)):
        if row[1] != expected:
            raise fault("entry_exists", table=table_id, number=row[1], last=last)
    if is_known:
        raise fault("entry_exists", table=table_id, number=rows[0][1], last=last)
    _refuse_known_keys(rows[1:], {key}, last, execute)
    for row in rows:
        execute(f"INSERT INTO entries ({ENTRY_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)


def _refuse_known_keys(rows: Sequence[Row], seen: set[Value], last: int, execute: Execute) -> None:
    for table_id, number, _, _, _, key, _, _ in rows:
        if not key:
            continue
        if key in seen or execute(FIND_KEY, (table_id, key)):
            raise fault("entry_exists", table=table_id, number=number, last=last)
        seen.add(key)


def has_rows(rows: Sequence[Row], execute: Execute) -> bool:
    """Whether exactly these entries are kept, which is how one learns what became of an interrupted append."""
    where = "table_id = ? AND number BETWEEN ? AND ? ORDER BY number"
    found = execute(f"SELECT {ENTRY_COLUMNS} FROM entries WHERE {where}", (rows[0][0], rows[0][1], rows[-1][1]))
    return found == list(rows)


def schema_from(version: int, path: str) -> list[str]:
    """The statements that bring a database of that schema up to ours. Raises `StoreError` (`store_newer`)."""
    if version > len(MIGRATIONS):
        raise fault("store_newer", path=path, schema=version, known=len(MIGRATIONS))
    return [statement for step in MIGRATIONS[version:] for statement in step]
