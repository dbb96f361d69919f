"""What a synced append costs, as ratios within one run: next to one without a sync, and alone next to in company.

A disk's sync takes from 0.1 to 100 ms, so milliseconds say little of us; how many writers share one sync does.
"""

import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from companion.table import store_sqlite  # noqa: E402
from companion.table.entries import Entry, Store, TableRow  # noqa: E402
from companion.table.store import open_store  # noqa: E402

ROUNDS = 5
APPENDS = 40  # of each thread in each round
BODY = {"do": "tiki", "args": ["Azzura-Lagon-Fleur"], "salt": "0123456789abcdef" * 4}


@contextmanager
def store_in(folder: str, name: str, tables: int, is_synced: bool = True) -> Iterator[Store]:
    pragmas = store_sqlite._PRAGMAS
    if not is_synced:
        store_sqlite._PRAGMAS = ("synchronous = OFF", *pragmas[1:])
    store = open_store(f"{folder}/{name}.db")
    store_sqlite._PRAGMAS = pragmas
    for index in range(tables):
        store.create_table(TableRow(f"t{index}", "", f"c{index}", float(index)))
    yield store
    store.close()


def seconds_per_append(store: Store, threads: int, appends: int = APPENDS) -> float:
    """The time of one append when this many threads write at once, each at its own table."""
    first = {index: len(store.entries(f"t{index}")) + 1 for index in range(threads)}

    def play(index: int) -> None:
        for number in range(first[index], first[index] + appends):
            store.append(f"t{index}", [Entry(number, "act", "blue", BODY, f"k{number}", 1.0)])

    players = [threading.Thread(target=play, args=(index,)) for index in range(threads)]
    began = time.perf_counter()
    for player in players:
        player.start()
    for player in players:
        player.join()
    return (time.perf_counter() - began) / (threads * appends)


def report_appends(folder: str) -> None:
    with store_in(folder, "synced", 100) as synced, store_in(folder, "loose", 1, is_synced=False) as loose:
        names = ("1 thread", "8 threads", "100 threads", "1 thread, no sync")
        times: dict[str, list[float]] = {name: [] for name in names}
        for _ in range(ROUNDS):
            rounds = (
                seconds_per_append(synced, 1),
                seconds_per_append(synced, 8),
                seconds_per_append(synced, 100, appends=4),
                seconds_per_append(loose, 1, appends=400),
            )
            for name, seconds in zip(names, rounds, strict=True):
                times[name].append(seconds)
        alone = times["1 thread"]
        for name, values in times.items():
            ratio = statistics.median(a / b for a, b in zip(alone, values, strict=True))
            print(
                f"  {name:18} {statistics.median(values) * 1e3:8.3f} ms an append   {ratio:7.1f} times as many as alone"
            )
        busy = process_seconds_of_an_evening(synced)
        print(f"  100 tables, one append a second each: {busy * 100:.1f} % of one core")


def process_seconds_of_an_evening(store: Store) -> float:
    """Processor time for 100 appends that come within one second, worst case: all at once."""
    began = time.process_time()
    for _ in range(10):
        seconds_per_append(store, 100, appends=1)
    return (time.process_time() - began) / 10


def report_opening(folder: str, entries: int = 100_000) -> None:
    with store_in(folder, "year", 1) as store:
        for first in range(1, entries, 1000):
            store.append(
                "t0", [Entry(number, "act", "blue", BODY, f"k{number}") for number in range(first, first + 1000)]
            )
        began = time.perf_counter()
        assert len(store.entries("t0")) == entries
        reading = time.perf_counter() - began
    began = time.perf_counter()
    open_store(f"{folder}/year.db").close()
    checking = time.perf_counter() - began
    print(f"  {entries:,} entries: checked and opened in {checking:.2f} s, read in {reading:.2f} s")


def main() -> None:
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as folder:
        report_appends(folder)
        report_opening(folder)


if __name__ == "__main__":
    main()
