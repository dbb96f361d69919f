"""Writes the drawings next to itself: `python -m hardware.wiring.draw`, from the top of the repository.

They are made from the firmware's configuration, the Pi's pins and the measures of the printed parts, so a changed pin
or pitch changes its drawing. A test compares.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from hardware.wiring import layout
from hardware.wiring.readers import reader_board
from hardware.wiring.seats import seats_drawing
from hardware.wiring.svg import Drawing

HERE = Path(__file__).parent
FIRMWARE_CONFIG = HERE.parents[1] / "firmware" / "config.json"
TRAY_CONFIG = HERE / "tray.json"
PI_PINS = HERE / "pi.toml"

BUFFER_NOTE = "U1 and U2: pin 14 to 3.3V, pin 7 to GND, 100 nF between the two, right at the chip."
COMMON_NOTES = (
    "SDA on a reader is its chip-select. It also enables its gate: the selected one speaks, all others are cut off.",
    "Everything runs on 3.3 V. The 5 V of the Pico's VBUS would destroy the readers. IRQ stays free.",
)


def read_json(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text("utf-8"))


def drawings() -> dict[str, Drawing]:
    rail = "The tiki rail, as firmware/config.json has it."
    tray = "As hardware/wiring/tray.json has it: the first five wires of the rail."
    spare = "The three gates of U2 left over: pins 5, 9 and 12 to GND, pins 4, 10 and 13 to 3.3V."
    return {
        "eight-readers.svg": reader_board(
            read_json(FIRMWARE_CONFIG), "A Pico with eight readers", rail, (BUFFER_NOTE, *COMMON_NOTES)
        ),
        "tray.svg": reader_board(
            read_json(TRAY_CONFIG), "A card tray with five readers", tray, (BUFFER_NOTE, spare, *COMMON_NOTES)
        ),
        "seats.svg": seats_drawing(tomllib.loads(PI_PINS.read_text("utf-8"))),
        "places.svg": layout.places_drawing(),
        "camera-arm.svg": layout.arm_drawing(),
        "table.svg": layout.table_drawing(),
    }


def main() -> None:
    for name, drawing in drawings().items():
        (HERE / name).write_text(drawing.content(), "utf-8")


if __name__ == "__main__":
    main()
