"""Māori's sheets are read from pictures: tiles and their turns, ship and boat, and what can't be seen is said."""

from __future__ import annotations

import json
from functools import cache

import cv2
import numpy as np
import pytest

from companion.games.catalogue import game_named
from companion.games.maori.board import load_tiles
from companion.games.protocol import parse_content
from vision import maori
from vision.errors import BoardCut, BoardNotFound, OtherBoard, PictureMirrored
from vision.maori import reference
from vision.maori.scenes import make_scene, truth_of
from vision.maori.sheets import sheet_json
from vision.maori.surfaces import SURFACES, places_of, seen_word
from vision.scenes.spec import SceneSpec
from vision.sheets.files import SheetError
from vision.surfaces import Lying, PlaceSeen, SurfaceReading, game_of, pieces_of

TILES = load_tiles("ours").tiles
ARCHIPELAGO, ATOLL, DISPLAY = "maori-archipelago-blue", "maori-atoll-red", "maori-display"


def some_pieces(surface: str, seed: int) -> list[Lying]:
    """Tiles as careless hands lay them, with the ship or a boat."""
    rng = np.random.default_rng(seed)
    tiles = [str(tile) for tile in rng.permutation([name for name in TILES if not name.startswith("V")])]
    spots = maori.places_mm(surface)
    cells = [place for place in spots if not place.startswith("ship:")]
    pieces = []
    for place in cells:
        if rng.random() < 0.7:
            tile = tiles.pop()
            turn = 0 if TILES[tile].palms and surface != DISPLAY else int(rng.choice([0, 90, 180, 270]))
            x, y = np.array(spots[place]) + rng.uniform(-0.9, 0.9, 2)
            pieces.append(Lying("tile", f"{tile}@{turn}", float(x), float(y), float(rng.uniform(-2, 2))))
    if surface == DISPLAY:
        berth = f"ship:{rng.integers(1, 17)}"
        return [*pieces, Lying("ship", "shared", *spots[berth], maori.angle_of(surface, berth))]
    under = pieces[0]
    return [*pieces, Lying("boat", surface.rpartition("-")[2], under.x_mm, under.y_mm)]


@cache
def pictured(surface: str, number: int) -> tuple[np.ndarray, dict[str, str]]:
    pieces = some_pieces(surface, number)
    return maori.render(surface, pieces, number), truth_of(surface, pieces)


def read_contents(picture: np.ndarray, surface: str) -> dict[str, str]:
    return {place: seen.content for place, seen in maori.read(picture, surface).places.items()}


def test_every_surface_is_named_after_its_game_and_has_the_places_of_the_game():
    game = game_named("maori")
    state = game.start({"game": "maori", "rules": "base-atoll", "boards": ["atoll"], "players": ["blue", "red"]})
    own = {*places_of(DISPLAY), *places_of("maori-atoll-blue"), *places_of("maori-atoll-red")}
    assert own == set(game.places(state))
    assert all(game_of(surface) == "maori" for surface in SURFACES)
    assert len(SURFACES) == 11


@pytest.mark.parametrize(
    ("surface", "number"),
    [(DISPLAY, 1), (ARCHIPELAGO, 2), (ATOLL, 3), ("maori-atoll-yellow", 4), ("maori-archipelago-green", 5)],
)
def test_what_the_virtual_table_shows_is_read_as_it_lies(surface, number):
    picture, truth = pictured(surface, number)
    assert picture.shape == (720, 960, 3)
    reading = maori.read(picture, surface)
    assert {place: seen.content for place, seen in reading.places.items()} == truth
    assert reading.doubts == []


def test_the_same_number_gives_the_same_picture():
    picture, _ = pictured(ATOLL, 3)
    assert (maori.render(ATOLL, some_pieces(ATOLL, 3), 3) == picture).all()


def test_a_picture_upside_down_reads_the_same():
    picture, truth = pictured(ARCHIPELAGO, 2)
    assert read_contents(picture[::-1, ::-1].copy(), ARCHIPELAGO) == truth


def test_a_photo_by_lamp_light_from_the_side_is_read():
    scene = make_scene("maori-atoll-violet", SceneSpec(seed=1014, difficulty="normal", hands=0))
    reading = maori.read(scene.shot.image, "maori-atoll-violet")
    judged = [place for place in reading.places if place not in scene.unjudged]
    assert {place: reading.places[place].content for place in judged} == {p: scene.contents[p] for p in judged}


def test_pictures_that_do_not_show_the_sheet_say_what_is_the_matter():
    picture, _ = pictured(ARCHIPELAGO, 2)
    with pytest.raises(OtherBoard, match="maori-archipelago-blue"):
        maori.read(picture, ATOLL)
    with pytest.raises(PictureMirrored):
        maori.read(cv2.flip(picture, 1), ARCHIPELAGO)
    with pytest.raises(BoardCut):
        maori.read(picture[:, :400].copy(), ARCHIPELAGO)
    with pytest.raises(BoardNotFound):
        maori.read(np.full((720, 960, 3), 127, np.uint8), ARCHIPELAGO)


def covering(picture: np.ndarray, surface: str, spot_mm: tuple[float, float], radius_mm: float) -> np.ndarray:
    """The picture with something like a finger's tip over a point of the sheet."""
    view = maori.read(picture, surface).located.view
    (x, y), scale = view.project(np.array([spot_mm]))[0], float(view.scale_at(np.array([[*spot_mm, 0.0]]))[0])
    covered = picture.copy()
    cv2.circle(covered, (round(x), round(y)), round(radius_mm * scale), (120, 150, 205), -1, cv2.LINE_AA)
    return covered


def test_a_covered_place_is_said_to_be_covered():
    picture, truth = pictured(ATOLL, 3)
    for place in ("red:2,2", "red:3,4"):
        seen = maori.read(covering(picture, ATOLL, places_of(ATOLL)[place], 30.0), ATOLL).places[place]
        assert seen.is_covered, truth[place]
        assert seen.confidence == 0.0


def test_a_tile_whose_code_is_hidden_is_known_by_its_picture_or_said_to_be_in_doubt():
    picture, truth = pictured(ARCHIPELAGO, 2)
    laid = [place for place, content in truth.items() if content.startswith("tile:") and "@" not in content]
    read_right = 0
    for place in laid[:4]:
        x, y = places_of(ARCHIPELAGO)[place]
        seen = maori.read(covering(picture, ARCHIPELAGO, (x + 12.4, y + 12.4), 8.0), ARCHIPELAGO).places[place]
        read_right += seen.content.partition("+")[0] == truth[place].partition("+")[0]
        assert seen.confidence < 0.99
    assert read_right >= 3


def test_words_are_those_of_the_rules():
    plain = next(name for name, tile in TILES.items() if tile.kind == "water")
    middle = next(name for name, tile in TILES.items() if tile.kind == "middle" and not tile.palms and not tile.wreaths)
    palms = next(name for name, tile in TILES.items() if tile.palms)
    assert seen_word(plain, 270, "blue:1,2") == plain
    assert seen_word(middle, 180, "blue:1,2") == middle
    assert seen_word(middle, 90, "blue:1,2") == f"{middle}@90"
    assert seen_word(middle, 90, "display:1,2") == middle
    assert seen_word(middle, 90, "blue:stock") == middle
    assert seen_word(palms, 90, "blue:1,2") == f"{palms}@90"


def test_a_photo_of_one_board_can_be_scored():
    picture, truth = pictured(ARCHIPELAGO, 2)
    seen = pieces_of(maori.read(picture, ARCHIPELAGO))
    assert seen.doubtful == {}
    assert seen.certain == {place: parse_content(content) for place, content in truth.items() if content != "empty"}
    game = game_named("maori")
    header = {"game": "maori", "rules": "advanced", "boards": ["archipelago"], "players": ["blue", "red"]}
    position = game.position_with(header, seen.certain)
    assert position["unseen"] == ["red"]
    assert position["laid"]["blue"] == {
        place.partition(":")[2]: dict(pieces)["tile"]
        for place, pieces in seen.certain.items()
        if not place.endswith(":stock")
    }
    assert "blue" in game.score_position(position).points


def test_what_is_in_doubt_is_not_told_as_certain():
    places = {
        "blue:1,2": PlaceSeen({"tile:E01": 0.6, "empty": 0.4}),
        "blue:1,3": PlaceSeen({"empty": 0.99}, is_covered=True),
        "blue:1,4": PlaceSeen({"tile:E02+boat:blue": 0.99}),
        "blue:2,1": PlaceSeen({"empty": 0.99}),
    }
    seen = pieces_of(SurfaceReading(ARCHIPELAGO, places, {}, (), None))
    assert seen.certain == {"blue:1,4": (("tile", "E02"), ("boat", "blue"))}
    assert seen.doubtful == {"blue:1,2": (("tile:E01", 0.6), ("empty", 0.4)), "blue:1,3": (("empty", 0.99),)}


def test_the_pictures_that_come_with_the_package_show_what_is_printed():
    for surface in (DISPLAY, "maori-atoll-green"):
        shipped = reference.reference_of(surface).picture.astype(int)
        assert np.abs(shipped - reference.small_picture(surface)).mean() < 3
    for tile in ("E01", "M07", "V2", "W17"):
        drawn = reference.tile_pixels(tile, reference.TILE_PX_PER_MM)[..., ::-1].astype(int)
        assert np.abs(reference.tile_pictures()[tile] - drawn).mean() < 4


def test_a_sheet_tells_where_its_places_are_and_a_wrong_paper_is_refused(tmp_path):
    told = json.loads(sheet_json(DISPLAY))
    assert told["places_mm"]["ship:1"] == list(places_of(DISPLAY)["ship:1"])
    assert len(told["markers"]) == 8
    with pytest.raises(SheetError, match="A4"):
        maori.print_sheets(tmp_path, "A7", lambda text: None)


def test_the_annotated_picture_keeps_its_size_and_differs_where_tiles_lie():
    picture, _ = pictured(ATOLL, 3)
    drawn = maori.annotated(picture, maori.read(picture, ATOLL))
    assert drawn.shape == picture.shape
    assert (drawn != picture).any()
