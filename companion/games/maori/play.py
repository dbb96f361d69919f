"""How a game of Māori goes on: `apply` and the one function behind each verb."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.games.maori.adjust import adjusted
from companion.games.maori.board import SHIP_PLACES
from companion.games.maori.legal import (
    boat_obstacle,
    cell_obstacle,
    clear_obstacle,
    free_steps,
    refill_obstacle,
    row_before_ship,
    row_obstacle,
    sail_obstacle,
    stock_obstacle,
    tile_must_follow,
    tile_obstacle,
    way_obstacle,
)
from companion.games.maori.setup import DISPLAY, DISPLAY_CELLS
from companion.games.maori.state import ANCHOR, BOAT, DEAL, EXPLORE, OVER, REFILL, SAIL, State, actors, reserve
from companion.games.protocol import ADJUST, CHANCE, TABLE, Action, Event, Refusal

Step = Callable[[State, int, tuple[str, ...]], State | Refusal]


def apply(state: State, action: Action) -> State | Refusal:
    """The state after the action, or why the rules refuse it."""
    name, verb, args = action
    if name == TABLE and verb == ADJUST:
        return _adjust(state, args)
    seat = state.setup.seat_index.get(name)
    if seat is None and name != CHANCE:
        return Refusal("seat_unknown", {"seat": name, "seats": list(state.setup.seats)})
    step = _STEPS.get((state.phase, verb))
    if step is None:
        return Refusal("not_now", {"seat": name, "verb": verb, "phase": state.phase})
    if len(args) != _ARGUMENTS[verb]:
        return Refusal("wrong_arguments", {"seat": name, "verb": verb, "args": list(args)})
    if (name,) != actors(state):
        return Refusal("not_your_turn", {"seat": name, "waits_for": list(actors(state))})
    return step(state, state.turn, args)


def _next(state: State, *events: Event, **changes: Any) -> State:
    """The state one action further, with its events told."""
    return state._replace(number=state.number + 1, events=events, story=state.story + events, **changes)


def _also(state: State, *events: Event, **changes: Any) -> State:
    """The same action's further consequences."""
    return state._replace(events=state.events + events, story=state.story + events, **changes)


def _put(values: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    return (*values[:index], value, *values[index + 1 :])


def _name(state: State, seat: int) -> str:
    return state.setup.seats[seat]


# The display


def _refill(state: State, _: int, args: tuple[str, ...]) -> State | Refusal:
    place, tile = args
    if obstacle := refill_obstacle(state, place.removeprefix(f"{DISPLAY}:"), tile):
        return Refusal(*obstacle)
    state = _next(
        state,
        Event("refilled", {"place": place, "tile": tile}),
        display=_put(state.display, state.gap, tile),
        pile=tuple([other for other in state.pile if other != tile]),
    )
    if state.phase == REFILL:
        return _after_exploring(state)
    if state.gap + 1 < len(DISPLAY_CELLS):
        return state._replace(gap=state.gap + 1)
    return state._replace(phase=ANCHOR)


# The ship


def _anchor(state: State, seat: int, args: tuple[str, ...]) -> State | Refusal:
    place = _number(args[0])
    if not 1 <= place <= SHIP_PLACES:
        return Refusal("ship_place_wrong", {"place": args[0], "most": SHIP_PLACES})
    state = _next(state, Event("anchored", {"seat": _name(state, seat), "place": place}), ship=place)
    return _also(state, Event("round_begins", {"round": 1}), phase=SAIL, round=1, turn=0)


def _number(word: str) -> int:
    """A small number written plainly, or one that is never right."""
    return int(word) if word.isascii() and word.isdigit() and len(word) <= 2 and not word.startswith("0") else -1


def _sail(state: State, seat: int, args: tuple[str, ...]) -> State | Refusal:
    steps = _number(args[0])
    if obstacle := sail_obstacle(state, seat, steps):
        return Refusal(*obstacle)
    price = max(0, steps - free_steps(state, seat))
    if seat == 0:  # a new round's story begins
        state = state._replace(story=())
    place = (state.ship - 1 + steps) % SHIP_PLACES + 1
    sailed = Event("sailed", {"seat": _name(state, seat), "steps": steps, "place": place, "price": price})
    return _paid(_next(state, sailed, phase=EXPLORE, ship=place, rowed=False, has_laid=False), seat, price)


def _paid(state: State, seat: int, price: int) -> State:
    return state._replace(shells=_put(state.shells, seat, state.shells[seat] - price)) if price else state


# Exploring


def _take(state: State, seat: int, args: tuple[str, ...]) -> State | Refusal:
    word, cell = args
    tile = word.partition("@")[0]
    if obstacle := tile_obstacle(state, seat, tile) or way_obstacle(state, tile, word):
        return Refusal(*obstacle)
    if obstacle := cell_obstacle(state, seat, cell):
        return Refusal(*obstacle)
    price = dict(row_before_ship(state))[tile]
    taken = Event("taken", {"seat": _name(state, seat), "tile": word, "cell": cell, "price": price})
    state = _off_display(_paid(_next(state, taken), seat, price), tile)
    return _after_taking(_laid_on(state, seat, word, cell))


def _stock(state: State, seat: int, args: tuple[str, ...]) -> State | Refusal:
    (tile,) = args
    if obstacle := stock_obstacle(state, seat) or tile_obstacle(state, seat, tile):
        return Refusal(*obstacle)
    price = dict(row_before_ship(state))[tile]
    stocked = Event("stocked", {"seat": _name(state, seat), "tile": tile, "price": price})
    state = _paid(_next(state, stocked, stocks=_put(state.stocks, seat, tile), idle=0), seat, price)
    return _after_taking(_off_display(state, tile))


def _lay(state: State, seat: int, args: tuple[str, ...]) -> State | Refusal:
    word, cell = args
    stock = state.stocks[seat]
    if stock is None:
        return Refusal("stock_empty", {"seat": _name(state, seat)})
    if stock != word.partition("@")[0]:
        return Refusal("stock_is_other", {"tile": word, "stock": stock})
    if obstacle := way_obstacle(state, stock, word) or cell_obstacle(state, seat, cell):
        return Refusal(*obstacle)
    laid = Event("laid", {"seat": _name(state, seat), "tile": word, "cell": cell})
    state = _next(state, laid, stocks=_put(state.stocks, seat, None))
    return _after_exploring(_laid_on(state, seat, word, cell))


def _off_display(state: State, tile: str) -> State:
    gap = state.display.index(tile)
    return state._replace(display=_put(state.display, gap, None), gap=gap)


def _laid_on(state: State, seat: int, word: str, cell: str) -> State:
    """The tile on the board, and what it brings: shells at once, one's boat on the first, the end on the last."""
    name, face = _name(state, seat), state.setup.faces[word]
    mine = dict(sorted({**state.laid[seat], cell: word}.items()))
    state = state._replace(laid=_put(state.laid, seat, mine), has_laid=True, idle=0)
    if face.shells:
        gain = min(face.shells, reserve(state))
        found = Event("shells_found", {"seat": name, "shells": gain, "shown": face.shells})
        state = _also(state, found, shells=_put(state.shells, seat, state.shells[seat] + gain))
    if state.setup.rules.boat and state.boats[seat] is None:
        launched = Event("boat_launched", {"seat": name, "cell": cell})
        state = _also(state, launched, boats=_put(state.boats, seat, cell))
    if len(mine) == len(state.setup.cells) and state.final is None:
        full = Event("board_full", {"player": name})
        state = _also(state, full, final=full)
    return state


def _clear(state: State, seat: int, args: tuple[str, ...]) -> State | Refusal:
    (cell,) = args
    if obstacle := clear_obstacle(state, seat, cell):
        return Refusal(*obstacle)
    word = state.laid[seat][cell]
    rest = {other: kept for other, kept in state.laid[seat].items() if other != cell}
    cleared = Event("cleared", {"seat": _name(state, seat), "cell": cell, "tile": word})
    box = tuple(sorted((*state.box, word.partition("@")[0])))
    return _after_exploring(_next(state, cleared, laid=_put(state.laid, seat, rest), box=box, idle=0))


def _pass(state: State, seat: int, _: tuple[str, ...]) -> State | Refusal:
    if obstacle := tile_must_follow(state):
        return Refusal(*obstacle)
    return _after_exploring(_next(state, Event("passed", {"seat": _name(state, seat)}), idle=state.idle + 1))


def _after_taking(state: State) -> State:
    """The place in the display is filled again, while there are tiles."""
    return state._replace(phase=REFILL) if state.pile else _after_exploring(state)


def _after_exploring(state: State) -> State:
    """One's own boat may or must move now, if there is one and anywhere to go."""
    seat, rules = state.turn, state.setup.rules
    can_move = state.boats[seat] is not None and len(state.laid[seat]) > 1
    if can_move and (state.has_laid or not rules.must_move):
        return state._replace(phase=BOAT)
    return _end_turn(state)


# One's own boat


def _row(state: State, seat: int, args: tuple[str, ...]) -> State | Refusal:
    (cell,) = args
    if obstacle := row_obstacle(state, seat, cell):
        return Refusal(*obstacle)
    rowed = Event("rowed", {"seat": _name(state, seat), "cell": cell})
    return _paid(_next(state, rowed, boats=_put(state.boats, seat, cell), rowed=True), seat, 1)


def _boat(state: State, seat: int, args: tuple[str, ...]) -> State | Refusal:
    (cell,) = args
    if obstacle := boat_obstacle(state, seat, cell):
        return Refusal(*obstacle)
    moved = Event("boat_moved", {"seat": _name(state, seat), "cell": cell})
    return _end_turn(_next(state, moved, boats=_put(state.boats, seat, cell)))


def _stay(state: State, seat: int, _: tuple[str, ...]) -> State | Refusal:
    if state.setup.rules.must_move:
        return Refusal("boat_must_move", {"seat": _name(state, seat)})
    return _end_turn(_next(state, Event("boat_stayed", {"seat": _name(state, seat)})))


# End of a turn


def _end_turn(state: State) -> State:
    seats = len(state.setup.seats)
    if state.turn + 1 < seats:
        return state._replace(phase=SAIL, turn=state.turn + 1)
    final = state.final
    if final is None and not state.pile and state.idle >= seats:  # nobody will do anything any more
        final = Event("standstill", {"turns": seats})
        state = _also(state, final, final=final)
    if final is not None:
        return _also(state, Event("game_over", {"round": state.round}), phase=OVER)
    following = state.round + 1
    return _also(state, Event("round_begins", {"round": following}), phase=SAIL, turn=0, round=following)


# When the board is right and the game is not


def _adjust(state: State, args: tuple[str, ...]) -> State | Refusal:
    if state.phase in (DEAL, REFILL, OVER):  # chance says what lies in the display; a game that is over stays so
        return Refusal("not_now", {"seat": TABLE, "verb": ADJUST, "phase": state.phase})
    changes = adjusted(state, args)
    if isinstance(changes, Refusal):
        return changes
    told = dict(sorted(arg.split("=", 1) for arg in args))
    return _next(state, Event("board_adjusted", {"changes": told}), **changes)


_STEPS: dict[tuple[str, str], Step] = {
    (DEAL, "refill"): _refill,
    (REFILL, "refill"): _refill,
    (ANCHOR, "anchor"): _anchor,
    (SAIL, "sail"): _sail,
    (EXPLORE, "take"): _take,
    (EXPLORE, "stock"): _stock,
    (EXPLORE, "lay"): _lay,
    (EXPLORE, "clear"): _clear,
    (EXPLORE, "pass"): _pass,
    (EXPLORE, "row"): _row,
    (BOAT, "boat"): _boat,
    (BOAT, "stay"): _stay,
}
_ARGUMENTS = {"refill": 2, "anchor": 1, "sail": 1, "take": 2, "stock": 1, "lay": 2, "clear": 1, "pass": 0, "row": 1}
_ARGUMENTS |= {"boat": 1, "stay": 0}
