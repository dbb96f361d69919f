"""The simplest camera: a board's picture seen through a lens, nothing on it."""

import cv2
import numpy as np

from vision.locate.pose import Camera, Pose, View


def view_from(tilt_deg=35.0, turn_deg=20.0, distance_mm=620.0, focal=1.0, size=(1600, 1200), k1=0.0, target=(210, 148)):
    """A camera that looks at `target` (mm) from the side."""
    tilt, turn = np.radians(tilt_deg), np.radians(turn_deg)
    ray = np.array([np.sin(turn) * np.sin(tilt), np.cos(turn) * np.sin(tilt), -np.cos(tilt)])
    eye = np.array([*target, 0.0]) + ray * distance_mm
    forward = -ray
    right = np.cross(forward, (0, 0, -1.0))
    right /= np.linalg.norm(right)
    turned = np.array([right, np.cross(forward, right), forward])
    pose = Pose(tuple(cv2.Rodrigues(turned)[0].ravel()), tuple(-turned @ eye))
    return View(Camera(focal * size[0], size, k1), pose)


def photograph(reference, view, table=(70, 100, 130), gain=0.8):
    """(H, W, 3) BGR."""
    width, height = view.camera.size_px
    y, x = np.mgrid[:height, :width]
    at = view.to_plane(np.stack([x, y], 2).reshape(-1, 2).astype(np.float64)).reshape(height, width, 2)
    maps = (at * reference.px_per_mm - 0.5).astype(np.float32)
    seen = cv2.remap(reference.picture, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderValue=table)
    return np.clip(seen * gain, 0, 255).astype(np.uint8)
