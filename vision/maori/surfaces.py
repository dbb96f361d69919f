"""The sheets of Māori by name, with every place named as the game names it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from companion.games.maori.board import (
    BOARD_NAMES,
    DISPLAY_SIDE,
    TURNS,
    Tile,
    load_board,
    load_tiles,
    tile_word,
    turned,
)
from vision.sheets.canvas import Point
from vision.sheets.maori.layout import COLOURS, MaoriSheet, board_sheet, display_sheet

DISPLAY = "maori-display"
SURFACES = (DISPLAY, *(f"maori-{side}-{colour}" for colour in COLOURS for side in BOARD_NAMES))


@cache
def sheet_of(surface: str) -> MaoriSheet:
    """The printed sheet of a surface. Raises `KeyError` for a name that is none of `SURFACES`."""
    return display_sheet() if surface == DISPLAY else _boards()[surface]


@cache
def _boards() -> dict[str, MaoriSheet]:
    return {f"maori-{side}-{colour}": board_sheet(side, colour) for colour in COLOURS for side in BOARD_NAMES}


@cache
def places_of(surface: str) -> Mapping[str, Point]:
    """The middle of every place in mm, by the game's name: `display:1,1`, `ship:5`, `blue:2,3`, `blue:stock`."""
    sheet = sheet_of(surface)
    if sheet.colour is None:
        return {name if is_berth(name) else f"display:{name}": at for name, at in sheet.places_mm.items()}
    printed = load_board(sheet.name).printed
    return {f"{sheet.colour}:{name}": at for name, at in sheet.places_mm.items() if name not in printed}


def is_berth(place: str) -> bool:
    """Whether it is one of the ship's places."""
    return place.startswith("ship:")


def berth_angle(place: str) -> float:
    """Degrees clockwise by which the ship's bow points on, clockwise around the display."""
    return 90.0 * ((int(place.partition(":")[2]) - 1) // DISPLAY_SIDE)


def lies_any_way(place: str) -> bool:
    """Whether a tile may lie any way round here, so that only its name counts."""
    return place.startswith("display:") or place.endswith(":stock")


def seen_word(tile: str, turn: int, place: str) -> str:
    """A tile that lies turned by so many degrees, in the game's word for it at this place.

    Where two ways make no difference to the rules the first is written; where only the name counts, the name alone.
    A tile with palms that lies the wrong way round keeps its turn: that is what is to be seen.
    """
    own = load_tiles("ours").tiles[tile]
    if lies_any_way(place):
        return tile
    ways = TURNS if not own.palms else ()
    alike = (way for way in ways if _sides(own, way) == _sides(own, turn))
    return tile_word(tile, next(alike, turn))


def _sides(tile: Tile, turn: int) -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(turned(tile.land, turn)), frozenset(turned(tile.wreaths, turn))
