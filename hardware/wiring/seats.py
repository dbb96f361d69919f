"""The Pi's own wires: a button and a lamp for each seat, a buzzer and a status lamp."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hardware.wiring.svg import INK, PAPER, SOFT, Drawing

# The 40 pins of the Pi's header in order: a GPIO number, or what else it is.
HEADER: tuple[int | str, ...] = (
    "3.3V", "5V", 2, "5V", 3, "GND", 4, 14, "GND", 15, 17, 18, 27, "GND", 22, 23, "3.3V", 24, 10, "GND",
    9, 25, 11, 8, "GND", 7, "ID", "ID", 5, "GND", 6, 12, 13, "GND", 19, 16, 26, 20, "GND", 21,
)  # fmt: skip
LAMP = ("red", "green", "blue")
LAMP_COLOUR = {"red": "#c0392b", "green": "#1e8449", "blue": "#2471a3"}
RESISTOR = {"red": "470 Ω", "green": "220 Ω", "blue": "220 Ω"}
BUTTON_COLOUR = "#6e4b2a"


def uses(pins: Mapping[str, Any]) -> dict[int, str]:
    """What each GPIO is for."""
    named = {pins["buzzer"]: "buzzer", pins["status"]: "status lamp"}
    for number, seat in enumerate(pins["seat"], start=1):
        named[seat["button"]] = f"seat {number} button"
        named |= {gpio: f"seat {number} {colour}" for gpio, colour in zip(seat["lamp"], LAMP, strict=True)}
    return named


def seats_drawing(pins: Mapping[str, Any]) -> Drawing:
    page = Drawing(297, 210, "Buttons, lamps and buzzer on the Pi")
    page.heading(
        "Buttons, lamps and buzzer on the Pi",
        "Left: the Pi's 40 pins. Right: what hangs on them. Every seat is wired like seat 1.",
    )
    _draw_header(page, uses(pins))
    _draw_seat(page, pins["seat"][0], 138, 34)
    _draw_buzzer(page, pins["buzzer"], 138, 128)
    _draw_status(page, pins["status"], 222, 128)
    page.lines_of_text(138, 184, (
        "All resistors sit at the Pi's end of the cable, so a crushed cable cannot harm a pin.",
        "Six lamps in full white draw 34 mA: the pins may give 50 mA together, 16 mA each.",
        "Seat cables up to 2 m. Before plugging in: no wire from 5V to anything but the buzzer.",
    ))  # fmt: skip
    return page


def _draw_header(page: Drawing, named: Mapping[int, str]) -> None:
    left, top, step = 54.0, 28.0, 8.4
    page.box(left, top - 2, 24, 20 * step + 2, "#e6f2ea")
    for index, pin in enumerate(HEADER):
        row, is_right = divmod(index, 2)
        x, y = left + (17.5 if is_right else 6.5), top + 3 + row * step
        page.circle(x, y, 2.9, PAPER)
        page.text(x, y + 0.9, str(index + 1), 2.5, "middle", SOFT)
        label = f"GPIO{pin}" if isinstance(pin, int) else pin
        words = f"{label} · {named[pin]}" if isinstance(pin, int) and pin in named else label
        colour = INK if pin in named else SOFT
        page.text(x + (8.5 if is_right else -8.5), y + 1, words, 2.8, "start" if is_right else "end", colour)
    page.text(left + 12, top + 20 * step + 4, "pin 1 is at the corner of the board", 2.6, "middle", SOFT)


def _draw_seat(page: Drawing, seat: Mapping[str, Any], x: float, y: float) -> None:
    page.text(x, y - 3, "Seat 1", 3.6, bold=True)
    page.box(x + 64, y + 1, 28, 74, "none", SOFT, 0.3, dash="1.6 1.2")
    page.text(x + 78, y + 79, "cable, 5 wires, up to 2 m", 2.6, "middle", SOFT)
    page.box(x + 96, y + 1, 50, 74, "#fbfaf3", SOFT, 0.3)
    page.text(x + 121, y + 79, "box at the seat", 2.6, "middle", SOFT)
    line_y = y + 10
    page.text(x, line_y + 1, f"GPIO{seat['button']}", 2.9)
    page.line([(x + 14, line_y), (x + 112, line_y)], BUTTON_COLOUR)
    page.resistor((x + 34, line_y), (x + 44, line_y), BUTTON_COLOUR)
    page.text(x + 39, line_y - 2.2, "1 kΩ", 2.6, "middle")
    _draw_button(page, x + 112, line_y, x + 138)
    for index, (gpio, colour) in enumerate(zip(seat["lamp"], LAMP, strict=True)):
        line_y = y + 28 + 12 * index
        tint = LAMP_COLOUR[colour]
        page.text(x, line_y + 1, f"GPIO{gpio}", 2.9)
        page.line([(x + 14, line_y), (x + 138, line_y)], tint)
        page.resistor((x + 34, line_y), (x + 44, line_y), tint)
        page.text(x + 39, line_y - 2.2, RESISTOR[colour], 2.6, "middle")
        _draw_led(page, x + 114, line_y, tint)
        page.text(x + 107, line_y - 2.2, colour, 2.6, "middle", tint)
        page.dot(x + 138, line_y)
    ground = y + 68
    page.text(x, ground + 1, "GND", 2.9)
    page.line([(x + 14, ground), (x + 138, ground), (x + 138, y + 10)])
    page.text(x + 121, ground - 2, "common cathode", 2.6, "middle", SOFT)


def _draw_button(page: Drawing, x: float, y: float, ground_x: float) -> None:
    for end in (x, x + 12):
        page.circle(end, y, 0.9, PAPER)
    page.line([(x - 0.4, y - 3), (x + 12.4, y - 3)], INK, 0.6)
    page.line([(x + 6, y - 3), (x + 6, y - 6)], INK, 0.6)
    page.text(x + 8, y - 4.4, "button", 2.6)
    page.line([(x + 12.9, y), (ground_x, y)])
    page.dot(ground_x, y)


def _draw_led(page: Drawing, x: float, y: float, colour: str) -> None:
    """Current flows to the right."""
    page.shape([(x, y - 2.6), (x, y + 2.6), (x + 5, y)], PAPER, colour)
    page.line([(x + 5, y - 2.6), (x + 5, y + 2.6)], colour, 0.6)


def _draw_buzzer(page: Drawing, gpio: int, x: float, y: float) -> None:
    page.text(x, y - 3, "Buzzer", 3.6, bold=True)
    page.text(x, y + 31, f"GPIO{gpio}", 2.9)
    page.line([(x + 14, y + 30), (x + 42, y + 30)])
    page.resistor((x + 20, y + 30), (x + 32, y + 30))
    page.text(x + 26, y + 27.6, "2.2 kΩ", 2.6, "middle")
    page.circle(x + 46, y + 30, 6, PAPER)
    page.line([(x + 42, y + 25.6), (x + 42, y + 34.4)], INK, 0.8)  # NPN: base, collector, emitter
    page.line([(x + 40, y + 30), (x + 42, y + 30)])
    page.line([(x + 42, y + 28), (x + 48, y + 24.4), (x + 48, y + 17)])
    page.line([(x + 42, y + 32), (x + 48, y + 35.6), (x + 48, y + 42)])
    page.shape([(x + 47.4, y + 35.2), (x + 44.8, y + 34.9), (x + 46, y + 33)], INK, INK, 0.1)
    page.ground(x + 48, y + 42)
    page.text(x + 53.5, y + 31, "BC337", 2.6)
    page.box(x + 43, y + 9, 10, 8, PAPER)
    page.text(x + 48, y + 14, "♪", 4, "middle")
    page.line([(x + 48, y + 9), (x + 48, y + 3)])
    page.supply(x + 48, y + 3, "5V", "#c0392b")
    page.line([(x + 48, y + 6), (x + 62, y + 6), (x + 62, y + 20), (x + 48, y + 20)])
    for at in (y + 6, y + 20):
        page.dot(x + 48, at)
    page.shape([(x + 59.4, y + 15.4), (x + 64.6, y + 15.4), (x + 62, y + 10.6)], PAPER)
    page.line([(x + 59.4, y + 10.6), (x + 64.6, y + 10.6)], INK, 0.6)
    page.text(x + 65.6, y + 14, "1N4148", 2.6)


def _draw_status(page: Drawing, gpio: int, x: float, y: float) -> None:
    page.text(x, y - 3, "Status lamp", 3.6, bold=True)
    page.text(x, y + 31, f"GPIO{gpio}", 2.9)
    page.line([(x + 14, y + 30), (x + 56, y + 30), (x + 56, y + 38)])
    page.resistor((x + 20, y + 30), (x + 32, y + 30))
    page.text(x + 26, y + 27.6, "470 Ω", 2.6, "middle")
    _draw_led(page, x + 40, y + 30, INK)
    page.text(x + 43, y + 25.6, "yellow LED", 2.6, "middle")
    page.ground(x + 56, y + 38)
