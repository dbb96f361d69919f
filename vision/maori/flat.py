"""The picture laid flat at the height of a tile's face, and patches of it, in logs: there a lamp only adds."""

from __future__ import annotations

from typing import NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.locate.flat import laid_flat
from vision.locate.pose import Picture, View
from vision.sheets.canvas import Point

FACE_MM = 1.5  # how high a tile's face lies, about: tiles are of card
FINE, MIDDLE, COARSE = 4.0, 2.0, 1.0  # px per mm
_FLOOR = 12.0  # camera values near black are noise
_BURNT = 250

Field = NDArray[np.float32]
_LOGS: Field = np.log(np.arange(256, dtype=np.float32) + np.float32(_FLOOR))


class Flat(NamedTuple):
    """The sheet seen from above. `logs` by px per mm (H, W, 3), BGR; `grey` their mean at `FINE` and at `MIDDLE`;
    `burnt` (H, W) at `COARSE`, the share of pixels at the end of the camera's scale; `inside` whether the picture
    shows them."""

    logs: dict[float, Field]
    grey: dict[float, Field]
    burnt: Field
    inside: Field


class Lies(NamedTuple):
    """Where something lies on the sheet: its middle in mm, degrees clockwise."""

    x_mm: float
    y_mm: float
    angle_deg: float

    def part(self, right_mm: float, down_mm: float) -> Point:
        """A point of it, given from its middle as it lies upright."""
        c, s = np.cos(np.radians(self.angle_deg)), np.sin(np.radians(self.angle_deg))
        return float(self.x_mm + c * right_mm - s * down_mm), float(self.y_mm + s * right_mm + c * down_mm)


def raised(view: View, height_mm: float) -> View:
    """The view in which a plane above the paper is the paper."""
    shift = view.pose.matrix[:, 2] * -height_mm + np.array(view.pose.translation)
    return view._replace(pose=view.pose._replace(translation=(float(shift[0]), float(shift[1]), float(shift[2]))))


def flat_of(picture: Picture, view: View, size_mm: Point, height_mm: float = FACE_MM) -> Flat:
    """A BGR picture laid flat at a height over the paper."""
    fine = laid_flat(picture, raised(view, height_mm), size_mm, FINE)
    logs = {FINE: _LOGS[fine]}
    for scale in (MIDDLE, COARSE):
        logs[scale] = _shrunk(logs[2 * scale])
    grey = {scale: grey_of(logs[scale]) for scale in (FINE, MIDDLE)}
    brightest = np.maximum(np.maximum(fine[..., 0], fine[..., 1]), fine[..., 2])
    burnt, inside = (_shrunk(flags.astype(np.float32), 4) for flags in (brightest >= _BURNT, brightest > 0))
    return Flat(logs, grey, burnt, inside)


def grey_of(logs: Field) -> Field:
    """(H, W) the mean of the channels."""
    return cast(Field, cv2.transform(logs, np.full((1, 3), 1 / 3, np.float32)))


def _shrunk(field: Field, times: int = 2) -> Field:
    size = (field.shape[1] // times, field.shape[0] // times)
    return cast(Field, cv2.resize(field, size, interpolation=cv2.INTER_AREA))


def logs_of(picture: Picture) -> Field:
    return _LOGS[picture]


def patch(field: Field, scale: float, lies: Lies, size_mm: float) -> Field:
    """A square of a field at `scale` px per mm, upright as the thing at `lies` is, at the same scale."""
    count = round(size_mm * scale)
    c, s = np.cos(np.radians(lies.angle_deg)), np.sin(np.radians(lies.angle_deg))
    turn = np.array([[c, -s], [s, c]])
    middle = np.array([lies.x_mm, lies.y_mm]) * scale - 0.5
    shift = middle - turn @ np.array([(count - 1) / 2, (count - 1) / 2])
    matrix = np.column_stack([turn, shift])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cast(Field, cv2.warpAffine(field, matrix, (count, count), flags=flags, borderMode=cv2.BORDER_REPLICATE))


def normalised(patches: Field) -> Field:
    """(N, ...) patches as rows of mean 0 and length 1."""
    rows = patches.reshape(len(patches), -1)
    rows = rows - rows.mean(axis=1, keepdims=True)
    return cast(Field, rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-3))
