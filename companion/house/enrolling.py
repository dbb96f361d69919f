"""Enrolling a table's tags from a browser: which piece to lay down next, what came of it, and what is known already.

Nothing runs by itself: every question about the state looks at the readers once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from threading import RLock
from typing import NamedTuple, Protocol

from companion.devices.enrolment import Enrolment
from companion.devices.hub import Hub
from companion.devices.tags import Register
from companion.games.makabana.setup import make_setup
from companion.table.observations import CARD, TIKI, Event, FormatError, Json, Piece


class Readers(Protocol):
    """The readers of a table, real or virtual."""

    @property
    def register(self) -> Register: ...

    def learn(self, register: Register) -> None:
        """Goes by this register from now on, and keeps it. Raises `OSError`."""


class Doubt(NamedTuple):
    """A tag that is known as another piece's: is it this one's now?"""

    uid: str
    piece: Piece
    holder: Piece


def tagged_pieces(header: Mapping[str, Json]) -> Iterator[Piece]:
    """Every piece of a game that can carry a tag: each colour's tiki, each seat's cards. Raises `FormatError`."""
    setup = make_setup(header)
    yield from (Piece(TIKI, colour) for colour in dict.fromkeys(setup.colours))
    # In team play one card shows two beaches of the same letter; its tag goes by the first.
    beaches = {beach[0]: beach for beach in sorted(setup.beach_sites, reverse=True)}
    for seat in setup.seats:
        for card, count in setup.full_hand.items():
            if card not in setup.beach_sites or beaches[card[0]] == card:
                yield from (Piece(CARD, seat, card, copy) for copy in range(1, count + 1))


class Enrolling:
    """The enrolment of one table, from its first piece to its last. Thread-safe."""

    def __init__(self, readers: Readers, hub: Hub, pieces: list[Piece], is_again: bool) -> None:
        wanted = pieces if is_again else list(readers.register.missing(pieces))
        self._readers, self._hub, self.pieces = readers, hub, tuple(pieces)
        self._enrolment = Enrolment(wanted, readers.register)
        # What lies on readers when it begins, such as tikis at home in their rail, is no answer until it was lifted.
        self._resting = self._lying() or frozenset()
        self._lock = RLock()
        self.said = self._enrolment.prompt
        self.doubt: Doubt | None = None
        self.taken: Piece | None = None  # the piece that was enrolled last

    @property
    def piece(self) -> Piece | None:
        """The piece that is asked for."""
        return self._enrolment.piece

    @property
    def is_over(self) -> bool:
        return self._enrolment.is_over

    def look(self) -> None:
        """Looks at the readers and takes in what lies there. Raises `OSError` if a tag can't be kept."""
        with self._lock:
            lying = self._lying()
            if lying is None:
                self.said = Event("enrol_no_reader")
                return
            self._resting &= lying
            self._see(lying - self._resting)

    def skip(self) -> None:
        with self._lock:
            self.doubt, self.said = None, self._enrolment.skip()

    def back(self) -> None:
        with self._lock:
            self.doubt, self.said = None, self._enrolment.back()

    def answer(self, is_yes: bool) -> None:
        """Whether the tag in doubt is the asked piece's now. Raises `OSError`."""
        with self._lock:
            if self.doubt is not None and is_yes:
                self._enrolment.register = self._enrolment.register.without(self.doubt.holder)
                self._see(frozenset({self.doubt.uid}))
            elif self.doubt is not None:
                self._resting |= {self.doubt.uid}  # until it is lifted
                self.doubt, self.said = None, self._enrolment.prompt

    def forget(self, text: str) -> None:
        """Frees the tag of a piece. Raises `FormatError` for a piece that has none, and `OSError`."""
        with self._lock:
            piece = Piece.from_text(text)
            if self._enrolment.register.uid_of(piece) is None:
                raise FormatError(Event("piece_without_tag", {"piece": piece.text}))
            self._keep(self._enrolment.register.without(piece))

    def _lying(self) -> frozenset[str] | None:
        seen = [self._hub.tags_on(sensor) for sensor in self._hub.table.places]
        if all(tags is None for tags in seen):
            return None
        return frozenset(tag.uid for tags in seen for tag in tags or ())

    def _see(self, uids: frozenset[str]) -> None:
        piece, before = self._enrolment.piece, self._enrolment.register
        self.said = self._enrolment.see(uids)
        self.doubt = None
        if self.said.code == "tag_taken" and piece is not None:
            uid = next(iter(uids))
            self.doubt = Doubt(uid, piece, before[uid])
        elif self.said.code == "enrol_taken":
            self.taken = piece
        if self._enrolment.register is not self._readers.register:
            self._keep(self._enrolment.register)

    def _keep(self, register: Register) -> None:
        self._enrolment.register = register
        self._readers.learn(register)
