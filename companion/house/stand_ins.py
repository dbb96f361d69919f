"""A game's actions without the secrets of others, that can still be replayed.

A plan that nobody has seen yet is replaced by another one that looks the same to everybody: the first of the legal
ones that leads to the same public views. Which one that is depends on public facts alone, so it tells nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from companion.games.protocol import Action, Game, Refusal
from companion.table.session import Session

MOST_TRIED = 400


def without_secrets(session: Session, seat: str | None) -> tuple[Action, ...]:
    """The actions so far as the seat may know them. They end where no stand-in can be found."""
    game = session.game
    if game is None:
        return ()
    states = [session.start, *(step.state for step in session.steps)]
    actions = [step.action for step in session.steps]
    for index, action in enumerate(actions):
        if game.witness(action, seat) == action or _is_opened(game, action.seat, states[index + 1 :]):
            continue
        found = _stand_in(game, states, actions, index)
        if found is None:
            return tuple(actions[:index])
        actions[index] = found
    return tuple(actions)


def _is_opened(game: Game[Any], seat: str, later: Sequence[Any]) -> bool:
    """Whether what was just laid secretly has been opened for all, before it was taken up again."""
    for state in later:
        is_open = game.is_open(state, seat) if seat in game.seats(state) else None
        if is_open is not False:
            return bool(is_open)
    return False


def _stand_in(game: Game[Any], states: Sequence[Any], actions: Sequence[Action], index: int) -> Action | None:
    legal = (
        game.legal_actions(states[index], actions[index].seat) if actions[index].seat in game.seats(states[0]) else ()
    )
    looks = game.witness(actions[index], None)
    alike = (one for one in legal if game.witness(one, None) == looks)
    views = [game.view(state, None) for state in states[index + 1 :]]
    return next(
        (one for one in islice(alike, MOST_TRIED) if _leads_alike(game, states, actions, index, one, views)), None
    )


def _leads_alike(
    game: Game[Any], states: Sequence[Any], actions: Sequence[Action], index: int, instead: Action, views: Sequence[Any]
) -> bool:
    """Whether everybody would have seen the same with this action in the place of the real one."""
    state: Any = states[index]
    for action, seen in zip([instead, *actions[index + 1 :]], views, strict=True):
        after = game.apply(state, action)
        if isinstance(after, Refusal) or game.view(after, None) != seen:
            return False
        state = after
    return True
