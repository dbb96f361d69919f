"""Stores to test with, and a real PostgreSQL server of our own in a temporary folder."""

import contextlib
import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import cache
from itertools import count
from pathlib import Path
from string import Formatter

import pytest

from companion.games.protocol import Event
from companion.table.entries import Entry, Store, StoreError, TableRow
from companion.table.store import open_store

ROOT = Path(__file__).parents[2]
TEXTS = json.loads((ROOT / "companion/table/texts.json").read_text("utf-8"))
PATIENCE_S = 120  # a busy machine is slow; nothing waits this long when all is well


def said(event: Event) -> str:
    """The sentence in English, once it is sure that the French one says as much with the same data."""
    fields = {field for _, field, _, _ in Formatter().parse(TEXTS[event.code]["en"]) if field}
    assert {field for _, field, _, _ in Formatter().parse(TEXTS[event.code]["fr"]) if field} == fields
    sentences = {language: text.format(**event.data) for language, text in TEXTS[event.code].items()}
    assert sorted(sentences) == ["en", "fr"]
    return sentences["en"]


@contextlib.contextmanager
def refused(code: str, /, **data: object) -> Iterator[None]:
    """The one declared error, with this code and at least this data, and with words for it."""
    with pytest.raises(StoreError) as caught:
        yield
    event = caught.value.event
    assert said(event)
    assert event.code == code, event
    assert {key: event.data[key] for key in data} == data


def until(holds: Callable[[], object], what: str = "") -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline, what
        time.sleep(0.01)


def table(table_id: str, created: float = 1.0) -> TableRow:
    return TableRow(table_id, f"Table {table_id}", f"code-{table_id}", created)


def entry(number: int, key: str = "", **body: object) -> Entry:
    return Entry(number, "act", "blue", {"number": number, **body}, key, 1_800_000_000.25 + number)


def fill(store: Store, table_id: str, first: int, last: int, size: int = 1) -> None:
    """Appends entries first..last in batches, each batch with a key and each entry with some weight."""
    for number in range(first, last + 1, size):
        batch = [entry(one, weight="x" * 200) for one in range(number, min(number + size, last + 1))]
        store.append(table_id, [batch[0]._replace(key=f"key-{number}"), *batch[1:]])


@contextlib.contextmanager
def opened(address: object, **options: object) -> Iterator[Store]:
    store = open_store(str(address), **options)  # type: ignore[arg-type]
    try:
        yield store
    finally:
        store.close()


# --- PostgreSQL ---


class Postgres:
    """A server with its files in a folder of its own. Root may not run one, so root lends it another user."""

    def __init__(self, programs: Path) -> None:
        self._programs = programs
        self._folder = Path(tempfile.mkdtemp(prefix="makabana-postgres-"))
        self._names = count(1)
        self._server: subprocess.Popen[bytes] | None = None
        self.user = _other_user()
        self.port = _free_port()
        if self.user:
            shutil.chown(self._folder, self.user.pw_uid, self.user.pw_gid)
        options = ["--auth=trust", "--username=makabana", "--encoding=UTF8", "--locale=C", "--no-sync"]
        subprocess.run([*self._as_user(), programs / "initdb", *options, self._data], check=True, capture_output=True)
        self.start()

    @property
    def _data(self) -> Path:
        return self._folder / "data"

    def _as_user(self) -> list[str]:
        # Whatever becomes of the tests, the server ends with them.
        ends = ["setpriv", "--pdeathsig", "QUIT"]
        if not self.user:
            return ends
        return [*ends, f"--reuid={self.user.pw_uid}", f"--regid={self.user.pw_gid}", "--clear-groups"]

    def start(self) -> None:
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": "",
            "recovery_init_sync_method": "syncfs",
        }
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        command = [*self._as_user(), self._programs / "postgres", "-D", self._data, *options]
        with (self._folder / "log").open("ab") as log:
            self._server = subprocess.Popen(command, stdout=log, stderr=log, cwd="/")
        until(self._is_ready, f"PostgreSQL does not start: {(self._folder / 'log').read_text()[-2000:]}")

    def crash(self) -> None:
        """As a power cut leaves it: without a word to its clients, and to recover at the next start."""
        assert self._server
        self._server.send_signal(signal.SIGQUIT)
        self._server.wait(PATIENCE_S)

    def close(self) -> None:
        self.crash()  # a proper end would sync files that are about to be deleted
        shutil.rmtree(self._folder)

    def new_database(self) -> str:
        name = f"evening_{next(self._names)}"
        self.execute(f"CREATE DATABASE {name}")
        return self.address(name)

    def address(self, database: str = "postgres", port: int | None = None) -> str:
        return f"postgresql://makabana:s3cret-w0rd@127.0.0.1:{port or self.port}/{database}"

    def execute(self, sql: str, database: str = "postgres") -> None:
        import psycopg

        with psycopg.connect(self.address(database), autocommit=True) as connection:
            connection.execute(sql.encode())

    def _is_ready(self) -> bool:
        import psycopg

        assert self._server
        assert self._server.poll() is None, (self._folder / "log").read_text()[-2000:]
        try:
            psycopg.connect(self.address(), connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True


@cache
def postgres_server() -> Postgres:
    """One server for all tests of this process. Skips where there is none to run."""
    pytest.importorskip("psycopg", reason="needs psycopg (extra postgres)")
    places = [*sorted(Path("/usr/lib/postgresql").glob("*/bin")), *_folder_of("initdb")]
    found = [folder for folder in places if (folder / "initdb").exists() and (folder / "postgres").exists()]
    if not found or not shutil.which("setpriv"):
        pytest.skip("needs PostgreSQL (Debian package postgresql) and setpriv")
    return Postgres(found[-1])


def _folder_of(program: str) -> list[Path]:
    path = shutil.which(program)
    return [Path(path).resolve().parent] if path else []


def _other_user() -> pwd.struct_passwd | None:
    if os.geteuid() != 0:
        return None
    names = {user.pw_name: user for user in pwd.getpwall()}
    return names.get("postgres") or names["nobody"]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
