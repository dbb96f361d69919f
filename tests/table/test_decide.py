"""What follows from what is seen: confirmed, inferred, wait, take-back, or one question to one person."""

from companion.games.protocol import EMPTY
from companion.table.decide import (
    ASK_STILL_S,
    COVERED_S,
    DIFFERENCES,
    EARLY_S,
    IN_THE_WAY_S,
    LATE,
    LATE_S,
    MOVED,
    TAKE_BACK,
    WHICH,
)
from companion.table.explain import CLEAR_STILL_S, UNCLEAR_STILL_S
from companion.table.questions import topic_of
from companion.table.situation import lead_to_the_same
from tests.table.support import MAKABANA, OPENING, Scene, odds

FIRST, SECOND, THIRD = (site for _, site in OPENING[:3])
FREE = "Evao-Cocotier-Poisson"


def tiki_time() -> Scene:
    """The opening stands, all have planned, violet is to place her tiki."""
    scene = Scene().opened().seen().planned()
    scene.watch(1.0)
    assert MAKABANA.actors(scene.state) == ("violet",)
    return scene


# --- Confirmed ---


def test_a_told_hut_is_confirmed_when_the_camera_sees_it():
    scene = Scene()
    scene.act(f"violet hut {FIRST}")
    scene.watch(1.0)
    assert scene.view("public")["board"][FIRST]["state"] == "pending"
    assert scene.view("public")["todo"] == [
        {"put": True, "piece": "hut", "colour": "violet", "place": FIRST, "seat": "violet"}
    ]
    scene.lay(FIRST, "hut:violet")
    scene.watch(1.0)
    assert scene.view("public")["board"][FIRST]["state"] == "confirmed"
    assert scene.view("public")["todo"] == []
    assert scene.table.question is None


# --- Inferred ---


def test_an_opening_hut_is_inferred_from_the_board():
    scene = Scene()
    scene.watch(1.0)
    scene.lay(FIRST, "hut:violet")
    scene.watch(1.0)
    assert scene.log == [f"violet hut {FIRST}"]
    assert scene.table.session.steps[0].by == "camera"
    assert "done_by" in scene.news()


def test_a_tiki_is_inferred_and_the_next_one_after_it():
    scene = tiki_time()
    scene.lay(FREE, "tiki:violet")
    scene.watch(1.0)
    scene.lay("club:Danae", "tiki:pink")
    scene.watch(1.0)
    assert scene.log[-2:] == [f"violet tiki {FREE}", "pink tiki club:Danae"]


def test_a_tiki_against_an_own_hut_is_inferred():
    scene = tiki_time()
    scene.lay(FIRST, "hut:violet+tiki:violet")
    scene.watch(1.0)
    assert scene.log[-1] == f"violet tiki {FIRST}"


def test_nothing_is_inferred_before_the_board_was_still():
    scene = Scene()
    scene.watch(1.0)
    scene.lay(FIRST, "hut:violet")
    scene.clock.at += 0.2
    scene.frame()
    assert scene.log == []
    scene.clock.at += CLEAR_STILL_S + 0.01
    scene.table.tick()
    assert scene.log == [f"violet hut {FIRST}"]


def test_a_close_call_is_believed_only_after_a_longer_stillness():
    scene = Scene()
    scene.watch(1.0)
    scene.lay(FIRST, "hut:violet")
    scene.doubts[FIRST] = odds("hut:violet", 0.991, "empty")  # just above a hundred to one
    scene.clock.at += 0.2
    scene.frame()
    scene.clock.at += CLEAR_STILL_S + 0.2
    scene.table.tick()
    assert scene.log == []
    scene.watch(UNCLEAR_STILL_S)
    assert scene.log == [f"violet hut {FIRST}"]


def test_two_people_at_once_become_two_actions_in_turn_order():
    scene = tiki_time()
    scene.lay(FREE, "tiki:pink")
    scene.lay("club:Danae", "tiki:violet")
    scene.watch(1.0)
    assert scene.log[-2:] == ["violet tiki club:Danae", f"pink tiki {FREE}"]
    assert scene.table.question is None


def test_an_early_tiki_waits_for_its_turn_and_then_is_an_action():
    scene = tiki_time()
    scene.lay(FREE, "tiki:pink")
    scene.watch(20.0)
    assert scene.table.question is None
    assert scene.view("public")["early"] == [["tiki", "pink"]]
    assert not scene.log[-1].startswith("pink tiki")
    scene.act("violet tiki club:Danae")
    scene.lay("club:Danae", "tiki:violet")
    scene.watch(2.0)
    assert scene.log[-1] == f"pink tiki {FREE}"


def test_a_piece_that_is_early_for_too_long_is_asked_about():
    scene = tiki_time()
    scene.lay(FREE, "tiki:pink")
    scene.watch(EARLY_S + 5)
    question = scene.asked()
    assert (question.kind, question.seat) == (DIFFERENCES, "pink")


def test_a_camera_that_cannot_tell_two_places_apart_asks_which():
    scene = Scene()
    scene.watch(1.0)
    scene.doubts = {place: odds("hut:violet", 0.999, "empty") for place in (FIRST, FREE)}
    scene.watch(ASK_STILL_S + 1)
    question = scene.asked()
    assert (question.kind, question.seat) == (WHICH, "violet")
    assert set(question.answers) == {f"violet hut {FIRST}", f"violet hut {FREE}", "none"}
    assert scene.log == []
    assert scene.answer(f"violet hut {FREE}").accepted
    assert scene.log == [f"violet hut {FREE}"]


# --- Not inferred ---


def test_the_wrong_colour_is_asked_about_and_never_taken_for_somebody_elses_action():
    scene = Scene()
    scene.act(f"violet hut {FIRST}")
    scene.lay(FIRST, "hut:pink")
    scene.watch(ASK_STILL_S + 1)
    question = scene.asked()
    assert (question.kind, question.seat) == (DIFFERENCES, "violet")
    assert scene.log == [f"violet hut {FIRST}"]


def test_a_prescribed_hut_on_another_legal_site_is_not_a_new_action():
    scene = Scene()
    for seat, site in OPENING[:3]:
        scene.act(f"{seat} hut {site}")
    scene.follow()
    scene.board.pop(THIRD)  # yellow has said where, and places twice in a row
    scene.lay(FREE, "hut:yellow")
    scene.watch(ASK_STILL_S + 1)
    assert scene.log[-1] == f"yellow hut {THIRD}"
    assert len(scene.log) == 3
    question = scene.asked()
    assert question.seat == "yellow"
    assert {cause.place for cause in question.causes} == {THIRD, FREE}


def test_the_last_players_second_hut_is_inferred_once_the_first_lies_where_it_was_told():
    scene = Scene()
    for seat, site in OPENING[:3]:
        scene.act(f"{seat} hut {site}")
    scene.seen()
    scene.lay(FREE, "hut:yellow")
    scene.watch(1.0)
    assert scene.log[-1] == f"yellow hut {FREE}"


def test_a_site_the_rules_refuse_is_asked_about_with_the_rules_reason():
    scene = Scene()
    for seat, site in OPENING[:3]:
        scene.act(f"{seat} hut {site}")
    scene.seen()
    scene.lay("Danae-Rocher-Poisson", "hut:yellow")  # the beach of yellow's first
    scene.watch(ASK_STILL_S + 1)
    question = scene.asked()
    assert (question.kind, question.seat) == (DIFFERENCES, "yellow")
    assert question.data["reason"]["code"]
    assert len(scene.log) == 3


def test_a_missing_piece_is_asked_about():
    scene = Scene().opened().seen()
    scene.board.pop(SECOND)
    scene.watch(ASK_STILL_S + 1)
    question = scene.asked()
    assert (question.kind, question.seat) == (DIFFERENCES, "pink")
    assert [cause._asdict() for cause in question.causes] == [
        {"place": SECOND, "expected": "hut:pink", "seen": "empty"}
    ]


def test_a_piece_knocked_to_its_neighbour_is_one_question_with_both_places():
    scene = Scene().opened().seen()
    scene.board.pop(SECOND)
    scene.lay("Danae-Lagon-Poisson", "hut:pink")
    scene.watch(ASK_STILL_S + 1)
    question = scene.asked()
    assert {cause.place for cause in question.causes} == {SECOND, "Danae-Lagon-Poisson"}
    assert question.seat == "pink"


# --- Waiting ---


def test_a_hand_over_the_board_waits():
    scene = Scene().opened().seen()
    scene.board.pop(SECOND)
    scene.watch(ASK_STILL_S + 3, hidden=[FREE])
    assert scene.table.question is None
    scene.watch(ASK_STILL_S + 1)
    assert scene.asked().kind == DIFFERENCES


def test_what_covers_the_board_for_long_no_longer_holds_a_question_back():
    scene = Scene().opened().seen()
    scene.board.pop(SECOND)
    scene.watch(COVERED_S + 2, hidden=[FREE])
    assert scene.asked().kind == DIFFERENCES


def test_a_covered_place_itself_is_never_asked_about():
    scene = Scene().opened().seen()
    scene.board.pop(SECOND)
    scene.watch(COVERED_S + 10, hidden=[SECOND])
    assert scene.table.question is None


def test_a_doubt_where_nothing_is_to_be_done_waits_for_the_score():
    scene = Scene().opened().seen()
    scene.doubts[SECOND] = odds("tiki:pink", 0.9, "hut:pink")
    scene.watch(60.0)
    assert scene.table.question is None
    assert scene.view("public")["board"][SECOND]["state"] == "doubtful"
    score = scene.view("public")["score"]
    assert score["low"] != score["high"]
    assert score["ask"] == SECOND


# --- Take-backs ---


def test_a_piece_taken_up_again_is_offered_as_a_take_back():
    scene = Scene()
    scene.act(f"violet hut {FIRST}")
    scene.seen()
    scene.board.pop(FIRST)
    scene.watch(ASK_STILL_S + 1)
    question = scene.asked()
    assert (question.kind, question.seat) == (TAKE_BACK, "violet")
    assert scene.answer("yes").accepted
    assert scene.log == []


def test_a_take_back_that_was_none_leaves_the_game_as_it_is():
    scene = Scene()
    scene.act(f"violet hut {FIRST}")
    scene.seen()
    scene.board.pop(FIRST)
    scene.watch(ASK_STILL_S + 1)
    assert scene.answer("no").accepted
    assert scene.log == [f"violet hut {FIRST}"]
    scene.lay(FIRST, "hut:violet")
    scene.watch(2.0)
    assert scene.table.question is None


def test_a_take_back_is_not_offered_once_somebody_else_has_acted():
    scene = Scene()
    scene.act(f"violet hut {FIRST}", f"pink hut {SECOND}")
    scene.seen()
    scene.board.pop(FIRST)
    scene.watch(ASK_STILL_S + 1)
    assert scene.asked().kind == DIFFERENCES


def test_a_piece_moved_after_the_fact_is_asked_about_as_moved():
    scene = Scene()
    scene.act(f"violet hut {FIRST}")
    scene.seen()
    scene.board.pop(FIRST)
    scene.lay(FREE, "hut:violet")
    scene.watch(ASK_STILL_S + 1)
    question = scene.asked()
    assert (question.kind, question.seat) == (MOVED, "violet")
    assert scene.answer("yes").accepted
    assert scene.log == [f"violet hut {FREE}"]
    scene.watch(1.0)
    assert scene.table.question is None


# --- Late hands ---


def test_a_hut_that_is_never_put_down_is_reminded_of_once():
    scene = Scene()
    scene.act(f"violet hut {FIRST}")
    scene.watch(LATE_S - 2)
    assert scene.table.question is None
    scene.watch(4.0)
    question = scene.asked()
    assert (question.kind, question.seat) == (LATE, "violet")
    scene.watch(30.0)
    assert scene.asked().id == question.id
    scene.lay(FIRST, "hut:violet")
    scene.watch(1.0)
    assert scene.table.question is None


def round_over_with_tikis_left() -> Scene:
    scene = tiki_time()
    scene.act(f"violet tiki {FREE}", "pink tiki club:Danae", "yellow tiki club:Evao")
    scene.seen()
    scene.act("violet reveal", "pink reveal", "yellow reveal")
    tikis = {place: content for place, content in scene.board.items() if "tiki" in content}
    scene.follow()
    scene.board |= tikis
    return scene


def test_tikis_left_behind_are_never_taken_for_tikis_placed_again():
    scene = round_over_with_tikis_left()
    scene.watch(2.0)
    scene.planned()
    actions = len(scene.log)
    scene.watch(IN_THE_WAY_S - 2)
    assert len(scene.log) == actions
    assert scene.table.question is None


def test_a_tiki_left_behind_in_its_owners_way_is_asked_about_and_may_stay():
    scene = round_over_with_tikis_left()
    for place in ("club:Danae", "club:Evao"):
        scene.board.pop(place)  # of the others only
    scene.watch(2.0)
    scene.planned()
    first = MAKABANA.actors(scene.state)[0]
    while MAKABANA.actors(scene.state) != ("violet",):
        scene.act(f"{first} tiki {next(a for a in MAKABANA.hand_actions(scene.state) if a.args[0] != FREE).args[0]}")
        scene.follow()
        scene.lay(FREE, "tiki:violet")
        first = MAKABANA.actors(scene.state)[0]
    scene.watch(IN_THE_WAY_S + 2)
    question = scene.asked()
    assert (question.kind, question.seat) == (LATE, "violet")
    assert question.data["instead"] == f"violet tiki {FREE}"
    assert scene.answer("instead").accepted
    assert scene.log[-1] == f"violet tiki {FREE}"
    scene.watch(3.0)
    assert scene.table.question is None


def test_a_tiki_left_behind_is_not_placed_again_by_something_odd_elsewhere():
    scene = round_over_with_tikis_left()
    scene.watch(2.0)
    scene.planned()
    actions = len(scene.log)
    scene.board.pop(SECOND)
    scene.watch(3.0)
    assert len(scene.log) == actions


def next_round() -> Scene:
    """All tikis of the last round lie there still, and it is pink's turn to place the first one of this."""
    scene = tiki_time()
    scene.act(f"violet tiki {FREE}", "pink tiki club:Danae", "yellow tiki club:Evao")
    scene.seen()
    scene.act(*(f"{seat} reveal" for seat in MAKABANA.seats(scene.state)))
    lying = scene.board
    scene.follow()
    scene.board |= {place: content for place, content in lying.items() if "tiki" in content}
    scene.planned().watch(1.0)
    assert scene.table.session.actors == ("pink",)
    return scene


def test_a_tiki_put_where_another_was_just_taken_up_is_inferred():
    scene = next_round()
    scene.board.pop("club:Danae")
    scene.lay(FREE, "tiki:pink")  # in one go with taking up violet's: nobody has seen the place empty
    scene.watch(2.0)
    assert scene.log[-1] == f"pink tiki {FREE}"


def test_a_tiki_left_behind_is_not_put_down_again():
    scene = next_round()
    before = scene.log
    scene.watch(20.0)
    assert scene.log == before


def test_a_tiki_left_behind_that_looks_a_little_like_another_is_not_that_one():
    scene = next_round()
    before = scene.log
    scene.doubts[FREE] = {"tiki:pink": 0.9, "tiki:violet": 0.1}
    scene.board.pop("club:Danae")
    scene.watch(2.0)
    assert scene.log == before


def test_a_second_tiki_of_a_colour_is_not_early():
    """There is but one, and it lies where it was put: whatever looks like it is something else."""
    scene = tiki_time()
    scene.lay("club:Evao", "tiki:violet")
    scene.watch(1.0)
    assert scene.log[-1] == "violet tiki club:Evao"
    scene.lay(FREE, "tiki:violet")
    scene.watch(ASK_STILL_S + 1)
    assert scene.asked().kind == DIFFERENCES
    assert scene.view("public")["early"] == []


# --- Two halves of one mistake ---


def test_a_late_piece_that_the_camera_half_sees_elsewhere_is_one_question():
    scene = Scene().seen()
    scene.act(f"violet hut {FIRST}")
    beside = "Danae-Cocotier-Poisson"
    scene.lay(beside, "hut:violet")
    scene.doubts[beside] = {"hut:violet": 0.55, EMPTY: 0.45}  # no more than a hesitation
    scene.watch(LATE_S + 2)
    assert scene.asked().kind == LATE
    assert [cause.place for cause in scene.asked().causes] == [FIRST, beside]
    name = scene.asked().id
    scene.doubts = {}  # now it is sure
    scene.watch(ASK_STILL_S + 2)
    assert topic_of(scene.asked().id) == name


def test_what_fell_beside_its_place_and_is_half_seen_there_is_one_question():
    scene = Scene().opened().seen()
    scene.board.pop(SECOND)
    beside = "Danae-Lagon-Poisson"
    scene.lay(beside, "hut:pink")
    scene.doubts[beside] = {"hut:pink": 0.6, EMPTY: 0.4}
    scene.watch(ASK_STILL_S + 1)
    assert [cause.place for cause in scene.asked().causes] == [SECOND, beside]


def test_a_knocked_hut_that_looks_like_a_tiki_does_not_put_the_tiki_in_doubt():
    scene = tiki_time()
    scene.board.pop(FIRST)
    beside = "Danae-Cocotier-Poisson"
    scene.lay(beside, "hut:violet")
    scene.doubts[beside] = {"tiki:violet": 0.56, "hut:violet": 0.44}
    scene.lay("club:Evao", "tiki:violet")
    scene.watch(ASK_STILL_S + 1)
    assert scene.log[-1] == "violet tiki club:Evao"
    assert scene.asked().kind == DIFFERENCES
    assert {cause.place for cause in scene.asked().causes} == {FIRST, beside}


def test_a_tiki_that_looks_a_little_like_a_hut_is_inferred_while_no_hut_is_missing():
    scene = tiki_time()
    scene.lay(FREE, "tiki:violet")
    scene.doubts[FREE] = {"tiki:violet": 0.56, "hut:violet": 0.44}
    scene.watch(ASK_STILL_S + 1)
    assert scene.log[-1] == f"violet tiki {FREE}"


# --- Words that make no difference ---


def club_time() -> Scene:
    """Violet has two huts on Danae by now, and a plan that lets either found the club there."""
    scene = Scene("2013-mao").opened().seen().planned(violet="Danae Cocotier Fleur Tatouage Club show Danae")
    scene.act("violet close", "violet tiki Danae-Sable-Fleur", "pink tiki club:Evao", "yellow tiki Danae-Lagon-Poisson")
    scene.act("violet reveal", "violet build Danae-Cocotier-Tatouage")
    return scene.seen()


def test_nobody_is_asked_which_of_two_huts_founds_a_club():
    scene = club_time()
    clubs = [action.text for action in MAKABANA.hand_actions(scene.state) if action.verb == "club"]
    assert len(clubs) == 2
    scene.lay("club:Danae", "club:violet")
    scene.watch(ASK_STILL_S + 1)
    assert scene.table.question is None
    assert scene.log[-1] == clubs[0]


def test_only_what_is_told_may_differ_between_ways_that_are_not_asked_about():
    scene = club_time()
    one, other = [action for action in MAKABANA.hand_actions(scene.state) if action.verb == "club"]
    assert lead_to_the_same(scene.table.situation(), one, other)
    told = {"events": (), "story": ()}
    after = [MAKABANA.apply(scene.state, action) for action in (one, other)]
    assert after[0] != after[1]
    assert after[0].but(told) == after[1].but(told)
    scene = tiki_time()
    assert not lead_to_the_same(scene.table.situation(), *MAKABANA.hand_actions(scene.state)[:2])
