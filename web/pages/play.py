"""A player's phone: the page, its stream of snapshots, its commands, and the clock it measures itself against."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.games.protocol import Event, FormatError
from companion.table.commands import SEAT_COMMANDS
from companion.table.entries import Answer, Command
from companion.table.table import Table
from web.choices import foreseen
from web.commands import json_body
from web.language import language
from web.pages.maps import table_map
from web.pages.seats import join_link, qr_svg
from web.panels import SeatSight, seat_snapshot
from web.parts import parts
from web.shows import show_of
from web.stream import stream
from web.tables import evening, own_seat, own_seats, seat_of, table_of
from web.words import Words

blueprint = Blueprint("play", __name__)
MOST_WORDS = 24


@blueprint.get("/t/<code>/play")
def table(code: str) -> str | AnyResponse:
    found = table_of(code)
    seat = seat_of(found)
    if seat is None:
        return redirect(url_for("seats.join", code=found.row.code))
    snapshot = seat_snapshot(found, seat, language())
    return render_template(
        "play/seat.html",
        table=found.row,
        seat=seat,
        snapshot=snapshot,
        regions=snapshot["regions"],
        map=table_map(found, seat=seat),
        show=show_of(_words(found).game),
        guests=evening().live.guests(),
        words=_words(found),
        link=join_link(found),
        qr=qr_svg(join_link(found)),
        seats=found.session.seats.items(),
        own=own_seats(found),
    )


@blueprint.get("/t/<code>/stream")
def follow(code: str) -> Response:
    found = table_of(code)
    seat, spoken = own_seat(found), language()
    return stream(found, SeatSight(found, seat, spoken), parts().streams, parts().config.heartbeat_s)


@blueprint.get("/t/<code>/snapshot")
def snapshot(code: str) -> Response:
    found = table_of(code)
    return jsonify(seat_snapshot(found, own_seat(found), language()))


@blueprint.post("/t/<code>/do")
def do(code: str) -> tuple[Response, int]:
    """A command of this phone's seat. A refusal is an answer too: status 409."""
    found = table_of(code)
    seat = own_seat(found)
    try:
        command = Command.from_json(json_body(), seat)
        if command.do not in SEAT_COMMANDS:
            raise FormatError(Event("command_unknown", {"do": command.do[:40]}))
    except FormatError as error:
        return _refused(found, error.problems[0], 0), 400
    # A key counts for its seat alone: nobody can use up another's by guessing it.
    answer = found.do(command._replace(key=f"{seat}.{command.key}"[:64]))
    return _answered(found, answer)


@blueprint.post("/t/<code>/try")
def rehearse(code: str) -> tuple[Response, int]:
    """What an action would bring about, or why it would not succeed, for its seat's eyes alone. Nothing is done."""
    found = table_of(code)
    seat = own_seat(found)
    words = _try_words(json_body())
    if not words:
        return _refused(found, Event("command_unreadable"), 0), 400
    reasons = evening().live.warnings(found, seat, words)
    said = _words(found)
    effects = [] if reasons else foreseen(found, seat, words, said)
    return jsonify({"warnings": [said.say(reason) for reason in reasons], "effects": effects}), 200


@blueprint.get("/t/<code>/clock")
def clock(code: str) -> Response:
    """The table's clock, by which presses of a race are told apart."""
    return jsonify({"now": table_of(code).clock.now()})


@blueprint.get("/t/<code>/history")
def history(code: str) -> str:
    """Everything that happened in this game, as all may know it."""
    found = table_of(code)
    words = _words(found)
    lines = [[words.say(event) for event in step.state.events] for step in found.session.steps]
    return render_template("play/history.html", lines=lines)


def _try_words(data: Any) -> list[str]:
    given = data.get("words") if isinstance(data, dict) else None
    if not isinstance(given, list) or len(given) > MOST_WORDS:
        return []
    return given if all(isinstance(word, str) and len(word) <= 64 for word in given) else []


def _words(table: Table) -> Words:
    return Words(language(), str((table.session.header or {}).get("game", "makabana")))


def _answered(table: Table, answer: Answer) -> tuple[Response, int]:
    if answer.refusal is None:
        return jsonify(answer.to_json()), 200
    return _refused(table, Event(*answer.refusal), answer.version), 409


def _refused(table: Table, why: Event, version: int) -> Response:
    refusal = {**why.to_json(), "text": _words(table).say(why)}
    return jsonify({"accepted": False, "version": version, "refusal": refusal})
