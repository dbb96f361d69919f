"""A camera with its lens and where it stands, as plain values.

Frames: the board's is in mm, x right and y down on the sheet, so z points into the table and a point at height h has
z = -h. The picture's is in pixels, x right, y down, (0, 0) being the middle of the top left pixel.
"""

from __future__ import annotations

from typing import NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Picture = NDArray[np.uint8]


class PictureKey:
    """A picture as the key of a cache: the same array is the same picture."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture

    def __hash__(self) -> int:
        return id(self.picture)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PictureKey) and other.picture is self.picture


class Camera(NamedTuple):
    """A lens: focal length in px, the picture's size in px, and radial distortion k1, k2. Its axis is the centre."""

    focal_px: float
    size_px: tuple[int, int]
    k1: float = 0.0
    k2: float = 0.0

    @property
    def matrix(self) -> Floats:
        """3 x 3."""
        centre = ((self.size_px[0] - 1) / 2, (self.size_px[1] - 1) / 2)
        return np.array([[self.focal_px, 0, centre[0]], [0, self.focal_px, centre[1]], [0, 0, 1]], np.float64)

    @property
    def distortion(self) -> Floats:
        return np.array([self.k1, self.k2, 0.0, 0.0], np.float64)

    def scaled_to(self, size_px: tuple[int, int]) -> Camera:
        """The same lens for a picture of another resolution."""
        return self._replace(focal_px=self.focal_px * size_px[0] / self.size_px[0], size_px=size_px)


class Pose(NamedTuple):
    """How a board lies before a camera: rotation vector and translation (mm) from its frame to the camera's."""

    rotation: tuple[float, float, float]
    translation: tuple[float, float, float]

    @property
    def matrix(self) -> Floats:
        """3 x 3 rotation."""
        return cast(Floats, cv2.Rodrigues(np.array(self.rotation, np.float64))[0])

    @property
    def eye_mm(self) -> Floats:
        """Where the camera is, in the board's frame."""
        return cast(Floats, -self.matrix.T @ np.array(self.translation))


class View(NamedTuple):
    """A camera looking at a board."""

    camera: Camera
    pose: Pose

    def project(self, points_mm: Floats) -> Floats:
        """(N, 3) or (N, 2) points of the board's frame to (N, 2) pixels."""
        points = np.asarray(points_mm, np.float64)
        if points.shape[1] == 2:
            points = np.column_stack([points, np.zeros(len(points))])
        x, y, z = (points @ self.pose.matrix.T + np.array(self.pose.translation)).T
        z = np.maximum(z, 1.0)  # what lies behind the camera lands far outside
        x, y = x / z, y / z
        r2 = np.minimum(x * x + y * y, 4.0)
        bend = 1 + r2 * (self.camera.k1 + r2 * self.camera.k2)
        matrix = self.camera.matrix
        return np.column_stack([x * bend * matrix[0, 0] + matrix[0, 2], y * bend * matrix[1, 1] + matrix[1, 2]])

    def to_plane(self, points_px: Floats) -> Floats:
        """(N, 2) pixels to (N, 2) mm on the paper."""
        points = np.asarray(points_px, np.float64).reshape(-1, 1, 2)
        rays = cv2.undistortPoints(points, self.camera.matrix, self.camera.distortion).reshape(-1, 2)
        directions = np.column_stack([rays, np.ones(len(rays))]) @ self.pose.matrix
        eye = self.pose.eye_mm
        down = np.where(np.abs(directions[:, 2]) < 1e-9, 1e-9, directions[:, 2])
        return cast(Floats, eye[:2] + directions[:, :2] * (-eye[2] / down)[:, None])

    def scale_at(self, points_mm: Floats) -> Floats:
        """(N,) pixels per mm across the line of sight, at (N, 3) points."""
        depth = np.asarray(points_mm, np.float64) @ self.pose.matrix[2] + self.pose.translation[2]
        return cast(Floats, self.camera.focal_px / np.maximum(depth, 1.0))

    def plane_homography(self) -> Floats:
        """3 x 3, from mm on the paper to pixels, the lens' distortion left out."""
        rotation = self.pose.matrix
        outer = np.column_stack([rotation[:, 0], rotation[:, 1], np.array(self.pose.translation)])
        return cast(Floats, self.camera.matrix @ outer)


def at_height(points_mm: Floats, height_mm: float) -> Floats:
    """(N, 2) points on the paper to (N, 3) points above it."""
    points = np.asarray(points_mm, np.float64)
    return np.column_stack([points, np.full(len(points), -height_mm)])
