"""What follows from what is seen. A pure function, in this order:

1. what matches is **confirmed**;
2. what one legal action explains is **inferred**, after a stillness that grows with its ambiguity;
3. while hands are over the board or something moved just now, **wait**;
4. the board of a moment ago is a **take-back**, offered where that is fair;
5. anything else is **one question** to the one person who can settle it.

While a placement is prescribed, nothing else is inferred from that piece (`explain`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from companion.games.protocol import Action, Refusal
from companion.table.compare import (
    CONFIRMED,
    DIFFERS,
    DOUBTFUL,
    PENDING,
    PlaceState,
    compare,
    expected_contents,
)
from companion.table.explain import Explanation, early_pieces, explain
from companion.table.situation import (
    Piece,
    Situation,
    Standing,
    changes_by,
    come,
    differing,
    gone,
    owed,
    pieces_in,
    pieces_put_by,
)

ASK_STILL_S = 4.0  # something odd has lain there untouched for this long: nobody is going to put it right by themselves
COVERED_S = 15.0  # a hand is gone by then; what still covers the board lies there
LATE_S = 25.0  # hands follow the game within this time, or somebody is reminded
IN_THE_WAY_S = 10.0  # ... sooner if it is that very piece's turn
EARLY_S = 60.0  # how long a piece may wait for its turn

DIFFERENCES, TAKE_BACK, MOVED, WHICH, LATE = "differences", "take_back", "moved", "which", "late"


class Cause(NamedTuple):
    """One difference between board and game: what is expected and what is seen on a place."""

    place: str
    expected: str
    seen: str


class Ask(NamedTuple):
    """Something that a person has to settle: the kind of question, whom it is put to, and the differences behind it."""

    kind: str
    seat: str
    causes: tuple[Cause, ...]
    data: Mapping[str, Any] = {}
    also: tuple[Cause, ...] = ()  # the other half of the same mistake: where the piece was to be, or where it may lie

    def __repr__(self) -> str:
        return f"Ask({self.kind!r}, {self.seat!r}, hidden)"  # a tray's holds cards


class Decision(NamedTuple):
    """What the table does now. `standing` is how every place stands."""

    standing: Standing
    confirmed: tuple[str, ...] = ()  # places on which hands have followed
    inferred: Action | None = None
    ask: Ask | None = None
    early: tuple[Piece, ...] = ()  # pieces put down before their turn
    look_again_at: float | None = None  # when time alone may change the decision


def decide(situation: Situation) -> Decision:
    game, state, belief, now = situation.game, situation.state, situation.belief, situation.now
    standing = compare(game.places(state), expected_contents(game, state), situation.earlier, belief, now)
    confirmed = tuple(place for place in situation.earlier if standing[place].state == CONFIRMED)
    decision = Decision(standing, confirmed)
    explanation = explain(situation, standing) if _odd(situation, standing) else None
    if explanation is not None and explanation.is_sure:
        return _infer(situation, decision, explanation)
    early, odd = early_pieces(situation, standing, _odd(situation, standing))
    if early and now - belief.changed_at > EARLY_S:
        early, odd = (), _odd(situation, standing)
    decision = decision._replace(early=early)
    if not odd:
        return _no_later(belief.changed_at + EARLY_S if early else None, _remind(situation, decision))
    patience = COVERED_S if belief.has_hidden() else ASK_STILL_S
    if situation.still_s < patience:
        return decision._replace(look_again_at=belief.changed_at + patience)
    return decision._replace(ask=_question(situation, standing, odd, explanation))


def _odd(situation: Situation, standing: Standing) -> tuple[str, ...]:
    """Places that differ. A mere doubt counts where hands were to do something; elsewhere it can wait for the score."""
    return tuple(
        place for place, found in standing.items()
        if found.state == DIFFERS or (found.state == DOUBTFUL and place in situation.earlier)
    )  # fmt: skip


def _infer(situation: Situation, decision: Decision, explanation: Explanation) -> Decision:
    # While a hand is over the board, whoever acts has not finished, and what it covers is not known.
    patience = COVERED_S if situation.belief.has_hidden() else explanation.stillness_s
    ready_at = situation.belief.changed_at + patience
    if situation.now >= ready_at:
        return decision._replace(inferred=explanation.actions[0])
    return decision._replace(look_again_at=ready_at)


def _no_later(at: float | None, decision: Decision) -> Decision:
    """The decision, looked at again at this moment at the latest."""
    if at is None or (decision.look_again_at is not None and decision.look_again_at <= at):
        return decision
    return decision._replace(look_again_at=at)


def _remind(situation: Situation, decision: Decision) -> Decision:
    """Nothing is odd, but hands may be late: a piece not put down yet, a tiki left behind."""
    due = {
        place: _due(situation, place, found)
        for place, found in decision.standing.items() if found.state == PENDING
    }  # fmt: skip
    if not due:
        return decision
    overdue = [place for place, at in due.items() if at <= situation.now]
    if not overdue or (situation.belief.has_hidden() and situation.still_s < COVERED_S):
        return decision._replace(look_again_at=max(min(due.values()), situation.now + 0.5))
    causes = tuple(_cause(place, decision.standing[place]) for place in overdue)
    again = _placed_again(situation, overdue) if len(overdue) == 1 else None
    data = {} if again is None else {"instead": again.text}
    seat = _whom(situation, [decision.standing[place] for place in overdue])
    wanted = owed(situation, decision.standing)
    missing = frozenset[Piece]().union(*(wanted.get(place, ()) for place in overdue))
    return decision._replace(ask=Ask(LATE, seat, causes, data, _hints(situation, decision.standing, missing)))


def _due(situation: Situation, place: str, found: PlaceState) -> float:
    since = situation.pending_since.get(place, situation.now)
    left = come(found)
    turns = situation.game.hand_actions(situation.state)[:1] if left else ()
    if any(left & pieces_put_by(situation, action) for action in turns):
        return max(since, situation.acted_at) + IN_THE_WAY_S
    return since + LATE_S


def _placed_again(situation: Situation, overdue: list[str]) -> Action | None:
    """The action that would leave a piece left behind right where it stands."""
    for action in situation.game.hand_actions(situation.state):
        changes = changes_by(situation.game, situation.state, action)
        if list(changes) == overdue and changes[overdue[0]] == situation.belief.favourite(overdue[0]):
            return action
    return None


# --- Questions ---


def _cause(place: str, found: PlaceState) -> Cause:
    return Cause(place, found.expected, found.seen or "empty")


def _question(situation: Situation, standing: Standing, odd: tuple[str, ...], explanation: Explanation | None) -> Ask:
    homes = _homes(situation, standing, odd)
    causes = tuple(_cause(place, standing[place]) for place in odd)
    if explanation is not None:
        choices = [action.text for action in explanation.actions]
        meant = {
            place for action in explanation.actions for place in changes_by(situation.game, situation.state, action)
        }
        about = tuple(cause for cause in causes if cause.place in meant)  # the rest is another matter
        return Ask(WHICH, explanation.actions[0].seat, about or causes, {"actions": choices})
    taken_back = _take_back(situation, causes)
    if taken_back is not None:
        return taken_back
    seat = _whom(situation, [standing[place] for place in (*odd, *homes)])
    missing = frozenset[Piece]().union(*(gone(standing[place]) for place in odd))
    also = (*(_cause(place, standing[place]) for place in homes), *_hints(situation, standing, missing))
    return Ask(DIFFERENCES, seat, causes, _why_not(situation, standing, odd), also)


def _homes(situation: Situation, standing: Standing, odd: tuple[str, ...]) -> list[str]:
    """Where the pieces that lie wrong were to be put: the other half of one and the same mistake."""
    strays = frozenset(piece for place in odd for piece in come(standing[place]))
    return [place for place, pieces in owed(situation, standing).items() if pieces & strays and place not in odd]


def _hints(situation: Situation, standing: Standing, missing: frozenset[Piece]) -> tuple[Cause, ...]:
    """Where the camera takes a missing piece to lie, if not so surely that it would ask because of that alone."""
    found = []
    for place, stands in standing.items():
        guess = situation.belief.favourite(place) if stands.state in (CONFIRMED, DOUBTFUL) else None
        if (pieces_in(guess) - pieces_in(stands.expected)) & missing and place not in situation.earlier:
            found.append(Cause(place, stands.expected, str(guess)))
    return tuple(found)


def _take_back(situation: Situation, causes: tuple[Cause, ...]) -> Ask | None:
    """The board is as it was before somebody's last action, or has that piece elsewhere."""
    game, last, before_last = situation.game, situation.last, situation.before_last
    if last is None or before_last is None:
        return None
    before = expected_contents(game, before_last)
    seen = {cause.place: cause.seen for cause in causes}
    undone = {p for p, c in differing(before, expected_contents(game, situation.state)).items() if seen.get(p) == c}
    rest = {place: content for place, content in seen.items() if place not in undone}
    if not undone:
        return None
    if not rest:
        return Ask(TAKE_BACK, last.seat, causes, {"action": last.text})
    for action in game.hand_actions(before_last):
        if action.seat == last.seat and changes_by(game, before_last, action) == rest:
            return Ask(MOVED, last.seat, causes, {"action": last.text, "instead": action.text})
    return None


def _why_not(situation: Situation, standing: Standing, odd: tuple[str, ...]) -> dict[str, Any]:
    """If hands tried what the rules refuse, the rules' own reason."""
    turns = situation.game.hand_actions(situation.state)
    if len(odd) != 1 or len({action.verb for action in turns}) != 1:
        return {}
    if not come(standing[odd[0]]) & pieces_put_by(situation, turns[0]):
        return {}
    refused = situation.game.apply(situation.state, turns[0]._replace(args=odd))
    return {"reason": refused.to_json()} if isinstance(refused, Refusal) else {}


def _whom(situation: Situation, found: list[PlaceState]) -> str:
    """The one person: who was to put down what is missing, else whose pieces lie there, else whose turn it is."""
    game, state = situation.game, situation.state
    seats = game.seats(state)
    for pieces in (frozenset[Piece]().union(*map(gone, found)), frozenset[Piece]().union(*map(come, found))):
        owners = {colour for _, colour in pieces}
        if len(owners) == 1:
            return next((seat for seat in seats if game.colour_of(state, seat) in owners), seats[0])
    return next(iter((*game.actors(state), *seats)))
