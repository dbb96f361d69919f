"""Questions: their answers become entries or a refusal; after a restart it is the same question."""

import pytest

from companion.table.decide import ASK_STILL_S, DIFFERENCES, TAKE_BACK, Ask, Cause
from companion.table.questions import (
    BOARD_IS_RIGHT,
    CAMERA_IS_WRONG,
    CHECK,
    GAME_IS_RIGHT,
    PRIVATE,
    TRAY_OR_PHONE,
    TRAY_WAY,
    YES,
    question_of,
    topic_of,
)
from tests.table.support import MAKABANA, OPENING, Scene, odds

FIRST, SECOND, OTHER = (OPENING[number][1] for number in (0, 1, 4))
BESIDE, FREE = "Danae-Lagon-Poisson", "Danae-Cocotier-Poisson"
TIKIS = ("violet tiki club:Danae", "pink tiki club:Evao", "yellow tiki Danae-Sable-Fleur")
CAUSE = Cause(FIRST, "hut:violet", "empty")


def missing() -> Scene:
    scene = Scene().opened().seen()
    scene.board.pop(SECOND)
    scene.watch(ASK_STILL_S + 1)
    return scene


def test_a_questions_name_follows_from_what_is_asked():
    ask = Ask(DIFFERENCES, "violet", (CAUSE,))
    assert question_of(ask, "violet", 7).id == question_of(ask, "pink", 7).id
    assert question_of(ask, "violet", 7).id != question_of(ask, "violet", 8).id
    other = ask._replace(causes=(CAUSE._replace(seen="hut:pink"),))
    assert question_of(ask, "violet", 7).id != question_of(other, "violet", 7).id


def test_the_same_question_has_the_same_name_after_a_restart():
    scene = missing()
    name = scene.asked().id
    scene.restart()
    scene.watch(ASK_STILL_S + 1)
    assert scene.asked().id == name
    assert scene.answer(GAME_IS_RIGHT).accepted


def test_a_promise_holds_across_a_restart():
    scene = missing()
    assert scene.answer(GAME_IS_RIGHT).accepted
    scene.restart()
    scene.watch(20.0)
    assert scene.table.question is None


def test_the_board_is_right_changes_the_game_by_one_action_of_the_table():
    scene = missing()
    assert scene.answer(BOARD_IS_RIGHT).accepted
    assert scene.log[-1] == f"table adjust {SECOND}=empty"
    assert SECOND not in MAKABANA.expected(scene.state)


def test_an_impossible_board_is_refused_and_the_question_stays_open():
    scene = Scene().opened().seen()
    scene.board.pop(SECOND)
    scene.lay("club:Danae", "hut:pink")  # no hut can stand on a club place
    scene.watch(ASK_STILL_S + 1)
    name = scene.asked().id
    assert scene.refused("answer", name, BOARD_IS_RIGHT, seat=scene.asked().seat)
    assert scene.asked().id == name
    assert scene.answer(GAME_IS_RIGHT).accepted


def test_the_camera_is_wrong_is_a_persons_word_that_survives_a_restart():
    scene = Scene().opened().seen()
    scene.doubts[SECOND] = odds("hut:violet", other="hut:pink")
    scene.watch(ASK_STILL_S + 1)
    assert scene.answer(CAMERA_IS_WRONG).accepted
    scene.watch(30.0)
    assert scene.table.question is None
    scene.restart()
    scene.watch(30.0)
    assert scene.table.question is None


def test_a_persons_word_ends_when_the_game_changes_that_place_also_after_a_restart():
    scene = Scene().opened().seen()
    scene.doubts[SECOND] = odds("hut:violet", other="hut:pink")
    scene.watch(ASK_STILL_S + 1)
    assert scene.answer(CAMERA_IS_WRONG).accepted
    scene.planned(violet="Danae Lagon Fleur Paint show Paint")
    scene.act("violet tiki club:Danae", "pink tiki club:Evao", "yellow tiki Danae-Sable-Fleur", "violet reveal")
    assert MAKABANA.expected(scene.state)[SECOND] == (("hut", "violet"),)  # painted over
    scene.act("pink reveal")
    scene.doubts = {}
    scene.follow()
    scene.restart()
    scene.watch(30.0)
    assert scene.table.question is None
    assert scene.view("staff")["differences"] == []


def test_a_bots_question_goes_to_the_next_person_and_without_people_to_the_house():
    scene = Scene().opened().seen()
    for seat in ("pink", "yellow"):
        scene.accepted("leave", seat=seat)
        scene.accepted("seat_bot", "Moana", seat=seat)
    scene.board.pop(SECOND)
    scene.watch(ASK_STILL_S + 1)
    assert scene.asked().seat == "violet"
    scene.accepted("leave", seat="violet")
    scene.watch(1.0)
    assert scene.asked().seat is None
    assert scene.do("answer", scene.asked().id, GAME_IS_RIGHT).accepted


def test_questions_about_trays_are_private():
    assert set(PRIVATE) == {TRAY_OR_PHONE, TRAY_WAY}


@pytest.mark.parametrize("kind", ["differences", "take_back", "moved", "late", "which", "choose", "content", CHECK])
def test_every_kind_of_question_offers_answers_or_takes_them_from_its_data(kind):
    data = {"actions": ["violet hut x"], "contents": ["empty"], "place": FIRST, "instead": "violet tiki x"}
    question = question_of(Ask(kind, "violet", (CAUSE,), data), "violet", 1)
    assert question.answers
    assert question.event.code == f"question_{kind}"


def test_no_command_answers_a_question_twice():
    scene = missing()
    name = scene.asked().id
    assert scene.answer(GAME_IS_RIGHT).accepted
    assert scene.refused("answer", name, BOARD_IS_RIGHT, seat="pink") == "question_gone"


# --- One question per cause ---


def test_a_question_stays_the_same_question_while_it_is_open():
    scene = missing()
    name = scene.asked().id
    scene.lay(BESIDE, "hut:pink")  # found under the table, put down beside its place
    scene.watch(ASK_STILL_S + 1)
    assert topic_of(scene.asked().id) == name
    name = scene.asked().id
    scene.watch(2.0, hidden=[SECOND, BESIDE])
    assert scene.asked().id == name


@pytest.mark.parametrize("answer", [GAME_IS_RIGHT, BOARD_IS_RIGHT, CAMERA_IS_WRONG])
def test_an_answer_counts_for_no_more_than_was_asked(answer):
    scene = missing()
    first = scene.asked()
    scene.board.pop(OTHER)  # another of pink's falls off while she is reading
    scene.watch(ASK_STILL_S + 1)
    assert scene.asked().seat == first.seat
    assert {cause.place for cause in scene.asked().causes} == {SECOND, OTHER}
    assert scene.refused("answer", first.id, answer, seat=first.seat) == "question_gone"
    assert scene.answer(answer).accepted


def test_less_of_a_question_goes_by_the_same_name_and_more_of_it_does_not():
    scene = Scene().opened().seen()
    whole = dict(scene.board)
    scene.board = {place: content for place, content in whole.items() if place not in (FIRST, SECOND)}
    scene.watch(ASK_STILL_S + 1)
    both = scene.asked().id
    scene.lay(FIRST, whole[FIRST])
    scene.watch(ASK_STILL_S + 1)
    assert [cause.place for cause in scene.asked().causes] == [SECOND]
    assert scene.asked().id == both
    scene.board.pop(FIRST)
    scene.watch(ASK_STILL_S + 1)
    assert len(scene.asked().causes) == 2
    assert scene.asked().id != both


def test_what_the_game_has_settled_meanwhile_is_no_longer_asked():
    """An answer would otherwise be somebody's word that a piece is not there which by now belongs there."""
    scene = Scene().opened().seen().planned(violet="Danae Cocotier Poisson show Danae")
    scene.act(*TIKIS)
    scene.follow()
    scene.watch(1.0)
    scene.lay(FREE, "hut:violet")  # before the cards were turned
    scene.doubts[SECOND] = odds("tiki:pink", other="hut:pink")
    scene.watch(ASK_STILL_S + 1)
    assert {cause.place for cause in scene.asked().causes} == {FREE, SECOND}
    scene.watch(1.0, hidden=["club:Evao"])  # somebody leans over the board: nothing is asked anew
    scene.act("violet reveal")
    assert MAKABANA.expected(scene.state)[FREE] == (("hut", "violet"),)
    assert [cause.place for cause in scene.asked().causes] == [SECOND]
    assert scene.answer(CAMERA_IS_WRONG).accepted
    scene.watch(60.0)
    assert scene.table.question is None
    assert scene.view("staff")["differences"] == []


def test_a_take_back_takes_back_nothing_that_was_done_since():
    scene = Scene().opened().seen().planned()
    scene.lay(FREE, "tiki:violet")
    scene.watch(1.0)
    scene.board.pop(FREE)
    scene.watch(ASK_STILL_S + 1)
    asked = scene.asked()
    assert (asked.kind, asked.seat) == (TAKE_BACK, "violet")
    scene.watch(1.0, hidden=["club:Evao"])
    scene.act("pink tiki Evao-Lagon-Poisson")
    assert scene.do("answer", asked.id, YES, seat="violet").refusal.code == "question_gone"
    assert scene.log[-2:] == [f"violet tiki {FREE}", "pink tiki Evao-Lagon-Poisson"]


def test_an_answered_question_is_not_put_again_while_hands_see_to_it():
    scene = Scene().opened().seen()
    scene.board.pop(SECOND)
    scene.watch(ASK_STILL_S + 1)
    assert scene.answer("game").accepted
    scene.watch(30.0)
    assert scene.table.question is None
    scene.lay(SECOND, "hut:pink")
    scene.watch(60.0)
    assert scene.table.question is None


def test_a_promise_that_is_not_kept_is_asked_about_again():
    scene = Scene().opened().seen()
    scene.board.pop(SECOND)
    scene.watch(ASK_STILL_S + 1)
    assert scene.answer("game").accepted
    scene.watch(60.0)
    assert scene.asked().kind == DIFFERENCES


def test_a_promise_that_was_kept_covers_no_other_mistake():
    scene = missing()
    assert scene.answer(GAME_IS_RIGHT).accepted
    scene.lay(SECOND, "hut:pink")
    scene.watch(2.0)
    scene.board.pop(SECOND)  # and down it falls again
    scene.watch(ASK_STILL_S + 1)
    assert scene.asked().kind == DIFFERENCES


@pytest.mark.parametrize("answer", ["board", "camera"])
def test_a_difference_settled_by_its_answer_is_over(answer):
    scene = Scene().opened().seen()
    scene.board.pop(SECOND)
    scene.watch(ASK_STILL_S + 1)
    assert scene.answer(answer).accepted
    scene.watch(60.0)
    assert scene.table.question is None
    laid = scene.table.session.game.expected(scene.state)
    assert (SECOND in laid) == (answer == "camera")


def test_a_difference_that_mends_itself_is_asked_about_no_longer():
    scene = Scene().opened().seen()
    scene.board.pop(SECOND)
    scene.watch(ASK_STILL_S + 1)
    name = scene.asked().id
    scene.lay(SECOND, "hut:pink")
    scene.watch(1.0)
    assert scene.table.question is None
    assert scene.refused("answer", name, "game", seat="pink") == "question_gone"
