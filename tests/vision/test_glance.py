"""Looks that are spared, and looks that are taken twice."""

from pathlib import Path

import numpy as np
import pytest

from vision.images import open_picture
from vision.read import Settings, read
from vision.reading import glance, patches
from vision.reading.network import evidence_of
from vision.reading.patches import CHANNELS, SIZE_PX, Patches
from vision.reference import printed_reference

PICTURE = Path(__file__).parents[1] / "data/vision/maka-bana-normal.jpg"


def _patches(*seen):
    print_ = np.full((SIZE_PX, SIZE_PX, 3), (150, 190, 200), np.uint8)
    print_[30:46, 24:40] = (90, 110, 120)
    count = len(seen)
    whole = np.ones((count, SIZE_PX, SIZE_PX), bool)
    empty = np.stack([print_] * count)
    shown = np.stack([each(print_.copy()) for each in seen])
    return Patches(shown, empty, whole, np.full(count, 0.9), np.zeros((count, SIZE_PX, SIZE_PX), np.float32))


def _with_piece(colour):
    def change(picture):
        picture[28:40, 26:38] = colour
        return picture

    return change


def test_the_print_under_a_warm_lamp_is_plainly_empty():
    lamp = np.array([0.4, 0.6, 0.8])
    cut = _patches(lambda picture: (picture * lamp).astype(np.uint8))
    assert glance.shows_print(cut, lamp[None]).all()


@pytest.mark.parametrize("colour", [(60, 190, 215), (20, 20, 20), (230, 230, 230), (150, 190, 140)])
def test_no_piece_is_taken_for_the_print_even_if_only_one_colour_differs(colour):
    assert not glance.shows_print(_patches(_with_piece(colour)), np.ones((1, 3))).any()


def test_a_place_that_reaches_out_of_the_picture_is_never_plain():
    cut = _patches(lambda picture: picture)
    cut.inside[0, :3] = False
    assert not glance.shows_print(cut, np.ones((1, 3))).any()


def test_sparing_plain_places_changes_no_reading(monkeypatch):
    picture, reference = open_picture(PICTURE), printed_reference("maka-bana")
    quick = read(picture, reference)
    monkeypatch.setattr(glance, "_MOST", 0.0)
    thorough = read(picture, reference)
    assert [verdict.state for verdict in quick.verdicts] == [verdict.state for verdict in thorough.verdicts]


def test_a_mirror_turns_left_to_right_and_a_shift_moves_the_patch():
    channels = np.zeros((1, CHANNELS, SIZE_PX, SIZE_PX), np.float32)
    channels[0, :, 20, 10] = 1
    views = patches.mirrored(channels, ((0, 0), (2, -1)))
    assert views.shape == (2, CHANNELS, SIZE_PX, SIZE_PX)
    assert np.argwhere(views[0, 0]).tolist() == [[20, SIZE_PX - 1 - 10]]
    assert np.argwhere(views[1, 0]).tolist() == [[21, SIZE_PX - 1 - 10 - 2]]


@pytest.mark.parametrize(("second_look", "looks"), [(0.0, 1), (3.0, 2)])
def test_only_torn_places_are_looked_at_twice(monkeypatch, second_look, looks):
    counts = []

    def counted(channels):
        counts.append(len(channels))
        return evidence_of(channels)

    monkeypatch.setattr("vision.read.evidence_of", counted)
    read(open_picture(PICTURE), printed_reference("maka-bana"), settings=Settings(second_look=second_look))
    assert len(counts) == looks
    assert all(count < counts[0] for count in counts[1:])
