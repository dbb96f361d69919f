"""A sheet of a game that nobody plays, for tests of whatever treats all sheets alike: two places, red or empty."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from vision.errors import BoardNotFound
from vision.surfaces import Lying, PlaceSeen, SurfaceReading

SURFACES = ("toy-mat", "toy-cloth")
PLACES = {"left": (40.0, 60.0), "right": (120.0, 60.0)}
SIZE_MM = (160.0, 120.0)
_RED, _SHEET = (30, 30, 220), (235, 235, 235)
reads: list[str] = []  # every surface that was read


def size_mm(surface: str) -> tuple[float, float]:
    return SIZE_MM


def places_mm(surface: str) -> dict[str, tuple[float, float]]:
    return PLACES


def angle_of(surface: str, place: str) -> float:
    return 30.0


def print_sheets(folder: str, paper: str, tell: Callable[[str], None]) -> list[Path]:
    path = Path(folder) / f"toy-{paper}.pdf"
    path.write_bytes(b"%PDF")
    return [path]


def render(surface: str, pieces: Sequence[Lying], number: int) -> np.ndarray:
    picture = np.full((720, 960, 3), _SHEET, np.uint8)
    for piece in pieces:
        x, y = round(piece.x_mm * 6), round(piece.y_mm * 6)
        picture[y - 60 : y + 60, x - 60 : x + 60] = _RED
    return picture


def read(picture: np.ndarray, surface: str, camera: object = None) -> SurfaceReading:
    reads.append(surface)
    if tuple(picture[0, 0]) != _SHEET:
        raise BoardNotFound(board=surface)
    places = {name: _seen(picture[round(y * 6), round(x * 6)]) for name, (x, y) in PLACES.items()}
    return SurfaceReading(surface, places, {}, (), None)


def _seen(pixel: np.ndarray) -> PlaceSeen:
    if tuple(pixel) not in (_RED, _SHEET):
        return PlaceSeen({"disc:red": 0.5, "empty": 0.5}, is_covered=True)
    return PlaceSeen({"disc:red": 0.98, "empty": 0.02} if tuple(pixel) == _RED else {"empty": 0.99, "disc:red": 0.01})


def annotated(picture: np.ndarray, reading: SurfaceReading) -> np.ndarray:
    return picture.copy()


@contextmanager
def installed() -> Iterator[ModuleType]:
    """The game is one of those that `vision/` has packages for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "vision.toy", sys.modules[__name__])
        patch.setattr("vision.surfaces.GAMES", ("toy",))
        reads.clear()
        yield sys.modules[__name__]
