"""Makes the tables in hardware/README.md from the data: `python -m hardware.kits.tables`, from the repository's top.

A table stands between `<!-- table: NAME -->` and `<!-- end -->`; everything else in the file is left alone.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from hardware.wiring.readers import PICO_3V3, PICO_GND, PICO_PIN
from hardware.wiring.seats import HEADER

HERE = Path(__file__).parent
HARDWARE = HERE.parent
README = HARDWARE / "README.md"
KITS = {"A": "a-camera", "B": "b-trays", "C": "c-tikis", "extra": "seats"}
SEATS = (3, 5, 6)
# What people build: a name, and the kits in it.
BUILDS = (
    ("phones and camera", "A"),
    ("+ tiki readers", "AC"),
    ("+ card trays", "AB"),
    ("+ card trays and tiki readers", "ABC"),
)
_BLOCK = re.compile(r"(<!-- table: ([\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)

Rows = Iterable[Sequence[object]]


def read_toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text("utf-8"))


def kit(name: str) -> dict[str, Any]:
    return read_toml(HERE / f"{KITS[name]}.toml")


def price_eur(kit_data: dict[str, Any], per: str) -> float:
    """What the parts of a kit cost for the table or for each seat."""
    return sum(part["count"] * part["each_eur"] for part in kit_data["part"] if part["per"] == per)


def total_eur(names: str, seats: int) -> float:
    return sum(price_eur(kit(name), "table") + seats * price_eur(kit(name), "seat") for name in names)


def table(head: Sequence[str], rows: Rows) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(str(cell) for cell in line) + " |\n" for line in lines)


def builds_table() -> str:
    head = ["what you build", "kits", *(f"{seats} seats" for seats in SEATS)]
    return table(head, [
        [name, " + ".join(names), *(f"{total_eur(names, seats):.0f} €" for seats in SEATS)] for name, names in BUILDS
    ] + [["extra: seat buttons and lamps", "", *(f"{_extra_eur(seats):.0f} €" for seats in SEATS)]])  # fmt: skip


def _extra_eur(seats: int) -> float:
    extra = kit("extra")
    return price_eur(extra, "table") + seats * price_eur(extra, "seat")


def kit_table(name: str) -> str:
    data = kit(name)
    head = ["part", "how many", "each", "what for", "instead"]
    rows = [
        [
            part["name"],
            f"{part['count']:g} per {part['per']}",
            f"{part['each_eur']:.2f} €",
            part["for"],
            part["instead"],
        ]
        for part in data["part"]
    ]
    sums = [f"{price_eur(data, per):.0f} € per {per}" for per in ("table", "seat") if price_eur(data, per)]
    return f"**{data['title']}.** {data['gives']}\n\n{table(head, rows)}\nTogether {' and '.join(sums)}.\n"


def board_ma(power: dict[str, Any], readers: int, case: int) -> tuple[float, float]:
    """What a board draws with one antenna on: (from its 3V3 pin, from USB). Case 0 is as a rule, case 1 at worst."""
    at_3v3 = readers * power["reader"]["idle"][case] + power["reader"]["antenna"][case]
    at_usb = power["pico"]["serial"][case] + at_3v3 * 3.3 / 5 / power["regulator"]["efficiency"]
    return at_3v3, at_usb


def power_table() -> str:
    power = read_toml(HERE / "power.toml")
    rows: list[Sequence[object]] = [
        ["one reader, antenna off", *_pair(power["reader"]["idle"]), "3.3 V"],
        [
            "one reader, antenna on",
            *_pair([sum(pair) for pair in zip(*power["reader"].values(), strict=True)]),
            "3.3 V",
        ],
    ]
    for board in power["board"]:
        pairs = list(zip(*(board_ma(power, board["readers"], case) for case in (0, 1)), strict=True))
        rows.append(
            [
                f"{board['name']}, one antenna on",
                *_pair(pairs[0]),
                f"3.3 V; the Pico's pin gives {power['regulator']['limit_3v3']}",
            ]
        )
        rows.append(["the same, at its USB plug", *_pair(pairs[1]), "5 V; a port gives 500"])
    rows.append(
        ["six trays and the rail, at the hub", *_pair([hub_ma(power, case) for case in (0, 1)]), "5 V; hub with 3 A"]
    )
    for pi in power["pi"]:
        rows.append([pi["name"], *_pair(pi["draws"]), f"5 V; all its USB ports together give {pi['usb_limit']}"])
    return table(["", "as a rule", "at worst", "at"], rows)


def hub_ma(power: dict[str, Any], case: int) -> float:
    return 6 * board_ma(power, 5, case)[1] + board_ma(power, 8, case)[1]


def _pair(numbers: Sequence[float]) -> list[str]:
    return [f"{number:.0f} mA" for number in numbers]


def pico_table() -> str:
    config = json.loads((HARDWARE.parent / "firmware" / "config.json").read_text("utf-8"))
    spi = config["spi"]
    rows: list[Sequence[object]] = [
        [
            f"GP{reader['select']}",
            PICO_PIN[reader["select"]],
            f"SDA of `{reader['reader']}` and the enable of its buffer",
        ]
        for reader in config["readers"]
    ]
    resets = sorted({reader["reset"] for reader in config["readers"]})
    rows += [
        [f"GP{spi['miso']}", PICO_PIN[spi["miso"]], "MISO: the outputs of all buffers"],
        [f"GP{spi['sck']}", PICO_PIN[spi["sck"]], "SCK of all readers, through 47 Ω"],
        [f"GP{spi['mosi']}", PICO_PIN[spi["mosi"]], "MOSI of all readers, through 47 Ω"],
        *([f"GP{reset}", PICO_PIN[reset], "RST of all readers"] for reset in resets),
        ["3V3(OUT)", PICO_3V3, "3.3 V of readers and buffers"],
        ["GND", PICO_GND, "ground of readers and buffers"],
    ]
    return table(["Pico", "pin", "goes to"], rows)


def pi_table() -> str:
    pins = read_toml(HARDWARE / "wiring" / "pi.toml")
    rows = [
        [f"seat {number}", _gpio(seat["button"]), *map(_gpio, seat["lamp"])]
        for number, seat in enumerate(pins["seat"], start=1)
    ]
    rest = f"Buzzer: {_gpio(pins['buzzer'])}. Status lamp: {_gpio(pins['status'])}.\n"
    return table(["", "button", "lamp red", "green", "blue"], rows) + "\n" + rest


def _gpio(number: int) -> str:
    return f"GPIO{number} (pin {HEADER.index(number) + 1})"


def printed_table() -> str:
    parts = read_toml(HARDWARE / "enclosure" / "parts.toml")["part"]
    rows = [
        [part["kit"], f"`{part['file']}.scad`", f"`{part['part']}`", part["count"], f"{part['grams']} g", part["how"]]
        for part in parts
    ]
    return table(["kit", "file", "part", "how many", "each, at most", "how to lay it"], rows)


def tables() -> dict[str, str]:
    made = {f"kit-{name.lower()}": kit_table(name) for name in KITS}
    return made | {
        "builds": builds_table(), "power": power_table(), "pico-pins": pico_table(), "pi-pins": pi_table(),
        "printed": printed_table(),
    }  # fmt: skip


def filled(text: str) -> str:
    """The README with every table made anew. An unknown table is a KeyError."""
    made = tables()
    return _BLOCK.sub(lambda block: block[1] + made[block[2]] + block[3], text)


def main() -> None:
    README.write_text(filled(README.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
