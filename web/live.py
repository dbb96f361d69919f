"""What the pages of a table ask of the evening that runs it, as types; `companion/house/desk.py` brings it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from companion.games.protocol import Event, Json
from companion.table.table import Table


class GameChoice(NamedTuple):
    """A game one may begin: its rules, and for how many people each is."""

    name: str
    title: str
    rules: Mapping[str, Sequence[int]]


class Guest(NamedTuple):
    """A character that plays for the house."""

    id: str
    name: str
    level: int
    about: Event


class Virtual(Protocol):
    """A board that is moved about in a browser."""

    @property
    def version(self) -> int:
        """Counts its changes."""

    def to_json(self) -> dict[str, Json]:
        """Its pieces."""

    def drag(self, data: Json) -> None:
        """What a browser asks for. Raises `FormatError`."""


class Live(Protocol):
    """The running side of all tables. Everything here returns at once."""

    def games(self) -> Sequence[GameChoice]:
        """What can be played here."""

    def guests(self) -> Sequence[Guest]:
        """Who can fill an empty seat."""

    def header(self, game: str, rules: str, people: int) -> dict[str, Json]:
        """The ordinary header of a new game. Raises `FormatError`."""

    def warnings(self, table: Table, seat: str, words: Sequence[str]) -> Sequence[Event]:
        """Why an action can't succeed as the board stands, in the rules' own reasons; it may be done all the same."""

    def picture(self, table_id: str, is_inset: bool) -> bytes | None:
        """The newest camera picture as JPEG; the inset has what was read drawn onto it."""

    def is_looking(self, table_id: str) -> bool:
        """Whether the camera has not seen the board's last change yet."""

    def virtual(self, table_id: str) -> Virtual | None:
        """The table's virtual board, if it has one."""

    def start_virtual(self, table_id: str, is_rendered: bool) -> Virtual | None:
        """Gives the table a virtual board and a camera over it, rendered or direct. None where nothing can be shown."""

    def cover(self, table_id: str, seconds: float) -> None:
        """A hand over the virtual board, for so long."""

    def parts(self, table_id: str) -> Sequence[str]:
        """The parts of a table that can be started anew."""

    def restart(self, table_id: str, part: str) -> bool:
        """Starts a part anew; says whether there is such a part."""

    def say(self, event: Event, language: str) -> str:
        """Any sensor's reason as a sentence."""
