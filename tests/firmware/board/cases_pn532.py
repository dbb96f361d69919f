"""The other chip, over both of its wires, against a model of its frames."""

from clocks import Clock
from mfrc522 import BROKEN, FOUND, NOTHING
from pn532 import I2cWire, Pn532, UartWire
from rig import UID4, UID7, UID10

ACK = b"\x00\x00\xff\x00\xff\x00"


class Brain:
    """Takes frames and gives answers, as the chip does."""

    def __init__(self):
        self.tags = []
        self.is_dead = False
        self.spoils = False
        self.is_field_on = False

    def hear(self, frame):
        """The answer to a frame: an acknowledgement and an information frame, or nothing."""
        frame = bytes(frame)
        size = frame[3]
        body = frame[5 : 5 + size]
        is_right = frame[:3] == b"\x00\x00\xff" and (frame[3] + frame[4]) & 0xFF == 0 and body[0] == 0xD4
        if self.is_dead or not is_right or (sum(body) + frame[5 + size]) & 0xFF:
            return None
        return ACK, self._frame(b"\xd5" + bytes([body[1] + 1]) + self._do(body[1], body[2:]))

    def _do(self, code, parameters):
        if code == 0x02:
            return b"\x32\x01\x06\x07"
        if code == 0x32 and parameters[0] == 1:
            self.is_field_on = bool(parameters[1])
        if code != 0x4A:
            return b""
        found = self.tags[: parameters[0]] if self.is_field_on else []
        listed = bytes([len(found)])
        for index, uid in enumerate(found):
            listed += bytes([index + 1, 0x00, 0x44, 0x00, len(uid)]) + uid
        return listed

    def _frame(self, body):
        check = -sum(body) & 0xFF
        if self.spoils:
            check ^= 1
        return b"\x00\x00\xff" + bytes([len(body), -len(body) & 0xFF]) + body + bytes([check, 0])


class I2c:
    def __init__(self, brain):
        self._brain = brain
        self._waiting = []

    def writeto(self, address, frame):
        if self._brain.is_dead:
            raise OSError(5)
        self._waiting = list(self._brain.hear(frame) or ())

    def readfrom_into(self, address, into):
        if self._brain.is_dead:
            raise OSError(5)
        for index in range(len(into)):
            into[index] = 0
        if not self._waiting:
            return
        into[0] = 1
        if len(into) > 1:
            frame = self._waiting.pop(0)
            for index in range(min(len(frame), len(into) - 1)):
                into[1 + index] = frame[index]


class Uart:
    def __init__(self, brain, clock):
        self._brain = brain
        self._clock = clock
        self._waiting = b""

    def write(self, chunk):
        if chunk[:1] == b"\x00":  # not the bytes that wake it
            for frame in self._brain.hear(chunk) or ():
                self._waiting += frame
        return len(chunk)

    def any(self):
        self._clock.spend(90)
        return len(self._waiting)

    def readinto(self, into):
        into[0] = self._waiting[0]
        self._waiting = self._waiting[1:]
        return 1


def chips():
    for kind in ("i2c", "uart"):
        clock = Clock()
        brain = Brain()
        wire = I2cWire(I2c(brain), clock) if kind == "i2c" else UartWire(Uart(brain, clock), clock)
        yield brain, Pn532(wire, None, clock)


def case_whole_uids_are_read_over_both_wires():
    for brain, chip in chips():
        assert chip.begin()
        assert chip.version == 0x32
        assert chip.poll() == NOTHING
        for uid in (UID4, UID7, UID10):
            brain.tags = [uid]
            assert chip.poll() == FOUND
            assert bytes(chip.uids[0][: chip.sizes[0]]) == uid
        brain.tags = [UID7, UID4]
        assert chip.poll() == FOUND
        assert chip.count == 2
        assert bytes(chip.uids[1][: chip.sizes[1]]) == UID4
        assert not brain.is_field_on


def case_a_dead_or_garbling_chip_is_broken_and_never_a_clean_time_out():
    for brain, chip in chips():
        chip.begin()
        brain.tags = [UID7]
        brain.is_dead = True
        assert chip.poll() == BROKEN
        brain.is_dead = False
        brain.spoils = True
        assert chip.poll() == BROKEN
        brain.spoils = False
        assert chip.poll() == FOUND
