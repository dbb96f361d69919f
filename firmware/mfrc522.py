"""The MFRC522 reader chip, register by register, over a line of the SPI bus.

A poll wakes every tag in the field (WUPA) and reads its whole UID: the anticollision cascade goes on for as long as a
tag's SAK says so, which gives 4, 7 or 10 bytes. Nothing is allocated after the constructor.
Names of registers and bits are those of the data sheet (NXP MFRC522, revision 3.9).
"""

from micropython import const

# What a poll may find. Only NOTHING is a clean time-out; GARBLED means that something answered. From GARBLED on, what
# lies there is unclear (trackers compare by that: a tuple of names to look in would be allocated each time).
NOTHING = const(0)
FOUND = const(1)
GARBLED = const(2)
BROKEN = const(3)  # the chip itself did not do its part

MAX_TAGS = const(2)  # the most that this chip can tell apart
MAX_UID = const(10)

_COMMAND = const(0x01)
_COM_IRQ = const(0x04)
_DIV_IRQ = const(0x05)
_ERROR = const(0x06)
_FIFO_DATA = const(0x09)
_FIFO_LEVEL = const(0x0A)
_BIT_FRAMING = const(0x0D)
_COLL = const(0x0E)
_MODE = const(0x11)
_TX_CONTROL = const(0x14)
_TX_ASK = const(0x15)
_CRC_RESULT_H = const(0x21)
_CRC_RESULT_L = const(0x22)
_RF_CFG = const(0x26)
_T_MODE = const(0x2A)
_T_PRESCALER = const(0x2B)
_T_RELOAD_H = const(0x2C)
_T_RELOAD_L = const(0x2D)
_VERSION = const(0x37)
SCRATCH = _T_RELOAD_L  # holds any byte: the self-test writes it, and `begin` puts it right again

_IDLE = const(0x00)
_CALC_CRC = const(0x03)
_TRANSCEIVE = const(0x0C)
_SOFT_RESET = const(0x0F)

_TIMER_IRQ = const(0x01)
_DONE_IRQ = const(0x30)  # received, or idle again
_CRC_IRQ = const(0x04)
_POWER_DOWN = const(0x10)
_FORCE_100_ASK = const(0x40)
_START_SEND = const(0x80)
_ANTENNA_ON = const(0x83)
_ANTENNA_OFF = const(0x80)
_COLLISION = const(0x08)
_BAD_ANSWER = const(0x17)  # overflow, checksum, parity or protocol
_POSITION_INVALID = const(0x20)

_REQA = const(0x26)
_WUPA = const(0x52)
_CASCADE_TAG = const(0x88)
_MORE_LEVELS = const(0x04)  # in the SAK: the UID goes on at the next cascade level
_TICKS_PER_MS = const(40)  # with the prescaler below
_SLACK_MS = const(10)  # how much later than its timer the chip may answer before it counts as wedged
_START_MS = const(50)


class Mfrc522:
    """One reader. `line` is its place on the bus, `reset` its RST pin or None, `clock` a module like `time`.

    After `poll`, `count` tags are in `uids` and `sizes`; `is_partial` says that there was more than could be read.
    """

    name = "mfrc522"

    def __init__(self, line, reset, clock, timeout_ms=5, settle_ms=5, gain=5):
        self.timeout_ms = timeout_ms
        self.settle_ms = settle_ms
        self.gain = gain
        self.count = 0
        self.uids = [bytearray(MAX_UID) for _ in range(MAX_TAGS)]
        self.sizes = bytearray(MAX_TAGS)
        self.is_partial = False
        self.version = 0
        self._line = line
        self._reset = reset
        self._clock = clock
        self._order = bytearray(2)
        self._query = bytearray(2)
        self._answer = bytearray(2)
        self._out = bytearray(17)  # an address and up to 16 bytes for the FIFO
        self._in = bytearray(17)
        self._out_parts = [memoryview(self._out)[:size] for size in range(18)]
        self._in_parts = [memoryview(self._in)[:size] for size in range(18)]
        self._frame = bytearray(9)  # SEL, NVB, four bytes, BCC, CRC
        # The last SELECT and SAK of each cascade level with their checksums: a tag at rest has the same ones each time,
        # and asking the chip for them takes more than all the rest.
        self._frames = [bytearray(9) for _ in range(3)]
        self._saks = [bytearray(3) for _ in range(3)]
        self._received = 0
        self._is_collision = False  # in the last answer
        self._has_collision = False  # in any answer of this round
        if reset is not None:
            reset.value(1)

    # --- Life and death ---

    def begin(self):
        """Sets the chip up. Gives whether it answered as it should."""
        self._put(_T_MODE, 0x80)  # the timer starts by itself after sending
        self._put(_T_PRESCALER, 0xA9)
        reload = self.timeout_ms * _TICKS_PER_MS
        self._put(_T_RELOAD_H, reload >> 8)
        self._put(_T_RELOAD_L, reload & 0xFF)
        self._put(_TX_ASK, _FORCE_100_ASK)
        self._put(_MODE, 0x3D)  # checksums start from 0x6363
        self._put(_RF_CFG, self.gain << 4)
        self._put(_COLL, 0x00)  # bits after a collision read as 0
        self._put(_TX_CONTROL, _ANTENNA_OFF)
        return self.is_alive()

    def is_alive(self):
        """Reads the version, and one register of ours: a chip that lost its power in between has its default there."""
        self.version = self._get(_VERSION)
        return self.version not in (0x00, 0xFF) and self._get(_TX_ASK) == _FORCE_100_ASK

    def soft_reset(self):
        """Starts the chip again by command, and waits for it."""
        self._put(_COMMAND, _SOFT_RESET)
        start = self._clock.ticks_ms()
        while self._get(_COMMAND) & _POWER_DOWN:
            if self._clock.ticks_diff(self._clock.ticks_ms(), start) > _START_MS:
                return

    def hard_reset(self):
        """Pulls the RST pin. Gives how many milliseconds the chip needs before `begin`, 0 if there is no such pin."""
        if self._reset is None:
            return 0
        self._reset.value(0)
        self._clock.sleep_ms(1)
        self._reset.value(1)
        return _START_MS

    def field(self, is_on):
        self._put(_TX_CONTROL, _ANTENNA_ON if is_on else _ANTENNA_OFF)

    # --- Tags ---

    def poll(self):
        """Switches the antenna on, reads what lies there, and switches it off. Gives one of the four results."""
        self.count = 0
        self.is_partial = False
        if not self.is_alive():
            return BROKEN
        self.field(True)
        self._clock.sleep_ms(self.settle_ms)
        result = self._read_tags()
        self.field(False)
        return result

    def _read_tags(self):
        self._has_collision = False
        result = self._call(_WUPA)
        if result == FOUND:
            result = self._select()
        if result == FOUND and self._has_collision:
            self._read_second()
        return result

    def _read_second(self):
        """Halts the tag just read and calls the others, which were left waiting."""
        self._halt()
        self._has_collision = False
        if self._call(_REQA) != FOUND or self._select() != FOUND or self._has_collision:
            self.is_partial = True

    def _call(self, request):
        """Sends REQA or WUPA, which have seven bits. Any answer proves a tag, even one of two tags at once."""
        self._out[1] = request
        return self._transceive(1, 0x07)

    def _halt(self):
        self._out[1] = 0x50
        self._out[2] = 0x00
        self._out[3] = 0x57  # its checksum never changes
        self._out[4] = 0xCD
        self._transceive(4, 0x00)

    def _select(self):
        """Goes down the cascade and appends the UID. Gives FOUND, GARBLED or BROKEN."""
        uid = self.uids[self.count]
        size = 0
        for level in range(3):
            result = self._select_level(level)
            if result != FOUND:
                return GARBLED if result == NOTHING else result
            has_more = self._in[1] & _MORE_LEVELS
            if has_more and (self._frame[2] != _CASCADE_TAG or level == 2):
                return GARBLED
            for index in range(3 if has_more else 2, 6):
                uid[size] = self._frame[index]
                size += 1
            if not has_more:
                self.sizes[self.count] = size
                self.count += 1
                return FOUND
        return GARBLED

    def _select_level(self, level):
        """Leaves four bytes of UID in `_frame` and the tag's SAK in `_in`."""
        result = self._resolve(0x93 + 2 * level)
        if result != FOUND:
            return result
        frame = self._frame
        if frame[2] ^ frame[3] ^ frame[4] ^ frame[5] != frame[6]:
            return GARBLED
        frame[1] = 0x70
        known = self._frames[level]
        if not self._is_same(frame, known, 7):
            known[0] = 0
            if not self._checksum(frame, 7):
                return BROKEN
            for index in range(9):
                known[index] = frame[index]
        for index in range(9):
            self._out[1 + index] = known[index]
        result = self._transceive(9, 0x00)
        if result == FOUND and self._received == 3 and self._is_sak_right(self._saks[level]):
            return FOUND
        known[0] = self._saks[level][1] = self._saks[level][2] = 0  # perhaps one of the checksums was read wrongly
        return GARBLED if result == FOUND else result

    @staticmethod
    def _is_same(one, other, length):
        for index in range(length):
            if one[index] != other[index]:
                return False
        return True

    def _resolve(self, code):
        """Anticollision: asks for the tags whose UID begins with the bits known so far, until one is left."""
        frame = self._frame
        frame[0] = code
        for index in range(2, 9):
            frame[index] = 0
        known = 0
        for _ in range(32):
            bits = known & 7
            whole = 2 + (known >> 3)
            frame[1] = whole << 4 | bits
            length = whole + (1 if bits else 0)
            for index in range(length):
                self._out[1 + index] = frame[index]
            result = self._transceive(length, bits << 4 | bits)
            if result != FOUND:
                return result
            if self._received > 7 - whole or (self._received < 7 - whole and not self._is_collision):
                return GARBLED
            self._merge(whole, bits)
            if not self._is_collision:
                return FOUND
            position = self._get(_COLL)
            if position & _POSITION_INVALID:
                return GARBLED
            position = (position & 0x1F) or 32
            if position <= known:
                return GARBLED
            known = position
            self._choose(position)
        return GARBLED

    def _choose(self, position):
        """Goes on with the tags that have a 1 where two bits collided, and forgets what came behind."""
        frame = self._frame
        byte, bit = 2 + (position - 1 >> 3), 1 << (position - 1 & 7)
        frame[byte] = frame[byte] & (bit - 1) | bit
        for index in range(byte + 1, 7):
            frame[index] = 0

    def _merge(self, whole, bits):
        """Puts the received bytes behind the known ones; the first of them may be shared."""
        known_mask = (1 << bits) - 1
        for index in range(self._received):
            byte = self._in[1 + index]
            if index == 0:
                byte = byte & ~known_mask & 0xFF | self._frame[whole] & known_mask
            self._frame[whole + index] = byte

    def _is_sak_right(self, known):
        """Checks the answer to SELECT against a checksum that the chip computes."""
        sak, low, high = self._in[1], self._in[2], self._in[3]
        if known[0] != sak or (known[1] == 0 and known[2] == 0):
            known[0] = sak
            if not self._checksum(known, 1):
                known[1] = known[2] = 0  # no SAK has this checksum
                return False
        return known[1] == low and known[2] == high

    # --- The chip's commands ---

    def _transceive(self, length, framing):
        """Sends `_out[1:length+1]`. Gives NOTHING after a clean time-out, or FOUND with the answer in `_in[1:]`."""
        self._put(_COMMAND, _IDLE)
        self._put(_COM_IRQ, 0x7F)
        self._fill(length)
        self._put(_COMMAND, _TRANSCEIVE)
        self._put(_BIT_FRAMING, _START_SEND | framing)
        irq = self._wait(_COM_IRQ, _DONE_IRQ | _TIMER_IRQ, self.timeout_ms + _SLACK_MS)
        if irq == 0:
            return BROKEN
        if not irq & _DONE_IRQ:
            return NOTHING
        return self._take_answer()

    def _take_answer(self):
        error = self._get(_ERROR)
        self._is_collision = bool(error & _COLLISION)
        if self._is_collision:
            self._has_collision = True
        elif error & _BAD_ANSWER:
            return GARBLED
        size = self._get(_FIFO_LEVEL)
        if not 0 < size <= 16:
            return GARBLED
        self._received = size
        out = self._out
        for index in range(size):
            out[index] = _FIFO_DATA << 1 | 0x80
        out[size] = 0
        self._line.exchange(self._out_parts[size + 1], self._in_parts[size + 1])
        return FOUND

    def _checksum(self, source, length):
        """Lets the chip compute CRC_A of the first bytes of `source` and puts it behind them."""
        self._put(_COMMAND, _IDLE)
        self._put(_DIV_IRQ, _CRC_IRQ)
        for index in range(length):
            self._out[1 + index] = source[index]
        self._fill(length)
        self._put(_COMMAND, _CALC_CRC)
        if self._wait(_DIV_IRQ, _CRC_IRQ, _SLACK_MS) == 0:
            return False
        self._put(_COMMAND, _IDLE)
        source[length] = self._get(_CRC_RESULT_L)
        source[length + 1] = self._get(_CRC_RESULT_H)
        return True

    def _wait(self, register, mask, limit_ms):
        """Reads a register until one of the bits is set. Gives them, or 0 when the time is over."""
        start = self._clock.ticks_ms()
        while True:
            bits = self._get(register) & mask
            if bits or self._clock.ticks_diff(self._clock.ticks_ms(), start) > limit_ms:
                return bits

    # --- Registers ---

    def _fill(self, length):
        self._put(_FIFO_LEVEL, 0x80)  # empties it
        self._out[0] = _FIFO_DATA << 1
        self._line.write(self._out_parts[length + 1])

    def _put(self, register, value):
        self._order[0] = register << 1
        self._order[1] = value
        self._line.write(self._order)

    def _get(self, register):
        self._query[0] = register << 1 | 0x80
        self._line.exchange(self._query, self._answer)
        return self._answer[1]

    def write_scratch(self, value):
        self._put(SCRATCH, value)

    def read_scratch(self):
        return self._get(SCRATCH)
