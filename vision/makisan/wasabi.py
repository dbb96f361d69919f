"""The Wasabi: a green heap on top of one maki, or on its owner's dish beside the mat.

At most one lies on the line. The dishes say whose it is: the one that is not on its dish.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import NamedTuple, cast

import cv2
import numpy as np

from companion.games.makisan.board import SIDES
from vision.locate.pose import Floats, Picture, View
from vision.makisan.colours import heap_likeness, hues_of
from vision.makisan.facade import Facade
from vision.makisan.lamp import LIGHT_PX_PER_MM, Field, Light, logs_of
from vision.makisan.layout import DISHES_MM
from vision.makisan.row import Spot

_HIGHS_MM, _DEEPS_MM = (19.0, 21.0, 23.0, 25.5), (18.0, 21.0, 24.0)  # of makis
_RADIUS_MM, _RISES_MM = 5.0, (1.5, 3.5, 5.5)  # of the heap: where it surely is
_FLANKS_MM, _FLANK = (-9.5, -8.5, 8.5, 9.5), 0.8  # beside the heap; how much green there counts against one
_DISH_RADIUS_MM, _DISH_RISES_MM = 4.5, (2.0, 4.0)
_NONE = 0.5  # chance that none is on the line
_TORN, _LESS, _MORE, _MOST = 0.2, 16.0, 11.0, 5.0  # a look that says nothing; what less and more of it say, and at most


class Dish(NamedTuple):
    """How much of a dish's middle looks like Wasabi, and how much like bare china."""

    heap: float
    china: float


def heaps_of(facade: Facade, spots: Sequence[Spot], shift: tuple[float, float]) -> Floats:
    """(N,) how much each maki looks as if it carried a Wasabi, 0 to 1."""
    warm, cold, light = np.moveaxis(hues_of(facade.seen, facade.depth), -1, 0)
    green = cv2.blur(heap_likeness(warm - np.float32(shift[0]), cold - np.float32(shift[1]), light), (3, 3))
    return np.array([_heap(facade, spot, cast(Field, green)) for spot in spots])


def _heap(facade: Facade, spot: Spot, green: Field) -> float:
    """The best of the sizes: how green both the whole heap and the front of it are.

    A far side that shows on top may be as green as Wasabi, but it is not to be seen in front of the middle, and it is
    as broad as the maki.
    """
    x, y = spot.at_mm
    dome, best = _dome(facade.side), 0.0
    for high, deep in product(_HIGHS_MM, _DEEPS_MM):
        top = np.array([x, y - facade.side * deep / 2, high])
        at = facade.on_wall(dome + top).astype(np.float32)
        values = cv2.remap(green, at[:, 0], at[:, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT).ravel()
        heap, flanks = values[: -len(_FLANKS_MM)].reshape(len(_RISES_MM), -1), values[-len(_FLANKS_MM) :]
        front = float(heap[:2, 2:-2].mean()) - _FLANK * float(flanks.mean())
        best = max(best, min(float(heap.mean()), front))
    return best


def _dome(side: int) -> Floats:
    """(N, 3) points on the half of a heap that faces the camera, ring by ring, about the middle of its foot; then those
    beside it."""
    angles = np.linspace(0.0, np.pi, 7) * side
    rings = [
        np.column_stack([shrink * _RADIUS_MM * np.cos(angles), shrink * _RADIUS_MM * np.sin(angles), np.full(7, rise)])
        for rise, shrink in zip(_RISES_MM, (1.0, 0.8, 0.5), strict=True)
    ]
    flanks = [(x, side * _RADIUS_MM, _RISES_MM[0]) for x in _FLANKS_MM]
    return np.concatenate([*rings, flanks])


def dishes_of(picture: Picture, view: View, light: Light, depth: float) -> dict[str, Dish]:
    return {side: _dish(picture, view, light, depth, at) for side, at in DISHES_MM.items()}


def _dish(picture: Picture, view: View, light: Light, depth: float, at: tuple[float, float]) -> Dish:
    angles = np.linspace(0.0, 2 * np.pi, 12, endpoint=False)
    ring = np.column_stack([np.cos(angles), np.sin(angles)])
    flat = np.concatenate([share * _DISH_RADIUS_MM * ring for share in (0.4, 1.0)]) + at
    points = np.concatenate([np.column_stack([flat, np.full(len(flat), -rise)]) for rise in _DISH_RISES_MM])
    pixels = np.round(view.project(points)).astype(int)
    inside = (pixels >= 0).all(axis=1) & (pixels < picture.shape[1::-1]).all(axis=1)
    if not inside.all():
        return Dish(0.0, 0.0)
    column, row = (round(value * LIGHT_PX_PER_MM) for value in at)
    seen = np.exp(logs_of(picture[pixels[:, 1], pixels[:, 0]]) - light.gain[row, column]) / np.float32(255)
    warm, cold, bright = hues_of(cast(Field, seen), depth).T
    china = (np.hypot(warm, cold) < 0.22) & (bright > np.log(0.3))
    return Dish(float(heap_likeness(warm, cold, bright).mean()), float(china.mean()))


def on_line(heaps: Floats, dishes: Mapping[str, Dish]) -> list[dict[str, float]]:
    """For every maki of the line the chances that it carries a Wasabi, by the side whose it is."""
    if not len(heaps):
        return []
    away = {side: _away(dish) for side, dish in dishes.items()}
    south, north = (away[side] for side in SIDES)
    # Without one on the line both wait on their dishes, or both were left in the box.
    one = south + north - 2 * south * north
    none = _NONE * (0.5 * (1 - south) * (1 - north) + 0.45 * south * north + 0.025 * one)
    weights = {
        side: (1 - _NONE) / 2 * away[side] * (0.9 * (1 - away[other]) + 0.1 * away[other])
        for side, other in zip(SIDES, reversed(SIDES), strict=True)
    }
    above = heaps - _TORN
    logs = np.where(above < 0, _LESS, _MORE) * above
    looks = np.exp(logs - max(0.0, float(logs.max()) - _MOST))
    total = none * len(heaps) + sum(weights.values()) * float(looks.sum())
    return [{side: weight * float(look) / total for side, weight in weights.items()} for look in looks]


def _away(dish: Dish) -> float:
    """The chance that a dish is empty."""
    if dish.china > 0.5:
        return 0.985
    return 0.015 if dish.heap > 0.12 else 0.5
