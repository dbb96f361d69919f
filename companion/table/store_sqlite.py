"""The link to an SQLite file, and what its errors mean for people."""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import TypeVar

from companion.table.entries import StoreError
from companion.table.store_link import BrokenOffError, ConflictError, Execute, Row, Value, fault

T = TypeVar("T")
BUSY_S = 5.0  # how long another process may be writing
MEMORY = "memory:"
_MEMORY_NUMBERS = count(1)

_PRAGMAS = (
    "synchronous = FULL",  # in WAL mode: each commit is synced before it returns
    "foreign_keys = ON",
    "journal_size_limit = 16777216",  # a log that grew once need not stay so large
    "trusted_schema = OFF",  # the file may have been in other hands
    "cell_size_check = ON",
)
_CODES = {
    sqlite3.SQLITE_BUSY: "store_locked",
    sqlite3.SQLITE_LOCKED: "store_locked",
    sqlite3.SQLITE_FULL: "disk_full",
    sqlite3.SQLITE_READONLY: "disk_read_only",
    sqlite3.SQLITE_CORRUPT: "store_broken",
    sqlite3.SQLITE_NOTADB: "store_broken",
    sqlite3.SQLITE_READONLY_DBMOVED: "store_moved",
}
_OS_CODES = {
    errno.ENOSPC: "disk_full",
    errno.EDQUOT: "disk_full",
    errno.EFBIG: "disk_full",
    errno.EROFS: "disk_read_only",
    errno.EACCES: "store_forbidden",
    errno.EPERM: "store_forbidden",
}


def connect(uri: str) -> sqlite3.Connection:
    """A connection that commits when told to, and is safe to hand from thread to thread. Raises `sqlite3.Error`."""
    connection = sqlite3.connect(uri, uri=True, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
    try:
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
    except BaseException:
        connection.close()
        raise
    return connection


def file_uri(path: Path, mode: str = "rw") -> str:
    """Never creates the file: one that has vanished must not come back empty."""
    return f"{path.as_uri()}?mode={mode}"


def memory_uri() -> str:
    """A database of this process alone that several connections share, and that ends with the last of them."""
    return f"file:/makabana-{next(_MEMORY_NUMBERS)}?vfs=memdb"


class SqliteLink:
    """Raises `StoreError` if the database can't be opened. It must have our schema already."""

    def __init__(self, uri: str, file: Path | None) -> None:
        self._uri, self._file = uri, file
        self._is_closed = False
        self._connection: sqlite3.Connection | None = None
        self._identity = self._look()
        self._connected()

    @property
    def path(self) -> str:
        return MEMORY if self._file is None else str(self._file)

    def write(self, work: Callable[[Execute], T]) -> T:
        self._check_place()
        connection = self._connected()
        is_committing = False
        try:
            connection.execute("BEGIN IMMEDIATE")
            result = work(self._execute)
            is_committing = True
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise self._failed(error, is_committing) from error
        except BaseException:
            self._drop()
            raise
        # Another process may have set the file aside meanwhile: what went into it is not kept where people look.
        self._check_place()
        return result

    def read(self, sql: str, values: tuple[Value, ...] = ()) -> list[Row]:
        self._connected()
        try:
            return self._execute(sql, values)
        except sqlite3.Error as error:
            raise self._failed(error, is_committing=False) from error

    def close(self) -> None:
        self._is_closed = True
        self._drop()

    def _execute(self, sql: str, values: tuple[Value, ...] = ()) -> list[Row]:
        return self._connected().execute(sql, values).fetchall()

    def _connected(self) -> sqlite3.Connection:
        if self._is_closed:
            raise fault("store_closed", path=self.path)
        if self._connection is None:
            try:
                self._connection = connect(self._uri)
            except sqlite3.Error as error:
                raise sqlite_fault(error, self.path) from error
        return self._connection

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(sqlite3.Error):
                connection.close()  # rolls back what is open

    def _failed(self, error: sqlite3.Error, is_committing: bool) -> StoreError:
        """A connection that failed is not trusted again, and a commit that failed may have reached the disk."""
        self._drop()
        told = sqlite_fault(error, self.path)
        return BrokenOffError(told.event) if is_committing else told

    def _check_place(self) -> None:
        """SQLite goes on writing into a file that was moved or deleted, where nobody would find it."""
        if self._look() != self._identity:
            raise fault("store_moved", path=self.path)

    def _look(self) -> tuple[int, int] | None:
        if self._file is None:
            return None
        try:
            status = self._file.stat()
        except OSError:
            return (0, 0)
        return (status.st_dev, status.st_ino)


# --- Errors ---


def sqlite_fault(error: sqlite3.Error, path: str) -> StoreError:
    full_code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    code = full_code & 0xFF
    if code == sqlite3.SQLITE_CONSTRAINT:
        return ConflictError(fault("store_locked", path=path).event)
    if code in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN):
        return _disk_fault(path, str(error))
    told = _CODES.get(full_code) or _CODES.get(code, "store_failed")
    return fault(told, path=path, reason=str(error))


def os_fault(error: OSError, path: str) -> StoreError:
    return fault(_OS_CODES.get(error.errno or 0, "store_unreachable"), path=path, reason=error.strerror or str(error))


def _disk_fault(path: str, reason: str) -> StoreError:
    """SQLite says only that reading or writing failed; the disk itself says more."""
    try:
        disk = os.statvfs(Path(path).parent)
    except OSError as error:
        return os_fault(error, path)
    if disk.f_flag & os.ST_RDONLY:
        return fault("disk_read_only", path=path, reason=reason)
    return fault("disk_full" if disk.f_bavail * disk.f_frsize < 65536 else "disk_failing", path=path, reason=reason)
