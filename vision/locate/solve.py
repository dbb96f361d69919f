"""From points on the board and in the picture to camera and pose: robust, and honest about a lens it can't know."""

from __future__ import annotations

from typing import NamedTuple, cast

import cv2
import numpy as np

from vision.locate.pose import Camera, Floats, Pose, View

# What most phones and webcams have: focal length over the picture's longer side, and how far it may be off (in logs).
USUAL_FOCAL = 0.8
FOCAL_SPREAD = 0.35
K1_SPREAD = 0.12
_STILL_PX = 0.003  # a step that moves no point further than this is the last


class Fit(NamedTuple):
    view: View
    error_px: float  # root mean square over the points that fit
    fits: Floats  # (N,) weight of each point, near 0 for one that contradicts the others


def fit_view(
    points_mm: Floats, points_px: Floats, size_px: tuple[int, int], camera: Camera | None = None, noise_px: float = 0.7
) -> Fit | None:
    """The view that explains (N, 2) points of the paper at (N, 2) pixels, or None. A known camera is kept as it is."""
    homography, kept = cv2.findHomography(points_mm, points_px, cv2.RANSAC, 8.0 + 0.003 * max(size_px))
    good = np.array(kept, bool).ravel()
    if int(good.sum()) < 4:  # kept is None, and so nothing, where no plane fits
        return None
    start = camera or Camera(_focal_of(np.array(homography, np.float64), size_px), size_px)
    view = start_view(points_mm[good], points_px[good], start)
    return None if view is None else refine(view, points_mm, points_px, fixed=camera is not None, noise_px=noise_px)


def start_view(points_mm: Floats, points_px: Floats, camera: Camera) -> View | None:
    """The pose by the plane's own method, then refined. Of the two mirror solutions the one above the paper."""
    flat = np.column_stack([points_mm, np.zeros(len(points_mm))])
    found, rotations, translations, _ = cv2.solvePnPGeneric(
        flat, points_px, camera.matrix, camera.distortion, flags=cv2.SOLVEPNP_IPPE
    )
    views = [
        View(camera, Pose(_three(np.array(rotation)), _three(np.array(translation))))
        for rotation, translation in zip(rotations, translations, strict=True)
    ]
    above = [view for view in views if view.pose.eye_mm[2] < 0 and view.pose.translation[2] > 0]
    return above[0] if found and above else None


def refine(view: View, points_mm: Floats, points_px: Floats, fixed: bool, noise_px: float = 0.7) -> Fit:
    """Gauss-Newton with robust weights over pose and, unless `fixed`, focal length and first distortion term."""
    size = view.camera.size_px
    count = 6 if fixed else 8
    values = np.array([*view.pose.rotation, *view.pose.translation, np.log(view.camera.focal_px), view.camera.k1])
    usual = np.log(USUAL_FOCAL * max(size))
    prior = np.array([0.0, 0, 0, 0, 0, 0, FOCAL_SPREAD, K1_SPREAD])[:count]
    damping = 1e-3
    residual, weight = _residual(values, view.camera, points_mm, points_px, noise_px)
    for _ in range(14):
        slope = _slope(values, view.camera, points_mm, count)
        scaled = np.repeat(weight, 2) / noise_px**2
        normal = slope.T @ (slope * scaled[:, None])
        right = slope.T @ (residual.ravel() * scaled)
        if not fixed:
            normal[6, 6] += 1 / prior[6] ** 2
            normal[7, 7] += 1 / prior[7] ** 2
            right[6] += (usual - values[6]) / prior[6] ** 2
            right[7] += (0 - values[7]) / prior[7] ** 2
        step = np.linalg.solve(normal + damping * np.diag(np.diag(normal)), right)
        trial = values.copy()
        trial[:count] += step
        new_residual, new_weight = _residual(trial, view.camera, points_mm, points_px, noise_px)
        if _cost(new_residual, noise_px) <= _cost(residual, noise_px) + 1e-9:
            values, residual, weight = trial, new_residual, new_weight
            damping = max(damping / 5, 1e-7)
            if np.abs(slope @ step).max() < _STILL_PX:
                break
        else:
            damping *= 8
    error = float(np.sqrt((weight[:, None] * residual**2).sum() / max(weight.sum(), 1e-9) / 2))
    return Fit(_view(values, view.camera), error, weight)


def _view(values: Floats, camera: Camera) -> View:
    focal, k1 = float(np.exp(np.clip(values[6], 0, 12))), float(np.clip(values[7], -0.6, 0.6))
    return View(camera._replace(focal_px=focal, k1=k1), Pose(_three(values[:3]), _three(values[3:6])))


def _residual(values: Floats, camera: Camera, mm: Floats, px: Floats, noise_px: float) -> tuple[Floats, Floats]:
    residual = px - _view(values, camera).project(mm)
    far = (residual**2).sum(axis=1) / (3 * noise_px) ** 2
    return residual, cast(Floats, 1 / (1 + far) ** 2)


def _cost(residual: Floats, noise_px: float) -> float:
    far = (residual**2).sum(axis=1) / (3 * noise_px) ** 2
    return float((far / (1 + far)).sum())


def _slope(values: Floats, camera: Camera, mm: Floats, count: int) -> Floats:
    """(2N, count): how pixels move with each value."""
    view = _view(values, camera)
    flat = np.column_stack([mm, np.zeros(len(mm))])
    lens = (view.camera.matrix, view.camera.distortion)
    _, change = cv2.projectPoints(flat, values[:3], values[3:6], *lens)
    moves = np.asarray(change, np.float64)  # by rotation, translation, focal lengths, centre, distortion
    focal = moves[:, 6] + moves[:, 7]
    return np.column_stack([moves[:, :6], focal * view.camera.focal_px, moves[:, 10]])[:, :count]


def _focal_of(homography: Floats, size_px: tuple[int, int]) -> float:
    """The focal length that makes the sheet's axes equally long and square to each other, if the tilt tells it."""
    usual = USUAL_FOCAL * max(size_px)
    to_centre = np.array([[1, 0, -(size_px[0] - 1) / 2], [0, 1, -(size_px[1] - 1) / 2], [0, 0, 1]])
    h = to_centre @ homography
    h = h / np.linalg.norm(h)
    square = (h[0, 0] * h[0, 1] + h[1, 0] * h[1, 1], h[2, 0] * h[2, 1])
    equal = (h[0, 0] ** 2 + h[1, 0] ** 2 - h[0, 1] ** 2 - h[1, 1] ** 2, h[2, 0] ** 2 - h[2, 1] ** 2)
    above = square[0] * square[1] + equal[0] * equal[1]
    below = square[1] ** 2 + equal[1] ** 2
    if below <= 0 or above >= 0:
        return usual
    focal = float(np.sqrt(-above / below))
    return focal if 0.4 * usual < focal < 3.5 * usual else usual


def _three(values: Floats) -> tuple[float, float, float]:
    a, b, c = np.asarray(values, np.float64).ravel()
    return float(a), float(b), float(c)
