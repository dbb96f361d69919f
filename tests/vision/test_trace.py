"""A board traced on a photo becomes a board file of ours, with places where they were clicked."""

import copy

import cv2
import numpy as np
import pytest

from companion.games.makabana.board import load_board
from companion.games.protocol import FormatError
from vision.errors import TraceWrong
from vision.trace import board_file, board_of, parse_trace, reference_of_trace

SIZE_MM = (360.0, 248.85)
MATRIX = cv2.getPerspectiveTransform(
    np.array([[0, 0], [360, 0], [360, 248.85], [0, 248.85]], np.float32),
    np.array([[310, 220], [1700, 180], [1850, 1300], [150, 1250]], np.float32),
)


def _photo_point(x: float, y: float) -> list[float]:
    at = cv2.perspectiveTransform(np.array([[[x * SIZE_MM[0], y * SIZE_MM[1]]]]), MATRIX.astype(np.float64))
    return [float(value) for value in at.ravel()]


@pytest.fixture
def clicks():
    board = load_board("maka-bana")
    return {
        "trace": 1, "board": "my-island", "edition": "2013", "photo_px": [2000, 1500], "size_mm": list(SIZE_MM),
        "corners_px": [_photo_point(*corner) for corner in ((0, 0), (1, 0), (1, 1), (0, 1))],
        "sites": {site: _photo_point(*at) for site, at in board.sites.items()},
        "clubs": {beach: _photo_point(*at) for beach, at in board.clubs.items()},
        "adjacent": [list(pair) for pair in board.adjacent],
    }  # fmt: skip


def test_clicks_on_a_slanted_photo_give_back_the_board(clicks):
    traced, original = board_of(parse_trace(clicks)), load_board("maka-bana")
    assert traced.adjacent == original.adjacent
    assert traced.complexes == original.complexes
    assert not traced.designed
    for site, (x, y) in original.sites.items():
        assert traced.sites[site] == pytest.approx((x, y), abs=2e-4)


def test_the_photo_is_laid_flat_with_sites_in_mm(clicks):
    photo = np.zeros((1500, 2000, 3), np.uint8)
    trace = parse_trace(clicks)
    x, y = clicks["sites"]["Azzura-Lagon-Fleur"]
    cv2.circle(photo, (round(x), round(y)), 9, (0, 0, 255), -1)
    reference = reference_of_trace(trace, photo)
    red = np.argwhere(reference.picture[..., 2] > 200).mean(axis=0)[::-1] / reference.px_per_mm
    assert red == pytest.approx(reference.sites_mm["Azzura-Lagon-Fleur"], abs=0.6)


def test_a_photo_of_another_size_is_refused(clicks):
    with pytest.raises(TraceWrong, match="10 x 10"):
        reference_of_trace(parse_trace(clicks), np.zeros((10, 10, 3), np.uint8))


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("trace", 2, "trace"),
        ("corners_px", [[0, 0], [1, 1]], "four points"),
        ("corners_px", [[0, 0], [0, 900], [900, 900], [900, 0]], "clockwise"),
        ("photo_px", [0, 10], "photo_px"),
        ("sites", [1], "must name points"),
        ("sites", {"A-B-C": ["x", 2]}, "needs x and y"),
        ("sites", {"A-B-C": [99999, 2]}, "far outside"),
        ("adjacent", [["one"]], "list of lists"),
    ],
)
def test_wrong_clicks_are_named(clicks, key, value, said):
    wrong = {**copy.deepcopy(clicks), key: value}
    with pytest.raises(TraceWrong, match=said):
        parse_trace(wrong)


def test_what_the_board_file_forbids_is_said_by_the_board_file(clicks):
    clicks["sites"].pop("Azzura-Lagon-Fleur")
    with pytest.raises(FormatError, match="sector_incomplete"):
        board_of(parse_trace(clicks))
    assert board_file(parse_trace(clicks))["board"] == "my-island"
