"""A sheet of any game is read when it is calm, and nothing is said of it that is not known."""

from collections.abc import Iterator
from types import ModuleType

import numpy as np
import pytest

from companion.house.eye import Watch, _Looker
from companion.house.looking import WHOLE_LOOK_S, IslandLooker, SheetLooker, looker_of
from companion.house.rendering import Layout, Rendered
from tests.house import toy_maker
from tests.house.test_camera import Scripted
from vision.cameras import Frame
from vision.surfaces import Lying

RED = Lying("disc", "red", *toy_maker.PLACES["left"])


@pytest.fixture
def toy() -> Iterator[ModuleType]:
    with toy_maker.installed() as maker:
        yield maker


def sights(*pictures: tuple[float, np.ndarray]) -> list:
    looker = _Looker(Watch("scripted", "toy-mat"))
    source = Scripted(*(Frame(picture, at) for at, picture in pictures))
    return [looker.next_sight(source) for _ in pictures]


def empty() -> np.ndarray:
    return toy_maker.render("toy-mat", (), 0)


def laid() -> np.ndarray:
    return toy_maker.render("toy-mat", (RED,), 1)


def test_each_board_has_the_looker_of_its_game(toy: ModuleType) -> None:
    assert isinstance(looker_of(Watch("none", "toy-cloth")), SheetLooker)
    assert isinstance(looker_of(Watch("none", "nadaa")), IslandLooker)


def test_the_first_frame_is_read_at_once_with_its_pictures(toy: ModuleType) -> None:
    (first,) = sights((0.0, empty()))
    assert (first.status, first.odds["left"]["empty"]) == ("ok", 0.99)
    assert first.picture[:2] == first.inset[:2] == b"\xff\xd8"


def test_while_it_moves_the_old_reading_stands_and_when_calm_it_is_read_anew(toy: ModuleType) -> None:
    seen = sights((0.0, empty()), (0.1, empty()), (0.2, laid()), (0.3, laid()), (0.4, laid()))
    assert [one.status for one in seen] == ["ok", "ok", "moving", "moving", "ok"]
    assert [one.odds is None for one in seen] == [False, True, True, True, False]
    assert max(seen[-1].odds["left"], key=seen[-1].odds["left"].get) == "disc:red"
    assert len(toy_maker.reads) == 2


def test_a_calm_sheet_is_read_anew_every_now_and_then_but_not_the_same_picture_twice(toy: ModuleType) -> None:
    later = empty()
    later[300:302, 300:302] = 0  # too little for the cheap look
    sights((0.0, empty()), (0.1, later), (WHOLE_LOOK_S + 0.1, later), (2 * WHOLE_LOOK_S + 0.2, later))
    assert len(toy_maker.reads) == 2


def test_a_covered_place_is_told_as_covered(toy: ModuleType) -> None:
    picture = empty()
    picture[330:390, 200:280] = (90, 140, 190)
    (seen,) = sights((0.0, picture))
    assert (seen.status, seen.covered) == ("covered", ("left",))


def test_a_sheet_that_is_not_found_hides_its_places_and_then_is_lost_with_the_reason(toy: ModuleType) -> None:
    pushed = empty()
    pushed[:, :300] = (60, 90, 120)  # somebody's arm lies where the sheet begins
    seen = sights((0.0, empty()), *((0.1 * number, pushed) for number in range(1, 12)))
    hidden = [one for one in seen if one.status == "covered"]
    assert hidden
    assert set(hidden[-1].covered) == set(toy_maker.PLACES)
    assert (seen[-1].status, seen[-1].notes[0][0], seen[-1].odds) == ("no_board", "board_not_found", {})


def test_noise_and_a_dimmed_lamp_are_no_motion(toy: ModuleType) -> None:
    rng = np.random.default_rng(1)
    noisy = np.clip(laid() * 0.9 + rng.normal(0, 4, laid().shape), 0, 255).astype(np.uint8)
    noisy[0, 0] = toy_maker.render("toy-mat", (), 0)[0, 0]
    seen = sights((0.0, laid()), (0.1, noisy), (0.2, noisy))
    assert "moving" not in {one.status for one in seen}


def test_a_virtual_sheet_is_pictured_by_its_own_package_and_only_when_it_has_changed(toy: ModuleType) -> None:
    looking: list[int] = []
    source = Rendered("toy-mat", looking.append)
    source.show(Layout(4, (RED,)))
    first, second = source.next_frame(), source.next_frame()
    assert first.picture is second.picture
    assert (source.layout, looking) == (4, [4])
    assert toy_maker.read(first.picture, "toy-mat").places["left"].content == "disc:red"
