"""Readers, buttons and lamps: what a table file names reaches the table, and the table its lamps."""

from pathlib import Path

import pytest

from companion.devices.clock import ManualClock
from companion.devices.gpio import MOCK
from companion.devices.panel import DARK, LAMP_COLOURS
from companion.devices.table_file import Lamp, SeatPins, TableFile, parse_table
from companion.devices.tags import Register
from companion.house.camera import DirectCamera
from companion.house.lamps import ASKED, lamps_of
from companion.house.sensors import Sensors, camera_of
from companion.house.virtual_readers import VirtualReaders, decks_of
from companion.table.table import Table
from tests.house.support import Evening, act, virtual_for


def ticks(evening: Evening, seconds: float = 0.3) -> None:
    for _ in range(round(seconds / 0.1)):
        evening.clock.advance(0.1)
        evening.running.tick()


def to_planning(table: Table) -> None:
    while table.session.steps == () or table.session.steps[-1].action.verb != "hut" or len(table.session.steps) < 6:
        seat = table.session.actors[0]
        act(table, table.session.game.legal_actions(table.session.state, seat)[0])


def readers_at(evening: Evening, table: Table) -> VirtualReaders:
    readers = VirtualReaders(table, evening.clock, decks_of(table.session.header))
    evening.running.table(table.row.id).add(readers)
    ticks(evening)
    return readers


def test_a_plan_laid_as_cards_and_confirmed_by_the_button_is_the_plan() -> None:
    with Evening(ManualClock()) as evening:
        table = evening.open_table()
        to_planning(table)
        readers = readers_at(evening, table)
        for number, card in enumerate(("Rocher", "Danae", "Fleur"), 1):
            readers.lay_card("pink", number, card)
        ticks(evening)
        assert table.session.steps[-1].action.verb == "hut"
        readers.press("pink")
        ticks(evening)
        assert table.session.steps[-1].action.text == "pink plan Danae Rocher Fleur show Rocher"
        assert table.session.steps[-1].by == "tray"


def test_a_plan_that_lies_still_counts_without_the_button() -> None:
    with Evening(ManualClock()) as evening:
        table = evening.open_table()
        to_planning(table)
        readers = readers_at(evening, table)
        for number, card in enumerate(("Rocher", "Danae", "Fleur"), 1):
            readers.lay_card("pink", number, card)
        ticks(evening, 7)
        assert table.session.steps[-1].action.seat == "pink"


def test_readers_that_are_restarted_find_everything_where_it_lay() -> None:
    with Evening(ManualClock()) as evening:
        table = evening.open_table()
        readers = readers_at(evening, table)
        readers.lay_card("pink", 1, "Danae")
        readers.return_tiki("pink")
        ticks(evening)
        evening.running.table(table.row.id).keepers["readers"].restart()
        ticks(evening)
        assert readers.hub.tags_on("tray-pink/place-1")[0].piece.text == "pink card Danae"
        assert [tag.piece.text for n in (1, 2, 3) for tag in readers.hub.tags_on(f"rail/home-{n}")] == ["pink tiki"]


def test_readers_that_are_taken_away_are_unavailable() -> None:
    with Evening(ManualClock()) as evening:
        table = evening.open_table()
        readers_at(evening, table)
        assert all(health.is_available for health in table.health.values())
        evening.running.table(table.row.id).remove("readers")
        trays = {sensor: health for sensor, health in table.health.items() if sensor.startswith("tray-")}
        assert len(trays) == 15
        assert not any(health.is_available for health in trays.values())


def test_twins_that_nobody_touches_stay_available() -> None:
    with Evening(ManualClock()) as evening:
        table = evening.open_table()
        readers_at(evening, table)
        ticks(evening, 40)
        assert all(health.is_available for health in table.health.values())


@pytest.mark.parametrize(
    ("hand", "code"),
    [
        (lambda readers: readers.lay_card("pink", 9, "Danae"), "virtual_tag_unknown"),
        (lambda readers: readers.lay_card("pink", 1, "Moon"), "virtual_tag_unknown"),
        (lambda readers: readers.lift_card("pink", "Danae"), "virtual_tag_elsewhere"),
        (lambda readers: readers.return_tiki("grey"), "virtual_tag_unknown"),
    ],
)
def test_what_hands_cannot_do_is_refused(hand: object, code: str) -> None:
    with Evening(ManualClock()) as evening:
        readers = readers_at(evening, evening.open_table())
        with pytest.raises(ValueError, match=code):
            hand(readers)


def test_lamps_show_whose_turn_it_is_and_who_is_asked() -> None:
    with Evening(ManualClock()) as evening:
        table = evening.open_table()
        assert lamps_of(table) == {"violet": LAMP_COLOURS["violet"], "pink": DARK, "yellow": DARK}
        virtual = virtual_for(table)
        evening.running.table(table.row.id).add(DirectCamera(virtual, table.observe, evening.clock))
        virtual.put("tiki", "violet", "Danae-Lagon-Fleur")  # nobody puts tikis in the opening
        ticks(evening, 8)
        assert table.question is not None
        assert lamps_of(table)[table.question.seat] == ASKED
        to = table.question.seat
        virtual.clear()
        ticks(evening, 3)
        assert table.question is None
        assert lamps_of(table)[to] != ASKED


def test_lamps_of_all_who_may_act_at_once_are_dimmed() -> None:
    with Evening(ManualClock()) as evening:
        table = evening.open_table()
        to_planning(table)
        assert all(DARK != lamp != LAMP_COLOURS[seat] for seat, lamp in lamps_of(table).items())


def test_a_table_files_pins_and_links_are_opened_followed_and_closed() -> None:
    pytest.importorskip("gpiozero", reason="needs gpiozero (extra devices)")
    seats = {"violet": SeatPins(4, Lamp(17, 27, 22)), "pink": SeatPins(5, Lamp(6, 13, 19))}
    file = TableFile("salon", "tags.json", seats=seats, status_lamp=16, buzzer=12)
    with Evening(ManualClock()) as evening:
        table = evening.open_table()
        sensors = Sensors(table, file, Register(), Path(), evening.clock, pins=MOCK)
        evening.running.table(table.row.id).add(sensors)
        ticks(evening)
        assert table.health["button:violet"].is_available
        panel = sensors.links.panel
        assert panel._lamps["violet"].value == LAMP_COLOURS["violet"]
        assert panel._lamps["pink"].value == DARK
        act(table, table.session.game.legal_actions(table.session.state, "violet")[0])
        ticks(evening)
        assert panel._lamps["pink"].value == LAMP_COLOURS["pink"]
        evening.running.table(table.row.id).remove("readers")
        assert not table.health["button:violet"].is_available


def test_a_table_files_camera_watches_the_islands_in_play() -> None:
    text = b'table = "salon"\nboards = ["nadaa"]\n[camera]\nsource = "picamera2"\n'
    with Evening(ManualClock()) as evening:
        table = evening.open_table("2013", 6)
        camera = camera_of(table, parse_table(text), Path(), evening.clock)
        assert [(watch.source, watch.board) for watch in camera._watches] == [("pi", "noka")]
        two = parse_table(text.replace(b"picamera2", b"pi, /dev/video1"))
        camera = camera_of(table, two, Path(), evening.clock)
        assert [watch.source for watch in camera._watches] == ["pi", "/dev/video1"]
        assert camera_of(table, TableFile("salon", "tags.json"), Path(), evening.clock) is None
