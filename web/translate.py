"""`python -m web.translate` writes new sentences of the pages into the catalogues, to be translated there by hand.

A sentence that is gone leaves the catalogue; one that changed must be translated anew: nothing is guessed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parent
METHODS = [("**.py", "python"), ("templates/**.html", "jinja2.ext.babel_extract"), ("templates/**.svg", "ignore")]
KEYWORDS: dict[str, tuple[int, ...] | None] = {"_": None, "_l": None, "gettext": None, "ngettext": (1, 2)}
OPTIONS = {"templates/**.html": {"trimmed": "true"}}
LANGUAGES = ("fr",)


def sentences() -> Iterator[tuple[str, str | tuple[str, ...], int]]:
    """File, sentence (or singular and plural) and line of everything the pages say."""
    found = extract_from_dir(str(ROOT), METHODS, OPTIONS, keywords=KEYWORDS, comment_tags=())
    for file, line, message, _comments, _context in sorted(found, key=lambda entry: (entry[0], entry[1])):
        yield file, message, line


def catalogue_path(language: str) -> Path:
    return ROOT / "translations" / language / "LC_MESSAGES" / "messages.po"


def renewed(language: str) -> Catalog:
    """The catalogue with exactly today's sentences and yesterday's translations of them."""
    path = catalogue_path(language)
    old = read_po(BytesIO(path.read_bytes()), locale=language) if path.exists() else Catalog(locale=language)
    new = Catalog(locale=language, project="Maka Bana companion", charset="utf-8")
    for file, message, line in sentences():
        key = message if isinstance(message, str) else message[0]
        known = old.get(key)
        new.add(message, known.string if known else "", locations=[(file, line)])
    return new


def main() -> int:
    for language in LANGUAGES:
        new = renewed(language)
        with catalogue_path(language).open("wb") as file:
            write_po(file, new, width=120, omit_header=False, include_lineno=False, sort_output=True)
        open_ones = [message.id for message in new if message.id and not message.string]
        sys.stdout.write(f"{language}: {len(new)} sentences, {len(open_ones)} without translation\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
