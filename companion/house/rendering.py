"""A virtual board before a made-up lens: layouts in, camera frames out. Runs inside the vision process.

The sheets of other games are pictured by their packages in `vision/`. An island's scene is a friendly one, chosen for
speed: a small picture, one lamp, nothing lying about, a camera that stands a little to the side. A frame is rendered
only when the layout has changed; otherwise the same one is given again.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from math import hypot
from typing import TYPE_CHECKING, NamedTuple

from vision.surfaces import Lying, game_of, maker_of

if TYPE_CHECKING:
    from vision.cameras import Frame
    from vision.locate.pose import Picture
    from vision.scenes import Setting
    from vision.scenes.hands import Hand
    from vision.scenes.position import Standing

SIZE_PX = (960, 720)
TILT_DEG, AZIMUTH_DEG, FILL = 25.0, 90.0, 0.95
SEED, SET_SEED = 3, 7  # the lamp, the table top and the set of pieces
HAND_SEED, HAND_TIP_MM, HAND_FROM_DEG = 2, (0.0, 20.0, 25.0), 270.0

Laid = Lying  # a piece as a layout names it


class Layout(NamedTuple):
    """Everything that stands on one board, and the number of this state of it."""

    number: int
    pieces: tuple[Laid, ...]
    has_hand: bool = False  # somebody's hand is held over it


class Rendered:
    """A camera over a virtual board, a `vision.cameras.Source`. Says `looking` before it renders: that takes time."""

    def __init__(self, board: str, looking: Callable[[int], None]) -> None:
        self.name = f"virtual {board}"
        self.layout = -1  # the number of the layout that the last frame shows
        self._looking = looking
        self._wanted = Layout(0, ())
        self._shown = self._wanted
        self._picture: Picture | None = None
        self._picture_of = picturer_of(board)

    def show(self, layout: Layout) -> None:
        self._wanted = layout

    def next_frame(self) -> Frame:
        from vision.cameras import Frame

        if self._picture is None or self._shown[1:] != self._wanted[1:]:
            self._looking(self._wanted.number)
            self._picture, self._shown = self._picture_of(self._wanted), self._wanted
        self.layout = self._wanted.number
        return Frame(self._picture, time.monotonic())

    def close(self) -> None:
        """Nothing is open."""


def picturer_of(board: str) -> Callable[[Layout], Picture]:
    """What turns a layout of this board into a camera's picture."""
    game = game_of(board)
    if game is not None:
        maker = maker_of(game)
        return lambda layout: maker.render(board, layout.pieces, layout.number)
    base = _empty_table(board)
    return lambda layout: _shot(base, layout)


def _shot(base: Setting, layout: Layout) -> Picture:
    from dataclasses import replace

    from vision.scenes import shoot

    standing = tuple(_standing(base, piece) for piece in layout.pieces)
    hands = (_hand(),) if layout.has_hand else ()
    return shoot(replace(base, standing=standing, hands=hands, frame=layout.number)).image


def _hand() -> Hand:
    """A hand that reaches over the middle of the board, always the same."""
    import numpy as np

    from vision.scenes.hands import make_hand

    return make_hand(np.random.default_rng(HAND_SEED), HAND_TIP_MM, HAND_FROM_DEG)._replace(pose="reach")


def _empty_table(board: str) -> Setting:
    from vision.scenes import Position, SceneSpec, setting_of

    return setting_of(
        SceneSpec(
            board,
            seed=SEED,
            set_seed=SET_SEED,
            difficulty="easy",
            size_px=SIZE_PX,
            position=Position(),
            lens="pi-camera-3",
            tilt_deg=TILT_DEG,
            azimuth_deg=AZIMUTH_DEG,
            fill=FILL,
            clutter=0,
            hands=0,
        )
    )


def _standing(base: Setting, piece: Laid) -> Standing:
    """The piece in the scene's own frame: millimetres from the middle of the sheet, y towards the print's top."""
    from vision.scenes.position import Standing
    from vision.scenes.printed import sheet_of

    sheet = sheet_of(base.spec.board)
    places = sheet.clubs_mm if piece.kind == "club" else sheet.sites_mm
    nearest = min(places, key=lambda name: hypot(places[name][0] - piece.x_mm, places[name][1] - piece.y_mm))
    at = (piece.x_mm - sheet.size_mm[0] / 2, sheet.size_mm[1] / 2 - piece.y_mm)
    return Standing(piece.kind, piece.colour, nearest, piece.kind == "club", at, -piece.angle_deg, 0.0, 0.0)
