"""What only a file can suffer: damage, other programs, other versions, being moved."""

import random
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from companion.games.protocol import Event
from companion.table import store_opening, store_rows, store_sqlite
from companion.table.store import open_store
from tests.table.store_support import entry, fill, opened, refused, said, table

PAGE = 4096
SIDECARS = ("-wal", "-shm")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tables.db"


def make(path: Path, entries: int = 0, tables: int = 1, size: int = 1) -> None:
    with opened(path) as store:
        for index in range(tables):
            store.create_table(table(f"t{index}", created=float(index)))
            fill(store, f"t{index}", 1, entries, size)


def ask(path: Path, sql: str) -> object:
    with closing(sqlite3.connect(path)) as connection, connection:
        row = connection.execute(sql).fetchone()
        return row[0] if row else None


def overwrite(path: Path, offset: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(data)


def garbage(length: int) -> bytes:
    return random.Random(length).randbytes(length)


# --- How a file is kept ---


def test_a_file_is_logged_synced_and_marked_as_ours(path: Path) -> None:
    make(path)
    assert ask(path, "PRAGMA journal_mode") == "wal"
    assert ask(path, "PRAGMA application_id") == int.from_bytes(b"MAKA", "big")
    assert ask(path, "PRAGMA user_version") == len(store_rows.MIGRATIONS)
    with closing(store_sqlite.connect(store_sqlite.file_uri(path))) as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
        assert connection.execute("PRAGMA foreign_keys").fetchone() == (1,)


def test_only_its_owner_may_read_a_file(path: Path) -> None:
    with opened(path) as store:
        store.create_table(table("t"))
        files = sorted(path.parent.iterdir())
        assert [file.name for file in files] == ["tables.db", "tables.db-lock", "tables.db-shm", "tables.db-wal"]
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


@pytest.mark.parametrize("name", ["a b?c#d%41é.db", "new/folder/tables.db", "-wal", "x;y"])
def test_any_name_is_a_path(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    make(path, entries=1)
    assert path.exists()
    with opened(f"sqlite:{path}") as store:
        assert len(store.entries("t0")) == 1


def test_a_relative_path_stays_where_it_was_opened(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    (path.parent / "elsewhere").mkdir()
    with opened(path.name) as store:
        monkeypatch.chdir(path.parent / "elsewhere")
        store.create_table(table("t"))
    assert not list((path.parent / "elsewhere").iterdir())


def test_a_folder_is_no_store(tmp_path: Path) -> None:
    with refused("store_unreachable", path=str(tmp_path)):
        open_store(str(tmp_path))


def test_a_key_is_looked_up_and_not_searched_for(path: Path) -> None:
    make(path)
    with closing(sqlite3.connect(path)) as connection:
        plan = connection.execute(f"EXPLAIN QUERY PLAN {store_rows.FIND_KEY}", ("t0", "k")).fetchall()
    assert "entries_key (table_id=? AND key=?)" in str(plan)


# --- Versions and others ---


def test_a_newer_schema_is_refused_and_left_alone(path: Path) -> None:
    make(path, entries=2)
    ask(path, "PRAGMA user_version = 9")
    before = path.read_bytes()
    with refused("store_newer", path=str(path), schema=9):
        open_store(str(path))
    assert path.read_bytes() == before


def test_an_older_schema_is_brought_up_with_its_entries(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(path, entries=3)
    newer = (*store_rows.MIGRATIONS, ("ALTER TABLE tables ADD COLUMN place TEXT NOT NULL DEFAULT 'bar'",))
    for module in (store_rows, store_opening):
        monkeypatch.setattr(module, "MIGRATIONS", newer)
    with opened(path) as store:
        assert [one.number for one in store.entries("t0")] == [1, 2, 3]
    assert ask(path, "SELECT place FROM tables") == "bar"
    assert ask(path, "PRAGMA user_version") == len(newer)


def test_a_migration_that_fails_changes_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(path, entries=3)
    steps = (*store_rows.MIGRATIONS, ("ALTER TABLE tables ADD COLUMN place TEXT", "NO SUCH STATEMENT"))
    for module in (store_rows, store_opening):
        monkeypatch.setattr(module, "MIGRATIONS", steps)
    with refused("store_failed"):
        open_store(str(path))
    monkeypatch.undo()
    with opened(path) as store:
        assert len(store.entries("t0")) == 3
    assert ask(path, "SELECT count(*) FROM pragma_table_info('tables') WHERE name = 'place'") == 0


def test_another_programs_database_is_refused_and_left_alone(path: Path) -> None:
    ask(path, "CREATE TABLE recipes (name TEXT)")
    before = path.read_bytes()
    with refused("store_foreign", path=str(path)):
        open_store(str(path))
    assert path.read_bytes() == before


def test_a_writer_that_does_not_end_is_named_as_such(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_sqlite, "BUSY_S", 0.05)
    make(path)
    with opened(path) as store, closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with refused("store_locked", path=str(path)):
            store.append("t0", [entry(1)])
        assert store.entries("t0") == []
        other.execute("ROLLBACK")
        store.append("t0", [entry(1)])


def test_a_file_moved_while_in_use_takes_nothing_until_it_is_back(path: Path) -> None:
    make(path, entries=2)
    away = path.with_name("away.db")
    with opened(path) as store:
        path.rename(away)
        with refused("store_moved", path=str(path)):
            store.append("t0", [entry(3)])
        path.write_bytes(b"")
        with refused("store_moved"):
            store.append("t0", [entry(3)])
        away.rename(path)
        store.append("t0", [entry(3)])
        assert len(store.entries("t0")) == 3


def test_an_entry_somebody_else_spoilt_is_named(path: Path) -> None:
    make(path, entries=2)
    ask(path, "UPDATE entries SET body = '[1' WHERE number = 2")
    with opened(path) as store, refused("entry_unreadable", table="t0", number=2):
        store.entries("t0")


# --- Damage ---


def reopen(path: Path, told: list[Event]) -> dict[str, list[int]]:
    """The numbers of each table's entries, once the store is open again and takes one more each."""
    with opened(path, tell=told.append) as store:
        numbers = {one.id: [kept.number for kept in store.entries(one.id)] for one in store.tables()}
        for name, kept in numbers.items():
            store.append(name, [entry(len(kept) + 1, "after the damage")])
        return numbers


@pytest.mark.parametrize(
    ("offset", "data"),
    [(0, garbage(PAGE)), (0, bytes(PAGE)), (0, b"not a database" * 1000), (16, garbage(8))],
    ids=["first page", "first page zero", "another file", "header"],
)
def test_a_file_beyond_reading_is_set_aside_and_the_evening_goes_on(path: Path, offset: int, data: bytes) -> None:
    make(path, entries=5)
    overwrite(path, offset, data)
    broken, told = path.read_bytes(), []
    reopen(path, told)
    aside = path.with_name("tables.db.broken-1")
    assert [event.code for event in told] == ["store_set_aside"]
    assert told[0].data["aside"] == str(aside)
    assert str(aside) in said(told[0])
    assert aside.read_bytes() == broken
    with opened(path, tell=told.append) as store:
        store.create_table(table("new"))
    assert len(told) == 1


def test_what_can_be_read_of_a_damaged_file_is_saved(path: Path) -> None:
    make(path, entries=60, tables=3)
    pages = path.stat().st_size // PAGE
    saved_at_best = 0
    for page in range(2, pages):
        copy = path.with_name(f"copy-{page}.db")
        copy.write_bytes(path.read_bytes())
        overwrite(copy, page * PAGE, garbage(PAGE))
        told: list[Event] = []
        numbers = reopen(copy, told)
        assert all(kept == list(range(1, len(kept) + 1)) for kept in numbers.values())
        assert [event.code for event in told] == ["store_set_aside"]
        assert told[0].data["entries"] == sum(map(len, numbers.values()))
        assert told[0].data["tables"] == len(numbers)
        saved_at_best = max(saved_at_best, told[0].data["entries"])
    assert saved_at_best == 180  # where only an index was hit, nothing is lost


def test_a_batch_is_saved_whole_or_not_at_all(path: Path) -> None:
    make(path, entries=60, size=4)
    pages = path.stat().st_size // PAGE
    lengths = set()
    for page in range(2, pages):
        copy = path.with_name(f"copy-{page}.db")
        copy.write_bytes(path.read_bytes())
        overwrite(copy, page * PAGE, garbage(PAGE))
        lengths |= {len(kept) for kept in reopen(copy, []).values()}
    assert all(length % 4 == 0 for length in lengths)
    assert len(lengths) > 2


def test_a_cut_off_file_keeps_its_beginning(path: Path) -> None:
    make(path, entries=60)
    whole = path.stat().st_size
    with path.open("r+b") as file:
        file.truncate(whole - PAGE - 100)
    told: list[Event] = []
    numbers = reopen(path, told)
    assert [event.code for event in told] == ["store_set_aside"]
    assert 0 < len(numbers["t0"]) <= 60


def test_an_emptied_file_does_not_cost_the_log_beside_it(path: Path) -> None:
    with opened(path) as store:
        store.create_table(table("t"))
        log = path.with_name("tables.db-wal").read_bytes()
    path.write_bytes(b"")
    path.with_name("tables.db-wal").write_bytes(log)
    told: list[Event] = []
    reopen(path, told)
    assert [event.code for event in told] == ["store_set_aside"]
    assert path.with_name("tables.db.broken-1-wal").read_bytes() == log


def test_every_broken_file_gets_a_name_of_its_own(path: Path) -> None:
    told: list[Event] = []
    for _ in range(3):
        make(path)
        overwrite(path, 0, garbage(PAGE))
        reopen(path, told)
    names = [Path(str(event.data["aside"])).name for event in told]
    assert names == ["tables.db.broken-1", "tables.db.broken-2", "tables.db.broken-3"]
    assert all(path.with_name(name).exists() for name in names)


def test_without_a_listener_the_damage_is_logged(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    make(path)
    overwrite(path, 0, garbage(PAGE))
    with opened(path):
        assert "store_set_aside" in caplog.text


def test_a_broken_file_that_is_still_in_use_stays_in_place(path: Path) -> None:
    make(path, entries=60)
    with opened(path) as store:
        overwrite(path, 0, garbage(PAGE))
        with refused("store_broken", path=str(path)):
            open_store(str(path))
        assert len(store.entries("t0")) == 60  # as far as it has it in mind, the other one goes on
    assert not list(path.parent.glob("*.broken-*"))
    told: list[Event] = []
    reopen(path, told)
    assert [event.code for event in told] == ["store_set_aside"]


class PowerCutError(BaseException):
    pass


@pytest.mark.parametrize("renames", range(4))
def test_a_power_cut_while_setting_aside_loses_nothing(
    path: Path, renames: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(path, entries=60)
    damaged = path.stat().st_size // PAGE - 1
    overwrite(path, damaged * PAGE, garbage(PAGE))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("SELECT count(*) FROM tables").fetchone()
        logs = [path.with_name(f"tables.db{suffix}").read_bytes() for suffix in SIDECARS]
    for suffix, log in zip(SIDECARS, logs, strict=True):
        path.with_name(f"tables.db{suffix}").write_bytes(log)  # so that there is something to rename after the file
    rename, done = Path.rename, []

    def rename_until_the_cut(self: Path, target: Path) -> Path:
        if len(done) == renames:
            raise PowerCutError
        done.append(target)
        return rename(self, target)

    told: list[Event] = []
    monkeypatch.setattr(Path, "rename", rename_until_the_cut)
    try:
        saved = reopen(path, told)
    except PowerCutError:
        monkeypatch.undo()
        saved = reopen(path, told)
    assert saved["t0"]
    assert [event.code for event in told] == ["store_set_aside"]
    assert Path(str(told[0].data["aside"])).exists()
    assert len(list(path.parent.glob("*.broken-[0-9]"))) == 1
