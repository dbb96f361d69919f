"""What lies on the sheet besides its tiles: the picture less the sheet as it would look with nothing else on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.maori.art import tile_look
from vision.maori.flat import MIDDLE, Field, Flat, Lies, grey_of
from vision.sheets.canvas import Point
from vision.sheets.maori.layout import TILE_MM

Flags = NDArray[np.bool_]

_STRANGE = 0.3  # difference in logs, in any channel
_PER_DARKNESS, _LIGHT_INK = 0.5, 4.9  # how much more it must be on ink darker than this
_SHADE_MM, _LAMP_MM = 16.0, 60.0  # how far brightness and colour of the light reach
_HAND_MM2 = 900.0  # what is larger than this is no piece of the game
_TILE_REACH_MM = 28.0  # from a tile's middle beyond its corners
_GRAIN_PX = 3  # what is thinner is an edge not quite in its place


class Strange(NamedTuple):
    """Fields (H, W, ...) at `MIDDLE`. `mask`: what is not as expected; `large`: the parts of it that are no pieces;
    `expected`: logs of the sheet with its tiles; `colours`: logs of what is seen, under white light. Both BGR."""

    mask: Flags
    large: Flags
    expected: Field
    colours: Field


def strange_things(flat: Flat, printed: Field, tiles: Sequence[tuple[str, Lies]]) -> Strange:
    """What differs from the sheet with these tiles on it."""
    seen, expected = flat.logs[MIDDLE], with_tiles(printed, tiles)
    rows, columns = (min(a, b) for a, b in zip(seen.shape[:2], expected.shape[:2], strict=True))
    seen, expected = seen[:rows, :columns], expected[:rows, :columns]
    light = _light(seen - expected)
    rest = seen - expected - light
    # A part out of place by half a millimetre differs along its edges: what a neighbour explains is not strange.
    low, high = (_spread(expected, kind) for kind in (cv2.MORPH_ERODE, cv2.MORPH_DILATE))
    above, below = seen - light - high, low - (seen - light)
    apart = _highest(np.maximum(above, below))
    # Black ink is never as black as expected: a camera's flare and noise are large there, in logs.
    limit = _STRANGE + _PER_DARKNESS * np.maximum(0, _LIGHT_INK + _highest(-low))
    mask = cv2.morphologyEx((apart > limit).astype(np.uint8), cv2.MORPH_OPEN, np.ones((_GRAIN_PX, _GRAIN_PX)))
    return Strange(mask > 0, _large(mask), expected, cast(Field, rest + expected))


def _large(mask: NDArray[Any]) -> Flags:
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
    is_large = stats[:, cv2.CC_STAT_AREA] > _HAND_MM2 * MIDDLE**2
    is_large[0] = False  # what is not marked
    return cast(Flags, is_large[labels])


def with_tiles(printed: Field, tiles: Sequence[tuple[str, Lies]]) -> Field:
    """The empty sheet's logs with tiles painted over them."""
    drawn = printed.copy()
    side = round(TILE_MM * MIDDLE)
    middle = np.array([(side - 1) / 2] * 2)
    for tile, lies in tiles:
        c, s = np.cos(np.radians(lies.angle_deg)), np.sin(np.radians(lies.angle_deg))
        turn = np.array([[c, -s], [s, c]])
        at = np.array([lies.x_mm, lies.y_mm]) * MIDDLE - 0.5
        low = np.maximum(np.round(at - _TILE_REACH_MM * MIDDLE).astype(int), 0)
        part = drawn[low[1] : round(at[1] + _TILE_REACH_MM * MIDDLE), low[0] : round(at[0] + _TILE_REACH_MM * MIDDLE)]
        matrix, size = np.column_stack([turn, at - low - turn @ middle]), part.shape[1::-1]
        face = cv2.warpAffine(tile_look(tile), matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        inside = cv2.warpAffine(np.ones((side, side), np.uint8), matrix, size, flags=cv2.INTER_NEAREST)
        part[inside > 0] = face[inside > 0]
    return drawn


def _light(ratio: Field) -> Field:
    """What the lamp makes of the paper everywhere, strange things left out: they are of other colours than the lamp."""
    small = cast(Field, cv2.resize(ratio, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA))
    brightness = grey_of(small)[..., None]
    chroma = small - brightness
    weight = np.ones(small.shape[:2], np.float32)
    for _ in range(3):
        light = _mean(brightness, weight, _SHADE_MM) + _mean(chroma, weight, _LAMP_MM)
        far = np.abs(small - light).max(axis=2) / 0.25
        weight = (1 / (1 + far**4) + 1e-4).astype(np.float32)
    return cast(Field, cv2.resize(light, ratio.shape[1::-1], interpolation=cv2.INTER_LINEAR))


def _mean(field: Field, weight: Field, reach_mm: float) -> Field:
    """The weighted mean around every point of a field at a quarter of `MIDDLE`."""
    stack = np.dstack([field * weight[..., None], weight])
    blurred = cv2.GaussianBlur(stack, (0, 0), reach_mm * MIDDLE / 4)
    return cast(Field, blurred[..., :-1] / np.maximum(blurred[..., -1:], 1e-6))


def _highest(field: Field) -> Field:
    """(H, W) the largest channel."""
    return cast(Field, np.maximum(np.maximum(field[..., 0], field[..., 1]), field[..., 2]))


def _spread(field: Field, kind: int) -> Field:
    return cast(Field, cv2.morphologyEx(field, kind, np.ones((_GRAIN_PX, _GRAIN_PX))))


def mean_in(field: Field | Flags, middle: Point, width_mm: float, height_mm: float) -> float:
    """The mean over a box around a point, upright on the sheet: of flags, their share."""
    low = [max(0, round((at - side / 2) * MIDDLE)) for at, side in zip(middle, (width_mm, height_mm), strict=True)]
    high = [round((at + side / 2) * MIDDLE) for at, side in zip(middle, (width_mm, height_mm), strict=True)]
    return float(field[low[1] : high[1], low[0] : high[0]].mean())
