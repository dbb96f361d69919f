"""What comes out of a game's box: which pieces there are, the ways each may lie, and what it is called then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Any

from companion.games.catalogue import game_named, game_of
from companion.games.makabana.rules import COLOURS
from companion.games.protocol import Expected, Game, Json, Piece, Pieces, content_of

_QUARTERS = ("@90", "@180", "@270")
_ON_TOP = ("tiki", "wasabi", "boat", "ship")  # stand on or against other pieces, and are named after them


class Box:
    """The pieces of one game. A piece may be turned: then its colour is another word for the same piece."""

    def __init__(self, game: Game[Any], header: Mapping[str, Json], pieces: frozenset[Piece]) -> None:
        self.game, self._header, self._pieces = game, dict(header), pieces
        self.written = lru_cache(maxsize=4096)(self._written)

    def has(self, piece: Piece) -> bool:
        """Whether such a piece is in the box, whichever way it lies."""
        return self.component_of(piece) in self._pieces

    def component_of(self, piece: Piece) -> Piece:
        return self.game.component_of(piece)

    def ways(self, piece: Piece) -> tuple[Piece, ...]:
        """The ways the piece may lie, as it is named in the box first."""
        found = self.component_of(piece)
        return tuple(dict.fromkeys(way for way in _turned(found) if self.component_of(way) == found))

    def turned(self, piece: Piece) -> Piece:
        """The piece turned once: round, or by a quarter; as it was if it has but one way to lie."""
        ways = self.ways(piece)
        return ways[(ways.index(piece) + 1) % len(ways)] if piece in ways else piece

    def _written(self, place: str, piece: Piece) -> Piece:
        """The piece as the game writes it on this place: ways that are alike to the rules have one name."""
        ways = self.ways(piece)
        if len(ways) == 1:
            return piece
        meant = self._position({place: (piece,)})
        return next((way for way in ways if self._position({place: (way,)}) == meant), piece)

    def _position(self, pieces: Expected) -> Json:
        return self.game.position_with(self._header, pieces)

    def content(self, place: str, pieces: Pieces) -> str:
        """What lies on a place, as the games spell it."""
        return content_of(tuple(self.written(place, piece) for piece in self.in_order(pieces)))

    @staticmethod
    def in_order(pieces: Pieces) -> Pieces:
        """The pieces of one place in the order in which they are named: what lies below comes first."""
        return tuple(sorted(pieces, key=lambda piece: piece[0] in _ON_TOP))


def _turned(piece: Piece) -> Iterator[Piece]:
    """Every word that may name the piece as it lies: as it is, turned round (`red-green`), turned by quarters."""
    kind, colour = piece
    yield piece
    yield kind, "-".join(reversed(colour.split("-")))
    yield from ((kind, f"{colour}{quarter}") for quarter in _QUARTERS)


def box_of(header: Mapping[str, Json]) -> Box:
    """The box of the game that a header is about. Raises `FormatError`."""
    game = game_of(dict(header))
    return Box(game, header, frozenset(game.components(game.start(header))))


@cache
def island_box() -> Box:
    """Everything that ever stands on an island, for whoever knows the island and not the game."""
    pieces = frozenset((kind, colour) for kind in ("hut", "club", "tiki") for colour in COLOURS)
    return Box(game_named("makabana"), {}, pieces)
