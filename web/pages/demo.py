"""A game for one visitor: a table of islanders, a virtual board and a seat, with one tap."""

from __future__ import annotations

import json
import secrets
from typing import NamedTuple

from flask import Blueprint, abort, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.table.entries import Command
from web.language import _
from web.pages.seats import rule_names, sit_down
from web.parts import parts
from web.safety import client, slow_down
from web.tables import evening

blueprint = Blueprint("demo", __name__)
OPPONENTS = ("moana", "nino", "teva")
MOST_PEOPLE = 1 + len(OPPONENTS)


class Choice(NamedTuple):
    """A game that a visitor may try: with so many people, all but the visitor islanders."""

    key: str
    game: str
    rules: str
    people: int


def choices() -> dict[str, Choice]:
    """Everything that can be played by one visitor and our islanders, by key."""
    found = [
        Choice(f"{game.name}/{rules}", game.name, rules, max(fitting))
        for game in evening().live.games()
        for rules, people in game.rules.items()
        if (fitting := [count for count in people if count <= MOST_PEOPLE])
    ]
    return {choice.key: choice for choice in found}


@blueprint.get("/demo")
def start() -> str:
    live = evening().live
    return render_template(
        "virtual/demo.html",
        guests=[guest for guest in live.guests() if guest.id in OPPONENTS],
        games=live.games(),
        choices=choices(),
        rule_names=rule_names(),
        can_render=live.can_render(),
    )


@blueprint.post("/demo")
def begin() -> AnyResponse:
    """Opens the table, seats everybody and starts the game."""
    slow_down(parts().uploads, client())
    known = choices()
    choice = known.get(request.form.get("game", "") or next(iter(known))) or abort(400)
    live, house = evening().live, evening().house
    table = house.open_table(_("Demo"))
    table.do(Command(_key(), "new_game", (json.dumps(live.header(choice.game, choice.rules, choice.people)),)))
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
