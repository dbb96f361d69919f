"""The world under the firmware, down to the registers: MFRC522 chips on an SPI bus, antennas, and tags with states.

Runs under MicroPython, where `machine.py` beside it hands it to the real firmware. What is modelled and how far:

- registers, FIFO, the timer, the commands Idle, CalcCRC, Transceive and SoftReset, interrupts that come when the bits
  have gone through the air (106 kbit/s) and not before;
- ISO 14443-3 type A tags: IDLE, READY, ACTIVE, HALT; REQA, WUPA, anticollision, SELECT with checksum, HLTA; UIDs of
  4, 7 and 10 bytes; losing the field resets them; several tags at once collide bit by bit;
- noise with a seed: answers that are missed or garbled, tags that are not there (ghosts);
- a wedged chip: reads as zeros, as ones, or no longer executes commands, until a soft or only a hard reset;
- MISO: a deselected chip without a buffer does not let go. With up to two on a wire all is well, with more, ones of
  the selected chip are sometimes pulled down;
- time: a clock that only moves when somebody sleeps or uses the bus, so that an hour passes in seconds.

Collision positions count from the first bit of the cascade level, as the usual drivers for the chip take them.
"""

from clocks import Dice
from tags import Tag, crc_a

BIT_US = 9.44  # 128 / 13.56 MHz
FRAME_DELAY_US = 91  # 1236 / 13.56 MHz, between a command and the tag's answer


class Chip:
    """An MFRC522 with its antenna. Tests lay and lift tags and break it; the bus reads and writes its registers."""

    def __init__(self, clock, seed=1, version=0x92):
        self.tags = []
        self.missed = 0.0  # the chance that an answer is not heard
        self.garbled = 0.0  # ... or heard wrongly
        self.ghost = 0.0  # the chance per switching on of a tag that is not there
        self.wedge = None  # "zeros", "ones" or "stuck"
        self.cure = "soft"  # the least that ends the wedge: "soft" or "hard"
        self.is_plugged = True
        self.soft_resets = 0
        self.hard_resets = 0
        self.last_out = 0xFF
        self._ghosts = []
        self._clock = clock
        self._dice = Dice(seed)
        self._version = version
        self._fifo = bytearray()
        self._registers = bytearray(64)
        self._reset_registers()

    # --- What a test does to it ---

    def lay(self, uid):
        self.tags.append(Tag(uid))

    def lift(self, uid=None):
        self.tags = [tag for tag in self.tags if uid is not None and tag.uid != bytes(uid)]

    def break_down(self, wedge, cure="soft"):
        self.wedge, self.cure = wedge, cure
        self._due_us = None

    def unplug(self):
        self.is_plugged = False

    def plug(self):
        self.is_plugged = True
        self.wedge = None
        self._reset_registers()

    @property
    def is_antenna_on(self):
        return self.is_plugged and self._registers[0x14] & 3 == 3

    # --- Wires ---

    def reset_pin(self, level):
        """RST has been released after being low."""
        if level and self.is_plugged:
            self.hard_resets += 1
            self.wedge = None
            self._reset_registers()

    def transfer(self, out, into):
        """One transaction: an address, then bytes. `into` is None if nobody listens."""
        address = out[0]
        register = address >> 1 & 0x3F
        if not address & 0x80:
            if self.is_plugged:
                for index in range(1, len(out)):
                    self._write(register, out[index])
            return
        into[0] = 0x00
        for index in range(1, len(out)):
            into[index] = self._read(register)
            register = out[index] >> 1 & 0x3F
        self.last_out = into[len(out) - 1]

    def _read(self, register):
        if not self.is_plugged or self.wedge == "ones":
            return 0xFF
        if self.wedge == "zeros":
            return 0x00
        if register == 0x09:
            if not self._fifo:
                return 0
            value = self._fifo[0]
            self._fifo = self._fifo[1:]
            return value
        if register == 0x0A:
            return len(self._fifo)
        if register in (0x04, 0x05):
            self._ripen()
        return self._registers[register]

    def _write(self, register, value):
        is_cure = register == 0x01 and value & 0x0F == 0x0F and self.cure == "soft"
        if self.wedge and not is_cure:
            self._write_wedged(register, value)
        elif register == 0x01:
            self._command(value & 0x0F)
        elif register == 0x09:
            if len(self._fifo) < 64:
                self._fifo.append(value)
        elif register == 0x0A:
            if value & 0x80:
                self._fifo = bytearray()
        elif register in (0x04, 0x05):
            self._mark_interrupts(register, value)
        elif register == 0x0D:
            self._registers[0x0D] = value & 0x7F
            if value & 0x80 and self._registers[0x01] & 0x0F == 0x0C:
                self._transceive()
        elif register == 0x14:
            self._switch_antenna(value)
        elif register not in (0x06, 0x21, 0x22, 0x37):
            self._registers[register] = value

    # --- Inside ---

    def _write_wedged(self, register, value):
        """A stuck chip keeps what it is told but executes nothing; a dead one does not even that."""
        if self.wedge == "stuck" and register in (0x04, 0x05):
            self._mark_interrupts(register, value)
        elif self.wedge == "stuck" and register not in (0x01, 0x0D):
            self._registers[register] = value

    def _reset_registers(self):
        for index in range(64):
            self._registers[index] = 0
        for register, value in ((0x01, 0x20), (0x0E, 0x80), (0x11, 0x3F), (0x14, 0x80), (0x26, 0x48), (0x37, 0)):
            self._registers[register] = value
        self._registers[0x37] = self._version
        self._fifo = bytearray()
        self._due_us = None
        self._due_irq = 0
        self._due_register = 0x04
        self._lose_field()

    def _mark_interrupts(self, register, value):
        if value & 0x80:
            self._registers[register] |= value & 0x7F
        else:
            self._registers[register] &= ~value & 0x7F

    def _ripen(self):
        """Raises the interrupts whose time has come. A hasty clock jumps to that time instead of being asked again."""
        if self._due_us is None:
            return
        if self._clock.is_hasty and self._due_us > self._clock.us:
            self._clock.us = self._due_us
        if self._clock.us - self._due_us >= 0:
            self._registers[self._due_register] |= self._due_irq
            self._due_us = None

    def _raise(self, register, irq, after_us):
        self._due_register, self._due_irq = register, irq
        self._due_us = self._clock.us + int(after_us)

    def _command(self, command):
        self._registers[0x01] = 0x20 | command
        if command == 0x0F:
            self.soft_resets += 1
            self.wedge = None
            self._reset_registers()
        elif command == 0x03:
            crc = crc_a(self._fifo)
            self._registers[0x22], self._registers[0x21] = crc[0], crc[1]
            self._fifo = bytearray()
            self._raise(0x05, 0x04, 20)
        elif command == 0x00:
            self._due_us = None

    def _switch_antenna(self, value):
        was_on = self.is_antenna_on
        self._registers[0x14] = value
        if was_on and not self.is_antenna_on:
            self._lose_field()
        elif self.is_antenna_on and not was_on and self._dice.chance(self.ghost):
            self._ghosts.append(Tag(bytes([self._dice.draw() & 0x7F for _ in range(4)])))

    def _lose_field(self):
        self._ghosts = []
        for tag in self.tags:
            tag.power_off()

    def _transceive(self):
        registers = self._registers
        framing = registers[0x0D]
        last_bits = framing & 7
        frame = bytes(self._fifo)
        self._fifo = bytearray()
        registers[0x06] = 0
        sent_us = len(frame) * 9 * BIT_US
        size, bits, known, collided = 0, 0, 0, 0
        if self.is_antenna_on and frame:
            bits, size, collided = self._superpose(frame, last_bits)
        if not size or self._dice.chance(self.missed):
            reload = registers[0x2C] << 8 | registers[0x2D]
            prescaler = (registers[0x2A] & 0x0F) << 8 | registers[0x2B]
            self._raise(0x04, 0x01, sent_us + reload * (2 * prescaler + 1) / 13.56)
            return
        if self._dice.chance(self.garbled):
            bits ^= 1 << self._dice.draw() % size
            registers[0x06] |= 0x02 if self._dice.draw() & 1 else 0x03
        known = 40 - size if size not in (16, 24) else 0
        if collided:
            self._collide(collided, known)
            bits &= (collided & -collided) - 1
        align = framing >> 4 & 7
        self._fifo = bytearray((bits << align).to_bytes((size + align + 7) // 8, "little"))
        self._raise(0x04, 0x20, sent_us + FRAME_DELAY_US + size * 9 / 8 * BIT_US)

    def _superpose(self, frame, last_bits):
        """All tags answer at once. Gives the bits, how many, and a mask of those that collided."""
        bits = size = collided = 0
        for tag in self.tags + self._ghosts:
            answer = tag.hear(frame, last_bits)
            if answer is None:
                continue
            if size:
                collided |= bits ^ answer[0]
            bits |= answer[0]
            size = max(size, answer[1])
        return bits, size, collided

    def _collide(self, collided, known):
        position = known + 1
        while not collided & 1:
            collided >>= 1
            position += 1
        self._registers[0x06] |= 0x08
        self._registers[0x0E] = position & 0x1F if position <= 32 else 0x20


class World:
    """A board's surroundings: chips by the number of their chip-select pin. `board/machine.py` drives it."""

    def __init__(self, clock, transaction_us=60, us_per_byte=4):
        self.clock = clock
        self.selected = set()
        self.transaction_us = transaction_us  # what MicroPython needs around a transaction
        self.us_per_byte = us_per_byte
        self.chips = {}
        self.resets = {}  # RST pin: chips on it
        self.enables = {}  # chip-select pin: the pin that opens its buffer
        self.unbuffered = {}  # MISO pin: chips on it that do not let go
        self.miso = {}  # chip-select pin: MISO pin
        self.levels = {}
        self.spi_pins = set()  # MISO pins that are connected to the SPI
        self.transactions = 0
        self.bytes = 0
        self.feeds = 0
        self.when_fed = None
        self.is_reset = False
        self.antennas = 0  # the most that were ever on together
        self._dice = Dice(99)

    def add(self, select, chip, miso=16, reset=None, is_buffered=True, enable=None):
        self.chips[select] = chip
        self.miso[select] = miso
        self.levels[select] = 1
        if reset is not None:
            self.resets.setdefault(reset, []).append(chip)
        if not is_buffered:
            self.unbuffered.setdefault(miso, []).append(chip)
        if enable is not None:
            self.enables[select] = enable
        return chip

    def set_pin(self, number, level):
        if number in self.resets and self.levels.get(number, 1) != level:
            for chip in self.resets[number]:
                chip.reset_pin(level)
        self.levels[number] = level
        if number in self.chips:
            if level:
                self.selected.discard(number)
            else:
                self.selected.add(number)

    def transfer(self, out, into):
        self.transactions += 1
        self.bytes += len(out)
        self.clock.spend(self.transaction_us + len(out) * self.us_per_byte)
        if not self.selected and into is not None:
            for index in range(len(into)):
                into[index] = 0xFF  # nobody drives the wire, and a resistor pulls it up
        for number in self.selected:
            self._transfer_one(number, out, into)

    def _transfer_one(self, number, out, into):
        chip = self.chips[number]
        chip.transfer(out, into)
        if out[0] == 0x28:  # TxControl: somebody switched an antenna
            self.antennas = max(self.antennas, sum([1 for each in self.chips.values() if each.is_antenna_on]))
        if into is None:
            return
        if self.miso[number] not in self.spi_pins or self.levels.get(self.enables.get(number), 0):
            for index in range(len(into)):
                into[index] = 0xFF
            return
        if self.unbuffered:
            self._disturb(chip, self.unbuffered.get(self.miso[number], ()), into)

    def _disturb(self, chip, neighbours, into):
        others = [each for each in neighbours if each is not chip and each.is_plugged]
        if len(others) > 1:
            for index in range(1, len(into)):
                if self._dice.chance(0.05 * (len(others) - 1)):
                    into[index] &= others[self._dice.draw() % len(others)].last_out
