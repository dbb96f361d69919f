"""French as it is written in France: signs with their spaces, adjectives that agree, places by their names."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from companion.games.protocol import Event
from companion.games.texts import piece_name
from web.language import translations, typeset
from web.translate import catalogue_path
from web.words import Words

ROOT = Path(__file__).parents[2]
FILES = sorted([*ROOT.glob("companion/**/*.json"), ROOT / "vision" / "texts.json"])
TEMPLATES = sorted((ROOT / "web" / "templates").rglob("*.html"))
HELD = re.compile(r"\{\{|\}\}|\{[^{}]*\}|%\(\w+\)[sd]")
QUOTED = re.compile(r"`[^`]*`|'[^']*'|\"[^\"]*\":?")  # commands, names and JSON are written as they are
# A sign needs a space before it. A colon inside a word (club:Azzura, 20:15) is none.
WRONG = re.compile(r"(?<![\s\u00a0\u202f(])(?<!^)(?:[;!?»]|:(?=\s|$))|«(?![\s\u00a0\u202f])")


def french_texts() -> Iterator[tuple[str, str]]:
    """Every French sentence of the companion, with where it stands."""
    for path in FILES:
        yield from _texts(json.loads(path.read_text("utf-8")), path.relative_to(ROOT).as_posix())
    for message in read_po(BytesIO(catalogue_path("fr").read_bytes()), locale="fr"):
        for text in message.string if isinstance(message.string, tuple) else (message.string,):
            if message.id:
                yield "messages.po", str(text)


def _texts(data: object, where: str) -> Iterator[tuple[str, str]]:
    if isinstance(data, dict) and isinstance(data.get("fr"), str):
        yield where, data["fr"]
    for inner in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from _texts(inner, where)


def wrong_signs(text: str) -> list[str]:
    bare = HELD.sub("x", QUOTED.sub("x", text))
    return [bare[max(0, found.start() - 20) : found.end()] for found in WRONG.finditer(bare)]


def test_every_sign_has_its_space() -> None:
    found = list(french_texts())
    assert len(found) > 1000
    assert [(where, wrong) for where, text in found for wrong in wrong_signs(text)] == []


@pytest.mark.parametrize("text", ["Attention!", "Rose: 3", "Qui?", "«oui»", "un; deux"])
def test_a_missing_space_is_found(text: str) -> None:
    assert wrong_signs(text)


def test_no_line_of_a_page_begins_with_a_sign() -> None:
    assert typeset("Qui ? « Rose » : 3 !", "fr") == "Qui\u00a0? «\u00a0Rose\u00a0»\u00a0: 3\u00a0!"
    assert typeset("Who ? : 3", "en") == "Who ? : 3"
    assert translations("fr").gettext("Well done!") == "Bravo\u00a0!"
    said = Words("fr", "makabana").say(Event("clues_shown", {"clues": {"pink": "Lagon"}}))
    assert said == "Les indices\u00a0: Rose\u00a0: Lagon."


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_no_template_sets_signs_of_its_own(path: Path) -> None:
    """A colon between two values is the language's to set, so it stands in a translated sentence."""
    text = re.sub(r"<script\b.*?</script>", "", path.read_text("utf-8"), flags=re.S)
    assert re.findall(r"\}\}(\s*[:;!?][\s<{])", re.sub(r'"[^"<>]*"', '""', text)) == []


PIECES = {
    "hut": "paillote violette, paillote rose, paillote jaune, paillote bleue, paillote verte, paillote orange, "
    "paillote rouge, paillote noire",
    "tiki": "tiki violet, tiki rose, tiki jaune, tiki bleu, tiki vert, tiki orange, tiki rouge, tiki noir",
    "club": "club violet, club rose, club jaune, club bleu, club vert, club orange, club rouge, club noir",
}
COLOURS = ("violet", "pink", "yellow", "blue", "green", "orange", "red", "black")


@pytest.mark.parametrize("kind", PIECES)
def test_colours_agree_with_their_piece(kind: str) -> None:
    assert ", ".join(piece_name(kind, colour, "fr") for colour in COLOURS) == PIECES[kind]


def test_other_games_pieces_agree_too() -> None:
    assert piece_name("bridge", "white", "fr", "kahuna") == "route blanche"
    assert piece_name("stone", "black", "fr", "kahuna") == "pierre noire"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Blue puts the tiki on the club place of Danae."),
        ("fr", "Bleu pose son tiki sur la place du club de Danae."),
    ],
)
def test_news_name_places_as_people_do(language: str, said: str) -> None:
    event = Event("tiki_placed", {"seat": "blue", "place": "club:Danae"})
    assert Words(language, "makabana").say(event) == said
    built = Words(language, "makabana").say(Event("built", {"seat": "blue", "site": "Danae-Lagon-Fleur"}))
    assert "Danae Lagon Fleur" in built


def test_a_button_that_denounces_is_set_in_french() -> None:
    assert Words("fr", "makabana").action("violet denounce pink") == "Dénoncer\u00a0: Rose"
