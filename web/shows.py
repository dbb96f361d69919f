"""The games that have a show of their own. The one table of games in this room."""

from __future__ import annotations

from collections.abc import Mapping

from web.games import kahuna, makabana, makisan, maori
from web.show import Show

SHOWS: Mapping[str, Show] = {
    "makabana": makabana.SHOW,
    "kahuna": kahuna.SHOW,
    "makisan": makisan.SHOW,
    "maori": maori.SHOW,
}
_PLAIN = Show()


def show_of(game: str) -> Show:
    """How a game is shown; one that nobody drew yet is still playable, by words."""
    return SHOWS.get(game, _PLAIN)
