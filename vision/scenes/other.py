"""Scenes of other games: any printed sheet with any things on it, in the same rooms, lamps and cameras as our islands.

A game brings its sheet and makes its own pieces; chance, light, clutter, hands and the lens are those of `setting.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from companion.games.makabana.board import load_board
from vision.scenes.arrays import Bytes, Xy, linear_of_srgb
from vision.scenes.camera import Camera
from vision.scenes.ground import height_at
from vision.scenes.pieces import Thing
from vision.scenes.position import Position
from vision.scenes.printed import Print, relief_of
from vision.scenes.scene import photograph
from vision.scenes.setting import setting_on
from vision.scenes.spec import SceneSpec, Setting
from vision.scenes.tables import mip_levels, words
from vision.scenes.truth import judge_things
from vision.sheets.geometry import Box, Marker, Sheet, sheet_geometry

PIECE = "piece"  # the kind of a thing that belongs on the board
# Puts the pieces down: it is told how high the paper is at a point of the world frame (mm, middle of the sheet).
PutDown = Callable[[Callable[[Xy], float]], Sequence[Thing]]


class OtherSheet(NamedTuple):
    """A printed sheet. Points in mm from its top left corner; `pixels` are RGB at 200 dpi."""

    pixels: Bytes
    size_mm: Xy
    places_mm: Mapping[str, Xy]
    place_mm: float  # diameter of what must be seen of a place
    markers: tuple[Marker, ...]


@dataclass(frozen=True)
class Shot:
    """A picture (rows, columns, 3), BGR with 8 bits. `covered` is the share of each place that hands or clutter hide;
    `visible` the share of each piece, in the order they were put down, that is to be seen."""

    image: Bytes
    camera: Camera
    covered: Mapping[str, float]
    visible: tuple[float, ...]
    setting: Setting


def other_setting(sheet: OtherSheet, spec: SceneSpec) -> Setting:
    """Everything but the pieces, drawn by chance from the spec's seed; its board and position count for nothing."""
    return setting_on(_as_ours(sheet), spec, Position())


def shoot_other(sheet: OtherSheet, setting: Setting, put_down: PutDown) -> Shot:
    """Takes the picture. Pieces are things of the kind `PIECE`, each with the name of its place."""
    own, relief = _as_ours(sheet), relief_of(setting.paper, sheet.size_mm)
    pieces = [*put_down(lambda at: height_at(relief, at, sheet.size_mm))]
    found = photograph(setting, own, _print_of(sheet.pixels), pieces)
    covered, visible = judge_things(own, setting.camera, len(pieces), found.things, found.seen)
    return Shot(found.image, setting.camera, covered, visible, setting)


def _as_ours(sheet: OtherSheet) -> Sheet:
    """The sheet in the form that scenes know; its board is only what clutter takes its spare pieces from."""
    ours = sheet_geometry(load_board("maka-bana"))
    return ours._replace(
        size_mm=sheet.size_mm,
        art_mm=Box(0.0, 0.0, *sheet.size_mm),
        plot_mm=sheet.place_mm,
        sites_mm=sheet.places_mm,
        clubs_mm={},
        markers=sheet.markers,
    )


def _print_of(pixels: Bytes) -> Print:
    coloured = words(linear_of_srgb(np.arange(256) / 255.0))[pixels]
    full = np.full((*pixels.shape[:2], 1), 65535, np.uint16)
    return Print(mip_levels(np.concatenate([coloured, full], axis=2)))
