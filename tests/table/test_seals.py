"""Sealed plans: the hash at once for all, salt and text once open, and nothing that can be forged."""

import hashlib

import pytest

from companion.table.seals import Seal, is_genuine, new_salt
from tests.table.support import Scene, first_plan


def test_the_hash_is_the_published_one():
    wanted = hashlib.sha256(b"00ff:t/1/7 violet plan Danae Sable Poisson show Danae").hexdigest()
    assert Seal("00ff", "t/1/7 violet plan Danae Sable Poisson show Danae").hash == wanted


def test_two_salts_are_never_the_same_and_long_enough_not_to_be_guessed():
    salts = {new_salt() for _ in range(200)}
    assert len(salts) == 200
    assert {len(salt) for salt in salts} == {32}


def test_a_seal_never_shows_its_secret_by_accident():
    seal = Seal("00ff", "violet plan Danae")
    assert "Danae" not in repr(seal)
    assert "00ff" not in repr(seal)
    assert seal.to_json(is_open=False) == {"hash": seal.hash, "salt": None, "text": None}


@pytest.mark.parametrize(
    ("salt", "text", "genuine"),
    [
        ("00ff", "a b", True),
        ("00fe", "a b", False),
        ("00ff", "a c", False),
        ("00ff", "", False),
        ("", "00ff:a b", False),
    ],
)
def test_only_what_was_sealed_is_genuine(salt, text, genuine):
    assert is_genuine(Seal("00ff", "a b").hash, salt, text) == genuine


def test_a_plan_is_sealed_for_all_as_soon_as_it_is_locked():
    scene = Scene().opened()
    assert scene.view("public")["seals"] == {}
    scene.act(first_plan(scene.state, "violet").text)
    sealed = scene.view("public")["seals"]
    assert list(sealed) == ["violet"]
    assert len(sealed["violet"]["hash"]) == 64
    assert sealed["violet"]["salt"] is sealed["violet"]["text"] is None
    for viewer in ("staff", "violet", "pink"):
        assert scene.view(viewer)["seals"] == sealed


def test_a_seal_is_opened_by_the_reveal_and_is_the_one_that_was_shown():
    scene = Scene().opened().planned()
    shown = {seat: seal["hash"] for seat, seal in scene.view("public")["seals"].items()}
    scene.act("violet tiki club:Danae", "pink tiki club:Evao", "yellow tiki Danae-Rocher-Tatouage", "violet reveal")
    seals = scene.view("public")["seals"]
    assert {seat: seal["hash"] for seat, seal in seals.items()} == shown
    opened = seals["violet"]
    assert is_genuine(shown["violet"], opened["salt"], opened["text"])
    assert opened["text"].split(" ", 1)[1] == next(line for line in scene.log if line.startswith("violet plan"))
    assert seals["pink"]["salt"] is seals["pink"]["text"] is None


def test_the_same_cards_twice_have_different_seals():
    scene = Scene().opened()
    plan = first_plan(scene.state, "violet").text
    scene.act(plan)
    first = scene.view("public")["seals"]["violet"]["hash"]
    scene.act("violet withdraw")
    assert scene.view("public")["seals"] == {}
    scene.act(plan)
    assert scene.view("public")["seals"]["violet"]["hash"] != first


def test_seals_are_the_same_after_a_restart():
    scene = Scene().opened().planned()
    before = scene.view("public")["seals"]
    scene.restart()
    assert scene.view("public")["seals"] == before


def test_who_is_out_in_mao_stays_sealed():
    scene = Scene("2013-mao").opened()
    scene.planned(violet="Danae Sable Poisson show Danae", pink="Danae show Danae", yellow="Evao show Evao")
    scene.act("violet denounce pink")
    scene.wait(1.5)
    assert scene.view("public")["game"]["out"] == "pink"
    pink = scene.view("public")["seals"].get("pink", {"salt": None, "text": None})
    assert pink["salt"] is pink["text"] is None
    for viewer in ("public", "staff", "violet"):
        assert scene.view(viewer)["game"]["plans"]["pink"]["cards"] is None
