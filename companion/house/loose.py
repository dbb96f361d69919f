"""A loose piece on a virtual board: which place it is on, what somebody sees of it, and how it lies for a camera."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import cos, hypot, radians, sin
from typing import NamedTuple

from companion.games.protocol import Expected, Piece
from companion.house.surfaces import Surface, surface_named
from vision.surfaces import Lying

TURN_DEG = 137.5  # from piece to piece: nobody sets pieces down at the same angle twice
_SIZES_MM = {"hut": 14.0, "club": 20.0, "tiki": 10.0}  # of what stands side by side
_OFF_MM = 1.2  # how far beside its place a careful hand puts a piece
_OFF_DEG = 2.0  # by how much it is turned off there

Sees = Callable[[Expected], Expected]


class VirtualPiece(NamedTuple):
    """A piece on a board. `x` and `y` are fractions of the island's picture as in a board file, or of the whole sheet
    of another game; the angle is in degrees clockwise. `place` is where it was put by name, empty if it was dropped
    freely. `colour` is the word for the piece as it lies, such as `green-red` or `E12@90`."""

    id: int
    kind: str
    colour: str
    board: str
    x: float
    y: float
    angle: float
    place: str = ""

    @property
    def piece(self) -> Piece:
        return self.kind, self.colour


def place_near(piece: VirtualPiece) -> str | None:
    """The place that a piece is on: the one it was put on, else the nearest within reach."""
    return piece.place or surface_named(piece.board).nearest(piece.x, piece.y)


def seen_by(piece: VirtualPiece, sees: Sees) -> VirtualPiece:
    """The piece as somebody sees it who may not know all of it, wherever it lies."""
    place = place_near(piece) or ""
    ((_, colour),) = sees({place: (piece.piece,)})[place]
    return piece._replace(colour=colour)


def lying_of(piece: VirtualPiece, here: Sequence[VirtualPiece]) -> Lying:
    surface = surface_named(piece.board)
    x, y = surface.mm(piece.x, piece.y)
    if not piece.place:
        return Lying(piece.kind, piece.colour, x, y, piece.angle)
    turn = radians(piece.id * TURN_DEG * 2)
    if piece.place in surface.angles:  # lies as the print asks for, on whatever lies there
        angle = (surface.angles[piece.place] + _OFF_DEG * sin(turn)) % 360
        return Lying(piece.kind, piece.colour, x + _OFF_MM * cos(turn), y + _OFF_MM * sin(turn), angle)
    dx, dy = _offset(piece, here, surface)
    return Lying(piece.kind, piece.colour, x + dx, y + dy, piece.angle)


def _offset(piece: VirtualPiece, here: Sequence[VirtualPiece], surface: Surface) -> tuple[float, float]:
    """How far from the middle of its place a piece stands: a hair's breadth, or beside the one it shares it with."""
    mates = [one for one in here if one.place == piece.place]
    if len(mates) == 1:
        turn = radians(piece.id * TURN_DEG * 2)
        return _OFF_MM * cos(turn), _OFF_MM * sin(turn)
    apart = sum(_SIZES_MM[one.kind] for one in mates[:2]) / 2 + 1.0
    way = radians(_free_way(piece, here, surface))
    step = apart * (mates.index(piece) - 0.45)
    return step * cos(way), step * sin(way)


def _free_way(piece: VirtualPiece, here: Sequence[VirtualPiece], surface: Surface) -> float:
    """The direction in which a second piece of this place has most room, in degrees."""
    x, y = surface.mm(piece.x, piece.y)
    others = [surface.mm(one.x, one.y) for one in here if one.place != piece.place]

    def room(way: float) -> float:
        tip = x + 8 * cos(radians(way)), y + 8 * sin(radians(way))
        return min((hypot(tip[0] - a, tip[1] - b) for a, b in others), default=0.0)

    return max(range(0, 360, 45), key=room)
