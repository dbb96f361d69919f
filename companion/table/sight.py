"""What of the board, of questions and of their answers a viewer may know: nothing leaves the table but through this."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from companion.games.protocol import Action, Game, Json, Piece, content_of, parse_content
from companion.table.compare import contents_of
from companion.table.decide import Ask, Cause
from companion.table.questions import CONTENT, INSTEAD, Question

_ACTIONS, _CONTENTS = "actions", "contents"


class Sight(NamedTuple):
    """The eyes of a seat; of everybody, the house included, without one."""

    game: Game[Any]
    state: Any
    seat: str | None

    def pieces(self) -> dict[str, str]:
        """What lies on each place that is not empty."""
        return contents_of(self.game.shown(self.state, self.seat))

    def piece(self, piece: Piece, place: str = "") -> Piece:
        return self.game.shown(self.state, self.seat, {place: (piece,)})[place][0]

    def content(self, content: str, place: str = "") -> str:
        """A content that may lie there, by the game or by a camera; a question about the whole board has none."""
        if not content:
            return content
        return content_of(self.game.shown(self.state, self.seat, {place: parse_content(content)})[place])

    def action(self, text: str) -> str:
        return self.game.witness(Action.from_text(text), self.seat).text

    def cause(self, cause: Cause) -> Cause:
        expected, seen = (self.content(content, cause.place) for content in (cause.expected, cause.seen))
        return cause._replace(expected=expected, seen=seen)

    def ask(self, ask: Ask) -> Ask:
        """What is to be asked, as this viewer may know of it."""
        causes, also = (tuple(map(self.cause, found)) for found in (ask.causes, ask.also))
        return ask._replace(causes=causes, also=also, data=self._data(ask.data))

    def question(self, question: Question) -> Question:
        """The question as it is put; ways that look the same to the asked are one answer."""
        causes = tuple(map(self.cause, question.causes))
        answers = tuple(dict.fromkeys(self._answer(question, answer) for answer in question.answers))
        return question._replace(causes=causes, data=self._data(question.data), answers=answers)

    def meant(self, question: Question, said: str) -> str | None:
        """The answer that somebody means who was shown the question so; the likelier one where two look the same."""
        return next((answer for answer in question.answers if self._answer(question, answer) == said), None)

    def _answer(self, question: Question, answer: str) -> str:
        if question.kind == CONTENT:
            return self.content(answer, str(question.data.get("place", "")))
        return self.action(answer) if " " in answer else answer

    def _data(self, data: Mapping[str, Any]) -> dict[str, Json]:
        found = dict(data)
        if _ACTIONS in data:
            found[_ACTIONS] = [self.action(text) for text in data[_ACTIONS]]
        if _CONTENTS in data:
            found[_CONTENTS] = [self.content(content, str(data.get("place", ""))) for content in data[_CONTENTS]]
        if data.get(INSTEAD):
            found[INSTEAD] = self.action(data[INSTEAD])
        return found
