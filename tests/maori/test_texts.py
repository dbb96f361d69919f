"""Everything Māori can say has its sentence in both languages, and every sentence can be filled."""

from __future__ import annotations

import ast
import random

import pytest

from companion.games import texts
from companion.games.protocol import Event, Refusal
from tests.maori.support import CONFIGURATIONS, DATA, GAME, random_slip, random_steps

CODES = {"tie_broken", "remind_boat_must", "atoll_island_with_hut", "palms_upright"}


def codes_in_the_sources() -> set[str]:
    """The codes of all events and refusals: first arguments, and strings put into a variable `code`."""
    found = set()
    for path in DATA.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("Event", "Refusal") and node.args:
                found |= _strings(node.args[0])
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "code":
                found |= _strings(node.value)
    return found


def _strings(node: ast.expr) -> set[str]:
    """The literal strings of an expression that chooses between some."""
    if isinstance(node, ast.IfExp):
        return _strings(node.body) | _strings(node.orelse)
    return {node.value} if isinstance(node, ast.Constant) and isinstance(node.value, str) else set()


def test_every_code_has_a_text():
    codes = codes_in_the_sources()
    assert codes >= CODES
    assert sorted(codes - texts.catalogue("maori").keys()) == []


def test_every_verb_phase_and_piece_has_a_word():
    known = texts.catalogue("maori").keys()
    steps = random_steps("expert", 2, 1)
    words = {action.verb for _, action, _ in steps} | {state.phase for _, _, state in steps}
    words |= {
        f"piece.{kind}" for _, _, state in steps for pieces in GAME.expected(state).values() for kind, _ in pieces
    }
    assert sorted(word for word in words if f"word.{word}" not in known) == []


@pytest.mark.parametrize(("rules", "people"), CONFIGURATIONS)
def test_everything_a_game_says_can_be_said(rules, people):
    rng = random.Random(people)
    steps = random_steps(rules, people, people)
    said: list[Event | Refusal] = [*GAME.score(steps[-1][2]).reasons]
    for state, _, after in steps:
        reminder = GAME.view(state, None)["reminder"]
        said += [*after.events, Event(reminder.pop("code"), reminder)]
        result = GAME.apply(state, random_slip(state, rng))
        said += [result] if isinstance(result, Refusal) else []
    for event in said:
        for language in texts.LANGUAGES:
            sentence = texts.say(event, language, "maori")
            assert sentence[0].isupper() or not sentence[0].isalpha(), sentence
            assert sentence.endswith((".", "?", "!")), sentence
            assert "{" not in sentence, sentence


def test_a_few_sentences_as_they_are_read():
    sailed = Event("sailed", {"seat": "blue", "steps": 3, "place": 5, "price": 1})
    assert texts.say(sailed, "en", "maori") == "Blue moves the ship 3 on, to place 5 (shells paid: 1)."
    island = Event("island", {"player": "red", "cells": ["2,1", "2,2"], "palms": 3, "each": 1, "points": 3})
    assert texts.say(island, "en", "maori") == "Red: island 2,1+2,2: palms 3 × 1 = 3."
    assert texts.say(island, "fr", "maori") == "Rouge : île 2,1+2,2 : palmiers 3 × 1 = 3."
    assert texts.piece_name("ship", "shared", "fr", "maori") == "navire commun"
