"""Sentences and panels in one language, outside of any request: streams go on long after their request has ended."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Any

from jinja2 import Environment, PackageLoader, TemplateNotFound
from markupsafe import Markup

from companion.games.protocol import Event, Json, Refusal
from companion.games.texts import name, piece_name, word
from companion.table.texts import say
from web.assets import asset_url
from web.drawing.scene import piece_svg
from web.language import translations


def _l(sentence: str) -> str:
    """Marks a sentence to be translated where it is shown."""
    return sentence


# The same few words are said thousands of times in an evening.
_name, _word, _piece_name = lru_cache(4096)(name), lru_cache(4096)(word), lru_cache(4096)(piece_name)


@lru_cache(8192)
def _said(event: str, language: str, game: str) -> str:
    """What has happened is told to every phone, and for as long as it is news."""
    data = json.loads(event)
    return say(Event(str(data["code"]), data), language, game)


class Words:
    """Everything that can be said about a game, in one language."""

    def __init__(self, language: str, game: str) -> None:
        self.language, self.game = language, game
        self.gettext: Callable[[str], str] = translations(language).gettext

    def say(self, event: Mapping[str, Json] | Event | Refusal) -> str:
        """An event, whole or as a view has it, as a sentence."""
        if isinstance(event, Event | Refusal):
            return say(event, self.language, self.game)
        return _said(json.dumps(event, sort_keys=True), self.language, self.game)

    def who(self, seat: str) -> str:
        return _name(seat, self.language, self.game)

    def verb(self, verb: str) -> str:
        said = self.card(verb)
        return said[:1].upper() + said[1:]

    def card(self, card: str) -> str:
        return _word(card, self.language, self.game)

    def piece(self, kind: str, colour: str) -> str:
        return _piece_name(kind, colour, self.language, self.game)

    def place(self, place: str) -> str:
        """`club:Azzura` is the diving club's place there; a site is named by its three cards."""
        kind, _, beach = place.rpartition(":")
        return self.gettext(_l("Diving club of %(beach)s")) % {"beach": beach} if kind else place.replace("-", " · ")

    def content(self, content: str) -> str:
        pieces = [piece.partition(":") for piece in content.split("+") if ":" in piece]
        return " + ".join(self.piece(kind, colour) for kind, _, colour in pieces) or self.gettext(_l("nothing"))

    def action(self, text: str) -> str:
        """An action in its text form, without its seat: a button that does it."""
        _seat, verb, *args = text.split()
        return " ".join([f"{self.verb(verb)}:" if args else self.verb(verb), *map(self._argument, args)])

    def _argument(self, argument: str) -> str:
        if "-" in argument or ":" in argument:
            return self.place(argument)
        known = self.who(argument)
        return known if known != argument[:1].upper() + argument[1:] else self.card(argument)


@cache
def environment(language: str) -> Environment:
    """The templates of panels, speaking one language. Pages as a whole are Flask's."""
    found = Environment(
        loader=PackageLoader("web", "templates"),
        autoescape=True,
        extensions=["jinja2.ext.i18n"],
        auto_reload=False,  # to look at a file's date for each of thousands of panels would cost more than drawing them
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.install_gettext_translations(translations(language), newstyle=True)  # type: ignore[attr-defined]
    found.globals.update(token=token, contents=contents, asset=asset_url)
    return found


def render(template: str, language: str, **values: Any) -> str:
    return environment(language).get_template(template).render(values)


@cache
def has_template(template: str, language: str = "en") -> bool:
    try:
        environment(language).get_template(template)
    except TemplateNotFound:
        return False
    return True


def token(kind: str, colour: str) -> Markup:
    """One piece as a small picture. Its symbols stand in the page's map."""
    return Markup(
        f'<svg class="token" viewBox="-10 -10 20 20" aria-hidden="true">{piece_svg(kind, colour, 20.0)}</svg>'
    )


def contents(content: str) -> Markup:
    """All pieces of a place side by side."""
    pieces = [piece.partition(":") for piece in content.split("+") if ":" in piece]
    return Markup("").join(token(kind, colour) for kind, _, colour in pieces)
