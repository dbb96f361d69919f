"""Where the house keeps its things: games, the staff's PIN, bundles of disputes."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from companion.commands.evening.texts import EveningError
from companion.devices.clock import SystemClock
from companion.games.protocol import Event
from companion.table.entries import Store, StoreError
from companion.table.house import House
from companion.table.store import open_store
from companion.table.texts import say

if TYPE_CHECKING:
    from companion.house.running import Running

LEAST_FREE_MB = 20
PIN_FILE = "staff.pin"


class Place(NamedTuple):
    """An open house with everything it needs to run."""

    folder: Path
    store: Store
    house: House
    running: Running
    clock: SystemClock
    pin: str
    is_first: bool

    def __repr__(self) -> str:
        return f"Place({self.folder})"


def data_folder(chosen: str | None) -> Path:
    """The folder that was asked for, or the user's own for such things."""
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(os.environ.get("MAKABANA_DATA") or Path(base) / "makabana")


@contextmanager
def open_place(folder: Path, address: str | None) -> Iterator[Place]:
    """Opens the house in a folder. Raises `EveningError` for anything that keeps it from being written."""
    from companion.house.running import Running

    with ExitStack() as closing:
        _make(folder)
        closing.enter_context(_only_one(folder))
        pin, is_first = _pin(folder / PIN_FILE)
        store = _store(address or str(folder / "tables.db"))
        closing.callback(store.close)
        clock = SystemClock()
        house = House(store, clock)
        running = Running(house, clock, store, folder / "disputes", boards=folder / "boards.json")
        yield Place(folder, store, house, running, clock, pin, is_first)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".can-write"
        probe.write_bytes(b"yes")
        probe.unlink()
        free = shutil.disk_usage(folder).free // 1_000_000
    except OSError as error:
        raise _forbidden(folder, error) from None
    if free < LEAST_FREE_MB:
        raise EveningError(Event("disk_low", {"path": str(folder), "free": free, "least": LEAST_FREE_MB}))


def _forbidden(path: Path, error: OSError) -> EveningError:
    return EveningError(Event("folder_forbidden", {"path": str(path), "reason": error.strerror or str(error)}))


@contextmanager
def _only_one(folder: Path) -> Iterator[None]:
    """Two houses over the same games would not hear of each other's moves."""
    path = folder / "open.lock"
    try:
        lock = path.open("w")
    except OSError as error:  # of somebody else, who opened the house here before
        raise _forbidden(path, error) from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise EveningError(Event("already_open", {"path": str(folder)})) from None
        yield


def _pin(path: Path) -> tuple[str, bool]:
    """The staff's PIN, and whether it was made just now."""
    from web.evening import new_pin

    try:
        pin = path.read_text(encoding="ascii", errors="replace").strip() if path.exists() else ""
        if pin:
            return pin, False
        pin = new_pin()
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(pin + "\n")
    except OSError as error:
        raise _forbidden(path, error) from None
    return pin, True


def _store(address: str) -> Store:
    try:
        return open_store(address)
    except StoreError as error:
        raise EveningError(error.event, say) from None
