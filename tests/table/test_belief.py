"""Belief: what sensors say turns into costs, in nats, and silence into nothing."""

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.table.belief import CAMERA_SLIP, FRESH_S, HALF_S, LOOK_MIX, TAG_GONE, TAG_THERE, Belief
from companion.table.observations import CARD, DESK, TIKI, BoardSeen, Event, Health, Piece, Tag, TagsSeen, When
from tests.table.support import CAMERA, odds

SITE = "Danae-Lagon-Fleur"


def saw(belief: Belief, at: float = 10.0, hidden: tuple[str, ...] = (), **contents: object) -> None:
    """The camera looks at the one site: `saw(belief, empty=0.9, hut_blue=0.1)`."""
    reading = {name.replace("_", ":"): chance for name, chance in contents.items()}
    belief.hear(BoardSeen(CAMERA, {SITE: reading} if reading else {}, hidden, When(at)))


def tags(belief: Belief, *pieces: Piece | None, place: str = SITE, at: float = 10.0, sensor: str = "r1") -> None:
    found = tuple(Tag(f"04{n:012X}", piece, When(at)) for n, piece in enumerate(pieces))
    belief.hear(TagsSeen(sensor, place, found, When(at)))


def lost(belief: Belief, sensor: str, at: float = 11.0) -> None:
    belief.hear(Health(sensor, "", False, at, Event("lost")))


BLUE_TIKI = Piece(TIKI, "blue")


def test_a_place_nobody_looks_at_has_no_costs():
    assert Belief().cost(SITE, "empty", 10.0) is None


def test_the_favourite_costs_nothing_and_the_rest_its_odds():
    belief = Belief()
    saw(belief, empty=0.9, hut_blue=0.1)
    assert belief.cost(SITE, "empty", 10.0) == 0.0
    assert belief.cost(SITE, "hut:blue", 10.0) == pytest.approx(log(9), abs=0.01)


def test_odds_need_not_sum_to_one():
    one, other = Belief(), Belief()
    saw(one, empty=0.9, hut_blue=0.1)
    saw(other, empty=9.0, hut_blue=1.0)
    assert one.cost(SITE, "hut:blue", 10.0) == pytest.approx(other.cost(SITE, "hut:blue", 10.0))


def test_however_sure_a_camera_is_nothing_costs_more_than_its_slips_allow():
    belief = Belief()
    saw(belief, empty=1.0, hut_blue=0.0)
    ceiling = -log(CAMERA_SLIP)
    assert belief.cost(SITE, "hut:blue", 10.0) == pytest.approx(ceiling, abs=0.01)
    assert belief.cost(SITE, "hut:never-mentioned", 10.0) == pytest.approx(ceiling, abs=0.01)


@given(st.dictionaries(st.sampled_from(["empty", "hut_blue", "hut_pink", "tiki_blue"]), st.floats(0, 1e6), min_size=1))
def test_costs_lie_between_nothing_and_the_ceiling_for_all_odds(reading):
    belief = Belief()
    saw(belief, **reading)
    for content in ("empty", "hut:blue", "club:green"):
        assert 0.0 <= belief.cost(SITE, content, 10.0) <= -log(CAMERA_SLIP) + 1e-9


def test_a_thousand_equal_frames_are_no_better_witness_than_one():
    belief = Belief()
    saw(belief, empty=0.9, hut_blue=0.1)
    once = belief.cost(SITE, "hut:blue", 10.0)
    for frame in range(1000):
        saw(belief, 10.0 + frame / 100, empty=0.9, hut_blue=0.1)
    assert belief.cost(SITE, "hut:blue", 20.0) == once


def test_noisy_frames_are_averaged_and_not_added_up():
    belief = Belief()
    saw(belief, 10.0, empty=0.9, hut_blue=0.1)
    saw(belief, 10.2, empty=0.99, hut_blue=0.01)
    wanted = (1 - LOOK_MIX) * log(9) + LOOK_MIX * log(99)
    assert belief.cost(SITE, "hut:blue", 10.2) == pytest.approx(wanted, abs=0.03)


def test_a_change_of_the_favourite_counts_at_once():
    belief = Belief()
    saw(belief, 10.0, empty=0.999, hut_blue=0.001)
    saw(belief, 10.2, empty=0.1, hut_blue=0.9)
    assert belief.favourite(SITE) == "hut:blue"
    assert belief.cost(SITE, "hut:blue", 10.2) == 0.0
    assert belief.changed_at == 10.2


def test_a_steady_board_does_not_count_as_a_change():
    belief = Belief()
    saw(belief, 10.0, empty=0.9, hut_blue=0.1)
    changes = belief.changes
    saw(belief, 10.2, empty=0.92, hut_blue=0.08)
    assert (belief.changes, belief.changed_at) == (changes, 10.0)


# --- Silence ---


def test_a_camera_unheard_for_a_moment_keeps_its_full_weight():
    belief = Belief()
    saw(belief, 10.0, empty=0.9, hut_blue=0.1)
    assert belief.cost(SITE, "hut:blue", 10.0 + FRESH_S) == belief.cost(SITE, "hut:blue", 10.0)


def test_a_silent_camera_loses_half_its_weight_in_every_half_life():
    belief = Belief()
    saw(belief, 10.0, empty=0.9, hut_blue=0.1)
    full = belief.cost(SITE, "hut:blue", 10.0)
    assert belief.cost(SITE, "hut:blue", 10.0 + FRESH_S + HALF_S) == pytest.approx(full / 2)
    assert belief.cost(SITE, "hut:blue", 10.0 + FRESH_S + 2 * HALF_S) == pytest.approx(full / 4)


def test_a_camera_silent_for_half_a_minute_says_nothing():
    belief = Belief()
    saw(belief, 10.0, empty=0.9, hut_blue=0.1)
    assert belief.sees_board(11.0)
    assert not belief.sees_board(40.0)
    assert belief.cost(SITE, "hut:blue", 40.0) is None


def test_a_lost_camera_says_nothing_at_once():
    belief = Belief()
    saw(belief, 10.0, empty=0.9, hut_blue=0.1)
    lost(belief, CAMERA)
    assert not belief.sees_board(11.0)
    assert belief.cost(SITE, "empty", 11.0) is None
    assert belief.favourite(SITE) is None
    assert belief.contents(SITE) == []


def test_the_loss_of_another_sensor_does_not_blind_the_camera():
    belief = Belief()
    saw(belief, 10.0, empty=0.9, hut_blue=0.1)
    lost(belief, "north/place-1")
    assert belief.cost(SITE, "empty", 11.0) == 0.0


def test_a_camera_that_comes_back_is_looked_at_afresh():
    belief = Belief()
    saw(belief, 10.0, empty=0.999, hut_blue=0.001)
    lost(belief, CAMERA)
    saw(belief, 12.0, hut_blue=0.9, empty=0.1)
    assert belief.cost(SITE, "empty", 12.0) == pytest.approx(log(9), abs=0.01)


def test_a_covered_place_is_unknown_and_looked_at_afresh_afterwards():
    belief = Belief()
    saw(belief, 10.0, empty=0.999, hut_blue=0.001)
    saw(belief, 10.2, hidden=(SITE,))
    assert belief.is_hidden(SITE)
    assert belief.has_hidden()
    assert belief.cost(SITE, "empty", 10.2) is None
    assert belief.contents(SITE) == []
    saw(belief, 10.4, hut_blue=0.9, empty=0.1)
    assert not belief.has_hidden()
    assert belief.cost(SITE, "empty", 10.4) == pytest.approx(log(9), abs=0.01)


def test_odds_told_of_a_covered_place_count_for_nothing():
    belief = Belief()
    belief.hear(BoardSeen(CAMERA, {SITE: odds("hut:blue")}, (SITE,), When(10.0)))
    assert belief.cost(SITE, "hut:blue", 10.0) is None


# --- Tags ---


def test_a_tag_under_a_place_says_that_the_tiki_is_there():
    belief = Belief()
    tags(belief, BLUE_TIKI)
    assert belief.cost(SITE, "tiki:blue", 10.0) == 0.0
    assert belief.cost(SITE, "hut:pink+tiki:blue", 10.0) == 0.0
    assert belief.cost(SITE, "empty", 10.0) == pytest.approx(TAG_THERE)


def test_a_reader_without_a_tag_is_a_weaker_witness_than_one_with():
    belief = Belief()
    tags(belief)
    assert belief.cost(SITE, "empty", 10.0) == 0.0
    assert belief.cost(SITE, "tiki:blue", 10.0) == pytest.approx(TAG_GONE)
    assert TAG_GONE < TAG_THERE


def test_tags_and_camera_add_up():
    belief = Belief()
    saw(belief, tiki_blue=0.9, empty=0.1)
    tags(belief, BLUE_TIKI)
    assert belief.cost(SITE, "empty", 10.0) == pytest.approx(log(9) + TAG_THERE, abs=0.01)


def test_a_tiki_at_home_stands_nowhere_else():
    belief = Belief()
    saw(belief, tiki_blue=0.9, empty=0.1)
    tags(belief, BLUE_TIKI, place=DESK)
    assert belief.cost(SITE, "tiki:blue", 10.0) == pytest.approx(TAG_THERE)
    assert belief.cost(SITE, "tiki:pink", 10.0) < TAG_THERE
    tags(belief, place=DESK)
    assert belief.cost(SITE, "tiki:blue", 10.0) == 0.0


def test_a_false_removal_is_forgotten_as_soon_as_the_tag_is_back():
    belief = Belief()
    tags(belief, BLUE_TIKI)
    before = belief.cost(SITE, "empty", 10.0)
    tags(belief, at=10.1)
    assert belief.cost(SITE, "tiki:blue", 10.1) == pytest.approx(TAG_GONE)
    tags(belief, BLUE_TIKI, at=10.4)
    assert belief.cost(SITE, "empty", 10.4) == before


def test_a_word_said_twice_is_no_second_witness_and_no_change():
    belief = Belief()
    tags(belief, BLUE_TIKI)
    changes, cost = belief.changes, belief.cost(SITE, "empty", 10.0)
    tags(belief, BLUE_TIKI, at=10.2)
    assert (belief.changes, belief.cost(SITE, "empty", 10.2)) == (changes, cost)


def test_a_dead_reader_says_nothing_at_once():
    belief = Belief()
    tags(belief, BLUE_TIKI)
    lost(belief, "r1")
    assert belief.cost(SITE, "empty", 11.0) is None


def test_a_tag_nobody_knows_says_nothing_about_tikis():
    belief = Belief()
    tags(belief, None)
    assert belief.cost(SITE, "empty", 10.0) == 0.0


def test_what_lies_in_a_tray_is_no_evidence_about_the_board():
    belief = Belief()
    changes = belief.changes
    tags(belief, Piece(CARD, "blue", "Lagon"), place="tray:blue:1")
    tags(belief, BLUE_TIKI, place="tray:blue:2", sensor="r2")
    assert belief.changes == changes
    assert belief.cost(SITE, "tiki:blue", 10.0) is None


# --- A person's word ---


def test_a_persons_word_holds_against_the_camera():
    belief = Belief()
    saw(belief, hut_pink=0.99, hut_blue=0.01)
    belief.testify(SITE, "hut:blue", "hut:pink")
    saw(belief, 10.2, hut_pink=0.98, hut_blue=0.02)
    assert belief.favourite(SITE) == "hut:blue"
    assert belief.cost(SITE, "hut:blue", 10.2) == 0.0
    assert belief.contents(SITE) == [("hut:blue", 1.0)]
    assert belief.seen_by_camera(SITE) == "hut:pink"


def test_a_persons_word_holds_while_the_camera_sees_what_it_saw_or_comes_to_agree():
    belief = Belief()
    saw(belief, hut_pink=0.99, hut_blue=0.01)
    belief.testify(SITE, "hut:blue", "hut:pink")
    saw(belief, 10.2, hut_blue=0.99, hut_pink=0.01)
    saw(belief, 10.4, hut_pink=0.99, hut_blue=0.01)
    assert belief.favourite(SITE) == "hut:blue"


def test_a_persons_word_ends_when_the_camera_sees_something_new():
    belief = Belief()
    saw(belief, hut_pink=0.99, hut_blue=0.01)
    belief.testify(SITE, "hut:blue", "hut:pink")
    saw(belief, 10.2, empty=0.99, hut_pink=0.01)
    assert belief.favourite(SITE) == "empty"
    assert belief.cost(SITE, "hut:blue", 10.2) > 4.0


def test_a_hand_over_the_place_does_not_end_a_persons_word():
    belief = Belief()
    saw(belief, hut_pink=0.99, hut_blue=0.01)
    belief.testify(SITE, "hut:blue", "hut:pink")
    saw(belief, 10.2, hidden=(SITE,))
    saw(belief, 10.4, hut_pink=0.99, hut_blue=0.01)
    assert belief.favourite(SITE) == "hut:blue"


def test_odds_told_of_a_covered_place_do_not_end_a_persons_word():
    belief = Belief()
    saw(belief, hut_pink=0.99, hut_blue=0.01)
    belief.testify(SITE, "hut:blue", "hut:pink")
    saw(belief, 10.2, hidden=(SITE,), empty=0.99, hut_pink=0.01)
    assert belief.favourite(SITE) == "hut:blue"


def test_a_lost_camera_hides_nothing_any_more():
    belief = Belief()
    saw(belief, hidden=(SITE,))
    assert belief.has_hidden()
    belief.hear(Health("camera", "", False, 10.2, Event("camera_missing")))
    assert not belief.has_hidden()
    assert not belief.is_hidden(SITE)
