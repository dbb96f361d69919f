"""The character of every island: the colour of its ground and what grows, lives or lies on it. Decoration only."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from vision.sheets import motifs, symbols
from vision.sheets.canvas import Canvas, Colour, Point


class Character(NamedTuple):
    """`small` stands around the pool on the board, `large` in the middle of the island's cards."""

    ground: Colour
    ink: Colour
    small: motifs.Motif
    large: motifs.Motif
    girth: float = 1.0  # of its small drawing, beside the others


Sign = Callable[[Canvas, Point, float, Colour, float], None]


def _as_motif(sign: Sign) -> motifs.Motif:
    """A sign of constant shape as a drawing of the map, its pen fitting its size."""

    def draw(canvas: Canvas, at: Point, size: float, ink: Colour, whim: float) -> None:
        sign(canvas, at, size, ink, 0.16 + 0.045 * size)

    return draw


_FLOWER, _FISH, _TATTOO = map(_as_motif, (symbols.flower, symbols.fish, symbols.tattoo))

CHARACTERS: dict[str, Character] = {
    "ALOA": Character((164, 190, 92), (150, 44, 82), _FLOWER, _FLOWER),
    "BARI": Character((120, 186, 128), (20, 92, 112), _FISH, _FISH),
    "COCO": Character((150, 196, 88), (60, 100, 36), motifs.palm, motifs.palm, 1.25),
    "DUDA": Character((132, 190, 104), (28, 96, 64), motifs.turtle, motifs.turtle, 1.05),
    "ELAI": Character((178, 182, 84), (104, 62, 28), _TATTOO, _TATTOO),
    "FAAA": Character((142, 202, 96), (50, 112, 40), motifs.grass, motifs.grass, 1.1),
    "GOLA": Character((156, 176, 112), (88, 76, 60), motifs.stones, motifs.stones, 1.3),
    "HUNA": Character((186, 168, 96), (122, 52, 40), motifs.hill, motifs.hill, 1.05),
    "IFFI": Character((200, 188, 104), (138, 84, 50), motifs.shell, motifs.shell),
    "JOJO": Character((112, 180, 96), (26, 88, 52), motifs.tree, motifs.tree, 1.15),
    "KAHU": Character((146, 188, 110), (110, 58, 30), motifs.canoe, motifs.canoe),
    "LALE": Character((206, 192, 100), (170, 84, 44), motifs.starfish, motifs.starfish),
}
