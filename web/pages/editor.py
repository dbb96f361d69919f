"""The board editor: an owner's own copy, traced on a photograph. The photograph never leaves the phone."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, render_template

from companion.games.makabana.board import SECTORS, SPOTS, load_board
from web.commands import json_body
from web.language import language
from web.parts import parts

blueprint = Blueprint("editor", __name__)
SUGGESTED = {"2013": "maka-bana", "2003": "maka-bana-2003"}  # whose beaches an editor starts with


@blueprint.get("/editor")
def edit() -> str:
    beaches = {edition: list(load_board(board).beaches) for edition, board in SUGGESTED.items()}
    words = {"sectors": {key: list(names) for key, names in SECTORS.items()}, "spots": list(SPOTS), "beaches": beaches}
    return render_template("editor.html", words=words)


@blueprint.post("/api/boards/check")
def check() -> Response:
    """The board file that clicks make, or everything that is wrong with them."""
    traced = parts().services.tracer.board_file(json_body(), language())
    return jsonify({"board": traced.board, "problems": list(traced.problems)})
