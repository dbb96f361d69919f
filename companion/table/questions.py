"""The questions a table puts, and what their answers do: each answer becomes entries of the log, or a refusal."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from companion.games.protocol import ADJUST, TABLE, Action, Event, Json, Refusal
from companion.table.belief import Belief
from companion.table.decide import DIFFERENCES, LATE, MOVED, TAKE_BACK, WHICH, Ask, Cause
from companion.table.session import Session

CONTENT, CHECK, CHOOSE = "content", "check", "choose"
TRAY_OR_PHONE, TRAY_WAY = "tray_or_phone", "tray_way"
PRIVATE = (TRAY_OR_PHONE, TRAY_WAY)  # nobody but the asked may even know of these

GAME_IS_RIGHT, BOARD_IS_RIGHT, CAMERA_IS_WRONG = "game", "board", "camera"
YES, NO, NONE = "yes", "no", "none"
INSTEAD = "instead"


class Draft(NamedTuple):
    """An entry before it has a number."""

    kind: str
    seat: str | None = None
    body: Mapping[str, Json] = {}

    def __repr__(self) -> str:
        return f"Draft({self.kind!r}, {self.seat!r}, hidden)"


class Question(NamedTuple):
    """An open question. Its `id` follows from what is asked, so that it is the same question after a restart.

    It is a topic (`topic_of`), and an ending once there came to be more to it than was asked at first.
    """

    id: str
    kind: str
    seat: str | None  # None: nobody at the table can be asked, so the house is
    causes: tuple[Cause, ...]  # `also` of the ask included
    data: Mapping[str, Any]
    answers: tuple[str, ...]

    def __repr__(self) -> str:
        return f"Question({self.kind!r}, {self.seat!r}, hidden)"

    @property
    def event(self) -> Event:
        """The question as something to say."""
        causes = [{"code": "cause", **cause._asdict()} for cause in self.causes]
        return Event(f"question_{self.kind}", {"causes": causes, **self.data})

    def to_json(self) -> dict[str, Json]:
        asked = {"id": self.id, "kind": self.kind, "answers": list(self.answers), "data": self.data}
        return {**asked, **self.event.to_json()}


def question_of(ask: Ask, seat: str | None, moment: int, name: str = "") -> Question:
    """The question as it is put to somebody at this moment of the game; under the name it had where it is the same."""
    name = name or name_of(ask, moment)
    return Question(name, ask.kind, seat, (*ask.causes, *ask.also), ask.data, _answers(ask))


def name_of(ask: Ask, moment: int) -> str:
    """A name that follows from what is asked."""
    parts = (
        str(moment),
        ask.kind,
        *map(str, ask.causes),
        *map(str, ask.data.get("actions", ())),
        str(ask.data.get("place")),
    )
    return _digest(parts)[:12]


def wording_of(ask: Ask) -> str:
    """A word that follows from all that somebody reads who is asked."""
    data = (f"{key}={ask.data[key]}" for key in sorted(ask.data))
    return _digest((ask.kind, *map(str, (*ask.causes, *ask.also)), *data))[:8]


def topic_of(name: str) -> str:
    """What a question is about, whatever there came to be to it since it was put first."""
    return name.partition(".")[0]


def _digest(parts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _answers(ask: Ask) -> tuple[str, ...]:
    instead = (INSTEAD,) if INSTEAD in ask.data else ()
    return {
        DIFFERENCES: (GAME_IS_RIGHT, BOARD_IS_RIGHT, CAMERA_IS_WRONG),
        TAKE_BACK: (YES, NO),
        MOVED: (YES, NO),
        LATE: (*instead, GAME_IS_RIGHT, CAMERA_IS_WRONG),
        WHICH: (*ask.data.get("actions", ()), NONE),
        CHOOSE: tuple(ask.data.get("actions", ())),
        CONTENT: tuple(ask.data.get("contents", ())),
        CHECK: (YES, NO),
        TRAY_OR_PHONE: ("tray", "phone"),
        TRAY_WAY: tuple(ask.data.get("actions", ())),
    }[ask.kind]


def resolve(question: Question, answer: str, session: Session, belief: Belief) -> list[Draft] | Refusal:
    """What follows from an answer. A refusal where the rules do not allow it: then the question stays open."""
    if answer not in question.answers:
        return Refusal("answer_unknown", {"answer": answer[:80], "answers": list(question.answers)})
    drafts = _RESOLVERS[question.kind](question, answer, session, belief)
    if isinstance(drafts, Refusal):
        return drafts
    is_settled = answer in _SETTLED_BY_THEMSELVES or question.kind == CONTENT
    return drafts if is_settled else [*drafts, _promise(question)]


# After these the difference is gone by itself; after the others somebody has promised to see to it.
_SETTLED_BY_THEMSELVES = (CAMERA_IS_WRONG, BOARD_IS_RIGHT)

Resolver = Callable[[Question, str, Session, Belief], "list[Draft] | Refusal"]


def act_draft(action: Action, by: str) -> Draft:
    return Draft("act", action.seat, {"do": action.verb, "args": list(action.args), "by": by})


def _promise(question: Question) -> Draft:
    return Draft("promise", question.seat, {"places": {cause.place: cause.seen for cause in question.causes}})


def _differences(question: Question, answer: str, session: Session, belief: Belief) -> list[Draft] | Refusal:
    if answer == CAMERA_IS_WRONG:
        return [_word_on(question.causes, belief)]
    if answer != BOARD_IS_RIGHT:
        return []
    assert session.game is not None
    action = Action(TABLE, ADJUST, tuple(f"{cause.place}={cause.seen}" for cause in question.causes))
    after = session.game.apply(session.state, action)
    return after if isinstance(after, Refusal) else [act_draft(action, "answer")]


def _word_on(causes: tuple[Cause, ...], belief: Belief) -> Draft:
    places = {cause.place: [cause.expected, belief.seen_by_camera(cause.place)] for cause in causes}
    return Draft("testimony", None, {"places": places})


def _taken_back(question: Question, answer: str, session: Session, belief: Belief) -> list[Draft] | Refusal:
    if answer == NO:
        return []
    last = session.steps[-1].action if session.steps else None
    if last is None or last.text != question.data["action"]:  # an undo would take back somebody else's
        return Refusal("no_longer_possible")
    if refusal := session.why_it_stands(last.seat):
        return refusal
    undo = Draft("undo", question.seat)
    instead = question.data.get(INSTEAD)
    return [undo, act_draft(Action.from_text(instead), "answer")] if instead else [undo]


def _late(question: Question, answer: str, session: Session, belief: Belief) -> list[Draft] | Refusal:
    if answer == INSTEAD:
        return [act_draft(Action.from_text(question.data[INSTEAD]), "answer")]
    return [_word_on(question.causes, belief)] if answer == CAMERA_IS_WRONG else []


def _chosen(question: Question, answer: str, session: Session, belief: Belief) -> list[Draft] | Refusal:
    return [] if answer == NONE else [act_draft(Action.from_text(answer), "answer")]


def _content(question: Question, answer: str, session: Session, belief: Belief) -> list[Draft] | Refusal:
    place = question.data["place"]
    return [Draft("testimony", None, {"places": {place: [answer, belief.seen_by_camera(place)]}})]


def _check(question: Question, answer: str, session: Session, belief: Belief) -> list[Draft] | Refusal:
    return [Draft("settled")] if answer == YES else []


def _tray(question: Question, answer: str, session: Session, belief: Belief) -> list[Draft] | Refusal:
    if answer == "phone":
        return []
    assert session.game is not None
    seat = str(question.seat)
    taken_up = [act_draft(action, "tray") for action in session.game.legal_actions(session.state, seat)[:1]]
    return [*taken_up, act_draft(Action.from_text(question.data["tray"]), "tray")]


_RESOLVERS: Mapping[str, Resolver] = {
    DIFFERENCES: _differences,
    TAKE_BACK: _taken_back,
    MOVED: _taken_back,
    WHICH: _chosen,
    CHOOSE: _chosen,
    LATE: _late,
    CONTENT: _content,
    CHECK: _check,
    TRAY_OR_PHONE: _tray,
    TRAY_WAY: _chosen,
}
