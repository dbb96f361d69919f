"""What the empty mat looks like: a small picture that comes with this package.

`python -m vision.makisan.reference` draws it anew when the artwork has changed.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path
from typing import cast

import cv2
import numpy as np

from vision.locate.pose import Picture
from vision.makisan.layout import DICTIONARY, SHEET_MM, SURFACE, markers, places_mm
from vision.reference import PX_PER_MM, Reference

_FILE = "makisan.jpg"
_JPEG_QUALITY = 92


@cache
def mat_reference() -> Reference:
    content = resources.files(__package__).joinpath(_FILE).read_bytes()
    return Reference(
        name=SURFACE,
        edition="",
        picture=cast(Picture, cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)),
        px_per_mm=PX_PER_MM,
        sites_mm=places_mm(),
        clubs_mm={},
        markers_mm={marker.id: np.array(marker.corners_mm) for marker in markers()},
        dictionary=DICTIONARY,
    )


def small_picture() -> Picture:
    """The mat at the reference's resolution, BGR: what `mat_reference` has in a file."""
    from vision.makisan.mat import mat_pixels

    size = (round(SHEET_MM[0] * PX_PER_MM), round(SHEET_MM[1] * PX_PER_MM))
    return cast(Picture, cv2.resize(mat_pixels()[..., ::-1], size, interpolation=cv2.INTER_AREA))


def write_reference() -> None:
    path = Path(__file__).parent / _FILE
    cv2.imwrite(str(path), small_picture(), [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])


if __name__ == "__main__":
    write_reference()
