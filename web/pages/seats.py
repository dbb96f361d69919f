"""From a code to a seat: opening a table, joining, filling empty seats, moving to another phone, leaving."""

from __future__ import annotations

import json
import secrets

import segno
from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.games.protocol import FormatError, Json, Refusal
from companion.table.entries import Command, StoreError
from companion.table.session import EMPTY_SEAT
from companion.table.table import Table
from web.language import _, language
from web.pages.maps import PICTURE, table_map
from web.parts import parts
from web.safety import client, slow_down
from web.shows import show_of
from web.tables import (
    A_WEEK_S,
    BETWEEN,
    MOST_SEATS,
    SEAT_COOKIE,
    evening,
    own_seat,
    own_tokens,
    seat_of,
    table_of,
)
from web.words import Words

blueprint = Blueprint("seats", __name__)
LINK_CHARS = 43  # of a seat's token


@blueprint.get("/new")
def new() -> str:
    """What to play, with how many."""
    return _new_page()


@blueprint.post("/new")
def create() -> AnyResponse | tuple[str, int]:
    """Opens a table with a game set up, and shows its seats."""
    slow_down(parts().uploads, client())
    game, _sep, rules = request.form.get("game", "")[:60].partition("/")
    try:
        header = evening().live.header(game, rules, int(request.form.get(f"people-{game}-{rules}", "0")[:3]))
        header |= _options(game)
        table = evening().house.open_table(request.form.get("name", "")[:60])
    except (FormatError, ValueError, StoreError):
        problem = _("That game can't be set up here. Choose another number of people.")
        return _new_page(problem), 400
    table.do(Command(_key(), "new_game", (json.dumps(header),)))
    return redirect(url_for("seats.join", code=table.row.code), 303)


def _options(game: str) -> dict[str, Json]:
    """What was chosen besides the rules, as the header has it. Raises `ValueError` for what is no choice."""
    options: dict[str, Json] = {}
    for number, setting in enumerate(show_of(game).settings):
        chosen = int(request.form.get(f"setting-{game}-{number}", "0")[:2])
        if not 0 <= chosen < len(setting.ways):
            raise ValueError(chosen)
        options |= setting.ways[chosen].options
    return {"options": options} if options else {}


def _new_page(problem: str = "") -> str:
    games = evening().live.games()
    settings = {game.name: show_of(game.name).settings for game in games}
    return render_template("play/new.html", games=games, rule_names=rule_names(), settings=settings, problem=problem)


def rule_names() -> dict[str, dict[str, str]]:
    """By game: what its rule sets are called."""
    names = [game.name for game in evening().live.games()]
    return {name: {rules: _(text) for rules, text in show_of(name).rules.items()} for name in names}


@blueprint.get("/t/<code>")
def join(code: str) -> str | AnyResponse:
    """The seats of a table; whoever has one goes straight to it."""
    table = table_of(code)
    if seat_of(table) is not None and "more" not in request.args:
        return redirect(url_for("play.table", code=table.row.code))
    return _seats_page(table)


@blueprint.post("/t/<code>/sit")
def sit(code: str) -> AnyResponse | tuple[str, int]:
    table = table_of(code)
    seat, name = request.form.get("seat", "")[:40], request.form.get("name", "")[:200]
    seated = evening().house.sit(table, seat, name, _key())
    if seated.answer.refusal is not None:
        return _seats_page(table, seated.answer.refusal, name), 409
    return sit_down(table, seated.token, url_for("play.table", code=table.row.code))


@blueprint.post("/t/<code>/bot")
def bot(code: str) -> AnyResponse:
    """An islander takes an empty seat. Whoever has a seat of their own may ask for that, before the game begins."""
    table = table_of(code)
    own_seat(table)
    known = {guest.id: guest for guest in evening().live.guests()}
    seat, guest = request.form.get("seat", ""), request.form.get("guest", "")
    if guest not in known or seat not in table.session.seats or table.session.is_started:
        abort(400)
    table.do(Command(_key(), "seat_bot", (known[guest].name,), seat))
    return redirect(url_for("play.table", code=table.row.code), 303)


@blueprint.post("/t/<code>/start")
def start(code: str) -> AnyResponse:
    table = table_of(code)
    own_seat(table)
    if all(seat.kind != EMPTY_SEAT for seat in table.session.seats.values()):
        table.do(Command(_key(), "start"))
    return redirect(url_for("play.table", code=table.row.code), 303)


@blueprint.post("/t/<code>/leave")
def leave(code: str) -> AnyResponse:
    table = table_of(code)
    table.do(Command(_key(), "leave", (), own_seat(table)))
    return redirect(url_for("welcome.home"), 303)


@blueprint.post("/t/<code>/phone")
def phone(code: str) -> Response:
    """A page with a link and its square code, for one's own other phone. Each is good for one phone."""
    table = table_of(code)
    seat = own_seat(table)
    seated = evening().house.move_phone(table, seat, _key())
    link = f"{parts().config.address}{url_for('seats.moved', code=table.row.code)}#{seated.token}"
    shown = render_template("play/phone.html", table=table.row, link=link, qr=qr_svg(link))
    return Response(shown)


@blueprint.get("/t/<code>/moved")
def moved(code: str) -> str:
    """Where a seat's link leads: the page's script hands the secret over, which never stands in an address we see."""
    return render_template("play/moved.html", table=table_of(code).row)


@blueprint.post("/t/<code>/moved")
def take_over(code: str) -> AnyResponse:
    table = table_of(code)
    token = request.form.get("token", "")[:100]
    seat = evening().house.seat_of(table, token) if len(token) == LINK_CHARS else None
    if seat is None:
        slow_down(parts().codes, client())
        abort(403)
    return sit_down(table, token, url_for("play.table", code=table.row.code))


@blueprint.get("/t/<code>/qr.svg")
def join_code(code: str) -> Response:
    """The square code that leads to this table."""
    table = table_of(code)
    return Response(qr_svg(join_link(table)), content_type="image/svg+xml")


def join_link(table: Table) -> str:
    return f"{parts().config.address}{url_for('seats.join', code=table.row.code)}"


def qr_svg(text: str) -> str:
    """A square code as SVG, as large as the page makes it."""
    return segno.make(text, error="m").svg_inline(
        border=1, dark="#12222a", omitsize=True, svgclass="qr", lineclass=None
    )


def _seats_page(table: Table, refusal: Refusal | None = None, name: str = "") -> str:
    header = table.session.header or {}
    words = Words(language(), str(header.get("game", "makabana")))
    return render_template(
        "play/join.html",
        table=table.row,
        seats=table.session.seats,
        words=words,
        colour=lambda seat: _colour(table, seat),
        problem=words.say(refusal) if refusal else "",
        name=name[:24],
        map=table_map(table, PICTURE),
    )


def _colour(table: Table, seat: str) -> str:
    game = table.session.game
    return game.colour_of(table.session.state, seat) if game else seat


def sit_down(table: Table, token: str, where: str) -> AnyResponse:
    """Gives the phone its seat's token, and shows it the way."""
    response = redirect(where, 303)
    response.set_cookie(
        SEAT_COOKIE + table.row.id,
        BETWEEN.join([*own_tokens(table), token][-MOST_SEATS:]),
        max_age=A_WEEK_S,
        httponly=True,
        samesite="Strict",
        secure=parts().config.is_https,
        path="/",
    )
    return response


def _key() -> str:
    return f"page.{secrets.token_hex(10)}"
