"""Stories of Māori: records in the compact text form whose `#=` comments say what holds after the action above.

To every other reader the file is a plain record. The README beside this file lists what a `#=` line can say.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from companion.games.maori.game import Maori
from companion.games.maori.state import State
from companion.games.protocol import Action, Event, Refusal
from companion.games.record import parse_record
from tests.makabana.golden.stories import event_text, plain

FOLDER = Path(__file__).parent
STORIES = sorted(FOLDER.glob("*.txt"))
GAME = Maori()
MARK = "#="
NONE = "none"


class Telling(NamedTuple):
    """What came of reading a story: its last state, how much was checked, and every line that does not hold."""

    state: State
    checked: int
    faults: tuple[str, ...]


def tell(text: str) -> Telling:
    """Plays a story and checks its expectations, all of them; an action that is refused ends the telling."""
    state = GAME.start(parse_record(text).header)
    checked, faults, has_header = 0, [], False
    for number, line in enumerate(map(str.strip, text.splitlines()), 1):
        content = line.split("#", 1)[0].strip()
        if line.startswith(MARK):
            checked += 1
            if fault := _fault(state, line.removeprefix(MARK).strip()):
                faults.append(f"line {number}: {fault}")
        elif MARK in line:
            raise ValueError(f"line {number}: {MARK!r} belongs at the start of a line of its own: {line!r}")
        elif content and not has_header:
            has_header = True
        elif content:
            result = GAME.apply(state, Action.from_text(content))
            if isinstance(result, Refusal):
                faults.append(f"line {number}: {content!r} is refused: {event_text(result)}")
                break
            state = result
    return Telling(state, checked, tuple(faults))


def _fault(state: State, expectation: str) -> str | None:
    word, _, rest = expectation.partition(" ")
    if word not in _CHECKS:
        raise ValueError(f"{expectation!r}: there is no expectation {word!r}; write one of {', '.join(_CHECKS)}")
    found = _CHECKS[word](state, rest.strip())
    return None if found is None else f"expected {expectation!r}, found {found}"


# Each check gives None where the expectation holds, else what is there instead.


def _differs(found: object, wanted: str) -> str | None:
    return None if str(found) == wanted else str(found)


def _events(state: State, rest: str) -> str | None:
    return _differs(" ".join(event.code for event in state.events) or NONE, rest)


def _event(state: State, rest: str) -> str | None:
    return _among(state.events, rest)


def _reason(state: State, rest: str) -> str | None:
    return _among(GAME.score(state).reasons, rest)


def _among(events: tuple[Event, ...], rest: str) -> str | None:
    code, *pairs = rest.split()
    wanted = [pair.split("=", 1) for pair in pairs]
    alike = [event for event in events if event.code == code]
    for event in alike:
        if all(key in event.data and plain(event.data[key]) == value for key, value in wanted):
            return None
    return "; ".join(map(event_text, alike or events)) or NONE


def _piece(kind: str) -> Callable[[State, str], str | None]:
    """`tile PLACE WORD`, `boat PLACE COLOUR`, `ship PLACE shared`; `none` where there is no such piece."""

    def check(state: State, rest: str) -> str | None:
        place, wanted = rest.split()
        if place not in GAME.places(state):
            raise ValueError(f"there is no place {place!r} at this table")
        return _differs(dict(GAME.expected(state).get(place, ())).get(kind, NONE), wanted)

    return check


def _of_player(key: str) -> Callable[[State, str], str | None]:
    def check(state: State, rest: str) -> str | None:
        player, wanted = rest.split()
        return _differs(GAME.view(state, None)[key][player], wanted)

    return check


def _field(key: str) -> Callable[[State, str], str | None]:
    return lambda state, rest: _differs(plain(GAME.view(state, None)[key]), rest)


def _waits(state: State, rest: str) -> str | None:
    return _differs(" ".join(GAME.actors(state)) or NONE, rest)


def _score(state: State, rest: str) -> str | None:
    player, *points = rest.split()
    return _differs(" ".join(map(str, GAME.score(state).points[player].values())), " ".join(points))


def _winners(state: State, rest: str) -> str | None:
    outcome = GAME.outcome(state)
    return _differs(" ".join(outcome.score.winners) if outcome else NONE, rest)


def _choices(state: State, rest: str) -> str | None:
    seat, _, choices = rest.partition(":")
    found = sorted(action.text.removeprefix(seat).strip() for action in GAME.legal_actions(state, seat))
    return _differs(" | ".join(found), " | ".join(sorted(choice.strip() for choice in choices.split("|"))))


def _refused(state: State, rest: str) -> str | None:
    code, _, line = rest.partition(": ")
    result = GAME.apply(state, Action.from_text(line))
    return _differs(result.code, code) if isinstance(result, Refusal) else "no refusal"


def _would(state: State, rest: str) -> str | None:
    """Another action, tried from the same state: the story goes on without it."""
    codes, _, line = rest.partition(": ")
    result = GAME.apply(state, Action.from_text(line))
    if isinstance(result, Refusal):
        return f"refused: {event_text(result)}"
    return _differs(" ".join(event.code for event in result.events), codes)


_CHECKS: dict[str, Callable[[State, str], str | None]] = {
    "events": _events,
    "event": _event,
    "tile": _piece("tile"),
    "boat": _piece("boat"),
    "ship": _piece("ship"),
    "shells": _of_player("shells"),
    "canoes": _of_player("canoes"),
    "reserve": _field("reserve"),
    "pile": _field("pile"),
    "waits": _waits,
    "choices": _choices,
    "refused": _refused,
    "would": _would,
    "round": _field("round"),
    "phase": _field("phase"),
    "final": _field("final"),
    "score": _score,
    "reason": _reason,
    "winners": _winners,
}
