"""After the game: its story on the map with a slider, what decided it, and the same to take home."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from threading import Lock
from typing import Any, NamedTuple

from flask import Blueprint, Response, abort, render_template
from markupsafe import Markup

from companion.games.protocol import EMPTY
from companion.games.record import to_jsonl
from companion.table.session import Session
from companion.table.table import Table
from companion.teaching.story import Frame, Story, story_of
from companion.teaching.texts import say
from web.drawing import PICTURE, Look
from web.film import film_svg
from web.language import _, language
from web.plots import LEFT, WIDTH, lines
from web.shows import show_of
from web.tables import evening, table_of
from web.words import Words

blueprint = Blueprint("story", __name__)
MOST_KEPT = 24
_END_ROOM = 46  # what `plots.lines` leaves free for its last numbers
# The film has a style of its own, which the policy of pages would stop; it runs no script and asks for nothing.
FILM_CSP = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"


class _Told(NamedTuple):
    """A finished game and its story."""

    session: Session
    story: Story


_stories: dict[tuple[str, int], Story] = {}
_lock = Lock()


@blueprint.get("/t/<code>/story")
def table(code: str) -> str | tuple[str, int]:
    found = table_of(code)
    told = _told(found)
    if told is None:
        return render_template("story/not_yet.html", table=found.row), 403
    words = _words(told.session)
    return render_template(
        "story/story.html",
        table=found.row,
        names=_names(told.session, words),
        story=told.story,
        words=words,
        map=_map(told.story, words),
        frames=_frames_json(told.story, words),
        turns=_turns(told, words),
        plot=_plot(told.story),
        ends=(LEFT, WIDTH - _END_ROOM),
    )


@blueprint.get("/t/<code>/story/record.jsonl")
def record(code: str) -> Response:
    """The game to replay elsewhere. What never lay open is replaced by cards that nobody could tell from it."""
    told = _told(table_of(code)) or abort(404)
    if told.story.record is None:
        abort(404)
    return _file(
        to_jsonl(told.story.record),
        "application/jsonl; charset=utf-8",
        f"{told.story.header['game']}-{code.lower()}.jsonl",
    )


@blueprint.get("/t/<code>/story/film.svg")
def film(code: str) -> Response:
    told = _told(table_of(code)) or abort(404)
    words = _words(told.session)
    island = _map(told.story, words) or abort(404)
    text = film_svg(told.story, str(island), _names(told.session, words), words)
    response = _file(text, "image/svg+xml; charset=utf-8", f"{words.game}-{code.lower()}.svg")
    response.headers["Content-Security-Policy"] = FILM_CSP
    return response


def _file(text: str, kind: str, name: str) -> Response:
    return Response(text, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def _told(table: Table) -> _Told | None:
    """The story of the table's game if it is over, else of the last one that was played there."""
    session = _finished(table)
    if session is None:
        return None
    key = (table.row.id, session.steps[-1].entry)
    with _lock:
        if key not in _stories:
            if len(_stories) >= MOST_KEPT:
                _stories.clear()
            _stories[key] = story_of(session.record)
        return _Told(session, _stories[key])


def _finished(table: Table) -> Session | None:
    with table.lock:
        session = table.session
    if session.steps and not session.actors:
        return session
    games = evening().chronicle.games()
    return next((game.session for game in games if game.table.id == table.row.id), None)


def _words(session: Session) -> Words:
    return Words(language(), str((session.header or {}).get("game", "makabana")))


def _names(session: Session, words: Words) -> dict[str, str]:
    """What each player is called: by the people of its colour, else by the colour."""
    game, state = session.game, session.state
    assert game is not None
    players = game.score(state).points
    found: dict[str, list[str]] = {player: [] for player in players}
    for seat, sitting in session.seats.items():
        found.setdefault(game.colour_of(state, seat), []).append(sitting.name)
    return {player: " & ".join(filter(None, found[player])) or words.who(player) for player in players}


def _map(story: Story, words: Words) -> Markup:
    show = show_of(words.game)
    return show.draw(story.header, Look(PICTURE, words.gettext(show.title), is_column=True))


def _frames_json(story: Story, words: Words) -> list[dict[str, Any]]:
    """Each frame as what is new in it; the first has the whole board."""
    first = {"round": "", "put": dict(story.first.pieces), "text": [], "totals": dict(story.first.totals)}
    every = (story.first, *story.frames)
    return [first, *(_frame_json(before, after, words) for before, after in pairwise(every))]


def _frame_json(before: Frame, after: Frame, words: Words) -> dict[str, Any]:
    places = before.pieces.keys() | after.pieces.keys()
    put = {
        place: after.pieces.get(place, EMPTY)
        for place in sorted(places)
        if before.pieces.get(place) != after.pieces.get(place)
    }
    text = [words.say(event) for event in after.events]
    called = words.round(after.round) if after.round else ""
    return {"round": called, "put": put, "text": text, "totals": dict(after.totals)}


def _turns(told: _Told, words: Words) -> list[Mapping[str, Any]]:
    return [
        {"number": turn.number, "round": turn.round, "text": say(turn.event, words.language, words.game)}
        for turn in told.story.turns
    ]


def _plot(story: Story) -> Markup:
    every = (story.first, *story.frames)
    points = {
        player: [(float(at), float(frame.totals[player])) for at, frame in enumerate(every)]
        for player in story.first.totals
    }
    return lines(points, _("The score, action by action"))
