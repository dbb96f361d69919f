"""Every code has its sentence in every language, and every sentence can be filled."""

from __future__ import annotations

import ast
import json
import random
import string
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.games import texts
from companion.games.catalogue import GAME_NAMES
from companion.games.protocol import Event, Refusal
from tests.makabana.support import CONFIGURATIONS, GAME, random_slip, random_states

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "companion" / "games"
# The devices have texts of their own, and tests of their own for them.
SOURCES = [path for path in (ROOT / "companion").rglob("*.py") if "devices" not in path.parts]


def codes_in_the_sources(sources: Sequence[Path] = SOURCES) -> set[str]:
    """The codes of all events and refusals made there: first arguments, and strings put into a variable `code`."""
    found = set()
    for path in sources:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("Event", "Refusal") and node.args:
                found |= _strings(node.args[0])
            if isinstance(node, ast.Assign) and "code" in ast.unparse(node.targets[0]).strip("()").split(", "):
                value = node.value.elts[0] if isinstance(node.value, ast.Tuple) else node.value
                found |= _strings(value)
    return found


def _strings(node: ast.expr) -> set[str]:
    """A literal string, or both of a conditional; a name stands for what was assigned to it elsewhere."""
    match node:
        case ast.Constant(value=str(value)):
            return {value}
        case ast.IfExp(body=body, orelse=orelse):
            return _strings(body) | _strings(orelse)
    return set()


def test_the_source_reader_finds_codes_of_every_kind():
    assert {"site_taken", "denounced_wrongly", "beach_shared", "offer_due", "file_empty"} <= codes_in_the_sources()


@pytest.mark.parametrize("game", GAME_NAMES)
def test_every_code_of_a_game_has_a_text_there(game):
    own = [path for path in SOURCES if path.is_relative_to(GAMES / game)]
    shared = [path for path in SOURCES if path.parent == GAMES]
    assert sorted(codes_in_the_sources([*own, *shared]) - texts.catalogue(game).keys()) == []


def test_every_code_of_other_rooms_has_a_text_somewhere():
    files = [json.loads(path.read_text("utf-8")) for path in (ROOT / "companion").rglob("texts.json")]
    others = [path for path in SOURCES if not path.is_relative_to(GAMES)]
    assert sorted(codes_in_the_sources(others) - {code for file in files for code in file}) == []


@pytest.mark.parametrize("game", [None, *GAME_NAMES])
def test_every_text_is_there_in_every_language_with_the_same_fields(game):
    for code, sentences in texts.catalogue(game).items():
        assert tuple(sentences) == texts.LANGUAGES, code
        fields = [{field for _, field, _, _ in string.Formatter().parse(text) if field} for text in sentences.values()]
        assert fields[0] == fields[1], code


@pytest.mark.parametrize(("rules", "people"), CONFIGURATIONS)
def test_everything_a_game_says_can_be_said(rules, people):
    rng = random.Random(people)
    steps = random_states(rules, people, people)
    said: list[Event | Refusal] = [*GAME.score(steps[-1][2]).reasons]
    for state, _, after in steps:
        said += after.events
        result = GAME.apply(state, random_slip(state, rng))
        said += [result] if isinstance(result, Refusal) else []
    for event in said:
        for language in texts.LANGUAGES:
            sentence = texts.say(event, language)
            assert sentence[0].isupper() or not sentence[0].isalpha(), sentence
            assert sentence.endswith((".", "?", "!")), sentence
            assert "{" not in sentence, sentence


def test_a_few_sentences_as_they_are_read():
    blocked = Event("tiki_on_site", {"site": "Azzura-Lagon-Fleur", "owner": "pink"})
    failed = Event("failed", {"seat": "blue", "verb": "build", "site": "X", "because": [blocked.to_json()]})
    assert texts.say(failed) == "Blue fails to build on X. The tiki of Pink stands on Azzura Lagon Fleur."
    assert texts.say(blocked, "fr") == "Le tiki de Rose est sur Azzura Lagon Fleur."
    assert texts.say(blocked._replace(data={"site": "X", "owner": "orange"}), "fr") == "Le tiki d’Orange est sur X."
    assert texts.say(Event("several_beaches", {"count": 2})) == "2 beach cards instead of one."
    shared = {"beach": "Azzura", "tied": ["blue", "green"], "huts": {"blue": 2, "green": 2}, "players": []}
    assert texts.say(Event("beach_shared", shared)) == "Azzura: Blue and Green tie (Blue: 2, Green: 2), 2 points each."
    assert texts.name("blue-2", "fr") == "Bleu 2"


def test_an_unknown_code_is_said_as_it_is():
    assert texts.say(Event("from_the_future", {"x": 1})) == 'from_the_future {"x": 1}'
