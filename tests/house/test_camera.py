"""What the vision process says becomes what the table hears: nothing more, and nothing that is not known."""

import os
import shutil
import signal
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.devices.clock import ManualClock, SystemClock
from companion.games.catalogue import game_named
from companion.house.camera import Camera, watch_of
from companion.house.eye import Sight, Watch, _Looker, content_named
from companion.house.frames import Frames, Picture
from companion.house.parts import PartFailedError
from companion.table.observations import BoardSeen, Health
from tests.house.support import until
from vision.cameras import Frame
from vision.images import open_picture
from vision.read import read
from vision.reference import printed_reference

PICTURE = Path(__file__).parents[1] / "data/vision/maka-bana-normal.jpg"
ODDS = {"Danae-Lagon-Fleur": {"hut:blue": 0.9, "empty": 0.1}, "club:Danae": {"empty": 1.0}}
OTHER = {"Aloa-Lagon-Fleur": {"empty": 1.0}}


class Told(list):
    """All that a camera told."""

    def boards(self) -> list[BoardSeen]:
        return [one for one in self if isinstance(one, BoardSeen)]

    def health(self) -> list[tuple[str, bool, str]]:
        return [(one.sensor, one.is_available, one.reason.code if one.reason else "")
                for one in self if isinstance(one, Health)]  # fmt: skip


def camera_over(*boards: str) -> tuple[Camera, Told]:
    """A camera without its processes: tests say what they would."""
    told = Told()
    camera = Camera([Watch("none", board) for board in boards], told.append, ManualClock())
    return camera, told


def sight(status: str, odds: object = ODDS, covered: tuple[str, ...] = (), notes: tuple = ()) -> Sight:
    return Sight(0.0, status, odds, covered, notes)


@pytest.mark.parametrize(
    ("state", "content"),
    [
        ("empty", "empty"),
        ("blue hut", "hut:blue"),
        ("green club", "club:green"),
        ("pink tiki", "tiki:pink"),
        ("blue hut + pink tiki", "hut:blue+tiki:pink"),
        ("green club + blue tiki", "club:green+tiki:blue"),
    ],
)
def test_states_of_the_reader_are_contents_of_the_games(state: str, content: str) -> None:
    assert content_named(state) == content


def test_a_calm_board_is_told_with_its_odds_and_covered_places_are_hidden() -> None:
    camera, told = camera_over("nadaa")
    camera.take_in("nadaa", sight("covered", covered=("club:Danae",)))
    (seen,) = told.boards()
    assert (seen.odds, seen.hidden) == (ODDS, ("club:Danae",))


def test_while_things_move_nothing_is_known() -> None:
    camera, told = camera_over("nadaa")
    camera.take_in("nadaa", sight("ok"))
    camera.take_in("nadaa", sight("moving", odds=None))
    assert set(told.boards()[-1].hidden) == set(ODDS)


def test_the_same_reading_again_need_not_be_sent() -> None:
    camera, told = camera_over("nadaa")
    camera.take_in("nadaa", sight("ok"))
    camera.take_in("nadaa", sight("ok", odds=None))
    assert [(seen.odds, seen.hidden) for seen in told.boards()] == [(ODDS, ()), (ODDS, ())]


def test_a_lost_board_is_told_once_with_its_reason_and_comes_back_by_being_seen() -> None:
    camera, told = camera_over("nadaa")
    camera.take_in("nadaa", sight("ok"))
    for _ in range(3):
        camera.take_in("nadaa", sight("unavailable", {}, notes=(("camera_unavailable", {"source": "pi"}),)))
    camera.take_in("nadaa", sight("ok"))
    assert told.health() == [("camera", False, "camera_unavailable")]
    assert isinstance(told[-1], BoardSeen)


def test_two_islands_are_one_board_and_losing_one_hides_only_its_places() -> None:
    camera, told = camera_over("nadaa", "noka")
    camera.take_in("nadaa", sight("ok"))
    camera.take_in("noka", sight("ok", OTHER))
    assert told.boards()[-1].odds == {**ODDS, **OTHER}
    camera.take_in("noka", sight("no_board", {}))
    assert told.boards()[-1].hidden == tuple(OTHER)
    assert told.health()[-1] == ("camera:noka", False, "board_not_found")
    camera.take_in("nadaa", sight("no_board", {}))
    assert told.health()[-1] == ("camera", False, "board_not_found")


def test_pictures_keep_within_their_budget_and_the_newest_stays() -> None:
    frames = Frames(most_bytes=1000, kept_s=10.0)
    for number in range(20):
        frames.add(Picture(float(number), "nadaa", bytes(300)))
    assert (frames.size, [one.at for one in frames.since(0.0)]) == (900, [17.0, 18.0, 19.0])
    frames.add(Picture(20.0, "nadaa", bytes(5000)))
    assert [one.at for one in frames.since(0.0)] == [20.0]
    frames.add(Picture(99.0, "nadaa", b"x"))
    assert frames.size == 1


def test_a_table_file_may_name_the_pi_camera_by_its_library() -> None:
    assert watch_of("picamera2", "nadaa").source == "pi"


def test_the_real_process_tells_every_place_of_the_game_and_its_pictures(tmp_path: Path) -> None:
    for number in range(4):
        shutil.copy(PICTURE, tmp_path / f"{number}.jpg")
    clock, told = SystemClock(), Told()
    camera = Camera([Watch(str(tmp_path), "maka-bana", most_fps=50.0)], told.append, clock)
    camera.start()
    try:
        until(lambda: camera.tick() or told.boards())
        game = game_named("makabana")
        places = set(game.places(game.start(game.default_header("2013", 5))))
        seen = told.boards()[0]
        assert set(seen.odds) == places
        assert 0 <= clock.now() - seen.seen.at < 60
        assert camera.frames.latest().jpeg[:2] == camera.frames.inset().jpeg[:2] == b"\xff\xd8"
        until(lambda: camera.tick() or len(told.boards()) > 8)  # the last of four pictures stays before the lens
        os.kill(camera.pids[0], signal.SIGKILL)
        with pytest.raises(PartFailedError, match="vision_ended"):
            until(camera.tick)
    finally:
        camera.close()
        camera.close()
    assert camera.pids == []


class Scripted:
    """A source that gives pictures at times that a test says."""

    name = "scripted"

    def __init__(self, *frames: Frame) -> None:
        self._frames = list(frames)

    def next_frame(self) -> Frame | None:
        return self._frames.pop(0) if self._frames else None


def test_a_piece_as_bright_as_what_it_stands_on_is_seen_once_the_board_is_calm() -> None:
    """A disc that differs from the print in red and blue only, as a pale tiki on sand may."""
    picture = open_picture(PICTURE)
    reference = printed_reference("maka-bana")
    reading = read(picture, reference)
    site = next(verdict.place for verdict in reading.verdicts if verdict.state.piece("hut") == "empty")
    at = reading.located.view.project(np.array([reference.sites_mm[site]]))[0]
    tinted = picture.copy()
    disc = np.zeros(picture.shape[:2], np.uint8)
    cv2.circle(disc, (round(at[0]), round(at[1])), 18, 1, -1)
    tinted[disc == 1, 0], tinted[disc == 1, 2] = 20, 240
    looker = _Looker(Watch("scripted", "maka-bana"))
    source = Scripted(*(Frame(picture, 0.1 * n) for n in range(4)), *(Frame(tinted, 1.0 + 0.1 * n) for n in range(15)))
    seen = [looker.next_sight(source) for _ in range(19)]
    before = seen[0].odds[site]
    read_anew = [sight.odds[site] for sight in seen[4:] if sight.odds]
    assert read_anew
    assert read_anew[0] != before
