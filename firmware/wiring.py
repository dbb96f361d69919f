"""Builds the readers that a configuration describes. `machine` is passed in: the tests have one of their own."""

import bus
import settings
from mfrc522 import Mfrc522
from presence import Tracker
from reader import Reader


def build(config, machine, clock, known):
    """Gives (readers, lines): the readers in order, and for those on SPI their line and the name of its MISO wire."""
    poll = {name: config.get("poll", {}).get(name, settings.POLL[name][2]) for name in settings.POLL}
    spi = None
    has_own_miso = any("miso" in entry for entry in config["readers"])
    readers = []
    lines = {}
    resets = {}
    for entry in config["readers"]:
        reset = _reset_pin(entry, machine, resets)
        if entry.get("chip", "mfrc522") == "mfrc522":
            spi = spi or _spi(config["spi"], machine)
            miso = entry.get("miso", config["spi"]["miso"])
            line = _line(entry, spi, miso, has_own_miso, machine)
            lines[entry["reader"]] = (line, "GP%d" % miso)
            chip = Mfrc522(line, reset, clock, poll["timeout_ms"], poll["settle_ms"], poll["gain"])
        else:
            chip = _pn532(entry, reset, machine, clock, poll)
        readers.append(Reader(entry["reader"], chip, Tracker(clock, known, poll["removal_ms"]), clock))
    return readers, lines


def _reset_pin(entry, machine, resets):
    number = entry.get("reset")
    if number is None:
        return None
    if number not in resets:
        resets[number] = machine.Pin(number, machine.Pin.OUT, value=1)
    return resets[number]


def _spi(entry, machine):
    return machine.SPI(
        entry.get("id", 0),
        baudrate=entry.get("baudrate", 2000000),
        polarity=0,
        phase=0,
        sck=machine.Pin(entry["sck"]),
        mosi=machine.Pin(entry["mosi"]),
        miso=machine.Pin(entry["miso"]),
    )


def _line(entry, spi, miso, has_own_miso, machine):
    select = machine.Pin(entry["select"], machine.Pin.OUT, value=1)
    if has_own_miso:
        pin = machine.Pin(miso)
        return bus.OwnMisoLine(spi, select, Attach(pin, machine), Detach(pin, machine))
    if isinstance(entry.get("buffer"), int):
        return bus.BufferedLine(spi, select, machine.Pin(entry["buffer"], machine.Pin.OUT, value=1))
    return bus.Line(spi, select)


class Attach:
    """Gives a MISO pin to the SPI. An object rather than a closure, so that calling it allocates nothing."""

    def __init__(self, pin, machine):
        self._pin = pin
        self._mode = machine.Pin.ALT
        self._function = machine.Pin.ALT_SPI

    def __call__(self):
        self._pin.init(self._mode, alt=self._function)


class Detach:
    """Takes it away again. The inputs of several pins would be mixed otherwise."""

    def __init__(self, pin, machine):
        self._pin = pin
        self._mode = machine.Pin.IN

    def __call__(self):
        self._pin.init(self._mode)


def _pn532(entry, reset, machine, clock, poll):
    from pn532 import I2cWire, Pn532, UartWire  # most boards have none, and memory is small

    if entry["chip"] == "pn532-i2c":
        i2c = machine.I2C(entry["i2c"], sda=machine.Pin(entry["sda"]), scl=machine.Pin(entry["scl"]), freq=400000)
        wire = I2cWire(i2c, clock)
    else:
        uart = machine.UART(
            entry["uart"], baudrate=115200, tx=machine.Pin(entry["tx"]), rx=machine.Pin(entry["rx"]), rxbuf=128
        )
        wire = UartWire(uart, clock)
    return Pn532(wire, reset, clock, poll["timeout_ms"], poll["settle_ms"], poll["gain"])
