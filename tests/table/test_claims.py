"""Races: first press by seat time wins, near ties are told and settled by seat order, lies are bounded."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.table.claims import ARRIVAL_WITHIN_S, HOLD_S, MOST_WITHIN_S, Claim, bounded, judge
from companion.table.observations import When
from tests.table.support import Scene

ORDER = ("violet", "pink", "yellow")


def claim(seat: str, at: float, within: float = 0.0) -> Claim:
    return Claim(seat, When(at, within))


def race() -> Scene:
    """Everybody may denounce; violet may also close the window."""
    scene = Scene("2013-mao").opened().planned()
    assert scene.table.session.actors == ORDER
    scene.wait(5.0)
    return scene


def settled(scene: Scene) -> Scene:
    scene.wait(HOLD_S + 0.4)
    return scene


# --- Judging ---


def test_the_earlier_press_wins_whatever_the_order_of_arrival():
    assert judge([claim("violet", 5.1), claim("yellow", 5.0)], ORDER).first.seat == "yellow"


def test_presses_closer_than_their_uncertainty_are_a_near_tie_settled_by_seat_order():
    verdict = judge([claim("yellow", 5.0, 0.05), claim("pink", 5.08, 0.05)], ORDER)
    assert verdict.first.seat == "pink"
    assert verdict.near_tie == ("pink", "yellow")


def test_presses_farther_apart_than_their_uncertainty_are_no_tie():
    verdict = judge([claim("yellow", 5.0, 0.05), claim("pink", 5.11, 0.05)], ORDER)
    assert (verdict.first.seat, verdict.near_tie) == ("yellow", ())


@given(st.permutations([("violet", 5.0, 0.1), ("pink", 5.15, 0.1), ("yellow", 5.9, 0.1)]))
def test_the_order_of_arrival_never_matters(arrived):
    verdict = judge([claim(*one) for one in arrived], ORDER)
    assert (verdict.first.seat, verdict.near_tie) == ("violet", ("violet", "pink"))


@given(st.floats(-1e9, 1e9), st.floats(-1e9, 1e9))
def test_a_lie_about_time_stays_between_opening_and_now(at, within):
    moment = bounded(When(at, within), opened=10.0, now=20.0)
    assert 10.0 <= moment.at <= 20.0
    assert 0.0 <= moment.within <= 1.0


# --- At the table ---


def test_a_button_wins_and_is_asked_whom_it_means():
    scene = race()
    scene.press("pink")
    assert scene.view("public")["race"] == {"pressed": [], "first": None, "near_tie": []}
    settled(scene)
    assert scene.view("public")["race"]["first"] == "pink"
    question = scene.asked()
    assert (question.kind, question.seat) == ("choose", "pink")
    assert scene.answer("pink denounce yellow").accepted
    assert scene.log[-1] == "pink denounce yellow"
    assert scene.table.session.claims == ()
    assert scene.table.question is None


def test_a_phone_that_says_whom_it_means_is_not_asked():
    scene = race()
    scene.accepted("claim", str(scene.clock.at - 0.1), "0.04", "denounce", "pink", seat="yellow")
    assert settled(scene).log[-1] == "yellow denounce pink"
    assert "pressed_first" in scene.news()


def test_an_exact_button_beats_a_phone_that_was_later():
    scene = race()
    scene.accepted("claim", str(scene.clock.at), "0.02", "denounce", "pink", seat="violet")
    scene.press("yellow", scene.clock.at - 0.2)
    settled(scene)
    assert scene.table.session.verdict.first.seat == "yellow"
    assert scene.table.session.verdict.near_tie == ()


def test_a_near_tie_of_button_and_phone_is_told_and_goes_by_seat_order():
    scene = race()
    scene.press("yellow", scene.clock.at - 0.05)
    scene.accepted("claim", str(scene.clock.at), "0.06", "denounce", "yellow", seat="pink")
    settled(scene)
    assert scene.log[-1] == "pink denounce yellow"
    told = [news.event for news in scene.table.news if news.event.code == "pressed_together"]
    assert [event.data["near_tie"] for event in told] == [["pink", "yellow"]]


def test_a_tap_without_a_moment_counts_as_it_arrives():
    scene = race()
    scene.act("violet denounce pink")
    assert scene.table.session.claims[0].pressed == When(scene.clock.at, ARRIVAL_WITHIN_S)
    assert settled(scene).log[-1] == "violet denounce pink"


def test_a_tap_with_its_words_in_one_piece_cannot_jam_the_race():
    scene = race()
    scene.do("act", "denounce pink", seat="violet")
    settled(scene)
    assert scene.log[-1] == "violet denounce pink"
    assert scene.table.session.claims == ()


def test_a_claim_after_the_race_is_too_late():
    scene = race()
    scene.press("pink")
    settled(scene)
    late = (str(scene.clock.at - 10), "0.01", "denounce", "pink")
    assert scene.refused("claim", *late, seat="violet") == "too_late"
    scene.press("yellow")
    assert [one.seat for one in scene.table.session.claims] == ["pink"]


def test_a_second_press_of_the_same_seat_counts_for_nothing():
    scene = race()
    scene.press("pink")
    scene.press("pink", scene.clock.at - 1)
    assert len(scene.table.session.claims) == 1
    moment = (str(scene.clock.at), "0", "denounce", "yellow")
    assert scene.refused("claim", *moment, seat="pink") == "pressed_already"


def test_a_phone_that_lies_about_its_moment_gains_no_more_than_presses_travel():
    scene = race()
    scene.accepted("claim", "-1e9", "1e9", "denounce", "pink", seat="yellow")
    pressed = scene.table.session.claims[0].pressed
    earliest = max(scene.table.opened_at, scene.clock.at - HOLD_S)
    assert (pressed.at, pressed.within) == (earliest, MOST_WITHIN_S)


@pytest.mark.parametrize("moment", [("nan", "0"), ("0", "nan"), ("inf", "0"), ("0", "-inf"), ("soon", "0"), ("1",), ()])
def test_a_moment_that_is_none_is_refused(moment):
    assert race().refused("claim", *moment, seat="violet") == "command_unreadable"


def test_there_is_no_race_where_only_one_may_act():
    scene = Scene()
    assert scene.refused("claim", "1000", "0", seat="violet") == "no_race_now"
    assert scene.refused("claim", "1000", "0", "hut", "Danae-Lagon-Fleur", seat="violet") == "no_race_now"


def test_nobody_can_claim_what_the_button_does_not_stand_for():
    scene = race()
    for words in (("close",), ("denounce", "violet"), ("denounce", "nobody"), ("adjust", "x=empty")):
        assert scene.refused("claim", str(scene.clock.at), "0", *words, seat="violet") == "no_race_now"


def test_the_window_cannot_be_closed_while_a_race_is_open():
    scene = race()
    scene.press("pink")
    assert scene.refused("act", "close", seat="violet") == "race_open"
    settled(scene)
    assert scene.refused("act", "close", seat="violet") == "race_open"
    assert scene.answer("pink denounce yellow").accepted


def test_closing_an_untouched_window_is_no_race():
    scene = race()
    scene.act("violet close")
    assert scene.log[-1] == "violet close"


def test_the_winner_may_also_say_whom_they_mean_on_the_phone():
    scene = race()
    scene.press("pink")
    settled(scene)
    scene.act("pink denounce violet")
    assert scene.log[-1] == "pink denounce violet"
    assert scene.table.question is None


def test_a_restart_in_the_middle_of_a_race_loses_no_press():
    scene = race()
    scene.press("yellow", scene.clock.at - 0.2)
    scene.press("pink", scene.clock.at - 0.1)
    scene.restart()
    settled(scene)
    assert scene.table.session.verdict.first.seat == "yellow"
    assert scene.asked().kind == "choose"


def test_a_restart_after_a_race_asks_the_winner_again():
    scene = race()
    scene.press("yellow")
    settled(scene)
    name = scene.asked().id
    scene.restart()
    scene.wait(0.4)
    assert scene.asked().id == name
    assert scene.answer("yellow denounce pink").accepted
