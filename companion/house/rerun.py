"""Running a dispute bundle again: a fresh table, a clock of its own, the same words from sensors and people.

Says whether the same decisions follow. A bundle of a fault that has been put right since will differ, and one that was
put right and breaks again will differ back: so a bundle is a test.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from companion.devices.clock import ManualClock
from companion.games.protocol import Action, Event, FormatError, Json
from companion.games.record import Record, last_state
from companion.house.bundles import LATEST_S, Bundle, Input
from companion.house.disputes import time_of
from companion.table.entries import Command, Entry, Store, TableRow
from companion.table.observations import Observation
from companion.table.store import open_store
from companion.table.table import Table

TICK_S = 0.05
LONGEST_S = 600.0


class Rerun(NamedTuple):
    """What came of it. `got` and `wanted` are the actions after the base; questions are (kind, causes) or None."""

    wanted: tuple[Action, ...]
    got: tuple[Action, ...]
    asked_then: Json
    asked_now: Json
    refused: tuple[str, ...]  # what people did then and can't do now

    @property
    def is_same(self) -> bool:
        return self.wanted == self.got and self.asked_then == self.asked_now and not self.refused


def rerun(bundle: Bundle) -> Rerun:
    """Raises `FormatError` for a record that the rules refuse, and for times that make no sense."""
    last_state(bundle.record)
    timeline = list(_timeline(bundle))
    store = open_store("memory:")
    try:
        table, clock = _table_at(store, bundle, timeline[0][0] if timeline else bundle.until)
        refused = [str(refusal) for refusal in _play(table, clock, timeline, bundle.until) if refusal]
        return _compared(bundle, table, tuple(refused))
    finally:
        store.close()


def _timeline(bundle: Bundle) -> Iterator[tuple[float, Observation | Input]]:
    """Observations and inputs by their times, within reason."""
    moments: list[tuple[float, Observation | Input]] = [(time_of(one), one) for one in bundle.observations]
    moments += [(one.at, one) for one in bundle.inputs]
    if not all(abs(at) < LATEST_S for at, _ in moments):
        raise FormatError(Event("bundle_unreadable", {"file": "observations.jsonl"}))
    for at, one in sorted(moments, key=lambda pair: pair[0]):
        yield max(at, bundle.until - LONGEST_S), one


def _table_at(store: Store, bundle: Bundle, start: float) -> tuple[Table, ManualClock]:
    """A table at which the game has come as far as the bundle's base."""
    clock = ManualClock(start)
    row = TableRow("replay", "replay", "BBBB", 0.0)
    store.create_table(row)
    actions = bundle.record.actions[: bundle.base]
    entries = [Entry(1, "new_game", None, {"header": dict(bundle.record.header)}), Entry(2, "start", None, {})]
    entries += [
        Entry(number, "act", action.seat, {"do": action.verb, "args": list(action.args), "by": "phone"})
        for number, action in enumerate(actions, 3)
    ]
    store.append(row.id, entries)
    return Table(store, row, clock, clock.now), clock


def _play(
    table: Table, clock: ManualClock, timeline: list[tuple[float, Observation | Input]], until: float
) -> Iterator[str]:
    """Lets time pass and everything happen again; gives what people did and can't do now."""
    for number, (at, one) in enumerate(timeline):
        _pass_time(table, clock, at)
        if isinstance(one, Input):
            words = (one.action.verb, *one.action.args)
            answer = table.do(Command(f"replay.{number}", "act", words, one.action.seat))
            yield "" if answer.refusal is None else f"{one.action.text}: {answer.refusal.code}"
        else:
            table.observe(one)
    _pass_time(table, clock, until)


def _pass_time(table: Table, clock: ManualClock, until: float) -> None:
    while clock.now() < until:
        clock.advance(min(TICK_S, until - clock.now()))
        table.tick()


def _compared(bundle: Bundle, table: Table, refused: tuple[str, ...]) -> Rerun:
    question = table.question
    asked = None if question is None else {"kind": question.kind, "causes": [list(cause) for cause in question.causes]}
    then = None if bundle.question is None else {key: bundle.question.get(key) for key in ("kind", "causes")}
    got: Record = table.session.record
    return Rerun(bundle.record.actions[bundle.base :], got.actions[bundle.base :], then, asked, refused)
