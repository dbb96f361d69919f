"""Play areas as SVG, drawn from board data alone: a map to tap, a picture for the table screen or to share."""

from web.drawing.look import MAP, PICTURE, Look
from web.drawing.scene import island_svg

__all__ = ["MAP", "PICTURE", "Look", "island_svg"]
