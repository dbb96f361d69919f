"""One contract for every store: an SQLite file, memory, and a real PostgreSQL server."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.table.entries import Entry, Store, StoreError, TableRow
from companion.table.store import open_store
from tests.table.store_support import ROOT, TEXTS, entry, fill, opened, postgres_server, refused, said, table


class Rig(NamedTuple):
    """A store and, where one can come back to it or share it, its address."""

    store: Store
    address: str

    def again(self) -> Store:
        if self.address == "memory:":
            pytest.skip("memory is gone with its store")
        return open_store(self.address)


ADDRESSES: dict[str, Callable[[Path], str]] = {
    "sqlite": lambda folder: f"sqlite:{folder / 'tables.db'}",
    "memory": lambda folder: "memory:",
    "postgres": lambda folder: postgres_server().new_database(),
}


@pytest.fixture(params=ADDRESSES)
def rig(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Rig]:
    address = ADDRESSES[request.param](tmp_path)
    with opened(address) as store:
        yield Rig(store, address)


@pytest.fixture
def store(rig: Rig) -> Store:
    rig.store.create_table(table("t"))
    return rig.store


def run_together(jobs: list[Callable[[], None]]) -> None:
    """All at once, each in a thread of its own; a failure there is the test's."""
    with ThreadPoolExecutor(len(jobs)) as pool:
        for done in [pool.submit(job) for job in jobs]:
            done.result()


# --- Tables ---


def test_a_new_store_has_no_tables(rig: Rig) -> None:
    assert rig.store.tables() == []


def test_tables_are_listed_oldest_first(rig: Rig) -> None:
    made = [TableRow("b", "Fenêtre 🌴", "zz", 2.5), TableRow("c", "", "yy", 3.0), TableRow("a", "Bar", "xx", 4.0)]
    for one in (made[2], made[0], made[1]):
        rig.store.create_table(one)
    assert rig.store.tables() == made


def test_a_taken_id_or_code_is_refused(rig: Rig) -> None:
    rig.store.create_table(TableRow("t", "Bar", "palm", 1.0))
    with refused("table_exists", table="t", code="other"):
        rig.store.create_table(TableRow("t", "Terrace", "other", 2.0))
    with refused("table_exists", table="u", code="palm"):
        rig.store.create_table(TableRow("u", "Terrace", "palm", 2.0))
    assert rig.store.tables() == [TableRow("t", "Bar", "palm", 1.0)]


@pytest.mark.parametrize("row", [("t\0", "n", "c", 1.0), ("t", "\ud800", "c", 1.0), ("t", "n", "c", float("nan"))])
def test_a_table_no_database_can_keep_is_refused(rig: Rig, row: tuple[str, str, str, float]) -> None:
    with refused("table_unstorable"):
        rig.store.create_table(TableRow(*row))
    assert rig.store.tables() == []


# --- Entries ---


def test_entries_come_back_as_they_were(store: Store) -> None:
    body = {
        "texts": ["é", "\0", "\ud800", "🌴", "'; DROP TABLE entries; --", "?%s"],
        "deep": {"a": [None, True, 1.5, -7, {}]},
    }
    kept = [
        Entry(1, "new_game", None, body, "key:1.a-b_c", 1_800_000_000.123456),
        Entry(2, "act", "blue-1", {}, "", 0.1),
        Entry(3, "act", "", {"long": "x" * 300_000}, "é", 0.0),
    ]
    store.append("t", kept[:2])
    store.append("t", kept[2:])
    assert store.entries("t") == kept


def test_entries_after_a_number_leave_out_those_up_to_it(store: Store) -> None:
    fill(store, "t", 1, 5)
    assert [one.number for one in store.entries("t", after=3)] == [4, 5]
    assert store.entries("t", after=5) == []


def test_a_table_has_only_its_own_entries(store: Store) -> None:
    store.create_table(table("u"))
    store.append("t", [entry(1, "same", where="t")])
    store.append("u", [entry(1, "same", where="u")])
    assert [one.body["where"] for one in store.entries("u")] == ["u"]
    assert store.entries("nowhere") == []


@pytest.mark.parametrize("numbers", [[1], [3], [5], [4, 6], [4, 4], [5, 4]])
def test_numbers_that_do_not_follow_are_refused_and_nothing_is_kept(store: Store, numbers: list[int]) -> None:
    fill(store, "t", 1, 3)
    with refused("entry_exists", table="t", last=3):
        store.append("t", [entry(number) for number in numbers])
    assert [one.number for one in store.entries("t")] == [1, 2, 3]


@pytest.mark.parametrize("keys", [["old"], ["new", "old"], ["", "old"], ["new", "new"]])
def test_a_known_key_is_refused_with_its_whole_batch(store: Store, keys: list[str]) -> None:
    store.append("t", [entry(1, "old")])
    with refused("entry_exists", table="t", last=1):
        store.append("t", [entry(2 + index, key) for index, key in enumerate(keys)])
    assert [one.key for one in store.entries("t")] == ["old"]
    store.append("t", [entry(2, "new")])
    assert [one.key for one in store.entries("t")] == ["old", "new"]


def test_entries_without_a_key_are_many(store: Store) -> None:
    store.append("t", [entry(1), entry(2)])
    store.append("t", [entry(3)])
    assert len(store.entries("t")) == 3


def test_no_entries_are_no_trouble(store: Store) -> None:
    store.append("t", [])
    assert store.entries("t") == []


def test_a_table_that_does_not_exist_takes_no_entries(store: Store) -> None:
    with refused("table_unknown", table="nowhere"):
        store.append("nowhere", [entry(1)])


def deep(levels: int) -> dict[str, object]:
    body: dict[str, object] = {}
    for _ in range(levels):
        body = {"in": body}
    return body


@pytest.mark.parametrize(
    "wrong",
    [
        {"body": {"odds": float("nan")}},
        {"body": {"thing": object()}},
        {"body": deep(100_000)},
        {"body": {"long": "x" * 16_000_001}},
        {"kind": "a\0"},
        {"seat": "\udfff"},
        {"key": "k\0"},
        {"at": float("inf")},
        {"number": 0},
        {"number": 2**31},
    ],
    ids=lambda wrong: next(iter(wrong)),
)
def test_an_entry_no_database_can_keep_is_refused_with_its_batch(store: Store, wrong: dict[str, object]) -> None:
    with refused("entry_unstorable", table="'t'"):
        store.append("t", [entry(1), entry(2)._replace(**wrong)])
    assert store.entries("t") == []


# --- Coming back, and others ---


def test_everything_is_there_after_reopening(rig: Rig, store: Store) -> None:
    fill(store, "t", 1, 7, size=3)
    before = store.entries("t")
    again = rig.again()
    assert (again.tables(), again.entries("t")) == ([table("t")], before)
    again.close()
    store.close()
    again = rig.again()
    assert (again.tables(), again.entries("t")) == ([table("t")], before)
    again.close()


def test_of_two_stores_the_second_writer_is_refused(rig: Rig, store: Store) -> None:
    other = rig.again()
    store.append("t", [entry(1, "a", by="first")])
    with refused("entry_exists", number=1, last=1):
        other.append("t", [entry(1, "b", by="second")])
    assert [one.body["by"] for one in other.entries("t")] == ["first"]
    other.append("t", [entry(2, "b", by="second")])
    with refused("entry_exists"):
        store.append("t", [entry(3, "b", by="first")])
    assert store.entries("t") == other.entries("t")
    other.close()


def test_a_closed_store_says_so_and_closes_twice(store: Store) -> None:
    store.close()
    store.close()
    with refused("store_closed"):
        store.append("t", [entry(1)])
    with refused("store_closed"):
        store.tables()


def test_many_threads_lose_nothing_and_one_refusal_harms_nobody_else(store: Store) -> None:
    def play(table_id: str) -> None:
        store.create_table(table(table_id))
        for number in range(1, 21):
            store.append(table_id, [entry(number, f"k{number}")])
            with refused("entry_exists"):
                store.append(table_id, [entry(number + 1, f"k{number}")])

    names = [f"t{index}" for index in range(8)]
    run_together([lambda name=name: play(name) for name in names])
    assert [[one.number for one in store.entries(name)] for name in names] == [list(range(1, 21))] * 8


def test_of_threads_that_race_for_a_number_one_wins(store: Store) -> None:
    wins: list[tuple[int, str]] = []
    refusals: list[str] = []

    def race(name: str) -> None:
        for number in range(1, 16):
            try:
                store.append("t", [entry(number, f"{name}-{number}", by=name)])
                wins.append((number, name))
            except StoreError as error:
                refusals.append(error.event.code)

    run_together([lambda name=name: race(name) for name in "abcdef"])
    kept = [(one.number, str(one.body["by"])) for one in store.entries("t")]
    assert kept == sorted(wins)
    assert set(refusals) == {"entry_exists"}
    assert [number for number, _ in kept] == list(range(1, len(kept) + 1))


RACER = """
import sys
from companion.table.entries import Entry, StoreError
from companion.table.store import open_store
store, wins, number = open_store(sys.argv[1]), 0, 1
while number <= 40:
    try:
        store.append("t", [Entry(number, "act", None, {"by": sys.argv[2]}), Entry(number + 1, "act", None, {})])
        wins += 1
    except StoreError as error:
        assert error.event.code == "entry_exists", error.event
    number = len(store.entries("t")) + 1
store.close()
print(wins)
"""


def test_processes_on_one_store_neither_double_nor_lose(rig: Rig, store: Store) -> None:
    rig.again().close()
    command = [sys.executable, "-c", RACER, rig.address]
    racers = [
        subprocess.Popen([*command, name], cwd=ROOT, stdout=subprocess.PIPE, text=True, env={"PYTHONPATH": "."})
        for name in "abc"
    ]
    wins = {name: int(racer.communicate(timeout=60)[0]) for name, racer in zip("abc", racers, strict=True)}
    kept = store.entries("t")
    assert [one.number for one in kept] == list(range(1, 41))
    assert {name: sum(one.body.get("by") == name for one in kept) for name in wins} == wins


Batches = st.lists(
    st.lists(st.tuples(st.integers(-1, 1), st.sampled_from(["", "a", "b", "c"])), max_size=3), max_size=8
)


@given(Batches)
def test_a_store_agrees_with_a_plain_list(batches: list[list[tuple[int, str]]]) -> None:
    """Each entry's number is off by -1, 0 or 1 from the one that would follow."""
    model: list[Entry] = []
    with opened("memory:") as store:
        store.create_table(table("t"))
        for batch in batches:
            entries = [entry(max(1, len(model) + 1 + index + off), key) for index, (off, key) in enumerate(batch)]
            longer = [*model, *entries]
            keys = [one.key for one in longer if one.key]
            is_right = [one.number for one in longer] == list(range(1, len(longer) + 1)) and len(keys) == len(set(keys))
            if is_right:
                store.append("t", entries)
                model = longer
            else:
                with refused("entry_exists"):
                    store.append("t", entries)
            assert store.entries("t") == model


# --- Addresses and words ---


@pytest.mark.parametrize("address", ["", "sqlite:", "a\0b", "mysql://u:s3cret@host/db", "postgresql://u:s3cret%zz@h/d"])
def test_an_address_that_is_none_is_refused_without_quoting_its_secrets(address: str) -> None:
    with pytest.raises(StoreError) as caught:
        open_store(address)
    assert caught.value.event.code == "store_address_unreadable"
    assert "s3cret" not in said(caught.value.event)


def test_every_sentence_exists_in_both_languages_and_stands_in_order() -> None:
    assert list(TEXTS) == sorted(TEXTS)
    assert all(sorted(texts) == ["en", "fr"] for texts in TEXTS.values())
