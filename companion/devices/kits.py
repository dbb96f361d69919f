"""Commented table files to start from, one per kit of hardware/README.md. Each kit holds the ones before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.devices.table_file import TRAY_PLACES

KITS = ("phones-camera", "trays", "tiki-readers")
READERS_PER_BOARD = 8
# Two free pins of a Pi's header and three for the lamp, seat by seat; none is used by the camera, I2C or serial.
_PINS = (
    (4, (17, 27, 22)),
    (5, (6, 13, 19)),
    (26, (10, 9, 11)),
    (18, (23, 24, 25)),
    (8, (7, 20, 21)),
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
# Readers under the places where tikis stand: boards of up to eight readers. Name the readers as in their config.json.
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


def kit_text(kit: str, name: str, boards: Sequence[str], seats: Sequence[str], places: Sequence[str]) -> str:
    """The table file of a kit, for these seats, and with readers under these places if the kit has any."""
    rung = KITS.index(kit)
    parts = [_HEAD.format(name=name, boards=", ".join(f'"{board}"' for board in boards)), _PANEL, *_seats(seats)]
    if rung >= 1:
        parts += [_TRAYS, *_trays(seats)]
    if rung >= 2:
        parts += [_TIKIS, *_tikis(places)]
    return "".join((*parts, _MQTT))


def _seats(seats: Sequence[str]) -> Iterator[str]:
    for seat, (button, (red, green, blue)) in zip(seats, _PINS, strict=False):
        yield f"\n[seats.{seat}]\nbutton = {button}\nlamp = {{ red = {red}, green = {green}, blue = {blue} }}\n"


def _trays(seats: Sequence[str]) -> Iterator[str]:
    for seat in seats:
        yield _node(f"tray-{seat}", [f"tray:{seat}:{number}" for number in range(1, TRAY_PLACES + 1)])


def _tikis(places: Sequence[str]) -> Iterator[str]:
    for number, start in enumerate(range(0, len(places), READERS_PER_BOARD), 1):
        yield _node(f"tikis-{number}", places[start : start + READERS_PER_BOARD])


def _node(name: str, places: Sequence[str]) -> str:
    lines = [f'place-{number} = "{place}"\n' for number, place in enumerate(places, 1)]
    return f'\n[[node]]\nname = "{name}"\nlink = "serial"\n[node.readers]\n{"".join(lines)}'
