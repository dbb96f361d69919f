"""Maki-San for eyes: the mat to print, reading a line of makis from either side, and pictures of one.

Importing this package loads nothing but geometry; OpenCV and ReportLab come with the first picture.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from vision.makisan.layout import SHEET_MM, SURFACE
from vision.makisan.layout import places_mm as _places_mm

if TYPE_CHECKING:
    from vision.locate.pose import Camera, Picture
    from vision.surfaces import Lying, SurfaceReading

SURFACES = (SURFACE,)


def size_mm(surface: str) -> tuple[float, float]:
    return SHEET_MM


def places_mm(surface: str) -> Mapping[str, tuple[float, float]]:
    """The middle of every rest; a line may begin at any, but places are counted from where it begins."""
    return _places_mm()


def angle_of(surface: str, place: str) -> float:
    """Makis face the two players."""
    return 0.0


def print_sheets(folder: str | Path, paper: str, tell: Callable[[str], None]) -> list[Path]:
    """Writes makisan-A3.pdf or -A4.pdf, makisan.png and .json, and makisan-pieces.pdf: faces for one's own makis."""
    from vision.makisan.sheets import print_sheets as write_sheets

    return write_sheets(folder, paper, tell)


def read(picture: Picture, surface: str, camera: Camera | None = None) -> SurfaceReading:
    from vision.makisan.reading import read as read_mat

    return read_mat(picture, surface, camera)


def annotated(picture: Picture, reading: SurfaceReading) -> Picture:
    from vision.makisan.annotate import annotated as drawn_onto

    return drawn_onto(picture, reading)


def render(surface: str, pieces: Sequence[Lying], number: int) -> Picture:
    from vision.makisan.table import render as rendered

    return rendered(surface, pieces, number)
