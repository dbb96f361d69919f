"""A place compared with every tile in every turn, and with the empty sheet: for codes that are hidden or too small."""

from __future__ import annotations

from collections.abc import Set
from functools import cache
from typing import NamedTuple, cast

import cv2
import numpy as np

from companion.games.maori.board import TURNS, load_tiles
from vision.locate.pose import Picture
from vision.maori.flat import COARSE, MIDDLE, Field, Flat, Lies, grey_of, logs_of, normalised, patch
from vision.maori.reference import tile_pictures
from vision.reference import Reference
from vision.sheets.canvas import Point
from vision.sheets.maori.layout import TILE_MARKER_AT, TILE_MM

TILES = tuple(load_tiles("ours").tiles)
_COARSE_MM = tuple(np.arange(-5.0, 5.1, 1.0))
_COARSE_DEG = (-7.0, -3.5, 0.0, 3.5, 7.0)
_EMPTY_MM = (-1.5, -0.75, 0.0, 0.75, 1.5)  # how far a bent sheet may be off
_CELL_MM = 39.5  # of the print around a place: its dotted line is seen only where nothing lies
_PLATE_FROM_MM = TILE_MARKER_AT - 2.0  # of a tile, to the right and down from here its code lies
_BEST = 10  # of all tiles and turns, to be compared closely
_OUTLIER = 0.45  # in logs: what differs more is something else lying there, however much it differs
_CONTRAST = (0.4, 1.4)  # of what is seen to what was printed
_SOFT_MM = 0.25  # about what a camera blurs


class Match(NamedTuple):
    """A tile as it may lie, the mean square by which the picture differs from it, and how much of its fine drawing is
    seen, its code left out."""

    tile: str
    turn: int
    lies: Lies
    misfit: float
    likeness: float


class Fit(NamedTuple):
    """A place against what may be there: the mean square by which it differs, how much of the fine drawing is seen."""

    misfit: float
    likeness: float


def matches(flat: Flat, middle: Point, taken: Set[str] = frozenset()) -> list[Match]:
    """The tiles that a place most looks like, best first, found without any code; those `taken` lie elsewhere."""
    ways = [
        Lies(middle[0] + dx, middle[1] + dy, askew) for askew in _COARSE_DEG for dx in _COARSE_MM for dy in _COARSE_MM
    ]
    seen = normalised(np.stack([patch(flat.logs[COARSE], COARSE, way, TILE_MM) for way in ways]))
    scores = seen @ _coarse_looks().T
    best_way = scores.argmax(axis=0)
    order = [each for each in np.argsort(scores.max(axis=0))[::-1] if TILES[int(each) // 4] not in taken]
    found = []
    for each in order[:_BEST]:
        turn, lies = TURNS[int(each) % 4], ways[int(best_way[each])]
        start = lies._replace(angle_deg=lies.angle_deg + turn)
        found.append(closely(flat, TILES[int(each) // 4], turn, start))
    return sorted(found, key=lambda match: match.misfit)


def closely(flat: Flat, tile: str, turn: int, start: Lies) -> Match:
    """How well a tile fits that lies about so, its place made better on the way."""
    template = normalised(tile_look(tile)[None])[0]
    lies = start
    for step in (0.6, 0.3):
        ways = [
            Lies(lies.x_mm + dx * step, lies.y_mm + dy * step, lies.angle_deg + da * step * 2)
            for dx in (-1, 0, 1)
            for dy in (-1, 0, 1)
            for da in (-1, 0, 1)
        ]
        seen = normalised(np.stack([patch(flat.logs[MIDDLE], MIDDLE, way, TILE_MM) for way in ways]))
        lies = ways[int((seen @ template).argmax())]
    found = patch(flat.logs[MIDDLE], MIDDLE, lies, TILE_MM)
    likeness = normalised(_drawing(found)[None]) @ normalised(_drawing(tile_look(tile))[None]).T
    return Match(tile, turn, lies, misfit(found, tile_look(tile)), float(likeness[0, 0]))


def _drawing(tile: Field) -> Field:
    """The fine lines of a tile without its code."""
    lines = _lines(tile)
    first = round(_PLATE_FROM_MM * MIDDLE)
    lines[first:, first:] = 0.0
    return lines


def bareness(flat: Flat, printed: Field, middle: Point) -> Fit:
    """How a place compares with the empty sheet, whose logs are `printed` at `MIDDLE`."""
    straight = Lies(*middle, 0.0)
    own = patch(printed, MIDDLE, straight, TILE_MM)
    lines = normalised(_lines(patch(printed, MIDDLE, straight, _CELL_MM))[None])[0]
    ways = [Lies(middle[0] + dx, middle[1] + dy, 0.0) for dx in _EMPTY_MM for dy in _EMPTY_MM]
    around = np.stack([_lines(patch(flat.logs[MIDDLE], MIDDLE, way, _CELL_MM)) for way in ways])
    likeness = normalised(around) @ lines
    best = ways[int(likeness.argmax())]
    return Fit(misfit(patch(flat.logs[MIDDLE], MIDDLE, best, TILE_MM), own), float(likeness.max()))


def _lines(seen: Field) -> Field:
    """(H, W) the fine print of a patch of logs, without what is wide and soft."""
    grey = grey_of(seen)
    return cast(Field, grey - cv2.GaussianBlur(grey, (0, 0), 1.5 * MIDDLE))


def misfit(seen: Field, expected: Field) -> float:
    """The mean square difference of two (H, W, 3) patches of logs, whatever the lamp, a few outliers counting little.

    Light may fall off across the patch, and a camera flatten the contrast: both are fitted, channel by channel.
    """
    rows, columns = seen.shape[:2]
    y, x = np.mgrid[:rows, :columns].astype(np.float32)
    plane = np.stack([np.ones(rows * columns, np.float32), x.ravel() / columns - 0.5, y.ravel() / rows - 0.5], 1)
    total = 0.0
    for channel in range(3):
        wanted, model = seen[..., channel].ravel(), expected[..., channel].ravel()
        weight = np.ones_like(wanted)
        for _ in range(3):
            basis = np.column_stack([plane, model])
            weighted = basis * weight[:, None]
            values = np.linalg.solve(weighted.T @ basis + 1e-3 * np.eye(4), weighted.T @ wanted)
            contrast = float(np.clip(values[3], *_CONTRAST))
            rest = wanted - contrast * model
            values = np.linalg.solve((plane * weight[:, None]).T @ plane, (plane * weight[:, None]).T @ rest)
            difference = rest - plane @ values
            weight = 1 / (1 + (difference / _OUTLIER) ** 4)
        total += float(np.minimum(difference**2, _OUTLIER**2).mean())
    return total / 3


@cache
def tile_look(tile: str) -> Field:
    """(H, W, 3) logs of a tile at `MIDDLE`, as soft as a camera makes it."""
    return _soft(tile_pictures()[tile], MIDDLE)


@cache
def _coarse_looks() -> Field:
    """(tiles x turns, pixels): every tile in its four turns, normalised."""
    looks = [
        np.rot90(_soft(tile_pictures()[tile], COARSE), -quarter) for tile in TILES for quarter in range(len(TURNS))
    ]
    return normalised(np.stack(looks))


def _soft(picture: Picture, scale: float) -> Field:
    side = round(TILE_MM * scale)
    soft = cv2.GaussianBlur(picture, (0, 0), _SOFT_MM * picture.shape[0] / TILE_MM)
    return logs_of(cast(Picture, cv2.resize(soft, (side, side), interpolation=cv2.INTER_AREA)))


def printed_logs(reference: Reference) -> Field:
    """The empty sheet in logs at `MIDDLE`."""
    size = tuple(round(side * MIDDLE) for side in reference.size_mm)
    return logs_of(cast(Picture, cv2.resize(reference.picture, size, interpolation=cv2.INTER_AREA)))
