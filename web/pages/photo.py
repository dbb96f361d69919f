"""Photo scoring: a picture goes in, doubts are settled by tapping, an explained score comes out."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, jsonify, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from companion.games.makabana.board import load_board
from web.commands import carry_out
from web.drawing import MAP, Look, island_svg
from web.language import _, _l, language
from web.pages.boards import TITLES, place_labels
from web.pages.photo_sheets import board_titles, facts, is_board, sheet_map, ways
from web.parts import parts
from web.safety import OUR_HEADER, client, slow_down
from web.services import PhotoJob
from web.share import summary_svg
from web.shows import SHOWS, show_of
from web.stream import stream
from web.words import Words

blueprint = Blueprint("photo", __name__)
COLUMNS = {"beaches": _l("Beaches"), "huts": _l("Huts"), "clubs": _l("Clubs"), "total": _l("Total")}
RULE_NAMES = {
    "2013": _l("2013 edition, Mao too"),
    "2013-teams": _l("2013 edition, in teams"),
    "2003": _l("2003 edition, Mao too"),
    "2003-two": _l("2003 edition, two people with two colours each"),
}
GAME = "makabana"  # in whose words a page speaks before anything is read
IMAGE_TYPES = ("image/jpeg", "image/png", "image/webp")


@blueprint.get("/photo")
def start() -> str:
    return render_template("photo.html", boards=board_titles(language()), samples=parts().services.samples)


@blueprint.post("/photo")
def upload() -> AnyResponse:
    """A photo from a plain form, for phones without our script."""
    file = request.files.get("photo")
    photo = file.read() if file else b""
    if not photo:
        abort(400)
    return redirect(
        url_for("photo.result", job=begin_reading(photo, request.form.get("board", ""), request.form.get("into"))), 303
    )


@blueprint.post("/photo/sample/<board>")
def sample(board: str) -> AnyResponse:
    """One of the house's own pictures, to see how it works."""
    photo = parts().services.samples.get(board)
    if photo is None:
        abort(404)
    return redirect(url_for("photo.result", job=begin_reading(photo, board, None)), 303)


@blueprint.get("/photo/<job>")
def result(job: str) -> str:
    found = job_named(job)
    return render_template("photo_result.html", job=job, **shown(found.snapshot(language())))


@blueprint.get("/photo/<job>/more")
def more(job: str) -> str:
    """One more island for the same score."""
    job_named(job)
    return render_template("photo.html", boards=board_titles(language()), samples={}, into=job)


@blueprint.get("/photo/<job>/panel")
def panel(job: str) -> str:
    """The part of the result that changes: map, doubts and score."""
    return render_template("photo_panel.html", job=job, **shown(job_named(job).snapshot(language())))


@blueprint.get("/photo/<job>/summary.svg")
def summary(job: str) -> Response:
    """The map with the score as one picture to keep or send."""
    snapshot = job_named(job).snapshot(language())
    if not snapshot["score"]:
        abort(404)
    response = Response(summary_svg(snapshot, language()), content_type="image/svg+xml")
    response.headers["Content-Disposition"] = 'attachment; filename="maka-bana.svg"'
    # The picture brings its own style, which must not loosen the rule for pages.
    response.headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    return response


@blueprint.post("/api/photo")
def api_upload() -> tuple[Response, int]:
    """A photo as the body of the request, its board (or nothing) in the address."""
    if request.headers.get(OUR_HEADER) != "1":
        abort(403)
    if request.mimetype not in IMAGE_TYPES:
        abort(415)
    photo = request.get_data(cache=False)
    if not photo:
        abort(400)
    job = begin_reading(photo, request.args.get("board", ""), request.args.get("into"))
    return jsonify({"job": job, "url": url_for("photo.result", job=job)}), 201


@blueprint.get("/api/photo/<job>")
def api_job(job: str) -> Response:
    return jsonify(job_named(job).snapshot(language()))


@blueprint.get("/api/photo/<job>/stream")
def api_stream(job: str) -> Response:
    found, spoken = job_named(job), language()
    return stream(found, lambda: found.snapshot(spoken), parts().streams, parts().config.heartbeat_s)


@blueprint.post("/api/photo/<job>/do")
def api_do(job: str) -> tuple[Response, int]:
    return carry_out(job_named(job))


def begin_reading(photo: bytes, board: str, into: str | None) -> str:
    slow_down(parts().uploads, client())
    if board and not is_board(board):
        abort(400)
    desk = parts().services.photos
    if into and desk.job(into) is None:
        abort(404)
    job = desk.start(photo, [board] if board else [], into or None)
    if job is None:
        abort(503)
    return job


def job_named(job: str) -> PhotoJob:
    found = parts().services.photos.job(job)
    if found is None:
        abort(404)
    return found


def shown(snapshot: dict[str, Any]) -> dict[str, Any]:
    """What the templates need besides the snapshot itself: the map, everything's name, and each number's reasons."""
    spoken = language()
    words = Words(spoken, snapshot.get("game", GAME))
    is_island = all(board in TITLES for board in snapshot["boards"])
    places, score = snapshot["places"], snapshot["score"]
    columns = _columns(score, words) if score else {}
    return {
        "snapshot": snapshot,
        "styles": [show.style for show in SHOWS.values() if show.style],  # which game it is, only the photo will tell
        "is_island": is_island,
        "map": _map(snapshot, words) if is_island else sheet_map(snapshot, words),
        "board_titles": ", ".join(board_titles(spoken)[board] for board in snapshot["boards"]),
        "rule_names": _rule_names(words),
        "columns": columns,
        "who": words.who,
        "said": words.content,
        "label": words.label,
        "badge": words.badge,
        "facts": facts(snapshot, words),
        "ways": None if is_island else ways(snapshot, words),
        "doubts": [place for place, seen in places.items() if seen["is_doubtful"]],
        "corrected": [place for place, seen in places.items() if seen["is_corrected"]],
        "ranked": sorted(score["scores"], key=lambda player: -score["scores"][player]["total"]) if score else [],
        "cells": _cells(score, columns) if score else {},
        "headline": _headline(score, words) if score else "",
    }


def _rule_names(words: Words) -> dict[str, str]:
    own = {rules: words.gettext(text) for rules, text in show_of(words.game).rules.items()}
    return {**own, **{key: str(text) for key, text in RULE_NAMES.items()}}


def _columns(score: dict[str, Any], words: Words) -> dict[str, str]:
    """The columns of the score, with their headings."""
    categories: list[str] = [key for line in score["scores"].values() for key in line]
    return {key: str(COLUMNS[key]) if key in COLUMNS else words.verb(key) for key in categories}


def _map(snapshot: dict[str, Any], words: Words) -> Markup:
    boards = [load_board(board) for board in snapshot["boards"]]
    if not boards:
        return Markup("")
    contents = {place: seen["content"] for place, seen in snapshot["places"].items()}
    labels = {
        place: f"{label}: {words.content(contents.get(place, 'empty'))}"
        for place, label in place_labels(boards).items()
    }
    return island_svg(boards, contents, Look(MAP, _("What was read"), labels, is_column=True))


def _headline(score: dict[str, Any], words: Words) -> str:
    names = [words.who(player) for player in score["winners"]]
    if not score["is_settled"]:
        return _("Not settled yet")
    if not names:  # not all boards are seen, or not all is told that counts
        return _("The score")
    if len(names) == 1:
        return _("%(player)s wins!", player=names[0])
    return _("%(players)s share the win!", players=", ".join(names[:-1]) + _(" and ") + names[-1])


def _cells(score: dict[str, Any], columns: dict[str, str]) -> dict[str, dict[str, dict[str, list[str]]]]:
    """For every player and column the sentences behind the number, and the places to light."""
    cells: dict[str, dict[str, dict[str, list[str]]]] = {
        player: {key: {"texts": [], "places": []} for key in columns} for player in score["scores"]
    }
    for reason in score["reasons"]:
        for player in (one for one in reason["gains"] if one in cells and reason["category"] in columns):
            cell = cells[player][reason["category"]]
            cell["texts"].append(reason["text"])
            cell["places"] += [place for place in reason["places"] if place not in cell["places"]]
    return cells
