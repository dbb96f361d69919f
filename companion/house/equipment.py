"""What a table is equipped with, chosen once and fitted anew whenever a game with other islands or seats begins."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from companion.devices.gpio import REAL
from companion.devices.table_file import TableFile
from companion.devices.tags import Register
from companion.games.protocol import FormatError
from companion.house.camera import Camera, CoveredCamera, virtual_camera
from companion.house.firmware_boards import firmware_or_twins
from companion.house.sensors import Sensors, camera_of
from companion.house.virtual import VirtualBoard, virtual_board
from companion.house.virtual_readers import TwinBoards, VirtualReaders, decks_of, rail_only
from companion.table.observations import Clock
from companion.table.table import Table

if TYPE_CHECKING:
    from companion.house.running import RunningTable


class Virtual(NamedTuple):
    """No hardware at all: a virtual board under a rendered camera, and virtual trays with a rail.

    `is_direct` leaves the pictures out: for demonstrations among bots and for slow machines. Without `has_trays`
    plans are laid on phones, and the readers are those of the rail. With `has_firmware` they run the real firmware,
    where that can be.
    """

    is_direct: bool = False
    has_readers: bool = True
    has_trays: bool = True
    has_firmware: bool = False
    helps_bots: bool = True

    def fit(self, running: RunningTable, clock: Clock) -> None:
        table = running.table
        running.virtual = _laid_out(table)
        running.helps_bots = self.helps_bots
        running.readers = None
        if running.virtual is None:
            running.remove("camera")
        elif self.is_direct:
            running.add(CoveredCamera(running.virtual, table.observe, clock))
        else:
            running.add(virtual_camera(running.virtual, table.observe, clock))
        self._fit_readers(running, clock)

    def _fit_readers(self, running: RunningTable, clock: Clock) -> None:
        running.remove("readers")
        if self.has_readers and running.virtual is not None:
            try:
                decks = decks_of(running.table.session.header or {})
            except FormatError:
                return  # a game without trays
            decks = decks if self.has_trays else rail_only(decks)
            make = firmware_or_twins if self.has_firmware else TwinBoards
            running.readers = VirtualReaders(running.table, clock, decks, lambda: make(clock), running.virtual)
            running.add(running.readers)


def _laid_out(table: Table) -> VirtualBoard | None:
    """A virtual board with everything on it that the game has there: it may join a game under way."""
    virtual, session = virtual_board(table.session.header), table.session
    if virtual is not None and session.game is not None:
        virtual.lay_out(session.game.expected(session.state))
    return virtual


class Real(NamedTuple):
    """A table file with whatever it names. Files in it are relative to `folder`."""

    file: TableFile
    register: Register
    folder: Path
    pins: str = REAL

    def fit(self, running: RunningTable, clock: Clock) -> None:
        camera = camera_of(running.table, self.file, self.folder, clock)
        if camera is None:
            running.remove("camera")
        elif not (isinstance(running.camera, Camera) and running.camera.watches_as(camera)):  # such one looks already
            running.add(camera)
        if "readers" not in running.keepers:  # which do not depend on the game
            running.add(Sensors(running.table, self.file, self.register, self.folder, clock, self.pins))


Equipment = Virtual | Real
