"""Everything the pages say is said in both languages."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from web.translate import LANGUAGES, catalogue_path, sentences

TEMPLATES = sorted((Path(__file__).parents[2] / "web" / "templates").rglob("*.html"))
HELD = re.compile(r"%\((\w+)\)[sd]|§\d?")
# Names that are the same in every language.
NAMES = {"Maka Bana", "Aa", "·", "+", "English", "Français", "−", "2013", "2003", "CSV", "JSON"}


def catalogue_of(language: str) -> Catalog:
    return read_po(BytesIO(catalogue_path(language).read_bytes()), locale=language)


def key_of(message: str | tuple[str, ...]) -> str:
    return message if isinstance(message, str) else message[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_translated(language: str) -> None:
    catalogue = catalogue_of(language)
    missing = []
    for file, message, line in sentences():
        found = catalogue.get(key_of(message))
        texts = (found.string if isinstance(found.string, tuple) else (found.string,)) if found else ("",)
        if not all(texts) or (found and found.fuzzy):
            missing.append(f"{file}:{line}: {key_of(message)}")
    assert missing == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_keep_what_is_filled_in(language: str) -> None:
    for message in catalogue_of(language):
        if message.id:
            sources = message.id if isinstance(message.id, tuple) else (message.id,)
            texts = message.string if isinstance(message.string, tuple) else (message.string,)
            assert set(HELD.findall(texts[-1])) == set(HELD.findall(sources[-1])), message.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_catalogue_keeps_sentences_that_nobody_says(language: str) -> None:
    said = {key_of(message) for _, message, _ in sentences()}
    catalogue = catalogue_of(language)
    assert {key_of(message.id) for message in catalogue if message.id} - said == set()


def words_outside(template: str) -> list[str]:
    """Words of a template that are in no translated expression: text between tags, and attributes people hear."""
    text = re.sub(r"<svg\b.*?</svg>|<script\b.*?</script>", " ", template, flags=re.S)
    text = re.sub(r"\{[{%#].*?[}%#]\}", "¤", text, flags=re.S)
    heard = re.findall(r'(?:aria-label|title|alt|placeholder)="([^"]*)"', text)
    between = re.sub(r"<[^>]*>", "\n", text, flags=re.S).split("\n")
    found = [part.strip(" ¤·\t+") for part in (*heard, *between)]
    return [part for part in found if re.search(r"[A-Za-zÀ-ÿ]", part) and part not in NAMES]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_no_template_has_words_of_its_own(path: Path) -> None:
    assert words_outside(path.read_text("utf-8")) == []


def test_words_of_its_own_are_found() -> None:
    assert words_outside('<p title="Hi">{{ _("x") }} there</p>') == ["Hi", "there"]


def test_no_script_has_sentences_of_its_own() -> None:
    folder = Path(__file__).parents[2] / "web" / "static"
    for path in (*folder.glob("*.js"), *folder.glob("js/*.js")):
        code = re.sub(r"//.*", "", path.read_text("utf-8"))
        spoken = [text for text in re.findall(r'"([^"\n]*)"', code) if re.search(r"[A-Za-z]{3,} [a-z]{2,} ", text)]
        assert spoken == [], path.name
