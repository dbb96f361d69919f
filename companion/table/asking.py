"""What is being asked: one question at a time at the table, and one to each seat that nobody else may know of.

A question keeps its name as long as what it is about lies as it lay, whatever else happens meanwhile: it is one
question. Once somebody has said that they see to it, they are given the time to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from companion.table.compare import CONFIRMED
from companion.table.decide import Ask
from companion.table.observations import Clock
from companion.table.questions import CHOOSE, Question, name_of, question_of
from companion.table.situation import Standing

PROMISE_S = 45.0  # the time to put a piece right, after somebody said they would


class Asking:
    """The open questions of a table. `moment` is how far the game has come, so that names do not come twice."""

    def __init__(self, clock: Clock, promises: Mapping[str, str], told: Callable[[Ask], Ask] = lambda ask: ask) -> None:
        self.question: Question | None = None
        self.private: dict[str, Question] = {}
        self._clock = clock
        self._told = told  # what everybody may know of a question: its name must not say more
        self._promises: dict[str, tuple[str, float]] = {}  # by place: what lay there, and when it was promised
        self._names: dict[str, str] = {}  # by place: the question about it that nobody has answered
        self.promise(promises)

    def promise(self, places: Mapping[str, str]) -> None:
        self._promises |= {place: (seen, self._clock.now()) for place, seen in places.items()}

    def is_promised(self, place: str, seen: str) -> bool:
        """Whether somebody has said that they see to it, and has not had the time yet."""
        lay_there, at = self._promises.get(place, ("", float("-inf")))
        if lay_there == seen and self._clock.now() < at + PROMISE_S:
            return True
        self._promises.pop(place, None)
        return False

    def consider(self, ask: Ask | None, standing: Standing, seat: str | None, moment: int) -> None:
        """Puts a question to a seat, keeps the one that is open, or has none any more."""
        for place in [p for p in self._names if p in standing and standing[p].state == CONFIRMED]:
            del self._names[place]
        self.question = self._fresh(ask, seat, moment) or self._still_open(standing)

    def choose(self, seat: str, actions: Iterable[str], moment: int) -> None:
        """Whoever was first in a race still has to say what for. What else is asked can wait that long."""
        self.question = question_of(Ask(CHOOSE, seat, (), {"actions": list(actions)}), seat, moment)

    def ask_privately(self, ask: Ask, moment: int) -> bool:
        """Asks a seat what is nobody else's business; says whether that is news."""
        is_settled = any(self.is_promised(cause.place, cause.seen) for cause in ask.causes)
        question = question_of(ask, ask.seat, moment)
        if is_settled or self.private.get(ask.seat) == question:
            return False
        self.private[ask.seat] = question
        return True

    def close(self, name: str) -> None:
        """A question has been answered."""
        if self.question is not None and self.question.id == name:
            self.question = None
        self.private = {seat: question for seat, question in self.private.items() if question.id != name}
        self._names = {place: one for place, one in self._names.items() if one != name}

    def _fresh(self, ask: Ask | None, seat: str | None, moment: int) -> Question | None:
        """The question, unless somebody sees to all that is behind it."""
        if ask is None:
            return None
        causes = tuple(cause for cause in ask.causes if not self.is_promised(cause.place, cause.seen))
        if not causes:
            return None
        places = [cause.place for cause in (*causes, *ask.also)]
        name = next((self._names[place] for place in places if place in self._names), "")
        name = name or name_of(self._told(ask._replace(causes=causes)), moment)
        question = question_of(ask._replace(causes=causes), seat, moment, name)
        self._names |= {place: question.id for place in places}
        return question

    def _still_open(self, standing: Standing) -> Question | None:
        """The question that was open, while what it is about lies as it lay; hands over it are no answer."""
        question = self.question
        if question is None or question.kind == CHOOSE:
            return None
        unanswered = [cause.place for cause in question.causes if not self.is_promised(cause.place, cause.seen)]
        is_open = any(place in standing and standing[place].state != CONFIRMED for place in unanswered)
        return question if is_open else None
