"""The islands to look at, and their data for programs."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from flask import Blueprint, Response, abort, jsonify, render_template
from markupsafe import Markup

from companion.games.makabana.board import BOARD_NAMES, Board, coordinates_of, load_board
from companion.games.texts import LANGUAGES
from web.drawing import MAP, Look, island_svg
from web.language import _, language

blueprint = Blueprint("boards", __name__)
TITLES = {"maka-bana": "Maka Bana", "maka-bana-2003": "Maka Bana 2003", "nadaa": "Nadaa", "noka": "Noka"}
# Which islands lie on the table, by number of players.
TABLES = {
    "3": ("nadaa",), "4": ("noka",), "5": ("maka-bana",), "6": ("noka", "nadaa"), "8": ("maka-bana", "noka"),
    "10": ("maka-bana", "noka", "nadaa"), "2003": ("maka-bana-2003",),
}  # fmt: skip


@blueprint.get("/islands")
@blueprint.get("/islands/<players>")
def islands(players: str = "5") -> str:
    if players not in TABLES:
        abort(404)
    return render_template(
        "islands.html", players=players, tables=TABLES, titles=TITLES, map=empty_map(TABLES[players])
    )


@blueprint.get("/api/boards")
def listing() -> Response:
    return jsonify({"boards": list(BOARD_NAMES)})


@blueprint.get("/api/boards/<name>")
def board(name: str) -> Response:
    if name not in BOARD_NAMES:
        abort(404)
    return jsonify(board_json(load_board(name)))


def board_json(board: Board) -> dict[str, Any]:
    return {
        "board": board.name,
        "edition": board.edition,
        "aspect": list(board.aspect),
        "sites": [{"id": site, "x": x, "y": y} for site, (x, y) in board.sites.items()],
        "clubs": [{"beach": beach, "x": x, "y": y} for beach, (x, y) in board.clubs.items()],
        "adjacent": [list(pair) for pair in board.adjacent],
        "complexes": [list(group) for group in board.complexes],
    }


def empty_map(names: tuple[str, ...]) -> Markup:
    """The islands without pieces, as a map in the phone's language."""
    return _empty_map(names, language(), _("Map of the island"))


@lru_cache(maxsize=2 * len(LANGUAGES) * len(TABLES))
def _empty_map(names: tuple[str, ...], spoken: str, title: str) -> Markup:
    boards = [load_board(name) for name in names]
    return island_svg(boards, {}, Look(MAP, title, place_labels(boards)))


def place_labels(boards: list[Board]) -> dict[str, str]:
    """Each place as a screen reader should say it."""
    sites = {site: ", ".join(coordinates_of(site)) for board in boards for site in board.sites}
    return sites | {
        f"club:{beach}": _("Diving club of %(beach)s", beach=beach) for board in boards for beach in board.clubs
    }
