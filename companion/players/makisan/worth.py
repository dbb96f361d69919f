"""How well a side stands in Maki-San: rounds won, what it has in line, and whether the other could win at once."""

from __future__ import annotations

import random
from collections.abc import Sequence

from companion.games.makisan.board import Line, rows_of, turned
from companion.games.makisan.determinise import possible_state
from companion.games.makisan.legal import legal_actions
from companion.games.makisan.rules import IN_A_ROW, LEFT, ROUNDS_TO_WIN, SIDES
from companion.games.makisan.state import OVER, State
from companion.games.protocol import Action
from companion.players.bot import Knowledge

_ROUND = 20.0
_AT_ONCE = 8.0  # what it costs to leave the other side a winning move


def imagine(knowledge: Knowledge, rng: random.Random) -> State:
    return possible_state(knowledge.view, rng)


def worth(state: State, seat: str) -> float:
    """The seat's lead, a row of four being worth a round."""
    mine = SIDES.index(seat)
    rounds = _rounds(state)
    lead = _ROUND * (rounds[mine] - rounds[1 - mine])
    if state.phase == OVER:
        return lead
    lead += _in_line(state.line, mine) - _in_line(state.line, 1 - mine)
    actor = state.turn
    return lead + (_AT_ONCE if actor == seat else -_AT_ONCE) * _can_win(state, actor)


def _rounds(state: State) -> list[int]:
    """Rounds won; when the game is over, with the last one, which the line shows."""
    last = {row.side for row in rows_of(state.line)} if state.phase == OVER else set()
    return [min(ROUNDS_TO_WIN, won + (side in last)) for side, won in zip(SIDES, state.wins, strict=True)]


def _in_line(line: Line, index: int) -> float:
    """How near a side is to a row: for every four places side by side, how many show the commonest colour."""
    colours = [faces[index] for faces in line]
    spans = [colours[start : start + IN_A_ROW] for start in range(max(1, len(colours) - IN_A_ROW + 1))]
    return sum((max(map(span.count, span), default=0) / IN_A_ROW) ** 3 for span in spans)


def _can_win(state: State, seat: str) -> bool:
    """Whether the seat has a move that shows it a row, as far as no draw is needed for it."""
    return any(_shows_row(_line_after(state.line, action), seat) for action in legal_actions(state, seat))


def _shows_row(line: Line, seat: str) -> bool:
    return any(row.side == seat for row in rows_of(line))


def _line_after(line: Line, action: Action) -> Line:
    """The line after a move of makis; a move that does something else leaves it as it is."""
    if action.verb not in _MOVES:
        return line
    return _MOVES[action.verb](line, int(action.args[0]) - 1, action.args[1:])


def _flipped(line: Line, place: int, _: Sequence[str]) -> Line:
    return (*line[:place], turned(line[place]), *line[place + 1 :])


def _moved(line: Line, place: int, args: Sequence[str]) -> Line:
    rest = (*line[:place], *line[place + 1 :])
    return (line[place], *rest) if args[0] == LEFT else (*rest, line[place])


def _wasabi(line: Line, place: int, args: Sequence[str]) -> Line:
    if args[0] == LEFT:
        return (*map(turned, line[:place]), *line[place:])
    return (*line[: place + 1], *map(turned, line[place + 1 :]))


_MOVES = {"flip": _flipped, "move": _moved, "wasabi": _wasabi}
