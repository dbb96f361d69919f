"""The lists of parts, and the tables that are made of them."""

import json
import re
from pathlib import Path

import pytest

from companion.cli import main
from hardware.enclosure.render import parts
from hardware.kits import tables

HARDWARE = Path(__file__).parents[2] / "hardware"
PAGES = (HARDWARE / "README.md", HARDWARE / "assembly.md")
GATES_PER_CHIP = 4


def part_like(kit: str, words: str) -> dict:
    [part] = [part for part in tables.kit(kit)["part"] if words in part["name"]]
    return part


def readers_of(path: str) -> int:
    return len(json.loads((HARDWARE / path).read_text("utf-8"))["readers"])


def test_readme_has_the_tables_that_the_data_make() -> None:
    text = tables.README.read_text("utf-8")
    assert tables.filled(text) == text, "run: python -m hardware.kits.tables"


def test_readme_has_every_table() -> None:
    names = re.findall(r"<!-- table: ([\w-]+) -->", tables.README.read_text("utf-8"))
    assert sorted(names) == sorted(tables.tables())


@pytest.mark.parametrize("kit", tables.KITS)
def test_every_part_has_a_count_a_price_and_a_reason(kit: str) -> None:
    for part in tables.kit(kit)["part"]:
        assert set(part) == {"name", "per", "count", "each_eur", "for", "instead"}, part["name"]
        assert part["per"] in ("table", "seat")
        assert part["count"] > 0
        assert part["each_eur"] > 0
        assert part["name"]
        assert part["for"]


def test_price_counts_each_seat() -> None:
    parts_of_kit = [
        {"per": "table", "count": 2, "each_eur": 1.5},
        {"per": "seat", "count": 5, "each_eur": 2},
        {"per": "seat", "count": 0.5, "each_eur": 20},
    ]
    assert tables.price_eur({"part": parts_of_kit}, "table") == 3
    assert tables.price_eur({"part": parts_of_kit}, "seat") == 20


@pytest.mark.parametrize(("kit", "config"), [("B", "wiring/tray.json"), ("C", "../firmware/config.json")])
def test_a_kit_has_what_its_board_needs(kit: str, config: str) -> None:
    readers = readers_of(config)
    assert part_like(kit, "MFRC522")["count"] == readers
    assert part_like(kit, "74HC125")["count"] == -(-readers // GATES_PER_CHIP)
    assert f"{readers + 1} of 10 kΩ" in part_like(kit, "10 kΩ")["name"]  # one for each select, one for MISO


@pytest.mark.parametrize("kit", ["A", "B", "C"])
def test_the_filament_is_enough(kit: str) -> None:
    grams = sum(part["count"] * part["grams"] for part in parts() if part["kit"].startswith(kit))
    assert grams <= 1000 * part_like(kit, "filament")["count"]


def test_power_at_worst_is_within_every_limit() -> None:
    power = tables.read_toml(HARDWARE / "kits" / "power.toml")
    for board in power["board"]:
        at_3v3, at_usb = tables.board_ma(power, board["readers"], case=1)
        assert at_3v3 <= power["regulator"]["limit_3v3"]
        assert at_usb <= 500
    assert tables.hub_ma(power, case=1) <= 3000


def test_a_board_draws_what_its_readers_and_one_antenna_draw() -> None:
    power = {
        "reader": {"idle": [10, 20], "antenna": [50, 100]},
        "pico": {"serial": [25, 35]},
        "regulator": {"efficiency": 0.66},
    }
    assert tables.board_ma(power, 5, case=0) == (100, 125)
    assert tables.board_ma(power, 8, case=1) == (260, 295)


def test_every_command_in_the_instructions_exists(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    known = set(re.findall(r"^    (\w+)", capsys.readouterr().out, re.MULTILINE))
    named = {verb for page in PAGES for verb in re.findall(r"`makabana (\w+)", page.read_text("utf-8"))}
    assert {"doctor", "flash", "tags", "read", "table"} <= named
    assert named <= known


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_that_a_page_points_at_exists(page: Path) -> None:
    links = [link.split("#")[0] for link in re.findall(r"\]\(([^)]+)\)", page.read_text("utf-8"))]
    assert [link for link in links if link and not (page.parent / link).exists()] == []
