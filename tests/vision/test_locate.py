"""The board is found from a few markers or from its art alone, and what is wrong with a picture is told apart."""

import cv2
import numpy as np
import pytest

from tests.vision.photograph import photograph, view_from
from vision.errors import BoardCut, BoardNotFound, OtherBoard, PictureMirrored, TwoBoards
from vision.locate.find import locate, locate_by_corners
from vision.locate.pose import at_height
from vision.reference import printed_reference


@pytest.fixture(scope="module")
def reference():
    return printed_reference("maka-bana")


def _apart_mm(found, true, reference, height=0.0):
    points = at_height(reference.places_mm, height)
    apart = np.linalg.norm(found.project(points) - true.project(points), axis=1)
    return float((apart / true.scale_at(points)).max())


def _hidden(picture, view, reference, keep):
    """The picture with all markers but some painted over."""
    for ident, corners in reference.markers_mm.items():
        if ident not in keep:
            grown = corners.mean(axis=0) + (corners - corners.mean(axis=0)) * 1.2
            cv2.fillConvexPoly(picture, np.round(view.project(grown)).astype(np.int32), (60, 80, 110))
    return picture


@pytest.mark.parametrize(("tilt", "turn"), [(1, 0), (20, 100), (45, 180), (60, 275)])
def test_places_are_found_to_half_a_millimetre_from_any_side(reference, tilt, turn):
    view = view_from(tilt, turn, 780)
    found = locate(photograph(reference, view), reference)
    assert _apart_mm(found.view, view, reference) < 0.5
    # Straight from above the lens can't be told, so the tops of pieces are known less well there.
    assert _apart_mm(found.view, view, reference, 20.0) < (1.5 if tilt > 10 else 3.0)


def test_a_bent_lens_is_straightened(reference):
    view = view_from(40, 30, 600, focal=0.75, k1=-0.12)
    found = locate(photograph(reference, view), reference)
    assert _apart_mm(found.view, view, reference) < 0.8
    assert found.view.camera.k1 < -0.06


def test_two_markers_are_enough_once_the_camera_is_known(reference):
    view = view_from(35, 60, 700)
    two = sorted(reference.markers_mm)[:2]
    picture = _hidden(photograph(reference, view), view, reference, two)
    found = locate(picture, reference, view.camera)
    assert found.markers == 2
    assert _apart_mm(found.view, view, reference) < 1.0


def test_without_any_marker_the_art_is_enough(reference):
    view = view_from(30, 10, 640)
    found = locate(_hidden(photograph(reference, view), view, reference, ()), reference)
    assert (found.by, found.markers) == ("art", 0)
    assert _apart_mm(found.view, view, reference) < 1.0


def test_four_corners_put_by_hand_place_the_board(reference):
    view = view_from(35, 20, 700)
    width, height = reference.size_mm
    corners = view.project(np.array([[0, 0], [width, 0], [width, height], [0, height]], float))
    found = locate_by_corners(corners, view.camera.size_px, reference)
    assert _apart_mm(found.view, view, reference) < 0.5


def test_a_table_without_board_is_said_to_be_one(reference):
    noise = cv2.GaussianBlur(np.random.default_rng(1).integers(0, 255, (900, 1200, 3), np.uint8), (0, 0), 4)
    with pytest.raises(BoardNotFound, match="No board maka-bana"):
        locate(noise, reference)


def test_only_a_corner_is_told(reference):
    view = view_from(20, 0, 300, target=(0, 0))
    with pytest.raises(BoardCut, match="Only a part"):
        locate(photograph(reference, view), reference)


def test_another_board_is_named(reference):
    with pytest.raises(OtherBoard, match="This is the board noka, not maka-bana"):
        locate(photograph(printed_reference("noka"), view_from(30, 0, 700)), reference)


@pytest.mark.parametrize("other", ["noka", "maka-bana"])
def test_two_boards_are_told(reference, other):
    left = photograph(reference, view_from(10, 0, 900, size=(1000, 900)))
    right = photograph(printed_reference(other), view_from(10, 40, 900, size=(1000, 900)))
    with pytest.raises(TwoBoards, match=f"maka-bana and {other}"):
        locate(np.hstack([left, right]), reference)


def test_a_mirrored_picture_is_told(reference):
    picture = cv2.flip(photograph(reference, view_from(30, 0, 700)), 1)
    with pytest.raises(PictureMirrored, match="mirrored"):
        locate(picture, reference)
