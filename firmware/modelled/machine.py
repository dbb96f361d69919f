"""MicroPython's `machine` on a modelled board. Whoever runs the firmware sets `world` first."""

world = None
PWRON_RESET = 1
WDT_RESET = 3
mem32 = {}


class Pin:
    IN, OUT, ALT, ALT_SPI = 0, 1, 3, 1

    def __init__(self, number, mode=-1, value=None):
        self.number = number
        if value is not None:
            world.set_pin(number, value)

    def init(self, mode, alt=0):
        if mode == Pin.ALT:
            world.spi_pins.add(self.number)
        else:
            world.spi_pins.discard(self.number)

    def value(self, level):
        world.set_pin(self.number, level)

    def __call__(self, level):
        world.set_pin(self.number, level)


class SPI:
    def __init__(self, number, baudrate, polarity, phase, sck, mosi, miso):
        world.spi_pins.add(miso.number)

    def write(self, out):
        world.transfer(out, None)

    def write_readinto(self, out, into):
        world.transfer(out, into)


class WDT:
    def __init__(self, timeout):
        self.timeout = timeout

    def feed(self):
        world.feeds += 1
        if world.when_fed is not None:
            world.when_fed()


class Restarted(Exception):  # noqa: N818 - it is no error
    """The board would start again now."""


def reset():
    world.is_reset = True
    raise Restarted


def unique_id():
    return b"\xe6\x61\x64\x08\x43\x2a\x1b\x2c"


def reset_cause():
    return PWRON_RESET
