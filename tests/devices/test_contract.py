"""One contract for every way to a reader board. It assumes a board `north` with the readers of `support.READERS`.

The board is a twin: in the same process, behind a pty with real frames, and on a real broker.
"""

import logging
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.devices.clock import SystemClock
from companion.devices.hub import Hub
from companion.devices.mqtt_link import MqttLink
from companion.devices.serial_link import SerialLink
from companion.devices.table_file import MQTT
from companion.devices.twins import TwinBoard, TwinLink
from companion.table.observations import Piece, TagsSeen
from tests.devices.support import (
    CARD,
    READERS,
    STRANGE,
    TIKI,
    BrokerPeer,
    Mosquitto,
    PtyPeer,
    Story,
    hub_of,
    table_of,
    uids_on,
    until,
)


class Rig:
    """A board, the hub that hears it, and the cable between them."""

    def __init__(self, hub: Hub, board: TwinBoard, cable: object, close: Callable[[], None]) -> None:
        self.hub, self.board, self.cable, self.close = hub, board, cable, close
        self.readers = board.readers
        self.story = Story(hub)

    def expect(self, **tags: set[str] | None) -> None:
        until(
            lambda: all(uids_on(self.hub, reader) == uids for reader, uids in tags.items()),
            lambda: {reader: uids_on(self.hub, reader) for reader in tags},
        )

    def settle(self) -> None:
        self.expect(r0=set(), r1=set(), r2=set())


def twin_rig(tmp_path: Path, request: pytest.FixtureRequest) -> Rig:
    hub = hub_of()
    board = TwinBoard("north", list(READERS), SystemClock())
    link = TwinLink(hub, board)
    return Rig(hub, board, link, link.close)


def serial_rig(tmp_path: Path, request: pytest.FixtureRequest) -> Rig:
    pytest.importorskip("serial", reason="needs pyserial (extra devices)")
    hub = hub_of()
    board = TwinBoard("north", list(READERS), SystemClock())
    peer = PtyPeer(board, tmp_path)
    link = SerialLink(hub, [peer.port], lister=list)
    link.start()

    def close() -> None:
        link.close()
        peer.close()

    return Rig(hub, board, peer, close)


def broker_rig(tmp_path: Path, request: pytest.FixtureRequest) -> Rig:
    mosquitto: Mosquitto = request.getfixturevalue("mosquitto")
    hub = hub_of(table_of(MQTT, mosquitto.broker))
    board = TwinBoard("north", list(READERS), SystemClock())
    peer = BrokerPeer(board, mosquitto)
    link = MqttLink(hub, mosquitto.folder, probe=lambda *_: None)
    link.start()

    def close() -> None:
        link.close()
        peer.close()

    return Rig(hub, board, peer, close)


@pytest.fixture(params=[twin_rig, serial_rig, broker_rig], ids=["twin", "pty", "broker"])
def rig(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Rig]:
    rig = request.param(tmp_path, request)
    yield rig
    rig.close()


def test_a_sensor_is_unavailable_until_it_is_heard(rig: Rig) -> None:
    rig.settle()
    assert rig.story.of("r0") == [None, set()]


def test_a_laid_tag_is_told_with_its_piece_place_and_time(rig: Rig) -> None:
    rig.settle()
    before = rig.hub.clock.now()
    rig.readers["r0"].lay(TIKI)
    rig.expect(r0={TIKI})
    after = rig.hub.clock.now()
    told = [one for one in rig.story.listen().observations if isinstance(one, TagsSeen) and one.tags]
    assert [(one.sensor, one.place, one.tags[0].piece) for one in told] == [
        ("north/r0", "Azzura-Lagon-Fleur", Piece("tiki", "blue"))
    ]
    since = told[0].tags[0].since
    assert before - since.within <= since.at <= after + since.within


def test_lay_and_lift_are_told_once_each_and_in_order(rig: Rig) -> None:
    rig.settle()
    rig.readers["r0"].lay(TIKI)
    rig.readers["r0"].lift()
    rig.readers["r0"].lay(CARD)
    rig.expect(r0={CARD})
    assert rig.story.of("r0") == [None, set(), {TIKI}, set(), {CARD}]


def test_an_unknown_tag_is_told_without_a_piece(rig: Rig) -> None:
    rig.settle()
    rig.readers["r1"].lay(STRANGE)
    rig.expect(r1={STRANGE})
    assert rig.hub.tags_on("north/r1")[0].piece is None


def test_two_tags_on_one_reader_are_both_told(rig: Rig) -> None:
    rig.settle()
    rig.readers["r1"].lay(TIKI)
    rig.readers["r1"].lay(STRANGE)
    rig.expect(r1={TIKI, STRANGE})


def test_a_wedged_reader_is_unavailable_and_comes_back_with_what_lies_there(rig: Rig) -> None:
    rig.settle()
    rig.readers["r0"].lay(TIKI)
    rig.expect(r0={TIKI})
    rig.readers["r0"].wedge()
    rig.expect(r0=None, r1=set())
    assert rig.hub.reason_of("north/r0").code == "reader_lost"
    rig.readers["r0"].lift()
    rig.readers["r0"].revive()
    rig.expect(r0=set())
    assert rig.story.of("r0") == [None, set(), {TIKI}, None, set()]


def test_unplugged_all_readers_are_unavailable_and_what_changed_meanwhile_is_told_after(rig: Rig) -> None:
    rig.settle()
    rig.readers["r0"].lay(TIKI)
    rig.expect(r0={TIKI})
    rig.cable.unplug()
    rig.expect(r0=None, r1=None, r2=None)
    rig.readers["r0"].lift()
    rig.readers["r1"].lay(TIKI)
    rig.cable.plug()
    rig.expect(r0=set(), r1={TIKI}, r2=set())
    assert rig.story.of("r0") == [None, set(), {TIKI}, None, set()]
    assert rig.story.of("r1") == [None, set(), None, {TIKI}]


def test_a_restarted_board_invents_nothing(rig: Rig) -> None:
    rig.settle()
    rig.readers["r0"].lay(TIKI)
    rig.expect(r0={TIKI})
    rig.board.restart()
    rig.readers["r1"].lay(CARD)
    rig.expect(r0={TIKI}, r1={CARD})
    assert rig.story.of("r0") == [None, set(), {TIKI}]


def test_the_board_learns_which_tags_are_registered(rig: Rig) -> None:
    rig.settle()
    until(lambda: rig.board.known == {TIKI, CARD})


def test_lost_and_back_are_logged_once_each_and_no_log_line_holds_a_tag(
    rig: Rig, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    rig.settle()
    rig.readers["r2"].lay(CARD)
    rig.expect(r2={CARD})
    rig.cable.unplug()
    rig.expect(r2=None)
    rig.cable.plug()
    rig.expect(r2={CARD})
    ours = [record for record in caplog.records if record.name.startswith("companion")]
    lines = [record.getMessage() for record in ours]
    assert [line.partition(".")[0] for line in lines] == ["north is unavailable", "north is back"]
    assert not any(CARD in record.getMessage() or "Azzura card" in record.getMessage() for record in caplog.records)


def test_closing_twice_is_fine_and_leaves_nothing_believed(rig: Rig) -> None:
    rig.settle()
    rig.close()
    assert uids_on(rig.hub, "r0") is None
