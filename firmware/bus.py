"""The SPI bus: up to eight readers by chip-select, and the self-test that finds those that disturb each other.

An MFRC522 does not let go of MISO when it is deselected. Two on a wire work, more need help: a tri-state buffer per
reader (its enable on the chip-select or on a pin of its own), or a MISO pin for each pair of readers.
"""

from micropython import const

_ROUNDS = const(4)
_NOBODY = {0x00, 0xFF}


class Line:
    """A reader's place on the bus. Only one line may be selected at a time, which holds as nothing here yields.

    These few lines run 800 times in a round: a pin is called rather than told its `value`.
    """

    def __init__(self, spi, select):
        self._spi = spi
        self._select = select
        select.value(1)

    def write(self, out):
        self._select(0)
        self._spi.write(out)
        self._select(1)

    def exchange(self, out, into):
        self._select(0)
        self._spi.write_readinto(out, into)
        self._select(1)

    def exchange_unselected(self, out, into):
        """Clocks the bus with nobody selected. What comes back should not move."""
        self._spi.write_readinto(out, into)


class BufferedLine(Line):
    """A line whose tri-state buffer has an enable pin of its own, active low."""

    def __init__(self, spi, select, enable):
        super().__init__(spi, select)
        self._enable = enable
        enable.value(1)

    def write(self, out):
        self._enable(0)
        Line.write(self, out)
        self._enable(1)

    def exchange(self, out, into):
        self._enable(0)
        Line.exchange(self, out, into)
        self._enable(1)


class OwnMisoLine(Line):
    """A line with another MISO pin than its neighbours: the pin is given to the SPI for the transfer only.

    `attach` and `detach` are callables, since switching a pin's function is the board's business.
    """

    def __init__(self, spi, select, attach, detach):
        super().__init__(spi, select)
        self._attach = attach
        self._detach = detach
        detach()

    def exchange(self, out, into):
        self._attach()
        Line.exchange(self, out, into)
        self._detach()

    def exchange_unselected(self, out, into):
        self._attach()
        Line.exchange_unselected(self, out, into)
        self._detach()


def check(readers, lines):
    """The self-test. Gives a list of (reader's name or None for the bus, whether it is fine, a sentence).

    `lines` maps the names of the readers on SPI to (line, name of their MISO wire). Every reader has to be started
    again afterwards.
    """
    findings = []
    answering = []
    for reader in readers:
        versions = _versions(reader.chip)
        findings.append(_check_chip(reader, versions))
        if reader.name in lines and not versions <= _NOBODY:
            answering.append(reader)
    for wire in sorted({lines[reader.name][1] for reader in answering}):
        findings.append(_check_wire(wire, [reader for reader in answering if lines[reader.name][1] == wire], lines))
    for reader in readers:
        reader.restart()
    return findings


def _versions(chip):
    """What the chip gives as its version, asked several times."""
    chip.begin()
    versions = set()
    for _ in range(4 * _ROUNDS):
        chip.is_alive()
        versions.add(chip.version)
    return versions


def _check_chip(reader, versions):
    chip = reader.chip
    if len(versions) > 1:
        text = "Reader '%s' answers now this, now that (%s). Check MISO, ground, and who else is on the wire."
        return reader.name, False, text % (reader.name, ", ".join(["0x%02X" % version for version in sorted(versions)]))
    if chip.begin():
        return reader.name, True, "%s, version 0x%02X" % (chip.name, chip.version)
    if versions <= _NOBODY:
        text = "Reader '%s' does not answer (0x%02X). Check 3.3 V, ground, SDA/chip-select and MISO."
    else:
        text = "Reader '%s' answers 0x%02X but does not keep what is written. Check MOSI, SCK and the supply."
    return reader.name, False, text % (reader.name, chip.version)


def _check_wire(wire, readers, lines):
    """Each chip is given another number; each must still hold it, and nobody may speak unasked."""
    wrong = []
    for round_number in range(_ROUNDS):
        for index, reader in enumerate(readers):
            reader.chip.write_scratch(_pattern(index, round_number))
        for index, reader in enumerate(readers):
            is_wrong = reader.chip.read_scratch() != _pattern(index, round_number)
            if is_wrong and reader.name not in wrong:
                wrong.append(reader.name)
    names = ", ".join([reader.name for reader in readers])
    if wrong or not _is_quiet(lines[readers[0].name][0]):
        text = (
            "Readers %s share MISO %s and disturb each other (wrong: %s). "
            "Give each a tri-state buffer, or no more than two to a MISO pin."
        )
        return None, False, text % (names, wire, ", ".join(wrong) or "none, but the idle wire moves")
    return None, True, "MISO %s is clean with %s" % (wire, names)


def _pattern(index, round_number):
    return (0x55 if (index + round_number) % 2 else 0xAA) ^ index


def _is_quiet(line):
    out = bytearray(4)
    into = bytearray(4)
    for _ in range(_ROUNDS):
        line.exchange_unselected(out, into)
        for byte in into:
            if byte != into[0] or byte not in (0x00, 0xFF):
                return False
    return True
