"""Reader boards on USB: finds their ports by USB id, and talks to each in a thread of its own, for ever.

Threads and not asyncio, here and in the other links: pyserial blocks, paho and gpiozero call back from threads of their
own, and the web server has threads too. Each link has one thread that does all its thinking, and the inbox is the only
thing they share with the table.
"""

from __future__ import annotations

import logging
import termios
import threading
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import NamedTuple, Protocol

from companion.devices.clock import Backoff
from companion.devices.dialogue import Command, Dialogue, encoded
from companion.devices.hub import Hub
from companion.devices.texts import say
from companion.table.observations import Event
from firmware import framing

log = logging.getLogger(__name__)

RASPBERRY_PI = 0x2E8A
MICROPYTHON_PIDS = (0x0005, 0x000A, 0x000F)  # MicroPython on a Pico, the SDK's serial port, a Pico 2
BAUD = 115200  # USB ignores it
READ_S = 0.05
WRITE_S = 1.0
SCAN_S = 1.0
RETRY_S = (0.25, 2.0)  # trying a port that is not there costs nothing, and people wait for the one they plug in again
CHUNK = 4096


class Port(NamedTuple):
    """A serial port as the system lists it."""

    device: str
    vid: int | None = None
    pid: int | None = None
    serial_number: str | None = None


class Line(Protocol):
    """What a port is once it is open. All its errors are OSErrors; pyserial's are, too."""

    def read(self, size: int) -> bytes: ...
    def write(self, data: bytes) -> int | None: ...
    def close(self) -> None: ...


def list_ports() -> list[Port]:
    """All serial ports of this machine. Raises ImportError without pyserial."""
    ports = import_module("serial.tools.list_ports").comports()
    return [Port(port.device, port.vid, port.pid, port.serial_number) for port in ports]


def is_reader_board(port: Port) -> bool:
    return port.vid == RASPBERRY_PI and port.pid in MICROPYTHON_PIDS


def open_port(device: str) -> Line:
    """Raises OSError with the system's reason."""
    serial = import_module("serial")
    try:
        line: Line = serial.Serial(device, BAUD, timeout=READ_S, write_timeout=WRITE_S, exclusive=True)
    except termios.error as error:  # pulled out while it was being opened: pyserial lets this one through
        raise OSError(*error.args) from None
    return line


def why_lost(error: OSError, device: str) -> Event:
    """The reason for people. pyserial wraps the system's error in one of its own, sometimes without its number."""
    what = f"{error.strerror or error}"
    if error.errno == 13 or "Permission denied" in what:
        return Event("port_forbidden", {"port": device})
    if error.errno in (11, 16) or "busy" in what or "exclusively lock" in what:
        return Event("port_busy", {"port": device})
    return Event("unplugged", {"port": device})


class PortLink:
    """One port. `run` opens it, talks, and starts over when it is lost; `stop` ends that."""

    def __init__(self, hub: Hub, device: str, opener: Callable[[str], Line] = open_port) -> None:
        self.device = device
        self.dialogue = Dialogue(hub, device)
        self.decoder = framing.Decoder()
        self.opens = 0
        self._clock, self._opener = hub.clock, opener
        self._encoder = framing.Encoder()
        self._backoff = Backoff(*RETRY_S)
        self._complaint: Event | None = None
        self._stopped, self._wants_check = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self.run, name=f"serial {device}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """May be called twice. Waits for the thread."""
        self._stopped.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join()

    def ask_check(self) -> None:
        """Has the board test its bus; `dialogue.findings` tells when it has."""
        self._wants_check.set()

    def run(self) -> None:
        try:
            while not self._stopped.is_set():
                self._try()
                self._stopped.wait(self._backoff.failed())
        finally:  # whatever ended this thread, nobody hears the board any more
            self.dialogue.closed(Event("link_stopped"))

    def _try(self) -> None:
        try:
            line = self._opener(self.device)
        except OSError as error:
            reason = why_lost(error, self.device)
            self.dialogue.closed(reason)
            self._complain(reason)
        else:
            self._talk(line)

    def _complain(self, reason: Event) -> None:
        """A port that can't be opened has no board's name to speak of, so it is logged here; once."""
        if reason != self._complaint and reason.code != "unplugged":
            log.warning("%s", say(reason))
        self._complaint = reason

    def _talk(self, line: Line) -> None:
        self.opens += 1
        self.decoder.forget()
        try:
            line.write(b"\n")  # so that leftovers of an earlier conversation cannot spoil our first frame
            self._write(line, self.dialogue.opened(self._clock.now()))
            while not self._stopped.is_set():
                self._turn(line)
        except OSError as error:
            self.dialogue.closed(why_lost(error, self.device))
        finally:
            line.close()

    def _turn(self, line: Line) -> None:
        chunk = line.read(1)  # waits for the first byte only, so that an answer is not kept waiting for a full buffer
        if chunk:
            chunk += line.read(_waiting(line))
        for message in self.decoder.feed(chunk):
            self._backoff.worked()
            self._write(line, self.dialogue.received(message, self._clock.now()))
        if self.decoder.refusal:
            self.dialogue.refused(self.decoder.refusal)
            self.decoder.refusal = ""
        self._write(line, self.dialogue.ticked(self._clock.now()))
        if self._wants_check.is_set():
            self._wants_check.clear()
            self._write(line, self.dialogue.check())

    def _write(self, line: Line, commands: Sequence[Command]) -> None:
        for frame in encoded(commands, self._encoder):
            line.write(frame)


def _waiting(line: Line) -> int:
    return min(getattr(line, "in_waiting", 0), CHUNK)


class SerialLink:
    """Looks for reader boards every second and keeps a `PortLink` for each port it ever saw.

    `extra` are ports that no USB id tells (a Pico behind a serial adapter, a test's pty).
    """

    def __init__(
        self,
        hub: Hub,
        extra: Iterable[str] = (),
        lister: Callable[[], list[Port]] = list_ports,
        opener: Callable[[str], Line] = open_port,
    ) -> None:
        self.links: dict[str, PortLink] = {}
        self._hub, self._extra, self._lister, self._opener = hub, tuple(extra), lister, opener
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="serial ports", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def scan(self) -> None:
        """Starts a link on every port that is new."""
        found = [port.device for port in self._lister() if is_reader_board(port)]
        for device in dict.fromkeys((*self._extra, *found)):
            if device not in self.links:
                self.links[device] = PortLink(self._hub, device, self._opener)
                self.links[device].start()

    def close(self) -> None:
        """May be called twice."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join()
        for link in self.links.values():
            link.stop()

    def __enter__(self) -> SerialLink:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self) -> None:
        while not self._stopped.is_set():
            self.scan()
            self._stopped.wait(SCAN_S)
