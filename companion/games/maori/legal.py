"""What stands in the way of an action, and from that the legal actions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from companion.games.maori.board import SHIP_PLACES, row_of_ship
from companion.games.maori.setup import DISPLAY, DISPLAY_CELLS
from companion.games.maori.state import ANCHOR, BOAT, DEAL, EXPLORE, REFILL, SAIL, State, canoes
from companion.games.protocol import CHANCE, Action, Event

# What stands in the way, or None. The same answer refuses an action and makes the legal list.


def free_steps(state: State, seat: int) -> int:
    """How far the seat may sail without paying. The ship must go on, so the first island is always free."""
    return max(1, canoes(state.setup, state.laid[seat]))


def sail_obstacle(state: State, seat: int, steps: int) -> Event | None:
    if not 1 <= steps <= SHIP_PLACES:
        return Event("steps_wrong", {"steps": steps, "most": SHIP_PLACES})
    return shells_obstacle(state, seat, steps - free_steps(state, seat))


def shells_obstacle(state: State, seat: int, price: int) -> Event | None:
    if price > state.shells[seat]:
        return Event("shells_short", {"price": price, "shells": state.shells[seat]})
    return None


def row_before_ship(state: State) -> Iterator[tuple[str, int]]:
    """The tiles that can be taken from where the ship is, nearest first, each with its price in shells.

    Every tile passed over costs a shell, an empty place nothing; a volcano ends the row.
    """
    tiles = (state.display[DISPLAY_CELLS.index(cell)] for cell in row_of_ship(state.ship))
    price = 0
    for tile in tiles:
        if tile in state.setup.volcanoes:
            return
        if tile is not None:
            yield tile, price
            price += 1


def tile_obstacle(state: State, seat: int, tile: str) -> Event | None:
    """Why the seat can't take this tile off the display."""
    if tile not in state.setup.tile_set.tiles:
        return Event("tile_unknown", {"tile": tile})
    if tile in state.setup.volcanoes:
        return Event("volcano_stays", {"tile": tile})
    row = dict(row_before_ship(state))
    if tile in row:
        return shells_obstacle(state, seat, row[tile])
    cells = [DISPLAY_CELLS[state.display.index(tile)]] if tile in state.display else []
    if cells and cells[0] in row_of_ship(state.ship):
        return Event("behind_volcano", {"tile": tile})
    return Event("tile_out_of_reach", {"tile": tile, "tiles": list(row)})


def cell_obstacle(state: State, seat: int, cell: str) -> Event | None:
    """Why the seat can't lay a tile on this cell of its board."""
    if obstacle := cell_unknown(state, cell):
        return obstacle
    if cell in state.laid[seat]:
        return Event("cell_taken", {"cell": cell, "tile": state.laid[seat][cell]})
    boat = state.boats[seat]
    if boat is not None and cell not in state.setup.around[boat]:
        return Event("far_from_boat", {"cell": cell, "boat": boat})
    return None


def cell_unknown(state: State, cell: str) -> Event | None:
    if cell in state.setup.cell_set:
        return None
    if cell in state.setup.board.printed:
        return Event("cell_is_land", {"cell": cell})
    return Event("cell_unknown", {"cell": cell, "rows": state.setup.board.rows, "columns": state.setup.board.columns})


def way_obstacle(state: State, tile: str, word: str) -> Event | None:
    """Why the tile can't lie like this."""
    if word in state.setup.words[tile]:
        return None
    code = "palms_upright" if state.setup.tile_set.tiles[tile].palms else "turn_wrong"
    return Event(code, {"tile": tile, "word": word, "words": list(state.setup.words[tile])})


def stock_obstacle(state: State, seat: int) -> Event | None:
    stock = state.stocks[seat]
    return None if stock is None else Event("stock_full", {"tile": stock})


def clear_obstacle(state: State, seat: int, cell: str) -> Event | None:
    if obstacle := cell_unknown(state, cell) or tile_must_follow(state):
        return obstacle
    if cell not in state.laid[seat]:
        return Event("cell_empty", {"cell": cell})
    return Event("boat_holds_tile", {"cell": cell}) if state.boats[seat] == cell else None


def tile_must_follow(state: State) -> Event | None:
    """Shells move the boat only before a tile is laid or stocked."""
    return Event("tile_must_follow") if state.rowed else None


def row_obstacle(state: State, seat: int, cell: str) -> Event | None:
    """Why the boat can't be moved one cell for a shell."""
    boat = state.boats[seat]
    if boat is None:
        return Event("no_boat_yet")
    if obstacle := cell_unknown(state, cell) or shells_obstacle(state, seat, 1):
        return obstacle
    if cell not in state.laid[seat]:
        return Event("cell_empty", {"cell": cell})
    if cell not in state.setup.around[boat]:
        return Event("boat_one_step", {"cell": cell, "boat": boat})
    return None if _tile_can_follow(state, seat, cell) else Event("row_leads_nowhere", {"cell": cell})


def _tile_can_follow(state: State, seat: int, cell: str) -> bool:
    """Whether, after moving to this cell for a shell, perhaps further, a tile can still be laid or stocked."""
    laid, around = state.laid[seat], state.setup.around
    prices = [price for _, price in row_before_ship(state)]
    reached, frontier, left = {cell}, [cell], state.shells[seat] - 1
    while frontier and left >= 0:
        can_take = bool(prices) and prices[0] <= left
        if can_take and state.stocks[seat] is None:
            return True
        has_tile = can_take or state.stocks[seat] is not None
        if has_tile and any(near not in laid for here in frontier for near in around[here]):
            return True
        frontier = [near for here in frontier for near in around[here] if near in laid and near not in reached]
        reached.update(frontier)
        left -= 1
    return False


def boat_obstacle(state: State, seat: int, cell: str) -> Event | None:
    if obstacle := cell_unknown(state, cell):
        return obstacle
    if cell not in state.laid[seat]:
        return Event("cell_empty", {"cell": cell})
    return Event("boat_is_there", {"cell": cell}) if state.boats[seat] == cell else None


def refill_obstacle(state: State, cell: str, tile: str) -> Event | None:
    if cell != DISPLAY_CELLS[state.gap]:
        return Event("refill_elsewhere", {"place": f"{DISPLAY}:{DISPLAY_CELLS[state.gap]}"})
    if tile not in state.pile:
        return Event("tile_not_in_pile", {"tile": tile})
    if state.phase == DEAL and tile in state.setup.volcanoes:
        return Event("volcano_too_early", {"tile": tile})
    return None


# The legal actions, by phase.


def legal_actions(state: State, name: str) -> Sequence[Action]:
    """The legal actions of a seat, or of chance: every tile it may turn up, each as likely as the next. Sorted."""
    if name == CHANCE:
        return _refills(state) if state.phase in (DEAL, REFILL) else ()
    seat = state.setup.seat_index.get(name)
    listed = _BY_PHASE.get(state.phase)
    if seat is None or seat != state.turn or listed is None:
        return ()
    return sorted([Action(name, words[0], words[1:]) for words in listed(state, seat)])


def _refills(state: State) -> Sequence[Action]:
    place = f"{DISPLAY}:{DISPLAY_CELLS[state.gap]}"
    hidden = state.setup.volcanoes if state.phase == DEAL else ()
    return [Action(CHANCE, "refill", (place, tile)) for tile in state.pile if tile not in hidden]


Listed = Iterator[tuple[str, ...]]


def _anchors(state: State, seat: int) -> Listed:
    return (("anchor", str(place)) for place in range(1, SHIP_PLACES + 1))


def _sails(state: State, seat: int) -> Listed:
    steps = range(1, SHIP_PLACES + 1)
    return (("sail", str(step)) for step in steps if sail_obstacle(state, seat, step) is None)


def _explorations(state: State, seat: int) -> Listed:
    setup, stock = state.setup, state.stocks[seat]
    tiles = [tile for tile, _ in row_before_ship(state) if tile_obstacle(state, seat, tile) is None]
    cells = [cell for cell in setup.cells if cell_obstacle(state, seat, cell) is None]
    yield from (("take", word, cell) for tile in tiles for word in setup.words[tile] for cell in cells)
    if stock is None:
        yield from (("stock", tile) for tile in tiles)
    else:
        yield from (("lay", word, cell) for word in setup.words[stock] for cell in cells)
    yield from (("clear", cell) for cell in state.laid[seat] if clear_obstacle(state, seat, cell) is None)
    yield from (("row", cell) for cell in state.laid[seat] if row_obstacle(state, seat, cell) is None)
    if tile_must_follow(state) is None:
        yield ("pass",)


def _boats(state: State, seat: int) -> Listed:
    yield from (("boat", cell) for cell in state.laid[seat] if boat_obstacle(state, seat, cell) is None)
    if not state.setup.rules.must_move:
        yield ("stay",)


_BY_PHASE: dict[str, Callable[[State, int], Listed]] = {
    ANCHOR: _anchors,
    SAIL: _sails,
    EXPLORE: _explorations,
    BOAT: _boats,
}
