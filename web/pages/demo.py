"""A game for one visitor: a table of islanders, a virtual board and a seat, with one tap."""

from __future__ import annotations

import json
import secrets

from flask import Blueprint, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.table.entries import Command
from web.language import _
from web.pages.seats import sit_down
from web.parts import parts
from web.safety import client, slow_down
from web.tables import evening

blueprint = Blueprint("demo", __name__)
GAME, RULES, PEOPLE = "makabana", "2013", 4
OPPONENTS = ("moana", "nino", "teva")


@blueprint.get("/demo")
def start() -> str:
    return render_template("virtual/demo.html", guests=[g for g in evening().live.guests() if g.id in OPPONENTS])


@blueprint.post("/demo")
def begin() -> AnyResponse:
    """Opens the table, seats everybody and starts the game."""
    slow_down(parts().uploads, client())
    live, house = evening().live, evening().house
    rules = "2013-mao" if request.form.get("rules") == "mao" else RULES
    table = house.open_table(_("Demo"))
    table.do(Command(_key(), "new_game", (json.dumps(live.header(GAME, rules, PEOPLE)),)))
    own, *others = table.session.seats
    names = {guest.id: guest.name for guest in live.guests()}
    for seat, guest in zip(others, OPPONENTS, strict=False):
        table.do(Command(_key(), "seat_bot", (names[guest],), seat))
    live.start_virtual(table.row.id, is_rendered=request.form.get("camera") == "rendered")
    seated = house.sit(table, own, request.form.get("name", "")[:60] or _("Visitor"), _key())
    table.do(Command(_key(), "start"))
    return sit_down(table, seated.token, url_for("virtual.table", code=table.row.code))


def _key() -> str:
    return f"demo.{secrets.token_hex(10)}"
