"""The map of a table's boards, as its game has them."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from companion.games.makabana.board import BOARD_NAMES, Board, load_board, parse_board
from companion.table.table import Table
from web.drawing import MAP, PICTURE, Look, island_svg
from web.drawing.island import layout_of
from web.language import _, language
from web.pages.boards import place_labels


def table_map(table: Table, kind: str = MAP, is_column: bool = True) -> Markup:
    """The boards of the table's game without pieces; nothing for a game that is not played on islands."""
    boards = (table.session.header or {}).get("boards", [])
    if not all(isinstance(board, dict) or board in BOARD_NAMES for board in boards):
        return Markup("")
    return _map(json.dumps(boards), kind, is_column, language(), _("Map of the island"))


def board_sizes(table: Table) -> dict[str, tuple[float, float]]:
    """How large each board is drawn: fractions of it are what a board file and a camera speak of."""
    found = [_board(board) for board in (table.session.header or {}).get("boards", [])]
    return {board.name: layout_of(board).size for board in found}


@lru_cache(maxsize=48)
def _map(boards: str, kind: str, is_column: bool, spoken: str, title: str) -> Markup:
    found = [_board(board) for board in json.loads(boards)]
    return island_svg(found, {}, Look(kind, title, place_labels(found), is_column)) if found else Markup("")


def _board(board: Any) -> Board:
    return load_board(board) if isinstance(board, str) else parse_board(board)


__all__ = ["MAP", "PICTURE", "board_sizes", "table_map"]
