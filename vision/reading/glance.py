"""Places where plainly nothing stands: the print is seen, cell by cell, as the light would show it.

They need no second thought, and the network is spared half of all empty places. Whatever stands on a place differs
from the print somewhere by a quarter at least: none of 4,522 pieces in 236 scenes and of 3,363 in training pictures
that were looked at for this came below 0.25, and half of the empty places stay below 0.2. Shadows, glare and blur only
make a place less plain, and then the network looks.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.locate.pose import Floats, Picture
from vision.reading.patches import Patches

_MOST = 0.2  # log of the ratio between what is seen and what is printed, in any cell and colour
_CELL_PX = 4
_ROWS, _COLUMNS = slice(16, 52), slice(16, 48)  # of a patch: wherever a piece of this place may be seen
_FLOOR = 0.05  # of white: dark ink says little


def shows_print(patches: Patches, gains: Floats) -> NDArray[np.bool_]:
    """(N,) whether a place shows its print and nothing else. `gains` (N, 3) as in `patches.network_input`."""
    seen = _cells(patches.seen) / gains[:, None, None].astype(np.float32)
    apart = np.log((seen + _FLOOR) / (_cells(patches.empty) + _FLOOR))
    is_plain = (np.abs(apart).max(axis=(1, 2, 3)) < _MOST) & patches.inside.all(axis=(1, 2))
    return np.asarray(is_plain, np.bool_)


def _cells(pictures: Picture) -> NDArray[np.float32]:
    """(N, rows, columns, 3) mean values in 0..1."""
    part = pictures[:, _ROWS, _COLUMNS]
    count, height, width = part.shape[:3]
    rows, columns = height // _CELL_PX, width // _CELL_PX
    below = part.reshape(count * height, width, 3)  # all patches below each other: no cell holds parts of two
    cells = cv2.resize(below, (columns, count * rows), interpolation=cv2.INTER_AREA)
    return cells.reshape(count, rows, columns, 3).astype(np.float32) / np.float32(255)
