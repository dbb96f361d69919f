"""Every code of this room has its sentence in every language, with the same fields."""

from __future__ import annotations

import ast
import string
from pathlib import Path

import pytest

from companion.games import texts as game_texts
from companion.games.catalogue import GAME_NAMES
from companion.players.characters import characters
from companion.players.makabana.options import Aim
from companion.players.texts import own_texts, percent, say

ROOT = Path(__file__).parents[2]
SOURCES = [*(ROOT / "companion" / "players").rglob("*.py"), ROOT / "companion" / "commands" / "tournament.py"]


def codes_in_the_sources() -> set[str]:
    """The codes given to `fact`, and strings chosen for them; f-strings are looked at below."""
    found = set()
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if (
                isinstance(node, ast.Call)
                and ast.unparse(node.func) == "fact"
                and isinstance(node.args[0], ast.Constant)
            ):
                found.add(node.args[0].value)
    return found


def test_every_code_has_a_text():
    assert {"coach_open", "why_tiki", "turn_settled", "bot_unknown"} <= codes_in_the_sources()
    made = {f"{kind}_{verb}" for kind in ("aim", "guess") for verb in ("build", "paint", "club")}
    made |= {"why_denounced_rightly", "why_denounced_wrongly", "coach_project", "coach_laid"}
    made |= {f"character.{character.id}" for character in characters()}
    assert sorted((codes_in_the_sources() | made) - own_texts().keys()) == []


def test_every_text_is_there_in_every_language_with_the_same_fields():
    for code, sentences in own_texts().items():
        assert tuple(sentences) == game_texts.LANGUAGES, code
        fields = [{field for _, field, _, _ in string.Formatter().parse(text) if field} for text in sentences.values()]
        assert fields[0] == fields[1], code


@pytest.mark.parametrize("game", GAME_NAMES)
def test_no_code_of_ours_hides_one_of_a_game(game):
    assert own_texts().keys() & game_texts.catalogue(game).keys() == set()


def test_a_temperament_is_said_with_the_name():
    for character in characters():
        for language in game_texts.LANGUAGES:
            assert say(character.temperament, language).startswith(character.name)


def test_the_verbs_of_aims_are_those_with_texts():
    assert percent(1 / 3) == 33
    assert Aim("build", "Aloa-Lagon-Fleur", {}, 0.0).verb in {code.removeprefix("aim_") for code in own_texts()}
