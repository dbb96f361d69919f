"""What a phone or a screen is sent after every change: its view, made into panels of HTML and a little data.

The page replaces only those panels whose text has changed, so that nobody's half-made plan or open list is disturbed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache, partial
from threading import Lock
from typing import Any, NamedTuple

from jinja2 import Template
from markupsafe import Markup

from companion.games.protocol import Json
from companion.table.session import EMPTY_SEAT
from companion.table.table import Table
from companion.table.views import PUBLIC, view, view_beside
from web.choices import labels_of, verbs_of
from web.language import translations
from web.reasons import Step, reason_steps, score_cells
from web.shows import show_of
from web.words import Words, environment, has_template

Regions = dict[str, str]
Cells = dict[str, dict[str, list[Step]]]
_MARKED = ("pending", "doubtful", "differs")
MOST_NEWS = 12
MOST_KEPT = 400  # tables and languages whose common panels are remembered
_TRIES = 3


class Common(NamedTuple):
    """What is the same for all who speak one language: made once for each change."""

    seen: dict[str, Json]  # the public view
    regions: Regions
    games: int

    @property
    def stand(self) -> tuple[str, int]:
        return self.seen["epoch"], self.seen["version"]


class _Keeper:
    """The last common panels of a table in a language; whoever comes first makes them, the others wait for it."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.common: Common | None = None
        self._drawn: dict[tuple[str, str], tuple[Any, str]] = {}  # by panel and seat: what it was made from, and it

    def panel(
        self, template: str, seat: str, made_from: Any, language: str, values: Callable[[], dict[str, Any]]
    ) -> str:
        """The panel, drawn anew only if what it is made from has changed."""
        known = self._drawn.get((template, seat))
        if known is None or known[0] != made_from:
            known = self._drawn[template, seat] = (made_from, _drawn(template, language, values()))
        return known[1]


_keepers: dict[tuple[str, str], _Keeper] = {}


def _drawn(template: str, language: str, values: dict[str, Any]) -> str:
    """A panel. The same as rendering it the usual way, which would look all names up anew for each of thousands."""
    found, names = _template(template, language)
    return "".join(found.root_render_func(found.new_context({**names, **values}, shared=True)))


@cache
def _template(template: str, language: str) -> tuple[Template, dict[str, Any]]:
    """A panel's template, and the names that all templates know."""
    found = environment(language).get_template(template)
    return found, {**found.globals, "_": _translator(language)}


@cache
def _translator(language: str) -> Callable[..., Markup]:
    """Says the same as the templates' own `_`, which makes a new context for every one of a panel's many words."""
    known = lru_cache(2048)(lambda sentence: Markup(translations(language).gettext(sentence)))
    return lambda sentence, **values: known(sentence) % values


class SeatSight:
    """What one stream sends to a seat's phone, snapshot after snapshot: the first is whole, the later ones leave out
    those panels that the phone has already. A stream that breaks is followed by another, which begins whole."""

    def __init__(self, table: Table, seat: str, language: str) -> None:
        self._table, self._seat, self._language = table, seat, language
        self._sent: Regions = {}
        self._last: dict[str, Json] | None = None

    def __call__(self) -> dict[str, Json]:
        """The snapshot of this moment; asking again about the same moment gives the same one."""
        last = self._last
        if last is None or (last["epoch"], last["version"]) != (self._table.epoch, self._table.version):
            whole = seat_snapshot(self._table, self._seat, self._language)
            if last is not None and last["version"] == whole["version"]:
                return last  # nothing is sent for it, so nothing counts as sent
            news = {name: html for name, html in whole["regions"].items() if self._sent.get(name) != html}
            self._sent, last = whole["regions"], {**whole, "regions": news}
            self._last = last
        return last


def seat_snapshot(table: Table, seat: str, language: str) -> dict[str, Json]:
    """All that a seat's phone shows."""
    for _ in range(_TRIES):
        common = _common(table, language)
        seen = view_beside(table, common.seen, seat)
        if seen is not None:
            return _seat_snapshot(table, common, seen, seat, language)
    # It changes faster than it can be drawn. Under the older number, so that the next change is drawn anew.
    seen = {**view(table, seat), "version": common.seen["version"]}
    return _seat_snapshot(table, common, seen, seat, language)


def _seat_snapshot(table: Table, common: Common, seen: dict[str, Json], seat: str, language: str) -> dict[str, Json]:
    verbs = verbs_of(table, seen, seat)
    words = Words(language, game_name(seen))
    show = show_of(words.game)
    values = {"view": seen, "words": words, "seat": seat, "verbs": verbs, "show": show,
              "tell": words.gettext(show.tell(verbs)) if show.tell(verbs) else ""}  # fmt: skip
    return _snapshot(seen, common, _own_regions(table, seen, language, values)) | {
        "seat": seat,
        "awaited": seen["waits_for"],
        "free": [name for name, sitting in seen["seats"].items() if sitting["kind"] == EMPTY_SEAT],
        "verbs": verbs,
        "labels": labels_of(table, seen, seat, verbs, words),
        "about": show.about(seen["game"], seat, words) if seen["game"] else {},
        "undo": bool(seen.get("undo")),
        "lit": [todo["place"] for todo in seen["todo"] if todo["seat"] == seat],
        "ask": _asked_places(seen),
    }


def _own_regions(table: Table, seen: dict[str, Json], language: str, values: dict[str, Any]) -> Regions:
    """The panels of one seat."""
    keeper, seat = _keeper(table, language), values["seat"]
    kinds = {verb: how["choices"] if how["kind"] == "seat" else how["kind"] for verb, how in values["verbs"].items()}
    mine = [todo for todo in seen["todo"] if todo["seat"] == seat]
    about, question = seen["table"], seen["question"]
    made_from = {
        "now": (about, seen["seats"], seen["waits_for"], question and question["for"], seen["trouble"], kinds,
                _round(seen), about["over"] and seen["score"]["winners"]),
        "question": (question, seen.get("private")),
        "todo": (mine, about["started"]),
        "act": (kinds, seen["race"], about["sees_board"]),
        "deeds": kinds,
    }  # fmt: skip
    regions = {
        name: keeper.panel(f"play/{name}.html", seat, stuff, language, lambda: values)
        for name, stuff in made_from.items()
    }
    return {**regions, "secret": _secret(table, seen, language, values)}


def screen_snapshot(table: Table, language: str) -> dict[str, Json]:
    """All that the table's screen shows."""
    common = _common(table, language)
    seen = common.seen
    words = Words(language, game_name(seen))
    stage = _drawn("screen/stage.html", language, {"view": seen, "words": words, "seat": None})
    lit = [todo["place"] for todo in seen["todo"]]
    winners = seen["score"]["winners"] if seen["score"] else []
    show = {"lit": lit, "show": _show(seen, words), "names": _names(seen, words), "winners": winners}
    return _snapshot(seen, common, {"stage": stage}) | show


def game_name(seen: Mapping[str, Json]) -> str:
    return str(seen["game"]["game"]) if seen["game"] else "makabana"


def _snapshot(seen: Mapping[str, Json], common: Common, own: Regions) -> dict[str, Json]:
    marks = {place: found["state"] for place, found in seen["board"].items() if found["state"] in _MARKED}
    return {
        "version": seen["version"],
        "epoch": seen["epoch"],
        "number": seen["number"],
        "games": common.games,
        "started": seen["table"]["started"],
        "over": seen["table"]["over"],
        "settled": seen["table"]["settled"],
        "round": _round(seen),
        "pieces": seen["pieces"],
        "marks": marks,
        "seals": seen["seals"],
        "regions": {**common.regions, **own},
    }


def _round(seen: Mapping[str, Json]) -> str:
    """A name for the present stretch of play: what was chosen but not locked belongs to it alone."""
    game = seen["game"] or {}
    return f"{game.get('phase')}.{game.get('round')}"


def _keeper(table: Table, language: str) -> _Keeper:
    if len(_keepers) > MOST_KEPT:
        _keepers.clear()
    return _keepers.setdefault((table.row.id, language), _Keeper())


def _common(table: Table, language: str) -> Common:
    keeper = _keeper(table, language)
    with keeper.lock:
        if keeper.common is None or keeper.common.stand != (table.epoch, table.version):
            keeper.common = _made(table, language, keeper)
        return keeper.common


def _made(table: Table, language: str, keeper: _Keeper) -> Common:
    with table.lock:
        seen, games = view(table, PUBLIC), table.session.games
    return Common(seen, _regions(seen, language, keeper), games)


def _regions(seen: dict[str, Json], language: str, keeper: _Keeper) -> Regions:
    """The common panels; one that shows nothing new is not drawn again."""
    words, game = Words(language, game_name(seen)), seen["game"]
    show = show_of(words.game)
    cells = score_cells(seen["score"], words.game, seen["pieces"]) if seen["score"] else {}
    made_from = {
        "clues": (seen["table"]["started"], seen["seats"], seen["waits_for"], seen["seals"],
                  show.made_from("clues", game)),
        "middle": (seen["table"]["started"], show.made_from("middle", game)),
        "news": seen["news"],
        "score": (seen["score"], seen["seats"], cells),
        "rules": show.made_from("rules", game),
    }  # fmt: skip
    return {
        name: keeper.panel(template, "", stuff, language, partial(_common_values, seen, words, cells, name))
        for name, stuff in made_from.items()
        if (template := template_of(words.game, name))
    }


def template_of(game: str, panel: str) -> str | None:
    """The game's own template for a panel, else everybody's, if there is one."""
    return next(filter(has_template, (f"play/{game}/{panel}.html", f"play/{panel}.html")), None)


def _common_values(seen: dict[str, Json], words: Words, cells: Cells, panel: str) -> dict[str, Any]:
    values: dict[str, Any] = {"view": seen, "words": words, "cells": cells}
    if panel == "news":
        values["news"] = _news(seen, words)
    return values


def _news(seen: Mapping[str, Json], words: Words) -> list[str]:
    """The last things that happened, newest first."""
    return [words.say(event) for event in reversed(seen["news"][-MOST_NEWS:])]


def _secret(table: Table, seen: Mapping[str, Json], language: str, values: dict[str, Any]) -> str:
    """Where a game has something for a seat's eyes alone, such as a hand of cards, its own panel for that."""
    name = game_name(seen)
    template = f"play/{name}/secret.html"
    if not seen["table"]["started"] or seen["table"]["over"] or not has_template(template):
        return ""
    session, seat = table.session, values["seat"]
    assert session.game is not None
    places = session.game.places(session.state)
    own = show_of(name).own(seen["game"], seat)
    stuff = (
        own,
        show_of(name).made_from("secret", seen["game"], seat),
        seen["seals"].get(seat),
        values["verbs"],
        places,
    )
    return _keeper(table, language).panel(
        template, seat, stuff, language, lambda: {**values, "places": places, "own": own}
    )


def _asked_places(seen: Mapping[str, Json]) -> list[str]:
    question = seen["question"] or {}
    named = [cause["place"] for cause in question.get("causes", [])]
    return [*named, *([question["data"]["place"]] if "place" in question.get("data", {}) else [])]


def _names(seen: Mapping[str, Json], words: Words) -> dict[str, str]:
    """What each player of the score is called: by the people of its colour, else by the colour."""
    players = seen["score"]["scores"] if seen["score"] else ()
    people = {
        player: [s["name"] for s in seen["seats"].values() if s["colour"] == player and s["name"]] for player in players
    }
    return {player: " & ".join(names) or words.who(player) for player, names in people.items()}


def _show(seen: Mapping[str, Json], words: Words) -> list[dict[str, Json]]:
    """The final score in the order in which a screen tells it: reason by reason."""
    outcome = (seen["end"] or {}).get("outcome")
    if not outcome:
        return []
    return [
        {"text": words.say(step.reason), "places": list(step.places), "gains": dict(step.gains)}
        for step in reason_steps(outcome, words.game, seen["pieces"])
    ]
