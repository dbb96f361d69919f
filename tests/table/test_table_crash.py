"""A whole table killed at any instant: every accepted command is there, none is doubled, and the game goes on.

40 kills in every run, fewer where they would take longer than anybody waits; `MAKABANA_LONG=1` makes it 300.
"""

import os
import random
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from companion.games.catalogue import game_of
from companion.games.protocol import Action
from companion.rehearsal.world import HandClock
from companion.table.entries import Command, Entry
from companion.table.house import House
from companion.table.session import replayed
from companion.table.store import open_store
from tests.table.crash import evening
from tests.table.crash.harness import Tally, kill_at_random

IS_LONG = os.environ.get("MAKABANA_LONG") == "1"
LONGEST_S = 3600.0 if IS_LONG else 22.0
CHILD = Path(evening.__file__)


class Watcher:
    """Looks at the store after each kill, and remembers every promise of every life."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._promised: dict[str, list[str]] = {}
        self.acts = 0

    def check(self, lines: list[str]) -> None:
        for line in lines:
            _, key, *said = line.split()
            self._promised[key] = said
        store = open_store(self._address)
        try:
            for row in store.tables():
                self._check_table(row.id, store.entries(row.id))
        finally:
            store.close()

    def _check_table(self, table: str, kept: list[Entry]) -> None:
        assert [entry.number for entry in kept] == list(range(1, len(kept) + 1))
        keys = Counter(entry.key for entry in kept if entry.key)
        assert not [key for key, times in keys.items() if times > 1]
        assert sorted(self._promised.keys() - keys) == []  # nothing accepted is lost
        by_key = {entry.key: entry for entry in kept}
        for key, (do, seat, *words) in self._promised.items():
            if do == "act" and by_key[key].kind == "act":
                assert [by_key[key].seat, by_key[key].body["do"], *by_key[key].body["args"]] == [seat, *words]
        self._check_halves(kept)
        session = replayed(table, kept)  # the rules accept every entry, in this order
        self.acts = max(self.acts, len(session.steps))

    def _check_halves(self, kept: list[Entry]) -> None:
        """A race that names its winner's action has that action; whoever answers has promised or acted with it."""
        for entry, after in zip(kept, [*kept[1:], None], strict=True):
            if entry.kind == "race" and _claimed_words(kept, entry):
                assert after is not None
                assert (after.kind, after.seat) == ("act", entry.seat)


def _claimed_words(kept: list[Entry], race: Entry) -> bool:
    claims = [e for e in kept[: race.number - 1] if e.kind == "claim" and e.seat == race.seat]
    return bool(claims[-1].body["words"])


def killed(address: str, kills: int) -> tuple[Tally, Watcher]:
    watcher = Watcher(address)
    tally = kill_at_random(
        [sys.executable, str(CHILD), address], watcher.check, kills, seed=11, longest_life_s=0.25, most_s=LONGEST_S
    )
    return tally, watcher


def test_nothing_accepted_at_a_table_is_lost_or_doubled_by_kills(tmp_path):
    address = str(tmp_path / "tables.db")
    tally, watcher = killed(address, 300 if IS_LONG else 40)
    assert tally.lines > tally.kills > 0
    assert watcher.acts > 0
    _goes_on_to_its_end(address)


def _goes_on_to_its_end(address: str) -> None:
    """The last kill's game is played to its end by phone alone, and its score is that of its record."""
    store = open_store(address)
    try:
        table = House(store, HandClock()).tables()[0]
        rng = random.Random(1)
        if not table.session.is_started:  # killed between setting a game up and starting it
            assert table.do(Command("end-start", "start")).accepted
        for number in range(3000):
            if not table.session.actors:
                break
            action = rng.choice(_possible(table.session.game, table.session))
            assert table.do(Command(f"end-{number}", "act", (action.verb, *action.args), action.seat)).accepted
            table.clock.at += 1.0
            table.tick()
        record = table.session.record
        game = game_of(record.header)
        state = game.start(record.header)
        for action in record.actions:
            state = game.apply(state, action)
        assert game.outcome(state) == table.session.game.outcome(table.session.state) is not None
    finally:
        store.close()


def _possible(game: Any, session: Any) -> Sequence[Action]:
    race = session.verdict.first.seat if session.verdict else None
    seat = race or session.actors[0]
    return game.button_actions(session.state, seat) if race else game.legal_actions(session.state, seat)
