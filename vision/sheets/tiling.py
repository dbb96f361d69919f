"""A board's A3 sheet on A4 paper: three upright pages, glued side by side. Pure geometry.

Two pages can't do it: with the margins that home printers need they hold 388 mm in width, and the print is 404 mm wide.
A page overlaps the one before by exactly `OVERLAP_MM`; it is cut along its left edge and glued over that strip.
"""

from __future__ import annotations

from itertools import product
from math import inf
from typing import NamedTuple

from vision.sheets.geometry import MARGIN_MM, Box, Point, Sheet

A4_MM = (210.0, 297.0)
OVERLAP_MM = 10.0
_LABEL_MM = 8.0  # room beside the picture for the page's label


class Tile(NamedTuple):
    """One page: the part of the sheet that it shows, and where on the page that part's top left corner lies."""

    part: Box
    at: Point

    @property
    def right(self) -> float:
        """Where the shown part ends on the page."""
        return self.at[0] + self.part.width


def tiles(sheet: Sheet) -> tuple[Tile, Tile, Tile]:
    """The pages from left to right. Outer edges of the sheet lie on edges of the paper, so nothing is cut there."""
    width, height = sheet.size_mm
    first, second = _seams(sheet)
    middle = second + OVERLAP_MM - first
    return (
        Tile(Box(0.0, 0.0, first + OVERLAP_MM, height), (0.0, 0.0)),
        Tile(Box(first, 0.0, middle, height), ((A4_MM[0] - middle) / 2, 0.0)),
        Tile(Box(second, 0.0, width - second, height), (A4_MM[0] - (width - second), 0.0)),
    )


def _seams(sheet: Sheet) -> tuple[float, float]:
    """The two cuts that stay farthest from sites, club places and markers; among equals the most even ones."""
    width = sheet.size_mm[0]
    widest = A4_MM[0] - MARGIN_MM - _LABEL_MM
    lefts = [float(x) for x in range(round(width / 4), round(widest - OVERLAP_MM) + 1)]
    rights = [width - x for x in lefts]
    pairs = [
        (a, b) for a, b in product(lefts, rights) if b + OVERLAP_MM - a <= widest - MARGIN_MM - _LABEL_MM and a < b
    ]
    return max(
        pairs, key=lambda pair: (min(_air(sheet, pair[0]), _air(sheet, pair[1])), -abs(pair[1] - pair[0] - width / 3))
    )


def _air(sheet: Sheet, x: float) -> float:
    """How far a cut at x stays from what must not be cut, at most 4 mm; below 0 it goes through."""
    plots = [abs(px - x) - sheet.plot_mm / 2 for px, _ in sheet.sites_mm.values()]
    clubs = [abs(px - x) - sheet.club_mm / 2 for px, _ in sheet.clubs_mm.values()]
    markers = [max(m.corners_mm[0][0] - x, x - m.corners_mm[1][0]) for m in sheet.markers]
    # A cut marker is worse than a cut plot: the board would be found crookedly.
    worst = -inf if min(markers) < 2.0 else 4.0
    return min(worst, *plots, *clubs)
