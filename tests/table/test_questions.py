"""Questions: their answers become entries or a refusal; after a restart it is the same question."""

import pytest

from companion.table.decide import ASK_STILL_S, DIFFERENCES, Ask, Cause
from companion.table.questions import (
    BOARD_IS_RIGHT,
    CAMERA_IS_WRONG,
    CHECK,
    GAME_IS_RIGHT,
    PRIVATE,
    TRAY_OR_PHONE,
    TRAY_WAY,
    question_of,
)
from tests.table.support import MAKABANA, OPENING, Scene, odds

FIRST, SECOND = OPENING[0][1], OPENING[1][1]
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


def test_a_question_keeps_its_name_while_it_is_open():
    scene = Scene().opened().seen()
    scene.board.pop(SECOND)
    scene.watch(ASK_STILL_S + 1)
    name = scene.asked().id
    scene.lay("Danae-Lagon-Poisson", "hut:pink")  # found under the table, put down beside its place
    scene.watch(ASK_STILL_S + 1)
    assert scene.asked().id == name
    scene.watch(2.0, hidden=[SECOND, "Danae-Lagon-Poisson"])
    assert scene.asked().id == name


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
