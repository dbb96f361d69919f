"""Māori on camera: the display with its ship, and every player's own board (see `vision.surfaces.Maker`).

A `Lying` tile names its word as its colour, `E14@90`; its `angle_deg` is by how much it lies askew beyond that turn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from vision.locate.pose import Picture
from vision.maori.draw import annotated
from vision.maori.reading import read
from vision.maori.surfaces import SURFACES, berth_angle, is_berth, places_of, sheet_of
from vision.surfaces import Lying

__all__ = ["SURFACES", "angle_of", "annotated", "places_mm", "print_sheets", "read", "render", "size_mm"]


def size_mm(surface: str) -> tuple[float, float]:
    return sheet_of(surface).size_mm


def places_mm(surface: str) -> Mapping[str, tuple[float, float]]:
    """The middle of every place, by the name the game gives it."""
    return places_of(surface)


def angle_of(surface: str, place: str) -> float:
    """The ship's bow points on around the display; tiles lie straight."""
    return berth_angle(place) if is_berth(place) else 0.0


def print_sheets(folder: str | Path, paper: str, tell: Callable[[str], None]) -> list[Path]:
    """Writes the PDFs and maori.json, and of each sheet NAME.png and NAME.json. All pages are A4, on either paper."""
    from vision.maori.sheets import print_all

    return print_all(folder, paper, tell)


def render(surface: str, pieces: Sequence[Lying], number: int) -> Picture:
    """A friendly picture (960 x 720) of the sheet with these pieces, for the virtual table."""
    from vision.maori.scenes import friendly_picture

    return friendly_picture(surface, pieces, number)
