"""Places judged together: one thing belongs to one place, and huts of a set are equally large."""

import numpy as np
import pytest

from vision.reading import claims, sizes
from vision.reading.network import BASE, BOTH, COLOURS, TIKI, Evidence, normalised
from vision.reading.patches import ANCHOR_PX, MM_PER_PX


def _evidence(logs, masks):
    count = len(logs)
    return Evidence(normalised(np.array(logs)), np.full(count, -8.0), np.zeros((count, 2, len(COLOURS))), masks)


def _from_above(places_mm):
    """(N, 2, 3) patches of a camera straight above that shows 2 px per mm."""
    linear = np.eye(2) * 2.0 * MM_PER_PX
    return np.array([np.column_stack([linear, 2.0 * at - linear @ np.array(ANCHOR_PX)]) for at in places_mm])


def test_a_tiki_between_two_huts_goes_to_the_one_with_the_better_claim():
    places = np.array([[100.0, 100.0], [118.0, 100.0]])
    masks = np.zeros((2, 2, 16, 16))
    masks[:, 0, 8:12, 6:10] = 1
    masks[0, 1, 8:11, 10:12] = 1  # 18 mm are six cells of 3 mm: both mean the same cells, nearer to the first
    masks[1, 1, 8:11, 4:6] = 1
    first, second = [-9.0, -1.2, -9.0, -0.4], [-9.0, -0.6, -9.0, -0.8]
    evidence = _evidence([first, second], masks)
    settled = claims.settled(evidence, _from_above(places), places, np.ones(2), claims.Settings())
    assert settled.states[0].argmax() == BOTH
    assert settled.states[1].argmax() == BASE
    assert np.exp(settled.states[1, BOTH]) < 0.5 * np.exp(evidence.states[1, BOTH])


def test_claims_on_different_things_leave_each_other_alone():
    places = np.array([[100.0, 100.0], [118.0, 100.0]])
    masks = np.zeros((2, 2, 16, 16))
    masks[:, 0, 8:12, 6:10] = 1
    evidence = _evidence([[-9.0, 0.0, -9.0, -9.0]] * 2, masks)
    settled = claims.settled(evidence, _from_above(places), places, np.ones(2), claims.Settings())
    assert settled.states == pytest.approx(evidence.states)


def _squares(*sides):
    masks = np.zeros((len(sides), 2, 16, 16))
    for place, side in enumerate(sides):
        masks[place, 0, 6 : 6 + side, 5 : 5 + side] = 1
    return masks


SURE_HUT, TORN = [-9.0, 0.0, -6.0, -6.0], [-9.0, -0.4, -1.4, -4.0]


def _last(sides, elevation, known_mm2=None, is_site=True):
    """The state of the last of some places, of which the network is torn between hut and tiki."""
    count = len(sides)
    evidence = _evidence([SURE_HUT] * (count - 1) + [TORN], _squares(*sides))
    where = np.full(count, elevation), np.full(count, is_site)
    return int(sizes.weighed(evidence, *where, known_mm2, sizes.Settings()).states[-1].argmax())


def test_from_above_a_piece_half_as_large_as_the_huts_is_a_tiki():
    assert _last((5, 5, 5, 5, 3), 0.98) == TIKI
    assert _last((5, 5, 5, 5, 5), 0.98) == BASE


def test_from_the_side_and_on_club_places_size_says_nothing():
    assert _last((5, 5, 5, 5, 3), 0.6) == BASE
    assert _last((5, 5, 5, 5, 3), 0.98, is_site=False) == BASE


def test_huts_known_from_the_calibration_count_where_the_picture_shows_none():
    assert _last((4,), 0.98, known_mm2=280.0) == TIKI
    assert _last((4,), 0.98, known_mm2=140.0) == BASE


def test_a_sure_hut_stays_one_however_little_is_seen_of_it():
    evidence = _evidence([SURE_HUT] * 5, _squares(5, 5, 5, 5, 2))
    weighed = sizes.weighed(evidence, np.full(5, 0.98), np.ones(5, bool), None, sizes.Settings())
    assert weighed.states[-1].argmax() == BASE


def test_huts_are_measured_where_enough_are_seen():
    many = _evidence([SURE_HUT] * 5, _squares(5, 5, 5, 5, 5))
    assert sizes.hut_mm2(many, np.ones(5, bool)) == pytest.approx(225.0)
    assert sizes.hut_mm2(many, np.zeros(5, bool)) is None
