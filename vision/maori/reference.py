"""What the sheets and tiles of Māori look like: small pictures that come with this package.

`python -m vision.maori.reference` draws them anew when the artwork has changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import cast

import cv2
import numpy as np

from companion.games.maori.board import load_tiles
from vision.locate.pose import Picture
from vision.maori.surfaces import SURFACES, places_of, sheet_of
from vision.reference import PX_PER_MM, Reference
from vision.sheets.maori.boards import draw_board, draw_display
from vision.sheets.maori.layout import DICTIONARY, TILE_MM, MaoriSheet
from vision.sheets.maori.tiles import draw_tile
from vision.sheets.raster import RasterCanvas

TILE_PX_PER_MM = 5.0
TILE_PX = round(TILE_MM * TILE_PX_PER_MM)
_COLUMNS = 10
_JPEG_QUALITY = 90


@cache
def reference_of(surface: str) -> Reference:
    """An empty sheet, with the markers of all others by name: they say which sheet lies there instead."""
    sheet = sheet_of(surface)
    return Reference(
        name=surface,
        edition="",
        picture=_picture(surface),
        px_per_mm=PX_PER_MM,
        sites_mm=places_of(surface),
        clubs_mm={},
        markers_mm=_markers(sheet),
        dictionary=DICTIONARY,
        others_mm={other: _markers(sheet_of(other)) for other in SURFACES if other != surface},
    )


def _markers(sheet: MaoriSheet) -> dict[int, np.ndarray[tuple[int, ...], np.dtype[np.float64]]]:
    return {marker.id: np.array(marker.corners_mm) for marker in sheet.markers}


@cache
def tile_pictures() -> Mapping[str, Picture]:
    """Every tile upright, BGR, `TILE_PX` wide."""
    page = _picture("tiles")
    found = {}
    for number, name in enumerate(load_tiles("ours").tiles):
        row, column = divmod(number, _COLUMNS)
        found[name] = page[row * TILE_PX : (row + 1) * TILE_PX, column * TILE_PX : (column + 1) * TILE_PX]
    return found


def _picture(name: str) -> Picture:
    content = resources.files(__package__).joinpath("references", f"{name}.jpg").read_bytes()
    return cast(Picture, cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR))


def sheet_pixels(surface: str) -> Picture:
    """An empty sheet as it is printed: RGB, 200 dpi. Drawing it takes a second."""
    sheet = sheet_of(surface)
    canvas = RasterCanvas(sheet.size_mm)
    (draw_display if sheet.colour is None else draw_board)(canvas, sheet)
    return canvas.pixels


def tile_pixels(tile: str, px_per_mm: float) -> Picture:
    """A tile as it is printed, RGB, from edge to edge."""
    rim = 1.0  # what is drawn over the edge is cut off
    canvas = RasterCanvas((TILE_MM + 2 * rim, TILE_MM + 2 * rim), round(2 * px_per_mm * 25.4))
    draw_tile(canvas, load_tiles("ours").tiles[tile], (rim, rim))
    pixels, scale = canvas.pixels, canvas.pixels.shape[0] / (TILE_MM + 2 * rim)
    first, last = round(rim * scale), round((rim + TILE_MM) * scale)
    side = round(TILE_MM * px_per_mm)
    return cast(Picture, cv2.resize(pixels[first:last, first:last], (side, side), interpolation=cv2.INTER_AREA))


def tiles_page() -> Picture:
    """All tiles on one picture, BGR: what `tile_pictures` has in a file."""
    tiles = [*load_tiles("ours").tiles]
    rows = -(-len(tiles) // _COLUMNS)
    page = np.full((rows * TILE_PX, _COLUMNS * TILE_PX, 3), 255, np.uint8)
    for number, name in enumerate(tiles):
        row, column = (TILE_PX * part for part in divmod(number, _COLUMNS))
        page[row : row + TILE_PX, column : column + TILE_PX] = tile_pixels(name, TILE_PX_PER_MM)[..., ::-1]
    return page


def small_picture(surface: str) -> Picture:
    """A sheet at the references' resolution, BGR: what `reference_of` has in a file."""
    size = tuple(round(side * PX_PER_MM) for side in sheet_of(surface).size_mm)
    return cast(Picture, cv2.resize(sheet_pixels(surface)[..., ::-1], size, interpolation=cv2.INTER_AREA))


def write_references() -> None:
    folder = Path(__file__).parent / "references"
    pictures = {"tiles": tiles_page(), **{surface: small_picture(surface) for surface in SURFACES}}
    for name, picture in pictures.items():
        cv2.imwrite(str(folder / f"{name}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])


if __name__ == "__main__":
    write_references()
