"""Opening an SQLite file: new, old, newer, somebody else's, or broken.

A broken file is never deleted and never written to again. It is set aside under a name that says so, what can still be
read of it goes into a fresh file, and somebody is told: the evening goes on, and nothing is lost silently.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from companion.games.protocol import Event
from companion.table.entries import StoreError
from companion.table.store_link import Tell, fault
from companion.table.store_rows import MIGRATIONS, schema_from
from companion.table.store_salvage import salvage
from companion.table.store_sqlite import MEMORY, SqliteLink, connect, file_uri, memory_uri, os_fault, sqlite_fault

APPLICATION_ID = 0x4D414B41  # "MAKA", which `file` and every SQLite tool can show
_SIDECARS = ("-wal", "-shm", "-journal")


class OpenFile:
    """A file that was checked and is held: nobody sets it aside while somebody holds it. Raises `StoreError`."""

    def __init__(self, path: Path, tell: Tell) -> None:
        self.path = path.absolute()
        try:
            if self.path.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            _make_folder(self.path.parent)
            with _alone_in(self.path.parent):
                self._hold = os.open(_beside(self.path, "-lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
                try:
                    fcntl.flock(self._hold, fcntl.LOCK_SH)
                    self._make_ready(tell)
                except BaseException:
                    self.release()
                    raise
        except StoreError:
            raise
        except OSError as error:
            raise os_fault(error, str(self.path)) from error

    def link(self) -> SqliteLink:
        return SqliteLink(file_uri(self.path), self.path)

    def release(self) -> None:
        """May be called twice."""
        hold, self._hold = self._hold, -1
        if hold >= 0:
            os.close(hold)

    def _make_ready(self, tell: Tell) -> None:
        spare = _beside(self.path, ".new")
        if spare.exists() and not self.path.exists():  # the power went while a broken file was being set aside
            tell(_swap(self.path, spare, _names_aside(self.path)[0]))
        _create(self.path)
        try:
            prepare(self.path)
        except StoreError as error:
            if error.event.code != "store_broken":
                raise
            tell(self._replace(spare, error))

    def _replace(self, spare: Path, broken: StoreError) -> Event:
        try:
            fcntl.flock(self._hold, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:  # whoever still has it open would go on writing into the file set aside
            raise broken from None
        _remove(spare)
        _create(spare)
        prepare(spare)
        salvage(self.path, spare)
        told = _swap(self.path, spare, _names_aside(self.path)[1])
        fcntl.flock(self._hold, fcntl.LOCK_SH)
        return told


class Memory:
    """A database without a file, for simulations: it is gone with its process."""

    def __init__(self) -> None:
        self._uri = memory_uri()
        self._hold = connect(self._uri)  # it lives as long as somebody is connected
        _migrate(self._hold, MEMORY)

    def link(self) -> SqliteLink:
        return SqliteLink(self._uri, None)

    def release(self) -> None:
        self._hold.close()


# --- Making ready ---


def prepare(path: Path) -> None:
    """Brings a file up to our schema and checks it through. Raises `OSError`, which a `StoreError` is."""
    log = _beside(path, "-wal")
    if path.stat().st_size == 0 and log.exists() and log.stat().st_size:
        # SQLite would take the file for a new one and delete the log that still holds its last entries.
        raise fault("store_broken", path=str(path), reason="empty, with a log beside it")
    if not os.access(path, os.W_OK, effective_ids=True):  # SQLite would open it all the same, for reading
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    try:
        connection = connect(file_uri(path))
        with contextlib.closing(connection):
            _migrate(connection, str(path))
            _switch_to_log(connection, path)
            _check(connection, path)
    except sqlite3.Error as error:
        raise sqlite_fault(error, str(path)) from error


def _migrate(connection: sqlite3.Connection, path: str) -> None:
    """All steps or none. The transaction also shows whether the file can be written to at all."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        _refuse_foreign(connection, path)
        steps = schema_from(_pragma(connection, "user_version"), path)
        marks = (f"PRAGMA application_id = {APPLICATION_ID}", f"PRAGMA user_version = {len(MIGRATIONS)}")
        for statement in (*steps, *marks) if steps else ():
            connection.execute(statement)
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _refuse_foreign(connection: sqlite3.Connection, path: str) -> None:
    is_blank = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone() == (0,)
    owner = _pragma(connection, "application_id")
    if owner != APPLICATION_ID and not (is_blank and owner == 0):
        raise fault("store_foreign", path=path)


def _switch_to_log(connection: sqlite3.Connection, path: Path) -> None:
    mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    if mode != "wal":  # a network folder, for one
        raise fault("store_failed", path=str(path), reason=f"journal mode {mode}")


def _check(connection: sqlite3.Connection, path: Path) -> None:
    found = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise fault("store_broken", path=str(path), reason=str(found)[:200])


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


# --- Files ---


@contextlib.contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """One process at a time makes files ready in a folder. Ends with the process, so it can't be left behind."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _make_folder(folder: Path) -> None:
    missing = [parent for parent in (folder, *folder.parents) if not parent.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for made in missing:
        _sync_folder(made.parent)


def _create(path: Path) -> None:
    """For its owner's eyes only, since entries hold secrets. SQLite gives its log the same rights."""
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))


def _swap(path: Path, spare: Path, aside: Path) -> Event:
    """Puts the spare in the broken file's place. Wherever the power goes in between, the next start finishes it."""
    if path.exists():
        path.rename(aside)
    for suffix in _SIDECARS:
        if _beside(path, suffix).exists():
            _beside(path, suffix).rename(_beside(aside, suffix))
    spare.rename(path)
    _sync_folder(path.parent)
    with contextlib.closing(connect(file_uri(path, "ro"))) as connection:
        saved = {
            name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in ("tables", "entries")
        }
    return Event("store_set_aside", {"path": str(path), "aside": str(aside), **saved})


def _names_aside(path: Path) -> tuple[Path, Path]:
    """The last name that was used to set a file aside, and the next."""
    number = 1
    while any(_beside(path, f".broken-{number}{suffix}").exists() for suffix in ("", *_SIDECARS)):
        number += 1
    return _beside(path, f".broken-{max(1, number - 1)}"), _beside(path, f".broken-{number}")


def _remove(spare: Path) -> None:
    """What an interrupted salvage left behind: a copy, and an unfinished one."""
    for suffix in ("", *_SIDECARS):
        _beside(spare, suffix).unlink(missing_ok=True)


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
