"""The drawings: made from the data that the firmware and the table file use, and fit to be read on paper."""

import json
import tomllib
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from companion.devices.kits import kit_text
from companion.devices.table_file import parse_table
from companion.games.makabana.board import load_board
from firmware import settings
from hardware.wiring import draw, layout, readers, seats
from vision.sheets.cards import CARD_MM, NFC_MM
from vision.sheets.geometry import MARGIN_MM, SHEET_MM, sheet_geometry

WIRING = Path(draw.__file__).parent
NAMES = sorted(draw.drawings())
SVG = "{http://www.w3.org/2000/svg}"
A4 = (210, 297)


def config(name: str) -> dict:
    return draw.read_json(WIRING / name)


def texts_of(name: str) -> list[str]:
    return [element.text or "" for element in ElementTree.parse(WIRING / name).iter(f"{SVG}text")]


def boxes_of(name: str) -> list[tuple[str, float, float, float, float]]:
    """Every level line of text with left, top, right and bottom, by the usual width of a letter."""
    boxes = []
    for element in ElementTree.parse(WIRING / name).iter(f"{SVG}text"):
        if element.get("transform"):
            continue
        size, x, y = (float(element.get(key, "0")) for key in ("font-size", "x", "y"))
        width = 0.58 * size * len(element.text or "")
        left = x - {"start": 0, "middle": width / 2, "end": width}[element.get("text-anchor", "start")]
        boxes.append((element.text or "", left, y - 0.72 * size, left + width, y + 0.02 * size))
    return boxes


@pytest.mark.parametrize("name", NAMES)
def test_drawing_is_the_one_the_data_make(name: str) -> None:
    made = draw.drawings()[name].content()
    assert (WIRING / name).read_text("utf-8") == made, "run: python -m hardware.wiring.draw"


@pytest.mark.parametrize("name", NAMES)
def test_drawing_is_svg_that_fits_on_a4(name: str) -> None:
    root = ElementTree.parse(WIRING / name).getroot()
    assert root.tag == f"{SVG}svg"
    width, height = (float(root.get(side, "").removesuffix("mm")) for side in ("width", "height"))
    assert min(width, height) <= A4[0]
    assert max(width, height) <= A4[1]
    assert root.get("viewBox") == f"0 0 {width:g} {height:g}"


@pytest.mark.parametrize("name", NAMES)
def test_no_text_runs_off_the_page_or_into_another(name: str) -> None:
    page = draw.drawings()[name]
    boxes = boxes_of(name)
    for text, left, top, right, bottom in boxes:
        assert left >= 3, text
        assert right <= page.width - 3, text
        assert top >= 3, text
        assert bottom <= page.height - 3, text
    for one, other in combinations(boxes, 2):
        is_apart = one[3] <= other[1] or other[3] <= one[1] or one[4] <= other[2] or other[4] <= one[2]
        assert is_apart, (one[0], other[0])


@pytest.mark.parametrize("name", NAMES)
def test_letters_are_large_enough_for_paper(name: str) -> None:
    sizes = [float(element.get("font-size", "0")) for element in ElementTree.parse(WIRING / name).iter(f"{SVG}text")]
    assert min(sizes) >= 2.3  # 6.5 points


@pytest.mark.parametrize(
    ("drawing", "path"), [("eight-readers.svg", draw.FIRMWARE_CONFIG), ("tray.svg", draw.TRAY_CONFIG)]
)
def test_drawing_names_every_pin_and_reader_of_the_configuration(drawing: str, path: Path) -> None:
    board = draw.read_json(path)
    pins = {board["spi"][name] for name in ("sck", "mosi", "miso")}
    for reader in board["readers"]:
        pins |= {reader["select"], reader["reset"]}
    texts = texts_of(drawing)
    for pin in pins:
        assert f"GP{pin} · pin {readers.PICO_PIN[pin]}" in texts
    for reader in board["readers"]:
        assert reader["reader"] in texts


def test_pins_of_the_pico_are_those_of_its_data_sheet() -> None:
    grounds = {3, 8, 13, 18, 23, 28, 33, 38}
    assert (readers.PICO_PIN[0], readers.PICO_PIN[15], readers.PICO_PIN[16], readers.PICO_PIN[28]) == (1, 20, 21, 34)
    assert len(set(readers.PICO_PIN.values())) == len(readers.PICO_PIN) == 26
    assert not grounds & set(readers.PICO_PIN.values())
    assert readers.PICO_GND in grounds


@pytest.mark.parametrize("name", ["tray.json", "tray-without-buffers.json"])
def test_the_firmware_accepts_the_tray(name: str) -> None:
    assert settings.problems_of(config(name)) == []


def test_a_tray_is_wired_like_the_first_five_readers_of_the_rail() -> None:
    rail, tray = draw.read_json(draw.FIRMWARE_CONFIG), config("tray.json")
    assert tray["readers"] == rail["readers"][:5]
    assert {key: tray[key] for key in ("spi", "poll")} == {key: rail[key] for key in ("spi", "poll")}


def test_a_board_without_buffers_is_not_drawn_as_if_it_had_some() -> None:
    with pytest.raises(ValueError, match="a reader has none"):
        readers.reader_board(config("tray-without-buffers.json"), "", "", ())


def test_pi_pins_are_those_of_a_fresh_table_file() -> None:
    pins = tomllib.loads(draw.PI_PINS.read_text("utf-8"))
    names = [f"seat{letter}" for letter in "abcde"]
    table = parse_table(kit_text("phones-camera", "table", ["maka-bana"], names, []).encode())
    assert (pins["buzzer"], pins["status"]) == (table.buzzer, table.status_lamp)
    for seat, name in zip(pins["seat"], names, strict=False):
        assert (seat["button"], tuple(seat["lamp"])) == (table.seats[name].button, table.seats[name].lamp)


def test_every_pi_pin_is_used_once_and_drawn() -> None:
    pins = tomllib.loads(draw.PI_PINS.read_text("utf-8"))
    assert len(pins["seat"]) == 6
    assert sorted(seats.uses(pins)) == list(range(2, 28))
    for gpio, use in seats.uses(pins).items():
        assert f"GPIO{gpio} · {use}" in texts_of("seats.svg")


def test_header_of_the_pi_has_its_known_corners() -> None:
    assert len(seats.HEADER) == 40
    assert [seats.HEADER[pin - 1] for pin in (1, 2, 3, 8, 39, 40)] == ["3.3V", "5V", 2, 14, "GND", 21]
    assert seats.HEADER.count("GND") == 8


def test_rail_is_a_valid_part_of_a_table_file() -> None:
    rail = (WIRING / "tiki-rail.toml").read_text("utf-8")
    table = parse_table(
        ('table = "table"\n' + rail).encode(), {f"club:{beach}" for beach in load_board("maka-bana").clubs}
    )
    [node] = table.nodes
    wired = [reader["reader"] for reader in json.loads(draw.FIRMWARE_CONFIG.read_text("utf-8"))["readers"]]
    assert node.name == draw.read_json(draw.FIRMWARE_CONFIG)["node"]
    assert set(node.readers) <= set(wired)
    assert list(node.readers.values()).count("desk") == 6


# --- Distances ---


def free_clubs(board: str, free_mm: float) -> list[tuple[str, float]]:
    """Club places with no other place nearer than this, and the distance to the next."""
    sheet = sheet_geometry(load_board(board))
    places = {**sheet.sites_mm, **{f"club:{beach}": point for beach, point in sheet.clubs_mm.items()}}
    found = []
    for beach, (x, y) in sorted(sheet.clubs_mm.items()):
        away = [((x - u) ** 2 + (y - v) ** 2) ** 0.5 for name, (u, v) in places.items() if name != f"club:{beach}"]
        if min(away) >= free_mm:
            found.append((beach, min(away)))
    return found


@pytest.mark.parametrize("board", ["maka-bana", "noka", "nadaa"])
def test_readme_tells_the_distances_on_the_boards(board: str) -> None:
    sheet = sheet_geometry(load_board(board))
    points = list(sheet.sites_mm.values())
    nearest = min(((a - c) ** 2 + (b - d) ** 2) ** 0.5 for (a, b), (c, d) in combinations(points, 2))
    clubs = ", ".join(f"{beach} {away:.0f}" for beach, away in free_clubs(board, 41))
    row = f"| {board} | {len(points) + len(sheet.clubs_mm)} | {nearest:.0f} mm | {clubs} |"
    assert row in (WIRING.parent / "README.md").read_text("utf-8")


def test_tray_holds_the_cards_that_we_print() -> None:
    tray = layout.measures("tray.scad")
    assert (tray["card_width"], tray["card_length"], tray["sticker"]) == (*CARD_MM, NFC_MM)
    assert tray["places_left"] + tray["places_right"] == 5


def test_rail_is_as_long_as_the_sheet_is_wide() -> None:
    rail = layout.measures("tiki_rail.scad")
    assert 2 * rail["homes"] * rail["home_pitch"] == SHEET_MM[0] == layout.SHEET[0]
    assert layout.SHEET == SHEET_MM


def test_instructions_give_the_width_of_the_printed_frame() -> None:
    text = (WIRING.parent / "assembly.md").read_text("utf-8")
    assert f"it is {SHEET_MM[0] - 2 * MARGIN_MM:.0f} mm" in text


def test_camera_stands_where_the_readme_says_and_sees_board_and_rail() -> None:
    inward, height = layout.camera_place(layout.measures("camera_arm.scad"))
    text = (WIRING.parent / "README.md").read_text("utf-8")
    assert f"from {height / 10:.0f} cm, {inward / 10:.0f} cm in from the table's edge" in text
    rail_mm = 90  # its depth and the gap to the board
    assert layout.seen(height, 1) / 2 >= SHEET_MM[1] / 2 + rail_mm
    assert layout.seen(height, 0) >= SHEET_MM[0]
