"""The reader boards: a Pico, its buffers and its readers, drawn from the very configuration that the firmware loads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hardware.wiring.svg import INK, PAPER, SOFT, Drawing

# The Pico's pins by GPIO number.
PICO_PIN = {
    0: 1, 1: 2, 2: 4, 3: 5, 4: 6, 5: 7, 6: 9, 7: 10, 8: 11, 9: 12, 10: 14, 11: 15, 12: 16, 13: 17, 14: 19, 15: 20,
    16: 21, 17: 22, 18: 24, 19: 25, 20: 26, 21: 27, 22: 29, 26: 31, 27: 32, 28: 34,
}  # fmt: skip
PICO_3V3 = 36
PICO_GND = 38
# Enable, input and output of the four gates of a 74HC125.
GATES = ((1, 2, 3), (4, 5, 6), (10, 9, 8), (13, 12, 11))
# The reader board's pins in the order in which they are printed on it.
READER_PINS = ("SDA", "SCK", "MOSI", "MISO", "IRQ", "GND", "RST", "3.3V")

COLOUR = {
    "3.3V": "#c0392b", "GND": "#1d2733", "SCK": "#b9770e", "MOSI": "#1e8449", "RST": "#7d3c98", "MISO": "#2471a3",
    "SDA": "#6e4b2a",
}  # fmt: skip
BUS_X = {"3.3V": 128.0, "GND": 134.0, "SCK": 140.0, "MOSI": 146.0, "RST": 152.0}

TOP, ROW, PIN_STEP = 37.0, 25.0, 2.5
PICO_LEFT, PICO_RIGHT = 10.0, 48.0
MISO_X, PULL_X, GATE_X, READER_X = 58.0, 70.0, 96.0, 164.0


def reader_board(config: Mapping[str, Any], title: str, under: str, notes: Sequence[str]) -> Drawing:
    """All on one upright A4 page, or the upper part of one. Only boards with a buffer on each chip-select are drawn."""
    readers = config["readers"]
    if any(reader.get("buffer") != "select" for reader in readers):
        raise ValueError("This drawing shows buffers enabled by the chip-selects, and a reader has none.")
    foot = TOP + ROW * (len(readers) - 1) + 22
    page = Drawing(210, min(297, foot + 50 + 4.6 * len(notes)), title)
    page.heading(title, under)
    _draw_pico(page, config, foot)
    _draw_chips(page, len(readers))
    for number, reader in enumerate(readers):
        _draw_row(page, number, reader)
    _draw_shared(page, config, foot)
    page.lines_of_text(10, foot + 42, notes)
    return page


def _row_y(number: int) -> float:
    return TOP + ROW * number


def _draw_pico(page: Drawing, config: Mapping[str, Any], foot: float) -> None:
    page.box(PICO_LEFT, TOP - 12, PICO_RIGHT - PICO_LEFT, foot + 34 - TOP + 12, "#e6f2ea")
    page.text(PICO_LEFT + 3, TOP - 6, "Raspberry Pi Pico", 3.2, bold=True)
    page.text(PICO_LEFT + 3, TOP + 6, f"node “{config['node']}”", 2.8, colour=SOFT)
    page.text(PICO_LEFT + 3, TOP + 10.5, "USB to the Pi", 2.8, colour=SOFT)


def _pico_pin(page: Drawing, y: float, name: str, pin: int) -> None:
    page.text(PICO_RIGHT - 1.5, y + 1, f"{name} · pin {pin}", 2.8, "end")
    page.circle(PICO_RIGHT, y, 0.8, PAPER)


def _draw_chips(page: Drawing, count: int) -> None:
    for chip in range((count + 3) // 4):
        last = min(count, 4 * chip + 4) - 1
        top, bottom = _row_y(4 * chip) - 9, _row_y(last) + 14
        page.box(GATE_X - 10, top, 34, bottom - top, "#fbfaf3", SOFT, 0.3, dash="1.6 1.2")
        page.text(GATE_X - 8, top + 4.4, f"U{chip + 1}  74HC125", 2.9, bold=True)


def _draw_row(page: Drawing, number: int, reader: Mapping[str, Any]) -> None:
    y = _row_y(number)
    enable, source, result = GATES[number % 4]
    gate_y = y + 3 * PIN_STEP
    brown, blue = COLOUR["SDA"], COLOUR["MISO"]
    _pico_pin(page, y, f"GP{reader['select']}", PICO_PIN[reader["select"]])
    page.line([(PICO_RIGHT, y), (READER_X, y)], brown)
    page.resistor((PULL_X, y), (PULL_X, y - 8), brown)
    page.dot(PULL_X, y, brown)
    page.supply(PULL_X, y - 8, "3.3V", COLOUR["3.3V"])
    page.text(PULL_X + 1.8, y - 3.2, "10 kΩ", 2.3)
    middle = GATE_X + 6
    page.dot(middle, y, brown)
    page.line([(middle, y), (middle, gate_y - 3.4)], brown)
    page.circle(middle, gate_y - 2.9, 0.7, PAPER)
    page.shape([(GATE_X + 12, gate_y - 4.6), (GATE_X + 12, gate_y + 4.6), (GATE_X, gate_y)], PAPER)
    page.line([(GATE_X + 12, gate_y), (READER_X, gate_y)], blue)
    page.line([(GATE_X, gate_y), (MISO_X, gate_y)], blue)
    page.dot(MISO_X, gate_y, blue)
    page.text(middle + 1.4, y + 3, str(enable), 2.3, colour=SOFT)
    page.text(GATE_X + 14, gate_y - 0.9, str(source), 2.3, colour=SOFT)
    page.text(GATE_X - 2, gate_y - 0.9, str(result), 2.3, "end", SOFT)
    _draw_reader(page, y, reader["reader"])


def _draw_reader(page: Drawing, y: float, name: str) -> None:
    page.box(READER_X, y - 3, 38, 8 * PIN_STEP + 3, "#e8eef7")
    page.text(READER_X + 36, y + 3, name, 3.2, "end", bold=True)
    page.text(READER_X + 36, y + 7.4, "MFRC522", 2.6, "end", SOFT)
    for side in range(4):  # its antenna
        page.box(READER_X + 21 + side, y + 8.8 + side, 14 - 2 * side, 9 - 2 * side, "none", SOFT, 0.2, radius=1.2)
    for index, pin in enumerate(READER_PINS):
        pin_y = y + index * PIN_STEP
        page.text(READER_X + 1.6, pin_y + 0.95, pin, 2.5, colour=SOFT if pin == "IRQ" else INK)
        page.circle(READER_X, pin_y, 0.6, PAPER, width=0.3)
        if pin in BUS_X:
            page.line([(BUS_X[pin], pin_y), (READER_X - 0.6, pin_y)], COLOUR[pin])
            page.dot(BUS_X[pin], pin_y, COLOUR[pin])


def _draw_shared(page: Drawing, config: Mapping[str, Any], foot: float) -> None:
    spi = config["spi"]
    reset = config["readers"][0]["reset"]
    first = foot + 2
    blue, red = COLOUR["MISO"], COLOUR["3.3V"]
    _pico_pin(page, first, f"GP{spi['miso']}", PICO_PIN[spi["miso"]])
    page.line([(PICO_RIGHT, first), (MISO_X, first), (MISO_X, TOP + 3 * PIN_STEP)], blue)
    page.text(MISO_X + 1.6, first - 1.2, "MISO", 2.6, colour=blue)
    wires = (
        ("3.3V", "3V3", PICO_3V3), ("GND", "GND", PICO_GND), ("SCK", f"GP{spi['sck']}", PICO_PIN[spi["sck"]]),
        ("MOSI", f"GP{spi['mosi']}", PICO_PIN[spi["mosi"]]), ("RST", f"GP{reset}", PICO_PIN[reset]),
    )  # fmt: skip
    for index, (name, label, pin) in enumerate(wires):
        y = first + 7 + 5.6 * index
        _pico_pin(page, y, label, pin)
        page.line(
            [(PICO_RIGHT, y), (BUS_X[name], y), (BUS_X[name], TOP + READER_PINS.index(name) * PIN_STEP)], COLOUR[name]
        )
        page.text(BUS_X["3.3V"] - 22, y - 0.9, name, 2.6, colour=COLOUR[name])
        if name in ("SCK", "MOSI"):
            page.resistor((62, y), (72, y), COLOUR[name])
            page.text(70.5, y - 0.9, "47 Ω", 2.3)
    page.resistor((MISO_X, first), (MISO_X, first + 7), blue)
    page.dot(MISO_X, first + 7, red)
    page.text(MISO_X + 1.8, first + 4.2, "10 kΩ", 2.3)
    x = 86.0
    for half, y in ((-0.5, first + 7), (0.5, first + 12.6)):
        page.dot(x, y, red if half < 0 else INK)
        page.line([(x, y), (x, first + 9.8 + half)], INK)
        page.line([(x - 2.2, first + 9.8 + half), (x + 2.2, first + 9.8 + half)], INK, 0.6)
    page.text(x + 3, first + 11, "100 µF", 2.3)
