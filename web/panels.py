"""What a phone or a screen is sent after every change: its view, made into panels of HTML and a little data.

The page replaces only those panels whose text has changed, so that nobody's half-made plan or open list is disturbed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from threading import Lock
from typing import Any, NamedTuple

from companion.games.protocol import Action, Json
from companion.table.compare import expected_contents
from companion.table.session import EMPTY_SEAT
from companion.table.table import Table
from companion.table.views import PUBLIC, view, view_beside
from web.reasons import reason_steps, score_cells
from web.words import Words, has_template, render

Regions = dict[str, str]
_MARKED = ("pending", "doubtful", "differs")
MOST_NEWS = 12
MOST_KEPT = 400  # tables and languages whose common panels are remembered
_TRIES = 3


class Common(NamedTuple):
    """What is the same for all who speak one language: made once for each change."""

    seen: dict[str, Json]  # the public view
    regions: Regions
    pieces: Mapping[str, str]
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
            known = self._drawn[template, seat] = (made_from, render(template, language, **values()))
        return known[1]


_keepers: dict[tuple[str, str], _Keeper] = {}


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
    verbs = _verbs(table, seen, seat)
    values = {"view": seen, "words": Words(language, game_name(seen)), "seat": seat, "verbs": verbs}
    return _snapshot(seen, common, _own_regions(table, seen, language, values)) | {
        "seat": seat,
        "awaited": seen["waits_for"],
        "free": [name for name, sitting in seen["seats"].items() if sitting["kind"] == EMPTY_SEAT],
        "verbs": verbs,
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
    stage = render("screen/stage.html", language, view=seen, words=words, seat=None)
    lit = [todo["place"] for todo in seen["todo"]]
    show = {"lit": lit, "show": _show(seen, words), "names": _names(seen, words)}
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
        "pieces": common.pieces,
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
        seen, session = view(table, PUBLIC), table.session
        pieces = dict(expected_contents(session.game, session.state)) if session.game else {}
    return Common(seen, _regions(seen, language, keeper), pieces, session.games)


def _regions(seen: dict[str, Json], language: str, keeper: _Keeper) -> Regions:
    """The common panels; one that shows nothing new is not drawn again."""
    words, game = Words(language, game_name(seen)), seen["game"]
    reminder = f"play/{words.game}/rules.html"
    made_from = {
        "play/clues.html": (seen["seats"], seen["waits_for"], seen["seals"], game and game.get("plans"), _round(seen),
                            game and (game.get("first"), game.get("out"), game.get("reserves"))),
        "play/news.html": seen["news"],
        "play/score.html": (seen["score"], seen["seats"]),
        reminder: (_round(seen), game and (game.get("final"), game.get("rules"))),
    }  # fmt: skip
    return {
        template.rpartition("/")[2].removesuffix(".html"): keeper.panel(
            template, "", stuff, language, partial(_common_values, seen, words, template)
        )
        for template, stuff in made_from.items()
        if has_template(template)
    }


def _common_values(seen: dict[str, Json], words: Words, template: str) -> dict[str, Any]:
    values: dict[str, Any] = {"view": seen, "words": words}
    if template == "play/score.html":
        values["cells"] = score_cells(seen["score"], seen["game"]) if seen["score"] else {}
    if template == "play/news.html":
        values["news"] = _news(seen, words)
    return values


def _news(seen: Mapping[str, Json], words: Words) -> list[str]:
    """The last things that happened, newest first."""
    return [words.say(event) for event in reversed(seen["news"][-MOST_NEWS:])]


def _secret(table: Table, seen: Mapping[str, Json], language: str, values: dict[str, Any]) -> str:
    """Where a game has secrets to lay, its own panel for that."""
    template = f"play/{game_name(seen)}/secret.html"
    if not seen["table"]["started"] or seen["table"]["over"] or not has_template(template):
        return ""
    game, session, seat = seen["game"], table.session, values["seat"]
    assert session.game is not None
    places = session.game.places(session.state)
    stuff = ([game.get(key) for key in ("rules", "final", "phase", "cards_left")], game["plans"][seat],
             seen["seals"].get(seat), list(values["verbs"]), places)  # fmt: skip
    return _keeper(table, language).panel(template, seat, stuff, language, lambda: {**values, "places": places})


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
        for step in reason_steps(outcome, seen["game"])
    ]
