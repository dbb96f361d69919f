"""What only a server can do to us: vanish, come back, be cut off in the middle of a commit."""

import contextlib
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from companion.table import store_postgres, store_rows
from companion.table.entries import Store, StoreError
from companion.table.store import open_store
from tests.table.store_support import (
    PATIENCE_S,
    ROOT,
    Postgres,
    entry,
    opened,
    postgres_server,
    refused,
    said,
    table,
    until,
)


@pytest.fixture
def server() -> Postgres:
    return postgres_server()


@pytest.fixture
def database(server: Postgres) -> str:
    return server.new_database().rpartition("/")[2]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_postgres, "RECONNECT_WAITS_S", (0.0, 0.05))


class Cable:
    """A plug between companion and server: forwards bytes, and is pulled where `cut` says so.

    `cut` sees what the companion sends. At "before" it does not reach the server any more, at "after" the server's
    answer to it is lost. Afterwards the cable is plugged in again, unless `is_plugged_again` says otherwise.
    """

    def __init__(self, port: int, cut: Callable[[bytes], str]) -> None:
        self._target, self._cut = ("127.0.0.1", port), cut
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.is_plugged_again = True
        self.cuts = 0
        self._ends: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._start(self._accept)

    def close(self) -> None:
        _pull(self._listener, *self._ends)
        for thread in self._threads:
            thread.join(PATIENCE_S)
        for end in (self._listener, *self._ends):
            end.close()

    def _start(self, job: Callable[..., None], *values: object) -> None:
        self._threads.append(threading.Thread(target=job, args=values, daemon=True))
        self._threads[-1].start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                self._ends.append(client)
                if self.cuts and not self.is_plugged_again:
                    _pull(client)
                    continue
                server = socket.create_connection(self._target)
                self._ends.append(server)
                is_lost = threading.Event()
                self._start(self._forward, client, server, is_lost)
                self._start(self._answer, client, server, is_lost)

    def _forward(self, client: socket.socket, server: socket.socket, is_lost: threading.Event) -> None:
        with contextlib.suppress(OSError):
            while sent := client.recv(65536):
                where = self._cut(sent)
                self.cuts += bool(where)
                if where == "before":
                    break
                if where == "after":
                    is_lost.set()
                server.sendall(sent)
        _pull(client, server)

    def _answer(self, client: socket.socket, server: socket.socket, is_lost: threading.Event) -> None:
        with contextlib.suppress(OSError):
            while (answer := server.recv(65536)) and not is_lost.is_set():
                client.sendall(answer)
        _pull(client, server)


def _pull(*ends: socket.socket) -> None:
    for end in ends:
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


def at_commit(number: int, answer: str) -> Callable[[bytes], str]:
    """Cuts at the n-th COMMIT that follows an INSERT of entries."""
    seen: list[bytes] = []

    def cut(sent: bytes) -> str:
        if b"INSERT INTO entries" in sent:
            seen.append(sent)
        is_now = b"COMMIT" in sent and len(seen) == number
        if is_now:
            seen.append(b"done")
        return answer if is_now else ""

    return cut


@contextlib.contextmanager
def behind_cable(server: Postgres, database: str, cut: Callable[[bytes], str]) -> Iterator[tuple[Store, Cable]]:
    cable = Cable(server.port, cut)
    try:
        with opened(server.address(database, cable.port)) as store:
            store.create_table(table("t"))
            yield store, cable
    finally:
        cable.close()


@pytest.mark.parametrize("answer", ["before", "after"])
def test_a_commit_whose_answer_is_lost_is_kept_once(server: Postgres, database: str, answer: str) -> None:
    with behind_cable(server, database, at_commit(2, answer)) as (store, cable):
        store.append("t", [entry(1, "a")])
        store.append("t", [entry(2, "b")])
        assert cable.cuts == 1
        store.append("t", [entry(3, "c")])
        assert [(one.number, one.key) for one in store.entries("t")] == [(1, "a"), (2, "b"), (3, "c")]


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(("answer", "kept"), [("before", [1]), ("after", [1, 2])])
def test_while_nobody_can_know_it_says_so(server: Postgres, database: str, answer: str, kept: list[int]) -> None:
    with behind_cable(server, database, at_commit(2, answer)) as (store, cable):
        store.append("t", [entry(1, "a")])
        cable.is_plugged_again = False
        with refused("store_doubtful"):
            store.append("t", [entry(2, "b")])
        with refused("store_unreachable"):
            store.append("t", [entry(2, "b")])
        cable.is_plugged_again = True
        assert [one.number for one in store.entries("t")] == kept
        last = kept[-1]
        with contextlib.ExitStack() as stack:
            if last == 2:
                stack.enter_context(refused("entry_exists", last=2))
            store.append("t", [entry(2, "b")])
        assert [one.key for one in store.entries("t")] == ["a", "b"]


def test_a_server_that_crashes_and_returns_is_no_more_than_a_pause(
    server: Postgres, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_postgres, "RECONNECT_WAITS_S", (0.1,) * 10 * PATIENCE_S)
    kept: list[int] = []
    with opened(server.address(database)) as store:
        store.create_table(table("t"))

        def play() -> None:
            for number in range(1, 301):
                store.append("t", [entry(number, f"k{number}")])
                kept.append(number)

        with ThreadPoolExecutor(1) as pool:
            player = pool.submit(play)
            for least in (20, 60):
                until(lambda least=least: len(kept) > least or player.done())
                server.crash()
                server.start()
            player.result()
        assert kept == [one.number for one in store.entries("t")] == list(range(1, 301))


@pytest.mark.usefixtures("impatient")
def test_a_server_that_is_gone_is_named_without_its_password(server: Postgres, database: str) -> None:
    with opened(server.address(database)) as store:
        store.create_table(table("t"))
        server.crash()
        try:
            for act in (lambda: store.append("t", [entry(1)]), store.tables, lambda: open_store(server.address())):
                with pytest.raises(StoreError) as caught:
                    act()
                assert caught.value.event.code in ("store_unreachable", "store_doubtful")
                assert f"127.0.0.1:{server.port}" in said(caught.value.event)
                assert "s3cret" not in str(caught.value.event)
        finally:
            server.start()
        assert store.tables() == [table("t")]
        store.append("t", [entry(1)])


def test_idle_connections_that_were_cut_are_made_anew(server: Postgres, database: str) -> None:
    with opened(server.address(database)) as store:
        store.create_table(table("t"))
        for number in range(1, 4):
            server.execute(
                f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{database}'", "postgres"
            )
            store.append("t", [entry(number)])
            assert len(store.entries("t")) == number


def test_commits_are_synced_whatever_the_server_thinks(server: Postgres, database: str) -> None:
    server.execute(f"ALTER DATABASE {database} SET synchronous_commit = off")
    link = store_postgres.PostgresLink(server.address(database))
    assert link.read("SHOW synchronous_commit") == [("on",)]
    link.close()


def test_a_newer_schema_is_refused(server: Postgres, database: str) -> None:
    open_store(server.address(database)).close()
    server.execute("UPDATE makabana.schema_number SET number = 9", database)
    with refused("store_newer", schema=9, path=f"postgresql://127.0.0.1:{server.port}/{database}"):
        open_store(server.address(database))


def test_an_older_schema_is_brought_up(server: Postgres, database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(server.address(database)) as store:
        store.create_table(table("t"))
    newer = (*store_rows.MIGRATIONS, ("ALTER TABLE tables ADD COLUMN place TEXT NOT NULL DEFAULT 'bar'",))
    for module in (store_rows, store_postgres):
        monkeypatch.setattr(module, "MIGRATIONS", newer)
    with opened(server.address(database)) as store:
        assert store.tables() == [table("t")]
    link = store_postgres.PostgresLink(server.address(database))
    assert link.read("SELECT place, number FROM tables, schema_number") == [("bar", len(newer))]
    link.close()


def test_a_server_that_may_only_be_read_says_so(server: Postgres, database: str) -> None:
    with opened(server.address(database)) as store:
        store.create_table(table("t"))
    server.execute(f"ALTER DATABASE {database} SET default_transaction_read_only = on")
    with opened(server.address(database)) as store:
        with refused("disk_read_only"):
            store.append("t", [entry(1)])
        assert store.tables() == [table("t")]


def test_a_row_locked_by_others_is_told_as_busy(
    server: Postgres, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import psycopg

    monkeypatch.setitem(store_postgres._SETTINGS, "lock_timeout", "50ms")
    with opened(server.address(database)) as store:
        store.create_table(table("t"))
        with psycopg.connect(server.address(database)) as other:
            other.execute("LOCK TABLE makabana.entries")
            with refused("store_locked"):
                store.append("t", [entry(1)])
            other.rollback()
        store.append("t", [entry(1)])


def test_errors_do_not_quote_rows(server: Postgres, database: str) -> None:
    server_check = "ALTER TABLE makabana.entries ADD CHECK (body NOT LIKE '%hidden plan%')"
    with opened(server.address(database)) as store:
        store.create_table(table("t"))
        server.execute(server_check, database)
        with pytest.raises(StoreError) as caught:
            store.append("t", [entry(1, plan="hidden plan")])
    error: BaseException | None = caught.value
    while error:
        assert "hidden plan" not in f"{error} {getattr(error, 'event', '')}"
        error = error.__cause__


def test_without_the_driver_a_sentence_says_what_to_install() -> None:
    script = (
        "import sys; sys.modules['psycopg'] = None\n"
        "from companion.table.store import open_store, StoreError\n"
        "try: open_store('postgresql://localhost/x')\n"
        "except StoreError as error: print(error.event.code)\n"
    ).replace("open_store, StoreError", "open_store\nfrom companion.table.entries import StoreError")
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "driver_missing"
