"""The line as it faces the camera: the picture laid upright, and beside it what the empty mat would show there.

Think of a wall that stands along the line, where the near faces of the makis are. The picture, projected onto that
wall, shows upright edges upright and level ones level, whatever the camera: columns are millimetres along the mat,
rows are millimetres of height. The ground before the makis shows below height 0, the ground behind them above.
"""

from __future__ import annotations

from typing import NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.locate.pose import Floats, Picture, View
from vision.makisan.lamp import LIGHT_PX_PER_MM, Field, Light, logs_of
from vision.makisan.layout import LINE_Y_MM, PITCH_MM, RESTS_MM
from vision.reference import Reference

PX_PER_MM = 2.0
WALL_MM = 11.0  # from the middle of the line to the wall: half a usual maki
_LEFT, _RIGHT = RESTS_MM[0][0] - 1.2 * PITCH_MM, RESTS_MM[-1][0] + 1.2 * PITCH_MM
_LOW_MM, _HIGH_MM = -26.0, 66.0
_DARKEST, _ABOVE = 1.0, 0.02  # per cent of the facade, and how much lighter than those black may look
_STEP = 8  # the lens is followed on a grid this coarse, in px


class Facade(NamedTuple):
    """`seen` (rows, columns, 3) BGR under white light, 1 being white paper; `ratio` likewise, the log of what is seen
    over what the empty mat would show; `inside` the pixels that the picture has; `black` (3,) how light black
    things look here, `darkest` the log of how light they look on the whole sheet. `side` is +1 seen from the south."""

    seen: Field
    ratio: Field
    inside: NDArray[np.bool_]
    black: Floats
    darkest: float
    side: int
    eye_mm: Floats

    @property
    def depth(self) -> float:
        """The log of how light black ink looks."""
        return float(np.log(self.black).mean())

    def column(self, x_mm: Floats | float) -> Floats:
        """The column of a place along the wall."""
        return np.asarray((np.asarray(x_mm, np.float64) - _LEFT) * PX_PER_MM - 0.5)

    def row(self, height_mm: Floats | float) -> Floats:
        return np.asarray((_HIGH_MM - np.asarray(height_mm, np.float64)) * PX_PER_MM - 0.5)

    def on_wall(self, points_mm: Floats) -> Floats:
        """(N, 2) columns and rows where points (N, 3) of the mat's frame, heights up, are seen."""
        points = np.asarray(points_mm, np.float64)
        eye, wall = self.eye_mm, LINE_Y_MM + self.side * WALL_MM
        share = (wall - eye[1]) / (points[:, 1] - eye[1])
        x = eye[0] + (points[:, 0] - eye[0]) * share
        height = eye[2] + (points[:, 2] - eye[2]) * share
        return np.column_stack([self.column(x), self.row(height)])

    def foot(self, column: Floats, row: Floats) -> tuple[Floats, Floats]:
        """Where on the mat (x and y in mm) something stands whose foot is seen here."""
        x, height = _LEFT + (column + 0.5) / PX_PER_MM, _HIGH_MM - (row + 0.5) / PX_PER_MM
        return _to_ground(self.eye_mm, x, height, self.side)


def facade_of(picture: Picture, view: View, reference: Reference, light: Light) -> Facade:
    eye, side = eye_of(view), side_of(view)
    width, height = round((_RIGHT - _LEFT) * PX_PER_MM), round((_HIGH_MM - _LOW_MM) * PX_PER_MM)
    x = _LEFT + (np.arange(0, width + _STEP, _STEP) + 0.5) / PX_PER_MM
    up = _HIGH_MM - (np.arange(0, height + _STEP, _STEP) + 0.5) / PX_PER_MM
    xs, ups = np.meshgrid(x, up)
    wall = np.full(xs.size, LINE_Y_MM + side * WALL_MM)
    at = view.project(np.column_stack([xs.ravel(), wall, -ups.ravel()])).reshape(*xs.shape, 2)
    small, at = _shrunk(picture, at)
    maps = _enlarged(at, (width, height))
    inside = (maps >= 0).all(axis=2) & (maps[..., 0] < small.shape[1]) & (maps[..., 1] < small.shape[0])
    ground = _enlarged(np.dstack(_to_ground(eye, xs, ups, side)), (width, height))
    printed = logs_of(_looked_up(reference.picture, ground * reference.px_per_mm - 0.5))
    gain = _looked_up(light.gain, ground * np.float32(LIGHT_PX_PER_MM) - 0.5)
    lit = logs_of(_looked_up(small, maps)) - gain
    seen = np.exp(lit) / np.float32(255.0)
    # Markers may lie in glare that the line does not: nothing black is lighter than the darkest spots here.
    black = np.minimum(light.black, np.percentile(seen[::3, ::3].reshape(-1, 3), _DARKEST, axis=0) + _ABOVE)
    darkest = float(np.log(black).mean() + np.log(light.black).mean()) / 2
    return Facade(seen, lit - printed, inside, black, darkest, side, eye)


def eye_of(view: View) -> Floats:
    """Where the camera is: mm from the sheet's corner, and its height."""
    return view.pose.eye_mm * (1.0, 1.0, -1.0)


def side_of(view: View) -> int:
    """+1 where the camera looks from the south, -1 from the north."""
    return 1 if eye_of(view)[1] > LINE_Y_MM else -1


def _to_ground(eye: Floats, x: Floats, up: Floats, side: int) -> tuple[Floats, Floats]:
    share = eye[2] / (eye[2] - up)
    wall = LINE_Y_MM + side * WALL_MM
    return eye[0] + (x - eye[0]) * share, eye[1] + (wall - eye[1]) * share


def _shrunk(picture: Picture, at: Floats) -> tuple[Picture, Floats]:
    """The picture halved until it is hardly finer than the wall, which is fast and does not alias."""
    middle = at[at.shape[0] // 2]
    while float(np.linalg.norm(np.diff(middle, axis=0), axis=1).mean()) / _STEP > 1.8:
        half = (picture.shape[1] // 2, picture.shape[0] // 2)
        picture = cast(Picture, cv2.resize(picture, half, interpolation=cv2.INTER_AREA))
        at = (at + 0.5) / 2 - 0.5
        middle = at[at.shape[0] // 2]
    return picture, at


def _enlarged(grid: Floats, size: tuple[int, int]) -> Field:
    stretch = np.array([[1 / _STEP, 0, 0], [0, 1 / _STEP, 0]], np.float64)
    fine = cv2.warpAffine(grid.astype(np.float32), stretch, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    return cast(Field, fine)


def _looked_up(picture: Picture | Field, at: Field) -> Field:
    found = cv2.remap(picture, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return cast(Field, found)
