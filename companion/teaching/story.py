"""The story of a finished game: every action as everybody saw it, the score after each, and what decided it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, NamedTuple

from companion.games.catalogue import game_of
from companion.games.protocol import Action, Event, Game, Refusal
from companion.games.record import Record, replay
from companion.players.turning import TurningPoint, turning_points
from companion.table.compare import contents_of

MOST_STAND_INS = 4000  # secret actions that are looked at to find one which nobody can tell from the real one
_WITHDRAWN = "withdraw"


class Frame(NamedTuple):
    """The table after one action: the whole board, what was said, and the totals."""

    round: int
    action: Action  # as everybody saw it
    pieces: Mapping[str, str]
    events: tuple[Event, ...]
    totals: Mapping[str, int]


class Story(NamedTuple):
    """A game from its empty board to its end. `record` has no secret that was never shown, or is None."""

    header: Mapping[str, Any]
    first: Frame
    frames: tuple[Frame, ...]
    turns: tuple[TurningPoint, ...]
    winners: tuple[str, ...]
    record: Record | None


def story_of(record: Record) -> Story:
    """The story of a whole game. Raises `FormatError` as `replay` does."""
    game = game_of(dict(record.header))
    record = _without_withdrawn(record)
    states: list[Any] = list(replay(record))
    actions = (Action("table", "start"), *record.actions)
    first, *frames = [_frame(game, state, action) for state, action in zip(states, actions, strict=True)]
    winners = game.score(states[-1]).winners
    turns = tuple(turning_points(record))
    return Story(record.header, first, tuple(frames), turns, winners, _as_all_saw_it(game, record, states))


def _frame(game: Game[Any], state: Any, action: Action) -> Frame:
    totals = {player: points["total"] for player, points in game.score(state).points.items()}
    seen, pieces = game.view(state, None), contents_of(game.shown(state, None))
    return Frame(seen.get("round", 0), game.witness(action, None), pieces, tuple(state.events), totals)


def _without_withdrawn(record: Record) -> Record:
    """The record without plans that were taken back: nobody ever saw them, and the game is the same."""
    kept: list[Action] = []
    for action in record.actions:
        if action.verb == _WITHDRAWN:
            last = max(at for at, other in enumerate(kept) if other.seat == action.seat)
            del kept[last]
        else:
            kept.append(action)
    return Record(record.header, tuple(kept))


# --- What never lay open stays closed ---


def _as_all_saw_it(game: Game[Any], record: Record, states: list[Any]) -> Record | None:
    """The record with each secret action that was never opened replaced by one that looks the same to everybody.

    None if there is none for some action: then the record can't be given away.
    """
    actions = list(record.actions)
    for index, action in enumerate(record.actions):
        if game.witness(action, None) != action and not _was_opened(game, action, states[index + 1 :]):
            stand_in = _stand_in(game, actions, states, index)
            if stand_in is None:
                return None
            actions[index] = stand_in
    return Record(record.header, tuple(actions))


def _was_opened(game: Game[Any], action: Action, later: Iterable[Any]) -> bool:
    """Whether what the seat laid came to lie open before it laid something else."""
    for state in later:
        is_open = game.is_open(state, action.seat)
        if is_open is None:
            return any(event.code == "revealed" and event.data.get("seat") == action.seat for event in state.events)
        if is_open:
            return True
    return False


def _stand_in(game: Game[Any], actions: list[Action], states: list[Any], index: int) -> Action | None:
    """Another legal action with the same number of words and the same last one, after which all look the same."""
    real = actions[index]
    choices = (
        other
        for other in game.legal_actions(states[index], real.seat)
        if len(other.args) == len(real.args) and other.args[-1:] == real.args[-1:] and other != real
    )
    last = _until(game, states, index, real.seat)
    for other in islice(choices, MOST_STAND_INS):
        if _looks_the_same(game, states, [other, *actions[index + 1 : last]], index):
            return other
    return None


def _until(game: Game[Any], states: list[Any], index: int, seat: str) -> int:
    """How many actions of the record pass until the seat has nothing laid any more."""
    for at in range(index + 1, len(states)):
        if game.is_open(states[at], seat) is None:
            return at
    return len(states) - 1


def _looks_the_same(game: Game[Any], states: list[Any], actions: list[Action], index: int) -> bool:
    state = states[index]
    for offset, action in enumerate(actions, index + 1):
        state = game.apply(state, action)
        if isinstance(state, Refusal) or game.view(state, None) != game.view(states[offset], None):
            return False
    return True
