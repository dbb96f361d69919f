"""How well a colour stands in Kahuna: points, stones, what is on the way to a stone, and cards to go on with."""

from __future__ import annotations

import random

from companion.games.kahuna.determinise import possible_state
from companion.games.kahuna.rules import ROUND_POINTS, ROUNDS
from companion.games.kahuna.score import score
from companion.games.kahuna.state import OVER, State
from companion.players.bot import Knowledge

_WON = 1000.0  # more than anything else can come to
_STONE = (1.0, 1.3, 2.0)  # by round: later stones decide more
_ON_THE_WAY = 0.8  # of a stone, when one bridge is missing of very many
_BEYOND = 0.1  # a bridge more than a stone needs
_CARD = 0.3


def imagine(knowledge: Knowledge, rng: random.Random) -> State:
    return possible_state(knowledge.view, rng)


def worth(state: State, seat: str) -> float:
    """The seat's lead over the other colour, in stones of the first round or so."""
    other = next(colour for colour in state.setup.colours if colour != seat)
    if state.phase == OVER:
        result = score(state.setup, state.won, state.bridges, state.stones)
        return _WON * (len(result.winners) == 1) * (1 if seat in result.winners else -1)
    cards = _CARD * len(state.hands[state.setup.seat_index[seat]])
    return _points(state, seat) - _points(state, other) + _board(state, seat) - _board(state, other) + cards


def _points(state: State, colour: str) -> float:
    return 3.0 * sum(ROUND_POINTS[number] for number, winner in enumerate(state.won) if winner == colour)


def _board(state: State, colour: str) -> float:
    stone = _STONE[min(state.round, ROUNDS) - 1]
    return stone * sum(_island(state, island, colour) for island in state.setup.islands)


def _island(state: State, island: str, colour: str) -> float:
    lines = state.setup.lines_of[island]
    mine = sum(state.bridges.get(line) == colour for line in lines)
    free = sum(line not in state.bridges for line in lines)
    needed = len(lines) // 2 + 1
    if mine >= needed:
        return 1.0 + _BEYOND * (mine - needed)
    return _ON_THE_WAY * (mine / needed) ** 2 if mine + free >= needed else 0.0
