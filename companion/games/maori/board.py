"""The boards and tiles of Māori as data: what is printed on a player's board, and what each tile shows.

`parse_board` and `parse_tiles` turn JSON into values, or say everything that is wrong with it. Sides of a tile are
named N, E, S and W as its owner sees it upright; a turn of 90 is a quarter clockwise.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from companion.games.protocol import Event, FormatError

BOARD_NAMES = ("archipelago", "atoll")
TILE_SETS = ("ours",)
DISPLAY_SIDE = 4
SHIP_PLACES = 4 * DISPLAY_SIDE
SIDES = "NESW"
TURNS = (0, 90, 180, 270)
VOLCANO = "volcano"
# For each kind of tile, the sides over which its land may go on.
LAND = {
    "island": ("",),
    "end": ("N", "E", "S", "W"),
    "middle": ("EW", "NS"),
    "water": ("",),
    VOLCANO: ("",),
}

# Far beyond any copy of the game, and little enough that a wrong file is told at once.
MOST_TILES = 300
MOST_SIDE = 9  # rows or columns of a board: a cell is named by two digits
MOST_OF_A_SYMBOL = 9
_SYMBOLS = ("palms", "huts", "canoes", "shells")
_LISTS = ("printed", "inside", "canoe_cells")
_ID = re.compile(r"[A-Z][0-9]{1,3}")
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


class Tile(NamedTuple):
    """One tile as it is printed. `land` and `wreaths` are the sides where land goes on and half wreaths lie."""

    id: str
    kind: str
    land: str = ""
    palms: int = 0
    huts: int = 0
    canoes: int = 0
    shells: int = 0
    wreaths: str = ""

    @property
    def turns(self) -> tuple[int, ...]:
        """The ways it may lie. Palms stand upright; of ways that look alike to the rules only the first is written."""
        if self.palms:
            return (0,)
        ways = {
            tuple(map(frozenset, (turned(self.land, turn), turned(self.wreaths, turn)))): turn for turn in TURNS[::-1]
        }
        return tuple(sorted(ways.values()))


class TileSet(NamedTuple):
    """All tiles of a copy, by id, sorted."""

    name: str
    designed: bool
    tiles: Mapping[str, Tile]


class Board(NamedTuple):
    """One side of a player's board. Cells are named `row,column`, both counted from 1 at the top left."""

    name: str
    designed: bool
    rows: int
    columns: int
    printed: tuple[str, ...]  # land that no tile can cover
    inside: tuple[str, ...]  # cells inside the atoll
    canoes: int  # printed where no tile can cover them
    canoe_cells: tuple[str, ...]  # free cells that show a canoe until a tile covers it

    @property
    def free(self) -> tuple[str, ...]:
        """The cells that take a tile, sorted."""
        return tuple(cell for cell in cells_of(self.rows, self.columns) if cell not in self.printed)


def cells_of(rows: int, columns: int) -> list[str]:
    return [f"{row},{column}" for row in range(1, rows + 1) for column in range(1, columns + 1)]


def turned(sides: str, turn: int) -> str:
    """The sides after a clockwise turn of so many degrees."""
    return "".join(SIDES[(SIDES.index(side) + turn // 90) % 4] for side in sides)


def tile_word(tile: str, turn: int = 0) -> str:
    """A tile as it lies, in one word: `E05` upright, `E12@90` turned."""
    return f"{tile}@{turn}" if turn else tile


def neighbour(cell: str, side: str) -> str:
    """The cell beyond a side of a cell; it need not be on any board."""
    row, column = map(int, cell.split(","))
    down, right = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}[side]
    return f"{row + down},{column + right}"


@cache
def row_of_ship(place: int) -> tuple[str, ...]:
    """The four display cells before the ship, nearest first. Places 1 to 16 run clockwise from above the top left."""
    edge, step = divmod(place - 1, DISPLAY_SIDE)
    inward = range(1, DISPLAY_SIDE + 1)
    if edge in (2, 3):  # below and left the ship goes backwards
        step = DISPLAY_SIDE - 1 - step
    if edge in (1, 2):  # right and below the nearest tile is the last of its row
        inward = range(DISPLAY_SIDE, 0, -1)
    return tuple(f"{depth},{step + 1}" if edge in (0, 2) else f"{step + 1},{depth}" for depth in inward)


@cache
def load_board(name: str) -> Board:
    """A board that comes with the companion. Raises `FormatError` for an unknown name."""
    if name not in BOARD_NAMES:
        raise FormatError(Event("board_unknown", {"board": name, "allowed": list(BOARD_NAMES)}))
    return parse_board(_data(f"boards/{name}.json"))


@cache
def load_tiles(name: str) -> TileSet:
    """A tile set that comes with the companion. Raises `FormatError` for an unknown name."""
    if name not in TILE_SETS:
        raise FormatError(Event("tiles_unknown", {"tiles": name, "allowed": list(TILE_SETS)}))
    return parse_tiles(_data("tiles.json"))


def _data(path: str) -> object:
    return json.loads(resources.files(__package__).joinpath(*path.split("/")).read_text(encoding="utf-8"))


def parse_board(data: object) -> Board:
    """The board that a board file describes. Raises `FormatError` naming every problem at once."""
    if not isinstance(data, dict):
        raise FormatError(Event("header_not_object"))
    problems: list[Event] = []
    name = _name(data, "board", problems)
    rows, columns = (_number(data, key, 1, MOST_SIDE, problems) for key in ("rows", "columns"))
    grid = cells_of(rows, columns)
    printed, inside, canoe_cells = (_cells(data, key, grid, problems) for key in _LISTS)
    canoes = _number(data, "canoes", 0, MOST_OF_A_SYMBOL, problems)
    covered = sorted(set(printed) & {*inside, *canoe_cells})
    if covered or not set(grid) - set(printed):
        problems.append(Event("printed_cells_wrong", {"cells": covered or grid}))
    if problems:
        raise FormatError(*problems)
    return Board(name, bool(data.get("designed")), rows, columns, printed, inside, canoes, canoe_cells)


def _name(data: Mapping[str, Any], key: str, problems: list[Event]) -> str:
    name = data.get(key)
    if isinstance(name, str) and _NAME.fullmatch(name):
        return name
    problems.append(Event("board_name_wrong", {"key": key, "name": name}))
    return ""


def _number(data: Mapping[str, Any], key: str, least: int, most: int, problems: list[Event]) -> int:
    value = data.get(key, 0)
    if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
        return value
    problems.append(Event("number_wrong", {"option": key, "value": value, "least": least, "most": most}))
    return least


def _cells(data: Mapping[str, Any], key: str, grid: Sequence[str], problems: list[Event]) -> tuple[str, ...]:
    """The cells of a list, those that are on the board."""
    entries = data.get(key, [])
    if not isinstance(entries, list) or len(entries) > len(grid):
        problems.append(Event("cells_wrong", {"key": key, "most": len(grid)}))
        return ()
    wrong = [entry for entry in entries if not isinstance(entry, str) or entry not in grid]
    problems += [Event("cell_off_board", {"cell": entry, "key": key}) for entry in wrong]
    return tuple(sorted({entry for entry in entries if entry not in wrong}))


def parse_tiles(data: object) -> TileSet:
    """The tile set that a file describes. Raises `FormatError` naming every problem at once."""
    if not isinstance(data, dict):
        raise FormatError(Event("header_not_object"))
    problems: list[Event] = []
    name, entries = _name(data, "set", problems), data.get("tiles")
    if not isinstance(entries, list) or len(entries) > MOST_TILES:
        raise FormatError(*problems, Event("tiles_wrong", {"most": MOST_TILES}))
    tiles = [tile for entry in entries if (tile := _tile(entry, problems)) is not None]
    counts = Counter(tile.id for tile in tiles)
    problems += [Event("tile_twice", {"tile": tile}) for tile, count in counts.items() if count > 1]
    islands = sum(tile.kind != VOLCANO for tile in tiles)
    if not problems and islands < SHIP_PLACES:
        problems.append(Event("tiles_too_few", {"count": islands, "least": SHIP_PLACES}))
    if problems:
        raise FormatError(*problems)
    return TileSet(name, bool(data.get("designed")), {tile.id: tile for tile in sorted(tiles)})


def _tile(entry: object, problems: list[Event]) -> Tile | None:
    """The tile of one entry, or None with what is wrong among the problems."""
    if not isinstance(entry, dict) or not isinstance(entry.get("id"), str) or not _ID.fullmatch(entry["id"]):
        problems.append(Event("tile_without_id", {"entry": json.dumps(entry)[:80]}))
        return None
    found: list[Event] = []
    kind, land, wreaths = entry.get("kind"), entry.get("land", ""), entry.get("wreaths", "")
    if kind not in list(LAND) or land not in LAND[kind]:
        found.append(Event("tile_shape_wrong", {"tile": entry["id"], "kind": kind, "land": land, "kinds": list(LAND)}))
    elif not isinstance(wreaths, str) or not set(wreaths) <= set(land) or len(set(wreaths)) != len(wreaths):
        found.append(Event("wreath_off_land", {"tile": entry["id"], "wreaths": wreaths}))
    palms, huts, canoes, shells = (_number(entry, key, 0, MOST_OF_A_SYMBOL, found) for key in _SYMBOLS)
    problems += found
    return None if found else Tile(entry["id"], str(kind), land, palms, huts, canoes, shells, wreaths)
