"""Trays and tiki rail without hardware: cards and tikis that a browser drags onto virtual readers.

The readers are those of a kit with trays and a rail. What carries their words is a choice: twins in this process
(`TwinBoards`), or the real firmware in a MicroPython behind a serial port (`firmware_boards.py`).
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Mapping, Sequence
from multiprocessing.connection import Connection
from typing import Protocol

from companion.devices.hub import Hub
from companion.devices.inbox import Inbox
from companion.devices.panel import Panel
from companion.devices.table_file import SERIAL, TRAY_PLACES, Node, SeatPins, TableFile
from companion.devices.tags import Register
from companion.devices.twins import TwinBoard, TwinLink, TwinPanel
from companion.games.protocol import Event, FormatError, Json
from companion.house.lamps import Lamps
from companion.house.virtual import VirtualBoard
from companion.table.observations import CARD, DESK, TIKI, TRAY, Clock, Piece, When
from companion.table.table import Table

RAIL = "rail"
BEAT_S = 4.0  # a board that says nothing for twelve seconds is lost


class Boards(Protocol):
    """What makes the virtual reader boards speak."""

    def open(self, hub: Hub) -> None: ...
    def lay(self, node: str, reader: str, uid: str) -> None: ...
    def lift(self, node: str, reader: str, uid: str) -> None: ...
    def tick(self) -> None: ...
    def close(self) -> None: ...


class TwinBoards:
    """Twins of the reader boards, in this process."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._boards: dict[str, TwinBoard] = {}
        self._links: list[TwinLink] = []
        self._beaten_at = clock.now()

    def open(self, hub: Hub) -> None:
        for node in hub.table.nodes:
            self._boards[node.name] = TwinBoard(node.name, list(node.readers), self._clock)
            self._links.append(TwinLink(hub, self._boards[node.name]))

    def lay(self, node: str, reader: str, uid: str) -> None:
        self._boards[node].readers[reader].lay(uid)

    def lift(self, node: str, reader: str, uid: str) -> None:
        self._boards[node].readers[reader].lift(uid)

    def tick(self) -> None:
        if self._clock.now() - self._beaten_at >= BEAT_S:
            self._beaten_at = self._clock.now()
            for board in self._boards.values():
                board.beat()
        for link in self._links:
            link.tick()

    def close(self) -> None:
        while self._links:
            self._links.pop().close()
        self._boards.clear()


class VirtualReaders:
    """A part of a running table. `decks` are the tagged pieces by seat: its cards, and its tiki.

    With a `virtual` board, a tiki is out of its home in the rail while it stands there.
    """

    name, tells_health = "readers", False

    def __init__(
        self,
        table: Table,
        clock: Clock,
        decks: Mapping[str, Sequence[Piece]],
        make_boards: Callable[[], Boards] | None = None,
        virtual: VirtualBoard | None = None,
    ) -> None:
        self._table, self._clock, self._virtual = table, clock, virtual
        self._followed = -1  # the state of the virtual board that the rail was last brought in line with
        self.register = Register({uid_of(piece): piece for deck in decks.values() for piece in deck})
        self.file = virtual_file(decks)
        self._make_boards = make_boards or (lambda: TwinBoards(clock))
        self.lying: dict[Piece, str] = {}  # where each tagged piece lies, by sensor
        self._bare: tuple[str, str] | None = None  # a tag that is being enrolled, and the sensor it lies on
        self._boards: Boards | None = None
        self.hub: Hub | None = None
        self.panel: Panel | None = None
        self._lamps: Lamps | None = None
        self._lock = threading.RLock()  # hands belong to the threads of browsers, ticks to the evening's

    # --- What hands do ---

    def lay_card(self, seat: str, number: int, card: str, copy: int = 1) -> None:
        """A card onto a place of a seat's tray, 1 being the one that lies face up. Raises `FormatError`."""
        self._lay(Piece(CARD, seat, card, copy), f"tray-{seat}/place-{number}")

    def lift_card(self, seat: str, card: str, copy: int = 1) -> None:
        self._lift(Piece(CARD, seat, card, copy))

    def clear_tray(self, seat: str) -> None:
        """All cards of a tray back into the hand."""
        for piece, sensor in list(self.lying.items()):
            if sensor.startswith(f"tray-{seat}/"):
                self._lift(piece)

    def take_tiki(self, colour: str) -> None:
        """A tiki out of its home in the rail. Nothing happens if it is out already."""
        if Piece(TIKI, colour) in self.lying:
            self._lift(Piece(TIKI, colour))

    def return_tiki(self, colour: str) -> None:
        """A tiki back into its home."""
        piece = Piece(TIKI, colour)
        if piece not in self.lying:
            self._lay(piece, self._home_of(colour))

    def press(self, seat: str) -> None:
        """The seat's button."""
        if self.hub is not None:
            self.hub.pressed(seat, When(self._clock.now()))

    def lay_tag(self, uid: str) -> None:
        """A tag, of whatever piece, onto a reader on which nothing lies; what was laid so before is taken off."""
        with self._lock:
            self.lift_tag()
            free = next((name for name in self.file.places if name not in self.lying.values()), None)
            if free is None:
                raise FormatError(Event("virtual_readers_full"))
            self._bare = (uid, free)
            if self._boards is not None:
                self._boards.lay(*_parts(free), uid)

    def lift_tag(self) -> None:
        """Takes it off again. Nothing happens if there is none."""
        with self._lock:
            if self._bare is not None and self._boards is not None:
                self._boards.lift(*_parts(self._bare[1]), self._bare[0])
            self._bare = None

    def learn(self, register: Register) -> None:
        """From now on tags are what this register says; there is no file to keep it in."""
        with self._lock:
            self.register = register
            if self.hub is not None:
                self.hub.learn(register)

    # --- The part ---

    def start(self) -> None:
        self.close()
        with self._lock:
            self.hub = Hub(self.file, self.register, Inbox(), self._clock)
            self._boards = self._make_boards()
            self._boards.open(self.hub)
            self.panel = TwinPanel(self.hub)
            self._lamps = Lamps(self._table, self.panel, self._clock)
            for piece, sensor in self.lying.items():  # after a restart everything lies where it lay
                self._boards.lay(*_parts(sensor), self._uid(piece))

    def tick(self) -> None:
        with self._lock:
            if self.hub is None or self._boards is None or self._lamps is None:
                return
            self._follow_board()
            self._boards.tick()
            observations, lamps = self.hub.inbox.drain(), self._lamps
        for observation in observations:
            self._table.observe(observation)
        lamps.follow()

    def wakers(self) -> Sequence[Connection]:
        return ()

    def close(self) -> None:
        with self._lock:
            boards, hub, self._boards, self.hub = self._boards, self.hub, None, None
            if boards is not None:
                boards.close()
        if hub is not None:
            for observation in hub.inbox.drain():
                self._table.observe(observation)

    # --- Inside ---

    def _uid(self, piece: Piece) -> str:
        return self.register.uid_of(piece) or uid_of(piece)

    def _follow_board(self) -> None:
        if self._virtual is None or self._virtual.version == self._followed:
            return
        self._followed = self._virtual.version
        standing = {piece.colour for piece in self._virtual.pieces() if piece.kind == TIKI}
        for piece in self.register.values():
            if piece.kind == TIKI:
                (self.take_tiki if piece.colour in standing else self.return_tiki)(piece.colour)

    def _lay(self, piece: Piece, sensor: str) -> None:
        if self._uid(piece) not in self.register or sensor not in self.file.places:
            raise FormatError(Event("virtual_tag_unknown", {"piece": piece.text[:80], "sensor": sensor[:80]}))
        with self._lock:
            if piece in self.lying:
                self._lift(piece)
            self.lying[piece] = sensor
            if self._boards is not None:
                self._boards.lay(*_parts(sensor), self._uid(piece))

    def _lift(self, piece: Piece) -> None:
        with self._lock:
            sensor = self.lying.pop(piece, None)
            if sensor is None:
                raise FormatError(Event("virtual_tag_elsewhere", {"piece": piece.text[:80]}))
            if self._boards is not None:
                self._boards.lift(*_parts(sensor), self._uid(piece))

    def _home_of(self, colour: str) -> str:
        homes = [sensor for sensor, place in self.file.places.items() if place == DESK]
        tikis = sorted(piece.colour for piece in self.register.values() if piece.kind == TIKI)
        return homes[tikis.index(colour)] if colour in tikis else f"{RAIL}/none"


def decks_of(header: Mapping[str, Json]) -> dict[str, list[Piece]]:
    """The tagged pieces of a game by seat: its cards, and for the first seat of a colour its tiki. Raises `FormatError`
    for a game that is not played with cards in trays."""
    from companion.games.makabana.setup import make_setup

    setup = make_setup(header)
    decks: dict[str, list[Piece]] = {
        seat: [Piece(CARD, seat, card, copy) for card, count in setup.full_hand.items() for copy in range(1, count + 1)]
        for seat in setup.seats
    }
    for colour in setup.colours:
        first = next(seat for seat in setup.seats if seat.partition("-")[0] == colour)
        decks[first].append(Piece(TIKI, colour))
    return decks


def rail_only(decks: Mapping[str, Sequence[Piece]]) -> dict[str, list[Piece]]:
    """The decks of a table whose players lay their plans on phones: nothing but tikis is tagged."""
    return {seat: [piece for piece in deck if piece.kind == TIKI] for seat, deck in decks.items()}


def virtual_file(decks: Mapping[str, Sequence[Piece]]) -> TableFile:
    """The table file of a kit with a tray for whoever has tagged cards and a rail for tikis, as if it were built."""
    trays = [
        Node(f"tray-{seat}", SERIAL, {f"place-{n}": f"{TRAY}:{seat}:{n}" for n in range(1, TRAY_PLACES + 1)})
        for seat, deck in decks.items()
        if any(piece.kind == CARD for piece in deck)
    ]
    tikis = sum(piece.kind == TIKI for deck in decks.values() for piece in deck)
    rail = Node(RAIL, SERIAL, {f"home-{n}": DESK for n in range(1, tikis + 1)})
    nodes = (*trays, *([rail] if tikis else []))
    return TableFile("virtual", "tags.json", nodes=nodes, seats={seat: SeatPins(button=0) for seat in decks})


def _parts(sensor: str) -> tuple[str, str]:
    node, _, reader = sensor.partition("/")
    return node, reader


def uid_of(piece: Piece) -> str:
    """A made-up UID of seven bytes, always the same for a piece."""
    return "04" + hashlib.sha256(piece.text.encode()).hexdigest()[:12].upper()
