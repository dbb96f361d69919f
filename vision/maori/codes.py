"""Which code a tile shows, however small: found by its plate, then compared with all codes at once.

A code that is two pixels a bit is past what a decoder of squares can read, but not past comparing: where it lies is
nearly known, and of 97 printed codes any two differ in many bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, cast

import cv2
import numpy as np

from companion.games.maori.board import TURNS
from vision.maori.flat import FINE, MIDDLE, Field, Flat, Lies, normalised, patch
from vision.sheets.canvas import Point
from vision.sheets.maori.layout import (
    DICTIONARY,
    MARKER_CELLS,
    SHIP_MARKER_MM,
    TILE_MARKER_AT,
    TILE_MARKER_MM,
    TILE_MM,
    ship_marker_id,
    tile_marker_ids,
)

OFF_MM = TILE_MARKER_AT + TILE_MARKER_MM / 2 - TILE_MM / 2  # of a code from the tile's middle, to the right and down
_REACH_MM = 6.6  # how far a code may lie from where a tile in its place would have it
_ASKEW = (-8.0, -4.0, 0.0, 4.0, 8.0)
_WINDOW_CELLS = 8.0  # of a plate that are compared when it is looked for: its white rim is not always whole
_CODE_CELLS = 8.4  # and when it is read
_SOFT_CELLS = 0.28  # how far a camera blurs a code
_DEEP = 40  # px per cell at which templates are drawn
_SHIFTS_MM = (-0.7, 0.0, 0.7)
_TURNS = (-2.6, 0.0, 2.6)
_PEAKS = 2
_LEAST_PLATE = 0.3  # correlation below which nothing looks like a code
_CLEAR, _CLEAR_MARGIN = 0.85, 0.1  # a code read so well needs no second look elsewhere


class Code(NamedTuple):
    """A code as seen: `likeness` (ids,) its correlation with every printed code, at the best way for each."""

    lies: Lies  # the code's own middle
    turn: int  # of its tile: 0, 90, 180 or 270
    likeness: Field
    plate: float  # correlation with what all codes have in common

    @property
    def margin(self) -> float:
        """By how much the likeliest code is ahead of the next."""
        second, first = np.partition(self.likeness, -2)[-2:]
        return float(first - second)

    @property
    def tile_lies(self) -> Lies:
        x, y = self.lies.part(-OFF_MM, -OFF_MM)
        return Lies(x, y, self.lies.angle_deg)


def plates(flat: Flat) -> list[Field]:
    """For every angle of `_ASKEW`, how much each point of the sheet looks like the middle of a plate ((H, W))."""
    found = []
    for askew in _ASKEW:
        template = _plate(TILE_MARKER_MM / MARKER_CELLS, askew)
        response = cv2.matchTemplate(flat.grey[MIDDLE], template, cv2.TM_CCOEFF_NORMED)
        pad = template.shape[0] // 2
        rest = template.shape[0] - 1 - pad
        found.append(cast(Field, cv2.copyMakeBorder(response, pad, rest, pad, rest, cv2.BORDER_CONSTANT, value=-1.0)))
    return found


def codes_near(flat: Flat, responses: list[Field], middle: Point) -> list[Code]:
    """What may be the code of a tile on the place at `middle`, the likeliest first; often nothing."""
    spots = []
    for turn in TURNS:
        corner = Lies(*middle, turn).part(OFF_MM, OFF_MM)
        spots += [(plate, turn, at) for at, plate in _peaks(responses, corner) if plate > _LEAST_PLATE]
    found: list[Code] = []
    for plate, turn, at in sorted(spots, reverse=True):
        found.append(_read(flat, at, turn, plate))
        if found[-1].likeness.max() > _CLEAR and found[-1].margin > _CLEAR_MARGIN:
            break
    return sorted(found, key=lambda code: -float(code.likeness.max()))


def _peaks(responses: list[Field], middle: Point) -> list[tuple[Lies, float]]:
    """The best few places for a plate near a point, with their angle."""
    rows, columns = responses[0].shape
    low = [max(0, round((value - _REACH_MM) * MIDDLE)) for value in middle]
    high = [min(most, round((value + _REACH_MM) * MIDDLE)) for value, most in zip(middle, (columns, rows), strict=True)]
    window = np.stack([field[low[1] : high[1], low[0] : high[0]] for field in responses])
    best, which = window.max(axis=0), window.argmax(axis=0)
    found = []
    for _ in range(_PEAKS):
        row, column = np.unravel_index(int(best.argmax()), best.shape)
        value = float(best[row, column])
        at = ((low[0] + int(column) + 0.5) / MIDDLE, (low[1] + int(row) + 0.5) / MIDDLE)
        found.append((Lies(*at, _ASKEW[int(which[row, column])]), value))
        best[max(0, row - 3) : row + 4, max(0, column - 3) : column + 4] = -1.0
    return found


def _read(flat: Flat, at: Lies, turn: int, plate: float) -> Code:
    """The reading of a code near a point, its place and angle made better on the way."""
    likeness, lies = _closest(flat, at._replace(angle_deg=at.angle_deg + turn), tile_codes(), TILE_MARKER_MM)
    return Code(lies, turn, likeness, plate)


@cache
def tile_codes() -> Field:
    """(ids, pixels) every tile's code as a camera sees it, normalised, in the order of the tiles."""
    return _codes(tuple(tile_marker_ids().values()), TILE_MARKER_MM / MARKER_CELLS)


def _codes(ids: Sequence[int], cell_mm: float) -> Field:
    count = round(cell_mm * _CODE_CELLS * FINE)
    return normalised(np.stack([_shown(_drawn(ident), count, _CODE_CELLS, 0.0) for ident in ids]))


@cache
def _drawn(ident: int) -> Field:
    """A code with two cells of white around it, in logs, `_DEEP` px per cell."""
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    code = cv2.aruco.generateImageMarker(dictionary, ident, MARKER_CELLS * _DEEP)
    rim = 2 * _DEEP
    framed = cv2.copyMakeBorder(code, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=255)
    soft = cv2.GaussianBlur(framed.astype(np.float32), (0, 0), _SOFT_CELLS * _DEEP)
    return cast(Field, np.log(soft + 40.0))


def _shown(drawn: Field, count: int, cells: float, askew: float) -> Field:
    """The middle `cells` of a drawn code, turned, as `count` pixels a side."""
    step = cells * _DEEP / count
    c, s = np.cos(np.radians(askew)), np.sin(np.radians(askew))
    turn = np.array([[c, s], [-s, c]]) * step
    middle = np.array([(drawn.shape[1] - 1) / 2, (drawn.shape[0] - 1) / 2])
    matrix = np.column_stack([turn, middle - turn @ np.array([(count - 1) / 2] * 2)])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    shrunk = cv2.blur(drawn, (max(1, round(step)),) * 2)
    return cast(Field, cv2.warpAffine(shrunk, matrix, (count, count), flags=flags))


@cache
def _plate(cell_mm: float, askew: float) -> Field:
    """What all codes have in common, turned by some degrees, at `MIDDLE`."""
    count = round(cell_mm * _WINDOW_CELLS * MIDDLE)
    mean = np.mean([_drawn(ident) for ident in tile_marker_ids().values()], axis=0)
    return _shown(cast(Field, mean), count, _WINDOW_CELLS, askew)


@cache
def _ship_codes() -> Field:
    """(1 + ids, pixels): the ship's code, then those of all tiles as they would look in its size."""
    return _codes((ship_marker_id(), *tile_marker_ids().values()), SHIP_MARKER_MM / MARKER_CELLS)


@cache
def _ship_look(angle_deg: float) -> Field:
    count = round(SHIP_MARKER_MM / MARKER_CELLS * _WINDOW_CELLS * MIDDLE)
    return _shown(_drawn(ship_marker_id()), count, _WINDOW_CELLS, angle_deg)


def ship_code(flat: Flat, low: Point, high: Point, angle_deg: float) -> tuple[float, float, Lies]:
    """The ship's code in a box of the sheet, turned about so: its likeness, how far it is ahead of other codes, and
    where it is."""
    (left, top), (right, bottom) = (tuple(max(0, round(value * MIDDLE)) for value in corner) for corner in (low, high))
    strip = flat.grey[MIDDLE][top:bottom, left:right]
    best, found = -1.0, Lies(*low, angle_deg)
    for askew in _ASKEW:
        template = _ship_look(angle_deg + askew)
        response = cv2.matchTemplate(strip, template, cv2.TM_CCOEFF_NORMED)
        _, value, _, (x, y) = cv2.minMaxLoc(response)
        if value > best:
            half = template.shape[0] / 2
            best, found = value, Lies((left + x + half) / MIDDLE, (top + y + half) / MIDDLE, angle_deg + askew)
    likeness, lies = _closest(flat, found, _ship_codes(), SHIP_MARKER_MM)
    return float(likeness[0]), float(likeness[0] - likeness[1:].max()), lies


def _closest(flat: Flat, start: Lies, codes: Field, side_mm: float) -> tuple[Field, Lies]:
    """The likeness to all codes where one of them is seen best, near a start."""
    lies, likeness = start, np.zeros(0, np.float32)
    for step in (1.0, 0.5, 0.25):
        ways = [
            Lies(lies.x_mm + dx * step, lies.y_mm + dy * step, lies.angle_deg + da * step)
            for dx in _SHIFTS_MM
            for dy in _SHIFTS_MM
            for da in _TURNS
        ]
        size = side_mm / MARKER_CELLS * _CODE_CELLS
        seen = normalised(np.stack([patch(flat.grey[FINE], FINE, way, size) for way in ways]))
        scores = seen @ codes.T
        lies = ways[int(scores.max(axis=1).argmax())]
        likeness = scores.max(axis=0)
    return cast(Field, likeness), lies
