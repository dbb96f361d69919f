"""The island as SVG, drawn from board data alone: a map to tap, a picture for the table screen or to share."""

from web.drawing.scene import MAP, PICTURE, Look, island_svg

__all__ = ["MAP", "PICTURE", "Look", "island_svg"]
