"""Maki-San for eyes: the mat is printed and found, a line is read from either side, and far sides are not invented."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from functools import cache
from itertools import combinations

import cv2
import numpy as np
import pytest

from companion.games.makisan.board import COLOURS, MAKIS, PLACES, faces_of, facing_of, hidden_colours, turned
from vision.errors import BoardCut, BoardNotFound, OtherBoard, PictureMirrored, VisionError, sentence
from vision.makisan import SURFACES, angle_of, annotated, places_mm, print_sheets, read, render, size_mm
from vision.makisan.evaluate import near_of, near_side
from vision.makisan.layout import BAMBOO, DICTIONARY, DISHES_MM, LINE_Y_MM, RESTS_MM, markers
from vision.makisan.mat import mat_pixels
from vision.makisan.odds import Rest, contents, facings, line_of
from vision.makisan.reading import read_row
from vision.makisan.reference import mat_reference, small_picture
from vision.makisan.scenes import MakiScene, make_scene
from vision.reference import printed_reference
from vision.sheets.files import SheetError
from vision.sheets.geometry import DPI
from vision.surfaces import Lying, game_of

SURE, UNSURE = 1 - 1e-6, 0.5


def seen_as(colour: str, chance: float = 1 - 1e-5) -> np.ndarray:
    """The chances of a face that shows this colour."""
    near = np.full(len(COLOURS), (1 - chance) / (len(COLOURS) - 1))
    near[COLOURS.index(colour)] = chance
    return near


def rests(colours: dict[int, str], hidden: tuple[int, ...] = ()) -> list[Rest]:
    """Ten rests with makis that show these colours."""
    nothing = np.full(len(COLOURS), 1 / len(COLOURS))
    found = []
    for number in range(len(PLACES)):
        if number in hidden:
            found.append(Rest(UNSURE, 1.0, nothing))
        else:
            is_there = number in colours
            near = seen_as(colours[number]) if is_there else nothing
            found.append(Rest(SURE if is_there else 1 - SURE, 0.0, near))
    return found


# The mat


def test_the_game_names_its_one_surface_and_ten_places() -> None:
    assert SURFACES == ("makisan",)
    assert game_of("makisan") == "makisan"
    assert tuple(places_mm("makisan")) == PLACES
    assert size_mm("makisan") == (420.0, 297.0)
    assert angle_of("makisan", "3") == 0.0


def test_rests_lie_in_one_row_with_bamboo_behind_every_maki_from_either_side() -> None:
    assert {y for _, y in RESTS_MM} == {LINE_Y_MM}
    tallest, deepest, steepest = 26.0, 13.0, np.tan(np.radians(60))
    assert LINE_Y_MM - deepest - tallest * steepest > BAMBOO.top
    assert LINE_Y_MM + deepest + tallest * steepest < BAMBOO.bottom


def test_dishes_lie_beyond_what_the_line_can_hide() -> None:
    for _, y in DISHES_MM.values():
        assert abs(y - LINE_Y_MM) > 15.0 + 37.0 * np.tan(np.radians(60))


def bits(dictionary: str, ident: int) -> np.ndarray:
    codes = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    return (cv2.aruco.generateImageMarker(codes, ident, codes.markerSize + 2) > 0)[1:-1, 1:-1]


def apart(a: np.ndarray, b: np.ndarray) -> int:
    return min(int((np.rot90(a, turn) != b).sum()) for turn in range(4))


def test_no_marker_looks_like_another_even_in_a_mirror_or_like_one_of_maori() -> None:
    own = [bits(DICTIONARY, marker.id) for marker in markers()]
    assert min(apart(a, b) for a, b in combinations(own, 2)) >= 9
    assert min(apart(a[:, ::-1], b) for a in own for b in own) >= 3
    assert min(apart(a, bits("DICT_5X5_250", ident)) for a in own for ident in range(250)) >= 3


def test_the_printed_picture_shows_every_marker_where_the_json_says(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("print")
    told: list[str] = []
    paths = print_sheets(folder, "A3", told.append)
    assert [path.name for path in paths] == ["makisan-A3.pdf", "makisan.png", "makisan.json", "makisan-pieces.pdf"]
    assert told
    data = json.loads((folder / "makisan.json").read_text())
    codes = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, data["marker_dictionary"]))
    corners, ids, _ = cv2.aruco.ArucoDetector(codes).detectMarkers(cv2.imread(str(folder / "makisan.png")))
    found = dict(zip(np.ravel(ids).tolist(), corners, strict=True))
    assert len(found) == len(data["markers"])
    for marker in data["markers"]:
        expected = np.array(marker["corners_mm"]) * DPI / 25.4
        assert np.abs(found[marker["id"]].reshape(4, 2) - expected).max() < 1.5
    assert list(data["places_mm"]) == list(PLACES)
    assert set(data["dishes_mm"]) == {"south", "north"}


def test_unknown_paper_is_refused_in_words(tmp_path: object) -> None:
    with pytest.raises(SheetError, match="A5"):
        print_sheets(str(tmp_path), "A5", lambda _: None)


def test_the_reference_shows_the_mat_as_it_is_drawn() -> None:
    apart_by = np.abs(small_picture().astype(int) - mat_reference().picture.astype(int))
    assert apart_by.mean() < 3.0


# Odds


def test_far_sides_are_those_that_the_game_says_are_possible() -> None:
    rng = random.Random(5)
    for _ in range(12):
        makis = [faces_of(maki) if rng.random() < 0.5 else turned(faces_of(maki)) for maki in rng.sample(MAKIS, 8)]
        seen = [south for south, _ in makis]
        for shown, possible, odds in zip(
            seen, hidden_colours(seen), facings([seen_as(colour) for colour in seen], 1), strict=True
        ):
            assert {facing.split("-")[1] for facing, chance in odds.items() if chance > 1e-3} == set(possible)
            assert all(facing.startswith(shown) for facing, chance in odds.items() if chance > 1e-3)


def test_seen_from_the_north_the_south_colour_is_the_hidden_one() -> None:
    (odds,) = facings([seen_as("red")], -1)
    assert {facing for facing, chance in odds.items() if chance > 0.1} == {
        "green-red", "yellow-red", "blue-red", "black-red",
    }  # fmt: skip


def test_a_fifth_face_of_a_colour_is_not_believed() -> None:
    faces = [seen_as("red") for _ in range(4)] + [seen_as("red", 0.9)]
    last = facings(faces, 1)[-1]
    assert sum(chance for facing, chance in last.items() if facing.startswith("red")) < 0.01


def test_places_are_counted_from_where_the_line_begins() -> None:
    row = rests({3: "red", 4: "blue", 5: "black"})
    line = line_of(row)
    odds = contents(line, row, [{} for _ in row], 1)
    assert line.rests == (3, 4, 5)
    assert [max(odds[place], key=odds[place].get)[:8] for place in PLACES[:4]] == [  # type: ignore[arg-type]
        "maki:red", "maki:blu", "maki:bla", "empty",
    ]  # fmt: skip


def test_a_covered_rest_inside_the_line_carries_a_maki() -> None:
    assert line_of(rests({2: "red", 4: "blue"}, hidden=(3,))).rests == (2, 3, 4)


def test_a_covered_rest_at_the_left_leaves_the_numbers_open() -> None:
    line = line_of(rests({4: "red", 5: "blue"}, hidden=(3,)))
    assert 0.3 < line.share[0, 4] < 0.7
    assert 0.3 < line.share[1, 4] < 0.7


# Reading


@cache
def scene(seed: int, difficulty: str) -> MakiScene:
    return make_scene(seed, difficulty, (1000, 750))


SCENES = [(9000, "easy"), (9001, "normal")]


def contents_of(made: MakiScene) -> list[str]:
    found = [f"maki:{facing_of(maki.faces)}" for maki in made.line.makis]
    if made.line.covered is not None:
        number, owner = made.line.covered
        found[number] += f"+wasabi:{owner}"
    return found + ["empty"] * (len(PLACES) - len(found))


@pytest.mark.parametrize(("seed", "difficulty"), SCENES)
def test_near_colours_count_and_wasabi_are_read_and_no_far_side_is_invented(seed: int, difficulty: str) -> None:
    made = scene(seed, difficulty)
    reading = read(made.image, "makisan")
    for place, truth in zip(PLACES, contents_of(made), strict=True):
        seen = reading.places[place]
        assert near_side(seen, made.near)[0] == near_of(truth, made.near)
        assert abs(sum(seen.odds.values()) - 1) < 1e-6
        assert seen.confidence < 0.9 or seen.content == truth


def test_the_row_tells_the_side_it_was_seen_from() -> None:
    for seed, difficulty in SCENES:
        made = scene(seed, difficulty)
        row = read_row(made.image)
        index = ("south", "north").index(made.near)
        assert row.near == made.near
        assert row.colours == [maki.faces[index] for maki in made.line.makis]


def test_a_picture_upside_down_reads_the_same() -> None:
    made = scene(*SCENES[0])
    upright, over = read(made.image, "makisan"), read(cv2.rotate(made.image, cv2.ROTATE_180), "makisan")
    for place in PLACES:
        assert near_side(upright.places[place], made.near)[0] == near_side(over.places[place], made.near)[0]


def test_open_far_sides_are_named_in_both_languages() -> None:
    made = scene(*SCENES[0])
    reading = read(made.image, "makisan")
    notes = dict(reading.notes)
    assert "far_side_ambiguous" in notes
    assert notes["far_side_ambiguous"]["places"]
    for language in ("en", "fr"):
        assert notes["far_side_ambiguous"]["places"] in sentence(
            "far_side_ambiguous", notes["far_side_ambiguous"], language
        )
    assert reading.to_json()["places"].keys() == set(PLACES)


def test_the_annotated_picture_is_a_copy_with_something_drawn() -> None:
    made = scene(*SCENES[0])
    before = made.image.copy()
    drawn = annotated(made.image, read(made.image, "makisan"))
    assert drawn.shape == before.shape
    assert (made.image == before).all()
    assert (drawn != before).any()


def test_what_is_no_mat_is_refused_with_its_reason() -> None:
    made = scene(*SCENES[0])
    with pytest.raises(BoardNotFound):
        read(np.full((900, 1200, 3), 127, np.uint8), "makisan")
    with pytest.raises(PictureMirrored):
        read(cv2.flip(made.image, 1), "makisan")
    island = cv2.resize(printed_reference("noka").picture, None, fx=0.9, fy=0.9)
    with pytest.raises((OtherBoard, BoardNotFound)):
        read(cv2.copyMakeBorder(island, 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=(90, 110, 120)), "makisan")
    mat = cv2.resize(mat_pixels()[..., ::-1], None, fx=0.4, fy=0.4)
    with pytest.raises((BoardCut, BoardNotFound)):
        read(np.ascontiguousarray(mat[:, : mat.shape[1] // 3]), "makisan")


def test_noise_never_raises_anything_but_a_vision_error() -> None:
    rng = np.random.default_rng(3)
    with pytest.raises(VisionError):
        read(rng.integers(0, 256, (240, 320, 3), dtype=np.uint8), "makisan")


# The virtual table


def pieces_of(line: list[str], first: int, wasabi: tuple[int, str] | None) -> list[Lying]:
    spots = [*places_mm("makisan").values()]
    pieces = [Lying("maki", facing, *spots[first + number]) for number, facing in enumerate(line)]
    return pieces + ([Lying("wasabi", wasabi[1], *spots[first + wasabi[0]])] if wasabi else [])


@pytest.mark.parametrize("number", range(5))
def test_a_rendered_line_is_read_rightly_every_time(number: int) -> None:
    rng = random.Random(number)
    line = [
        facing_of(turned(faces_of(maki)) if rng.random() < 0.5 else faces_of(maki))
        for maki in rng.sample(MAKIS, rng.randint(1, 10))
    ]
    wasabi = (rng.randrange(len(line)), rng.choice(("south", "north"))) if number % 2 else None
    picture = render("makisan", pieces_of(line, rng.randint(0, 10 - len(line)), wasabi), number)
    assert picture.shape == (720, 960, 3)
    reading = read(picture, "makisan")
    for place, facing in zip(PLACES, [*line, *[""] * (10 - len(line))], strict=True):
        truth = f"maki:{facing}" if facing else "empty"
        if wasabi and facing and place == PLACES[wasabi[0]]:
            truth += f"+wasabi:{wasabi[1]}"
        shown, chance = near_side(reading.places[place], "south")
        assert shown == near_of(truth, "south")
        assert chance > 0.9


def test_the_same_rendering_is_the_same_picture() -> None:
    pieces = pieces_of(["red-green", "black-blue"], 4, None)
    assert (render("makisan", pieces, 7) == render("makisan", pieces, 7)).all()


def test_importing_the_package_loads_no_opencv() -> None:
    code = "import sys, vision.makisan; sys.exit('cv2' in sys.modules or 'reportlab' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
