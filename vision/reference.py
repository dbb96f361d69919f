"""What a board looks like when nothing stands on it, and where its places and markers are."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, cast

import cv2
import numpy as np

from companion.games.makabana.board import BOARD_NAMES, load_board
from vision.locate.pose import Floats, Picture
from vision.sheets.geometry import DICTIONARY, Point, Sheet, sheet_geometry

PX_PER_MM = 3.0
_JPEG_QUALITY = 92
COLOURS = {
    "2013": ("violet", "pink", "yellow", "blue", "green", "orange"),
    "2003": ("yellow", "blue", "green", "red", "black"),
}


class Reference(NamedTuple):
    """An empty board. Points are in mm from the top left corner of `picture`, which is BGR at `px_per_mm`."""

    name: str
    edition: str
    picture: Picture
    px_per_mm: float
    sites_mm: Mapping[str, Point]
    clubs_mm: Mapping[str, Point]
    markers_mm: Mapping[int, Floats]  # id -> (4, 2) corners
    dictionary: str = DICTIONARY  # of its markers, by OpenCV's name
    others_mm: Mapping[str, Mapping[int, Floats]] = MappingProxyType({})  # markers of the game's other sheets, by name

    @property
    def size_mm(self) -> Point:
        height, width = self.picture.shape[:2]
        return width / self.px_per_mm, height / self.px_per_mm

    @property
    def places_mm(self) -> Floats:
        """(N, 2): the sites in their order, then the club places."""
        return np.array([*self.sites_mm.values(), *self.clubs_mm.values()], np.float64).reshape(-1, 2)

    @property
    def colours(self) -> tuple[str, ...]:
        return COLOURS[self.edition]


@cache
def printed_reference(name: str) -> Reference:
    """One of the boards the companion prints, with the small picture of it that comes with this package."""
    content = resources.files(__package__).joinpath("references", f"{name}.jpg").read_bytes()
    picture = cast(Picture, cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR))
    return reference_of(sheet_geometry(load_board(name)), picture)


def reference_of(sheet: Sheet, picture: Picture) -> Reference:
    """A sheet with its picture (BGR, of any resolution)."""
    size = (round(sheet.size_mm[0] * PX_PER_MM), round(sheet.size_mm[1] * PX_PER_MM))
    if picture.shape[1::-1] != size:
        picture = cast(Picture, cv2.resize(picture, size, interpolation=cv2.INTER_AREA))
    return Reference(
        name=sheet.board.name,
        edition=sheet.board.edition,
        picture=picture,
        px_per_mm=PX_PER_MM,
        sites_mm=sheet.sites_mm,
        clubs_mm=sheet.clubs_mm,
        markers_mm={marker.id: np.array(marker.corners_mm) for marker in sheet.markers},
    )


def drawn_picture(name: str) -> Picture:
    """The small picture of one of our boards, drawn anew from its data: what `printed_reference` has in a file."""
    from vision.sheets.artwork import plan_art
    from vision.sheets.boards import board_picture

    sheet = sheet_geometry(load_board(name))
    pixels = board_picture(plan_art(sheet))
    size = (round(sheet.size_mm[0] * PX_PER_MM), round(sheet.size_mm[1] * PX_PER_MM))
    return cast(Picture, cv2.resize(pixels[..., ::-1], size, interpolation=cv2.INTER_AREA))


def write_references() -> None:
    """Draws the small pictures of all boards. To be run when the artwork has changed: `python -m vision.reference`."""
    for name in BOARD_NAMES:
        path = Path(__file__).parent / "references" / f"{name}.jpg"
        cv2.imwrite(str(path), drawn_picture(name), [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])


if __name__ == "__main__":
    write_references()
