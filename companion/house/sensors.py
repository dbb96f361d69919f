"""Readers, buttons and lamps of a real table: a table file's links into the table, and the table onto its lamps."""

from __future__ import annotations

from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path

from companion.devices.gpio import REAL
from companion.devices.links import Links
from companion.devices.table_file import TableFile
from companion.devices.tags import Register, write_register
from companion.house.camera import Camera, watch_of
from companion.house.frames import Frames
from companion.house.lamps import Lamps
from companion.house.surfaces import boards_of, is_surface
from companion.table.observations import Clock
from companion.table.table import Table

CALIBRATION = "calibration-{board}.json"  # beside the table file, one per island
_MOST_CALIBRATION_BYTES = 200_000


class Sensors:
    """A part of a running table: everything that its table file names but the camera."""

    name, tells_health = "readers", False

    def __init__(
        self, table: Table, file: TableFile, register: Register, folder: Path, clock: Clock, pins: str = REAL
    ) -> None:
        self._table, self._clock = table, clock
        self._file, self._register, self._folder, self._pins = file, register, folder, pins
        self._links: Links | None = None
        self._lamps: Lamps | None = None

    @property
    def links(self) -> Links | None:
        return self._links

    @property
    def register(self) -> Register:
        return self._register

    def learn(self, register: Register) -> None:
        """From now on tags are what this register says, also after a restart. Raises `OSError` if it can't be kept."""
        write_register(self._folder / self._file.tags, register)
        self._register = register
        if self._links is not None:
            self._links.hub.learn(register)

    def start(self) -> None:
        self.close()
        self._links = Links(self._file, self._register, self._folder, self._clock, self._pins)
        self._links.__enter__()
        if self._links.panel is not None:
            self._lamps = Lamps(self._table, self._links.panel, self._clock)

    def tick(self) -> None:
        if self._links is None:
            return
        for observation in self._links.inbox.drain():
            self._table.observe(observation)
        if self._lamps is not None:
            self._lamps.follow()

    def wakers(self) -> Sequence[Connection]:
        return ()

    def close(self) -> None:
        links, self._links, self._lamps = self._links, None, None
        if links is not None:
            links.close()
            for observation in links.inbox.drain():  # what was believed of the readers is so no more
                self._table.observe(observation)


def camera_of(table: Table, file: TableFile, folder: Path, clock: Clock, frames: Frames | None = None) -> Camera | None:
    """The camera that a table file names, over the boards that are in play; None where there is none."""
    boards = boards_of(table.session.header) or tuple(board for board in file.boards if is_surface(board))
    if file.camera is None or not boards:
        return None
    sources = file.camera.source.split(",")  # one camera per board, in the order of the boards
    watches = [
        watch_of(source.strip(), board, _calibration(folder / CALIBRATION.format(board=board)))
        for source, board in zip(sources, boards, strict=False)
    ]
    return Camera(watches, table.observe, clock, frames)


def _calibration(path: Path) -> str | None:
    """The text of a calibration file, if there is one. What is wrong in it, the vision process says."""
    try:
        with path.open(encoding="utf-8") as file:
            return file.read(_MOST_CALIBRATION_BYTES)
    except (OSError, UnicodeDecodeError):
        return None
