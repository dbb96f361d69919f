"""Draws faces into a picture of linear light, from far to near, and keeps who covers which pixel."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.locate.pose import Floats, View
from vision.training.solids import Mesh

Light = NDArray[np.float32]
_SHIFT = 4
_MOST_CORNERS = 20
_SOFT_MM = 2.0  # how wide the edge of a shadow on a piece is


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
    lit: float = 1.0  # share of the direct light that reaches it
    clear: float = 0.0  # how much of what lies behind shines through


class Canvas(NamedTuple):
    light: Light  # (H, W, 3) linear BGR
    owners: NDArray[np.int32]  # (H, W) ident of the thing seen there, 0 for the board and the table


class _Faces(NamedTuple):
    """All faces of all things that look at the camera."""

    corners: list[Floats]
    colours: Floats  # (F, 3)
    things: NDArray[np.intp]  # (F,)
    far: Floats  # (F,)


def paint(canvas: Canvas, view: View, things: list[Thing], lamp: Lamp, rng: np.random.Generator) -> None:
    """Draws all faces that look at the camera, the farthest first."""
    if not things:
        return
    behind = canvas.light.copy() if any(thing.clear for thing in things) else None
    faces = _faces(view, things, lamp, rng)
    ends = np.cumsum([len(corners) for corners in faces.corners])[:-1]
    flat = np.split(np.round(view.project(np.concatenate(faces.corners)) * 2**_SHIFT).astype(np.int32), ends)
    for index in np.argsort(-faces.far):
        colour = [float(value) for value in faces.colours[index]]
        cv2.fillConvexPoly(canvas.light, flat[index], colour, cv2.LINE_8, _SHIFT)
        cv2.fillConvexPoly(canvas.owners, flat[index], things[faces.things[index]].ident, cv2.LINE_8, _SHIFT)
    if behind is not None:
        _shine_through(canvas, behind, things)


def shadows(shape: tuple[int, int], view: View, things: list[Thing], lamp: Lamp, softness_px: float) -> Light:
    """(H, W) how much of the direct light reaches the paper past the things."""
    mask = np.ones(shape, np.float32)
    for thing in things:
        points = np.concatenate(thing.mesh.faces)
        length = points[:, 2] / lamp.direction[2]
        ground = points[:, :2] - length[:, None] * lamp.direction[:2]
        hull = cv2.convexHull(ground.astype(np.float32)).reshape(-1, 2)
        corners = np.round(view.project(hull.astype(np.float64)) * 2**_SHIFT).astype(np.int32)
        cv2.fillConvexPoly(mask, corners, 0.7 * thing.clear, cv2.LINE_8, _SHIFT)
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), max(softness_px, 0.3)), np.float32)


def _faces(view: View, things: list[Thing], lamp: Lamp, rng: np.random.Generator) -> _Faces:
    eye = view.pose.eye_mm
    corners = [face for thing in things for face in thing.mesh.faces]
    owner = np.repeat(np.arange(len(things)), [len(thing.mesh.faces) for thing in things])
    hearts = np.array([heart for thing in things for heart in thing.mesh.hearts])
    tints = np.array([tint for thing in things for tint in thing.mesh.tints])
    middles = np.array([face.mean(axis=0) for face in corners])
    normals = _normals(corners)
    normals *= np.where(((middles - hearts) * normals).sum(axis=1) < 0, -1.0, 1.0)[:, None]
    to_eye = eye - middles
    seen = np.flatnonzero((normals * to_eye).sum(axis=1) > 0)
    colours = np.array([thing.colour for thing in things])[owner] * tints[:, None]
    lit = np.array([thing.lit for thing in things])[owner[seen]] * _reached(things, middles[seen], owner[seen], lamp)
    shaded = _shaded(colours[seen], normals[seen], to_eye[seen], lit, lamp)
    shaded *= rng.uniform(0.93, 1.07, (len(seen), 1))
    centres = np.array([np.mean(thing.mesh.hearts, axis=0) for thing in things])
    far = np.linalg.norm(centres - eye, axis=1)[owner] + 1e-3 * np.linalg.norm(hearts - eye, axis=1)
    far += 1e-6 * np.linalg.norm(to_eye, axis=1)
    return _Faces([corners[index] for index in seen], shaded, owner[seen], far[seen])


def _reached(things: list[Thing], middles: Floats, owner: NDArray[np.intp], lamp: Lamp) -> Floats:
    """(F,) how much of the direct light gets past the other things, each taken for a post as wide and high as it is."""
    corners = [np.concatenate(thing.mesh.faces) for thing in things]
    centres = np.array([(each[:, :2].min(axis=0) + each[:, :2].max(axis=0)) / 2 for each in corners])
    radii = np.array([float(np.ptp(each[:, :2], axis=0).mean()) / 2 for each in corners])
    feet, tops = np.array([(-each[:, 2].max(), -each[:, 2].min()) for each in corners]).T
    level = max(float(np.hypot(*lamp.direction[:2])), 1e-6)
    along = lamp.direction[:2] / level
    across = np.array([-along[1], along[0]])
    ahead = centres @ along - (middles[:, :2] @ along)[:, None]
    beside = np.abs(centres @ across - (middles[:, :2] @ across)[:, None])
    face, thing = np.nonzero((ahead > 0) & (beside < radii + _SOFT_MM) & (owner[:, None] != np.arange(len(things))))
    height = -middles[face, 2] - ahead[face, thing] * lamp.direction[2] / level  # of the ray to the lamp over a thing
    edges = np.stack([radii[thing] - beside[face, thing], tops[thing] - height]) / _SOFT_MM + 0.5
    blocked = np.zeros(len(middles))
    np.maximum.at(blocked, face, np.clip(edges, 0, 1).prod(axis=0) * (height > feet[thing]))
    result: Floats = 1 - blocked
    return result


def _normals(faces: list[Floats]) -> Floats:
    """(F, 3) unit normals of flat faces with any number of corners."""
    padded = np.stack([face[np.minimum(np.arange(_MOST_CORNERS), len(face) - 1)] for face in faces])
    ahead = np.roll(padded, -1, axis=1)
    total = np.cross(padded, ahead).sum(axis=1)
    result: Floats = total / np.maximum(np.linalg.norm(total, axis=1, keepdims=True), 1e-9)
    return result


def _shaded(colours: Floats, normals: Floats, to_eye: Floats, lit: Floats, lamp: Lamp) -> Floats:
    """(F, 3) light that faces send to the camera."""
    towards = np.maximum(0.0, normals @ lamp.direction) * lit
    half = lamp.direction + to_eye / np.linalg.norm(to_eye, axis=1, keepdims=True)
    half /= np.linalg.norm(half, axis=1, keepdims=True)
    gloss = lamp.shine * lit * np.maximum(0.0, (normals * half).sum(axis=1)) ** 24
    facing_sky = 0.65 - 0.35 * normals[:, 2]
    light = lamp.ambient * facing_sky[:, None] + lamp.direct * towards[:, None]
    result: Floats = colours * light + lamp.direct * gloss[:, None]
    return result


def _shine_through(canvas: Canvas, behind: Light, things: list[Thing]) -> None:
    """Lets what lies behind show through clear pieces, in their colour."""
    for thing in things:
        if thing.clear:
            own = canvas.owners == thing.ident
            colour = (thing.colour / max(float(thing.colour.max()), 0.05)).astype(np.float32)
            canvas.light[own] = canvas.light[own] * np.float32(1 - thing.clear) + (
                behind[own] * colour * np.float32(thing.clear)
            )
