"""The simulated table itself: where the pieces really are, hands over the board, and a clock that is moved by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from companion.games.protocol import EMPTY, content_of, parse_content

Piece = tuple[str, str]
_ORDER = {"club": 0, "hut": 1, "tiki": 2}


class HandClock:
    """Time that passes only when it is told to."""

    def __init__(self, at: float = 1000.0) -> None:
        self.at = at

    def now(self) -> float:
        return self.at


class World:
    """What is really there. `version` changes with every touch, `looks` count how often a place was uncovered."""

    def __init__(self, places: Iterable[str], neighbours: Mapping[str, tuple[str, ...]]) -> None:
        self.places = tuple(places)
        self.neighbours = neighbours
        self.pieces: dict[str, list[Piece]] = {place: [] for place in self.places}
        self.looks: Counter[str] = Counter()
        self.version = 0
        self._covers: dict[int, tuple[frozenset[str], float]] = {}
        self._cover_count = 0

    def content(self, place: str) -> str:
        pieces = sorted(self.pieces[place], key=lambda piece: _ORDER.get(piece[0], 9))
        return content_of(tuple(pieces))

    def put(self, piece: Piece, place: str) -> None:
        self.pieces[place].append(piece)
        self._touched(place)

    def take(self, piece: Piece, place: str) -> bool:
        """Takes a piece off a place, if it is there."""
        if piece not in self.pieces[place]:
            return False
        self.pieces[place].remove(piece)
        self._touched(place)
        return True

    def places_of(self, piece: Piece) -> list[str]:
        return [place for place, pieces in self.pieces.items() if piece in pieces]

    def _touched(self, place: str) -> None:
        self.looks[place] += 1
        self.version += 1

    def cover(self, place: str, until: float) -> None:
        """A hand over a place and those next to it."""
        self._cover_count += 1
        self._covers[self._cover_count] = (frozenset((place, *self.neighbours.get(place, ()))), until)
        self.version += 1

    def covered(self, now: float) -> frozenset[str]:
        for name, (places, until) in list(self._covers.items()):
            if until <= now:
                del self._covers[name]
                self.version += 1
                for place in places:
                    self.looks[place] += 1
        return frozenset().union(*(places for places, _ in self._covers.values()))

    def differences(self, expected: Mapping[str, str]) -> dict[str, tuple[str, str]]:
        """Where the board is not as expected: by place, what should lie there and what does."""
        return {
            place: (expected.get(place, EMPTY), self.content(place))
            for place in self.places
            if set(parse_content(expected.get(place, EMPTY))) != set(self.pieces[place])
        }
