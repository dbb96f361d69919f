"""Beginning a game from a photograph: the staff's way through the photo pages, to a table that goes on from there."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from companion.games.protocol import Refusal
from companion.table.table import Table
from web.language import language
from web.pages.boards import TITLES
from web.pages.photo import begin_reading, job_named, shown
from web.pages.staff import staff_only, staff_table
from web.parts import parts
from web.services import PhotoBoard
from web.tables import evening
from web.words import Words

blueprint = Blueprint("staff_photo", __name__)
MAO = "-mao"


@blueprint.get("/staff/t/<table_id>/photo")
@staff_only
def start(table_id: str) -> str:
    return _camera_page(staff_table(table_id), parts().services.samples)


@blueprint.get("/staff/t/<table_id>/photo/<job>/more")
@staff_only
def more(table_id: str, job: str) -> str:
    """One more island of the same game."""
    job_named(job)
    return _camera_page(staff_table(table_id), {}, job)


@blueprint.post("/staff/t/<table_id>/photo")
@staff_only
def upload(table_id: str) -> AnyResponse:
    """A photo from a plain form, for phones without our script."""
    table, file = staff_table(table_id), request.files.get("photo")
    photo = file.read() if file else b""
    if not photo:
        abort(400)
    job = begin_reading(photo, request.form.get("board", ""), request.form.get("into"))
    return redirect(url_for("staff_photo.result", table_id=table.row.id, job=job), 303)


@blueprint.post("/staff/t/<table_id>/photo/sample/<board>")
@staff_only
def sample(table_id: str, board: str) -> AnyResponse:
    """One of the house's own pictures, to see how it works."""
    table, photo = staff_table(table_id), parts().services.samples.get(board)
    if photo is None:
        abort(404)
    job = begin_reading(photo, board, None)
    return redirect(url_for("staff_photo.result", table_id=table.row.id, job=job), 303)


@blueprint.get("/staff/t/<table_id>/photo/<job>")
@staff_only
def result(table_id: str, job: str) -> str:
    return _result_page(staff_table(table_id), job, "photo_result.html")


@blueprint.get("/staff/t/<table_id>/photo/<job>/panel")
@staff_only
def panel(table_id: str, job: str) -> str:
    """The part of the result that changes. What was chosen in its form comes along and stays chosen."""
    return _result_page(staff_table(table_id), job, "photo_panel.html")


@blueprint.post("/staff/t/<table_id>/photo/<job>/begin")
@staff_only
def begin(table_id: str, job: str) -> AnyResponse | tuple[str, int]:
    table, board = staff_table(table_id), job_named(job).board()
    if board is None or board.doubts:
        return _result_page(table, job, "photo_result.html"), 409
    if _is_playing(table) and not request.form.get("anyway"):
        refusal: Refusal | None = Refusal("game_under_way")
    else:
        refusal = evening().live.begin_from(table, _chosen(board), bool(request.form.get("over")))
    if refusal is not None:
        return _result_page(table, job, "photo_result.html", refusal), 409
    return redirect(url_for("staff.table", table_id=table.row.id), 303)


def _chosen(board: PhotoBoard) -> PhotoBoard:
    """The board's game as the form says it is played: with Mao or without, and by whom first."""
    header = dict(board.header)
    players, first = list(header["players"]), request.form.get("first", "")
    at = players.index(first) if first in players else 0
    header["players"] = [*players[at:], *players[:at]]
    if "camps" in header:
        header["camps"] = [header["players"][::2], header["players"][1::2]]
    if request.form.get("mao") and _has_mao(board):
        header["rules"] += MAO
    return board._replace(header=header)


def _has_mao(board: PhotoBoard | None) -> bool:
    rules = {game.name: game.rules for game in evening().live.games()}
    return board is not None and board.header["rules"] + MAO in rules.get(board.header["game"], ())


def _camera_page(table: Table, samples: Any, into: str = "") -> str:
    at = table.row.id
    return render_template(
        "staff/photo.html",
        table=table.row,
        boards=TITLES,
        samples=samples,
        into=into,
        upload_url=url_for("staff_photo.upload", table_id=at),
        result_url=url_for("staff_photo.result", table_id=at, job="JOB"),
        sample_url=lambda board: url_for("staff_photo.sample", table_id=at, board=board),
    )


def _result_page(table: Table, job: str, template: str, refusal: Refusal | None = None) -> str:
    at, found = table.row.id, job_named(job)
    return render_template(
        template,
        job=job,
        table=table.row,
        choice=request.values,
        is_playing=_is_playing(table),
        has_mao=_has_mao(found.board()),
        problem=Words(language(), "makabana").say(refusal) if refusal else "",
        panel_url=url_for("staff_photo.panel", table_id=at, job=job),
        more_url=url_for("staff_photo.more", table_id=at, job=job),
        again_url=url_for("staff_photo.start", table_id=at),
        **shown(found.snapshot(language())),
    )


def _is_playing(table: Table) -> bool:
    return bool(table.session.actors and table.session.steps)
