"""The staff's guides with live steps: setting up a table's cameras, and enrolling its tags."""

from __future__ import annotations

from flask import Blueprint, Response, abort, jsonify, render_template

from companion.games.protocol import Event, FormatError
from companion.table.entries import Command
from web.commands import json_body, refused
from web.drawing.scene import symbols
from web.language import language
from web.live import CameraGuide, TagGuide
from web.pages.boards import TITLES
from web.pages.staff import staff_only, staff_table
from web.tables import evening
from web.words import Words

blueprint = Blueprint("guides", __name__)
CAMERA_DEEDS = ("look", "keep")
TAG_DEEDS = ("begin", "again", "end", "skip", "back", "yes", "no", "forget", "lay", "lift")


@blueprint.get("/staff/t/<table_id>/camera")
@staff_only
def camera(table_id: str) -> str:
    table = staff_table(table_id)
    return render_template(
        "staff/camera.html",
        table=table.row,
        state=_cameras().state(table.row.id, language()),
        titles=TITLES,
        words=Words(language(), "makabana"),
        symbols=symbols(),
    )


@blueprint.get("/staff/t/<table_id>/camera.json")
@staff_only
def camera_state(table_id: str) -> Response:
    return jsonify(_cameras().state(staff_table(table_id).row.id, language()))


@blueprint.get("/staff/t/<table_id>/look.jpg")
@staff_only
def look_picture(table_id: str) -> Response:
    """What was looked at last, with what was read drawn onto it."""
    picture = _cameras().picture(staff_table(table_id).row.id)
    if picture is None:
        abort(404)
    return Response(picture, mimetype="image/jpeg")


@blueprint.post("/staff/t/<table_id>/camera/do")
@staff_only
def camera_do(table_id: str) -> tuple[Response, int]:
    """`look BOARD`, or `keep NUMBER` of the look that is to count from now on."""
    found = staff_table(table_id).row.id
    command = _command(CAMERA_DEEDS)
    if isinstance(command, Event):
        return _answered(command, 400)
    word = command.args[0] if command.args else ""
    if command.do == "look":
        return _answered(None if _cameras().look(found, word) else Event("look_gone"))
    return _answered(_cameras().keep(found, int(word)) if word.isascii() and word.isdigit() else Event("look_gone"))


@blueprint.get("/staff/t/<table_id>/tags")
@staff_only
def tags(table_id: str) -> str:
    table = staff_table(table_id)
    state = _tags().state(table.row.id, language())
    return render_template("staff/tags.html", table=table.row, state=state, symbols=symbols())


@blueprint.get("/staff/t/<table_id>/tags.json")
@staff_only
def tags_state(table_id: str) -> Response:
    return jsonify(_tags().state(staff_table(table_id).row.id, language()))


@blueprint.post("/staff/t/<table_id>/tags/do")
@staff_only
def tags_do(table_id: str) -> tuple[Response, int]:
    """One press of a button of the guide."""
    found = staff_table(table_id).row.id
    command = _command(TAG_DEEDS)
    if isinstance(command, Event):
        return _answered(command, 400)
    return _answered(_tags().do(found, command.do, list(command.args)))


def _command(known: tuple[str, ...]) -> Command | Event:
    try:
        command = Command.from_json(json_body(), None)
    except FormatError as error:
        return error.problems[0]
    return command if command.do in known else Event("command_unknown", {"do": command.do[:40], "known": list(known)})


def _answered(problem: Event | None, status: int = 409) -> tuple[Response, int]:
    if problem is None:
        return jsonify({"accepted": True, "version": 0, "refusal": None}), 200
    answer = refused(problem, 0)
    answer["refusal"]["text"] = evening().live.say(problem, language())
    return jsonify(answer), status


def _cameras() -> CameraGuide:
    return evening().live.cameras


def _tags() -> TagGuide:
    return evening().live.tags
