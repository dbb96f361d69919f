"""Reader boards on USB: ports, back-off, unplugging, and lines that nobody should send."""

import threading
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices.clock import SystemClock
from companion.devices.hub import Hub
from companion.devices.serial_link import Port, PortLink, SerialLink, is_reader_board, why_lost
from companion.devices.twins import TwinBoard
from companion.table.observations import Event
from firmware import framing
from tests.devices.support import READERS, TIKI, PtyPeer, hub_of, uids_on, until

serial = pytest.importorskip("serial", reason="needs pyserial (extra devices)")


class Plugged:
    """A board behind a pty, and the link that listens to it."""

    def __init__(self, folder: Path) -> None:
        self.hub: Hub = hub_of()
        self.board = TwinBoard("north", list(READERS), SystemClock())
        self.peer = PtyPeer(self.board, folder)
        self.link = PortLink(self.hub, self.peer.port)
        self.link.start()
        self.expect(set())

    def expect(self, uids: set[str] | None) -> None:
        until(lambda: uids_on(self.hub, "r0") == uids, lambda: uids_on(self.hub, "r0"))

    def close(self) -> None:
        self.link.stop()
        self.peer.close()


@pytest.fixture
def plugged(tmp_path: Path) -> Iterator[Plugged]:
    plugged = Plugged(tmp_path)
    yield plugged
    plugged.close()


def test_reader_boards_are_told_by_their_usb_id() -> None:
    ports = [Port("/dev/ttyACM0", 0x2E8A, 0x0005), Port("/dev/ttyACM1", 0x2341, 0x0043), Port("/dev/ttyS0")]
    assert [port.device for port in ports if is_reader_board(port)] == ["/dev/ttyACM0"]


def test_ports_that_appear_later_are_found_and_each_has_one_link() -> None:
    ports = [Port("/dev/a", 0x2E8A, 5)]

    def closed(device: str) -> object:
        raise FileNotFoundError(2, "No such file or directory", device)

    link = SerialLink(hub_of(), ["/dev/extra"], lambda: ports, closed)  # type: ignore[arg-type]
    link.scan()
    ports.append(Port("/dev/b", 0x2E8A, 5))
    link.scan()
    link.scan()
    assert list(link.links) == ["/dev/extra", "/dev/a", "/dev/b"]
    link.close()
    link.close()


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (PermissionError(13, "Permission denied"), "port_forbidden"),
        (OSError(16, "Device or resource busy"), "port_busy"),
        (BlockingIOError(11, "Resource temporarily unavailable"), "port_busy"),
        (FileNotFoundError(2, "No such file or directory"), "unplugged"),
        (OSError(5, "Input/output error"), "unplugged"),
    ],
)
def test_the_reason_for_a_lost_port_is_told(error: OSError, code: str) -> None:
    assert why_lost(error, "/dev/ttyACM0") == Event(code, {"port": "/dev/ttyACM0"})


def test_a_port_that_another_program_has_is_busy(tmp_path: Path) -> None:
    board = TwinBoard("north", list(READERS), SystemClock())
    peer = PtyPeer(board, tmp_path)
    with serial.Serial(peer.port, exclusive=True):
        with pytest.raises(OSError, match="lock") as caught:
            serial.Serial(peer.port, exclusive=True)
        assert why_lost(caught.value, peer.port).code == "port_busy"
    peer.close()


def test_unplugging_in_the_middle_of_a_frame_is_harmless(plugged: Plugged) -> None:
    frame = bytes(framing.Encoder().encode("laid", {"rev": 1, "reader": "r0", "uid": TIKI, "age": 0, "ticks": 5}))
    plugged.peer.write(frame[:40])
    plugged.peer.unplug()
    plugged.expect(None)
    plugged.board.readers["r1"].lay(TIKI)
    plugged.peer.plug()
    until(lambda: uids_on(plugged.hub, "r1") == {TIKI})
    plugged.expect(set())
    assert plugged.link.dialogue.malformed == 0


def test_ten_megabytes_without_a_newline_are_dropped_in_bounded_memory(plugged: Plugged) -> None:
    tracemalloc.start()
    try:
        chunk = b"x" * 4096
        for _ in range(10_000_000 // len(chunk)):
            plugged.peer.write(chunk)
        plugged.peer.write(b"\n")
        until(lambda: plugged.link.decoder.overlong == 1)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 2_000_000
    plugged.board.readers["r0"].lay(TIKI)
    plugged.expect({TIKI})


def test_junk_between_frames_is_skipped(plugged: Plugged) -> None:
    plugged.peer.write(b"\r\nMicroPython v1.25.0 on 2025-04-15; Raspberry Pi Pico with RP2040\r\n>>> \xff\x00\n")
    plugged.board.readers["r0"].lay(TIKI)
    plugged.expect({TIKI})
    assert plugged.link.decoder.junk >= 2


def test_stopping_leaves_no_thread(plugged: Plugged) -> None:
    plugged.link.stop()
    plugged.link.stop()
    assert not any(thread.name.startswith("serial ") for thread in threading.enumerate())


class ScriptedLine:
    """A line that gives prepared bytes and then breaks."""

    def __init__(self, chunks: list[bytes]) -> None:
        self._chunks = chunks
        self.in_waiting = 0

    def read(self, size: int) -> bytes:
        if not self._chunks:
            raise OSError(5, "Input/output error")
        return self._chunks.pop(0)

    def write(self, data: bytes) -> int:
        return len(data)

    def close(self) -> None: ...


@given(st.lists(st.binary(max_size=60) | st.sampled_from([b"\n", b'{"v":1,', b'"crc":"00000000"}\n']), max_size=20))
def test_no_bytes_crash_a_link(chunks: list[bytes]) -> None:
    hub = hub_of()
    link = PortLink(hub, "/dev/x", lambda _: ScriptedLine(chunks))
    link._talk(ScriptedLine(chunks))
    assert uids_on(hub, "r0") is None


def test_a_port_that_may_not_be_opened_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    def forbidden(device: str) -> object:
        raise PermissionError(13, "Permission denied", device)

    link = PortLink(hub_of(), "/dev/ttyACM0", forbidden)  # type: ignore[arg-type]
    for _ in range(3):
        link._try()
    assert [record.getMessage() for record in caplog.records] == [
        "/dev/ttyACM0 may not be opened by this user. Run: sudo usermod -aG dialout $USER, then log in again."
    ]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_link_that_dies_of_an_unknown_error_leaves_nothing_believed(
    plugged: Plugged, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("nobody expected this")

    monkeypatch.setattr(plugged.link.dialogue, "received", broken)
    plugged.board.beat()
    plugged.expect(None)
