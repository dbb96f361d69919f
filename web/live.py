"""What the pages of a table ask of the evening that runs it, as types; `companion/house/desk.py` brings it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from companion.games.protocol import Event, Expected, Json, Refusal
from companion.table.table import Table
from web.services import PhotoBoard


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

    def to_json(self, sees: Callable[[Expected], Expected] | None = None) -> dict[str, Json]:
        """Its pieces; `sees` takes what lies on places to what somebody may see of it."""

    def drag(self, data: Json) -> None:
        """What a browser asks for. Raises `FormatError`."""


class CameraGuide(Protocol):
    """Setting up the cameras of a table, live."""

    def state(self, table_id: str, language: str) -> dict[str, Json]:
        """What the newest look at a board found, in words; see `CameraState` of `openapi.yaml`."""

    def look(self, table_id: str, board: str) -> bool:
        """Begins to look at a board; says whether there is a picture of it."""

    def keep(self, table_id: str, number: int) -> Event | None:
        """Goes by what that look found from now on; gives what is wrong with that."""

    def picture(self, table_id: str) -> bytes | None:
        """The JPEG that was looked at last, with what was read drawn onto it."""


class TagGuide(Protocol):
    """Enrolling the tags of a table, live."""

    def state(self, table_id: str, language: str) -> dict[str, Json]:
        """What lies on the readers, what is asked for and what is known; see `TagState` of `openapi.yaml`."""

    def do(self, table_id: str, what: str, args: list[str]) -> Event | None:
        """One press of a button; gives what is wrong with it."""


class Live(Protocol):
    """The running side of all tables. Everything here returns at once."""

    @property
    def cameras(self) -> CameraGuide: ...

    @property
    def tags(self) -> TagGuide: ...

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

    def can_render(self) -> bool:
        """Whether this machine has the memory that a rendered camera takes."""

    def start_virtual(self, table_id: str, is_rendered: bool) -> Virtual | None:
        """Gives the table a virtual board and a camera over it, rendered or direct. None where nothing can be shown."""

    def cover(self, table_id: str, seconds: float) -> None:
        """A hand over the virtual board, for so long."""

    def begin_from(self, table: Table, board: PhotoBoard, is_over: bool) -> Refusal | None:
        """A new game in the place of the old one that goes on from this board, or is over with it. Says why not."""

    def parts(self, table_id: str) -> Sequence[str]:
        """The parts of a table that can be started anew."""

    def restart(self, table_id: str, part: str) -> bool:
        """Starts a part anew; says whether there is such a part."""

    def say(self, event: Event, language: str) -> str:
        """Any sensor's reason as a sentence."""
