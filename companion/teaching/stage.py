"""Plays a lesson: the position of every step, what the learner may do there, and what becomes of a try."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from companion.games.catalogue import errors_of, game_of
from companion.games.protocol import (
    ADJUST,
    EMPTY,
    TABLE,
    Action,
    Event,
    FormatError,
    Game,
    Refusal,
    content_of,
    movements,
)
from companion.teaching.lesson import Hint, Lesson, Step, fits

COUNT, NEXT = "count", "next"
PLACE, SEAT, PLAIN, WORDS, SECRET = "place", "seat", "plain", "words", "secret"


class Stage(NamedTuple):
    """One step, ready to be played: the state the learner finds, and the one it ends in after the model answer."""

    step: Step
    game: Game[Any]
    state: Any
    end: Any

    @property
    def pieces(self) -> dict[str, str]:
        return pieces_of(self.game, self.state)

    @property
    def shown(self) -> dict[str, str]:
        """The board as the learner may see it."""
        return shown_of(self.game, self.state, self.step.seat)

    @property
    def answer(self) -> int | None:
        """What the rules say to the step's question about the score."""
        count = self.step.question
        return None if count is None else self.game.score(self.state).points[count.player][count.column]


class Offer(NamedTuple):
    """A verb the learner may use: by a tap on a place, naming a seat, a button, word by word, or laying cards."""

    verb: str
    kind: str
    ways: tuple[tuple[str, ...], ...] = ()  # the words that may follow it
    piece: str = ""  # what a tap puts down

    @property
    def choices(self) -> tuple[str, ...]:
        """Where one word decides, all that it may be."""
        return tuple(way[0] for way in self.ways if len(way) == 1)


class Trial(NamedTuple):
    """What became of a try. `because` are reasons of the rules; `pieces` the board after a right answer, as the learner
    may see it."""

    is_right: bool
    hint: Hint | None = None
    because: tuple[Event, ...] = ()
    pieces: Mapping[str, str] = {}


def pieces_of(game: Game[Any], state: Any) -> dict[str, str]:
    return {place: content_of(pieces) for place, pieces in game.expected(state).items()}


def shown_of(game: Game[Any], state: Any, seat: str) -> dict[str, str]:
    return {place: content_of(pieces) for place, pieces in game.shown(state, seat).items()}


def staged(lesson: Lesson) -> tuple[Stage, ...]:
    """All steps of a lesson, each played with its model answer. Raises `FormatError` naming what can't be played."""
    game = game_of(dict(lesson.header))
    with errors_of(game):
        first = game.start(lesson.header)
    try:
        start = _played(game, first, lesson.before, "before")
    except FormatError as error:
        raise FormatError(*(_at("lesson", problem) for problem in error.problems), game=game.name) from None
    stages: list[Stage] = []
    problems: list[Event] = []
    for number, step in enumerate(lesson.steps, 1):
        state = start if step.board is not None or not stages else stages[-1].end
        try:
            stages.append(_stage(game, state, step))
        except FormatError as error:
            problems += [_at(f"step {number}", problem) for problem in error.problems]
            break  # the later steps may stand on this one
        problems += [_at(f"step {number}", problem) for problem in _faults(stages[-1])]
    if problems:
        raise FormatError(*problems, game=game.name)
    return tuple(stages)


def offers(stage: Stage) -> list[Offer]:
    """What the learner may do, by verb. Secret plans are too many to list."""
    game, state = stage.game, stage.state
    found: dict[str, list[tuple[str, ...]]] = {}
    for action in game.legal_actions(state, stage.step.seat):
        if action.verb not in found and _is_laid_in_secret(stage, action):
            return [Offer(action.verb, SECRET)]  # where one is secret, all are
        found.setdefault(action.verb, []).append(action.args)
    return [_offer(stage, verb, _kind(stage, ways), tuple(ways)) for verb, ways in found.items()]


def attempt(stage: Stage, words: tuple[str, ...], tries: int = 0) -> Trial:
    """What becomes of the learner's words (`tiki PLACE`, `count 7`, `next`), after so many wrong tries before."""
    step = stage.step
    if step.question is not None:
        is_right = words == (COUNT, str(stage.answer))
        return _done(stage, stage.end) if is_right else Trial(False, _hint(step, words, tries))
    if not step.right:
        return _done(stage, stage.end)
    result = (
        stage.game.apply(stage.state, Action(step.seat, words[0], words[1:]))
        if words
        else Refusal("command_unreadable")
    )
    if isinstance(result, Refusal):
        because = (Event(*result),) if words else ()
        return Trial(False, _hint(step, words, tries), because)
    if any(fits(pattern, words) for pattern in step.right):
        return _done(stage, _carried_on(stage, result))
    return Trial(False, _hint(step, words, tries))


def model_words(stage: Stage) -> tuple[str, ...]:
    """The words of a right answer."""
    if stage.step.question is not None:
        return (COUNT, str(stage.answer))
    return stage.step.model or (NEXT,)


# --- Inside ---


def _is_laid_in_secret(stage: Stage, action: Action) -> bool:
    game, after = stage.game, stage.game.apply(stage.state, action)
    if isinstance(after, Refusal) or game.is_open(stage.state, action.seat) is False:
        return False
    return game.is_open(after, action.seat) is False


def _kind(stage: Stage, ways: list[tuple[str, ...]]) -> str:
    words = {way[0] for way in ways if way}
    if not words:
        return PLAIN
    if any(len(way) != 1 for way in ways):
        return WORDS
    if words <= set(stage.game.places(stage.state)):
        return PLACE
    return SEAT if words <= set(stage.game.seats(stage.state)) else WORDS


def _offer(stage: Stage, verb: str, kind: str, ways: tuple[tuple[str, ...], ...]) -> Offer:
    """A verb with its choices, and the piece that the first of them would put on the board."""
    if kind != PLACE:
        return Offer(verb, kind, ways)
    game, state = stage.game, stage.state
    after = game.apply(state, Action(stage.step.seat, verb, ways[0]))
    moves = () if isinstance(after, Refusal) else movements(game.expected(state), game.expected(after))
    return Offer(verb, kind, ways, next((move.piece for move in moves if move.put), ""))


def _stage(game: Game[Any], state: Any, step: Step) -> Stage:
    if step.board is not None:
        state = _laid(game, state, step.board)
    state = _played(game, state, step.then, "then")
    end = state
    if step.right:
        end = _played(game, state, (Action(step.seat, step.model[0], step.model[1:]),), "right")
        end = _played(game, end, step.after, "after")
    return Stage(step, game, state, end)


def _laid(game: Game[Any], state: Any, board: Mapping[str, str]) -> Any:
    """The state with exactly this board."""
    now = pieces_of(game, state)
    wanted = {place: board.get(place, EMPTY) for place in now.keys() | board.keys()}
    changes = tuple(f"{place}={content}" for place, content in sorted(wanted.items()) if now.get(place) != content)
    return _played(game, state, (Action(TABLE, ADJUST, changes),), "board") if changes else state


def _played(game: Game[Any], state: Any, actions: Iterable[Action], key: str) -> Any:
    for action in actions:
        result = game.apply(state, action)
        if isinstance(result, Refusal):
            because = [result.to_json()]
            text = action.text if action.verb != ADJUST else key
            raise FormatError(Event("lesson_refused", {"key": key, "text": text[:120], "because": because}))
        state = result
    return state


def _faults(stage: Stage) -> list[Event]:
    """What makes a step that can be played no good all the same."""
    step, game, state = stage.step, stage.game, stage.state
    places, faults = set(game.places(state)), []
    if step.seat not in game.seats(state):
        faults.append(Event("lesson_seat_unknown", {"seat": step.seat, "seats": list(game.seats(state))}))
    for place in (*step.lit, *(place for hint in step.hints for place in hint.lit)):
        if place not in places:
            faults.append(Event("lesson_place_unknown", {"place": place}))
    return faults + _count_faults(stage)


def _count_faults(stage: Stage) -> list[Event]:
    count = stage.step.question
    if count is None:
        return []
    points = stage.game.score(stage.state).points
    if count.column not in points.get(count.player, {}):
        columns = list(next(iter(points.values())))
        return [Event("lesson_column_unknown", {"player": count.player, "column": count.column,
                                                "players": list(points), "columns": columns})]  # fmt: skip
    answer = points[count.player][count.column]
    return [] if answer in count.choices else [Event("lesson_choice_missing", {"answer": answer})]


def _at(where: str, problem: Event) -> Event:
    return Event(problem.code, {"where": where, **problem.data})


def _hint(step: Step, words: tuple[str, ...], tries: int) -> Hint | None:
    """The hint made for this mistake; else the next of those for anybody, the last of them again and again."""
    for hint in step.hints:
        if any(fits(pattern, words) for pattern in hint.patterns):
            return hint
    common = [hint for hint in step.hints if not hint.patterns]
    return common[min(tries, len(common) - 1)] if common else None


def _carried_on(stage: Stage, state: Any) -> Any:
    """The state after what follows by itself; the model's, where another right answer leads elsewhere."""
    try:
        return _played(stage.game, state, stage.step.after, "after")
    except FormatError:
        return stage.end


def _done(stage: Stage, end: Any) -> Trial:
    return Trial(True, pieces=shown_of(stage.game, end, stage.step.seat))
