"""The map of a table's play area, as its game has it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from companion.games.protocol import Game
from companion.table.table import Table
from web.drawing import MAP, PICTURE, Look
from web.language import language
from web.shows import show_of
from web.words import Words


def table_map(table: Table, kind: str = MAP, is_column: bool = True, seat: str | None = None) -> Markup:
    """The table's boards without pieces, as a seat looks at them; nothing for a game that we can't draw."""
    game, header = table.session.game, table.session.header
    if game is None or not header:
        return Markup("")
    places = tuple(game.places(table.session.state))
    return _map(game.name, json.dumps(header), places, kind, is_column, seat, language())


def lesson_map(game: Game[Any], state: Any, seat: str) -> Markup:
    """The map of a game that is not played at any table."""
    return _map(game.name, json.dumps(game.header(state)), tuple(game.places(state)), MAP, True, seat, language())


def board_sizes(table: Table) -> Mapping[str, tuple[float, float]]:
    """How large each board is drawn: fractions of it are what a board file and a camera speak of."""
    game = table.session.game
    return show_of(game.name).sizes(table.session.header or {}) if game else {}


@lru_cache(maxsize=64)
def _map(
    game: str, header: str, places: tuple[str, ...], kind: str, is_column: bool, seat: str | None, spoken: str
) -> Markup:
    words, show = Words(spoken, game), show_of(game)
    labels = {place: words.label(place) for place in places}
    return show.draw(json.loads(header), Look(kind, words.gettext(show.title), labels, is_column, seat))


__all__ = ["MAP", "PICTURE", "board_sizes", "lesson_map", "table_map"]
