"""The end of a game: which pieces go back into the box, what was never seen, and how the game went."""

from __future__ import annotations

from collections import Counter
from typing import Any

from companion.games.protocol import Json, content_of
from companion.table.belief import Belief
from companion.table.session import Session


def ending(session: Session, belief: Belief) -> dict[str, Json]:
    """Outcome, component audit and summary of a finished game."""
    assert session.game is not None
    outcome = session.game.outcome(session.state)
    return {
        "outcome": {"ended_by": outcome.ended_by.to_json(), **outcome.score.to_json()} if outcome else None,
        "audit": audit(session, belief),
        "summary": summary(session),
    }


def audit(session: Session, belief: Belief) -> list[Json]:
    """For each kind of piece: how many there are, how many lie on the board, how many of those nobody has seen."""
    game, state = session.game, session.state
    assert game is not None
    laid: Counter[tuple[str, str]] = Counter()
    unseen: Counter[tuple[str, str]] = Counter()
    for place, pieces in game.expected(state).items():
        for piece in map(game.component_of, pieces):
            laid[piece] += 1
            unseen[piece] += belief.favourite(place) != content_of(pieces)
    return [
        {
            "piece": kind,
            "colour": colour,
            "of": count,
            "on_board": laid[kind, colour],
            "beside": count - laid[kind, colour],
            "unseen": unseen[kind, colour],
        }
        for (kind, colour), count in game.components(state).items()
    ]


def summary(session: Session) -> dict[str, Json]:
    """How the game went: how long, how many actions, who told the table of them, and the score after every action."""
    game = session.game
    assert game is not None
    return {
        "seconds": _since_start(session, session.ended) if session.ended else None,
        "actions": len(session.steps),
        "told_by": dict(Counter(step.by for step in session.steps)),
        "scores": _scores_by_round(session),
    }


def _scores_by_round(session: Session) -> list[Json]:
    """The totals whenever they changed: the line of a plot."""
    game: Any = session.game
    lines: list[Json] = []
    for index, step in enumerate(session.steps):
        if index == 0 or game.expected(step.state) != game.expected(session.steps[index - 1].state):
            totals = {player: points["total"] for player, points in game.score(step.state).points.items()}
            if not lines or lines[-1]["totals"] != totals:
                lines.append({"action": index + 1, "at": _since_start(session, step.at), "totals": totals})
    return lines


def _since_start(session: Session, at: float) -> int:
    """In seconds. A computer without a clock of its own may have learned the time only in mid-game, by a jump back."""
    return max(0, round(at - session.began))
