"""Pieces of a set as solids in the world frame."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from vision.scenes.arrays import Rgb, Xy, floats
from vision.scenes.clubs import CLUBS
from vision.scenes.huts import HUTS
from vision.scenes.mesh import Mesh, dropped, moved, painted, scaled, transformed, turn_about
from vision.scenes.noise import mottled
from vision.scenes.paints import PieceSet, Surface
from vision.scenes.position import Standing
from vision.scenes.tikis import TIKIS


class Thing(NamedTuple):
    """Something in the scene: its solid, its material and what it is ("hut", "hand", "clutter" ...)."""

    mesh: Mesh
    surface: Surface
    kind: str
    place: str = ""


@cache
def model(kind: str, name: str) -> Mesh:
    """A white model that stands on z = 0 about the origin."""
    return {"hut": HUTS, "tiki": TIKIS, "club": CLUBS}[kind][name]()


def piece_mesh(pieces: PieceSet, kind: str, colour: str) -> Mesh:
    """A painted piece of the set, standing about the origin."""
    name = {"hut": pieces.hut, "tiki": pieces.tiki, "club": pieces.club}[kind]
    return worn(scaled(model(kind, name), pieces.stretch), pieces.paints[colour], pieces.wear)


def worn(mesh: Mesh, paint: Rgb, wear: float) -> Mesh:
    """The mesh in its paint, rubbed lighter in places."""
    coloured = painted(mesh, paint)
    if wear <= 0:
        return coloured
    spots = mottled(floats(mesh.corners.reshape(-1, 3) * 0.37), 1.6).reshape(-1, 3, 1)
    rubbed = 0.35 * wear * np.clip(spots - 0.45, 0, 1)
    return coloured._replace(colours=floats(coloured.colours * (1 - rubbed) + rubbed * 0.55))


def standing_thing(pieces: PieceSet, piece: Standing, floor_mm: float) -> Thing:
    mesh = transformed(piece_mesh(pieces, piece.kind, piece.colour), turn_about("z", piece.yaw_deg))
    if piece.lean_deg > 0:
        way = turn_about("z", piece.lean_way_deg)
        lean = floats(way @ turn_about("x", piece.lean_deg) @ way.T)
        mesh = transformed(mesh, lean)
    mesh = moved(dropped(mesh, floor_mm), (piece.at_mm[0], piece.at_mm[1], 0.0))
    return Thing(mesh, pieces.surface, piece.kind, piece.place)


def lying_thing(
    pieces: PieceSet, kind: str, colour: str, at_mm: Xy, turns: tuple[float, float], floor_mm: float
) -> Thing:
    """A spare piece: `turns` are its roll about x (90 lies on its side, 180 on its head) and its yaw."""
    mesh = transformed(piece_mesh(pieces, kind, colour), floats(turn_about("z", turns[1]) @ turn_about("x", turns[0])))
    return Thing(moved(dropped(mesh, floor_mm), (at_mm[0], at_mm[1], 0.0)), pieces.surface, "spare")
