"""Positions: the JSON form of the table, checked so that a score is never silently wrong.

A position may tell less than a state: a photo shows one board, and nobody has counted the shells. What is not told is
not guessed: boards not seen stand under `unseen`, shells are those of the players listed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from companion.games.maori.board import SHIP_PLACES
from companion.games.maori.rules import SHELLS
from companion.games.maori.score import Holdings
from companion.games.maori.setup import DISPLAY, DISPLAY_CELLS, HEADER_KEYS, STOCK, Setup, make_setup
from companion.games.maori.state import NOT_AFLOAT, State
from companion.games.protocol import Event, Expected, FormatError, Json

TOLD_KEYS = ("shells", "unseen")  # what no camera sees; whoever knows puts it into the header of a photo
POSITION_KEYS = (*HEADER_KEYS, "display", "ship", "laid", "stocks", "boats", *TOLD_KEYS)


class Position(NamedTuple):
    """What lies on the table, by player where it is a player's."""

    setup: Setup
    display: Mapping[str, str]
    ship: int
    laid: Mapping[str, Mapping[str, str]]
    stocks: Mapping[str, str]
    boats: Mapping[str, str]
    shells: Mapping[str, int]
    unseen: frozenset[str]

    def holdings(self) -> Holdings:
        return Holdings(self.laid, self.shells, self.unseen)


def position_of(state: State) -> dict[str, Json]:
    """The position of a game in its JSON form."""
    seats = state.setup.seats
    position = state.setup.header()
    shown = zip(DISPLAY_CELLS, state.display, strict=True)
    position["display"] = {cell: tile for cell, tile in shown if tile is not None}
    if state.ship != NOT_AFLOAT:
        position["ship"] = state.ship
    position["laid"] = {seat: dict(laid) for seat, laid in zip(seats, state.laid, strict=True)}
    position["stocks"] = {seat: tile for seat, tile in zip(seats, state.stocks, strict=True) if tile is not None}
    position["boats"] = {seat: cell for seat, cell in zip(seats, state.boats, strict=True) if cell is not None}
    position["shells"] = dict(zip(seats, state.shells, strict=True))
    return position


def position_with(header: Mapping[str, Json], pieces: Expected) -> dict[str, Json]:
    """The position if these pieces lay on the table. It is not checked: eyes may see what the rules don't allow.

    The header may tell the shells. A player of whom no tile is seen counts as unseen unless the header lists who is.
    """
    setup = make_setup(header)
    found: dict[str, Json] = {"display": {}, "laid": {}, "stocks": {}, "boats": {}}
    for place, on_place in pieces.items():
        owner, _, where = place.partition(":")
        for kind, word in on_place:
            if kind == "ship":
                found["ship"] = int(where) if where.isdigit() else where
            elif kind == "boat":
                found["boats"][word] = where if word == owner else place
            elif owner == DISPLAY:
                found["display"][where] = word.partition("@")[0]
            elif where == STOCK:
                found["stocks"][owner] = word.partition("@")[0]
            else:
                found["laid"].setdefault(owner, {})[where] = setup.written(word)
    told = {key: header[key] for key in (*HEADER_KEYS, *TOLD_KEYS) if key in header}
    unseen = [seat for seat in setup.seats if seat not in found["laid"]]
    return {**({"unseen": unseen} if unseen else {}), **told, **found}


def parse_position(data: Json) -> Position:
    """The position that plain JSON data describes. Raises `FormatError` naming everything that is wrong."""
    if not isinstance(data, dict):
        raise FormatError(Event("header_not_object"))
    setup = make_setup(data)
    problems = [
        Event("key_unknown", {"key": key, "allowed": list(POSITION_KEYS)}) for key in data if key not in POSITION_KEYS
    ]
    if "laid" not in data:
        problems.append(Event("laid_missing"))
    laid = {owner: _laid(owner, tiles, setup, problems) for owner, tiles in _owned(data, "laid", setup, problems)}
    display = _display(data, setup, problems)
    stocks = {owner: _tile(tile, setup, problems) for owner, tile in _owned(data, "stocks", setup, problems)}
    boats = {owner: _boat(owner, cell, laid, problems) for owner, cell in _owned(data, "boats", setup, problems)}
    shells = {owner: _shells(owner, count, problems) for owner, count in _owned(data, "shells", setup, problems)}
    problems += _table_problems(setup, display, laid, stocks, boats, shells)
    ship = data.get("ship", NOT_AFLOAT)
    if ship not in range(SHIP_PLACES + 1) or isinstance(ship, bool | float):
        problems.append(Event("ship_place_wrong", {"place": ship, "most": SHIP_PLACES}))
    unseen = _unseen(data, setup, laid, problems)
    if problems:
        raise FormatError(*problems)
    return Position(setup, display, ship, laid, stocks, boats, shells, unseen)


def _owned(data: Mapping[str, Json], key: str, setup: Setup, problems: list[Event]) -> list[tuple[str, Json]]:
    """The entries of an object that belong to players."""
    entries = data.get(key, {})
    if not isinstance(entries, dict):
        problems.append(Event("not_an_object", {"key": key}))
        return []
    problems += [
        Event("owner_unknown", {"key": key, "owner": owner, "players": list(setup.seats)})
        for owner in entries
        if owner not in setup.seats
    ]
    return [(owner, entries[owner]) for owner in setup.seats if owner in entries]


def _laid(owner: str, tiles: Json, setup: Setup, problems: list[Event]) -> dict[str, str]:
    """The tiles of one board, those that can lie there."""
    if not isinstance(tiles, dict):
        problems.append(Event("not_an_object", {"key": "laid"}))
        return {}
    found = {}
    for cell, word in tiles.items():
        tile = word.partition("@")[0] if isinstance(word, str) else word
        if cell not in setup.cell_set:
            problems.append(Event("cell_not_free", {"player": owner, "cell": cell}))
        elif not isinstance(tile, str) or tile not in setup.tile_set.tiles:
            problems.append(Event("tile_unknown", {"tile": word}))
        elif tile in setup.volcanoes:
            problems.append(Event("volcano_stays", {"tile": tile}))
        elif word not in setup.words[tile]:
            problems.append(Event("tile_lies_wrong", {"player": owner, "cell": cell, "word": word}))
        else:
            found[cell] = word
    return dict(sorted(found.items()))


def _display(data: Mapping[str, Json], setup: Setup, problems: list[Event]) -> dict[str, str]:
    entries = data.get("display", {})
    if not isinstance(entries, dict):
        problems.append(Event("not_an_object", {"key": "display"}))
        return {}
    problems += [Event("display_cell_wrong", {"cell": cell}) for cell in entries if cell not in DISPLAY_CELLS]
    return {cell: _tile(entries[cell], setup, problems) for cell in DISPLAY_CELLS if cell in entries}


def _tile(tile: Json, setup: Setup, problems: list[Event]) -> str:
    if isinstance(tile, str) and tile in setup.tile_set.tiles:
        return tile
    problems.append(Event("tile_unknown", {"tile": tile}))
    return ""


def _boat(owner: str, cell: Json, laid: Mapping[str, Mapping[str, str]], problems: list[Event]) -> str:
    if isinstance(cell, str) and cell in laid.get(owner, {}):
        return cell
    problems.append(Event("boat_off_tiles", {"player": owner, "cell": cell}))
    return ""


def _shells(owner: str, count: Json, problems: list[Event]) -> int:
    if isinstance(count, int) and not isinstance(count, bool) and 0 <= count <= SHELLS:
        return count
    problems.append(Event("shells_wrong", {"player": owner, "count": count, "most": SHELLS}))
    return 0


def _table_problems(
    setup: Setup,
    display: Mapping[str, str],
    laid: Mapping[str, Mapping[str, str]],
    stocks: Mapping[str, str],
    boats: Mapping[str, str],
    shells: Mapping[str, int],
) -> list[Event]:
    """What no single place shows: a tile in two places, more shells than there are, a boat where none is used."""
    words = [word.partition("@")[0] for tiles in laid.values() for word in tiles.values()]
    counts = Counter(tile for tile in (*display.values(), *stocks.values(), *words) if tile)
    problems = [Event("tile_in_two_places", {"tile": tile}) for tile, count in sorted(counts.items()) if count > 1]
    problems += [Event("volcano_stays", {"tile": tile}) for tile in stocks.values() if tile in setup.volcanoes]
    if boats and not setup.rules.boat:
        problems.append(Event("rules_without_boats", {"rules": setup.rules.name, "players": list(boats)}))
    if sum(shells.values()) > SHELLS:
        problems.append(Event("too_many_shells", {"count": sum(shells.values()), "most": SHELLS}))
    return problems


def _unseen(
    data: Mapping[str, Json], setup: Setup, laid: Mapping[str, Mapping[str, str]], problems: list[Event]
) -> frozenset[str]:
    entries = data.get("unseen", [])
    if not isinstance(entries, list) or not all(isinstance(owner, str) and owner in setup.seats for owner in entries):
        problems.append(Event("unseen_wrong", {"players": list(setup.seats)}))
        return frozenset()
    problems += [Event("unseen_yet_laid", {"player": owner}) for owner in entries if laid.get(owner)]
    return frozenset(entries)
