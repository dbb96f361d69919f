"""Ship and boats: solids, or our printed ones, found as what is on the sheet besides tiles."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.locate.pose import Floats
from vision.maori.codes import ship_code
from vision.maori.flat import FACE_MM, MIDDLE, Field, Flat, grey_of
from vision.maori.strange import Flags, Strange, mean_in
from vision.maori.surfaces import berth_angle
from vision.sheets.canvas import Point
from vision.sheets.maori.layout import PITCH_MM, SHIP_MARKER_MM, SHIP_MM

NOWHERE = ""
# What people call by these names (BGR); how strongly a boat must show its colour, and differ in it from the tile.
_NAMED = {
    "blue": (190.0, 90.0, 40.0),
    "red": (45.0, 45.0, 190.0),
    "yellow": (50.0, 190.0, 225.0),
    "green": (70.0, 140.0, 50.0),
    "violet": (150.0, 55.0, 100.0),
}
_LEAST_STRENGTH, _LEAST_CHANGE, _LEAST_LIKENESS = 0.16, 0.13, 0.72
_LEAST_BOAT_MM2, _SURE_BOAT_MM2, _MOST_BOAT_MM2 = 4.0, 9.0, 600.0
_CELL_REACH_MM = 22.0  # from a cell's middle
_ALONE_MM2, _BESIDE = 700.0, 0.2  # a part of anything larger is hardly a boat
_MOST_SURE, _MOST_BY_LOOKS = 0.9975, 0.98
_BOAT_HALF_MM = 4.5  # from a boat's middle to its side
_CODE_OFF_MM = SHIP_MM[0] / 2 - 2.1 - SHIP_MARKER_MM / 2  # of the ship's code from its middle, towards the bow
_LIKENESS, _MARGIN = 0.7, 0.05  # of the ship's code, to be believed
_REACH_MM = 7.0
_HULL_MM, _HULL_HIGH_MM = (26.0, 9.0), 4.0
_PER_APART, _HALF_APART, _MOST_APART = 80.0, 0.05, 0.45  # by how much a hull differs from the water, in logs


def boat_odds(strange: Strange, colour: str, cells: Mapping[str, Point], eye_mm: Floats) -> dict[str, float]:
    """The cells on which the one boat of this colour may stand, each with its chance."""
    mask = _is_coloured(strange, colour) & ~strange.large
    count, labels, stats, _ = cv2.connectedComponentsWithStats(_joined(mask), connectivity=8)
    areas, around = stats[:, cv2.CC_STAT_AREA] / MIDDLE**2, _surroundings(strange)
    found: dict[str, tuple[float, float]] = {}  # how surely it is a boat, and how large
    for part in range(1, count):
        foot = _foot(np.argwhere(labels == part)[:, ::-1] / MIDDLE, eye_mm)
        cell = min(cells, key=lambda name: float(np.hypot(*(foot - cells[name]))))
        if _LEAST_BOAT_MM2 < areas[part] < _MOST_BOAT_MM2 and np.abs(foot - cells[cell]).max() < _CELL_REACH_MM:
            span = min(1.0, float(areas[part] - _LEAST_BOAT_MM2) / (_SURE_BOAT_MM2 - _LEAST_BOAT_MM2))
            alone = 1.0 if around[labels == part].max() < _ALONE_MM2 else _BESIDE
            found[cell] = max(found.get(cell, (0.0, 0.0)), (span * alone, float(areas[part]) * alone))
    total = sum(size**2 for _, size in found.values())
    return {cell: _MOST_SURE * sure * size**2 / total for cell, (sure, size) in found.items()}


def _surroundings(strange: Strange) -> Field:
    """(H, W) how many mm2 the strange thing has that each point belongs to; 0 where there is none."""
    whole = cv2.morphologyEx(strange.mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((9, 9)))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(whole, connectivity=8)
    areas = (stats[:, cv2.CC_STAT_AREA] / MIDDLE**2).astype(np.float32)
    areas[0] = 0.0
    return cast(Field, areas[labels])


def _joined(mask: Flags) -> NDArray[Any]:
    """The mask without holes, what is painted on a boat among them, and then without specks."""
    whole = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5)))
    return cv2.morphologyEx(whole, cv2.MORPH_OPEN, np.ones((4, 4)))


def _is_coloured(strange: Strange, colour: str) -> Flags:
    """Where the sheet shows a colour that was not printed there."""
    way = np.log(np.array(_NAMED[colour], np.float32))
    way = (way - way.mean()) / np.linalg.norm(way - way.mean())
    soft = cast(Field, cv2.GaussianBlur(strange.colours, (0, 0), 0.4 * MIDDLE))
    chroma = soft - grey_of(soft)[..., None]
    expected = strange.expected - grey_of(strange.expected)[..., None]
    strength, before = chroma @ way, cv2.dilate(cast(Field, expected @ way), np.ones((3, 3)))
    likeness = strength / np.maximum(np.linalg.norm(chroma, axis=2), 1e-3)
    change = strength - before
    return cast(Flags, (strength > _LEAST_STRENGTH) & (likeness > _LEAST_LIKENESS) & (change > _LEAST_CHANGE))


def _foot(points_mm: Floats, eye_mm: Floats) -> Floats:
    """Where something stands that is seen at these points: at their end towards the camera."""
    middle = points_mm.mean(axis=0)
    way = eye_mm[:2] - middle
    way = way / max(float(np.linalg.norm(way)), 1e-6)
    near = float(np.percentile((points_mm - middle) @ way, 92))
    return cast(Floats, middle + way * max(0.0, near - _BOAT_HALF_MM))


def ship_odds(
    flat: Flat, strange: Strange, berths: Mapping[str, Point], eye_mm: Floats, hidden: Set[str]
) -> dict[str, float]:
    """The chance of every berth to hold the ship, some of them being hidden; under `NOWHERE` that it is on none."""
    berth, chance = _coded_ship(flat, berths)
    if chance > 0.9:
        rest = (1 - chance) / len(berths)
        return {**{name: rest for name in berths}, NOWHERE: rest, berth: chance}
    apart = _apart(strange)
    found = {name: min(_MOST_APART, _hull_apart(apart, name, at, eye_mm)) for name, at in berths.items()}
    usual = float(np.median([*found.values()]))
    weights = {name: float(np.exp(_PER_APART * (value - usual - _HALF_APART))) for name, value in found.items()}
    weights |= {name: max(weights[name], 1.0) for name in hidden}  # it may be under a hand
    weights[NOWHERE] = 1.0
    if berth:
        weights[berth] += 3.0 * chance
    total = sum(weights.values())
    spared = (1 - _MOST_BY_LOOKS) / len(weights)
    return {name: _MOST_BY_LOOKS * weight / total + spared for name, weight in weights.items()}


def _coded_ship(flat: Flat, berths: Mapping[str, Point]) -> tuple[str, float]:
    """The berth at which the printed ship's code is seen, and how surely."""
    best = (0.0, 0.0, NOWHERE)
    for side in range(4):
        own = {name: at for name, at in berths.items() if berth_angle(name) == 90.0 * side}
        points = np.array([*own.values()])
        reach = (PITCH_MM / 2, _REACH_MM) if side % 2 == 0 else (_REACH_MM, PITCH_MM / 2)
        low, high = points.min(axis=0) - reach - 5.0, points.max(axis=0) + reach + 5.0
        for angle in (90.0 * side, 90.0 * side + 180.0):
            likeness, margin, lies = ship_code(flat, (low[0], low[1]), (high[0], high[1]), angle)
            if likeness > best[0] and margin > 0:
                middle = lies.part(-_CODE_OFF_MM, 0.0)
                berth = min(own, key=lambda name: float(np.hypot(own[name][0] - middle[0], own[name][1] - middle[1])))
                best = (likeness, margin, berth)
    likeness, margin, berth = best
    if likeness < _LIKENESS:
        return NOWHERE, 0.0
    return berth, _MOST_SURE / (1 + float(np.exp(-90.0 * (margin - _MARGIN / 2))))


def _apart(strange: Strange) -> Field:
    """(H, W) by how much the sheet differs from what is expected, in colour more than in brightness: shadows are none
    of the ship's."""
    large = cv2.dilate(strange.large.astype(np.uint8), np.ones((7, 7)))
    rest = cast(Field, cv2.GaussianBlur(strange.colours - strange.expected, (0, 0), 0.7 * MIDDLE))
    brightness = grey_of(rest)
    chroma = np.abs(rest - brightness[..., None]).max(axis=2)
    return cast(Field, np.where(large > 0, 0.0, chroma + 0.5 * np.abs(brightness)).astype(np.float32))


def _hull_apart(apart: Field, berth: str, middle: Point, eye_mm: Floats) -> float:
    """By how much the low hull of a ship on a berth would differ from the empty berth."""
    lift = (_HULL_HIGH_MM - FACE_MM) / max(float(eye_mm[2]), 50.0)
    x, y = (middle[axis] + (middle[axis] - float(eye_mm[axis])) * lift for axis in (0, 1))
    along = berth_angle(berth) % 180.0 == 0.0
    width, height = _HULL_MM if along else _HULL_MM[::-1]
    return mean_in(apart, (x, y), width, height)
