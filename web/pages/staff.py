"""The staff's pages behind a PIN: every table, its health, its seats, and what the house may do for it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.games.protocol import Event, FormatError
from companion.table.entries import Answer, Command, StoreError
from companion.table.house import token_hash
from companion.table.table import Table
from companion.table.views import STAFF, view
from web.drawing.pieces import symbols
from web.language import _, language
from web.pages.seats import join_link, qr_svg, rule_names
from web.panels import game_name
from web.parts import parts
from web.safety import client, slow_down, too_often
from web.shows import show_of
from web.tables import evening
from web.words import Words

blueprint = Blueprint("staff", __name__)
COOKIE = "makabana_staff"
A_NIGHT_S = 14 * 3600
MOST_SESSIONS = 50
EVERYBODY = "everybody"
# What a button of the staff's page may ask of a table, with how many words.
HOUSE_COMMANDS = {"start": 0, "pause": 0, "resume": 0, "leave": 0, "seat_bot": 1, "answer": 2, "wrong": 1}

Page = Callable[..., Any]


def staff_only(page: Page) -> Page:
    """Shows the door to whoever has not given the PIN."""

    @wraps(page)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        if is_staff():
            return page(*args, **kwargs)
        if request.method == "GET":
            return redirect(url_for("staff.door"))
        abort(403)

    return guarded


def is_staff() -> bool:
    token = request.cookies.get(COOKIE, "")
    return 20 <= len(token) <= 100 and token_hash(token) in evening().sessions


@blueprint.get("/staff/door")
def door() -> str:
    return render_template("staff/door.html", problem="")


@blueprint.post("/staff/door")
def enter() -> AnyResponse | tuple[str, int]:
    """The PIN. Wrong ones cost tokens, one's own and everybody's, so guessing takes months."""
    found = evening()
    wait = max(found.pins.wait(client()), found.pins_of_all.wait(EVERYBODY))
    if wait:
        too_often(wait)
    given = request.form.get("pin", "")[:20].strip()
    if not secrets.compare_digest(given.encode(), found.pin.encode()):
        slow_down(found.pins, client())
        slow_down(found.pins_of_all, EVERYBODY)
        return render_template(
            "staff/door.html", problem=_("That is not the PIN. It is shown where the house was started.")
        ), 403
    token = secrets.token_urlsafe(32)
    while len(found.sessions) >= MOST_SESSIONS:
        found.sessions.pop()
    found.sessions.add(token_hash(token))
    response = redirect(url_for("staff.home"), 303)
    is_https = parts().config.is_https
    response.set_cookie(
        COOKIE, token, max_age=A_NIGHT_S, httponly=True, samesite="Strict", secure=is_https, path="/staff"
    )
    return response


@blueprint.post("/staff/out")
@staff_only
def out() -> AnyResponse:
    evening().sessions.discard(token_hash(request.cookies.get(COOKIE, "")))
    response = redirect(url_for("welcome.home"), 303)
    response.delete_cookie(COOKIE, path="/staff")
    return response


@blueprint.get("/staff")
@staff_only
def home() -> str:
    tables = [(table.row, view(table, STAFF)) for table in evening().house.tables()]
    return render_template("staff/home.html", tables=tables, words=Words(language(), "makabana"))


@blueprint.get("/staff/t/<table_id>")
@staff_only
def table(table_id: str) -> str:
    return _page(staff_table(table_id))


@blueprint.post("/staff/t/<table_id>/do")
@staff_only
def do(table_id: str) -> AnyResponse | tuple[str, int]:
    """One thing the house does: for the table, or for a seat."""
    found = staff_table(table_id)
    what = request.form.get("do", "")
    words = [word[:300] for word in request.form.getlist("arg") if word]
    if what not in HOUSE_COMMANDS or len(words) > HOUSE_COMMANDS[what]:
        abort(400)
    seat = request.form.get("seat") or None
    if what == "seat_bot" and seat in found.session.seats:
        found.do(Command(_key(), "leave", (), seat))
    return _shown(found, found.do(Command(_key(), what, tuple(words), seat)))


@blueprint.post("/staff/t/<table_id>/game")
@staff_only
def new_game(table_id: str) -> AnyResponse | tuple[str, int]:
    found = staff_table(table_id)
    game, _sep, rules = request.form.get("game", "")[:60].partition("/")
    try:
        header = evening().live.header(game, rules, int(request.form.get("people", "0")[:3]))
    except (FormatError, ValueError):
        abort(400)
    anyway = ("anyway",) if request.form.get("anyway") else ()
    return _shown(found, found.do(Command(_key(), "new_game", (json.dumps(header), *anyway))))


@blueprint.post("/staff/t/<table_id>/restart")
@staff_only
def restart(table_id: str) -> AnyResponse:
    found = staff_table(table_id)
    if not evening().live.restart(found.row.id, request.form.get("part", "")[:60]):
        abort(404)
    return redirect(url_for("staff.table", table_id=found.row.id), 303)


@blueprint.get("/staff/t/<table_id>/camera.jpg")
@staff_only
def camera(table_id: str) -> Response:
    picture = evening().live.picture(staff_table(table_id).row.id, is_inset=False)
    if picture is None:
        abort(404)
    return Response(picture, mimetype="image/jpeg")


@blueprint.get("/staff/guide/<topic>")
@staff_only
def guide(topic: str) -> str:
    """How to calibrate a camera or to enrol tags, step by step."""
    if topic not in ("camera", "tags"):
        abort(404)
    tables = [(found.row, view(found, STAFF)["sensors"]) for found in evening().house.tables()]
    sensors = [(row, _about(found, topic)) for row, found in tables]
    return render_template("staff/guide.html", topic=topic, sensors=sensors, reason=_reason)


def _about(sensors: list[dict[str, Any]], topic: str) -> list[dict[str, Any]]:
    """The sensors that matter to a guide: cameras, or the boards of readers, each as well as its worst reader."""
    if topic == "camera":
        return [sensor for sensor in sensors if sensor["sensor"].startswith("camera")]
    boards: dict[str, dict[str, Any]] = {}
    for sensor in sensors:
        board, is_reader, _reader = sensor["sensor"].partition("/")
        if is_reader and boards.get(board, {"available": True})["available"]:
            boards[board] = {**sensor, "sensor": board}
    return list(boards.values())


def staff_table(table_id: str) -> Table:
    """The table of this id, or the end of the request with 404."""
    found = evening().house.table(table_id[:40])
    if found is None:
        abort(404)
    return found


def _shown(table: Table, answer: Answer) -> AnyResponse | tuple[str, int]:
    if answer.refusal is None:
        return redirect(url_for("staff.table", table_id=table.row.id), 303)
    return _page(table, Event(*answer.refusal)), 409


def _page(table: Table, problem: Event | None = None) -> str:
    seen = view(table, STAFF)
    words = Words(language(), game_name(seen))
    live = evening().live
    lines = [[words.say(event) for event in step.state.events] for step in table.session.steps]
    return render_template(
        "staff/table.html",
        table=table.row,
        view=seen,
        words=words,
        problem=words.say(problem) if problem else "",
        guests=live.guests(),
        games=live.games(),
        rule_names=rule_names(),
        sensor_parts=live.parts(table.row.id),
        reason=_reason,
        has_picture=live.picture(table.row.id, is_inset=False) is not None,
        qr=qr_svg(join_link(table)),
        lines=lines,
        symbols=symbols(show_of(words.game).symbols),
    )


def _reason(sensor: dict[str, Any]) -> str:
    """Why a sensor is out, in words that say what to do."""
    why = sensor["reason"]
    if why is None:
        return ""
    return evening().live.say(
        Event(why["code"], {key: value for key, value in why.items() if key != "code"}), language()
    )


def _key() -> str:
    return f"staff.{secrets.token_hex(10)}"


@blueprint.errorhandler(StoreError)
def unkept(error: StoreError) -> tuple[str, int]:
    text = evening().live.say(error.event, language())
    return render_template(
        "error.html", code=503, what=_("The house can't keep that."), next_step=text, title=_("Oh")
    ), 503
