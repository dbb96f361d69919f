"""Tables to test with, and the two real wires that a twin board can be put behind: a pty and a broker."""

import contextlib
import os
import pty
import select
import shutil
import socket
import subprocess
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path

from companion.devices.clock import SystemClock
from companion.devices.hub import Hub
from companion.devices.inbox import Inbox
from companion.devices.table_file import SERIAL, Broker, Node, SeatPins, TableFile
from companion.devices.tags import Register
from companion.devices.twins import TwinBoard
from companion.table.observations import Event, FormatError, Health, Piece, TagsSeen
from firmware import framing

ROOT = Path(__file__).parents[2]
PATIENCE_S = 120  # a busy machine is slow; nothing waits this long when all is well
TIKI, CARD, STRANGE = "04A1B2C3D4E580", "04A1B2C3D4E581", "1A2B3C4D"
REGISTER = Register({TIKI: Piece("tiki", "blue"), CARD: Piece("card", "blue", "Azzura")})
READERS = {"r0": "Azzura-Lagon-Fleur", "r1": "club:Azzura", "r2": "tray:blue:1"}


def table_of(link: str = SERIAL, broker: Broker | None = None, readers: dict[str, str] | None = None) -> TableFile:
    seats = {"blue": SeatPins(button=5), "green": SeatPins(button=6)}
    node = Node("north", link, READERS if readers is None else readers)
    return TableFile("salon", "tags.json", nodes=(node,), seats=seats, broker=broker)


def hub_of(table: TableFile | None = None, clock: object = None) -> Hub:
    return Hub(table or table_of(), REGISTER, Inbox(), clock or SystemClock())  # type: ignore[arg-type]


def until(holds: Callable[[], object], what: Callable[[], object] = lambda: "", patience_s: float = PATIENCE_S) -> None:
    deadline = time.monotonic() + patience_s
    while not holds():
        assert time.monotonic() < deadline, what()
        time.sleep(0.005)


def problems_of(call: Callable[[], object]) -> tuple[Event, ...] | None:
    """What the one declared error of a parser says, or None if all is well. Another error is a test's failure."""
    try:
        call()
    except FormatError as error:
        return error.problems
    return None


def uids_on(hub: Hub, reader: str, node: str = "north") -> set[str] | None:
    tags = hub.tags_on(f"{node}/{reader}")
    return None if tags is None else {tag.uid for tag in tags}


class Story:
    """What the inbox told, reader by reader: sets of UIDs, and None while a reader was unavailable."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self.told: dict[str, list[set[str] | None]] = {}
        self.observations: list[object] = []

    def listen(self) -> "Story":
        for one in self._hub.inbox.drain():
            self.observations.append(one)
            if isinstance(one, TagsSeen):
                self.told.setdefault(one.sensor, []).append({tag.uid for tag in one.tags})
            elif isinstance(one, Health) and not one.is_available:
                self._add(one.sensor, None)
        return self

    def _add(self, sensor: str, value: set[str] | None) -> None:
        told = self.told.setdefault(sensor, [])
        if not told or told[-1] is not value:
            told.append(value)

    def of(self, reader: str) -> list[set[str] | None]:
        return self.listen().told.get(f"north/{reader}", [])


class PtyPeer:
    """A twin board behind a serial port, with real frames. The path stays the same over unplug and plug."""

    def __init__(self, board: TwinBoard, folder: Path) -> None:
        self.port = str(folder / "ttyACM0")
        self._board = board
        self._encoder, self._decoder = framing.Encoder(), framing.Decoder(1024)
        self._lock = threading.RLock()
        self._master = self._slave = -1
        self._is_closed = False
        board.send = self._send
        self.plug()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def plug(self) -> None:
        with self._lock:
            self._master, self._slave = pty.openpty()
            tty.setraw(self._slave)
            os.set_blocking(self._master, False)
            self._decoder.forget()
            Path(self.port).symlink_to(os.ttyname(self._slave))

    def unplug(self) -> None:
        with self._lock:
            Path(self.port).unlink(missing_ok=True)
            for descriptor in (self._master, self._slave):
                if descriptor >= 0:
                    os.close(descriptor)
            self._master = self._slave = -1

    def write(self, chunk: bytes) -> None:
        """Raw bytes to the host, as fast as it takes them."""
        while chunk:
            with self._lock, contextlib.suppress(BlockingIOError):
                chunk = chunk[os.write(self._master, chunk[:4096]) :]
            if chunk:
                time.sleep(0.0002)

    def close(self) -> None:
        self._is_closed = True
        self._thread.join()
        self.unplug()

    def _send(self, kind: str, fields: dict[str, object]) -> None:
        with self._lock:
            frame = bytes(self._encoder.encode(kind, fields))
            if self._master >= 0:
                with contextlib.suppress(BlockingIOError):
                    os.write(self._master, frame)

    def _run(self) -> None:
        while not self._is_closed:
            with self._lock:
                master = self._master
            if master < 0:
                time.sleep(0.005)
                continue
            with contextlib.suppress(OSError, ValueError):  # unplugged in this moment
                if select.select([master], [], [], 0.02)[0]:
                    self._hear(master)

    def _hear(self, master: int) -> None:
        with self._lock:
            if master == self._master:
                for message in self._decoder.feed(os.read(master, 4096)):
                    self._board.hear(message)


class BrokerPeer:
    """A twin board on a broker, as PROTOCOL.md has it: birth, will, retained state."""

    def __init__(self, board: TwinBoard, mosquitto: "Mosquitto", table: str = "salon") -> None:
        self._board, self._mosquitto, self._prefix = board, mosquitto, f"makabana/{table}/{board.node}"
        self._user = f"{table}.{board.node}"
        self._encoder, self._decoder = framing.Encoder(), framing.Decoder(1024)
        self._lock = threading.RLock()
        self._client = None
        board.send, board.retains_state = self._send, True
        self.plug()

    def plug(self) -> None:
        will = bytes(
            framing.Encoder().encode("gone", {"node": self._board.node, "boot": self._board._boot_id, "ticks": 0})
        )
        client = self._mosquitto.client(self._user, will=(f"{self._prefix}/status", will.rstrip(b"\n")))
        client.on_message = lambda _client, _data, message: self._hear(message)
        client.subscribe(f"{self._prefix}/command")
        self._client = client
        self._board.greet()

    def unplug(self) -> None:
        """Vanishes without a word, so that the broker speaks its will."""
        client, self._client = self._client, None
        if client is not None:
            sock = client.socket()
            client.loop_stop()
            sock.close()

    def close(self) -> None:
        if self._client is not None:
            self._client.disconnect()
            self._client.loop_stop()
            self._client = None

    def _hear(self, message: object) -> None:
        with self._lock:
            for one in self._decoder.feed(message.payload + b"\n"):  # type: ignore[attr-defined]
                self._board.hear(one)

    def _send(self, kind: str, fields: dict[str, object]) -> None:
        with self._lock:
            frame = bytes(self._encoder.encode(kind, fields)).rstrip(b"\n")
            part = {"state": "state", "hello": "status"}.get(kind, "event")
            if self._client is not None:
                self._client.publish(f"{self._prefix}/{part}", frame, retain=part != "event")


def has_mosquitto() -> bool:
    return all(shutil.which(tool, path=_PATH) for tool in ("mosquitto", "mosquitto_passwd", "openssl"))


_PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


class Mosquitto:
    """A real broker with the configuration of hardware/mosquitto, on a port of its own."""

    def __init__(self, folder: Path, boards: list[str], anonymous: bool = False) -> None:
        self.folder, self.port = folder, free_port()
        script = ROOT / "hardware" / "mosquitto" / "setup.sh"
        env = {**os.environ, "PATH": _PATH}
        subprocess.run(
            ["sh", str(script), str(folder), "127.0.0.1", "salon", *boards], check=True, capture_output=True, env=env
        )
        text = (
            (folder / "mosquitto.conf").read_text("utf-8").replace("listener 8883", f"listener {self.port} 127.0.0.1")
        )
        assert f"listener {self.port}" in text
        if anonymous:  # the mistake that the companion must notice
            text = text.replace("allow_anonymous false", "allow_anonymous true")
        if os.getuid() == 0:
            text += "user root\n"  # a test's folder belongs to root alone
        (folder / "test.conf").write_text(text, "utf-8")
        self._env = env
        self.start()

    def start(self) -> None:
        log = (self.folder / "log").open("ab")
        self._process = subprocess.Popen(
            ["mosquitto", "-c", str(self.folder / "test.conf")], env=self._env, stdout=log, stderr=log
        )
        log.close()
        until(self._answers, (self.folder / "log").read_text)

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait()

    def _answers(self) -> bool:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            return True
        return False

    def password(self, user: str) -> str:
        return (self.folder / "logins" / user).read_text("utf-8").strip()

    @property
    def broker(self) -> Broker:
        return Broker("127.0.0.1", self.port, "ca.crt", "companion", "logins/companion")

    def client(self, user: str | None, will: tuple[str, bytes] | None = None, password: str | None = None):
        """A connected client of paho in a thread. Raises ConnectionRefusedError if it is not let in."""
        from paho.mqtt import client as mqtt

        client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
        client.tls_set(ca_certs=str(self.folder / "ca.crt"))
        if user:
            client.username_pw_set(user, password or self.password(user))
        if will:
            client.will_set(*will, retain=True)
        answers = []
        client.on_connect = lambda _client, _data, _flags, reason, _properties: answers.append(reason)
        client.connect("127.0.0.1", self.port)
        client.loop_start()
        until(lambda: answers)
        if answers[0].is_failure:
            client.loop_stop()
            raise ConnectionRefusedError(str(answers[0]))
        return client
