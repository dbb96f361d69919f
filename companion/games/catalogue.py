"""The games this table can play, by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any

from companion.games.kahuna.game import Kahuna
from companion.games.makabana.game import MakaBana
from companion.games.makisan.game import MakiSan
from companion.games.maori.game import Maori
from companion.games.protocol import Event, FormatError, Game, Json

_GAMES: Mapping[str, type[Game[Any]]] = {game.name: game for game in (MakaBana, Kahuna, MakiSan, Maori)}
GAME_NAMES = tuple(_GAMES)


@cache
def game_named(name: str) -> Game[Any]:
    """Raises `FormatError` for a game we do not have."""
    if name not in _GAMES:
        raise FormatError(Event("game_unknown", {"game": name, "allowed": list(GAME_NAMES)}))
    return _GAMES[name]()


def game_of(header: Json) -> Game[Any]:
    """The game a position or record header is about. Raises `FormatError`."""
    if not isinstance(header, dict):
        raise FormatError(Event("header_not_object"))
    name = header.get("game")
    return game_named(name if isinstance(name, str) else str(name))


@contextmanager
def errors_of(game: Game[Any]) -> Iterator[None]:
    """Notes on what is raised inside which game it speaks of, so that it is said in that game's words."""
    try:
        yield
    except FormatError as error:
        error.game = error.game or game.name
        raise
