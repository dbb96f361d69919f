"""The room of an evening: the house as a process of its own, the island with hands over it, a tray, and the log."""

from __future__ import annotations

import json
import os
import select
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from companion.devices.firmware_node import FirmwareNode, default_config
from companion.devices.tags import Register, write_register
from companion.games.protocol import Action, Expected
from companion.house.virtual import VirtualBoard
from companion.house.virtual_readers import decks_of, uid_of
from companion.table.observations import CARD, Piece
from tests.devices.support import Mosquitto, free_port

PATIENCE_S = 400  # a busy machine is slow; nothing waits this long when all is well
LOOK_EVERY_S = 0.25  # a phone that asked much more often would be told to slow down
ENDING_S = 20
ISLAND = "maka-bana"
TABLE = "salon"  # as the test's broker has it
READERS = {f"place-{number}": number for number in range(1, 6)}
UNHURRIED = {"removal_ms": 900, "period_ms": 150}  # a board on a machine that does much else


def until(holds: Callable[[], Any], what: Callable[[], Any] = lambda: "") -> Any:
    """What `holds` gives once that is true. Fails, and says `what` is the matter, if it never is."""
    deadline = time.monotonic() + PATIENCE_S
    while not (found := holds()):
        assert time.monotonic() < deadline, what()
        time.sleep(LOOK_EVERY_S)
    return found


def write_table_file(broker: Mosquitto, camera: str, header: dict[str, Any], trays: list[Tray]) -> Path:
    """The file of a table with a network camera and trays, beside the broker's certificate."""
    cards = [piece for deck in decks_of(header).values() for piece in deck if piece.kind == CARD]
    write_register(broker.folder / "tags.json", Register({uid_of(piece): piece for piece in cards}))
    path = broker.folder / "table.toml"
    path.write_text(
        f'table = "{TABLE}"\nboards = ["{ISLAND}"]\n\n[camera]\nsource = "{camera}"\n\n'
        f'[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}\nca = "ca.crt"\nuser = "companion"\n'
        'password_file = "logins/companion"\n' + "".join(tray.toml for tray in trays),
        "utf-8",
    )
    return path


class House:
    """`makabana play` with a table file, as a process that can be killed and opened again on the same port."""

    def __init__(self, table_file: Path, data: Path) -> None:
        self._file, self.data, self._port = table_file, data, free_port()
        self.address = f"http://127.0.0.1:{self._port}"
        self._log = data.with_suffix(".log")
        self.open()

    def open(self) -> None:
        command = [sys.executable, "-m", "companion.cli", "play", "--no-browser", "--host", "127.0.0.1", "--lang", "en"]
        command += ["--table", str(self._file), "--data", str(self.data), "--port", str(self._port)]
        with self._log.open("a") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
            opened = self.said().count("Ctrl-C")
        until(lambda: self.said().count("Ctrl-C") > opened or self._process.poll() is not None)
        assert self._process.poll() is None, self.said()

    def said(self) -> str:
        return self._log.read_text("utf-8")

    @property
    def pin(self) -> str:
        return (self.data / "staff.pin").read_text("ascii").strip()

    def crash(self) -> None:
        """The plug is pulled. What it had started has to notice by itself."""
        children = _children(self._process.pid)
        self._process.kill()
        self._process.wait()
        until(lambda: not any(map(_is_running, children)), lambda: f"left: {children}")

    def kill_vision(self) -> None:
        (vision,) = [
            child for child in _children(self._process.pid) if b"spawn_main" in (child / "cmdline").read_bytes()
        ]
        os.kill(int(vision.name), signal.SIGKILL)

    def close(self) -> int:
        """Ends it as Ctrl-C does, and gives its exit code. May be called twice."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            try:
                self._process.wait(ENDING_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
        return self._process.wait()


def _children(pid: int) -> list[Path]:
    """The folders of a process's children in /proc."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return [Path("/proc", child) for task in tasks for child in (task / "children").read_text("ascii").split()]


def _is_running(process: Path) -> bool:
    """Whether it has not ended. Where nobody collects orphans, one that has ended keeps its entry as a zombie."""
    try:
        return (process / "stat").read_text("ascii", "replace").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class Log:
    """The actions that the house has written down, read from its store beside it."""

    def __init__(self, data: Path) -> None:
        self._address = f"file:{data / 'tables.db'}?mode=ro"

    def actions(self) -> list[Action]:
        with closing(sqlite3.connect(self._address, uri=True)) as store:
            rows = store.execute("SELECT seat, body FROM entries WHERE kind = 'act' ORDER BY number").fetchall()
        bodies = [(seat, json.loads(body)) for seat, body in rows]
        return [Action(seat, body["do"], tuple(body["args"])) for seat, body in bodies]

    def has(self, meant: list[Action]) -> bool:
        """Whether exactly this has happened so far. Fails at once if something else has."""
        got = self.actions()
        assert got == meant[: len(got)], (got[-2:], meant[len(got) - 2 : len(got)])
        return len(got) == len(meant)


class Island:
    """The board with its pieces, the hands that move them, and the network camera above."""

    def __init__(self) -> None:
        self._board = VirtualBoard([ISLAND])
        command = [sys.executable, "-m", "tests.evening.lens", ISLAND]
        self._lens = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._lens.stdout is not None
        assert select.select([self._lens.stdout], [], [], PATIENCE_S)[0], "the camera does not start"
        self.camera = self._lens.stdout.readline().strip()

    def make_so(self, expected: Expected, colours: list[str]) -> None:
        """Every piece where it is to be, and none elsewhere."""
        self._board.help_with(colours, expected)
        self._show(self._board.layout(ISLAND)._asdict())

    def put(self, kind: str, colour: str, place: str) -> None:
        """One more piece, wherever that may be."""
        self._board.put(kind, colour, place)
        self._show(self._board.layout(ISLAND)._asdict())

    def unplug(self) -> None:
        self._show("unplug")

    def plug(self) -> None:
        self._show("plug")

    def close(self) -> None:
        assert self._lens.stdin is not None
        assert self._lens.stdout is not None
        self._lens.stdin.close()
        try:
            self._lens.wait(ENDING_S)
        except subprocess.TimeoutExpired:
            self._lens.kill()
            self._lens.wait()
        self._lens.stdout.close()

    def _show(self, word: Any) -> None:
        assert self._lens.stdin is not None
        self._lens.stdin.write(json.dumps(word) + "\n")
        self._lens.stdin.flush()


class Tray:
    """A tray for cards over the real firmware, behind a serial port, or on the air by the broker and its TLS."""

    def __init__(self, folder: Path, seat: str, broker: Mosquitto | None) -> None:
        folder.mkdir()
        self._seat, self._name = seat, node_name(seat)
        air = {} if broker is None else self._air(folder, broker)
        config = {**default_config(list(READERS)), "node": self._name, "poll": UNHURRIED, **air}
        self._node = FirmwareNode(folder, config)
        self._link = f'link = "serial"\nport = "{self._node.port}"' if broker is None else 'link = "mqtt"'

    def _air(self, folder: Path, broker: Mosquitto) -> dict[str, object]:
        (folder / "ca.crt").write_bytes((broker.folder / "ca.crt").read_bytes())
        user = f"{TABLE}.{self._name}"
        mqtt = {"host": "localhost", "port": broker.port, "table": TABLE, "ca": "ca.crt", "user": user}
        wifi = {"ssid": "x", "password": "x"}
        return {"transport": "mqtt", "wifi": wifi, "mqtt": {**mqtt, "password": broker.password(user)}}

    @property
    def toml(self) -> str:
        """Its part of the table file."""
        readers = "\n".join(f'{reader} = "tray:{self._seat}:{number}"' for reader, number in READERS.items())
        return f'\n[[node]]\nname = "{self._name}"\n{self._link}\n[node.readers]\n{readers}\n'

    def lay(self, plan: Action) -> None:
        """The cards of `plan CARDS show CLUE`, the clue on the first place, where it lies face up."""
        *cards, _, clue = plan.args
        cards.remove(clue)
        for reader, card in zip(READERS, [clue, *cards], strict=False):
            self._node.lay(reader, uid_of(Piece(CARD, self._seat, card)))

    def clear(self) -> None:
        for reader in READERS:
            self._node.lift(reader)

    def close(self) -> None:
        self._node.close()


def node_name(seat: str) -> str:
    return f"tray-{seat}"


@contextmanager
def nothing_left_behind(mark: str) -> Iterator[None]:
    """Every process that is started inside has ended afterwards: all of them have the mark in their environment."""
    os.environ["MAKABANA_TEST"] = mark
    try:
        yield
    finally:
        del os.environ["MAKABANA_TEST"]
    until(lambda: not _marked(mark), lambda: f"still running: {_marked(mark)}")


def _marked(mark: str) -> list[str]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if f"MAKABANA_TEST={mark}".encode() in (folder / "environ").read_bytes():
                found.append((folder / "cmdline").read_text("utf-8", "replace").replace("\0", " ")[:120])
        except OSError:  # it has ended meanwhile, or is somebody else's
            continue
    return found
