"""The doctor's look through the camera, with pictures of a real print as the camera."""

from pathlib import Path
from typing import Any

import pytest

cv2 = pytest.importorskip("cv2", reason="needs OpenCV (extra vision)")
np = pytest.importorskip("numpy")

from companion.commands import doctor  # noqa: E402
from companion.commands.camera_check import findings, judge_quality, look  # noqa: E402
from companion.devices.table_file import Camera, TableFile  # noqa: E402
from companion.table.observations import Event  # noqa: E402

ROOT = Path(__file__).parents[2]
GOOD = {"sharpness": 0.8, "exposure": 0.7, "glare_share": 0.0, "px_per_mm": 2.5}


@pytest.fixture(scope="module")
def seen() -> Any:
    """The sheet on a brown table, from above."""
    sheet = cv2.imread(str(ROOT / "vision" / "references" / "maka-bana.jpg"))
    scale = min(1350 / sheet.shape[1], 1000 / sheet.shape[0])
    sheet = cv2.resize(sheet, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    picture = np.full((1200, 1600, 3), (60, 90, 120), np.uint8)
    top, left = (1200 - sheet.shape[0]) // 2, (1600 - sheet.shape[1]) // 2
    picture[top : top + sheet.shape[0], left : left + sheet.shape[1]] = sheet
    return picture


def folder_with(folder: Path, picture: Any) -> str:
    folder.mkdir(exist_ok=True)
    cv2.imwrite(str(folder / "1.png"), picture)
    return str(folder)


def codes(found: object) -> dict[str, str]:
    return {one.area: one.what.code for one in found}  # type: ignore[attr-defined]


def test_a_good_view_is_good_in_every_respect(seen: Any, tmp_path: Path) -> None:
    found = list(findings(folder_with(tmp_path / "c", seen), "maka-bana"))
    assert codes(found)["camera"] == "ok_camera"
    assert codes(found)["board"] == "ok_board_seen"
    assert codes(found)["focus"] == "ok_focus"
    assert found[0].what.data["width"] == 1600


def test_a_lens_out_of_focus_is_named(seen: Any, tmp_path: Path) -> None:
    blurred = cv2.GaussianBlur(seen, (0, 0), 4.5)
    assert codes(findings(folder_with(tmp_path / "c", blurred), "maka-bana")).get("focus") == "focus_blurred"


def test_a_dark_room_is_named(seen: Any, tmp_path: Path) -> None:
    dark = (seen * 0.04).astype(np.uint8)
    assert codes(findings(folder_with(tmp_path / "c", dark), "maka-bana"))["light"] == "light_dark"


def test_a_table_without_a_board_is_said_in_the_words_of_vision(tmp_path: Path) -> None:
    empty = np.full((1200, 1600, 3), 120, np.uint8)
    found = list(findings(folder_with(tmp_path / "c", empty), "maka-bana"))
    assert codes(found)["board"] == "board_not_found"
    words = doctor._words(found[1].what, "fr")
    assert "board_not_found" not in words


@pytest.mark.parametrize("source", ["/dev/video-none", "http://127.0.0.1:9/none", "pi"])
def test_a_camera_that_is_not_there_is_named(source: str) -> None:
    assert codes(findings(source, "maka-bana")) == {"camera": "camera_missing"}


@pytest.mark.parametrize(
    ("change", "area", "code"),
    [
        ({}, "light", "ok_light"),
        ({"sharpness": 0.05}, "focus", "focus_blurred"),
        ({"sharpness": 0.2}, "focus", "focus_soft"),
        ({"px_per_mm": 1.0}, "focus", "camera_coarse"),
        ({"exposure": 0.02}, "light", "light_dark"),
        ({"exposure": 0.999}, "light", "light_bright"),
        ({"glare_share": 0.05}, "light", "light_glare"),
    ],
)
def test_numbers_are_judged(change: dict[str, float], area: str, code: str) -> None:
    assert codes(judge_quality(GOOD | change))[area] == code


def test_the_look_happens_in_a_process_of_its_own(seen: Any, tmp_path: Path) -> None:
    table = TableFile("t", "tags.json", boards=("maka-bana",), camera=Camera(folder_with(tmp_path / "c", seen), 0, 0))
    assert codes(look(table))["board"] == "ok_board_seen"


def test_a_driver_that_hangs_is_given_up() -> None:
    table = TableFile("t", "tags.json", boards=("maka-bana",), camera=Camera("pi", 0, 0))
    assert codes(look(table, longest_s=0.001)) == {"camera": "camera_hangs"}


def test_a_table_without_a_camera_has_nothing_to_look_through() -> None:
    assert list(look(TableFile("t", "tags.json"))) == []


def test_what_devices_say_is_said_in_their_words() -> None:
    assert doctor._words(Event("camera_hangs", {"source": "pi", "seconds": 60}), "en").startswith("The camera pi gave")
