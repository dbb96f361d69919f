"""Views: each viewer's own, and nothing of anybody's secrets in anything that leaves the table."""

import json
import logging
import os
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.catalogue import game_named
from companion.rehearsal.evening import Evening, Gear
from companion.rehearsal.spy import Spy
from companion.table.views import PUBLIC, STAFF, view
from tests.table.support import MAKABANA, Scene, first_plan

IS_LONG = os.environ.get("MAKABANA_LONG") == "1"
KINDS = (("2013", 3), ("2013-mao", 3), ("2003-mao", 3), ("2003", 4), ("2013", 5), ("2013-mao", 5), ("2013", 6))


def played(rules: str, people: int, seed: str) -> Evening:
    header = game_named("makabana").default_header(rules, people)
    evening = Evening(header, random.Random(seed), Gear(), spied_on=True)
    evening.run()
    return evening


# --- The spy ---


@pytest.mark.parametrize(("rules", "people"), KINDS[:3])
def test_a_spy_finds_no_secret_in_a_whole_game(rules, people, caplog):
    caplog.set_level(logging.DEBUG)
    evening = played(rules, people, "spied on")
    assert evening.spy is not None
    assert evening.spy.looked > 100
    assert (evening.spy.found, evening.spy.by_viewer) == (0, {})
    plans = [" ".join(step.action.args) for step in evening.table.session.steps if step.salt]
    salts = [step.salt for step in evening.table.session.steps if step.salt]
    assert not any(secret in caplog.text for secret in (*plans, *salts))


@pytest.mark.skipif(not IS_LONG, reason="takes an hour: MAKABANA_LONG=1")
def test_a_spy_finds_no_secret_in_a_thousand_games():
    for number in range(1000):
        evening = played(*KINDS[number % len(KINDS)], f"thousand/{number}")
        assert evening.spy is not None
        assert evening.spy.found == 0, number


def test_the_spy_does_find_a_leak():
    scene = Scene().opened().planned()
    spy = Spy(scene.table)
    spy.look()
    assert spy.found == 0
    leak = next(step for step in scene.table.session.steps if step.action.seat == "violet" and step.salt)
    scene.table.row = scene.table.row._replace(name=leak.action.text)
    spy.look()
    assert spy.by_viewer == {"public": 1, "staff": 1, "pink": 1, "yellow": 1}


# --- Two games that differ in one secret ---


def masked(scene: Scene, viewer: str) -> str:
    """Every byte sent to a viewer, but for the random part: the hash says nothing, the epoch neither."""
    seen = view(scene.table, viewer)
    for seal in seen["seals"].values():
        seal["hash"] = len(seal["hash"])
    seen["epoch"] = ""
    return json.dumps(seen, ensure_ascii=False)


def sent_to_others(scene: Scene, owner: str) -> dict[str, str]:
    others = [PUBLIC, STAFF, *(seat for seat in scene.table.session.seats if seat != owner)]
    return {viewer: masked(scene, viewer) for viewer in others}


def same_clue(scene: Scene, seat: str, plan: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The plans that look the same from outside: as many cards, the same one face up, as many open Paints."""
    found = [a.args for a in MAKABANA.legal_actions(scene.state, seat) if a.verb == "plan"]
    paints = plan.count("Paint")
    return [a for a in found if len(a) == len(plan) and a[-1] == plan[-1] and a.count("Paint") == paints and a != plan]


@pytest.mark.parametrize("rules", ["2013", "2013-mao", "2003", "2003-mao"])
def test_nobodys_view_depends_on_a_hidden_card(rules):
    @settings(max_examples=12 if not IS_LONG else 300)
    @given(st.randoms(use_true_random=False))
    def flip(rng):
        scenes = [Scene(rules, 3, salt=lambda: "5" * 32) for _ in range(2)]
        for scene in scenes:
            if rules.startswith("2013"):
                scene.opened()
        start, owner = scenes[0].state, rng.choice(list(scenes[0].table.session.seats))
        plans = [a.args for a in MAKABANA.legal_actions(start, owner) if a.verb == "plan"]
        one = rng.choice(plans)
        twins = same_clue(scenes[0], owner, one)
        other = rng.choice(twins) if twins else one
        for seat in scenes[0].table.session.seats:
            words = first_plan(start, seat).args
            for scene, own in zip(scenes, (one, other), strict=True):
                scene.act(" ".join((seat, "plan", *(own if seat == owner else words))))
            assert sent_to_others(scenes[0], owner) == sent_to_others(scenes[1], owner)
        assert (masked(scenes[0], owner) == masked(scenes[1], owner)) == (one == other)
        for scene in scenes:
            if "mao" in rules:
                scene.act(f"{scene.table.session.actors[0]} close")
        assert sent_to_others(scenes[0], owner) == sent_to_others(scenes[1], owner)

    flip()


# --- What is printed by accident ---


def secret_words(scene: Scene) -> list[str]:
    steps = [step for step in scene.table.session.steps if step.salt]
    return [secret for step in steps for secret in (str(step.salt), " ".join(step.action.args))]


def test_no_repr_of_the_tables_values_holds_a_secret():
    scene = Scene().opened().planned()
    scene.cards("violet", "Evao", "Rocher", "Tatouage")
    scene.wait(6.0)
    table = scene.table
    printed = [table, table.session, table.session.steps, table.trays, table.trays.tray("violet"), table.decision]
    printed += [table.private, list(table.evidence), scene.kept, table.session.seal("violet"), table.question]
    text = repr(printed)
    assert not any(secret in text for secret in secret_words(scene))
    assert "Rocher', 'Tatouage" not in text
    assert "card Evao" not in text


def test_a_private_question_is_printed_without_its_cards():
    scene = Scene().opened()
    scene.cards("violet")
    scene.act("violet plan Danae Sable Poisson show Danae")
    scene.cards("violet", "Danae", "Sable", "Tatouage")
    scene.wait(6.0)
    assert scene.table.private["violet"].kind == "tray_or_phone"
    assert "Tatouage" not in repr(scene.table.private)
    scene.accepted("answer", scene.table.private["violet"].id, "phone", seat="violet")
    assert "Tatouage" not in repr(scene.table.session)
    assert "Tatouage" not in repr(scene.kept[-1])


def test_refusals_and_log_lines_of_a_failing_store_hold_no_secret(caplog):
    from tests.table.support import FailingStore

    caplog.set_level(logging.DEBUG)
    store = FailingStore()
    scene = Scene(store=store).opened()
    store.fails = "disk_full"
    answer = scene.do("act", "plan", "Danae", "Sable", "Poisson", "show", "Danae", seat="violet")
    assert not answer.accepted
    assert "Poisson" not in repr(answer) + caplog.text + json.dumps(scene.view(STAFF)["trouble"])


# --- What each viewer gets ---


def test_every_view_is_plain_json_before_during_and_after_a_game():
    scene = Scene(start=False)
    for viewer in (PUBLIC, STAFF, "violet"):
        assert json.loads(json.dumps(view(scene.table, viewer)))["game"] is None
    scene = Scene().opened().planned()
    for viewer in (PUBLIC, STAFF, "violet"):
        assert json.loads(json.dumps(view(scene.table, viewer)))["viewer"] == viewer


def test_a_viewer_nobody_knows_gets_what_everybody_gets():
    scene = Scene().opened().planned()
    stranger = scene.view("nobody")
    assert {**stranger, "viewer": "public"} == scene.view("public")


def test_only_the_owner_sees_the_own_plan():
    scene = Scene().opened().planned()
    assert scene.view("violet")["game"]["plans"]["violet"]["cards"]
    for viewer in (PUBLIC, STAFF, "pink", "yellow"):
        assert scene.view(viewer)["game"]["plans"]["violet"]["cards"] is None
        assert "private" not in scene.view(viewer) or viewer in ("pink", "yellow")


def test_a_question_is_shown_to_the_asked_and_to_staff_the_others_learn_for_whom_the_table_waits():
    scene = Scene().opened().seen()
    scene.board.pop("Danae-Lagon-Fleur")
    scene.watch(5.0)
    assert scene.view("public")["question"] == {"for": "pink"}
    assert scene.view("violet")["question"] == {"for": "pink"}
    for viewer in ("pink", STAFF):
        shown = scene.view(viewer)["question"]
        assert (shown["kind"], shown["answers"]) == ("differences", ["game", "board", "camera"])
        assert shown["code"] == "question_differences"


def test_staff_see_the_health_of_each_sensor_and_the_differences():
    scene = Scene().opened().seen()
    scene.board.pop("Danae-Lagon-Fleur")
    scene.watch(1.0)
    staff = scene.view(STAFF)
    assert staff["differences"] == [
        {"place": "Danae-Lagon-Fleur", "state": "differs", "expected": "hut:pink", "seen": "empty"}
    ]
    assert [sensor["available"] for sensor in staff["sensors"]] == [True]
    scene.lose_camera()
    sensor = scene.view(STAFF)["sensors"][0]
    assert (sensor["available"], sensor["reason"]) == (False, {"code": "camera_lost"})
    assert not scene.view("public")["table"]["sees_board"]


def test_the_list_of_legal_actions_leaves_plans_out():
    scene = Scene()
    assert len(scene.view("violet")["legal"]["hut"]) == 21
    assert scene.view("pink")["legal"] == {}
    scene.opened()
    assert scene.view("pink")["legal"] == {"plan": []}


def test_the_version_grows_with_every_change_that_is_told():
    scene = Scene()
    told: list[int] = []
    scene.table.listeners.append(told.append)
    scene.act("violet hut Danae-Lagon-Fleur")
    assert told
    assert told == sorted(set(told))
    assert scene.view("public")["version"] == told[-1]


def test_a_refused_command_tells_nobody():
    scene = Scene()
    told: list[int] = []
    scene.table.listeners.append(told.append)
    scene.refused("act", "hut", "Danae-Lagon-Fleur", seat="pink")
    assert told == []
