"""Live pictures: calm is read, motion is waited out, a lost camera comes back by itself."""

import shutil
from itertools import count
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.cameras import Capture, Folder, Frame, PiCamera, source_of
from vision.errors import CameraUnavailable
from vision.images import open_picture
from vision.live import Live, Watch, observations
from vision.read import Settings
from vision.reference import printed_reference
from vision.tracking import Track, changed_places, step

PICTURE = Path(__file__).parents[1] / "data/vision/maka-bana-normal.jpg"


class Scripted:
    """A source that does what a test says: pictures are given, None raises `CameraUnavailable`."""

    name = "scripted"

    def __init__(self, *script):
        self._script = list(script)
        self._time = count()

    def next_frame(self):
        if not self._script:
            return None
        entry = self._script.pop(0)
        if entry is None:
            raise CameraUnavailable(source=self.name)
        return Frame(entry, float(next(self._time)))

    def close(self):
        pass


@pytest.fixture(scope="module")
def picture():
    return open_picture(PICTURE)


@pytest.fixture(scope="module")
def reference():
    return printed_reference("maka-bana")


def _noisy(picture, seed):
    return cv2.add(picture, np.random.default_rng(seed).integers(0, 4, picture.shape, np.uint8))


def test_a_calm_board_is_read_once_and_stays_ok(picture, reference):
    seen = list(observations(Scripted(*[_noisy(picture, i) for i in range(4)]), reference, wait=lambda _: None))
    assert [each.status for each in seen] == ["ok", "moving", "ok", "ok"]
    assert seen[0].places == seen[3].places
    assert len(seen[3].places) == 43
    assert "odds" in seen[3].places["Azzura-Lagon-Fleur"]


def test_a_hand_is_waited_out(picture, reference):
    hand = picture.copy()
    cv2.circle(hand, (800, 600), 160, (90, 120, 180), -1)
    seen = list(observations(Scripted(picture, picture, picture, hand, picture, picture, picture), reference))
    assert seen[3].status == "moving"
    assert seen[-1].status in ("ok", "covered")
    assert seen[-1].places == seen[2].places


def test_a_piece_as_bright_as_the_sand_is_noticed_by_its_colour():
    sand = np.full((148, 210, 3), (170, 200, 215), np.uint8)
    yellow = sand.copy()
    cv2.circle(yellow, (100, 70), 4, (60, 200, 225), -1)  # the green is the sand's
    places = np.array([[201.0, 141.0], [101.0, 141.0]])
    assert changed_places(yellow, sand, places).tolist() == [0]


def test_a_lamp_that_warms_up_changes_no_place():
    sand = np.full((148, 210, 3), (170, 200, 215), np.uint8)
    warmer = sand - np.array([30, 10, 0], np.uint8)
    assert not len(changed_places(warmer, sand, np.array([[201.0, 141.0]])))


def test_a_moved_camera_is_found_again(picture, reference):
    shifted = np.roll(picture, (12, 30), axis=(0, 1))
    seen = list(observations(Scripted(picture, picture, picture, shifted, shifted, shifted, shifted), reference))
    pieces = [{place: told["piece"] for place, told in each.places.items()} for each in (seen[2], seen[-1])]
    assert pieces[0] == pieces[1]


def test_a_lost_camera_is_unavailable_and_comes_back(picture, reference):
    waits = []
    seen = list(observations(Scripted(picture, None, None, picture), reference, wait=waits.append))
    assert [each.status for each in seen] == ["ok", "unavailable", "unavailable", "ok"]
    assert seen[1].places == {}
    assert waits == [0.5, 1.0]


def test_without_a_board_nothing_is_claimed(reference):
    track = Track()
    for frame in range(5):
        track, seen = step(track, np.full((600, 800, 3), 90, np.uint8), frame, reference, None, Settings())
        assert (seen.status, seen.places) == ("no_board", {})
    assert seen.notes[0][0] == "board_not_found"


def test_a_folder_is_a_camera(tmp_path):
    for name in ("b.png", "a.png", "notes.txt"):
        cv2.imwrite(str(tmp_path / name), np.full((240, 320, 3), ord(name[0]), np.uint8)) if name.endswith(
            "png"
        ) else None
    source = source_of(str(tmp_path), lambda: 7.0)
    assert isinstance(source, Folder)
    frames = [source.next_frame(), source.next_frame()]
    assert [int(frame.picture[0, 0, 0]) for frame in frames] == [ord("a"), ord("b")]
    assert source.next_frame() is None


def test_a_video_file_is_a_camera(tmp_path):
    path = str(tmp_path / "film.avi")
    film = cv2.VideoWriter(path, cv2.VideoWriter.fourcc(*"MJPG"), 5, (320, 240))
    for _ in range(3):
        film.write(np.full((240, 320, 3), 80, np.uint8))
    film.release()
    with Capture(path, lambda: 0.0) as source:
        frames = [source.next_frame() for _ in range(4)]
    assert [frame is not None for frame in frames] == [True, True, True, False]


@pytest.mark.parametrize("source", [Capture("/dev/video-none", lambda: 0.0), Capture("no-such-film.mp4", lambda: 0.0)])
def test_a_missing_camera_is_unavailable_and_may_be_closed_twice(source):
    with pytest.raises(CameraUnavailable, match="gives no pictures"):
        source.next_frame()
    source.close()
    source.close()


def test_without_picamera2_the_pi_camera_is_unavailable():
    pytest.importorskip("cv2")
    with pytest.raises(CameraUnavailable):
        PiCamera(lambda: 0.0).next_frame()


def test_the_process_sends_observations_and_ends(tmp_path):
    for index in range(3):
        shutil.copy(PICTURE, tmp_path / f"{index}.jpg")
    with Live(Watch(str(tmp_path), "maka-bana", most_fps=100.0)) as live:
        seen = live.next_observation(60.0)
        assert seen is not None
        assert len(seen.places) == 43
    live.close()
