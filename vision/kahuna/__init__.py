"""Kahuna before the camera: its board and cards to print, reading pictures of it, and made-up pictures of a table.

What this package offers is `vision.surfaces.Maker`. Importing it is cheap: OpenCV and ReportLab come with the first
use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from vision.kahuna.layout import SURFACE, kahuna_sheet, line_angle

if TYPE_CHECKING:
    from vision.locate.pose import Camera, Picture
    from vision.surfaces import Lying, SurfaceReading

SURFACES = (SURFACE,)


def size_mm(surface: str) -> tuple[float, float]:
    return kahuna_sheet().size_mm


def places_mm(surface: str) -> Mapping[str, tuple[float, float]]:
    """The middle of every line, `ALOA-BARI`, and of every island, `ALOA`."""
    return kahuna_sheet().places_mm


def angle_of(surface: str, place: str) -> float:
    """A bridge lies along its line; a stone has no direction."""
    return line_angle(place) if place in kahuna_sheet().lines_mm else 0.0


def print_sheets(folder: str | Path, paper: str, tell: Callable[[str], None]) -> list[Path]:
    """Writes the board, its picture, where everything lies, and the cards. Raises `SheetError`."""
    from vision.kahuna import prints

    return prints.print_sheets(folder, paper, tell)


def read(picture: Picture, surface: str, camera: Camera | None = None) -> SurfaceReading:
    """What lies on every line and island. Raises a `VisionError` where the board is not to be found."""
    from vision.kahuna import reading

    return reading.read(picture, camera)


def annotated(picture: Picture, reading: SurfaceReading) -> Picture:
    """The picture with what was read drawn onto it."""
    from vision.kahuna import drawing

    return drawing.annotated(picture, reading)


def render(surface: str, pieces: Sequence[Lying], number: int) -> Picture:
    """A friendly picture (960 x 720) of the board with these pieces, for the virtual table."""
    from vision.kahuna.scenes import render_table

    return render_table(pieces, number).image
