"""Guided enrolment: asks for one piece after the other to be laid on any reader, and learns its tag. Pure.

It is told which tags lie on all readers together, and says what to do next as an event. A tag is taken only once it
lies alone and was not lying there before it was asked for: what was left behind from the last piece is no answer.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.devices.tags import Register
from companion.table.observations import Event, FormatError, Piece


class Enrolment:
    """`prompt` says what to do now. `is_over` once every piece was enrolled or skipped; `register` has the result."""

    def __init__(self, pieces: Sequence[Piece], register: Register) -> None:
        self.register = register
        self._pieces = tuple(pieces)
        self._index = 0
        self._lying: frozenset[str] = frozenset()
        self._stale: frozenset[str] = frozenset()  # lay there already when the piece was asked for

    @property
    def is_over(self) -> bool:
        return self._index == len(self._pieces)

    @property
    def piece(self) -> Piece | None:
        return None if self.is_over else self._pieces[self._index]

    @property
    def prompt(self) -> Event:
        if self.piece is None:
            return Event("enrol_done", {"count": len(self.register)})
        if self._lying & self._stale:
            return Event("enrol_clear", {"count": len(self._lying)})
        data = {"piece": self.piece.text, "number": self._index + 1, "total": len(self._pieces)}
        return Event(f"enrol_lay_{self.piece.kind}", {**data, "colour": self.piece.colour, "card": self.piece.card})

    def see(self, uids: frozenset[str]) -> Event:
        """All tags that lie on any reader now. Gives what came of it, or the prompt again."""
        self._lying = uids
        self._stale &= uids
        fresh = uids - self._stale
        if self.piece is None or not fresh:
            return self.prompt
        if len(uids) > 1:
            return Event("enrol_several", {"count": len(uids)})
        return self._take(next(iter(fresh)), self.piece)

    def skip(self) -> Event:
        """Leaves the piece as it is in the register."""
        self._go(self._index + 1)
        return self.prompt

    def back(self) -> Event:
        """Asks for the piece before once more."""
        self._go(self._index - 1)
        return self.prompt

    def _take(self, uid: str, piece: Piece) -> Event:
        try:
            self.register = self.register.with_tag(uid, piece)
        except FormatError as error:
            return error.problems[0]
        self._go(self._index + 1)
        return Event("enrol_taken", {"piece": piece.text})

    def _go(self, index: int) -> None:
        self._index = max(0, min(index, len(self._pieces)))
        self._stale = self._lying
