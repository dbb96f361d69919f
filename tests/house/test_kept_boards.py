"""A house that opens again: virtual boards are laid out as the games stand, and only where somebody is."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.devices.clock import ManualClock
from companion.devices.table_file import TableFile
from companion.devices.tags import Register
from companion.games.catalogue import game_named
from companion.house.desk import Desk
from companion.house.equipment import Real, Virtual
from companion.house.kept_boards import KeptBoards
from companion.house.running import Running
from companion.table.compare import expected_contents
from companion.table.house import House
from companion.table.store import open_store
from companion.table.table import Table
from tests.house.support import do, json_of

DIRECT = Virtual(is_direct=True, has_readers=False)


@contextmanager
def evening(folder: Path) -> Iterator[tuple[House, Running]]:
    store, clock = open_store(str(folder / "tables.db")), ManualClock()
    house = House(store, clock, wall=clock.now)
    with_boards = Running(house, clock, store, boards=folder / "boards.json")  # not started: tests tick
    try:
        yield house, with_boards
    finally:
        with_boards.close()
        store.close()


def named(house: House, *names: str) -> list[Table]:
    tables = {table.row.name: table for table in house.tables()}
    return [tables[name] for name in names]


def begin(house: House, name: str) -> Table:
    table = house.open_table(name)
    do(table, "new_game", json_of(game_named("makabana").default_header("2013", 3)))
    do(table, "start")
    return table


def act_once(table: Table) -> None:
    session, rng = table.session, random.Random(1)
    action = rng.choice(list(session.game.legal_actions(session.state, session.actors[0])))
    do(table, "act", action.verb, *action.args, seat=action.seat)


def lying(running: Running, table: Table) -> dict[str, str] | None:
    virtual = running.table(table.row.id).virtual
    return None if virtual is None else {place: what for place, what in virtual.contents().items() if what != "empty"}


@pytest.fixture
def left_open(tmp_path: Path) -> Path:
    """The folder of an evening on which two virtual tables and one without a board were played."""
    with evening(tmp_path) as (house, running):
        for name in ("first", "second", "bare"):
            table = begin(house, name)
            if name != "bare":
                running.table(table.row.id).equip(DIRECT)
            act_once(table)
            running.tick()
    return tmp_path


def test_a_board_lies_again_once_somebody_acts_and_old_ones_cost_nothing(left_open: Path) -> None:
    with evening(left_open) as (house, running):
        first, second, bare = named(house, "first", "second", "bare")
        running.tick()
        assert [lying(running, table) for table in (first, second, bare)] == [None] * 3
        act_once(second)
        act_once(bare)
        running.tick()
        expected = expected_contents(second.session.game, second.session.state)
        assert lying(running, second) == {place: what for place, what in expected.items() if what != "empty"}
        assert len(lying(running, second)) == 2
        assert [lying(running, first), lying(running, bare)] == [None, None]


def test_a_board_lies_again_once_somebody_opens_its_page(left_open: Path) -> None:
    with evening(left_open) as (house, running):
        first, bare = named(house, "first", "bare")
        desk = Desk(running, ManualClock())
        assert desk.virtual(first.row.id) is not None
        assert running.table(first.row.id).equipment == DIRECT
        assert desk.virtual(bare.row.id) is None


def test_a_table_with_real_equipment_is_virtual_no_more(left_open: Path) -> None:
    with evening(left_open) as (house, running):
        (first,) = named(house, "first")
        running.table(first.row.id).equip(Real(TableFile("salon", "tags.json"), Register(), left_open))
    with evening(left_open) as (house, running):
        first, second = named(house, "first", "second")
        desk = Desk(running, ManualClock())
        assert desk.virtual(first.row.id) is None
        assert desk.virtual(second.row.id) is not None


@pytest.mark.parametrize("content", ["", "[]", '{"a": 1, "b": {"is_direct": "yes"}, "c": {"more": true}}', "\xff"])
def test_a_file_that_holds_something_else_is_as_good_as_none(tmp_path: Path, content: str) -> None:
    path = tmp_path / "boards.json"
    path.write_text(content, encoding="latin-1")
    assert [KeptBoards(path).of(table) for table in "abc"] == [None] * 3


def test_a_folder_that_can_not_be_written_stops_nobody(tmp_path: Path) -> None:
    kept = KeptBoards(tmp_path / "nowhere" / "boards.json")
    kept.keep("a", DIRECT)
    assert kept.of("a") == DIRECT
