"""Trays carry secrets. A real mosquitto with hardware/mosquitto's files, and listeners who must hear nothing."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.devices.broker import Welcome, anonymous_door, welcome_of
from companion.devices.clock import SystemClock
from companion.devices.mqtt_link import MqttLink
from companion.devices.table_file import MQTT
from companion.devices.texts import say
from companion.devices.twins import TwinBoard
from tests.devices.support import (
    CARD,
    READERS,
    TIKI,
    BrokerPeer,
    Mosquitto,
    free_port,
    hub_of,
    table_of,
    uids_on,
    until,
)

SILENCE_S = 0.5  # many times what a message takes


@pytest.fixture(scope="module")
def open_broker(tmp_path_factory: pytest.TempPathFactory, mosquitto: Mosquitto) -> Iterator[Mosquitto]:
    """The same broker with the one mistake that people make."""
    broker = Mosquitto(tmp_path_factory.mktemp("open"), ["north"], anonymous=True)
    yield broker
    broker.stop()


def test_a_guest_without_a_name_is_not_let_in(mosquitto: Mosquitto) -> None:
    with pytest.raises(ConnectionRefusedError):
        mosquitto.client(None)
    with pytest.raises(ConnectionRefusedError):
        mosquitto.client("companion", password="wrong")


def test_another_boards_login_hears_nothing_of_a_tray_and_cannot_speak_for_it(mosquitto: Mosquitto) -> None:
    heard_by_spy: list[str] = []
    heard_by_companion: list[str] = []
    spy, companion = mosquitto.client("salon.south"), mosquitto.client("companion")
    spy.on_message = lambda _client, _data, message: heard_by_spy.append(message.topic)
    companion.on_message = lambda _client, _data, message: heard_by_companion.append(message.topic)
    for topic in ("#", "makabana/#", "makabana/salon/north/state", "makabana/salon/+/event", "$SYS/#"):
        spy.subscribe(topic)
    companion.subscribe("makabana/salon/north/#")
    board = TwinBoard("north", list(READERS), SystemClock())
    peer = BrokerPeer(board, mosquitto)
    board.readers["r2"].lay(CARD)
    until(lambda: {"makabana/salon/north/state", "makabana/salon/north/event"} <= set(heard_by_companion))
    before = len(heard_by_companion)
    spy.publish("makabana/salon/north/event", b"forged")
    spy.publish("makabana/salon/north/command", b"forged")
    time.sleep(SILENCE_S)
    assert heard_by_spy == []
    assert len(heard_by_companion) == before
    peer.close()
    for client in (spy, companion):
        client.disconnect()
        client.loop_stop()


def test_states_are_retained_and_events_are_not(mosquitto: Mosquitto) -> None:
    board = TwinBoard("north", list(READERS), SystemClock())
    peer = BrokerPeer(board, mosquitto)
    board.readers["r0"].lay(TIKI)
    late = mosquitto.client("companion")
    topics: set[str] = set()
    late.on_message = lambda _client, _data, message: topics.add(message.topic)
    late.subscribe("makabana/salon/north/#")
    until(lambda: len(topics) == 2)
    time.sleep(0.1)
    assert topics == {"makabana/salon/north/state", "makabana/salon/north/status"}
    peer.close()
    late.disconnect()
    late.loop_stop()


def test_the_companion_knocks_as_a_stranger_and_is_refused(mosquitto: Mosquitto) -> None:
    assert welcome_of("127.0.0.1", mosquitto.port, "makabana/#", tls=True) is Welcome.REFUSED
    assert welcome_of("127.0.0.1", mosquitto.port, "makabana/#", tls=False) is Welcome.REFUSED
    assert welcome_of("127.0.0.1", free_port(), "makabana/#", tls=True) is Welcome.CLOSED


def test_an_open_broker_is_recognised(open_broker: Mosquitto) -> None:
    assert anonymous_door("127.0.0.1", open_broker.port, "makabana/#") == open_broker.port


def test_on_an_open_broker_the_tray_stays_off_and_the_rest_plays_on(
    open_broker: Mosquitto, caplog: pytest.LogCaptureFixture
) -> None:
    hub = hub_of(table_of(MQTT, open_broker.broker))
    board = TwinBoard("north", list(READERS), SystemClock())
    board.readers["r2"].lay(CARD)
    peer = BrokerPeer(board, open_broker)
    with MqttLink(hub, open_broker.folder):
        until(lambda: uids_on(hub, "r0") == set())
        board.readers["r0"].lay(TIKI)
        until(lambda: uids_on(hub, "r0") == {TIKI})
        assert uids_on(hub, "r2") is None
        reason = hub.reason_of("north/r2")
    assert reason.code == "broker_open"
    assert "allow_anonymous false" in say(reason)
    assert [CARD in repr(one) for one in hub.inbox.drain()].count(True) == 0
    assert not any(CARD in record.getMessage() for record in caplog.records)
    peer.close()


def test_on_a_closed_broker_the_tray_is_heard(mosquitto: Mosquitto) -> None:
    hub = hub_of(table_of(MQTT, mosquitto.broker))
    board = TwinBoard("north", list(READERS), SystemClock())
    board.readers["r2"].lay(CARD)
    peer = BrokerPeer(board, mosquitto)
    with MqttLink(hub, mosquitto.folder):
        until(lambda: uids_on(hub, "r2") == {CARD})
    peer.close()


def test_a_retained_state_of_a_board_that_is_not_there_is_not_believed(mosquitto: Mosquitto) -> None:
    board = TwinBoard("north", list(READERS), SystemClock())
    board.readers["r0"].lay(TIKI)
    peer = BrokerPeer(board, mosquitto)
    peer.close()  # it left politely: its hello and state stay at the broker, and no will is spoken
    hub = hub_of(table_of(MQTT, mosquitto.broker))
    with MqttLink(hub, mosquitto.folder, probe=lambda *_: None) as link:
        until(lambda: link._is_up)
        time.sleep(SILENCE_S)
        assert uids_on(hub, "r0") is None


@pytest.mark.parametrize("payload", [b"", b"\xff" * 5000, b"{}", b'{"v":1}\n{"v":1}', b"x" * 8000])
def test_no_payload_crashes_the_link(mosquitto: Mosquitto, payload: bytes) -> None:
    hub = hub_of(table_of(MQTT, mosquitto.broker))
    board = TwinBoard("north", list(READERS), SystemClock())
    peer = BrokerPeer(board, mosquitto)
    with MqttLink(hub, mosquitto.folder, probe=lambda *_: None):
        until(lambda: uids_on(hub, "r0") == set())
        for part in ("event", "state", "status", "status/deeper"):
            peer._client.publish(f"makabana/salon/north/{part}", payload)
        board.readers["r0"].lay(TIKI)
        until(lambda: uids_on(hub, "r0") == {TIKI})
    peer.close()


def test_a_wrong_password_is_the_reason_told(mosquitto: Mosquitto, tmp_path: Path) -> None:
    (tmp_path / "wrong").write_text("no")
    broker = mosquitto.broker._replace(ca=str(mosquitto.folder / "ca.crt"), password_file=str(tmp_path / "wrong"))
    hub = hub_of(table_of(MQTT, broker))
    with MqttLink(hub, tmp_path):
        until(lambda: hub.reason_of("north/r0").code == "broker_refused")


def test_a_broker_that_is_not_there_is_the_reason_told(mosquitto: Mosquitto) -> None:
    hub = hub_of(table_of(MQTT, mosquitto.broker._replace(port=free_port())))
    with MqttLink(hub, mosquitto.folder):
        until(lambda: hub.reason_of("north/r0").code == "broker_unreachable")


def test_setup_may_be_run_again_and_changes_nothing(tmp_path: Path, mosquitto: Mosquitto) -> None:
    import subprocess

    from tests.devices.support import ROOT

    command = ["sh", str(ROOT / "hardware/mosquitto/setup.sh"), str(tmp_path / "b"), "makabana.local", "salon", "north"]

    def contents() -> dict[str, bytes]:
        return {str(path): path.read_bytes() for path in (tmp_path / "b").rglob("*") if path.is_file()}

    subprocess.run(command, check=True, capture_output=True, env=mosquitto._env)
    first = contents()
    subprocess.run(command, check=True, capture_output=True, env=mosquitto._env)
    assert contents() == first
    bad = subprocess.run([*command, "No Name"], capture_output=True, text=True, env=mosquitto._env, check=False)
    assert (bad.returncode, bad.stderr) == (2, "'No Name' is no name: use a-z, 0-9, - and _.\n")


def test_an_esphome_reader_is_heard_with_the_login_that_its_readme_describes(
    tmp_path: Path, mosquitto: Mosquitto
) -> None:
    import subprocess

    from companion.devices.table_file import EspReader, TableFile

    own = Mosquitto(tmp_path, [])
    subprocess.run(
        ["mosquitto_passwd", "-b", str(tmp_path / "passwords"), "club-azzura", "secret"], check=True, env=own._env
    )
    with (tmp_path / "acl").open("a") as acl:
        acl.write("\nuser club-azzura\ntopic write makabana-esp/club-azzura/#\n")
    own.stop()
    own.start()
    reader = EspReader("esp", "club:Azzura", "makabana-esp/club-azzura/tag", "makabana-esp/club-azzura/status")
    hub = hub_of(TableFile("salon", "tags.json", esphome=(reader,), broker=own.broker))
    esp = own.client("club-azzura", will=(reader.status, b"offline"), password="secret")
    with MqttLink(hub, tmp_path) as link:
        until(lambda: link._is_up)
        esp.publish(reader.status, b"online", retain=True)
        until(lambda: esp.publish(reader.topic, b"04-A1-B2-C3-D4-E5-80") and hub.tags_on("esp"))
        assert [tag.uid for tag in hub.tags_on("esp")] == [TIKI]
        esp.publish(reader.topic, b"none")
        until(lambda: hub.tags_on("esp") == ())
        sock = esp.socket()
        esp.loop_stop()
        sock.close()  # vanishes, and the broker speaks its will
        until(lambda: hub.tags_on("esp") is None)
    own.stop()


def test_a_flood_is_dropped_and_news_of_the_connection_gets_through(tmp_path: Path) -> None:
    from companion.devices.mqtt_link import MOST_WAITING, Arrived
    from companion.devices.table_file import Broker

    hub = hub_of(table_of(MQTT, Broker("localhost", 1, "", "", "")))
    link = MqttLink(hub, tmp_path)
    for _ in range(3 * MOST_WAITING):
        link._queue(Arrived("makabana/salon/north/event", b"x" * 100))
    link._when_unreachable(None, None)
    assert link._arrived.qsize() == MOST_WAITING
    assert link.dropped == 2 * MOST_WAITING + 1
    while not link._arrived.empty():
        link._handle(link._arrived.get())
    assert hub.reason_of("north/r0").code == "broker_unreachable"
