"""An emulated Pico (rp2040py) with eight modelled readers on its SPI, for `rp2040py micropython --board-spec`.

The chips are those of chip_model.py, which is plain enough for both Pythons; their clock is the emulator's.
"""

import sys
from pathlib import Path

from rp2040py.boards import BoardSpec, FlashLayout
from rp2040py.external.bootsel_button import BootselButton
from rp2040py.external.led_mock import LEDMock

sys.path.insert(0, str(Path(__file__).parents[2] / "firmware" / "modelled"))
from chip_model import Chip

SELECTS = range(2, 10)  # as in firmware/config.json
TAGS = {index: f"04A1B2C3D4E58{index}" for index in range(8)}
TAGS[3], TAGS[7] = "1A2B3C4D", "08112233445566778899"


class EmulatorClock:
    is_hasty = False

    def __init__(self, rp2040):
        self._clock = rp2040.clock

    @property
    def us(self):
        return self._clock.nanos / 1000


class Readers:
    """Listens to the chip-selects and answers the SPI byte by byte."""

    def attach(self, rp2040):
        clock = EmulatorClock(rp2040)
        self._chips = {select: Chip(clock, seed=select) for select in SELECTS}
        for index, uid in TAGS.items():
            self._chips[SELECTS[index]].lay(bytes.fromhex(uid))
        self._selected = None
        self._address = None
        self._spi = rp2040.spi[0]
        self._spi.on_transmit = self._byte
        for select in SELECTS:
            rp2040.gpio[select].add_listener(lambda state, *_, select=select: self._select(select, state))

    def _select(self, select, state):
        if state == 0:
            self._selected, self._address = self._chips[select], None
        elif self._selected is self._chips[select]:
            self._selected = None

    def _byte(self, value):
        chip, answer = self._selected, 0xFF
        if chip is not None and self._address is None:
            self._address = value
        elif chip is not None and self._address & 0x80:
            answer = chip._read(self._address >> 1 & 0x3F)
            self._address = value | 0x80
        elif chip is not None:
            chip._write(self._address >> 1 & 0x3F, value)
        self._spi.complete_transmit(answer)


BOARD = BoardSpec(
    extras=(lambda: LEDMock(gpio=25), BootselButton, Readers),
    layout=FlashLayout(fs_start=0xA0000, fs_blockcount=352, fs_blocksize=4096),
)
