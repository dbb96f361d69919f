"""Draws faces into a picture of linear light, from far to near, and keeps who covers which pixel."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.locate.pose import Floats, View
from vision.training.shapes import Mesh

Light = NDArray[np.float32]
_SHIFT = 4


class Lamp(NamedTuple):
    """`direction` (3,) towards the lamp in the board's frame; `direct` and `ambient` (3,) linear BGR."""

    direction: Floats
    direct: Floats
    ambient: Floats
    shine: float


class Thing(NamedTuple):
    mesh: Mesh
    colour: Floats  # (3,) linear BGR
    ident: int  # what the map of owners holds where it is seen


class Canvas(NamedTuple):
    light: Light  # (H, W, 3) linear BGR
    owners: NDArray[np.int32]  # (H, W) ident of the thing seen there, 0 for the board and the table


def paint(canvas: Canvas, view: View, things: list[Thing], lamp: Lamp, rng: np.random.Generator) -> None:
    """Draws all faces that look at the camera, the farthest first."""
    eye = view.pose.eye_mm
    jobs = []
    for thing in things:
        middle = np.mean([face.mean(axis=0) for face in thing.mesh.faces], axis=0)
        far = float(np.linalg.norm(middle - eye))
        for face, tint in zip(thing.mesh.faces, thing.mesh.tints, strict=True):
            normal = _outward(face, middle)
            centre = face.mean(axis=0)
            if normal @ (eye - centre) > 0:
                colour = _shaded(thing.colour * tint, normal, eye - centre, lamp) * rng.uniform(0.93, 1.07)
                jobs.append((far + 1e-3 * float(np.linalg.norm(centre - eye)), face, colour, thing.ident))
    for _, face, colour, ident in sorted(jobs, key=lambda job: -job[0]):
        corners = np.round(view.project(face) * 2**_SHIFT).astype(np.int32)
        cv2.fillConvexPoly(canvas.light, corners, [float(c) for c in colour], cv2.LINE_8, _SHIFT)
        cv2.fillConvexPoly(canvas.owners, corners, ident, cv2.LINE_8, _SHIFT)


def shadows(shape: tuple[int, int], view: View, things: list[Thing], lamp: Lamp, softness_px: float) -> Light:
    """(H, W) how much of the direct light reaches the paper past the things."""
    mask = np.ones(shape, np.float32)
    for thing in things:
        points = np.concatenate(thing.mesh.faces)
        length = points[:, 2] / lamp.direction[2]
        ground = points[:, :2] - length[:, None] * lamp.direction[:2]
        hull = cv2.convexHull(ground.astype(np.float32)).reshape(-1, 2)
        corners = np.round(view.project(hull.astype(np.float64)) * 2**_SHIFT).astype(np.int32)
        cv2.fillConvexPoly(mask, corners, 0.0, cv2.LINE_8, _SHIFT)
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), max(softness_px, 0.3)), np.float32)


def _outward(face: Floats, middle: Floats) -> Floats:
    normal = np.cross(face[1] - face[0], face[2] - face[0])
    if len(face) > 3 and np.linalg.norm(normal) < 1e-9:
        normal = np.cross(face[2] - face[0], face[3] - face[0])
    normal = normal / max(float(np.linalg.norm(normal)), 1e-9)
    return normal if normal @ (face.mean(axis=0) - middle) > 0 else -normal


def _shaded(colour: Floats, normal: Floats, to_eye: Floats, lamp: Lamp) -> Floats:
    towards = max(0.0, float(normal @ lamp.direction))
    half = lamp.direction + to_eye / np.linalg.norm(to_eye)
    half = half / np.linalg.norm(half)
    gloss = lamp.shine * max(0.0, float(normal @ half)) ** 24
    facing_sky = 0.65 + 0.35 * float(-normal[2])
    lit: Floats = colour * (lamp.ambient * facing_sky + lamp.direct * towards) + lamp.direct * gloss
    return lit
