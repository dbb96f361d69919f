"""A virtual board: pieces that a browser drags about as hands would, kept for one table.

Nothing here knows the game or the rules: a piece may be put anywhere, as on a real board. A camera looks at it, either
through rendered pictures and the real reader (`camera.Camera`) or, by explicit choice, directly (`direct.py`).
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from math import cos, hypot, radians, sin
from typing import NamedTuple

from companion.games.makabana.board import BOARD_NAMES, load_board
from companion.games.protocol import Event, Expected, FormatError, Json, Pieces, content_of
from companion.house.rendering import Laid, Layout

MOST_PIECES = 150  # ten people's huts, tikis and clubs, and some to spare
REACH_MM = 9.5  # half of what lies between two sites: nearer than this, a piece is on the place
_BESIDE = 0.25  # how far beside the island a piece may lie, as a share of its size
_KINDS = ("hut", "club", "tiki")  # in the order in which a place's pieces are named
_SIZES_MM = {"hut": 14.0, "club": 20.0, "tiki": 10.0}
_COLOURS = ("violet", "pink", "yellow", "blue", "green", "orange", "red", "black")
_TURN_DEG = 137.5  # from piece to piece: nobody sets pieces down at the same angle twice
_OFF_MM = 1.2  # how far beside its place a careful hand puts a piece


class VirtualPiece(NamedTuple):
    """A piece on a board. `x` and `y` are fractions of the island's picture, as in a board file; the angle is in
    degrees clockwise. `place` is where it was put by name, empty if it was dropped freely."""

    id: int
    kind: str
    colour: str
    board: str
    x: float
    y: float
    angle: float
    place: str = ""


class _Sheet(NamedTuple):
    """What is known of a printed board: its artwork (left, top, width, height) and its places, in mm."""

    art: tuple[float, float, float, float]
    places: Mapping[str, tuple[float, float]]


@cache
def _sheet(board: str) -> _Sheet:
    from vision.sheets.geometry import sheet_geometry

    sheet = sheet_geometry(load_board(board))
    clubs = {f"club:{beach}": at for beach, at in sheet.clubs_mm.items()}
    art = sheet.art_mm
    return _Sheet((art.left, art.top, art.width, art.height), {**sheet.sites_mm, **clubs})


def boards_of(header: Mapping[str, Json] | None) -> tuple[str, ...]:
    """The boards of a game that can be printed, and so be seen by a camera."""
    named = (header or {}).get("boards", [])
    return tuple(board for board in named if isinstance(board, str) and board in BOARD_NAMES)


class VirtualBoard:
    """The boards of one table with their pieces. Thread-safe; `version` counts the changes."""

    def __init__(self, boards: Sequence[str]) -> None:
        self.boards = tuple(boards)
        self.version = 0
        self._lock = threading.RLock()
        self._pieces: dict[int, VirtualPiece] = {}
        self._last_id = 0

    # --- What hands do ---

    def put(self, kind: str, colour: str, place: str, angle: float | None = None) -> VirtualPiece:
        """A new piece on a named place. Raises `FormatError`."""
        board = self._board_of(place)
        x, y = self._fractions(board, place)
        return self._add(VirtualPiece(0, kind, colour, board, x, y, angle if angle is not None else -1.0, place))

    def drop(self, kind: str, colour: str, board: str, at: tuple[float, float], angle: float = 0.0) -> VirtualPiece:
        """A new piece anywhere on or beside a board. Raises `FormatError`."""
        return self._add(VirtualPiece(0, kind, colour, board, *at, angle))

    def move(self, piece_id: int, place: str = "", at: tuple[float, float] | None = None, angle: float = 0.0) -> None:
        """Moves a piece to a place, or anywhere on its board. Raises `FormatError`."""
        with self._lock:
            old = self._piece(piece_id)
            if place:
                board = self._board_of(place)
                x, y = self._fractions(board, place)
                moved = old._replace(board=board, x=x, y=y, place=place, angle=angle)
            else:
                x, y = at if at is not None else (old.x, old.y)
                moved = old._replace(x=x, y=y, place="", angle=angle)
            self._pieces[piece_id] = _checked(moved, self.boards)
            self.version += 1

    def take(self, piece_id: int) -> None:
        """Takes a piece off the board. Raises `FormatError`."""
        with self._lock:
            del self._pieces[self._piece(piece_id).id]
            self.version += 1

    def take_from(self, kind: str, colour: str, place: str) -> bool:
        """Takes such a piece off a place; says whether there was one."""
        with self._lock:
            found = [one for one in self.on(place) if (one.kind, one.colour) == (kind, colour)]
            if found:
                self.take(found[0].id)
            return bool(found)

    def clear(self) -> None:
        with self._lock:
            self._pieces.clear()
            self.version += 1

    def drag(self, data: Json) -> None:
        """What a browser asks for: `{"piece": 3, "place": "club:Azzura"}`, `{"piece": 3, "gone": true}`, or for a piece
        out of the box `{"kind": ..., "colour": ..., "board": ..., "x": ..., "y": ..., "angle": ...}`. A piece may
        always go to a `place` or to `x` and `y`. Raises `FormatError`."""
        if not isinstance(data, dict):
            raise FormatError(Event("drag_unreadable"))
        piece, place = data.get("piece"), data.get("place", "")
        if not isinstance(place, str):
            raise FormatError(Event("drag_unreadable"))
        angle = _number(data, "angle", 0.0)
        at = None if place or data.get("gone") is True else (_number(data, "x"), _number(data, "y"))
        if piece is None and at is None:
            self.put(_word(data, "kind"), _word(data, "colour"), place, angle)
        elif piece is None:
            self.drop(_word(data, "kind"), _word(data, "colour"), _word(data, "board"), at or (0.0, 0.0), angle)
        elif isinstance(piece, bool) or not isinstance(piece, int):
            raise FormatError(Event("drag_unreadable"))
        elif data.get("gone") is True:
            self.take(piece)
        else:
            self.move(piece, place, at, angle)

    def follow(self, moves: Iterable[Mapping[str, Json]]) -> None:
        """Helping hands: does what the table's `todo` asks for, takes first. What is done already stays as it is."""
        with self._lock:
            for move in sorted(moves, key=lambda move: bool(move["put"])):
                kind, colour, place = str(move["piece"]), str(move["colour"]), str(move["place"])
                if not move["put"]:
                    self.take_from(kind, colour, place)
                elif (kind, colour) not in {(one.kind, one.colour) for one in self.on(place)}:
                    self.put(kind, colour, place)

    def help_with(self, colours: Collection[str], expected: Expected) -> None:
        """Helping hands for whoever has none: every piece of these colours where the game expects it, and nothing
        else beside those that were put down for it."""
        with self._lock:
            for piece in self.pieces():
                place = place_near(piece)
                if piece.colour in colours and (piece.kind, piece.colour) not in expected.get(place or "", ()):
                    self.take(piece.id)
            for place, pieces in expected.items():
                self._make_so(place, pieces, colours)

    def _make_so(self, place: str, pieces: Pieces, colours: Collection[str]) -> None:
        there = {(one.kind, one.colour): one for one in self.on(place)}
        missing = [piece for piece in pieces if piece not in there and piece[1] in colours]
        if missing:
            for known, one in there.items():  # a hut that is painted over goes back to its owner
                if known not in pieces:
                    self.take(one.id)
        for kind, colour in missing:
            self.put(kind, colour, place)

    # --- What stands there ---

    def pieces(self) -> list[VirtualPiece]:
        with self._lock:
            return list(self._pieces.values())

    def on(self, place: str) -> list[VirtualPiece]:
        """The pieces on or near enough to a place, the base before the tiki."""
        found = [piece for piece in self.pieces() if place_near(piece) == place]
        return sorted(found, key=lambda piece: (_KINDS.index(piece.kind), piece.id))

    def contents(self) -> dict[str, str]:
        """What lies on every place."""
        with self._lock:
            return {
                place: content_of(tuple((piece.kind, piece.colour) for piece in self.on(place)))
                for board in self.boards for place in _sheet(board).places
            }  # fmt: skip

    def layout(self, board: str) -> Layout:
        """The board as a camera finds it: where pieces share a place, they stand side by side."""
        with self._lock:
            here = [piece for piece in self.pieces() if piece.board == board]
            return Layout(self.version, tuple(_laid(piece, here) for piece in here))

    def to_json(self) -> dict[str, Json]:
        """The pieces for a browser."""
        with self._lock:
            return {"version": self.version, "pieces": [piece._asdict() for piece in self._pieces.values()]}

    # --- Inside ---

    def _add(self, piece: VirtualPiece) -> VirtualPiece:
        with self._lock:
            if len(self._pieces) >= MOST_PIECES:
                raise FormatError(Event("too_many_pieces", {"most": MOST_PIECES}))
            self._last_id += 1
            angle = piece.angle if piece.angle >= 0 else self._last_id * _TURN_DEG % 360
            made = _checked(piece._replace(id=self._last_id, angle=angle), self.boards)
            self._pieces[made.id] = made
            self.version += 1
            return made

    def _piece(self, piece_id: int) -> VirtualPiece:
        if piece_id not in self._pieces:
            raise FormatError(Event("virtual_piece_gone", {"piece": piece_id}))
        return self._pieces[piece_id]

    def _board_of(self, place: str) -> str:
        for board in self.boards:
            if place in _sheet(board).places:
                return board
        raise FormatError(Event("place_not_here", {"place": place[:60], "boards": list(self.boards)}))

    @staticmethod
    def _fractions(board: str, place: str) -> tuple[float, float]:
        (left, top, width, height), (x, y) = _sheet(board).art, _sheet(board).places[place]
        return (x - left) / width, (y - top) / height


def place_near(piece: VirtualPiece) -> str | None:
    """The place that a piece is on: the one it was put on, else the nearest within reach."""
    if piece.place:
        return piece.place
    x, y = _mm(piece)
    places = _sheet(piece.board).places
    nearest = min(places, key=lambda name: hypot(places[name][0] - x, places[name][1] - y))
    return nearest if hypot(places[nearest][0] - x, places[nearest][1] - y) <= REACH_MM else None


def _checked(piece: VirtualPiece, boards: Sequence[str]) -> VirtualPiece:
    """The piece, its angle within a turn. Raises `FormatError` for what no board has."""
    if piece.kind not in _KINDS or piece.colour not in _COLOURS or piece.board not in boards:
        data = {"kind": piece.kind[:20], "colour": piece.colour[:20], "board": piece.board[:40]}
        raise FormatError(Event("virtual_piece_unknown", data))
    low, high = -_BESIDE, 1 + _BESIDE
    if not (low <= piece.x <= high and low <= piece.y <= high and abs(piece.angle) <= 3600):
        raise FormatError(Event("drag_out_of_range"))
    return piece._replace(angle=piece.angle % 360)


def _mm(piece: VirtualPiece) -> tuple[float, float]:
    left, top, width, height = _sheet(piece.board).art
    return left + piece.x * width, top + piece.y * height


def _laid(piece: VirtualPiece, here: Sequence[VirtualPiece]) -> Laid:
    x, y = _mm(piece)
    if piece.place:
        dx, dy = _offset(piece, here)
        x, y = x + dx, y + dy
    return Laid(piece.kind, piece.colour, x, y, piece.angle)


def _offset(piece: VirtualPiece, here: Sequence[VirtualPiece]) -> tuple[float, float]:
    """How far from the middle of its place a piece stands: a hair's breadth, or beside the one it shares it with."""
    others = [one for one in here if one.place == piece.place and one.id != piece.id]
    if not others:
        turn = radians(piece.id * _TURN_DEG * 2)
        return _OFF_MM * cos(turn), _OFF_MM * sin(turn)
    mates = sorted([piece, *others], key=lambda one: (_KINDS.index(one.kind), one.id))
    apart = sum(_SIZES_MM[one.kind] for one in mates[:2]) / 2 + 1.0
    way = radians(_free_way(piece, here))
    step = apart * (mates.index(piece) - 0.45)
    return step * cos(way), step * sin(way)


def _free_way(piece: VirtualPiece, here: Sequence[VirtualPiece]) -> float:
    """The direction in which a second piece of this place has most room, in degrees."""
    x, y = _mm(piece)
    others = [_mm(one) for one in here if one.place != piece.place]

    def room(way: float) -> float:
        tip = x + 8 * cos(radians(way)), y + 8 * sin(radians(way))
        return min((hypot(tip[0] - a, tip[1] - b) for a, b in others), default=0.0)

    return max(range(0, 360, 45), key=room)


def _number(data: Mapping[str, Json], key: str, default: float | None = None) -> float:
    value = data.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e6:
        raise FormatError(Event("drag_unreadable"))
    return float(value)


def _word(data: Mapping[str, Json], key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str):
        raise FormatError(Event("drag_unreadable"))
    return value
