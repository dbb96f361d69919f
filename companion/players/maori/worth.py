"""How well a player stands in Māori: the score of the own board, and what is begun, by how likely it is finished."""

from __future__ import annotations

import random

from companion.games.catalogue import game_named
from companion.games.maori.board import SIDES, neighbour, turned
from companion.games.maori.rules import INSIDE_ATOLL, PALM, PALM_WITH_HUT, WREATH
from companion.games.maori.score import Island, islands_of
from companion.games.maori.setup import Setup
from companion.games.maori.state import OVER, Laid, State, canoes
from companion.players.bot import Knowledge
from companion.players.plain import possible_world

_WON = 100.0
_FINISHED = 0.55  # the chance that one open end of an island is closed in time, with room for a tile there
_HALF_WREATH = 0.2  # of a wreath: its other half may still come
_TILE = 1.0  # a space that is no gap any more
_SHELL, _CANOE, _STOCK = 0.45, 0.5, 0.8
_ROOM = 0.15  # a free space beside the own boat
_OPPOSITE = {side: turned(side, 180) for side in SIDES}


def imagine(knowledge: Knowledge, rng: random.Random) -> State | None:
    """Nothing is hidden but the order of the pile: the state is what the actions lead to."""
    found: State | None = possible_world(game_named("maori"), knowledge, rng)
    return found


def worth(state: State, seat: str) -> float:
    """What the seat has and may expect, in points; of others only what ends the game."""
    index = state.setup.seat_index[seat]
    if state.phase == OVER:
        return _lead(state, seat)
    laid = state.laid[index]
    own = board_worth(state.setup, laid)
    own += (
        _SHELL * state.shells[index] + _CANOE * canoes(state.setup, laid) + _STOCK * (state.stocks[index] is not None)
    )
    boat = state.boats[index]
    return own + _ROOM * sum(cell not in laid for cell in state.setup.around[boat]) if boat else own


def _lead(state: State, seat: str) -> float:
    score = game_named("maori").score(state)
    best = max(line["total"] for player, line in score.points.items() if player != seat)
    return score.points[seat]["total"] - best + (_WON if seat in score.winners else 0.0)


def board_worth(setup: Setup, laid: Laid) -> float:
    """The points of a board, and those that it may still bring."""
    total = 0.0
    for island in islands_of(setup, laid):
        chance = 1.0 if island.is_complete else _chance(setup, laid, island)
        total += chance * (_palms(setup, laid, island) + _TILE * len(island.cells))
        total += chance * _wreaths(setup, laid, island)
    return total + _TILE * sum(setup.faces[word].kind == "water" for word in laid.values())


def _chance(setup: Setup, laid: Laid, island: Island) -> float:
    """How likely the island is finished: every open end needs a free space beyond it."""
    chance = 1.0
    for cell in island.cells:
        for side in setup.faces[laid[cell]].land:
            beyond = neighbour(cell, side)
            if beyond not in laid:
                chance *= _FINISHED if beyond in setup.cell_set else 0.0
            elif _OPPOSITE[side] not in setup.faces[laid[beyond]].land:
                return 0.0
    return chance


def _palms(setup: Setup, laid: Laid, island: Island) -> float:
    faces = [setup.faces[laid[cell]] for cell in island.cells]
    each = PALM_WITH_HUT if any(face.huts for face in faces) else PALM
    is_inside = set(setup.board.inside).issuperset(island.cells)
    return float(sum(face.palms for face in faces) * each * (INSIDE_ATOLL if is_inside else 1))


def _wreaths(setup: Setup, laid: Laid, island: Island) -> float:
    """Half a wreath for each half that has found its other, less for one that still may."""
    total = 0.0
    for cell in island.cells:
        for side in setup.faces[laid[cell]].wreaths:
            beyond = neighbour(cell, side)
            if beyond not in laid:
                total += _HALF_WREATH * WREATH / 2
            elif _OPPOSITE[side] in setup.faces[laid[beyond]].wreaths:
                total += WREATH / 2
    return total
