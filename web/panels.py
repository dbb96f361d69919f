"""What a phone or a screen is sent after every change: its view, made into panels of HTML and a little data.

The page replaces only those panels whose text has changed, so that nobody's half-made plan or open list is disturbed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.protocol import Action, Json
from companion.table.compare import expected_contents
from companion.table.session import EMPTY_SEAT
from companion.table.table import Table
from companion.table.views import PUBLIC, view
from web.reasons import reason_steps, score_cells
from web.words import Words, has_template, render

Regions = dict[str, str]
_MARKED = ("pending", "doubtful", "differs")
MOST_NEWS = 12
MOST_KEPT = 400  # tables whose shared panels are remembered

_kept: dict[tuple[str, str], tuple[tuple[str, int], Regions]] = {}


def seat_snapshot(table: Table, seat: str, language: str) -> dict[str, Json]:
    """All that a seat's phone shows."""
    seen = view(table, seat)
    words = Words(language, game_name(seen))
    verbs = _verbs(table, seen, seat)
    values = {"view": seen, "words": words, "seat": seat, "verbs": verbs}
    regions = {**_shared(table, language)}
    for name in ("now", "question", "todo", "act"):
        regions[name] = render(f"play/{name}.html", language, **values)
    regions["secret"] = _secret(table, seen, language, values)
    return _snapshot(table, seen, regions) | {
        "seat": seat,
        "free": [name for name, sitting in seen["seats"].items() if sitting["kind"] == EMPTY_SEAT],
        "verbs": verbs,
        "undo": bool(seen.get("undo")),
        "lit": [todo["place"] for todo in seen["todo"] if todo["seat"] == seat],
        "ask": _asked_places(seen),
    }


def screen_snapshot(table: Table, language: str) -> dict[str, Json]:
    """All that the table's screen shows."""
    seen = view(table, PUBLIC)
    values = {"view": seen, "words": Words(language, game_name(seen)), "seat": None}
    regions = {**_shared(table, language), "stage": render("screen/stage.html", language, **values)}
    lit = [todo["place"] for todo in seen["todo"]]
    return _snapshot(table, seen, regions) | {"lit": lit, "show": _show(seen, values["words"])}


def game_name(seen: Mapping[str, Json]) -> str:
    return str(seen["game"]["game"]) if seen["game"] else "makabana"


def _snapshot(table: Table, seen: Mapping[str, Json], regions: Regions) -> dict[str, Json]:
    with table.lock:
        session = table.session
        pieces = expected_contents(session.game, session.state) if session.game else {}
        games = session.games
    marks = {place: found["state"] for place, found in seen["board"].items() if found["state"] in _MARKED}
    return {
        "version": seen["version"],
        "epoch": seen["epoch"],
        "number": seen["number"],
        "games": games,
        "started": seen["table"]["started"],
        "over": seen["table"]["over"],
        "settled": seen["table"]["settled"],
        "round": _round(seen),
        "pieces": dict(pieces),
        "marks": marks,
        "seals": seen["seals"],
        "regions": regions,
    }


def _round(seen: Mapping[str, Json]) -> str:
    """A name for the present stretch of play: what was chosen but not locked belongs to it alone."""
    game = seen["game"] or {}
    return f"{game.get('phase')}.{game.get('round')}"


def _shared(table: Table, language: str) -> Regions:
    """The panels that are the same for all who speak one language, made once for each change."""
    key, stand = (table.row.id, language), (table.epoch, table.version)
    known = _kept.get(key)
    if known is not None and known[0] == stand:
        return known[1]
    seen = view(table, PUBLIC)
    words = Words(language, game_name(seen))
    cells = score_cells(seen["score"], seen["game"]) if seen["score"] else {}
    values = {"view": seen, "words": words, "cells": cells, "news": _news(seen, words)}
    regions = {name: render(f"play/{name}.html", language, **values) for name in ("clues", "news", "score")}
    reminder = f"play/{game_name(seen)}/rules.html"
    if has_template(reminder):
        regions["rules"] = render(reminder, language, **values)
    if len(_kept) >= MOST_KEPT:
        _kept.clear()
    _kept[key] = ((seen["epoch"], seen["version"]), regions)
    return regions


def _news(seen: Mapping[str, Json], words: Words) -> list[str]:
    """The last things that happened, newest first."""
    return [words.say(event) for event in reversed(seen["news"][-MOST_NEWS:])]


def _secret(table: Table, seen: Mapping[str, Json], language: str, values: dict[str, Any]) -> str:
    """Where a game has secrets to lay, its own panel for that."""
    template = f"play/{game_name(seen)}/secret.html"
    if not seen["table"]["started"] or seen["table"]["over"] or not has_template(template):
        return ""
    game, state = table.session.game, table.session.state
    assert game is not None
    return render(template, language, **values, places=game.places(state))


def _verbs(table: Table, seen: Mapping[str, Json], seat: str) -> dict[str, dict[str, Json]]:
    """What the seat may do, by verb: how it is chosen, and among what."""
    game = table.session.game
    if game is None or not seen.get("legal"):
        return {}
    places, seats = set(game.places(table.session.state)), seen["seats"]
    found = {}
    for verb, choices in seen["legal"].items():
        kind = _kind(choices, places, seats)
        is_race = bool(choices) and table.is_race(Action(seat, verb, tuple(choices[0])))
        found[verb] = {"kind": "race" if is_race else kind, "choices": [choice[0] for choice in choices if choice]}
    return found


def _kind(choices: list[list[str]], places: set[str], seats: Mapping[str, Json]) -> str:
    """Whether a verb is done by tapping a place, naming a seat, pressing a button, or in secret."""
    if not choices:
        return "secret"
    if all(len(choice) == 1 and choice[0] in places for choice in choices):
        return "place"
    if all(len(choice) == 1 and choice[0] in seats for choice in choices):
        return "seat"
    return "plain" if choices == [[]] else "words"


def _asked_places(seen: Mapping[str, Json]) -> list[str]:
    question = seen["question"] or {}
    named = [cause["place"] for cause in question.get("causes", [])]
    return [*named, *([question["data"]["place"]] if "place" in question.get("data", {}) else [])]


def _show(seen: Mapping[str, Json], words: Words) -> list[dict[str, Json]]:
    """The final score in the order in which a screen tells it: reason by reason."""
    outcome = (seen["end"] or {}).get("outcome")
    if not outcome:
        return []
    return [
        {"text": words.say(step.reason), "places": list(step.places), "gains": dict(step.gains)}
        for step in reason_steps(outcome, seen["game"])
    ]
