"""Projects by card tray, by phone, or both: a tray that is sure locks, one that is not asks its owner alone."""

import pytest

from companion.table.observations import Event, Health, Tag, TagsSeen, When
from companion.table.questions import TRAY_OR_PHONE, TRAY_WAY
from companion.table.trays import STILL_S
from tests.table.support import MAKABANA, Scene, first_plan

CARDS = ("Danae", "Sable", "Poisson")  # the first lies face up
PLAN = "violet plan Danae Sable Poisson show Danae"
OTHER = "violet plan Danae Sable Tatouage show Danae"


def planning(rules: str = "2013", people: int = 3) -> Scene:
    """The time for plans, with empty trays that have spoken."""
    scene = Scene(rules, people)
    while not any(a.verb == "plan" for a in MAKABANA.legal_actions(scene.state, MAKABANA.actors(scene.state)[0])):
        action = MAKABANA.hand_actions(scene.state)[0]
        scene.act(action.text)
    for seat in scene.table.session.seats:
        scene.cards(seat)
    scene.wait(1.0)
    return scene


def others_views(scene: Scene, owner: str) -> dict[str, object]:
    """What everybody else is sent, but for the counters."""
    viewers = ["public", "staff", *(seat for seat in scene.table.session.seats if seat != owner)]
    counters = ("version", "number", "epoch")
    return {v: {k: x for k, x in scene.view(v).items() if k not in counters} for v in viewers}


def test_cards_at_rest_are_a_plan():
    scene = planning()
    scene.cards("violet", *CARDS)
    scene.wait(STILL_S - 0.4)
    assert scene.log[-1] != PLAN
    scene.wait(1.0)
    assert scene.log[-1] == PLAN
    assert scene.table.session.steps[-1].by == "tray"


def test_the_card_on_the_first_place_is_the_clue():
    scene = planning()
    scene.cards("violet", "Poisson", "Danae", "Sable")
    scene.wait(STILL_S + 1)
    assert scene.log[-1] == "violet plan Danae Sable Poisson show Poisson"


def test_the_button_locks_at_once():
    scene = planning()
    scene.cards("violet", *CARDS)
    scene.press("violet")
    assert scene.log[-1] == PLAN


def test_cards_that_name_no_site_wait_for_more():
    scene = planning()
    scene.cards("violet", "Danae", "Sable")
    scene.wait(60.0)
    assert not scene.log[-1].startswith("violet plan")
    scene.press("violet")  # ... unless their owner says that this is all
    assert scene.log[-1] == "violet plan Danae Sable show Danae"


def test_each_card_laid_starts_the_rest_anew():
    scene = planning()
    for number, card in enumerate(CARDS, 1):
        scene.card("violet", number, card)
        scene.wait(STILL_S - 1)
    assert not scene.log[-1].startswith("violet plan")
    scene.wait(1.4)
    assert scene.log[-1] == PLAN


def test_a_tray_that_agrees_with_the_phone_says_nothing():
    scene = planning()
    scene.act(PLAN)
    scene.cards("violet", *CARDS)
    scene.wait(60.0)
    assert scene.table.private == {}
    assert sum(line.startswith("violet plan") for line in scene.log) == 1


def test_a_tray_that_disagrees_with_the_phone_asks_its_owner_only():
    scene = planning()
    scene.act(OTHER)
    before = others_views(scene, "violet")
    scene.cards("violet", *CARDS)
    scene.wait(STILL_S + 1)
    question = scene.table.private["violet"]
    assert question.kind == TRAY_OR_PHONE
    assert scene.view("violet")["private"]["question"]["data"] == {"tray": PLAN, "phone": OTHER}
    assert others_views(scene, "violet") == before
    assert scene.table.question is None


@pytest.mark.parametrize(("answer", "plan"), [("tray", PLAN), ("phone", OTHER)])
def test_the_owner_says_which_of_the_two_counts(answer, plan):
    scene = planning()
    scene.act(OTHER)
    scene.cards("violet", *CARDS)
    scene.wait(STILL_S + 1)
    name = scene.table.private["violet"].id
    scene.accepted("answer", name, answer, seat="violet")
    assert [line for line in scene.log if line.startswith("violet plan")][-1] == plan
    scene.wait(30.0)
    assert scene.table.private == {}
    assert scene.view("violet")["game"]["plans"]["violet"]["cards"] == plan.split()[2:-2]


@pytest.mark.parametrize("who", [None, "pink"])
def test_nobody_else_can_answer_a_trays_question_not_even_the_house(who):
    scene = planning()
    scene.act(OTHER)
    scene.cards("violet", *CARDS)
    scene.wait(STILL_S + 1)
    name = scene.table.private["violet"].id
    assert scene.refused("answer", name, "tray", seat=who) == "question_gone"
    assert "violet" in scene.table.private


def test_cards_left_from_the_last_round_never_lock():
    scene = planning()
    scene.cards("violet", *CARDS)
    scene.wait(STILL_S + 1)
    for seat in ("pink", "yellow"):
        scene.act(first_plan(scene.state, seat, 5).text)
    scene.act("violet tiki club:Danae", "pink tiki club:Evao", "yellow tiki Danae-Rocher-Tatouage")
    scene.act("violet reveal", "pink reveal", "yellow reveal")
    assert "violet" in scene.table.session.actors
    plans = len(scene.log)
    scene.wait(60.0)
    assert len(scene.log) == plans
    scene.card("violet", 3, "Tatouage")  # one card changed: now they are this round's
    scene.wait(STILL_S + 1)
    assert scene.log[-1] == OTHER


def test_cards_that_lay_there_before_a_restart_never_lock():
    scene = planning()
    scene.cards("violet", *CARDS)
    scene.wait(1.0)
    scene.restart()
    scene.cards("violet", *CARDS)
    scene.wait(60.0)
    assert not scene.log[-1].startswith("violet plan")
    scene.press("violet")
    assert scene.log[-1] == PLAN


def test_a_tray_with_a_dead_reader_never_locks():
    scene = planning()
    scene.table.observe(Health("tray-violet/4", "tray:violet:4", False, scene.clock.at, Event("reader_lost")))
    scene.cards("violet", *CARDS, places=3)
    scene.wait(60.0)
    scene.press("violet")
    assert not scene.log[-1].startswith("violet plan")
    scene.act(PLAN)  # the phone still works


@pytest.mark.parametrize("colour", ["pink", "nobody"])
def test_a_card_of_another_colour_never_locks(colour):
    scene = planning()
    scene.cards("violet", *CARDS)
    scene.card("violet", 2, "Sable", colour=colour)
    scene.wait(60.0)
    scene.press("violet")
    assert not scene.log[-1].startswith("violet plan")
    assert scene.view("violet")["private"]["strangers"] == 1


def test_a_tag_nobody_knows_never_locks():
    scene = planning()
    scene.cards("violet", *CARDS)
    tag = Tag("04FFFFFFFFFFFF", None, When(scene.clock.at))
    scene.table.observe(TagsSeen("tray-violet/5", "tray:violet:5", (tag,), When(scene.clock.at)))
    scene.wait(60.0)
    assert not scene.log[-1].startswith("violet plan")


def test_other_cards_plan_anew_while_others_still_plan():
    scene = planning()
    scene.cards("violet", *CARDS)
    scene.wait(STILL_S + 1)
    scene.card("violet", 3, "Tatouage")
    scene.wait(STILL_S + 1)
    assert scene.log[-2:] == ["violet withdraw", OTHER]


def test_other_cards_change_nothing_once_the_clues_are_shown():
    scene = planning()
    scene.cards("violet", *CARDS)
    scene.wait(STILL_S + 1)
    for seat in ("pink", "yellow"):
        scene.act(first_plan(scene.state, seat, 5).text)
    actions = len(scene.log)
    scene.card("violet", 3, "Tatouage")
    scene.wait(60.0)
    assert len(scene.log) == actions
    assert scene.table.private == {}


def test_a_false_removal_of_a_moment_does_not_plan_anew():
    scene = planning()
    scene.cards("violet", *CARDS)
    scene.wait(STILL_S + 1)
    scene.card("violet", 2)
    scene.wait(0.4)
    scene.card("violet", 2, "Sable")
    scene.wait(60.0)
    assert [line for line in scene.log if line.startswith("violet ") and "hut" not in line] == [PLAN]


def test_a_card_that_can_lie_two_ways_asks_its_owner_which():
    scene = planning("2013-teams", 8)
    scene.cards("violet-1", "Rocher", "Azzura", "Fleur")
    scene.wait(STILL_S + 1)
    question = scene.table.private["violet-1"]
    assert question.kind == TRAY_WAY
    assert {answer.split()[2] for answer in question.answers} == {"Azzura", "Aloa"}
    assert not scene.log[-1].startswith("violet-1 plan")
    scene.accepted("answer", question.id, question.answers[0], seat="violet-1")
    assert scene.log[-1] == question.answers[0]
    scene.wait(30.0)
    assert scene.table.private == {}


def test_trays_are_silent_while_the_game_is_paused():
    scene = planning()
    scene.accepted("pause")
    scene.cards("violet", *CARDS)
    scene.wait(30.0)
    scene.press("violet")
    assert not scene.log[-1].startswith("violet plan")


def test_what_a_tray_holds_changes_nothing_that_others_are_sent():
    scene = planning()
    before = others_views(scene, "violet")
    for cards in (("Danae",), ("Evao", "Lagon"), ("Paint", "Club", "Fleur", "Tatouage"), ()):
        scene.cards("violet", *cards)
        scene.wait(1.0)
        assert others_views(scene, "violet") == before
        assert scene.view("violet")["private"]["tray"] == list(cards)


def test_a_tray_of_a_seat_that_is_not_at_this_table_is_nobodys():
    scene = planning()
    scene.table.observe(TagsSeen("tray-blue/1", "tray:blue:1", (), When(scene.clock.at)))
    scene.wait(10.0)
    scene.press("blue")
    assert scene.table.private == {}
