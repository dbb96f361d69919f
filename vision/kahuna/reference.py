"""What the empty board looks like: a small picture that comes with this package.

`python -m vision.kahuna.reference` draws it anew when the artwork has changed.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path
from typing import cast

import cv2
import numpy as np

from vision.kahuna.layout import SURFACE, kahuna_sheet
from vision.locate.pose import Picture
from vision.reference import PX_PER_MM, Reference

_JPEG_QUALITY = 92
_FOLDER, _FILE = "references", f"{SURFACE}.jpg"


@cache
def kahuna_reference() -> Reference:
    """The empty board with its places and markers."""
    sheet = kahuna_sheet()
    content = resources.files(__package__).joinpath(_FOLDER, _FILE).read_bytes()
    return Reference(
        name=SURFACE,
        edition="",
        picture=cast(Picture, cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)),
        px_per_mm=PX_PER_MM,
        sites_mm=sheet.places_mm,
        clubs_mm={},
        markers_mm={marker.id: np.array(marker.corners_mm) for marker in sheet.markers},
    )


def drawn_picture() -> Picture:
    """The small picture, drawn anew from the board's data."""
    from vision.kahuna.prints import board_pixels

    size = tuple(round(side * PX_PER_MM) for side in kahuna_sheet().size_mm)
    return cast(Picture, cv2.resize(board_pixels()[..., ::-1], size, interpolation=cv2.INTER_AREA))


def write_reference() -> None:
    path = Path(__file__).parent / _FOLDER / _FILE
    path.parent.mkdir(exist_ok=True)
    cv2.imwrite(str(path), drawn_picture(), [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])


if __name__ == "__main__":
    write_reference()
