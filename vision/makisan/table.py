"""A friendly picture of the mat for the virtual table: always the same room, seen from the south."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import dist

import numpy as np

from companion.games.makisan.board import SIDES, faces_of
from vision.locate.pose import Picture
from vision.makisan.layout import RESTS_MM, SHEET_MM
from vision.makisan.models import MakiSet, make_makis
from vision.makisan.scenes import Line, Standing, shoot_line
from vision.scenes.spec import SceneSpec
from vision.surfaces import Lying

SIZE_PX = (960, 720)
_SET = 3  # of all sets the one this table has
_ROOM = 11
_TILT_DEG, _FILL = 42.0, 0.97
_ON_TOP_MM = 14.0  # a Wasabi so near to a maki lies on it


def render(surface: str, pieces: Sequence[Lying], number: int) -> Picture:
    """The line of these pieces, 960 x 720; `number` says which picture of it. The other Wasabi waits on its dish."""
    del surface  # there is one
    spec = SceneSpec(
        seed=_ROOM, difficulty="easy", size_px=SIZE_PX, tilt_deg=_TILT_DEG, azimuth_deg=0.0, fill=_FILL,
        clutter=0, hands=0, hidden_markers=0, table="oak", lens="phone",
    )  # fmt: skip
    return shoot_line(spec, _makis(), _line(pieces), SIDES[0], frame=number).image


@cache
def _makis() -> MakiSet:
    return make_makis(np.random.default_rng(_SET))


def _line(pieces: Sequence[Lying]) -> Line:
    makis = sorted((piece for piece in pieces if piece.kind == "maki"), key=lambda piece: piece.x_mm)
    standing = tuple(_standing(piece) for piece in makis)
    heaps = [piece for piece in pieces if piece.kind == "wasabi"]
    covered = None
    for heap in heaps:
        for index, maki in enumerate(makis):
            if dist((heap.x_mm, heap.y_mm), (maki.x_mm, maki.y_mm)) < _ON_TOP_MM:
                covered = (index, heap.colour)
    waiting = tuple(side for side in SIDES if covered is None or side != covered[1]) if heaps else ()
    return Line(standing, covered, waiting)


def _standing(piece: Lying) -> Standing:
    rest = min(range(len(RESTS_MM)), key=lambda number: abs(RESTS_MM[number][0] - piece.x_mm))
    at = (piece.x_mm - SHEET_MM[0] / 2, SHEET_MM[1] / 2 - piece.y_mm)
    return Standing(rest, faces_of(piece.colour), at, -piece.angle_deg)
