"""Commented table files to start from, one per kit of hardware/README.md. Each kit holds the ones before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.devices.table_file import TRAY_PLACES

KITS = ("phones-camera", "trays", "tiki-readers")
HOMES = 6  # of tikis, in the rail beside the board
READERS_PER_BOARD = 8
# A pin of the Pi's header for the button and three for the lamp, by seat; only the sixth takes those of I2C and serial.
_PINS = (
    (4, (17, 27, 22)),
    (5, (6, 13, 19)),
    (26, (10, 9, 11)),
    (18, (23, 24, 25)),
    (8, (7, 20, 21)),
    (2, (3, 14, 15)),
)

_HEAD = """\
# The table of the Maka Bana companion: what is connected, and where it lies.
# `makabana table check` names every mistake in here; `makabana doctor` tries everything out.

table = "{name}"            # 1 to 24 of a-z, 0-9, - and _; also part of the MQTT topics
boards = [{boards}]   # the islands in play
tags = "tags.json"         # which tag is stuck to which piece; made by `makabana tags enrol`

[camera]
source = "picamera2"       # or a device such as /dev/video0, an http:// address, a folder of pictures
width = 1920
height = 1080
"""

_PANEL = """
# Buttons and lamps on the Pi's pins, by their GPIO numbers. A button goes from its pin to ground.
# Leave out what you have not built.
[panel]
buzzer = 12
status_lamp = 16
"""

_TRAYS = """
# Card trays: one board with five readers per seat, over USB. Cards lie side by side, as stacked tags can't be read.
# What lies in a tray is its player's secret: over MQTT (link = "mqtt") it needs the broker of hardware/mosquitto.
"""

_TIKIS = """
# The tiki rail: a home with a reader for each tiki beside the board (`desk`), and readers under club places that stand
# alone. Any tiki may stand in any home, since it says itself whose it is; where it is placed, the camera sees.
"""

_MQTT = """
# Boards on the air (a Pico W) need a broker; hardware/mosquitto/setup.sh makes all these files.
# [mqtt]
# host = "makabana.local"
# port = 8883
# ca = "ca.crt"
# user = "companion"
# password_file = "mqtt.password"
"""


def kit_text(kit: str, name: str, boards: Sequence[str], seats: Sequence[str], clubs: Sequence[str]) -> str:
    """The table file of a kit for these seats; its spare readers lie under the first of these club places."""
    rung = KITS.index(kit)
    parts = [_HEAD.format(name=name, boards=", ".join(f'"{board}"' for board in boards)), _PANEL, *_seats(seats)]
    if rung >= 1:
        parts += [_TRAYS, *_trays(seats)]
    if rung >= 2:
        parts += [_TIKIS, _node("table", [*["desk"] * HOMES, *clubs][:READERS_PER_BOARD])]
    return "".join((*parts, _MQTT))


def _seats(seats: Sequence[str]) -> Iterator[str]:
    for seat, (button, (red, green, blue)) in zip(seats, _PINS, strict=False):
        yield f"\n[seats.{seat}]\nbutton = {button}\nlamp = {{ red = {red}, green = {green}, blue = {blue} }}\n"


def _trays(seats: Sequence[str]) -> Iterator[str]:
    for seat in seats:
        yield _node(f"tray-{seat}", [f"tray:{seat}:{number}" for number in range(1, TRAY_PLACES + 1)])


def _node(name: str, places: Sequence[str]) -> str:
    lines = [f'place-{number} = "{place}"\n' for number, place in enumerate(places, 1)]
    return f'\n[[node]]\nname = "{name}"\nlink = "serial"\n[node.readers]\n{"".join(lines)}'
