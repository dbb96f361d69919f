"""Sentences and panels in one language, outside of any request: streams go on long after their request has ended."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from functools import cache, lru_cache
from typing import Any

from jinja2 import Environment, PackageLoader, TemplateNotFound
from markupsafe import Markup

from companion.games.protocol import Event, Json, Refusal
from companion.games.texts import name, piece_name, word
from companion.table.texts import say
from web.assets import asset_url
from web.drawing.pieces import piece_token
from web.language import translations, typeset
from web.shows import show_of


def _l(sentence: str) -> str:
    """Marks a sentence to be translated where it is shown."""
    return sentence


# The same few words are said thousands of times in an evening.
_name, _word, _piece_name = lru_cache(4096)(name), lru_cache(4096)(word), lru_cache(4096)(piece_name)


@lru_cache(8192)
def _said(event: str, language: str, game: str) -> str:
    """What has happened is told to every phone, and for as long as it is news."""
    data = json.loads(event)
    return typeset(say(Event(str(data["code"]), data), language, game), language)


class Words:
    """Everything that can be said about a game, in one language."""

    def __init__(self, language: str, game: str) -> None:
        self.language, self.game = language, game
        self.gettext: Callable[[str], str] = translations(language).gettext

    def say(self, event: Mapping[str, Json] | Event | Refusal) -> str:
        """An event, whole or as a view has it, as a sentence."""
        if isinstance(event, Event | Refusal):
            return typeset(say(event, self.language, self.game), self.language)
        return _said(json.dumps(event, sort_keys=True), self.language, self.game)

    def who(self, seat: str) -> str:
        return _name(seat, self.language, self.game)

    def verb(self, verb: str) -> str:
        said = self.card(verb)
        return said[:1].upper() + said[1:]

    def card(self, card: str) -> str:
        return typeset(_word(card, self.language, self.game), self.language)

    def piece(self, kind: str, colour: str) -> str:
        return _piece_name(kind, colour, self.language, self.game)

    def place(self, place: str) -> str:
        """A place as people call it. What stands there comes first, `club:Azzura`, or whose it is, `blue:2,3`."""
        kind, _, where = place.rpartition(":")
        key = f"place.{kind}" if kind else f"place.{place}"
        named = self.card(key)
        if named != key:
            return named.replace("{where}", where)
        return f"{self.who(kind)} {where}" if kind else place.replace("-", " · ")

    def label(self, place: str) -> str:
        """A place as a screen reader should say it."""
        said = self.place(place).replace(" · ", ", ")
        return said[:1].upper() + said[1:]

    def word(self, word: str, places: Collection[str], seats: Collection[str], seat: str = "") -> str:
        """A word of an action, as a label of what is to be chosen. `left@north` is what north calls the left."""
        own = f"{word}@{seat}"
        said = self.place(word) if word in places else self.who(word) if word in seats else self.card(own)
        said = self.card(word) if said == own else said
        return said[:1].upper() + said[1:]

    def round(self, number: int) -> str:
        """A round as this game calls it."""
        key = f"round_{number}"
        if self.card(key) == key:
            return self.gettext(_l("Round %(round)s")) % {"round": number}
        return self.verb(key)

    @property
    def title(self) -> str:
        """The name of the game itself."""
        return show_of(self.game).name

    @property
    def style(self) -> str:
        """The game's own style sheet, if it has one."""
        return show_of(self.game).style

    def at_step(self, how: str, verb: str, step: int) -> str:
        """How a word of an action is asked for, or told (`with`), where the game has a text of its own for it."""
        key = f"{how}.{verb}.{step}"
        said = self.card(key)
        return "" if said == key else said

    def badge(self, colour: str) -> Markup:
        """What stands for a person beside their name: a piece of their colour."""
        return self.token(show_of(self.game).badge, colour)

    def token(self, kind: str, colour: str) -> Markup:
        """One piece as a small picture. Its symbols stand in the page's map."""
        return piece_token(kind, colour, show_of(self.game).symbols)

    def contents(self, content: str) -> Markup:
        """All pieces of a place side by side."""
        pieces = [piece.partition(":") for piece in content.split("+") if ":" in piece]
        return Markup("").join(self.token(kind, colour) for kind, _, colour in pieces)

    def content(self, content: str) -> str:
        pieces = [piece.partition(":") for piece in content.split("+") if ":" in piece]
        return " + ".join(self.piece(kind, colour) for kind, _, colour in pieces) or self.gettext(_l("nothing"))

    def action(self, text: str) -> str:
        """An action in its text form, without its seat: a button that does it."""
        _seat, verb, *args = text.split()
        said = " ".join(self._told(verb, step, argument) for step, argument in enumerate(args, 1))
        return f"{self.verb(verb)}{self.card('colon')}{said}" if args else self.verb(verb)

    def _told(self, verb: str, step: int, argument: str) -> str:
        """A word of an action as the game tells it: `with ALOA`."""
        return (self.at_step("with", verb, step) or "{word}").replace("{word}", self._argument(argument))

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
    found.globals.update(asset=asset_url)
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
