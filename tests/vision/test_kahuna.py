"""Kahuna before the camera: the printed board, and reading it back from pictures."""

from __future__ import annotations

import json
from functools import cache
from itertools import combinations, pairwise
from math import dist
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.games.kahuna.board import load_board
from companion.games.makabana.board import BOARD_NAMES
from vision import kahuna
from vision.errors import BoardCut, BoardNotFound, OtherBoard, PictureMirrored
from vision.kahuna.cards import cards
from vision.kahuna.evaluate import jobs, outcome, table
from vision.kahuna.judge import judge
from vision.kahuna.layout import MARKER_IDS, STICK_MM, STONE_MM, kahuna_sheet, line_angle
from vision.kahuna.looks import Look
from vision.kahuna.reference import drawn_picture, kahuna_reference
from vision.kahuna.scenes import make_scene, put_down, random_contents
from vision.locate.pose import Picture
from vision.reference import printed_reference
from vision.scenes.spec import SceneSpec
from vision.sheets.files import SheetError
from vision.sheets.geometry import DICTIONARY, STICKER_SETS, board_ids, palette_ids, sticker_ids
from vision.surfaces import DOUBTFUL, Lying, game_of, maker_of

SURFACE = "kahuna"


def lying(contents: dict[str, str]) -> list[Lying]:
    places = kahuna.places_mm(SURFACE)
    pieces = []
    for place, content in contents.items():
        kind, _, colour = content.partition(":")
        if colour:
            pieces.append(Lying(kind, colour, *places[place], kahuna.angle_of(SURFACE, place)))
    return pieces


@cache
def rendered(number: int) -> tuple[Picture, dict[str, str]]:
    contents = random_contents(np.random.default_rng([7, number]))
    return kahuna.render(SURFACE, lying(contents), number), contents


def contents_of(picture: Picture) -> dict[str, str]:
    return {place: seen.content for place, seen in kahuna.read(picture, SURFACE).places.items()}


def test_the_package_is_found_by_its_surface() -> None:
    assert game_of(SURFACE) == "kahuna"
    assert maker_of("kahuna").SURFACES == (SURFACE,)


def test_places_are_named_as_the_game_names_them() -> None:
    board = load_board("kahuna")
    assert [*kahuna.places_mm(SURFACE)] == [*board.lines, *board.islands]


def test_a_bridge_fits_on_every_line_between_two_stones() -> None:
    for line, ends in kahuna_sheet().lines_mm.items():
        assert dist(*ends) >= STICK_MM[0] + STONE_MM + 8, line


def test_no_two_bridges_come_near_each_other() -> None:
    def points(line: str) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
        turn = np.radians(line_angle(line))
        steps = np.linspace(-STICK_MM[0] / 2, STICK_MM[0] / 2, 21)[:, None]
        return np.array(kahuna_sheet().places_mm[line]) + steps * [np.cos(turn), np.sin(turn)]

    for one, other in combinations(kahuna_sheet().lines_mm, 2):
        apart = np.linalg.norm(points(one)[:, None] - points(other)[None], axis=2).min()
        assert apart > 2 * STICK_MM[1], (one, other)


def test_lines_lie_within_a_quarter_turn_of_the_horizontal() -> None:
    assert all(-90 <= line_angle(line) <= 90 for line in kahuna_sheet().lines_mm)
    assert line_angle("ALOA-BARI") == pytest.approx(2.9, abs=0.1)


def test_no_marker_is_one_of_another_sheet() -> None:
    others = {ident for name in BOARD_NAMES for ident in board_ids(name)} | set(palette_ids())
    others |= {ident for name in STICKER_SETS for ident in sticker_ids(name)}
    assert not others & set(MARKER_IDS)


def test_markers_differ_from_all_others_and_from_their_mirror_images() -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))

    def bits(ident: int) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
        return (cv2.aruco.generateImageMarker(dictionary, ident, 6) > 0)[1:-1, 1:-1]

    def apart(one: np.ndarray[tuple[int, int], np.dtype[np.bool_]], other: int) -> int:
        return min(int((one != np.rot90(bits(other), turn)).sum()) for turn in range(4))

    others = {ident for name in BOARD_NAMES for ident in board_ids(name)}
    assert min(apart(bits(own), other) for own in MARKER_IDS for other in others) >= 3
    assert min(apart(bits(a), b) for a, b in combinations(MARKER_IDS, 2)) >= 4
    assert min(apart(np.fliplr(bits(a)), b) for a in MARKER_IDS for b in MARKER_IDS) >= 2


def test_the_shipped_picture_is_the_drawn_one() -> None:
    drawn, shipped = drawn_picture(), kahuna_reference().picture
    assert drawn.shape == shipped.shape
    assert float(np.abs(drawn.astype(int) - shipped).mean()) < 3.0


def test_nothing_under_a_piece_is_black_or_white_or_grey() -> None:
    reference = kahuna_reference()
    for place, (x, y) in reference.sites_mm.items():
        at = reference.picture[round(y * reference.px_per_mm), round(x * reference.px_per_mm) + 6].astype(int)
        assert at.max() - at.min() > 60, place


def test_there_are_two_cards_of_each_island() -> None:
    assert sorted(cards()) == sorted([*load_board("kahuna").islands] * 2)


def test_printing_writes_board_picture_places_and_cards(tmp_path: Path) -> None:
    told: list[str] = []
    written = kahuna.print_sheets(tmp_path, "A4", told.append)
    assert [path.name for path in written] == ["kahuna-A4.pdf", "kahuna.png", "kahuna.json", "kahuna-cards.pdf"]
    assert len(told) == 4
    data = json.loads((tmp_path / "kahuna.json").read_text())
    assert data["places_mm"] == {place: [*point] for place, point in kahuna.places_mm(SURFACE).items()}
    assert written[0].read_bytes().count(b"/Type /Page\n") == 3
    assert written[3].read_bytes().count(b"/Type /Page\n") == 6
    picture = cv2.imread(str(tmp_path / "kahuna.png"))
    assert picture is not None
    assert [*picture.shape[1::-1]] == data["picture"]["size_px"]


def test_unknown_paper_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(SheetError, match="A5"):
        kahuna.print_sheets(tmp_path, "A5", print)


@pytest.mark.parametrize("number", range(5))
def test_a_rendered_position_is_read_as_it_was_put(number: int) -> None:
    picture, contents = rendered(number)
    assert picture.shape == (720, 960, 3)
    reading = kahuna.read(picture, SURFACE)
    assert {place: seen.content for place, seen in reading.places.items()} == contents
    assert all(seen.confidence > DOUBTFUL for seen in reading.places.values())


def test_rendering_twice_gives_the_same_picture() -> None:
    contents = {"ALOA-BARI": "bridge:black", "LALE": "stone:white"}
    first, second = (kahuna.render(SURFACE, lying(contents), 3) for _ in range(2))
    assert np.array_equal(first, second)


def test_an_upside_down_picture_reads_the_same() -> None:
    picture, contents = rendered(0)
    assert contents_of(np.ascontiguousarray(picture[::-1, ::-1])) == contents


def test_a_reading_says_it_in_json_and_draws_it() -> None:
    picture, contents = rendered(1)
    reading = kahuna.read(picture, SURFACE)
    data = reading.to_json()
    assert {place: said["content"] for place, said in data["places"].items()} == contents
    drawn = kahuna.annotated(picture, reading)
    assert drawn.shape == picture.shape
    assert not np.array_equal(drawn, picture)


def test_a_place_under_a_hand_is_told_covered() -> None:
    picture, _ = rendered(2)
    reading = kahuna.read(picture, SURFACE)
    x, y = reading.located.view.project(np.array([kahuna.places_mm(SURFACE)["ELAI"]]))[0]
    covered = picture.copy()
    # As broad as two fingers and in the colour of skin, from the picture's edge to beyond the island.
    cv2.line(covered, (round(x), picture.shape[0]), (round(x), round(y) - 25), (120, 150, 205), 55)
    seen = kahuna.read(covered, SURFACE).places["ELAI"]
    assert seen.is_covered
    assert seen.confidence == 0.0


def shone_on(picture: Picture, at: tuple[float, float], reach: float, strength: float) -> Picture:
    """The picture with a lamp's soft mirror image laid over it: light that adds, the same to every colour."""
    rows, columns = np.indices(picture.shape[:2])
    veil = strength * np.exp(-((columns - at[0]) ** 2 + (rows - at[1]) ** 2) / (2 * reach**2))
    light = (picture / 255.0) ** 2.2 + veil[..., None]
    return np.rint(255 * np.clip(light, 0, 1) ** (1 / 2.2)).astype(np.uint8)


@pytest.mark.parametrize("number", range(2))
def test_a_lamp_mirrored_in_the_paper_changes_no_place(number: int) -> None:
    picture, contents = rendered(number)
    middle = kahuna.read(picture, SURFACE).located.view.project(np.array([[210.0, 148.0]]))[0]
    reading = kahuna.read(shone_on(picture, (float(middle[0]), float(middle[1])), 120.0, 0.35), SURFACE)
    assert {place: seen.content for place, seen in reading.places.items()} == contents


def test_colours_at_the_ends_of_the_scale_are_still_print() -> None:
    picture, contents = rendered(1)
    grey = picture.mean(axis=2, keepdims=True)
    loud = np.clip(grey + (picture - grey) * 3.5 + 25, 0, 255).astype(np.uint8)
    assert (loud == 0).any(axis=2).mean() > 0.2
    assert contents_of(loud) == contents


def looks_of(tone: list[float], flank: list[float], warmth: list[float]) -> Look:
    """Pieces that are surely there, with nothing unusual around them."""
    count = len(tone)
    plain = dict.fromkeys(Look._fields, np.zeros(count))
    plain |= {"at_mm": np.zeros((count, 2)), "fill": np.ones(count), "in_view": np.ones(count)}
    plain |= {"beside": -np.ones(count), "excess": -5 * np.ones(count)}
    return Look(**plain | {"tone": np.array(tone), "flank": np.array(flank), "warmth": np.array(warmth)})


@pytest.mark.parametrize(("flank", "warmth", "is_sure"), [(-0.6, 0.0, True), (-1.9, 0.0, False), (-0.6, 0.6, False)])
def test_a_piece_as_light_as_white_but_otherwise_unlike_the_white_ones_is_a_doubt(
    flank: float, warmth: float, is_sure: bool
) -> None:
    bridges = looks_of(
        [-0.1, -0.12, -0.08, -0.11, -1.4, -1.3, -0.1],
        [-0.6, -0.55, -0.65, -0.6, -1.8, -1.7, flank],
        [0.0, 0.02, -0.02, 0.01, 0.1, -0.1, warmth],
    )
    seen = judge(bridges, looks_of([], [], []))[0]
    assert [each.content for each in seen[:6]] == ["bridge:white"] * 4 + ["bridge:black"] * 2
    assert all(each.confidence > DOUBTFUL for each in seen[:6])
    assert (seen[6].content == "bridge:white" and seen[6].confidence > DOUBTFUL) == is_sure


def test_many_shining_black_bridges_are_not_what_white_is_learned_from() -> None:
    shining = [-0.2, -0.4, -0.42, -0.44, -0.5, -0.58, -0.6]
    bridges = looks_of([-0.14, -0.2, *shining, -0.9, -1.0], [-0.75, -0.8, *[-1.6] * 9], [0.0] * 11)
    seen = judge(bridges, looks_of([], [], []))[0]
    assert [each.content for each in seen[:2]] == ["bridge:white"] * 2
    assert not any(each.content == "bridge:white" and each.confidence > DOUBTFUL for each in seen[2:])
    assert [each.content for each in seen[4:]] == ["bridge:black"] * 7


def test_another_board_is_named() -> None:
    with pytest.raises(OtherBoard, match="noka"):
        kahuna.read(printed_reference("noka").picture, SURFACE)


def test_a_mirrored_picture_is_told() -> None:
    with pytest.raises(PictureMirrored):
        kahuna.read(np.ascontiguousarray(rendered(0)[0][:, ::-1]), SURFACE)


def test_a_picture_without_a_board_is_told() -> None:
    with pytest.raises(BoardNotFound):
        kahuna.read(np.full((600, 800, 3), 127, np.uint8), SURFACE)


def test_a_cut_board_is_told() -> None:
    picture, _ = rendered(0)
    reading = kahuna.read(picture, SURFACE)
    x = round(float(reading.located.view.project(np.array([[170.0, 148.0]]))[0, 0]))
    with pytest.raises(BoardCut):
        kahuna.read(np.ascontiguousarray(picture[:, :x]), SURFACE)


def test_pieces_are_put_down_near_their_place_and_never_inside_each_other() -> None:
    from vision.kahuna.scenes import make_set

    rng = np.random.default_rng(5)
    contents = {place: "bridge:white" for place in kahuna_sheet().lines_mm}
    pieces = put_down(rng, contents, make_set(rng), "hard")
    assert len(pieces) == len(contents)
    for piece, place in zip(pieces, contents, strict=True):
        assert abs((piece.angle_deg - line_angle(place) + 90) % 180 - 90) <= 15.001
    for one, other in combinations(pieces, 2):
        assert dist((one.x_mm, one.y_mm), (other.x_mm, other.y_mm)) > STICK_MM[1]


def test_a_scene_tells_what_is_true_of_it() -> None:
    scene = make_scene(SceneSpec(seed=1, difficulty="normal", size_px=(480, 360)), {"ALOA": "stone:black"})
    assert scene.truth["ALOA"] == "stone:black"
    assert set(scene.truth.values()) == {"empty", "stone:black"}
    assert scene.truth.keys() == scene.judged.keys() == kahuna.places_mm(SURFACE).keys()


def test_the_evaluation_counts_a_board_it_has_kept(tmp_path: Path) -> None:
    picture, contents = rendered(3)
    job = jobs(1, 3, str(tmp_path))[0]
    wrong = {**contents, "ALOA": "stone:white" if contents["ALOA"] != "stone:white" else "empty"}
    for truth, errors in ((contents, 0), (wrong, 1)):
        cv2.imwrite(str(tmp_path / "easy-3.png"), picture)
        judged = dict.fromkeys(truth, True)
        (tmp_path / "easy-3.json").write_text(json.dumps({"truth": truth, "judged": judged}))
        result = outcome(job)
        assert (len(result.errors), result.is_exact) == (errors, errors == 0)
    rows = table([result]).splitlines()
    assert rows[2].startswith("| easy | 1 | 0.0% | 1 of 39 |")
    assert all(a.count("|") == b.count("|") for a, b in pairwise(rows))
