"""The house: several tables over one store, codes to find them by, and tokens that speak for a seat."""

import json
import secrets

import pytest

from companion.games.protocol import Event
from companion.rehearsal.world import HandClock
from companion.table.entries import Command, StoreError
from companion.table.house import CODE_LENGTH, CODE_LETTERS, House, token_hash
from companion.table.store import open_store
from companion.table.table import Table
from tests.table.support import FailingStore, header_of


def house_with_table() -> tuple[House, Table]:
    house = House(open_store("memory:"), HandClock())
    table = house.open_table("Terrace")
    assert table.do(Command("game", "new_game", (json.dumps(header_of()),))).accepted
    return house, table


def test_a_table_is_found_by_its_code_however_it_is_typed():
    house, table = house_with_table()
    code = table.row.code
    assert len(code) == CODE_LENGTH
    assert set(code) <= set(CODE_LETTERS)
    for typed in (code, code.lower(), f" {code[:2]} {code[2:]}\n"):
        assert house.by_code(typed) is table


@pytest.mark.parametrize("typed", ["", "AAAA", "\ud800", "é" * 10_000, "B" * 3, "\x00"])
def test_an_unknown_code_finds_no_table(typed):
    house, _ = house_with_table()
    assert house.by_code(typed) is None


def test_tables_are_there_again_after_a_restart():
    store, clock = open_store("memory:"), HandClock()
    house = House(store, clock)
    rows = [house.open_table(name).row for name in ("Terrace", "Bar")]
    again = House(store, clock)
    assert [table.row for table in again.tables()] == rows
    assert again.table(rows[0].id) is not None
    assert again.table("no such table") is None


def test_a_table_may_be_opened_while_another_is_looked_for(monkeypatch):
    house, table = house_with_table()
    compare = secrets.compare_digest

    def slowly(one: bytes, other: bytes) -> bool:
        monkeypatch.undo()
        house.open_table("Bar")
        return compare(one, other)

    monkeypatch.setattr(secrets, "compare_digest", slowly)
    assert house.by_code(table.row.code) is table
    assert [one.row.name for one in house.tables()] == ["Terrace", "Bar"]


def test_a_key_used_twice_hands_out_no_token_that_opens_nothing():
    house, table = house_with_table()
    first = house.sit(table, "pink", "Ada", "key")
    assert house.seat_of(table, first.token) == "pink"
    again = house.move_phone(table, "pink", "key")
    assert (again.answer.accepted, again.token) == (False, "")


def test_a_hostile_table_name_becomes_a_plain_one():
    house = House(open_store("memory:"), HandClock())
    assert house.open_table("\u202eBar\x00").row.name == "Bar"
    assert house.open_table("\x00\x01").row.name == "Maka Bana"
    assert len(house.open_table("x" * 10_000).row.name) <= 24


def test_a_table_that_cannot_be_kept_is_not_opened():
    class Full(FailingStore):
        def create_table(self, table):
            raise StoreError(Event("disk_full", {"path": "x"}))

    house = House(Full(), HandClock())
    with pytest.raises(StoreError):
        house.open_table("Terrace")
    assert house.tables() == []


def test_a_seat_taken_is_kept_and_its_token_speaks_for_it():
    house, table = house_with_table()
    seated = house.sit(table, "violet", "Ana", "k1")
    assert seated.answer.accepted
    assert house.seat_of(table, seated.token) == "violet"
    assert house.sit(table, "violet", "Bob", "k2").answer.refusal.code == "seat_is_taken"
    assert house.sit(table, "nobody", "Bob", "k3").answer.refusal.code == "seat_unknown"
    assert house.sit(table, "pink", "  ", "k4") == (house.sit(table, "pink", "  ", "k4").answer, "")
    assert table.session.seats["violet"].name == "Ana"


@pytest.mark.parametrize("token", ["", "x", "\ud7ff", "0" * 64])
def test_a_token_nobody_gave_speaks_for_nobody(token):
    house, table = house_with_table()
    house.sit(table, "violet", "Ana", "k1")
    assert house.seat_of(table, token) is None


def test_the_same_person_comes_back_on_another_phone_and_the_old_one_still_works():
    house, table = house_with_table()
    first = house.sit(table, "violet", "Ana", "k1")
    second = house.move_phone(table, "violet", "k2")
    assert second.answer.accepted
    assert second.token != first.token
    assert house.seat_of(table, first.token) == house.seat_of(table, second.token) == "violet"


def test_after_leaving_no_old_token_speaks_for_the_seat():
    house, table = house_with_table()
    first = house.sit(table, "violet", "Ana", "k1")
    table.do(Command("k2", "leave", (), "violet"))
    assert house.seat_of(table, first.token) is None
    second = house.sit(table, "violet", "Bob", "k3")
    assert house.seat_of(table, second.token) == "violet"
    assert house.seat_of(table, first.token) is None


def test_tokens_survive_a_restart_and_only_their_hash_is_kept():
    store, clock = open_store("memory:"), HandClock()
    house = House(store, clock)
    table = house.open_table("Terrace")
    table.do(Command("game", "new_game", (json.dumps(header_of()),)))
    seated = house.sit(table, "violet", "Ana", "k1")
    kept = json.dumps([entry.body for entry in store.entries(table.row.id)])
    assert seated.token not in kept
    assert token_hash(seated.token) in kept
    assert seated.token not in repr(seated)
    again = House(store, clock)
    assert again.seat_of(again.tables()[0], seated.token) == "violet"
