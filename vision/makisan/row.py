"""Finding the makis: at every rest the spot of the facade that most looks like a near face."""

from __future__ import annotations

from typing import NamedTuple, cast

import cv2
import numpy as np

from companion.games.makisan.board import COLOURS
from vision.locate.pose import Floats
from vision.makisan.colours import MAT
from vision.makisan.facade import PX_PER_MM, WALL_MM, Facade
from vision.makisan.lamp import Field
from vision.makisan.layout import LINE_Y_MM, RESTS_MM

_HALF_MM = 4.0  # half the breadth of the window in which a face shows its colour
_UP_MM = (5.0, 12.0)  # from a face's foot: the window's height. Any face of 17 mm and more fills it
_FRONT_MM = (-5.0, -1.5)  # from a face's foot: here the mat shows
_OFF_MM, _MOST_OFF_MM = 3.5, 7.6  # how far from its rest a maki stands: usually, at most
_DEEP_MM, _MOST_DEEP_MM = 3.7, 10.0  # how far its face is from the wall: usually, at most
_DARK = 0.87  # what a black window counts beside a coloured one: it may be the seaweed above the face
_PRINT_MM = 13.0  # half of what is compared with the print
_SOFTER_PX, _DETAIL_PX = 1.5, 8.0  # a camera draws softer than a printer; what is larger is light and not drawing


class Spot(NamedTuple):
    """What a rest shows: the likeliest face there. `filled` is the share of it that is not mat; `mat` how much shows
    of the mat in the middle of the rest, where a maki would hide it; `print` how much it looks as printed, at most 1;
    `column` and `row` of the face's foot, and where on the mat that is."""

    filled: float
    mat: float
    print: float
    column: int
    row: int
    at_mm: tuple[float, float]


def spots_of(facade: Facade, shades: Field) -> list[Spot]:
    """One for each rest, from the left."""
    faces = np.stack([_window(shades[index], _UP_MM) for index in range(len(COLOURS))])
    front = _window(shades[MAT], _FRONT_MM)
    bare = _window(shades[MAT], _UP_MM)
    rows, columns = front.shape
    x, y = facade.foot(*np.meshgrid(np.arange(columns, dtype=np.float64), np.arange(rows, dtype=np.float64)))
    deep = (y - LINE_Y_MM) * facade.side - WALL_MM
    plain = faces * np.where(np.array(COLOURS) == "black", _DARK, 1.0).astype(np.float32)[:, None, None]
    likely = 2 * np.log(plain.max(axis=0) + 0.02) + np.log(front + 0.15) - (deep / _DEEP_MM) ** 2 / 2
    likely[np.abs(deep) > _MOST_DEEP_MM] = -np.inf
    ground, prints = _ground(facade, shades[MAT]), _prints(facade)
    found = [_best(rest[0], likely, x) for rest in RESTS_MM]
    return [
        Spot(
            filled=1.0 - float(bare[row, column]),
            mat=mat,
            print=print_,
            column=column,
            row=row,
            at_mm=(float(x[row, column]), float(y[row, column])),
        )
        for (row, column), mat, print_ in zip(found, ground, prints, strict=True)
    ]


def face_pixels(seen: Field, spot: Spot) -> Field:
    """(N, 3) what the window of a spot's face shows."""
    half, (low, high) = round(_HALF_MM * PX_PER_MM), (round(up * PX_PER_MM) for up in _UP_MM)
    rows = slice(max(0, spot.row - high), max(1, spot.row - low))
    return seen[rows, max(0, spot.column - half) : spot.column + half + 1].reshape(-1, 3)


def _best(rest_x: float, likely: Floats, x: Floats) -> tuple[int, int]:
    """Row and column of the likeliest foot of a face near a rest."""
    off = x - rest_x
    score = np.where(np.abs(off) <= _MOST_OFF_MM, likely - (off / _OFF_MM) ** 2 / 2, -np.inf)
    row, column = np.unravel_index(int(score.argmax()), score.shape)
    return int(row), int(column)


def _window(chance: Field, up_mm: tuple[float, float]) -> Field:
    """(rows, columns) the mean over the window of a face whose foot is at each pixel."""
    high, half = round((up_mm[1] - up_mm[0]) * PX_PER_MM), round(_HALF_MM * PX_PER_MM)
    mean = cv2.blur(chance, (2 * half + 1, high), borderType=cv2.BORDER_REPLICATE)
    shift = round((up_mm[0] + up_mm[1]) / 2 * PX_PER_MM)
    moved = np.zeros_like(mean)
    if shift > 0:
        moved[shift:] = mean[:-shift]
    else:
        moved[:shift] = mean[-shift:]
    return cast(Field, moved)


def _ground(facade: Facade, mat: Field) -> list[float]:
    """How much of the mat shows in the middle of every rest."""
    steps = np.linspace(-5.0, 5.0, 7)
    return [float(_laid(facade, mat, rest, steps).mean()) for rest in RESTS_MM]


def _prints(facade: Facade) -> list[float]:
    """How well every rest's drawing is to be seen: the whole of it or, where a neighbour hides it, its better half."""
    steps = np.arange(-_PRINT_MM, _PRINT_MM + 0.1, 1 / PX_PER_MM)
    seen = np.log(facade.seen.mean(axis=2) + np.float32(0.02))
    printed = np.log(facade.seen * 255).mean(axis=2) - facade.ratio.mean(axis=2)
    found = []
    for rest in RESTS_MM:
        shown, drawn = _detail(_laid(facade, seen, rest, steps)), _detail(_laid(facade, printed, rest, steps))
        drawn = cast(Field, cv2.GaussianBlur(drawn, (0, 0), _SOFTER_PX))
        half = len(steps) // 2
        parts = (slice(None), slice(0, half), slice(half, None))
        found.append(max(_alike(shown[:, part], drawn[:, part]) for part in parts))
    return found


def _laid(facade: Facade, field: Field, rest: tuple[float, float], steps: Floats) -> Field:
    """A field of the facade as it lies on the mat around a rest: (steps, steps)."""
    x, y = np.meshgrid(rest[0] + steps, rest[1] + steps)
    at = facade.on_wall(np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)])).astype(np.float32)
    values = cv2.remap(field, at[:, 0], at[:, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return cast(Field, np.asarray(values, np.float32).reshape(x.shape))


def _detail(patch: Field) -> Field:
    return cast(Field, patch - cv2.GaussianBlur(patch, (0, 0), _DETAIL_PX))


def _alike(a: Field, b: Field) -> float:
    return float((a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum() + 1e-9))
