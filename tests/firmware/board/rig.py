"""A whole board in one process: the real firmware on modelled chips, with a clock that the test moves."""

# ruff: noqa: UP031 - MicroPython knows no other way

import framing
import machine
import node
import settings
import wiring
from bus import check
from chip_model import Chip, World
from clocks import Clock

UID4 = b"\x1a\x2b\x3c\x4d"
UID7 = b"\x04\xa1\xb2\xc3\xd4\xe5\x80"
UID10 = b"\x08\x11\x22\x33\x44\x55\x66\x77\x88\x99"


def config_of(count, **changes):
    config = {
        "node": "north",
        "spi": {"id": 0, "sck": 18, "mosi": 19, "miso": 16},
        "readers": [{"reader": "r%d" % index, "select": 2 + index, "buffer": "select"} for index in range(count)],
    }
    config.update(changes)
    return config


class Pipe:
    """A link whose other end is the test. Frames are real: they are written and read as bytes."""

    retains_state = False

    def __init__(self):
        self.encoder = framing.Encoder()
        self.decoder = framing.Decoder(1024)
        self.unsent = 0
        self.is_open = True
        self.inbox = b""
        self.heard = []
        self.host = framing.Decoder()
        self._was_open = False

    def service(self, now):
        is_new = self.is_open and not self._was_open
        self._was_open = self.is_open
        if is_new:
            self.host.forget()
        return is_new

    def receive(self):
        while self.inbox:
            byte, self.inbox = self.inbox[0], self.inbox[1:]
            message = self.decoder.push(byte)
            if message is not None:
                return message
        return None

    def send(self, kind, fields):
        frame = self.encoder.encode(kind, fields)
        if not self.is_open:
            self.unsent += 1
            return False
        self.heard += self.host.feed(bytes(frame))
        return True


class Rig:
    """`rig.chips[0].lay(uid)`, `rig.run(ms)`, then look at `rig.heard("laid")`."""

    def __init__(self, count=1, config=None, reset=None, is_buffered=True, **poll):
        self.clock = Clock(start_us=(1 << 30) * 1000 - 3000000)  # three seconds before the ticks wrap
        self.world = machine.world = World(self.clock)
        self.config = config or config_of(count, poll=poll)
        if reset is not None:
            for reader in self.config["readers"]:
                reader["reset"] = reset
        assert settings.problems_of(self.config) == [], settings.problems_of(self.config)
        self.chips = []
        for index, reader in enumerate(self.config["readers"]):
            miso = reader.get("miso", 16)
            chip = Chip(self.clock, seed=index + 1)
            enable = reader.get("buffer") if isinstance(reader.get("buffer"), int) else None
            self.world.add(reader["select"], chip, miso, reader.get("reset"), is_buffered, enable)
            self.chips.append(chip)
        self.known = set()
        self.start("b0071d00")

    def start(self, boot):
        """Boots the firmware, for the first time or again."""
        self.link = Pipe()
        readers, lines = wiring.build(self.config, machine, self.clock, self.known)
        self.readers = readers
        me = node.Identity("north", "e661", boot, "power")
        board = node.Board(machine.Pin(25), machine.WDT(8000).feed, lambda: check(readers, lines))
        self.node = node.Node(me, readers, self.link, self.clock, board, self.known)
        self.node.period_ms = self.config.get("poll", {}).get("period_ms", 100)
        self._host = framing.Encoder()

    def run(self, ms):
        end = self.clock.us + ms * 1000
        while self.clock.us < end:
            self.node.step()

    def settle(self):
        """Runs until every reader knows what lies on it, and forgets what was said."""
        self.run(2500)
        self.forget()

    def forget(self):
        self.link.heard = []

    def tell(self, kind, **fields):
        """Sends a command and gives everything that is said in the next round."""
        self.link.inbox += bytes(self._host.encode(kind, fields))
        before = len(self.link.heard)
        self.run(50)
        return self.link.heard[before:]

    def heard(self, *kinds):
        return [message for message in self.link.heard if message["type"] in kinds]

    def events(self):
        """What was said about tags and readers, in short."""
        short = []
        for message in self.heard("laid", "lifted", "ready", "lost"):
            short.append((message["type"], message["reader"], message.get("uid")))
        return short
