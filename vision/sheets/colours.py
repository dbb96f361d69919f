"""The inks of our sheets, as red, green and blue.

Grounds are pale and low in saturation, like watercolour: the camera must tell eight colours of pieces from them.
"""

from __future__ import annotations

from typing import NamedTuple

from vision.sheets.canvas import Colour

PAPER: Colour = (255, 255, 255)
INK: Colour = (74, 84, 98)
SOFT_INK: Colour = (132, 140, 150)
BLACK: Colour = (0, 0, 0)

# From the shore to the open sea.
SEA: tuple[Colour, ...] = ((223, 237, 238), (211, 229, 235), (200, 221, 231), (189, 212, 226))
SEA_INK: Colour = (140, 172, 194)
FOAM: Colour = (247, 251, 250)
SHORE: Colour = (248, 240, 216)
HINTERLAND: Colour = (190, 206, 165)
HINTERLAND_INK: Colour = (128, 148, 104)

GROUND: dict[str, Colour] = {
    "Sable": (248, 234, 198),
    "Lagon": (194, 231, 221),
    "Cocotier": (215, 227, 184),
    "Herbe": (207, 226, 172),
    "Rocher": (215, 212, 204),
}
GROUND_INK: dict[str, Colour] = {
    "Sable": (198, 168, 112),
    "Lagon": (108, 172, 164),
    "Cocotier": (136, 158, 100),
    "Herbe": (132, 160, 92),
    "Rocher": (142, 134, 130),
}

PLOT: Colour = (253, 250, 243)
PLOT_RING: Colour = (150, 138, 120)
SPOT_INK: dict[str, Colour] = {
    "Tatouage": (126, 108, 96),
    "Fleur": (164, 108, 116),
    "Poisson": (88, 122, 140),
}
CLUB_INK: Colour = (78, 122, 136)
COMPLEX_INK: Colour = (112, 88, 74)

ROAD: Colour = (232, 210, 180)
ROAD_EDGE: Colour = (184, 150, 114)
WOOD: Colour = (226, 206, 178)
WOOD_INK: Colour = (146, 116, 86)

FRAME_INK: Colour = (214, 226, 232)
TITLE_INK: Colour = (96, 128, 150)
BEACH_INK: Colour = (134, 96, 72)
ROAD_DUST: Colour = (196, 164, 128)


class Piece(NamedTuple):
    """A colour of pieces as we print it, with its French name. What pieces really look like, calibration learns."""

    ink: Colour
    french: str


PIECES: dict[str, Piece] = {
    "violet": Piece((118, 76, 152), "violet"),
    "pink": Piece((232, 122, 166), "rose"),
    "yellow": Piece((246, 202, 48), "jaune"),
    "blue": Piece((44, 104, 184), "bleu"),
    "green": Piece((58, 146, 82), "vert"),
    "orange": Piece((240, 132, 44), "orange"),
    "red": Piece((206, 52, 46), "rouge"),
    "black": Piece((44, 44, 48), "noir"),
}
