"""Game records: a header and the actions, as JSON Lines or as compact text; replay and fair undo.

Every game has these for free: the log is the truth, and a state is its replay.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from companion.games.catalogue import errors_of, game_of
from companion.games.protocol import CHANCE, TABLE, Action, Event, FormatError, Game, GameState, Json, Refusal

VERSION = 1
MAX_LINES = 20_000
MAX_LINE_CHARS = 200_000
MOST_DEPTH = 20  # of nested JSON
MOST_DIGITS = 15
_YES_NO = {"yes": True, "no": False}
_NUMBER = re.compile(r"[0-9]{1,4}")


class Record(NamedTuple):
    """A whole game. The header is what `Game.start` takes."""

    header: Mapping[str, Json]
    actions: tuple[Action, ...] = ()


class LineError(FormatError):
    """A record is wrong at one line (counted from 1)."""

    def __init__(self, line: int, *problems: Event, game: str | None = None) -> None:
        self.line = line
        super().__init__(*problems, game=game)


def to_jsonl(record: Record) -> str:
    rows: list[Json] = [{"record": VERSION, **record.header}, *(action.to_json() for action in record.actions)]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def to_text(record: Record) -> str:
    """The compact form. Raises `FormatError` if a board of the record has no name to stand for it."""
    header = dict(record.header)
    words = [str(header.pop("game"))]
    for key, value in header.items():
        words += (
            [f"{option}={_option_word(choice)}" for option, choice in value.items()]
            if key == "options"
            else [_pair(key, value)]
        )
    return "\n".join([" ".join(words), *(action.text for action in record.actions)]) + "\n"


def _option_word(choice: Json) -> str:
    """Yes, no or a number."""
    return str(choice) if not isinstance(choice, bool) else "yes" if choice else "no"


def _pair(key: str, value: Json) -> str:
    if isinstance(value, str):
        return f"{key}={value}"
    if not isinstance(value, list):
        raise FormatError(Event("header_unreadable", {"text": f"{key}={value}"[:80]}))
    if not all(isinstance(item, str | list) for item in value):
        raise FormatError(Event("board_without_name", {"key": key}))
    return f"{key}=" + ",".join(item if isinstance(item, str) else "+".join(item) for item in value)


def parse_record(text: str) -> Record:
    """The record in either form. Raises `LineError` naming the first line that can't be read."""
    lines = text.split("\n")
    if len(lines) > MAX_LINES:
        raise LineError(MAX_LINES + 1, Event("record_too_long", {"most": MAX_LINES}))
    read_header, read_action = (
        (_json_header, _json_action) if text.lstrip().startswith("{") else (_text_header, Action.from_text)
    )
    header: dict[str, Json] | None = None
    actions = []
    for number, line in _content(lines):
        try:
            if len(line) > MAX_LINE_CHARS:
                raise FormatError(Event("line_too_long", {"most": MAX_LINE_CHARS}))
            if header is None:
                header = read_header(line)
            else:
                actions.append(read_action(line))
        except FormatError as error:
            raise LineError(number, *map(_within_line, error.problems)) from None
    if header is None:
        raise LineError(1, Event("record_empty"))
    return Record(header, tuple(actions))


def _within_line(problem: Event) -> Event:
    """A broken line of JSON, without the line number that JSON counts within it."""
    if problem.code != "json_broken":
        return problem
    return Event("json_line_broken", {"column": problem.data["column"], "what": problem.data["what"]})


def _content(lines: list[str]) -> Iterator[tuple[int, str]]:
    """The lines that say something, with their numbers; in the text form `#` starts a comment."""
    for number, line in enumerate(lines, 1):
        content = line.strip() if line.lstrip().startswith("{") else line.split("#", 1)[0].strip()
        if content:
            yield number, content


def _json_header(line: str) -> dict[str, Json]:
    header = loads_strictly(line)
    if not isinstance(header, dict) or "record" not in header:
        raise FormatError(Event("record_without_header"))
    if header.pop("record") != VERSION:
        raise FormatError(Event("record_version", {"known": VERSION}))
    return header


def _json_action(line: str) -> Action:
    return Action.from_json(loads_strictly(line))


def _text_header(line: str) -> dict[str, Json]:
    game, *pairs = line.split()
    header: dict[str, Json] = {"game": game}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or key in header or key in header.get("options", {}):
            raise FormatError(Event("header_unreadable", {"text": pair[:80]}))
        if value in _YES_NO:
            header.setdefault("options", {})[key] = _YES_NO[value]
        elif key == "rules":
            header[key] = value
        elif _NUMBER.fullmatch(value):
            header.setdefault("options", {})[key] = int(value)
        else:
            header[key] = [item.split("+") if "+" in item else item for item in value.split(",")]
    if len(header) == 1:
        raise FormatError(Event("record_without_header"))
    return header


def loads_strictly(text: str) -> Json:
    """JSON, but a key given twice is an error instead of the last one winning. Raises `FormatError`."""
    try:
        data = json.loads(text, object_pairs_hook=_no_twins, parse_constant=_no_constant, parse_int=_short_int)
    except json.JSONDecodeError as error:
        problem = Event("json_broken", {"line": error.lineno, "column": error.colno, "what": error.msg})
        raise FormatError(problem) from None
    except RecursionError:
        raise FormatError(Event("json_too_deep")) from None
    if _is_deep(data):
        raise FormatError(Event("json_too_deep"))
    return data


def _is_deep(data: Json) -> bool:
    """Whether anything is nested deeper than ours ever is; without recursion, for that is the point."""
    level = [data]
    for _ in range(MOST_DEPTH):
        level = [
            item for value in level if isinstance(value, dict | list)
            for item in (value.values() if isinstance(value, dict) else value)
        ]  # fmt: skip
        if not level:
            return False
    return True


def _short_int(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise FormatError(Event("json_broken", {"line": 1, "column": 1, "what": f"a number of {len(digits)} digits"}))
    return int(digits)


def _no_twins(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for key, value in pairs:
        if key in found:
            raise FormatError(Event("key_twice", {"key": key[:80], "values": [str(found[key])[:80], str(value)[:80]]}))
        found[key] = value
    return found


def _no_constant(name: str) -> Json:
    raise FormatError(Event("json_broken", {"line": 1, "column": 1, "what": f"{name} is no number"}))


def replay(record: Record) -> Iterator[GameState]:
    """The states of a record, from the start to the end.

    Raises `FormatError` for the header and `RefusedActionError` for the first action the rules refuse.
    """
    game = game_of(dict(record.header))
    with errors_of(game):
        state: GameState = game.start(record.header)
    yield state
    for index, action in enumerate(record.actions):
        state = after(game, state, action, index)
        yield state


class RefusedActionError(FormatError):
    """The rules refuse an action of a record; `index` counts the actions from 0."""

    def __init__(self, index: int, action: Action, refusal: Refusal, game: str) -> None:
        self.index, self.action, self.refusal = index, action, refusal
        super().__init__(Event(refusal.code, refusal.data), game=game)


def after(game: Game[Any], state: GameState, action: Action, index: int = 0) -> GameState:
    """The state after an action that must be legal. Raises `RefusedActionError` if it is not."""
    result = game.apply(state, action)
    if isinstance(result, Refusal):
        raise RefusedActionError(index, action, result, game.name)
    return result  # type: ignore[no-any-return]


def replay_text(text: str, watch: Callable[[GameState], None] = lambda state: None) -> tuple[Record, GameState]:
    """A record as text and the state it leads to; `watch` is shown every state on the way.

    Raises `LineError` naming the first line that is wrong.
    """
    record = parse_record(text)
    line_numbers = [number for number, _ in _content(text.split("\n"))]
    state: GameState | None = None
    try:
        for state in replay(record):
            watch(state)
    except FormatError as error:
        action = error.index if isinstance(error, RefusedActionError) else -1
        raise LineError(line_numbers[action + 1], *error.problems, game=error.game) from None
    assert state is not None  # the start is a state
    return record, state


def last_state(record: Record) -> GameState:
    """The state a record leads to. Raises as `replay` does."""
    *_, state = replay(record)
    return state


def undo(record: Record, seat: str) -> Record | Refusal:
    """The record without its last action, if it is fair that the seat takes it back.

    Fair is: one's own action, the last one of all, and nothing was shown by it that can't be unseen.
    """
    if not record.actions:
        return Refusal("nothing_to_undo")
    action = record.actions[-1]
    shorter = Record(record.header, record.actions[:-1])
    game = game_of(dict(record.header))
    before = last_state(shorter)
    return why_it_stands(game, before, action, after(game, before, action), seat) or shorter


def why_it_stands(game: Game[Any], before: Any, action: Action, state: Any, seat: str) -> Refusal | None:
    """Why the seat can't take back the action that led from one state to the next; None where it may."""
    if action.seat == CHANCE:
        return Refusal("chance_has_spoken", {"verb": action.verb})
    if action.seat == TABLE:
        return Refusal("agreed_by_all", {"verb": action.verb})
    if action.seat != seat:
        return Refusal("another_has_acted", {"seat": action.seat, "verb": action.verb})
    return game.binding(before, action, state)
