"""The virtual table: pieces are dragged about as on a real board, and a camera looks at them."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, jsonify, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.games.protocol import FormatError
from companion.table.table import Table
from web.commands import json_body
from web.language import language
from web.live import Virtual
from web.pages.maps import board_sizes, table_map
from web.panels import screen_snapshot
from web.parts import parts
from web.shows import show_of
from web.stream import stream
from web.tables import evening, seat_of, table_of
from web.words import Words

blueprint = Blueprint("virtual", __name__)
LONGEST_COVER_S = 10.0


@blueprint.get("/virtual/<code>")
def table(code: str) -> str:
    found = table_of(code)
    board = evening().live.virtual(found.row.id)
    words = Words(language(), str((found.session.header or {}).get("game", "makabana")))
    return render_template(
        "virtual/virtual.html",
        table=found.row,
        board=_board_json(found, board) if board else None,
        colours=_colours(found),
        snapshot=_snapshot(found, language()),
        map=table_map(found, seat=seat_of(found)),
        sizes=board_sizes(found) if board else {},
        words=words,
        show=show_of(words.game),
        is_seated=seat_of(found) is not None,
    )


@blueprint.post("/virtual/<code>/open")
def begin(code: str) -> AnyResponse:
    """Lays a virtual board on the table, if it has none; the camera over it is rendered unless asked otherwise."""
    found = table_of(code)
    if evening().live.virtual(found.row.id) is None:
        is_rendered = request.form.get("camera") != "direct"
        if evening().live.start_virtual(found.row.id, is_rendered) is None:
            abort(404)
    return redirect(url_for("virtual.table", code=found.row.code), 303)


@blueprint.get("/virtual/<code>/stream")
def follow(code: str) -> Response:
    found, spoken = table_of(code), language()
    return stream(found, lambda: _snapshot(found, spoken), parts().streams, parts().config.heartbeat_s)


@blueprint.get("/virtual/<code>/board")
def board(code: str) -> Response:
    found = table_of(code)
    return jsonify(_board_json(found, _board(found)))


@blueprint.post("/virtual/<code>/drag")
def drag(code: str) -> tuple[Response, int]:
    """One movement of a hand: a piece put down, moved or taken; or the hand itself, held over the board."""
    found = table_of(code)
    virtual, data = _board(found), json_body()
    try:
        if isinstance(data, dict) and "hand" in data:
            seconds = data["hand"] if isinstance(data["hand"], int | float) else 0
            evening().live.cover(found.row.id, max(0.0, min(float(seconds), LONGEST_COVER_S)))
        else:
            virtual.drag(data)
    except FormatError as error:
        text = evening().live.say(error.problems[0], language())
        return jsonify({**_board_json(found, virtual), "problem": text}), 409
    return jsonify(_board_json(found, virtual)), 200


def _board(table: Table) -> Virtual:
    found = evening().live.virtual(table.row.id)
    if found is None:
        abort(404)
    return found


def _board_json(table: Table, board: Virtual) -> dict[str, Any]:
    """The pieces as whoever has the page open may see them, each with the name it has in the box."""
    game, state, seat = table.session.game, table.session.state, seat_of(table)
    if game is None:
        return board.to_json()
    seen = board.to_json(lambda pieces: game.shown(state, seat, pieces))
    pieces = [{**one, "box": ":".join(game.component_of((one["kind"], one["colour"])))} for one in seen["pieces"]]
    return {**seen, "pieces": pieces, "looking": evening().live.is_looking(table.row.id)}


def _snapshot(table: Table, spoken: str) -> dict[str, Any]:
    """The screen's view; the pieces themselves come from the board, not from the game."""
    return screen_snapshot(table, spoken)


def _colours(table: Table) -> dict[str, dict[str, int]]:
    """What lies in the box for each colour."""
    game = table.session.game
    if game is None:
        return {}
    found: dict[str, dict[str, int]] = {}
    for (kind, colour), count in game.components(table.session.state).items():
        found.setdefault(colour, {})[kind] = count
    return found
