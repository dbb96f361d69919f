"""Reader boards on the air: one connection to the broker, one dialogue per board, one thread that does the thinking.

paho calls back from its own thread; those calls only queue what came. The queue has a limit: what does not fit is
dropped, and a board's count of changes shows that something is missing.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from companion.devices.broker import anonymous_door
from companion.devices.dialogue import PROD, Command, Dialogue, encoded
from companion.devices.esphome import EspDialogue
from companion.devices.hub import Hub
from companion.devices.table_file import MQTT, Broker, sensor_name
from companion.table.observations import Event, is_secret
from firmware import framing

log = logging.getLogger(__name__)

TICK_S = 0.25
MOST_WAITING = 2000
KEEPALIVE_S = 20
RETRY_S = (1, 15)
PARTS = ("status", "state", "event")

Probe = Callable[[str, int, str], int | None]


class Arrived(NamedTuple):
    """What paho's thread hands over: a message, or a change of the connection (then the topic is empty)."""

    topic: str = ""
    payload: bytes = b""
    is_retained: bool = False
    problem: Event | None = None

    def __repr__(self) -> str:
        return f"Arrived({self.topic!r}, {len(self.payload)} bytes)"


class Voice:
    """One board on the broker: its dialogue, and the frames of each direction."""

    def __init__(self, hub: Hub, prefix: str, node: str) -> None:
        self.topic = f"{prefix}/{node}"
        self.dialogue = Dialogue(hub, f"{prefix}/{node}", node)
        self.decoder = framing.Decoder()
        self.encoder = framing.Encoder()

    def messages(self, arrived: Arrived) -> Iterator[dict[str, Any]]:
        """The messages in a payload. A retained one may be old: of those only the will counts."""
        if len(arrived.payload) > framing.MAX_FRAME:
            self.decoder.overlong += 1
            return
        decoder = framing.Decoder() if arrived.is_retained else self.decoder
        for message in decoder.feed(arrived.payload.replace(b"\n", b" ") + b"\n"):
            if not arrived.is_retained or message["type"] == "gone":
                yield message


class MqttLink:
    """Given the hub, whose table file names broker and boards. Files are relative to `folder`."""

    def __init__(self, hub: Hub, folder: Path, probe: Probe = anonymous_door) -> None:
        if hub.table.broker is None:
            raise ValueError("the table file names no broker")
        self.broker: Broker = hub.table.broker
        self.dropped = 0
        self._hub, self._folder, self._probe, self._clock = hub, folder, probe, hub.clock
        self._prefix = f"makabana/{hub.table.name}"
        self._voices = {node.name: Voice(hub, self._prefix, node.name) for node in hub.table.nodes_by(MQTT)}
        self._others = [(reader, EspDialogue(hub, reader)) for reader in hub.table.esphome]
        self._arrived: queue.Queue[Arrived] = queue.Queue(MOST_WAITING)
        self._client: Any = None
        self._is_up = False
        self._refused: Event | None = None
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="mqtt", daemon=True)

    # --- Life ---

    def start(self) -> None:
        """Connects in the background, for ever. Raises OSError if a file that the table file names can't be read."""
        self._forbid_trays(Event("broker_unproven", {"host": self.broker.host}))
        self._client = self._make_client()
        self._client.connect_async(self.broker.host, self.broker.port, keepalive=KEEPALIVE_S)
        self._client.loop_start()
        self._thread.start()

    def close(self) -> None:
        """May be called twice."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join()
        if self._client is not None:
            self._client.disconnect()
            self._client.loop_stop()
            self._client = None

    def __enter__(self) -> MqttLink:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _make_client(self) -> Any:
        mqtt = import_module("paho.mqtt.client")
        client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, client_id=f"makabana-companion-{self._hub.table.name}")
        if self.broker.ca:
            client.tls_set(ca_certs=str(self._folder / self.broker.ca))
        if self.broker.user:
            client.username_pw_set(self.broker.user, self._password())
        client.reconnect_delay_set(*RETRY_S)
        client.on_connect = self._when_connected
        client.on_connect_fail = self._when_unreachable
        client.on_disconnect = self._when_disconnected
        client.on_message = self._when_message
        return client

    def _password(self) -> str | None:
        if not self.broker.password_file:
            return None
        return (self._folder / self.broker.password_file).read_text("utf-8").strip()

    # --- paho's thread ---

    def _when_connected(self, client: Any, userdata: Any, flags: Any, reason: Any, properties: Any) -> None:
        refused = Event("broker_refused", {"host": self.broker.host, "user": self.broker.user, "what": str(reason)})
        self._refused = refused if reason.is_failure else None
        self._queue(Arrived(problem=self._refused))

    def _when_unreachable(self, client: Any, userdata: Any) -> None:
        self._queue(Arrived(problem=self._unreachable()))

    def _when_disconnected(self, client: Any, userdata: Any, flags: Any, reason: Any, properties: Any) -> None:
        self._queue(Arrived(problem=self._refused or self._unreachable()))  # it hangs up after refusing, too

    def _when_message(self, client: Any, userdata: Any, message: Any) -> None:
        self._queue(Arrived(message.topic, message.payload, message.retain))

    def _unreachable(self) -> Event:
        return Event("broker_unreachable", {"host": self.broker.host, "port": self.broker.port})

    def _queue(self, arrived: Arrived) -> None:
        try:
            self._arrived.put_nowait(arrived)
        except queue.Full:
            self.dropped += 1
            if not arrived.topic:  # news of the connection must get through: make room for it
                with contextlib.suppress(queue.Empty):
                    self._arrived.get_nowait()
                self._arrived.put_nowait(arrived)

    # --- Our thread ---

    def _run(self) -> None:
        try:
            while not self._stopped.is_set():
                with contextlib.suppress(queue.Empty):
                    self._handle(self._arrived.get(timeout=TICK_S))
                self._tick()
        finally:  # whatever ended this thread, nobody hears the boards any more
            self._close_all(Event("link_stopped"))

    def _handle(self, arrived: Arrived) -> None:
        if arrived.topic:
            self._hear(arrived)
        elif arrived.problem is not None:
            self._is_up = False
            self._close_all(arrived.problem)
        else:
            self._open_all()

    def _open_all(self) -> None:
        self._prove_trays()
        topics = [f"{voice.topic}/{part}" for voice in self._voices.values() for part in PARTS]
        topics += [topic for reader, _ in self._others for topic in (reader.topic, reader.status)]
        self._client.subscribe([(topic, 0) for topic in topics])
        self._is_up = True
        for voice in self._voices.values():
            self._send(voice, voice.dialogue.opened(self._clock.now()))

    def _close_all(self, reason: Event) -> None:
        for voice in self._voices.values():
            voice.decoder.forget()
            voice.dialogue.closed(reason)
        for _, dialogue in self._others:
            dialogue.closed(reason)

    def _hear(self, arrived: Arrived) -> None:
        node = arrived.topic.removeprefix(f"{self._prefix}/").partition("/")[0]
        if voice := self._voices.get(node):
            for message in voice.messages(arrived):
                self._send(voice, voice.dialogue.received(message, self._clock.now()))
            if voice.decoder.refusal:
                voice.dialogue.refused(voice.decoder.refusal)
                voice.decoder.refusal = ""
        for reader, dialogue in self._others:
            if arrived.topic in (reader.topic, reader.status):
                dialogue.received(arrived.topic, arrived.payload, arrived.is_retained, self._clock.now())

    def _tick(self) -> None:
        now = self._clock.now()
        for voice in self._voices.values():
            self._send(voice, voice.dialogue.ticked(now))
        for _, dialogue in self._others:
            dialogue.ticked(now)

    def _send(self, voice: Voice, commands: Sequence[Command]) -> None:
        if not self._is_up:  # paho would keep them, and send them all when nobody waits for them any more
            return
        for frame in encoded([one for one in commands if one.kind != PROD], voice.encoder):
            self._client.publish(f"{voice.topic}/command", frame.rstrip(b"\n"))

    # --- Trays carry secrets ---

    def _prove_trays(self) -> None:
        """Looks at each new connection if strangers are let in: then no tray is listened to."""
        if any(True for _ in self._trays()):
            door = self._probe(self.broker.host, self.broker.port, f"{self._prefix}/#")
            self._forbid_trays(None if door is None else Event("broker_open", {"host": self.broker.host, "port": door}))

    def _forbid_trays(self, reason: Event | None) -> None:
        for sensor in self._trays():
            self._hub.forbid(sensor, reason)

    def _trays(self) -> Iterator[str]:
        for node in self._hub.table.nodes_by(MQTT):
            for reader, place in node.readers.items():
                if is_secret(place):
                    yield sensor_name(node.name, reader)
