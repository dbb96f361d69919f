"""The names on a map: the board's in the open sea, each beach's beside it, each sector's small on its ground."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from companion.games.makabana.board import Board, coordinates_of
from vision.sheets.canvas import Canvas, Colour, Point
from vision.sheets.colours import BEACH_INK, FOAM, GROUND_INK, TITLE_INK
from vision.sheets.fields import Mask
from vision.sheets.geometry import Sheet
from vision.sheets.island import Island
from vision.sheets.lettering import text_width, write_along
from vision.sheets.placing import Room, name_line

_TITLE_HEIGHTS = (13.0, 11.0, 9.0, 7.0, 5.0)
_BEACH_HEIGHTS = (8.0, 7.4, 6.8, 6.2, 5.6, 5.0, 4.4)
_SECTOR_HEIGHTS = (2.8, 2.4, 2.0)
_OFF_SHORE = 17.0  # a beach's name may stand this far out in the water
_STROKE = 0.15  # the pen, as a share of the letters' height


class Name(NamedTuple):
    text: str
    line: list[Point]
    height: float
    ink: Colour


def title_of(board: Board) -> str:
    return board.name.replace("-", " ").replace("_", " ").upper()


def names_of(sheet: Sheet, island: Island, room: Room) -> list[Name]:
    """Every name with the line it stands on, largest first; a name for which there is no room is left out."""
    coast = np.maximum(island.land, island.lagoon)
    names = _beach_names(sheet, island, room)
    names += _placed(room, title_of(sheet.board), _TITLE_HEIGHTS, coast < -3.0, [], TITLE_INK)
    for index, (beach, sector) in enumerate(island.sectors):
        where = (island.owner == index) & (coast > 1.0)
        names += _placed(room, sector.upper(), _SECTOR_HEIGHTS, where, _sites(sheet, beach, sector), GROUND_INK[sector])
    return names


def _beach_names(sheet: Sheet, island: Island, room: Room) -> list[Name]:
    """All in one size, the largest in which each stands wholly on land or wholly on water of its own beach."""
    beaches = np.array([beach for beach, _ in island.sectors])[island.owner]
    is_near = np.maximum(island.land, island.lagoon) > -_OFF_SHORE
    is_shore = (np.abs(island.land) < 0.4) | ((np.abs(island.lagoon) < 0.4) & (island.land < 0))
    names: list[Name] = []
    for height in _BEACH_HEIGHTS:
        trial = Room(room.grid, room.taken.copy())
        for beach in sheet.board.beaches:
            where = (beaches == beach) & is_near & ~is_shore
            names += _placed(trial, beach.upper(), [height], where, _sites(sheet, beach), BEACH_INK)
        if len(names) == len(sheet.board.beaches) or height == _BEACH_HEIGHTS[-1]:
            break
        names = []
    for name in names:
        room.take_line(_middle(name.line, name.height), name.height * 1.3)
    return names


def draw_name(canvas: Canvas, name: Name) -> None:
    width = name.height * _STROKE
    write_along(canvas, name.text, name.line, name.height, FOAM, width + min(1.4, name.height * 0.2), alpha=0.6)
    write_along(canvas, name.text, name.line, name.height, name.ink, width)


def _sites(sheet: Sheet, beach: str, sector: str = "") -> list[Point]:
    return [
        point
        for site, point in sheet.sites_mm.items()
        if coordinates_of(site)[0] == beach and sector in ("", coordinates_of(site)[1])
    ]


def _placed(room: Room, text: str, heights: Sequence[float], where: Mask, near: list[Point], ink: Colour) -> list[Name]:
    """The name in the largest letters that fit, which takes its room."""
    for height in heights:
        if line := name_line(room, text_width(text, height), height, where, near):
            room.take_line(_middle(line, height), height * 1.3)
            return [Name(text, line, height, ink)]
    return []


def _middle(line: Sequence[Point], height: float) -> list[Point]:
    return [(x, y - height / 2) for x, y in line]
