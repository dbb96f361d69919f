"""The picture laid flat: as if the camera hung straight above the paper."""

from __future__ import annotations

from typing import cast

import cv2
import numpy as np

from vision.locate.pose import Picture, View
from vision.sheets.geometry import Point

_STEP = 8  # the lens is followed on a grid this coarse, in px of the result


def laid_flat(picture: Picture, view: View, size_mm: Point, px_per_mm: float) -> Picture:
    """A grey or BGR picture seen from above at `px_per_mm`, lens distortion taken out. Black outside the picture."""
    width, height = round(size_mm[0] * px_per_mm), round(size_mm[1] * px_per_mm)
    x, y = np.arange(0, width + _STEP, _STEP), np.arange(0, height + _STEP, _STEP)
    grid = np.stack(np.meshgrid(x, y), 2).reshape(-1, 2)
    at = view.project(((grid + 0.5) / px_per_mm).astype(np.float64)).reshape(len(y), len(x), 2).astype(np.float32)
    middle = at[len(y) // 2]
    shrink = float(np.linalg.norm(np.diff(middle, axis=0), axis=1).mean()) / _STEP
    while shrink > 1.8:  # by halves, which is fast and does not alias
        half = (picture.shape[1] // 2, picture.shape[0] // 2)
        picture = cast(Picture, cv2.resize(picture, half, interpolation=cv2.INTER_AREA))
        at, shrink = (at + 0.5) / np.float32(2) - 0.5, shrink / 2
    # One column and row of the grid per pixel of the result: an affine stretch, exact at the grid's points.
    stretch = np.array([[1 / _STEP, 0, 0], [0, 1 / _STEP, 0]], np.float64)
    maps = cv2.warpAffine(at, stretch, (width, height), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    return cast(
        Picture, cv2.remap(picture, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    )
