"""Every code that the house says has a sentence in both languages, and every sentence a use."""

import re
from pathlib import Path
from string import Formatter

import pytest

from companion.devices import texts as devices
from companion.games.protocol import Event
from companion.house.texts import catalogue, say

HOUSE = Path(__file__).parents[2] / "companion/house"
OURS = [path for path in HOUSE.glob("*.py") if not path.name.startswith(("photo", "tracing"))]
SOURCES = "".join(path.read_text("utf-8") for path in [*OURS, HOUSE.parent / "commands/replay.py"])
# Said by vision, by the games and by the devices.
ELSEWHERE = {"board_not_found", "file_missing", "file_unreadable", *devices.catalogue()}


def test_every_code_has_a_sentence() -> None:
    codes = set(re.findall(r'Event\(\s*"(\w+)"', SOURCES))
    assert codes - ELSEWHERE - set(catalogue()) == set()


def test_every_sentence_is_used() -> None:
    everything = SOURCES + "".join(path.read_text("utf-8") for path in HOUSE.glob("photo*.py"))
    assert [code for code in catalogue() if f'"{code}"' not in everything] == []


@pytest.mark.parametrize("code", catalogue())
def test_both_languages_fill_the_same_blanks(code: str) -> None:
    english, french = ({field for _, field, _, _ in Formatter().parse(catalogue()[code][language]) if field}
                       for language in ("en", "fr"))  # fmt: skip
    assert english == french


def test_an_event_is_said_with_its_data() -> None:
    event = Event("place_not_here", {"place": "Mars", "boards": ["nadaa", "noka"]})
    assert say(event, "en").startswith("There is no place Mars on this table (nadaa, noka).")
    assert say(event, "fr").startswith("Il n’y a pas d’emplacement Mars")
    assert say(Event("unheard_of", {"x": 1})) == 'unheard_of {"x": 1}'
