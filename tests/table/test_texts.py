"""Every code that the table can say has words in both languages, and no words lie about unused."""

import ast
import json
from pathlib import Path
from string import Formatter

import pytest

from companion.games import texts as game_texts
from companion.games.protocol import Event
from companion.games.texts import LANGUAGES
from companion.table import decide, questions
from companion.table.table import _TOLD
from companion.table.texts import catalogue, say
from tests.table.support import Scene

ROOM = Path(__file__).parents[2] / "companion" / "table"
OWN = json.loads((ROOM / "texts.json").read_text("utf-8"))
KINDS = [*questions._RESOLVERS]
FIXED_ANSWERS = {"board", "camera", "game", "instead", "no", "none", "phone", "tray", "yes"}
SAID_BY = {"answer", "button", "camera", "claim", "tray"}


def codes_in_the_room() -> set[str]:
    """The first arguments of events, refusals and faults of the store; observations are put in words by the devices."""
    found: set[str] = set()
    for path in set(ROOM.glob("*.py")) - {ROOM / "observations.py"}:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            is_call = isinstance(node, ast.Call) and ast.unparse(node.func) in ("Event", "Refusal", "fault")
            if is_call and node.args:
                found |= _strings(node.args[0])
    return found


def _strings(node: ast.expr) -> set[str]:
    """A plain string, or both of a conditional."""
    if isinstance(node, ast.IfExp):
        return _strings(node.body) | _strings(node.orelse)
    return {node.value} if isinstance(node, ast.Constant) and isinstance(node.value, str) else set()


def all_strings_in_the_room() -> set[str]:
    nodes = (node for path in ROOM.glob("*.py") for node in ast.walk(ast.parse(path.read_text("utf-8"))))
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def test_the_reader_of_the_sources_finds_codes():
    assert {"race_open", "seat_unknown", "store_doubtful", "screen_is_old"} <= codes_in_the_room()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_of_the_table_has_words(language):
    wanted = codes_in_the_room() | set(_TOLD.values()) | {f"question_{kind}" for kind in KINDS}
    wanted |= {"pressed_together", "cause"} | {f"answer.{answer}" for answer in FIXED_ANSWERS}
    wanted |= {f"word.{by}" for by in SAID_BY}
    words = catalogue("makabana")
    assert sorted(code for code in wanted if not words.get(code, {}).get(language)) == []


def test_no_words_lie_about_unused():
    used = all_strings_in_the_room() | {f"question_{kind}" for kind in KINDS}
    used |= {f"answer.{answer}" for answer in FIXED_ANSWERS} | {f"word.{by}" for by in SAID_BY}
    assert sorted(OWN.keys() - used) == []


def test_the_tables_words_hide_none_of_the_games():
    assert sorted(OWN.keys() & game_texts.catalogue("makabana").keys()) == []


@pytest.mark.parametrize("code", sorted(OWN))
def test_both_languages_say_it_with_the_same_data(code):
    assert sorted(OWN[code]) == sorted(LANGUAGES)
    fields = [{(name, spec) for _, name, spec, _ in Formatter().parse(text) if name} for text in OWN[code].values()]
    assert fields[0] == fields[1]


def test_every_answer_of_every_question_with_fixed_answers_has_words():
    cause = (decide.Cause("a", "empty", "hut:pink"),)
    for kind in KINDS:
        ask = decide.Ask(kind, "violet", cause, {"instead": "violet tiki x"})
        assert set(questions._answers(ask)) <= FIXED_ANSWERS


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_question_is_a_whole_sentence(language):
    scene = Scene().opened().seen()
    scene.board.pop("Danae-Lagon-Fleur")
    scene.watch(5.0)
    sentence = say(scene.asked().event, language)
    assert "Danae-Lagon-Fleur" in sentence
    assert "{" not in sentence
    assert {"en": "pink hut", "fr": "paillote rose"}[language] in sentence


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_news_of_an_evening_have_words(language):
    scene = Scene("2013-mao").opened().planned()
    scene.press("pink")
    scene.press("yellow")
    scene.wait(1.0)
    scene.answer("pink denounce violet")
    scene.accepted("pause")
    scene.accepted("resume")
    scene.accepted("wrong", "no", seat="pink")
    scene.accepted("leave", seat="pink")
    scene.accepted("seat_bot", "Moana", seat="pink")
    codes = set(scene.news())
    assert {"pressed_together", "paused", "resumed", "disputed", "seat_left", "bot_seated"} <= codes
    for news in scene.table.news:
        sentence = say(news.event, language)
        assert not sentence.startswith(f"{news.event.code} ")  # what is said of a code without words
        assert "None" not in sentence


def test_something_the_house_says_is_wrong_names_nobody():
    scene = Scene()
    scene.accepted("wrong", "no")
    event: Event = scene.table.news[-1].event
    assert all("None" not in say(event, language) for language in LANGUAGES)
