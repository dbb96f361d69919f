"""Every sheet a camera can read, of whatever game, by its name; and what a reading of one says.

A game's package in `vision/` (see `Maker`) knows how its sheets are printed, read and rendered. Maka Bana's islands are
the four boards of `vision.read`; the other games answer here in one common form: odds over contents, place by place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from vision.errors import sentence

if TYPE_CHECKING:
    from vision.locate.find import Located
    from vision.locate.pose import Camera, Picture

DOUBTFUL = 0.9  # a place read with less confidence is a doubt
Note = tuple[str, Mapping[str, Any]]


class PlaceSeen(NamedTuple):
    """What a place shows: contents as `companion.games.protocol.content_of` spells them, with their odds."""

    odds: Mapping[str, float]
    is_covered: bool = False

    @property
    def content(self) -> str:
        return max(self.odds, key=lambda content: self.odds[content])

    @property
    def confidence(self) -> float:
        return 0.0 if self.is_covered else self.odds[self.content]


class SurfaceReading(NamedTuple):
    """Everything one picture says about a sheet."""

    surface: str
    places: Mapping[str, PlaceSeen]
    quality: Mapping[str, float]
    notes: tuple[Note, ...]
    located: Located

    @property
    def doubts(self) -> list[Note]:
        """What to say besides the contents: remarks on the picture, then every place in doubt with its candidates."""
        unsure = [(place, seen) for place, seen in self.places.items() if seen.confidence < DOUBTFUL]
        return [*self.notes, *(_doubt(place, seen) for place, seen in unsure)]

    def to_json(self, language: str = "en") -> dict[str, Any]:
        """The reading in the form of `makabana read --json`."""
        return {
            "found": True,
            "places": {
                place: {"content": seen.content, "confidence": round(seen.confidence, 4)}
                for place, seen in self.places.items()
            },
            "doubts": [sentence(code, data, language) for code, data in self.doubts],
            "doubt_codes": [{"code": code, **data} for code, data in self.doubts],
            "quality": dict(self.quality),
        }


def _doubt(place: str, seen: PlaceSeen) -> Note:
    if seen.is_covered:
        return "site_covered", {"site": place}
    first, second, *_ = [*sorted(seen.odds, key=lambda content: -seen.odds[content]), "?"]
    return "piece_unsure", {"site": place, "first": first, "second": second}


class PiecesSeen(NamedTuple):
    """A reading as a game takes it: what surely lies on each place that is not empty, in the form of
    `companion.games.protocol.Expected`; and of each place in doubt all that may be there, the likeliest first."""

    certain: Mapping[str, tuple[tuple[str, str], ...]]
    doubtful: Mapping[str, tuple[tuple[str, float], ...]]


def pieces_of(reading: SurfaceReading) -> PiecesSeen:
    """The pieces of a reading. Of a covered place nothing is known, so it is in doubt whatever its odds are."""
    certain, doubtful = {}, {}
    for place, seen in reading.places.items():
        if seen.confidence < DOUBTFUL:
            doubtful[place] = tuple(sorted(seen.odds.items(), key=lambda entry: -entry[1]))
        elif seen.content != "empty":
            parts = (part.partition(":") for part in seen.content.split("+"))
            certain[place] = tuple((piece, colour) for piece, _, colour in parts)
    return PiecesSeen(certain, doubtful)


class Lying(NamedTuple):
    """A piece on a sheet: millimetres from its top left corner, degrees clockwise."""

    kind: str
    colour: str
    x_mm: float
    y_mm: float
    angle_deg: float = 0.0


class Maker(Protocol):
    """What a game's package `vision/<game>/__init__.py` offers. A `surface` is one of its `SURFACES`."""

    SURFACES: Sequence[str]

    def size_mm(self, surface: str) -> tuple[float, float]: ...

    def places_mm(self, surface: str) -> Mapping[str, tuple[float, float]]:
        """The middle of every place, by the name the game gives it."""

    def angle_of(self, surface: str, place: str) -> float:
        """How a careful hand turns a piece on a place, in degrees clockwise."""

    def print_sheets(self, folder: str | Path, paper: str, tell: Callable[[str], None]) -> list[Path]:
        """Writes everything of the game that one prints."""

    def read(self, picture: Picture, surface: str, camera: Camera | None = None) -> SurfaceReading:
        """What lies on every place. Raises a `VisionError` where the sheet is not to be found."""

    def annotated(self, picture: Picture, reading: SurfaceReading) -> Picture:
        """The picture with what was read drawn onto it."""

    def render(self, surface: str, pieces: Sequence[Lying], number: int) -> Picture:
        """A friendly picture (960 x 720) of the sheet with these pieces, for the virtual table."""


# By game, the names of its surfaces are told by the package; this list only says which packages there are.
GAMES = ("kahuna", "makisan", "maori")


def maker_of(game: str) -> Maker:
    """The package of a game; loading it loads OpenCV."""
    return cast(Maker, import_module(f"vision.{game}"))


def game_of(surface: str) -> str | None:
    """The game that a surface belongs to: surfaces are named after it. None if there is no such surface."""
    game = surface.partition("-")[0]
    return game if game in GAMES and surface in maker_of(game).SURFACES else None
