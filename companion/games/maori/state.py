"""The state of a game of Māori: one frozen value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.games.maori.rules import SHELLS, SHELLS_AT_START
from companion.games.maori.setup import DISPLAY, DISPLAY_CELLS, HEADER_KEYS, SHIP, STOCK, Setup, make_setup
from companion.games.protocol import CHANCE, Event, Expected, FormatError, Json, Pieces

DEAL, ANCHOR, SAIL, EXPLORE, REFILL, BOAT, OVER = "deal", "anchor", "sail", "explore", "refill", "boat", "over"
NOT_AFLOAT = 0  # the ship before it is placed
SHARED = "shared"  # the colour of the ship, which is everybody's
Laid = Mapping[str, str]  # cell -> tile word


class State(NamedTuple):
    """Seats are counted from 0 in turn order; per-seat fields are tuples in that order."""

    setup: Setup
    number: int
    phase: str
    round: int  # 0 until the ship is afloat
    turn: int  # whose turn it is
    final: Event | None  # why this is the last round
    display: tuple[str | None, ...]  # tile by cell of the display, row by row
    pile: tuple[str, ...]  # the tiles still face down, sorted: nobody knows their order
    box: tuple[str, ...]  # the tiles taken off boards, out of the game
    ship: int
    laid: tuple[Laid, ...]  # per seat
    stocks: tuple[str | None, ...]  # per seat
    boats: tuple[str | None, ...]  # per seat: the cell of its boat
    shells: tuple[int, ...]  # per seat: wooden shells
    gap: int  # the display cell that waits for a tile, by index; meaningful while dealing and refilling
    idle: int  # how many turns in a row nobody has done anything
    rowed: bool  # this turn shells were paid to move the boat, so a tile must follow
    has_laid: bool  # this turn a tile was laid
    events: tuple[Event, ...]  # what the last action made happen
    story: tuple[Event, ...]  # all events of this round so far


def start(header: Mapping[str, Json]) -> State:
    """The first state of a game. Raises `FormatError` naming everything wrong with the header."""
    setup = make_setup(header)
    unknown = [
        Event("key_unknown", {"key": key, "allowed": list(HEADER_KEYS)}) for key in header if key not in HEADER_KEYS
    ]
    if unknown:
        raise FormatError(*unknown)
    seats = len(setup.seats)
    return State(
        setup=setup,
        number=0,
        phase=DEAL,
        round=0,
        turn=seats - 1,  # whoever is last places the ship, so that the first begins
        final=None,
        display=(None,) * len(DISPLAY_CELLS),
        pile=tuple(setup.tile_set.tiles),
        box=(),
        ship=NOT_AFLOAT,
        laid=({},) * seats,
        stocks=(None,) * seats,
        boats=(None,) * seats,
        shells=(SHELLS_AT_START,) * seats,
        gap=0,
        idle=0,
        rowed=False,
        has_laid=False,
        events=(),
        story=(),
    )


def actors(state: State) -> tuple[str, ...]:
    """Who the game can go on with: always one, chance included, until it is over."""
    if state.phase == OVER:
        return ()
    return (CHANCE,) if state.phase in (DEAL, REFILL) else (state.setup.seats[state.turn],)


def canoes(setup: Setup, laid: Laid) -> int:
    """The canoes that show on a player's board."""
    printed = setup.board.canoes + sum(cell not in laid for cell in setup.board.canoe_cells)
    return printed + sum([setup.faces[word].canoes for word in laid.values()])


def reserve(state: State) -> int:
    """The wooden shells that nobody has."""
    return SHELLS - sum(state.shells)


def expected(state: State) -> Expected:
    """The pieces that must lie on the table, by place. Tiles of the display and the stocks may lie any way round."""
    setup = state.setup
    shown = zip(DISPLAY_CELLS, state.display, strict=True)
    pieces: dict[str, Pieces] = {f"{DISPLAY}:{cell}": (("tile", tile),) for cell, tile in shown if tile is not None}
    if state.ship != NOT_AFLOAT:
        pieces[f"{SHIP}:{state.ship}"] = (("ship", SHARED),)
    for seat, laid, stock, boat in zip(setup.seats, state.laid, state.stocks, state.boats, strict=True):
        pieces |= {f"{seat}:{cell}": (("tile", word),) for cell, word in laid.items()}
        if stock is not None:
            pieces[f"{seat}:{STOCK}"] = (("tile", stock),)
        if boat is not None:
            pieces[f"{seat}:{boat}"] = (("tile", laid[boat]), ("boat", seat))
    return dict(sorted(pieces.items()))
