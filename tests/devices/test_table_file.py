"""The table file: what a good one says, and every mistake by name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices.kits import KITS, kit_text
from companion.devices.table_file import Lamp, Node, SeatPins, parse_table
from companion.devices.texts import catalogue, say
from companion.table.observations import FormatError
from tests.devices.support import problems_of

GOOD = """
table = "salon"
boards = ["maka-bana"]
[[node]]
name = "north"
link = "serial"
[node.readers]
r0 = "Azzura-Lagon-Fleur"
r1 = "club:Azzura"
r2 = "desk"
[[esphome]]
name = "esp"
place = "club:Bikini"
topic = "esp/tag"
status = "esp/status"
[seats.blue]
button = 5
lamp = { red = 6, green = 7, blue = 8 }
[panel]
buzzer = 12
[camera]
source = "picamera2"
[mqtt]
host = "makabana.local"
"""
TRAY = "\n".join(f'r{number} = "tray:blue:{number}"' for number in range(1, 6))


def problems_in(text: str, places: set[str] | None = None) -> list[str]:
    """The codes of all mistakes. Every one must have words in both languages."""
    problems = problems_of(lambda: parse_table(text.encode(), places)) or ()
    assert all(problem.code in catalogue() for problem in problems)
    assert all(say(problem, language) for problem in problems for language in ("en", "fr"))
    return [problem.code for problem in problems]


def test_a_good_file_is_read_whole() -> None:
    table = parse_table(GOOD.encode())
    assert table.nodes == (Node("north", "serial", {"r0": "Azzura-Lagon-Fleur", "r1": "club:Azzura", "r2": "desk"}),)
    assert table.seats == {"blue": SeatPins(5, Lamp(6, 7, 8))}
    assert (table.buzzer, table.status_lamp, table.tags) == (12, None, "tags.json")
    assert table.places == {
        "north/r0": "Azzura-Lagon-Fleur", "north/r1": "club:Azzura", "north/r2": "desk", "esp": "club:Bikini",
    }  # fmt: skip
    assert table.broker is not None
    assert (table.broker.host, table.broker.port) == ("makabana.local", 8883)


def node(readers: str, more: str = "") -> str:
    return f'table = "t"\n[[node]]\nname = "n"\n{more}\n[node.readers]\n{readers}\n'


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("", ["key_missing"]),
        ("table = [", ["toml_broken"]),
        ("a = " + "[" * 5000, ["toml_too_deep"]),
        ("d = 2026-99-99", ["toml_broken"]),
        ('table = "Two words"', ["name_wrong"]),
        ("table = 3", ["name_wrong"]),
        ('table = "t"\ntabel = 1', ["key_unknown"]),
        ('table = "t"\nnode = 3', ["not_a_list"]),
        ('table = "t"\nseats = 3', ["not_a_table"]),
        ('table = "t"\n[[node]]\nname = "n"', ["no_readers"]),
        (node('r0 = "desk"', 'link = "usb"'), ["choice_wrong"]),
        (node('"R 0" = "desk"'), ["reader_name_wrong"]),
        (node('r0 = "Azzura"'), ["place_unreadable"]),
        (node('r0 = "tray:blue:6"'), ["place_unreadable"]),
        (node("r0 = 3"), ["text_wrong"]),
        (node('r0 = "club:A"\nr1 = "club:A"'), ["place_twice"]),
        (node('r0 = "desk"\nr1 = "desk"'), []),
        (node('r0 = "tray:blue:1"'), ["tray_incomplete"]),
        (node(TRAY), []),
        (node('r0 = "desk"') + '[[node]]\nname = "n"\n[node.readers]\nr0 = "desk"', ["name_twice"]),
        (node(TRAY, 'link = "mqtt"'), ["broker_missing"]),
        (node(TRAY, 'link = "mqtt"') + '[mqtt]\nhost = "h"', ["tray_unprotected"]),
        (node(TRAY, 'link = "mqtt"') + '[mqtt]\nhost = "h"\nca = "c"\nuser = "u"\npassword_file = "p"', []),
        (node('r0 = "desk"', 'link = "mqtt"') + '[mqtt]\nhost = "h"', []),
        ('table = "t"\n[seats.Blue]\nbutton = 1', ["seat_name_wrong"]),
        ('table = "t"\n[seats.blue]\nbutton = 28', ["number_wrong"]),
        ('table = "t"\n[seats.blue]\nbutton = true', ["number_wrong"]),
        ('table = "t"\n[seats.blue]\nbutton = 4\nlamp = {red = 4, green = 5, blue = 6}', ["pin_twice"]),
        ('table = "t"\n[seats.blue]\nlamp = {red = 4}', ["lamp_incomplete"]),
        ('table = "t"\n[panel]\nbuzzer = 1\nstatus_lamp = 1', ["pin_twice"]),
        ('table = "t"\n[camera]\nwidth = 1', ["number_wrong", "key_missing"]),
        ('table = "t"\n[mqtt]\nport = 0', ["key_missing", "number_wrong"]),
        ('table = "t"\n[mqtt]\nhost = "h"\n[[esphome]]\nname = "e"\nplace = "desk"\ntopic = "a/#"\nstatus = "s"',
         ["text_wrong"]),
    ],
)  # fmt: skip
def test_each_mistake_is_named(text: str, codes: list[str]) -> None:
    assert problems_in(text) == codes


def test_all_mistakes_are_named_at_once() -> None:
    text = "table = 3\ncolour = 1\n[seats.blue]\nbutton = 99\n" + node('r0 = "x"').replace('table = "t"\n', "")
    assert sorted(problems_in(text)) == ["key_unknown", "name_wrong", "number_wrong", "place_unreadable"]


def test_a_tray_on_esphome_is_refused() -> None:
    assert "tray_on_esphome" in problems_in(GOOD.replace("club:Bikini", "tray:blue:1"))


def test_a_place_that_the_island_has_not_is_named() -> None:
    assert problems_in(GOOD, {"Azzura-Lagon-Fleur", "club:Azzura"}) == ["place_unknown"]


def test_a_conflict_names_both_holders() -> None:
    with pytest.raises(FormatError) as caught:
        parse_table(b'table = "t"\n[seats.blue]\nbutton = 4\n[panel]\nbuzzer = 4')
    assert say(caught.value.problems[0]) == "GPIO 4 is used twice: by seats.blue.button and by panel.buzzer."


@pytest.mark.parametrize("kit", KITS)
def test_every_kit_gives_a_good_file(kit: str) -> None:
    seats = ["violet", "pink", "yellow", "blue", "green", "orange"]
    text = kit_text(kit, "salon", ["maka-bana"], seats, ["club:Azzura", "club:Bikini", "club:Diabolo"])
    table = parse_table(text.encode())
    trays = [place for place in table.places.values() if place.startswith("tray:")]
    assert len(trays) == (0 if kit == "phones-camera" else 30)
    assert len(table.places) - len(trays) == (8 if kit == "tiki-readers" else 0)
    assert list(table.seats) == seats


VALUES = st.sampled_from(
    ["1", "true", '"x"', "[]", "{}", "1.5", "nan", "2026-01-01", '"tray:blue:1"', '["a"]', "[[1]]", "-1", '""', "0x7f"]
)
KEYS = st.sampled_from(
    "table boards tags node seats panel camera mqtt esphome name link readers port button lamp blue host x.y".split()
)
LINES = st.builds("{} = {}".format, KEYS, VALUES) | st.sampled_from(
    ["[node]", "[[node]]", "[node.readers]", "[seats]", "[seats.blue]", "[mqtt]", "[[esphome]]", "[camera]", "[panel]"]
)


@given(st.lists(LINES, max_size=12).map("\n".join))
def test_any_toml_is_a_table_or_named_mistakes(text: str) -> None:
    problems_in(text)


@given(st.binary(max_size=200))
def test_any_bytes_are_a_table_or_named_mistakes(content: bytes) -> None:
    assert problems_of(lambda: parse_table(content)) != ()
