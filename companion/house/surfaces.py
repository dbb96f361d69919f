"""The printed sheets that a game is played on, whichever game it is: their size, their places, how pieces lie there.

Maka Bana's islands are told by its board files; the sheets of the other games by their packages in `vision/`. Which
sheets a game needs follows from its places: no list here says so.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations
from math import dist
from typing import NamedTuple

from companion.games.catalogue import game_of as game_of_header
from companion.games.makabana.board import BOARD_NAMES, load_board
from companion.games.protocol import FormatError, Json
from vision.surfaces import GAMES, game_of, maker_of

ISLAND_REACH_MM = 9.5  # half of what lies between two sites: nearer than this, a piece is on the place
MOST_REACH_MM = 18.0

Point = tuple[float, float]


class Surface(NamedTuple):
    """A sheet as hands and eyes know it, in mm from its top left corner.

    `art` (left, top, width, height) is what fractions are of: the island on its sheet, or the whole sheet. `angles` is
    how a careful hand turns a piece on each place; on a place without one, pieces are turned as they come.
    """

    name: str
    art: tuple[float, float, float, float]
    places: Mapping[str, Point]
    reach_mm: float
    angles: Mapping[str, float]

    def mm(self, x: float, y: float) -> Point:
        left, top, width, height = self.art
        return left + x * width, top + y * height

    def fractions(self, place: str) -> Point:
        (left, top, width, height), (x, y) = self.art, self.places[place]
        return (x - left) / width, (y - top) / height

    def nearest(self, x: float, y: float) -> str | None:
        """The place that a piece here is on: the nearest within reach. `x` and `y` are fractions."""
        at = self.mm(x, y)
        place = min(self.places, key=lambda name: dist(self.places[name], at))
        return place if dist(self.places[place], at) <= self.reach_mm else None


@cache
def surface_named(name: str) -> Surface:
    """Raises `KeyError` for a sheet that nobody prints."""
    if name in BOARD_NAMES:
        return _island(name)
    game = game_of(name)
    if game is None:
        raise KeyError(name)
    maker = maker_of(game)
    places = dict(maker.places_mm(name))
    angles = {place: maker.angle_of(name, place) for place in places}
    return Surface(name, (0.0, 0.0, *maker.size_mm(name)), places, _reach_mm(list(places.values())), angles)


def _island(board: str) -> Surface:
    from vision.sheets.geometry import sheet_geometry

    sheet = sheet_geometry(load_board(board))
    clubs = {f"club:{beach}": at for beach, at in sheet.clubs_mm.items()}
    art = (sheet.art_mm.left, sheet.art_mm.top, sheet.art_mm.width, sheet.art_mm.height)
    return Surface(board, art, {**sheet.sites_mm, **clubs}, ISLAND_REACH_MM, {})


def _reach_mm(points: Sequence[Point]) -> float:
    """Half of what lies between the nearest two places, and no more than a hand is off."""
    return min([MOST_REACH_MM, *(dist(*pair) / 2 for pair in combinations(points, 2))])


def boards_of(header: Mapping[str, Json] | None) -> tuple[str, ...]:
    """The sheets of a game that can be printed, and so be seen by a camera; none for a board of somebody's own."""
    named = (header or {}).get("boards", [])
    islands = tuple(board for board in named if isinstance(board, str) and board in BOARD_NAMES)
    if islands or (header or {}).get("game") not in GAMES:
        return islands
    return _sheets_of(json.dumps(header))


@lru_cache(maxsize=64)
def _sheets_of(header: str) -> tuple[str, ...]:
    """The sheets all of whose places are places of the game. A sheet that is part of another one is left out: of two
    sides of a board the one with all the game's places lies up."""
    data = json.loads(header)
    game = game_of_header(data)
    try:
        places = frozenset(game.places(game.start(data)))
    except FormatError:
        return ()
    maker = maker_of(game.name)
    on_sheet = {name: frozenset(maker.places_mm(name)) for name in maker.SURFACES}
    fitting = {name: own for name, own in on_sheet.items() if own <= places}
    return tuple(name for name, own in fitting.items() if not any(own < other for other in fitting.values()))


def surface_names() -> tuple[str, ...]:
    """Every sheet there is, of all games."""
    return (*BOARD_NAMES, *(name for game in GAMES for name in maker_of(game).SURFACES))


def is_surface(name: str) -> bool:
    return name in BOARD_NAMES or game_of(name) is not None
