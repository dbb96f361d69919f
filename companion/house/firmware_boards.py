"""Virtual readers that speak by the real firmware in MicroPython, on modelled chips, through real serial ports."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from queue import SimpleQueue

from companion.devices.firmware_node import FirmwareNode, default_config, has_micropython
from companion.devices.hub import Hub
from companion.devices.serial_link import SerialLink
from companion.house.virtual_readers import Boards, TwinBoards
from companion.table.observations import Clock

UNHURRIED = {"poll": {"removal_ms": 900, "period_ms": 150}}  # several boards share one small machine


MOST_TABLES = 2  # that have such readers at once: each has interpreters that never rest
_room = threading.BoundedSemaphore(MOST_TABLES)


def firmware_or_twins(clock: Clock) -> Boards:
    """The real firmware where a MicroPython is at hand and there is room for more of it, else twins of it."""
    if find_spec("serial") and has_micropython() and _room.acquire(blocking=False):
        return FirmwareBoards(_room.release)
    return TwinBoards(clock)


def _nothing() -> None:
    """There is nothing to do."""


class FirmwareBoards:
    """One MicroPython per reader board, in folders of its own. `when_closed` is called once, when all have ended."""

    def __init__(self, when_closed: Callable[[], None] = _nothing) -> None:
        self._when_closed = when_closed
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self.nodes: dict[str, FirmwareNode] = {}
        self._link: SerialLink | None = None
        # A board does as told between two turns of its firmware, and the evening does not wait for that.
        self._orders: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._obey, name="virtual readers", daemon=True)

    def open(self, hub: Hub) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="makabana-readers-")
        for node in hub.table.nodes:
            folder = Path(self._folder.name) / node.name
            folder.mkdir()
            config = {**default_config(list(node.readers)), "node": node.name, **UNHURRIED}
            self.nodes[node.name] = FirmwareNode(folder, config)
        self._link = SerialLink(hub, [node.port for node in self.nodes.values()], lister=list)
        self._link.start()
        self._thread.start()

    def lay(self, node: str, reader: str, uid: str) -> None:
        self._orders.put(lambda: self.nodes[node].lay(reader, uid))

    def lift(self, node: str, reader: str, uid: str) -> None:
        self._orders.put(lambda: self.nodes[node].lift(reader, uid))

    def tick(self) -> None:
        """The firmware has its own pulse."""

    def close(self) -> None:
        self._orders.put(None)
        if self._thread.is_alive():
            self._thread.join()
        if self._link is not None:
            self._link.close()
            self._link = None
        while self.nodes:
            self.nodes.popitem()[1].close()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
        when_closed, self._when_closed = self._when_closed, _nothing
        when_closed()

    def _obey(self) -> None:
        """Carries out the orders until the last; a board that has ended is noticed by its silence."""
        while (order := self._orders.get()) is not None:
            with suppress(RuntimeError, OSError):
                order()
