"""A virtual board: pieces that a browser drags about as hands would, kept for one table.

Nothing here knows the rules: a piece may be put anywhere, as on a real board. A camera looks at it, either through
rendered pictures and the real reader (`camera.Camera`) or, by explicit choice, directly (`camera.DirectCamera`).
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Mapping, Sequence

from companion.games.protocol import Event, Expected, FormatError, Json, Piece, Pieces
from companion.house.box import Box, box_of, island_box
from companion.house.drags import Drag, parse_drag
from companion.house.loose import TURN_DEG, Sees, VirtualPiece, lying_of, place_near, seen_by
from companion.house.rendering import Layout
from companion.house.surfaces import boards_of, surface_named

MOST_PIECES = 200  # ten people's huts, tikis and clubs, all tiles of a box, and some to spare
_BESIDE = 0.25  # how far beside the island a piece may lie, as a share of its size


class VirtualBoard:
    """The boards of one table with their pieces. Thread-safe; `version` counts the changes."""

    def __init__(self, boards: Sequence[str], box: Box | None = None) -> None:
        self.boards, self.box = tuple(boards), box or island_box()
        self.version = 0
        self._lock = threading.RLock()
        self._pieces: dict[int, VirtualPiece] = {}
        self._last_id = 0

    # --- What hands do ---

    def put(self, kind: str, colour: str, place: str, angle: float | None = None) -> VirtualPiece:
        """A new piece on a named place. Raises `FormatError`."""
        board = self._board_of(place)
        x, y = surface_named(board).fractions(place)
        return self._add(VirtualPiece(0, kind, colour, board, x, y, -1.0 if angle is None else angle, place))

    def drop(self, kind: str, colour: str, board: str, at: tuple[float, float], angle: float = 0.0) -> VirtualPiece:
        """A new piece anywhere on or beside a board. Raises `FormatError`."""
        return self._add(VirtualPiece(0, kind, colour, board, *at, angle))

    def move(self, piece_id: int, place: str = "", at: tuple[float, float] | None = None, angle: float = 0.0) -> None:
        """Moves a piece to a place, or anywhere on its board. Raises `FormatError`."""
        with self._lock:
            old = self._piece(piece_id)
            if place:
                board = self._board_of(place)
                x, y = surface_named(board).fractions(place)
                moved = old._replace(board=board, x=x, y=y, place=place, angle=angle)
            else:
                x, y = at if at is not None else (old.x, old.y)
                moved = old._replace(x=x, y=y, place="", angle=angle)
            self._change(moved)

    def turn(self, piece_id: int, colour: str = "") -> None:
        """Turns a piece where it lies: the next way round, or so that it is called like this. Raises `FormatError`."""
        with self._lock:
            old = self._piece(piece_id)
            wanted = (old.kind, colour) if colour else self.box.turned(old.piece)
            if wanted not in self.box.ways(old.piece):
                raise FormatError(_unknown(old._replace(colour=colour)))
            self._change(old._replace(colour=wanted[1]))

    def take(self, piece_id: int) -> None:
        """Takes a piece off the board. Raises `FormatError`."""
        with self._lock:
            del self._pieces[self._piece(piece_id).id]
            self.version += 1

    def take_from(self, kind: str, colour: str, place: str) -> bool:
        """Takes such a piece off a place; says whether there was one."""
        with self._lock:
            found = self._find(place, (kind, colour))
            if found is not None:
                self.take(found.id)
            return found is not None

    def clear(self) -> None:
        with self._lock:
            self._pieces.clear()
            self.version += 1

    def drag(self, data: Json) -> None:
        """What a browser asks for (see `drags.py`). Raises `FormatError`, and then nothing has changed."""
        asked = parse_drag(data)
        with self._lock:
            if asked.piece is None:
                self._bring(asked)
            elif asked.is_gone:
                self.take(asked.piece)
            elif asked.is_turn:
                self.turn(asked.piece, asked.colour)
            else:
                self.move(asked.piece, asked.place, asked.at, asked.angle)

    def _bring(self, asked: Drag) -> None:
        if asked.at is None:
            self.put(asked.kind, asked.colour, asked.place, asked.angle)
        else:
            self.drop(asked.kind, asked.colour, asked.board, asked.at, asked.angle)

    # --- Helping hands ---

    def follow(self, moves: Iterable[Mapping[str, Json]]) -> None:
        """Does what the table's `todo` asks for, takes first; a piece that goes elsewhere is moved there, not
        replaced. What is done already stays as it is."""
        with self._lock:
            lifted: list[VirtualPiece] = []
            for move in sorted(moves, key=lambda move: bool(move["put"])):
                piece, place = (str(move["piece"]), str(move["colour"])), str(move["place"])
                there = self._find(place, piece)
                if not move["put"]:
                    lifted += [there] if there is not None else []
                elif (there is None or there in lifted) and self._is_here(place):
                    self._set_down(piece, place, lifted)
            for left in lifted:
                self.take(left.id)

    def help_with(self, colours: Collection[str], expected: Expected) -> None:
        """Helping hands for whoever has none: every piece of these colours where the game expects it, and nothing
        else beside those that were put down for it."""
        with self._lock:
            for piece in self.pieces():
                if piece.colour in colours and not self._belongs(piece, expected):
                    self.take(piece.id)
            for place, pieces in expected.items():
                if self._is_here(place):
                    self._make_so(place, pieces, colours)

    def lay_out(self, expected: Expected) -> None:
        """Everything as the game has it, and nothing else."""
        with self._lock:
            lifted = [one for one in self.pieces() if not self._belongs(one, expected)]
            for place, pieces in expected.items():
                for piece in pieces:
                    if self._is_here(place) and self._find(place, piece) is None:
                        self._set_down(piece, place, lifted)
            for left in lifted:
                self.take(left.id)

    def _set_down(self, piece: Piece, place: str, lifted: list[VirtualPiece]) -> None:
        """Puts a piece on a place: one of those in hand if it is among them, else one out of the box."""
        component = self.box.component_of(piece)
        held = next((one for one in lifted if self.box.component_of(one.piece) == component), None)
        if held is None:
            self.put(*piece, place)
            return
        lifted.remove(held)
        self._change(held._replace(colour=piece[1]))
        self.move(held.id, place, angle=held.angle)

    def _make_so(self, place: str, pieces: Pieces, colours: Collection[str]) -> None:
        there = {one.piece: one for one in self.on(place)}
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
        """The pieces on or near enough to a place, those first that lie below."""
        found = [piece for piece in self.pieces() if place_near(piece) == place]
        order = self.box.in_order(tuple(piece.piece for piece in found))
        return sorted(found, key=lambda piece: (order.index(piece.piece), piece.id))

    def contents(self) -> dict[str, str]:
        """What lies on every place, as the game spells it."""
        with self._lock:
            lying: dict[str, list[Piece]] = {}
            for piece in self._pieces.values():
                lying.setdefault(place_near(piece) or "", []).append(piece.piece)
            places = [place for board in self.boards for place in surface_named(board).places]
            return {place: self.box.content(place, tuple(lying.get(place, ()))) for place in places}

    def layout(self, board: str) -> Layout:
        """The board as a camera finds it: where pieces share a place, they stand side by side or on each other."""
        with self._lock:
            here = [piece for piece in self.pieces() if piece.board == board]
            order = self.box.in_order(tuple(piece.piece for piece in here))
            here.sort(key=lambda piece: (order.index(piece.piece), piece.id))
            return Layout(self.version, tuple(lying_of(piece, here) for piece in here))

    def to_json(self, sees: Sees | None = None) -> dict[str, Json]:
        """The pieces for a browser; `sees` takes what lies on places to what somebody may see of it."""
        with self._lock:
            pieces = [piece if sees is None else seen_by(piece, sees) for piece in self._pieces.values()]
            return {"version": self.version, "pieces": [piece._asdict() for piece in pieces]}

    # --- Inside ---

    def _add(self, piece: VirtualPiece) -> VirtualPiece:
        with self._lock:
            if len(self._pieces) >= MOST_PIECES:
                raise FormatError(Event("too_many_pieces", {"most": MOST_PIECES}))
            angle = piece.angle if piece.angle >= 0 else (self._last_id + 1) * TURN_DEG % 360
            made = self._checked(piece._replace(id=self._last_id + 1, angle=angle))
            self._last_id += 1
            self._pieces[made.id] = made
            self.version += 1
            return made

    def _change(self, piece: VirtualPiece) -> None:
        self._pieces[piece.id] = self._checked(piece)
        self.version += 1

    def _checked(self, piece: VirtualPiece) -> VirtualPiece:
        """The piece, its angle within a turn. Raises `FormatError` for what no box and no board has."""
        is_known = self.box.has(piece.piece) and piece.piece in self.box.ways(piece.piece)
        if not is_known or piece.board not in self.boards:
            raise FormatError(_unknown(piece))
        low, high = -_BESIDE, 1 + _BESIDE
        if not (low <= piece.x <= high and low <= piece.y <= high and abs(piece.angle) <= 3600):
            raise FormatError(Event("drag_out_of_range"))
        return piece._replace(angle=piece.angle % 360)

    def _piece(self, piece_id: int) -> VirtualPiece:
        if piece_id not in self._pieces:
            raise FormatError(Event("virtual_piece_gone", {"piece": piece_id}))
        return self._pieces[piece_id]

    def _find(self, place: str, piece: Piece) -> VirtualPiece | None:
        """The piece on a place that lies so, or in a way that is the same to the rules."""
        return next((one for one in self.on(place) if piece in (one.piece, self._as_written(one))), None)

    def _as_written(self, piece: VirtualPiece) -> Piece:
        place = place_near(piece)
        return piece.piece if place is None else self.box.written(place, piece.piece)

    def _belongs(self, piece: VirtualPiece, expected: Expected) -> bool:
        return self._as_written(piece) in expected.get(place_near(piece) or "", ())

    def _is_here(self, place: str) -> bool:
        return any(place in surface_named(board).places for board in self.boards)

    def _board_of(self, place: str) -> str:
        for board in self.boards:
            if place in surface_named(board).places:
                return board
        raise FormatError(Event("place_not_here", {"place": place[:60], "boards": list(self.boards)}))


def virtual_board(header: Mapping[str, Json] | None) -> VirtualBoard | None:
    """A board for the game that a header is about, still empty; None for a game of which nothing can be printed."""
    boards = boards_of(header)
    return VirtualBoard(boards, box_of(header or {})) if boards else None


def _unknown(piece: VirtualPiece) -> Event:
    data = {"kind": piece.kind[:20], "colour": piece.colour[:20], "board": piece.board[:40]}
    return Event("virtual_piece_unknown", data)
