"""Synthetic scenes: that they repeat, and that what they say of themselves is what they show."""

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.games.makabana.board import BOARD_NAMES
from vision.scenes import printed
from vision.scenes.camera import LENSES, View, place_camera, world_of_sheet
from vision.scenes.clubs import CLUBS
from vision.scenes.huts import HUTS
from vision.scenes.lamps import kelvin_rgb
from vision.scenes.paints import COLOURS, LEAST_DIFFERENCE, _least_difference, make_set
from vision.scenes.pieces import model
from vision.scenes.position import EDITION_COLOURS, Habits, Position, _shared_area, random_position, set_down
from vision.scenes.printed import sheet_of
from vision.scenes.raster import highest_values, nearest_triangles
from vision.scenes.scene import calibration_scene, empty_scene, make_scene, position_of, shoot
from vision.scenes.setting import setting_of
from vision.scenes.spec import DIFFICULTIES, SceneError, SceneSpec
from vision.scenes.story import sequence
from vision.scenes.tikis import TIKIS

SMALL = (480, 360)
MIDDLE = (960, 720)


def plain_print(board: str) -> np.ndarray:
    """A sheet with its markers and plots and little else: drawing the real artwork takes seconds."""
    sheet = sheet_of(board)
    scale = printed.DOTS_PER_MM
    picture = np.full((round(sheet.size_mm[1] * scale), round(sheet.size_mm[0] * scale), 3), 255, np.uint8)
    art = [
        round(side * scale) for side in (sheet.art_mm.left, sheet.art_mm.top, sheet.art_mm.right, sheet.art_mm.bottom)
    ]
    picture[art[1] : art[3], art[0] : art[2]] = (190, 215, 225)
    for x, y in sheet.sites_mm.values():
        cv2.circle(picture, (round(x * scale), round(y * scale)), round(sheet.plot_mm / 2 * scale), (250, 248, 240), -1)
    codes = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_250)
    for marker in sheet.markers:
        left, top = (round(side * scale) for side in marker.corners_mm[0])
        side = round(marker.side_mm * scale)
        picture[top : top + side, left : left + side] = cv2.aruco.generateImageMarker(codes, marker.id, side)[..., None]
    return picture


@pytest.fixture(autouse=True)
def _quick_prints(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(printed, "board_pixels", plain_print)
    printed.print_of.cache_clear()
    yield
    printed.print_of.cache_clear()


def found_markers(image: np.ndarray) -> dict[int, np.ndarray]:
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_250))
    corners, ids, _ = detector.detectMarkers(image)
    return (
        {}
        if ids is None
        else {int(ident): quad.reshape(4, 2) for ident, quad in zip(ids.ravel(), corners, strict=True)}
    )


def patch(image: np.ndarray, pixel: np.ndarray, reach: int = 3) -> np.ndarray:
    column, row = (round(float(value)) for value in pixel)
    return image[row - reach : row + reach + 1, column - reach : column + reach + 1].astype(float)


# --- the same twice ---


def test_a_spec_always_gives_the_same_picture_and_truth():
    spec = SceneSpec("nadaa", 3, "hard", SMALL)
    first, second = make_scene(spec), make_scene(spec)
    assert np.array_equal(first.image, second.image)
    assert first.truth == second.truth


def test_another_seed_gives_another_scene():
    one, two = (make_scene(SceneSpec("nadaa", seed, "easy", SMALL)) for seed in (1, 2))
    assert position_of(one) != position_of(two)
    assert not np.array_equal(one.camera.turn, two.camera.turn)


def test_another_frame_differs_in_noise_alone():
    setting = setting_of(SceneSpec("nadaa", 4, "normal", SMALL))
    one, two = shoot(setting), shoot(replace(setting, frame=1))
    difference = np.abs(one.image.astype(int) - two.image)
    assert 0 < difference.mean() < 6
    assert one.truth == two.truth


def test_what_is_asked_for_is_what_is_shown():
    sites = [*sheet_of("maka-bana").sites_mm]
    wanted = Position(
        {sites[0]: "pink", sites[5]: "violet"}, {sites[5]: "violet", sites[9]: "orange"}, {"Bikini": "blue"}
    )
    scene = make_scene(
        SceneSpec("maka-bana", 1, "easy", SMALL, position=wanted, lens="webcam", table="dark", clutter=0)
    )
    assert position_of(scene) == wanted
    assert scene.setting.table.name == "dark"
    assert scene.setting.clutter == ()


def test_an_unknown_name_is_refused_with_the_known_ones():
    with pytest.raises(SceneError, match=r"no board 'atlantis'.*maka-bana, maka-bana-2003, nadaa, noka"):
        SceneSpec("atlantis")
    with pytest.raises(SceneError, match="no difficulty 'mild'"):
        SceneSpec(difficulty="mild")


# --- the truth is what the picture shows ---


@pytest.mark.parametrize("board", BOARD_NAMES)
@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_every_board_renders_in_every_difficulty(board, difficulty):
    scene = make_scene(SceneSpec(board, 11, difficulty, SMALL))
    sheet = sheet_of(board)
    assert scene.image.shape == (360, 480, 3)
    assert scene.image.dtype == np.uint8
    assert scene.image.std() > 8
    assert scene.truth.sites.keys() == sheet.sites_mm.keys()
    assert scene.truth.clubs.keys() == sheet.clubs_mm.keys()
    assert {piece.colour for piece in scene.setting.standing} <= set(EDITION_COLOURS[sheet.board.edition])


@pytest.mark.parametrize("seed", [1, 2])
def test_the_picture_changes_where_the_true_camera_sees_pieces_and_nowhere_else(seed):
    spec = SceneSpec("noka", seed, "easy", MIDDLE, clutter=0, jpeg=95)
    scene, empty = make_scene(spec), empty_scene(spec)
    assert not empty.setting.standing
    sheet = sheet_of("noka")
    for piece in scene.setting.standing:
        pixel = scene.camera.project(np.float32([[*piece.at_mm, 3.0]]))[0]
        if piece.kind != "club":  # the middle of a ring is open
            change = np.abs(patch(scene.image, pixel) - patch(empty.image, pixel)).max(axis=2).mean()
            assert change > 18, (piece, change)
    free = {
        site: at
        for site, at in sheet.sites_mm.items()
        if not (scene.truth.sites[site].hut or scene.truth.sites[site].tiki)
    }
    taken = np.array([piece.at_mm for piece in scene.setting.standing])
    for site, at in free.items():
        world = world_of_sheet(np.float32([at]), sheet.size_mm)[0]
        if np.linalg.norm(taken - world[:2], axis=1).min() > 25:
            pixel = scene.camera.project_mm(np.float32([at]))[0]
            ratio = patch(scene.image, pixel).mean() / patch(empty.image, pixel).mean()
            assert 0.7 < ratio < 1.3, (site, ratio)


def test_painted_pieces_show_their_colour():
    sites = [*sheet_of("nadaa").sites_mm]
    wanted = Position(dict(zip(sites[::4], ("blue", "yellow", "green"), strict=False)))
    scene = make_scene(SceneSpec("nadaa", 5, "easy", MIDDLE, position=wanted, clutter=0))
    shown = {}
    for piece in scene.setting.standing:
        blue, green, red = patch(scene.image, scene.camera.project(np.float32([[*piece.at_mm, 9.0]]))[0]).mean(
            axis=(0, 1)
        )
        shown[piece.colour] = (red, green, blue)
    assert shown["blue"][2] > shown["blue"][0]
    assert min(shown["yellow"][:2]) > shown["yellow"][2]
    assert shown["green"][1] > max(shown["green"][0], shown["green"][2])


@pytest.mark.parametrize("azimuth", [0.0, 180.0, 77.0])
def test_markers_are_found_where_the_true_camera_puts_them(azimuth):
    scene = make_scene(SceneSpec("maka-bana", 6, "easy", (1280, 960), azimuth_deg=azimuth))
    markers = {marker.id: marker for marker in sheet_of("maka-bana").markers}
    found = found_markers(scene.image)
    assert set(found) == set(markers) - scene.truth.hidden_markers
    for ident, quad in found.items():
        true = scene.camera.project_mm(np.float32(markers[ident].corners_mm))
        assert np.abs(quad - true).max() < 2.5


def test_the_pose_in_the_sheet_frame_is_what_solve_pnp_finds():
    scene = make_scene(SceneSpec("maka-bana", 7, "easy", (1280, 960)))
    markers = {marker.id: marker for marker in sheet_of("maka-bana").markers}
    found = found_markers(scene.image)
    flat = np.float32([(*corner, 0.0) for ident in found for corner in markers[ident].corners_mm])
    camera = scene.camera
    _, turn, shift = cv2.solvePnP(flat, np.concatenate([*found.values()]), camera.matrix, camera.distortion)
    assert np.abs(cv2.Rodrigues(turn)[0] - camera.rotation_sheet).max() < 0.01
    assert np.abs(shift.ravel() - camera.shift_sheet).max() < 2.0


def test_an_owners_copy_shows_no_markers():
    assert not found_markers(make_scene(SceneSpec("nadaa", 1, "easy", MIDDLE, markers=False)).image)


def test_hidden_markers_are_hidden():
    scene = make_scene(SceneSpec("maka-bana", 9, "normal", (1280, 960), hidden_markers=3, hands=0))
    assert len(scene.truth.hidden_markers) >= 2
    shown = make_scene(SceneSpec("maka-bana", 9, "normal", (1280, 960), hidden_markers=0, hands=0, clutter=0))
    assert not shown.truth.hidden_markers


# --- hands ---


def test_the_truth_names_the_sites_that_a_hand_covers():
    spec = SceneSpec("maka-bana", 2, "hard", MIDDLE, hands=1, clutter=0, hidden_markers=0, jpeg=90)
    setting = setting_of(spec)
    sheet = sheet_of("maka-bana")
    site = "Azzura-Cocotier-Fleur" if "Azzura-Cocotier-Fleur" in sheet.sites_mm else [*sheet.sites_mm][5]
    x, y, _ = world_of_sheet(np.float32([sheet.sites_mm[site]]), sheet.size_mm)[0]
    over = setting.hands[0]._replace(tip_mm=(float(x), float(y), 16.0), pose="rest", skin=(0.9, 0.02, 0.9), sleeve=None)
    scene = shoot(replace(setting, hands=(over,)))
    free = shoot(replace(setting, hands=()))
    assert free.truth.covered == frozenset()
    assert scene.truth.covered
    assert position_of(scene) == position_of(free)  # what stands below is still true
    for name in scene.truth.covered & sheet.sites_mm.keys():
        if scene.truth.sites[name].covered > 0.97:
            blue, green, red = patch(
                scene.image, scene.camera.project_mm(np.float32([sheet.sites_mm[name]]))[0], 1
            ).mean((0, 1))
            assert green < min(blue, red)  # the magenta of this hand


# --- calibration, sequences ---


def test_a_calibration_scene_shows_one_hut_of_each_colour_to_the_same_camera():
    spec = SceneSpec("maka-bana-2003", 5, "normal", SMALL)
    scene, calibration = make_scene(spec), calibration_scene(spec)
    assert sorted(position_of(calibration).huts.values()) == sorted(EDITION_COLOURS["2003"])
    assert calibration.setting.pieces == scene.setting.pieces
    assert calibration.setting.light == scene.setting.light
    assert np.array_equal(calibration.camera.turn, scene.camera.turn)


def test_one_set_may_be_used_in_many_scenes():
    one, two = (setting_of(SceneSpec("nadaa", seed, "easy", SMALL, set_seed=42)) for seed in (1, 2))
    assert one.pieces == two.pieces
    assert one.light != two.light


def test_a_sequence_tells_its_story():
    frames = [*sequence(SceneSpec("nadaa", 8, "normal", (320, 240), clutter=0))]
    notes = [frame.note for frame in frames]
    assert notes == ["still"] * 2 + ["hand"] * 6 + ["still"] * 2 + ["bump"] + ["still"] * 2 + ["lamp"] + ["still"] * 2
    huts = [len(position_of(frame).huts) for frame in frames]
    assert huts == [huts[0]] * 5 + [huts[0] + 1] * 11
    assert any(frame.truth.covered for frame in frames if frame.note == "hand")
    bump, lamp = notes.index("bump"), notes.index("lamp")
    assert np.array_equal(frames[0].camera.turn, frames[bump - 1].camera.turn)
    assert not np.array_equal(frames[bump - 1].camera.turn, frames[bump].camera.turn)
    assert frames[lamp - 1].setting.light != frames[lamp].setting.light == frames[-1].setting.light


# --- the parts ---


@pytest.mark.parametrize("lens", LENSES)
def test_a_ray_through_a_projected_point_meets_that_point(lens):
    rng = np.random.default_rng(3)
    camera = place_camera(rng, LENSES[lens], View(30.0, 140.0, 4.0, 0.9, (0.0, 0.0)), (640, 480), (420.0, 297.0))
    places = np.float32(rng.uniform((-200, -140), (200, 140), (200, 2)))
    pixels = camera.project(np.column_stack([places, np.zeros(200, np.float32)]))
    rays = camera.rays()
    for (x, y), (column, row) in zip(places, pixels, strict=True):
        near = cv2.getRectSubPix(rays, (1, 1), (float(column), float(row)))[0, 0]
        reach = -camera.eye_mm[2] / near[2]
        assert np.hypot(camera.eye_mm[0] + reach * near[0] - x, camera.eye_mm[1] + reach * near[1] - y) < 0.12


def test_the_z_buffer_agrees_with_a_slow_one():
    rng = np.random.default_rng(1)
    points = np.float32(rng.uniform(-4, 34, (60, 3, 2)))
    near = np.float32(rng.uniform(0.5, 2.0, (60, 3)))
    fast = nearest_triangles(points, near, (30, 24))
    best = np.zeros((24, 30))
    slow = np.full((24, 30), -1)
    for index, (corners, depth) in enumerate(zip(points.astype(float), near, strict=True)):
        system = np.vstack([corners.T, np.ones(3)])
        for row in range(24):
            for column in range(30):
                share = np.linalg.solve(system, [column, row, 1.0])
                if (share >= 0).all() and share @ depth > best[row, column]:
                    best[row, column], slow[row, column] = share @ depth, index
    assert (fast == slow).mean() > 0.995  # rounding may decide on an edge
    highest = highest_values(points, near, (30, 24), 0.0)
    assert np.abs(highest - best).max() < 1e-4


@pytest.mark.parametrize(
    ("kind", "name", "size"),
    [
        *(("hut", name, (14, 14, 12)) for name in HUTS),
        *(("tiki", name, (10, 10, 22)) for name in TIKIS),
        *(("club", name, (20, 20, None)) for name in CLUBS),
    ],
)
def test_a_model_has_its_size_and_stands_on_the_board_right_side_out(kind, name, size):
    mesh = model(kind, name)
    extent = np.ptp(mesh.corners.reshape(-1, 3), axis=0)
    for side, wanted in zip(extent, size, strict=True):
        assert wanted is None or abs(side - wanted) < 0.15 * wanted
    assert abs(float(mesh.corners[..., 2].min())) < 1e-3
    a, b, c = (mesh.corners[:, index].astype(float) for index in range(3))
    assert np.einsum("ti,ti->", a, np.cross(b, c)) > 0  # six times the volume
    face = np.cross(b - a, c - a)
    solid = np.linalg.norm(face, axis=1) > 1e-4
    assert (np.einsum("ti,ti->t", face, mesh.normals.mean(axis=1))[solid] > 0).all()


def test_pieces_stand_near_their_places_and_not_inside_each_other():
    sheet = sheet_of("maka-bana")
    for seed in range(6):
        rng = np.random.default_rng(seed)
        standing = set_down(rng, sheet, random_position(rng, sheet), Habits(3.0, 0.1, 3.0))
        for index, piece in enumerate(standing):
            middle = (sheet.clubs_mm if piece.on_club else sheet.sites_mm)[piece.place]
            x, y, _ = world_of_sheet(np.float32([middle]), sheet.size_mm)[0]
            assert np.hypot(piece.at_mm[0] - x, piece.at_mm[1] - y) < 9.6
            assert all(_shared_area(piece, other) < 20 for other in standing[:index])


def test_no_set_has_two_colours_that_players_could_not_tell_apart():
    for seed in range(20):
        paints = make_set(np.random.default_rng(seed)).paints
        assert set(paints) == set(COLOURS)
        assert _least_difference(paints) >= LEAST_DIFFERENCE


def test_lamps_go_from_warm_to_cold():
    warm, day = kelvin_rgb(2700), kelvin_rgb(6500)
    assert warm[0] > warm[1] > warm[2]
    assert max(day) - min(day) < 0.12
