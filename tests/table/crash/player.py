"""The child of the crash test: plays at several tables at once, as fast as the store lets it, until it is killed.

What it plays depends on table and batch alone, so that whoever looks knows what has to be there. The last batch it
finds is repeated first: whether its promise was heard before the kill nobody knows, as with a phone that asks again.
"""

import os
import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

from companion.table.entries import Entry, Store, StoreError, TableRow
from companion.table.store import open_store

TABLES = ("north", "south", "east", "west", "bar")


def batch_size(batch: int) -> int:
    return 1 + batch * 7 % 4


def batch_entries(table: str, batch: int, first: int) -> list[Entry]:
    """The entries of a batch. The first has the key, as with the answer to a command."""
    size = batch_size(batch)
    return [
        Entry(first + index, "act", "blue", _body(table, batch, index), f"{table}:{batch}" * (index == 0), float(batch))
        for index in range(size)
    ]


def _body(table: str, batch: int, index: int) -> dict[str, object]:
    return {"table": table, "batch": batch, "index": index, "weight": "x" * (batch * 37 % 900)}


def play(store: Store, table: str) -> None:
    kept = store.entries(table)
    batch, number = (int(str(kept[-1].body["batch"])), len(kept) + 1) if kept else (0, 1)
    if kept:
        repeat(store, table, batch, number)
    while True:
        batch += 1
        store.append(table, batch_entries(table, batch, number))
        number += batch_size(batch)
        say(f"{table} {batch}")


def repeat(store: Store, table: str, batch: int, number: int) -> None:
    try:
        store.append(table, batch_entries(table, batch, number))
    except StoreError as error:
        if error.event.code == "entry_exists":
            return
        raise
    say(f"{table} doubled {batch}")


def say(line: str) -> None:
    os.write(1, f"{line}\n".encode())  # one write, so that lines of several threads do not mix


def end_loudly(failure: threading.ExceptHookArgs) -> None:
    print(repr(failure.exc_value), getattr(failure.exc_value, "event", ""), file=sys.stderr, flush=True)
    os._exit(1)


def main() -> None:
    store = open_store(sys.argv[1])
    known = {table.id for table in store.tables()}
    for name in TABLES:
        if name not in known:
            store.create_table(TableRow(name, name, name, 1.0))
    threading.excepthook = end_loudly
    say("up")
    for name in TABLES:
        threading.Thread(target=play, args=(store, name)).start()


if __name__ == "__main__":
    main()
