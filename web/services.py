"""What the pages ask of the rest of the house, as types. `companion/house/` brings the real ones, tests their own.

A page never reaches past these: photographs are decoded, boards traced and games scored behind them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from companion.games.protocol import Json
from companion.table.entries import Answer, Command

Listener = Callable[[int], None]  # told the new version after every change


class Viewer(NamedTuple):
    """Whose eyes: the public screen, the staff, or one seat."""

    kind: str = "public"  # "public", "staff" or "seat"
    seat: str | None = None


class Source(Protocol):
    """Anything with versions that phones may follow: a table, or a photograph being read."""

    listeners: list[Listener]

    @property
    def version(self) -> int:
        """Grows with every change that a viewer may see."""


class TableDoor(Source, Protocol):
    """One table as the pages meet it."""

    def do(self, command: Command) -> Answer:
        """Carries a command out, or says why not. The same key gives the same answer."""

    def view(self, viewer: Viewer) -> dict[str, Json]:
        """All that the viewer may know."""


class House(Protocol):
    """The tables of one evening."""

    def table_by_code(self, code: str) -> str | None:
        """The id of the table that four letters open."""

    def table(self, table_id: str) -> TableDoor | None:
        """The table itself."""


class PhotoBoard(NamedTuple):
    """What photographs and people say stands on a table: the game it belongs to, and every place that is not empty."""

    header: Mapping[str, Json]
    contents: Mapping[str, str]
    doubts: Sequence[str]  # places that nobody has settled yet


class PhotoJob(Source, Protocol):
    """One photograph from upload to explained score. Its snapshot is described in `openapi.yaml`."""

    def do(self, command: Command) -> Answer:
        """Corrects a place (`put`), names the players (`players`) or the rules (`rules`)."""

    def snapshot(self, language: str) -> dict[str, Json]:
        """Where it stands, with every sentence in this language."""

    def board(self) -> PhotoBoard | None:
        """The board as it is known now; None while there is none."""


class PhotoDesk(Protocol):
    """Reads photographs, in a process of its own."""

    def start(self, photo: bytes, boards: Sequence[str], into: str | None = None) -> str | None:
        """Begins to read and returns the job's unguessable name; None when too many wait already.

        `boards` are names of boards, or empty to find out from the picture. `into` names a job that gets one more
        board; None is returned if there is no such job.
        """

    def job(self, name: str) -> PhotoJob | None:
        """The job of that name, unless it was never there or has been forgotten."""


class Tracer(Protocol):
    """Turns clicks on a photograph of somebody's own board into a board file."""

    def board_file(self, clicks: Json, language: str) -> Traced:
        """The board, or everything that is wrong with it in words."""


class Traced(NamedTuple):
    board: Mapping[str, Json] | None
    problems: tuple[str, ...] = ()


class Services(NamedTuple):
    photos: PhotoDesk
    tracer: Tracer
    samples: Mapping[str, bytes] = {}  # pictures to try photo scoring with, by board
