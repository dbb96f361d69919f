"""Tables that wait for people cost next to nothing, and are looked after all the same."""

from collections.abc import Callable

from companion.devices.clock import ManualClock, SystemClock
from companion.house.bots import Pace
from companion.house.running import CALM_TICKS
from companion.table.table import Table
from tests.house.support import Evening, until, virtual_for


def counted(function: Callable[[], None]) -> tuple[Callable[[], None], list[int]]:
    """The function, and a list that grows by one with each call of it."""
    calls: list[int] = []

    def outer() -> None:
        calls.append(1)
        function()

    return outer, calls


def ticks_of(table: Table) -> list[int]:
    table.tick, calls = counted(table.tick)  # type: ignore[method-assign]
    return calls


def test_a_table_is_calm_while_it_waits_for_people_alone() -> None:
    with Evening(ManualClock()) as evening:
        people, bots = evening.open_table(), evening.open_table(bots={"violet": "random"})
        evening.running._pace = Pace(least=2.0, most=2.0)
        evening.running.tick()
        calm, busy = evening.running.table(people.row.id), evening.running.table(bots.row.id)
        assert calm.is_calm
        assert not busy.is_calm
        calm.virtual = virtual_for(people)
        assert not calm.is_calm


def test_a_calm_table_is_ticked_as_often_as_any_and_as_a_whole_now_and_then() -> None:
    with Evening(SystemClock()) as evening:
        evening.running.start()
        table = evening.open_table()
        running = evening.running.table(table.row.id)
        until(lambda: running.is_calm)
        ticks = ticks_of(table)
        running.tick, whole = counted(running.tick)
        until(lambda: len(ticks) >= 2 * CALM_TICKS)
        assert 1 <= len(whole) <= len(ticks) // 10


def test_a_table_that_is_held_up_holds_up_no_other() -> None:
    with Evening(SystemClock()) as evening:
        evening.running.start()
        held, other = evening.open_table(), evening.open_table()
        running = evening.running.table(held.row.id)
        until(lambda: running.is_calm and evening.running.table(other.row.id).is_calm)
        with held.lock:  # as while it writes to a slow disk
            ticks = ticks_of(other)
            until(lambda: len(ticks) >= 2 * CALM_TICKS)
