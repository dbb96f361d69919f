"""What is being asked: one question at a time at the table, and one to each seat that nobody else may know of.

A question stays the same question as long as what it is about lies as it lay, whatever else happens meanwhile. Once
somebody has said that they see to it, they are given the time to. An answer counts for what was asked: when there comes
to be more to a question than its words said, its name gets a new ending, and an answer to the old one is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from companion.table.compare import CONFIRMED
from companion.table.decide import MOVED, TAKE_BACK, WHICH, Ask, Cause
from companion.table.observations import Clock
from companion.table.questions import CHOOSE, Question, name_of, question_of, topic_of, wording_of
from companion.table.situation import Standing

PROMISE_S = 45.0  # the time to put a piece right, after somebody said they would
# What is offered in these depends on whose turn it is: once the game has gone on, they ask for something else.
_OF_ITS_MOMENT = (WHICH, TAKE_BACK, MOVED)


class Asking:
    """The open questions of a table. `moment` is how far the game has come, so that names do not come twice."""

    def __init__(
        self,
        clock: Clock,
        promises: Mapping[str, str],
        told: Callable[[Ask], Ask] = lambda ask: ask,
        lying: Callable[[str], str | None] = lambda place: None,
    ) -> None:
        self.question: Question | None = None
        self.private: dict[str, Question] = {}
        self._clock = clock
        self._told = told  # what everybody may know of a question: its name must not say more
        self._lying = lying  # what lies on a place by the camera's own word; None where it can't see
        self._promises: dict[str, tuple[str, float]] = {}  # by place: what lay there, and when it was promised
        self._topics: dict[str, str] = {}  # by place: the question about it that nobody has answered
        self._shown: Question | None = None  # the last question there was, as it was put last
        self._put_at = -1  # the moment of the game
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
        self._forget_what_is_settled(standing)
        self.question = self._fresh(ask, seat, moment) or self._still_open(standing, moment)
        self._shown = self.question or self._shown

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
        self._topics = {place: topic for place, topic in self._topics.items() if topic != topic_of(name)}

    def _forget_what_is_settled(self, standing: Standing) -> None:
        """What lies right has been seen to: should the same come to lie there again, that is another mistake."""
        right = {place for place, found in standing.items() if found.state == CONFIRMED}
        self._topics = {place: topic for place, topic in self._topics.items() if place not in right}
        kept = [place for place, (seen, _) in self._promises.items() if place in right and self._lying(place) != seen]
        for place in kept:
            del self._promises[place]

    def _fresh(self, ask: Ask | None, seat: str | None, moment: int) -> Question | None:
        """The question, unless somebody sees to all that is behind it."""
        if ask is None:
            return None
        causes = tuple(cause for cause in ask.causes if not self.is_promised(cause.place, cause.seen))
        if not causes:
            return None
        ask = ask._replace(causes=causes)
        places = [cause.place for cause in (*causes, *ask.also)]
        topic = next((self._topics[place] for place in places if place in self._topics), "")
        question = question_of(ask, seat, moment, name_of(self._told(ask), moment))
        if topic:
            question = question._replace(id=self._name(topic, question, ask))
        self._topics |= {place: topic_of(question.id) for place in places}
        self._put_at = moment
        return question

    def _name(self, topic: str, question: Question, ask: Ask) -> str:
        """The name that was shown, where an answer to that question answers this one as well; else a new ending."""
        shown = self._shown
        if shown is not None and topic_of(shown.id) == topic and _says_no_more(question, shown):
            return shown.id
        return f"{topic}.{wording_of(self._told(ask))}"

    def _still_open(self, standing: Standing, moment: int) -> Question | None:
        """What is left of the question that was open; hands over it are no answer."""
        question = self.question
        if question is None or question.kind == CHOOSE:
            return None
        if question.kind in _OF_ITS_MOMENT and moment != self._put_at:
            return None
        left = tuple(cause for cause in question.causes if self._is_left(cause, standing))
        is_open = any(cause.place in standing and standing[cause.place].state != CONFIRMED for cause in left)
        return question._replace(causes=left) if is_open else None

    def _is_left(self, cause: Cause, standing: Standing) -> bool:
        """Whether nobody has promised it, the game still wants the same there, and nothing else lies there by now."""
        if self.is_promised(cause.place, cause.seen):
            return False
        found = standing.get(cause.place)
        wants_the_same = found is None or found.expected == cause.expected
        return wants_the_same and self._lying(cause.place) in (None, cause.seen)


def _says_no_more(new: Question, old: Question) -> bool:
    """Whether whoever answers the old question has read all of the new one."""
    is_alike = (new.kind, new.answers, new.data) == (old.kind, old.answers, old.data)
    return is_alike and set(new.causes) <= set(old.causes)
