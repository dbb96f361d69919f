"""The link to a PostgreSQL server, for a café with many tables.

Errors name the server without user and password, and never quote what the server says of a row: entries hold secrets.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from companion.table.entries import StoreError
from companion.table.store_link import BrokenOffError, ConflictError, Execute, Row, Value, fault
from companion.table.store_rows import MIGRATIONS, schema_from

if TYPE_CHECKING:
    import psycopg

T = TypeVar("T")
RECONNECT_WAITS_S = (0.0, 0.2, 0.8, 2.0, 3.0)  # a server that restarts is back within these
_LOCK_NUMBER = 0x4D414B41  # of the advisory lock for changing the schema
_WAYS = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 2,
    "tcp_user_timeout": 10_000,  # ms: a cable that was pulled is noticed
    "client_encoding": "utf8",
    "application_name": "makabana",
}
_SETTINGS = {
    "search_path": "makabana",
    "synchronous_commit": "on",  # a server may be set up to answer before it has synced
    "lock_timeout": "5s",
    "statement_timeout": "15s",
    "idle_in_transaction_session_timeout": "30s",  # a companion that hangs must not hold others up
}
# By SQLSTATE, or its first two characters, which are its class.
_CODES = {
    "53100": "disk_full",
    "25006": "disk_read_only",
    "42501": "store_forbidden",
    "55P03": "store_locked",
    "57014": "store_locked",
    "40001": "store_locked",
    "40P01": "store_locked",
    "08": "store_unreachable",
    "57": "store_unreachable",
    "53": "store_unreachable",
    "XX": "store_broken",
}
_UNIQUE = "23505"


class PostgresLink:
    """Raises `StoreError` if the server can't be reached now; later it tries for a while."""

    def __init__(self, address: str) -> None:
        self._psycopg = _driver()
        self._address, self._path = address, _shown(address)
        self._is_closed = False
        self._connection: psycopg.Connection[Row] | None = self._connect((0.0,))

    @property
    def path(self) -> str:
        return self._path

    def write(self, work: Callable[[Execute], T]) -> T:
        connection = self._connected()
        try:
            connection.execute("BEGIN")
            result = work(self._execute)
            connection.execute("COMMIT")
        except self._psycopg.Error as error:
            raise self._failed(error) from None
        except BaseException:
            self._drop()
            raise
        return result

    def read(self, sql: str, values: tuple[Value, ...] = ()) -> list[Row]:
        self._connected()
        try:
            return self._execute(sql, values)
        except self._psycopg.Error as error:
            raise self._failed(error) from None

    def close(self) -> None:
        self._is_closed = True
        self._drop()

    def migrate(self) -> None:
        """Brings the database up to our schema, one companion at a time. Raises `StoreError`."""
        self.write(self._migrate)

    def _migrate(self, execute: Execute) -> None:
        execute("SELECT pg_advisory_xact_lock(?)", (_LOCK_NUMBER,))
        if not execute("SELECT 1 FROM pg_namespace WHERE nspname = 'makabana'"):
            execute("CREATE SCHEMA makabana")
            execute("CREATE TABLE schema_number (number INTEGER NOT NULL)")
            execute("INSERT INTO schema_number VALUES (0)")
        steps = schema_from(execute("SELECT number FROM schema_number")[0][0], self._path)
        for statement in steps:
            execute(statement)
        if steps:
            execute("UPDATE schema_number SET number = ?", (len(MIGRATIONS),))

    def _execute(self, sql: str, values: tuple[Value, ...] = ()) -> list[Row]:
        cursor = self._connected().execute(sql.replace("?", "%s").encode(), values)
        return cursor.fetchall() if cursor.description else []

    def _connected(self) -> psycopg.Connection[Row]:
        if self._is_closed:
            raise fault("store_closed", path=self._path)
        if self._connection is None:
            self._connection = self._connect(RECONNECT_WAITS_S)
        return self._connection

    def _connect(self, waits_s: tuple[float, ...]) -> psycopg.Connection[Row]:
        reason = ""
        for wait_s in waits_s:
            time.sleep(wait_s)
            try:
                return self._try_to_connect()
            except self._psycopg.Error as error:
                reason = _reason(error)
        raise fault("store_unreachable", path=self._path, reason=reason)

    def _try_to_connect(self) -> psycopg.Connection[Row]:
        ways: dict[str, Any] = _WAYS
        connection: psycopg.Connection[Row] = self._psycopg.connect(self._address, autocommit=True, **ways)
        try:
            settings = ", ".join("set_config(%s, %s, false)" for _ in _SETTINGS)
            connection.execute(f"SELECT {settings}".encode(), [word for pair in _SETTINGS.items() for word in pair])
        except BaseException:
            connection.close()
            raise
        return connection

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(self._psycopg.Error):
                connection.close()  # the server rolls back what is open

    def _failed(self, error: psycopg.Error) -> StoreError:
        """Without an SQLSTATE there was no answer: nobody knows what the server has done."""
        self._drop()
        state = error.sqlstate
        code = "store_unreachable" if state is None else _CODES.get(state, _CODES.get(state[:2], "store_failed"))
        told = fault(code, path=self._path, reason=_reason(error))
        if state == _UNIQUE:
            return ConflictError(fault("store_locked", path=self._path).event)
        return BrokenOffError(told.event) if code == "store_unreachable" else told


def _driver() -> Any:
    """Raises `StoreError` (`driver_missing`)."""
    try:
        import psycopg
    except ImportError as error:
        raise fault("driver_missing", reason=str(error)) from error
    return psycopg


def _shown(address: str) -> str:
    """The address without user and password. Raises `StoreError` without quoting what can't be read."""
    from psycopg import ProgrammingError
    from psycopg.conninfo import conninfo_to_dict

    try:
        parts = conninfo_to_dict(address)
    except ProgrammingError:
        raise fault("store_address_unreadable", address="postgresql://…") from None
    where = ":".join(str(parts[key]) for key in ("host", "port") if parts.get(key))
    return f"postgresql://{where or 'localhost'}/{parts.get('dbname') or ''}"


def _reason(error: psycopg.Error) -> str:
    """The first line only: the details quote rows."""
    return (error.diag.message_primary or str(error).strip() or type(error).__name__).splitlines()[0][:200]
