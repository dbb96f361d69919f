"""A lesson on a real board: what the camera believes against what the step needs."""

from __future__ import annotations

from typing import NamedTuple

from companion.games.protocol import EMPTY, Action, Refusal
from companion.table.belief import Belief
from companion.table.compare import CONFIRMED, HIDDEN, UNKNOWN, compare
from companion.teaching.stage import PLACE, WORDS, Stage, offers, pieces_of


class Difference(NamedTuple):
    """A place that is not yet as the step needs it."""

    place: str
    expected: str


class Placement(NamedTuple):
    """How the real board stands. `words` is the learner's answer as it lies there, empty while none does."""

    sees: bool
    differ: tuple[Difference, ...] = ()
    words: tuple[str, ...] = ()

    @property
    def is_ready(self) -> bool:
        """Whether the board is set up as the step begins."""
        return self.sees and not self.differ


def placement(stage: Stage, belief: Belief, now: float) -> Placement:
    """What to move before the step begins; or, when only the learner's own piece is new, the answer it stands for."""
    if not belief.sees_board(now):
        return Placement(False)
    before = stage.pieces
    for words, after in _answers(stage):
        if not _wrong(stage, after, belief, now):
            return Placement(True, words=words)
    return Placement(True, tuple(_wrong(stage, before, belief, now)))


def _answers(stage: Stage) -> list[tuple[tuple[str, ...], dict[str, str]]]:
    """What the learner may put on the board: the words, and the board right after."""
    found: list[tuple[tuple[str, ...], dict[str, str]]] = []
    for offer in offers(stage) if stage.step.right else []:
        for way in offer.ways if offer.kind in (PLACE, WORDS) else ():
            state = stage.game.apply(stage.state, Action(stage.step.seat, offer.verb, way))
            after = stage.pieces if isinstance(state, Refusal) else pieces_of(stage.game, state)
            if after != stage.pieces:
                found.append(((offer.verb, *way), after))
    return found


def _wrong(stage: Stage, pieces: dict[str, str], belief: Belief, now: float) -> list[Difference]:
    places = tuple(stage.game.places(stage.state))
    standing = compare(places, pieces, {}, belief, now)
    return [
        Difference(place, pieces.get(place, EMPTY))
        for place, found in standing.items()
        if found.state not in (CONFIRMED, HIDDEN, UNKNOWN) and found.seen != found.expected
    ]
