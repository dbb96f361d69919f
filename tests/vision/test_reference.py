"""The pictures of empty boards that the reader carries are those that are printed."""

import numpy as np
import pytest

from companion.games.makabana.board import BOARD_NAMES
from vision.reference import drawn_picture, printed_reference


def test_the_reference_is_the_printed_board():
    drawn = drawn_picture("nadaa").astype(float)
    carried = printed_reference("nadaa").picture
    assert carried.shape == drawn.shape
    assert np.abs(carried - drawn).mean() < 2.0, "the artwork has changed: run python -m vision.reference"


@pytest.mark.parametrize("name", BOARD_NAMES)
def test_places_and_markers_lie_on_the_sheet(name):
    reference = printed_reference(name)
    width, height = reference.size_mm
    points = np.concatenate([reference.places_mm, *reference.markers_mm.values()])
    assert (points > 0).all()
    assert (points < (width, height)).all()
    assert len(reference.markers_mm) == 20
