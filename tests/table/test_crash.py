"""A process that is killed at any instant has lost nothing it was promised, and doubles nothing when it comes back.

40 kills in every run, fewer where they would take longer than anybody waits; `MAKABANA_LONG=1` makes it 300.
"""

import os
import sys
from pathlib import Path

from companion.table.store import open_store
from tests.table.crash import player
from tests.table.crash.harness import Tally, kill_at_random
from tests.table.store_support import postgres_server

IS_LONG = os.environ.get("MAKABANA_LONG") == "1"
LONGEST_S = 3600.0 if IS_LONG else 22.0
PLAYER = Path(player.__file__)


class Watcher:
    """Looks at the store after each kill, and remembers what was ever promised."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._promised: dict[str, int] = {}
        self.told: list[str] = []

    def check(self, lines: list[str]) -> None:
        for line in lines:
            table, batch = line.split()
            self._promised[table] = max(self._promised.get(table, 0), int(batch))
        store = open_store(self._address, tell=lambda event: self.told.append(event.code))
        try:
            for table in store.tables():
                self._check_table(table.id, store.entries(table.id))
        finally:
            store.close()

    def _check_table(self, table: str, kept: list[object]) -> None:
        expected: list[object] = []
        batch = 0
        while len(expected) < len(kept):
            batch += 1
            expected += player.batch_entries(table, batch, len(expected) + 1)
        assert kept == expected  # no gap, no double, no half batch, every body as it was written
        assert batch >= self._promised.get(table, 0), f"{table}: {self._promised[table]} was promised"


def killed(address: str, kills: int) -> Tally:
    watcher = Watcher(address)
    tally = kill_at_random([sys.executable, str(PLAYER), address], watcher.check, kills, seed=5, most_s=LONGEST_S)
    assert watcher.told == []  # a kill damages no file
    assert tally.lines > tally.kills > 0  # it was killed while it played, not while it slept
    return tally


def test_nothing_promised_is_lost_or_doubled_by_kills(tmp_path: Path) -> None:
    killed(str(tmp_path / "tables.db"), kills=300 if IS_LONG else 40)


def test_nothing_promised_is_lost_or_doubled_by_kills_with_a_server() -> None:
    killed(postgres_server().new_database(), kills=60 if IS_LONG else 6)
