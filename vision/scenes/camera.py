"""Cameras: lenses with Brown distortion, where they stand, and the way a point takes onto the picture."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.scenes.arrays import Flags, Floats, Vec, Xy, between, floats

Doubles = NDArray[np.float64]
_GRID_PX = 16  # rays are worked out this far apart; between them every lens is straight to 0.02 px


class Lens(NamedTuple):
    """A kind of camera. `view_deg` is the horizontal field of view on a 4:3 picture; ranges are (low, high)."""

    view_deg: Xy
    k1: Xy
    k2: Xy
    tangential: float
    vignette: Xy  # how much darker the corner is


LENSES = {
    "phone": Lens((62.0, 70.0), (-0.02, 0.06), (-0.08, 0.02), 0.0006, (0.05, 0.3)),
    "phone-2x": Lens((38.0, 46.0), (-0.01, 0.04), (-0.03, 0.02), 0.0004, (0.0, 0.15)),
    "pi-camera-3": Lens((64.0, 67.0), (-0.03, 0.05), (-0.06, 0.02), 0.0008, (0.1, 0.3)),
    "pi-camera-3-wide": Lens((98.0, 103.0), (-0.035, 0.02), (-0.012, 0.004), 0.001, (0.2, 0.5)),
    "webcam": Lens((55.0, 72.0), (-0.16, -0.02), (-0.02, 0.05), 0.0015, (0.1, 0.4)),
}


class Camera(NamedTuple):
    """The true camera of a scene.

    `matrix` (3, 3) and `distortion` (5: k1 k2 p1 p2 k3) are OpenCV's; `turn` (3, 3) and `shift` (3) take the world
    frame (mm, middle of the sheet, y towards the print's top, z up) to the camera's. `sheet_mm` is the paper's size.
    """

    size_px: tuple[int, int]
    matrix: Doubles
    distortion: Doubles
    turn: Doubles
    shift: Doubles
    sheet_mm: Xy
    vignette: float = 0.0

    @property
    def eye_mm(self) -> Floats:
        """Where the camera stands in the world frame (3)."""
        return floats(-self.turn.T @ self.shift)

    @property
    def rotation_sheet(self) -> Doubles:
        """The rotation (3, 3) from the sheet frame that `solvePnP` uses: x right, y down, z into the table, from the
        top left."""
        return np.asarray(self.turn @ np.diag([1.0, -1.0, -1.0]))

    @property
    def shift_sheet(self) -> Doubles:
        """The translation (3) that belongs to `rotation_sheet`."""
        corner = np.array([-self.sheet_mm[0] / 2, self.sheet_mm[1] / 2, 0.0])
        return np.asarray(self.turn @ corner + self.shift)

    def project(self, points: Floats) -> Floats:
        """Pixels (N, 2) of world points (N, 3); the middle of the first pixel is (0, 0). NaN behind the camera."""
        seen = points.astype(np.float64).reshape(-1, 3) @ self.turn.T + self.shift
        if not len(seen):
            return np.zeros((0, 2), np.float32)
        pixels, _ = cv2.projectPoints(seen.reshape(-1, 1, 3), np.zeros(3), np.zeros(3), self.matrix, self.distortion)
        behind = seen[:, 2] <= 1.0
        found = np.asarray(pixels, dtype=np.float64).reshape(-1, 2)
        found[behind] = np.nan
        return floats(found)

    def project_mm(self, points_mm: Floats, height_mm: float = 0.0) -> Floats:
        """Pixels (N, 2) of points (N, 2) in mm from the sheet's top left corner, `height_mm` above the paper."""
        return self.project(world_of_sheet(points_mm, self.sheet_mm, height_mm))

    def is_near_view(self, points: Floats) -> Flags:
        """Which world points (N, 3) lie in front of the lens and not far outside the picture, where its distortion
        holds."""
        seen = points @ floats(self.turn.T) + floats(self.shift)
        corner = np.hypot(*(np.array(self.size_px) / 2 / self.matrix[(0, 1), (0, 1)]))
        return np.asarray((seen[:, 2] > 25.0) & (np.hypot(seen[:, 0], seen[:, 1]) < 1.3 * corner * seen[:, 2]))

    def depth(self, points: Floats) -> Floats:
        """Distance of world points (N, 3) along the optical axis, in mm."""
        return floats(points @ self.turn[2] + self.shift[2])

    def rays(self) -> Floats:
        """Directions (rows, columns, 3) in the world frame through every pixel, not normalised."""
        width, height = self.size_px
        # Placed so that enlarging the grid by `_GRID_PX` puts every pixel right. `remap` would round to 1/32 of a cell,
        # and OpenCV's cubic does not keep straight lines straight.
        columns, rows = (
            np.arange(-1, count // _GRID_PX + 3) * _GRID_PX + (_GRID_PX - 1) / 2 for count in (width, height)
        )
        grid = np.dstack(np.meshgrid(columns, rows))
        flat = cv2.undistortPoints(grid.reshape(-1, 1, 2), self.matrix, self.distortion, criteria=(3, 40, 1e-7))
        ways = np.concatenate([flat.reshape(-1, 2), np.ones((grid.shape[0] * grid.shape[1], 1))], axis=1) @ self.turn
        small = floats(ways.reshape(*grid.shape[:2], 3))
        fine = cv2.resize(small, None, fx=_GRID_PX, fy=_GRID_PX, interpolation=cv2.INTER_LINEAR)
        return floats(fine[_GRID_PX : _GRID_PX + height, _GRID_PX : _GRID_PX + width])


def world_of_sheet(points_mm: Floats, sheet_mm: Xy, height_mm: float = 0.0) -> Floats:
    """World points (N, 3) of points (N, 2) in mm from the sheet's top left corner."""
    x, y = points_mm[:, 0] - sheet_mm[0] / 2, sheet_mm[1] / 2 - points_mm[:, 1]
    return floats(np.column_stack([x, y, np.full(len(points_mm), height_mm)]))


def look_at(eye: Vec, target: Vec, roll_deg: float) -> tuple[Doubles, Doubles]:
    """The pose (turn, shift) of a camera at `eye` that looks at `target`, upright but for its roll."""
    forward = np.subtract(target, eye)
    forward = forward / np.linalg.norm(forward)
    right = np.cross(forward, (0.0, 0.0, 1.0))
    if np.linalg.norm(right) < 1e-6:
        right = np.array([1.0, 0.0, 0.0])
    right = right / np.linalg.norm(right)
    down = np.cross(forward, right)
    c, s = np.cos(np.radians(roll_deg)), np.sin(np.radians(roll_deg))
    turn = np.stack([c * right + s * down, c * down - s * right, forward])
    return turn, -turn @ np.asarray(eye)


class View(NamedTuple):
    """Where a camera is put: angle off the vertical, direction it looks along the table, roll, and how much of the
    picture the sheet takes (1: touches the border)."""

    tilt_deg: float
    azimuth_deg: float
    roll_deg: float
    fill: float
    aim_mm: Xy


def place_camera(rng: np.random.Generator, lens: Lens, view: View, size_px: tuple[int, int], sheet_mm: Xy) -> Camera:
    """A camera of this kind that sees the sheet as `view` says."""
    matrix = _matrix(rng, lens, size_px)
    tangential = rng.normal(0.0, lens.tangential, 2)
    distortion = np.array([between(rng, *lens.k1), between(rng, *lens.k2), *tangential, 0.0])
    vignette = between(rng, *lens.vignette)
    distance = 900.0
    for _ in range(12):
        camera = Camera(size_px, matrix, distortion, *_pose(view, distance), sheet_mm, vignette)
        distance *= _reach(camera) / view.fill
    return camera


def _matrix(rng: np.random.Generator, lens: Lens, size_px: tuple[int, int]) -> Doubles:
    width, height = size_px
    # A 16:9 sensor is a 4:3 one with its top and bottom cut.
    focal = max(width, height) / 2 / np.tan(np.radians(between(rng, *lens.view_deg)) / 2)
    middle = [(width - 1) / 2 + rng.normal(0, 0.006) * width, (height - 1) / 2 + rng.normal(0, 0.006) * height]
    return np.array([[focal, 0, middle[0]], [0, focal, middle[1]], [0, 0, 1.0]])


def _pose(view: View, distance: float) -> tuple[Doubles, Doubles]:
    tilt, azimuth = np.radians(view.tilt_deg), np.radians(view.azimuth_deg)
    target = (view.aim_mm[0], view.aim_mm[1], 0.0)
    back = distance * np.sin(max(tilt, 0.001))
    eye = (target[0] - back * np.sin(azimuth), target[1] - back * np.cos(azimuth), distance * np.cos(tilt))
    return look_at(eye, target, view.roll_deg)


def _reach(camera: Camera) -> float:
    """How far the sheet's corners reach towards the picture's border: 1 when the farthest touches it."""
    half = floats([camera.sheet_mm[0] / 2, camera.sheet_mm[1] / 2, 0])
    corners = floats([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)]) * half
    seen = corners @ camera.turn.T + camera.shift
    if (seen[:, 2] < 30.0).any():
        return 2.0
    flat = seen[:, :2] / seen[:, 2:] * (camera.matrix[0, 0], camera.matrix[1, 1])
    return float((np.abs(flat) / (np.array(camera.size_px) / 2)).max())
