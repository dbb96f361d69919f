"""Places judged together: one thing belongs to one place, and huts of a set are equally large."""

import numpy as np
import pytest

from vision.read import both_heard
from vision.reading import claims, colours, owners, sizes
from vision.reading.network import BASE, BOTH, COLOURS, EMPTY, TIKI, Evidence, normalised
from vision.reading.patches import ANCHOR_PX, MM_PER_PX


def _evidence(logs, masks):
    count = len(logs)
    colours = np.zeros((count, 2, len(COLOURS)))
    return Evidence(normalised(np.array(logs)), np.full(count, -8.0), colours, masks, masks.copy())


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


def test_a_place_no_longer_shows_what_it_lost():
    places = np.array([[100.0, 100.0], [118.0, 100.0]])
    masks = np.zeros((2, 2, 16, 16))
    masks[0, 1, 8:11, 10:12] = 1
    masks[1, 1, 8:11, 4:6] = 1
    evidence = _evidence([[-4.0, -4.0, 0.0, -4.0], [-1.0, -4.0, -0.5, -4.0]], masks)
    settled = claims.settled(evidence, _from_above(places), places, np.ones(2), claims.Settings())
    assert settled.masks[0] == pytest.approx(masks[0])
    assert settled.masks[1].sum() < 0.5 * masks[1].sum()


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


def test_a_hut_of_which_the_network_is_torn_is_as_large_as_the_others():
    masks = _squares(5, 5, 5, 5, 5)
    masks[-1] = 0.5 * masks[-1].max(axis=0)  # each cell half a hut's and half a tiki's
    evidence = _evidence([SURE_HUT] * 4 + [TORN], masks)
    weighed = sizes.weighed(evidence, np.full(5, 0.98), np.ones(5, bool), None, sizes.Settings())
    assert weighed.states[-1].argmax() == BASE


def test_from_the_side_a_piece_slimmer_than_the_huts_is_a_tiki():
    masks = _squares(5, 5, 5, 5, 5)
    masks[-1, 0] = 0
    masks[-1, 0, 4:11, 6:9] = 1
    torn = [-9.0, -0.6, -0.9, -4.0]
    evidence = _evidence([SURE_HUT] * 4 + [torn], masks)
    weighed = sizes.weighed(evidence, np.full(5, 0.6), np.ones(5, bool), None, sizes.Settings())
    assert evidence.states[-1].argmax() == BASE
    assert weighed.states[-1].argmax() == TIKI


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
    assert sizes.hut_mm2(many, np.ones(5), np.ones(5, bool)) == pytest.approx(225.0)
    assert sizes.hut_mm2(many, np.ones(5), np.zeros(5, bool)) is None


def _tiki_between(chances):
    """Two places 18 mm apart that think as they are told; both patches show a tiki that stands on the first."""
    places = np.array([[100.0, 100.0], [118.0, 100.0]])
    masks = np.zeros((2, 2, 16, 16))
    masks[0, 1, 8:11, 7:10] = 1  # 18 mm are six cells of 3 mm
    anyone = masks.copy()
    anyone[1, 1, 8:11, 1:4] = 1
    evidence = _evidence(np.log(chances), masks)._replace(anyone=anyone)
    return places, evidence


def test_a_piece_that_nobody_owns_is_given_to_the_place_it_stands_on():
    places, evidence = _tiki_between([[0.6, 0.01, 0.38, 0.01], [0.9, 0.01, 0.08, 0.01]])
    answered = owners.answered(evidence, _from_above(places), places, np.ones(2), owners.Settings())
    assert answered.states.argmax(axis=1).tolist() == [TIKI, EMPTY]


def test_a_claim_on_ground_where_nothing_is_seen_is_doubted():
    places, evidence = _tiki_between([[0.01, 0.01, 0.97, 0.01], [0.4, 0.01, 0.58, 0.01]])
    answered = owners.answered(evidence, _from_above(places), places, np.ones(2), owners.Settings())
    assert answered.states.argmax(axis=1).tolist() == [TIKI, EMPTY]


def test_where_ground_and_network_agree_nothing_becomes_surer():
    places, evidence = _tiki_between([[0.01, 0.01, 0.97, 0.01], [0.97, 0.01, 0.01, 0.01]])
    answered = owners.answered(evidence, _from_above(places), places, np.ones(2), owners.Settings())
    assert answered.states == pytest.approx(evidence.states)


def test_a_place_that_its_neighbours_talk_out_of_its_opinion_is_a_doubt():
    alone = _evidence([[-0.7, 0.0, -5.0, -5.0], [-6.0, 0.0, -6.0, -6.0]], np.zeros((2, 2, 16, 16)))
    together = alone._replace(states=normalised(np.array([[0.0, -4.0, -5.0, -5.0], [-8.0, 0.0, -8.0, -8.0]])))
    heard = both_heard(alone, together)
    assert 0.5 < np.exp(heard.states[0, EMPTY]) < 0.8
    assert heard.states[1] == pytest.approx(together.states[1])


def test_a_likely_tiki_in_a_colour_that_the_set_lacks_is_doubted_and_a_plain_one_is_not():
    evidence = _evidence([[-2.5, -9.0, -0.1, -9.0], [-9.0, -9.0, 0.0, -9.0]], np.zeros((2, 2, 16, 16)))
    evidence.colours[:, 1, COLOURS.index("black")] = 6.0
    for palette, least in ((("pink", "blue"), 0.0), (("pink", "black"), 0.9)):
        weighed = colours.expected_colours(evidence, colours.prior_of(dict.fromkeys(palette, np.zeros(3)), ("pink",)))
        likely, plain = np.exp(weighed.states[:, TIKI])
        assert least < likely < least + 0.75
        assert plain > 0.99
