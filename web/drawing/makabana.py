"""The play area of Maka Bana: its islands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from companion.games.makabana.board import BOARD_NAMES, Board, load_board, parse_board
from companion.games.protocol import Json
from web.drawing.fields import Point
from web.drawing.island import layout_of
from web.drawing.look import Look
from web.drawing.scene import island_svg


def boards_of(header: Mapping[str, Json]) -> Sequence[Board]:
    """The islands of a game; none where it names boards that we can't draw."""
    boards = header.get("boards", [])
    if not all(isinstance(board, dict) or board in BOARD_NAMES for board in boards):
        return []
    return [load_board(board) if isinstance(board, str) else parse_board(board) for board in boards]


def draw(header: Mapping[str, Json], look: Look) -> Markup:
    boards = boards_of(header)
    return island_svg(boards, {}, look) if boards else Markup("")


def sizes(header: Mapping[str, Json]) -> dict[str, Point]:
    """How large each island is drawn: fractions of it are what a board file and a camera speak of."""
    return {board.name: layout_of(board).size for board in boards_of(header)}
