"""French and English. Catalogues are read from their .po files as they are: there is nothing to compile or forget."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from io import BytesIO
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations
from flask import Flask, request
from flask_babel import (  # type: ignore[import-untyped]
    Babel,
    Domain,
    get_locale,
    gettext,
    lazy_gettext,
)

from web.config import Config

SOURCE = "en"  # the language that the templates are written in


class PoDomain(Domain):  # type: ignore[misc]  # Flask-Babel comes without types
    """Flask-Babel's way of finding translations, with ours instead of compiled files."""

    def get_translations(self) -> NullTranslations:
        return translations(str(get_locale() or SOURCE))


_BEFORE_SIGN = re.compile(r" (?=[:;!?»])|(?<=«) ")
NO_BREAK_SPACE = "\u00a0"


def typeset(text: str, language: str) -> str:
    """Text as it is set in its language: in French no line begins with a colon, nor ends with an opening quote."""
    return _BEFORE_SIGN.sub(NO_BREAK_SPACE, text) if language == "fr" else text


@cache
def translations(language: str) -> NullTranslations:
    """All sentences of the pages in a language. The source language needs no catalogue."""
    path = resources.files("web").joinpath("translations", language, "LC_MESSAGES", "messages.po")
    if language == SOURCE or not path.is_file():
        return Translations()
    with path.open("rb") as file:
        catalogue = read_po(file, locale=language)
    for message in catalogue:
        forms = (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
        set_forms = tuple(typeset(form, language) for form in forms)
        message.string = set_forms[0] if isinstance(message.string, str) else set_forms
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return Translations(compiled)


def speak(app: Flask, config: Config) -> None:
    """Lets every page answer in the language of its phone."""
    from web.preferences import preferences

    def chosen() -> str:
        return preferences().language or request.accept_languages.best_match(config.languages) or SOURCE

    babel: Any = Babel()
    babel.init_app(app, locale_selector=chosen, default_locale=SOURCE)
    babel.domain_instance = PoDomain()


def language() -> str:
    """The language of this request: one of the house's."""
    return str(get_locale() or SOURCE)


def _(text: str, **values: object) -> str:
    """A sentence of the pages in the language of this request."""
    return str(gettext(text, **values))


def _l(text: str) -> object:
    """The same for a sentence that is written down before there is a request: `str()` says it."""
    return lazy_gettext(text)
