"""A game's setup: rules, board, tiles and players, checked, with what follows from them worked out once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from companion.games.maori.board import (
    DISPLAY_SIDE,
    SHIP_PLACES,
    SIDES,
    TURNS,
    VOLCANO,
    Board,
    TileSet,
    cells_of,
    load_board,
    load_tiles,
    neighbour,
    parse_board,
    parse_tiles,
    tile_word,
    turned,
)
from companion.games.maori.rules import COLOURS, DEFAULT_COLOURS, RULE_SETS, RuleSet
from companion.games.protocol import Event, FormatError, Json, plain

GAME = "maori"
DISPLAY, SHIP, STOCK = "display", "ship", "stock"
OUR_TILES = "ours"
HEADER_KEYS = ("game", "rules", "boards", "tiles", "players")
_TURN_WORDS = tuple(map(str, TURNS))
DISPLAY_CELLS = tuple(cells_of(DISPLAY_SIDE, DISPLAY_SIDE))


class Face(NamedTuple):
    """A tile as it lies: its land and half wreaths by side, and its symbols."""

    tile: str
    kind: str
    land: str
    wreaths: str
    palms: int
    huts: int
    canoes: int
    shells: int


@dataclass(frozen=True, eq=False)
class Setup:
    """Who plays how on which boards. Compared by identity: `make_setup` gives the same object for the same header."""

    rules: RuleSet
    board: Board
    board_data: Json  # as the header names it: a name, or a whole board
    tile_set: TileSet
    tile_data: Json
    seats: tuple[str, ...]

    @cached_property
    def seat_index(self) -> dict[str, int]:
        return {seat: index for index, seat in enumerate(self.seats)}

    @cached_property
    def faces(self) -> dict[str, Face]:
        """Every way a tile may lie, by its word."""
        return {
            tile_word(tile.id, turn): Face(
                tile.id,
                tile.kind,
                turned(tile.land, turn),
                turned(tile.wreaths, turn),
                tile.palms,
                tile.huts,
                tile.canoes,
                tile.shells,
            )
            for tile in self.tile_set.tiles.values()
            for turn in tile.turns
        }

    @cached_property
    def words(self) -> dict[str, tuple[str, ...]]:
        """For each tile, the words of the ways it may lie on a player's board; a volcano lies on none."""
        return {
            tile.id: () if tile.kind == VOLCANO else tuple(tile_word(tile.id, turn) for turn in tile.turns)
            for tile in self.tile_set.tiles.values()
        }

    @cached_property
    def volcanoes(self) -> frozenset[str]:
        return frozenset(tile.id for tile in self.tile_set.tiles.values() if tile.kind == VOLCANO)

    @cached_property
    def cells(self) -> tuple[str, ...]:
        """The cells of a player's board that take a tile, sorted."""
        return self.board.free

    @cached_property
    def cell_set(self) -> frozenset[str]:
        return frozenset(self.cells)

    @cached_property
    def around(self) -> dict[str, tuple[str, ...]]:
        """For each cell, the cells next to it, corner to corner included."""
        near = {
            cell: {neighbour(cell, side) for side in SIDES}
            | {neighbour(neighbour(cell, up), side) for up in "NS" for side in "EW"}
            for cell in self.cells
        }
        return {cell: tuple(other for other in self.cells if other in near[cell]) for cell in self.cells}

    @cached_property
    def places(self) -> tuple[str, ...]:
        """Everywhere a piece may lie."""
        own = [f"{seat}:{cell}" for seat in self.seats for cell in (*self.cells, STOCK)]
        ship = [f"{SHIP}:{place}" for place in range(1, SHIP_PLACES + 1)]
        return (*(f"{DISPLAY}:{cell}" for cell in DISPLAY_CELLS), *ship, *own)

    def written(self, word: str) -> str:
        """A tile seen lying some way, as the rules write it: ways that look alike to them have one word.

        A way in which it may not lie, or a tile of no set, stays as it is.
        """
        name, _, turn = word.partition("@")
        tile = self.tile_set.tiles.get(name)
        if tile is None or tile.palms or turn not in _TURN_WORDS:
            return word
        seen = {*turned(tile.land, int(turn))}, {*turned(tile.wreaths, int(turn))}
        ways = (way for way in self.words[name] if ({*self.faces[way].land}, {*self.faces[way].wreaths}) == seen)
        return next(ways, word)

    def header(self) -> dict[str, Json]:
        header: dict[str, Json] = {"game": GAME, "rules": self.rules.name, "boards": [plain(self.board_data)]}
        if self.tile_data != OUR_TILES:
            header["tiles"] = [plain(self.tile_data)]
        return header | {"players": list(self.seats)}


def default_header(rules: str, people: int) -> dict[str, Json]:
    """The header of an ordinary game for so many people. Raises `FormatError` where the rules have no such game."""
    rule_set = _rule_set(rules)
    if people not in rule_set.people:
        raise FormatError(_wrong_number(rule_set, people))
    players = list(DEFAULT_COLOURS[:people])
    return {"game": GAME, "rules": rule_set.name, "boards": [rule_set.board], "players": players}


def _wrong_number(rules: RuleSet, count: int) -> Event:
    return Event("players_number", {"rules": rules.name, "count": count, "allowed": list(rules.people)})


def make_setup(header: Mapping[str, Json]) -> Setup:
    """The setup a header describes, built once per header. Raises `FormatError` naming everything that is wrong."""
    if not isinstance(header, Mapping):
        raise FormatError(Event("header_not_object"))
    return _make_setup(json.dumps({key: header[key] for key in HEADER_KEYS if key in header}))


@lru_cache(maxsize=64)
def _make_setup(text: str) -> Setup:
    header = json.loads(text)
    if header.get("game") != GAME:
        raise FormatError(Event("game_unknown", {"game": header.get("game"), "allowed": [GAME]}))
    rules = _rule_set(header.get("rules"))
    problems: list[Event] = []
    seats = _seats(header.get("players"), rules, problems)
    board = _board(header.get("boards"), rules, problems)
    tile_data = header.get("tiles", [OUR_TILES])
    tile_set = _tile_set(tile_data, problems)
    if problems or board is None or tile_set is None:
        raise FormatError(*problems)
    return Setup(rules, board, header["boards"][0], tile_set, tile_data[0], seats)


def _rule_set(name: Json) -> RuleSet:
    if not isinstance(name, str) or name not in RULE_SETS:
        raise FormatError(Event("rules_unknown", {"rules": name, "allowed": list(RULE_SETS)}))
    return RULE_SETS[name]


def _seats(players: Json, rules: RuleSet, problems: list[Event]) -> tuple[str, ...]:
    if not isinstance(players, list) or not players or not all(isinstance(player, str) for player in players):
        problems.append(Event("players_missing", {"colours": list(COLOURS)}))
        return ()
    if len(players) > len(COLOURS):
        problems.append(Event("too_many_entries", {"key": "players", "count": len(players), "most": len(COLOURS)}))
        return ()
    problems += [Event("colour_unknown", {"player": p, "colours": list(COLOURS)}) for p in players if p not in COLOURS]
    problems += [Event("player_twice", {"player": p}) for p in sorted(set(players)) if players.count(p) > 1]
    if len(players) not in rules.people:
        problems.append(_wrong_number(rules, len(players)))
    return tuple(players)


def _board(entries: Json, rules: RuleSet, problems: list[Event]) -> Board | None:
    if not isinstance(entries, list) or len(entries) != 1:
        problems.append(Event("boards_missing", {"example": [rules.board]}))
        return None
    try:
        board = load_board(entries[0]) if isinstance(entries[0], str) else parse_board(entries[0])
    except FormatError as error:
        problems += error.problems
        return None
    if bool(board.inside) != rules.atoll:
        problems.append(Event("board_side", {"board": board.name, "rules": rules.name}))
    return board


def _tile_set(entries: Json, problems: list[Event]) -> TileSet | None:
    if not isinstance(entries, list) or len(entries) != 1:
        problems.append(Event("tiles_unknown", {"tiles": "–", "allowed": [OUR_TILES]}))
        return None
    try:
        return load_tiles(entries[0]) if isinstance(entries[0], str) else parse_tiles(entries[0])
    except FormatError as error:
        problems += error.problems
        return None
