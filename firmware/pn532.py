"""The PN532 reader chip over I2C or a UART, behind the same few calls as the MFRC522.

It runs the anticollision by itself and hands over whole UIDs, of two tags at most. It does not say when an answer was
garbled, so what it cannot read looks like nothing; a broken frame on the wire is BROKEN, never a clean time-out.
"""

from mfrc522 import BROKEN, FOUND, MAX_TAGS, MAX_UID, NOTHING
from micropython import const

_TO_CHIP = const(0xD4)
_FROM_CHIP = const(0xD5)
_GET_FIRMWARE_VERSION = const(0x02)
_SAM_CONFIGURATION = const(0x14)
_RF_CONFIGURATION = const(0x32)
_IN_LIST_PASSIVE_TARGET = const(0x4A)

_ADDRESS = const(0x24)
_ACK_SIZE = const(6)
_LONGEST = const(64)
_ACK_MS = const(10)
_ANSWER_MS = const(60)  # two tags with 10-byte UIDs take about 30
_START_MS = const(20)


class I2cWire:
    """The chip on an I2C bus: it says with a first byte whether it has something, and always from the beginning."""

    def __init__(self, i2c, clock):
        self._i2c = i2c
        self._clock = clock
        self._status = bytearray(1)
        self._raw = bytearray(_LONGEST + 1)
        self._parts = [memoryview(self._raw)[:size] for size in range(_LONGEST + 2)]

    def wake(self):
        """The address alone wakes it."""

    def send(self, frame):
        try:
            self._i2c.writeto(_ADDRESS, frame)
        except OSError:  # nobody there
            return False
        return True

    def receive(self, into, size, limit_ms):
        """Puts up to `size` bytes of the next frame into the buffer. Gives how many, 0 when the time is over."""
        start = self._clock.ticks_ms()
        try:
            while True:
                self._i2c.readfrom_into(_ADDRESS, self._status)
                if self._status[0] & 1:
                    break
                if self._clock.ticks_diff(self._clock.ticks_ms(), start) > limit_ms:
                    return 0
                self._clock.sleep_ms(1)
            self._i2c.readfrom_into(_ADDRESS, self._parts[size + 1])
        except OSError:
            return 0
        for index in range(size):
            into[index] = self._raw[1 + index]
        return size


class UartWire:
    """The chip on a UART ("HSU", 115200 baud): bytes come one after the other, and it sleeps until it hears some."""

    def __init__(self, uart, clock):
        self._uart = uart
        self._clock = clock
        self._byte = bytearray(1)
        self._preamble = b"\x55\x55\x00\x00\x00\x00\x00\x00\x00\x00"

    def wake(self):
        self._uart.write(self._preamble)

    def send(self, frame):
        while self._uart.any():  # what is left of an answer that came too late
            self._uart.readinto(self._byte)
        return self._uart.write(frame) == len(frame)

    def receive(self, into, size, limit_ms):
        """Reads one frame: its length stands in its fourth byte."""
        start = self._clock.ticks_ms()
        count = 0
        while count < size:
            if not self._uart.any():
                if self._clock.ticks_diff(self._clock.ticks_ms(), start) > limit_ms:
                    return 0
                continue
            self._uart.readinto(self._byte)
            into[count] = self._byte[0]
            count += 1
            if count >= _ACK_SIZE and count == _frame_size(into):
                break
        return count


class Pn532:
    """One reader. `wire` is an I2cWire or UartWire, `reset` its RSTPDN pin or None."""

    name = "pn532"

    def __init__(self, wire, reset, clock, timeout_ms=5, settle_ms=5, gain=5):
        self.timeout_ms = timeout_ms  # kept for the common interface: the chip has its own ideas
        self.settle_ms = settle_ms
        self.gain = gain
        self.count = 0
        self.uids = [bytearray(MAX_UID) for _ in range(MAX_TAGS)]
        self.sizes = bytearray(MAX_TAGS)
        self.is_partial = False
        self.version = 0
        self._wire = wire
        self._reset = reset
        self._clock = clock
        self._frame = bytearray(16)
        self._parts = [memoryview(self._frame)[:size] for size in range(17)]
        self._into = bytearray(_LONGEST)
        if reset is not None:
            reset.value(1)

    def begin(self):
        """Wakes the chip and sets it up. Gives whether it answered as it should."""
        self._wire.wake()
        is_awake = self._command(_SAM_CONFIGURATION, 0x01, 0x00, 0x01) >= 0
        # Item 5: how often it tries to activate a tag before it says that there is none. Zero means once.
        is_set = self._command(_RF_CONFIGURATION, 0x05, 0xFF, 0x01, 0x00) >= 0
        return is_awake and is_set and self.is_alive()

    def is_alive(self):
        self.version = 0
        if self._command(_GET_FIRMWARE_VERSION) < 4:
            return False
        self.version = self._into[7]
        return self.version == 0x32

    def soft_reset(self):
        self._wire.wake()

    def hard_reset(self):
        if self._reset is None:
            return 0
        self._reset.value(0)
        self._clock.sleep_ms(1)
        self._reset.value(1)
        return _START_MS

    def field(self, is_on):
        return self._command(_RF_CONFIGURATION, 0x01, 0x01 if is_on else 0x00) >= 0

    def poll(self):
        self.count = 0
        self.is_partial = False
        if not self.is_alive() or not self.field(True):
            return BROKEN
        self._clock.sleep_ms(self.settle_ms)
        size = self._command(_IN_LIST_PASSIVE_TARGET, MAX_TAGS, 0x00)
        result = self._take_targets(size) if size >= 0 else BROKEN
        self.field(False)
        return result

    def _take_targets(self, size):
        """Reads the list: per tag a number, SENS_RES (2), SEL_RES, the UID's length and the UID."""
        into = self._into
        if size < 1:
            return BROKEN
        position, end = 8, 7 + size
        for _ in range(min(into[7], MAX_TAGS)):
            if position + 5 > end:
                return BROKEN
            length = into[position + 4]
            position += 5
            if length not in (4, 7, 10) or position + length > end:
                return BROKEN
            for index in range(length):
                self.uids[self.count][index] = into[position + index]
            self.sizes[self.count] = length
            self.count += 1
            position += length
            if into[7] > 1 and position < end and into[position] > MAX_TAGS:
                position += into[position]  # an ATS, whose first byte is its length
        return FOUND if self.count else NOTHING

    def _command(self, code, first=-1, second=-1, third=-1, fourth=-1):
        """Sends a command with up to four parameters. Gives the size of the answer from `_into[7]` on, or -1."""
        frame = self._frame
        # A loop over the four would build a tuple each time; those that are not given lie behind the frame's end.
        frame[7] = first & 0xFF
        frame[8] = second & 0xFF
        frame[9] = third & 0xFF
        frame[10] = fourth & 0xFF
        size = 2 + (first >= 0) + (second >= 0) + (third >= 0) + (fourth >= 0)
        frame[0] = frame[1] = 0x00
        frame[2] = 0xFF
        frame[3] = size
        frame[4] = -size & 0xFF
        frame[5] = _TO_CHIP
        frame[6] = code
        total = 0
        for index in range(5, 5 + size):
            total += frame[index]
        frame[5 + size] = -total & 0xFF
        frame[6 + size] = 0x00
        if not self._wire.send(self._parts[7 + size]) or not self._is_acknowledged():
            return -1
        if not self._wire.receive(self._into, _LONGEST - 1, _ANSWER_MS):
            return -1
        return self._answer_size(code)

    def _is_acknowledged(self):
        into = self._into
        if self._wire.receive(into, _ACK_SIZE, _ACK_MS) != _ACK_SIZE:
            return False
        return into[0] == 0 and into[1] == 0 and into[2] == 0xFF and into[3] == 0 and into[4] == 0xFF

    def _answer_size(self, code):
        into = self._into
        size = into[3]
        if into[0] or into[1] or into[2] != 0xFF or (size + into[4]) & 0xFF or not 2 <= size <= _LONGEST - 8:
            return -1
        total = 0
        for index in range(5, 6 + size):
            total += into[index]
        if total & 0xFF or into[5] != _FROM_CHIP or into[6] != code + 1:
            return -1
        return size - 2


def _frame_size(into):
    """Of a frame whose first six bytes are there: an acknowledgement has no data."""
    return _ACK_SIZE if into[3] == 0x00 and into[4] == 0xFF else into[3] + 7
