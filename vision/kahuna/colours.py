"""The inks of Kahuna, as red, green and blue.

Bridges and stones are black and white, so nothing under them is: sea, pools and grounds are strong colours of middle
lightness, on which either stands out to the eye and to the camera, in whatever light.
"""

from __future__ import annotations

from vision.sheets.canvas import Colour

# From the shore to the open sea.
SEA: tuple[Colour, ...] = ((104, 199, 201), (84, 182, 194), (66, 166, 188), (54, 150, 180))
SWELL: Colour = (32, 114, 148)
FOAM: Colour = (190, 232, 228)
BEACH: Colour = (238, 206, 140)
POOL: Colour = (48, 142, 158)
POOL_RIM: Colour = (26, 98, 118)
TEETH: Colour = (244, 214, 148)
DOTS: Colour = (206, 240, 232)
NAME_INK: Colour = (16, 76, 96)
TITLE_INK: Colour = (12, 88, 116)
CARD_RIM: Colour = (30, 108, 132)
