"""The end: a final score only on a settled board, one question where a doubt matters, and none where it does not."""

import random

import pytest

from companion.games.catalogue import game_of
from companion.games.record import parse_record, to_jsonl
from companion.table.decide import ASK_STILL_S
from companion.table.questions import CHECK, CONTENT, DIFFERENCES
from tests.table.support import MAKABANA, Scene, odds


def played_out(camera: bool = True) -> Scene:
    """A whole game by phone, at random but always the same. Hands follow; the camera sees the end."""
    scene, rng = Scene(), random.Random(7)
    while scene.table.session.actors:
        seat = scene.table.session.actors[0]
        scene.act(rng.choice(MAKABANA.legal_actions(scene.state, seat)).text)
    scene.follow()
    if not camera:
        scene.wait(1.0)
    return scene


def test_a_board_that_matches_is_settled():
    scene = played_out()
    assert not scene.view("public")["score"]["settled"]
    assert scene.view("public")["end"] is None
    scene.watch(2.0)
    assert scene.table.session.is_settled
    shown = scene.view("public")
    assert shown["score"]["settled"]
    assert shown["score"]["low"] == shown["score"]["high"]
    assert shown["end"]["outcome"]["scores"] == MAKABANA.score(scene.state).to_json()["scores"]
    assert scene.news()[-1] == "board_settled"


def test_a_board_that_differs_is_not_settled_until_it_is_put_right():
    scene = played_out()
    place = next(iter(scene.board))
    was = scene.board.pop(place)
    scene.watch(40.0)
    assert not scene.table.session.is_settled
    assert scene.asked().kind in (DIFFERENCES, "late", "take_back")
    scene.lay(place, was)
    scene.watch(3.0)
    assert scene.table.session.is_settled


def test_a_tiki_still_standing_is_not_settled():
    scene = played_out()
    place = next(p for p in MAKABANA.places(scene.state) if p not in scene.board and not p.startswith("club"))
    scene.lay(place, "tiki:violet")
    scene.watch(10.0)
    assert not scene.table.session.is_settled


def doubtful_place(scene: Scene) -> str:
    return next(place for place, content in scene.board.items() if content.startswith("hut"))


def test_a_doubt_that_matters_is_one_question_about_that_place():
    scene = played_out()
    place = doubtful_place(scene)
    content = scene.board[place]
    scene.restart()  # only the last action's places are still on their way
    scene.doubts[place] = odds("empty", 0.8, content)
    scene.watch(ASK_STILL_S + 3)
    assert not scene.table.session.is_settled
    question = scene.asked()
    assert (question.kind, question.data["place"]) == (CONTENT, place)
    assert {content, "empty"} <= set(question.answers)
    assert scene.answer(content).accepted
    scene.watch(3.0)
    assert scene.table.session.is_settled


def test_a_doubt_answered_against_the_game_does_not_settle_the_board():
    scene = played_out()
    place = doubtful_place(scene)
    scene.restart()
    scene.doubts[place] = odds("empty", 0.8, scene.board[place])
    scene.watch(ASK_STILL_S + 3)
    assert scene.answer("empty").accepted
    scene.watch(50.0)
    assert not scene.table.session.is_settled
    assert scene.asked().kind == DIFFERENCES


def test_a_doubt_that_does_not_matter_is_settled():
    scene = played_out()
    place = doubtful_place(scene)
    scene.frame()
    scene.doubts[place] = odds(scene.board[place], 0.55, scene.board[place].replace("hut", "tiki"))
    scene.watch(ASK_STILL_S + 3)
    assert scene.table.session.is_settled
    assert scene.table.question is None


def test_without_a_camera_people_check_the_board_by_eye():
    scene = played_out(camera=False)
    scene.wait(2.0)
    question = scene.asked()
    assert question.kind == CHECK
    assert not scene.table.session.is_settled
    assert scene.answer("yes").accepted
    assert scene.table.session.is_settled


def test_a_board_that_does_not_match_by_eye_is_asked_about_again():
    scene = played_out(camera=False)
    scene.wait(2.0)
    assert scene.answer("no").accepted
    assert not scene.table.session.is_settled
    scene.wait(30.0)
    assert scene.table.question is None
    scene.wait(30.0)
    assert scene.asked().kind == CHECK


def test_the_check_is_asked_again_after_a_restart():
    scene = played_out(camera=False)
    scene.wait(2.0)
    name = scene.asked().id
    scene.restart()
    scene.wait(2.0)
    assert scene.asked().id == name


def test_a_settled_board_stays_settled_after_a_restart():
    scene = played_out()
    scene.watch(2.0)
    score = scene.view("public")["end"]["outcome"]
    scene.restart()
    assert scene.table.session.is_settled
    assert scene.view("public")["end"]["outcome"] == score


def test_the_camera_lost_at_the_end_leaves_the_check_by_eye():
    scene = played_out()
    scene.board.pop(next(iter(scene.board)))
    scene.watch(1.0)
    scene.lose_camera()
    scene.wait(3.0)
    assert scene.asked().kind == CHECK


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_record_replays_to_the_same_score(seed):
    scene, rng = Scene(), random.Random(seed)
    while scene.table.session.actors:
        seat = scene.table.session.actors[0]
        scene.act(rng.choice(MAKABANA.legal_actions(scene.state, seat)).text)
    record = parse_record(to_jsonl(scene.table.session.record))
    game = game_of(record.header)
    state = game.start(record.header)
    for action in record.actions:
        state = game.apply(state, action)
    assert game.outcome(state).score == MAKABANA.outcome(scene.state).score
