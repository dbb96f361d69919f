"""Stories: records in the compact text form that say, in `#=` comments, what must hold after the action above them.

To every other reader the file is a plain record. The README beside this file lists what a `#=` line can say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from companion.games.catalogue import game_of
from companion.games.protocol import Action, Event, Game, Json, Refusal
from companion.games.record import parse_record

FOLDER = Path(__file__).parent
STORIES = sorted(FOLDER.glob("*.txt"))
MARK = "#="
NONE = "none"


class Moment(NamedTuple):
    """A game and the state that an expectation speaks of."""

    game: Game[Any]
    state: Any


# Gives None where an expectation holds, else what is there instead.
Check = Callable[[Moment, str], str | None]


class Telling(NamedTuple):
    """What came of reading a story: its last moment, how much was checked, and every line that does not hold."""

    moment: Moment
    checked: int
    faults: tuple[str, ...]


def tell(text: str, further: Mapping[str, Check] = MappingProxyType({})) -> Telling:
    """Plays a story and checks its expectations, all of them; an action that is refused ends the telling.

    `further` are expectations that another game's stories know besides the common ones.
    """
    game = game_of(dict(parse_record(text).header))
    moment = Moment(game, game.start(parse_record(text).header))
    checked, faults, has_header = 0, [], False
    for number, line in enumerate(map(str.strip, text.splitlines()), 1):
        if line.startswith(MARK):
            checked += 1
            if fault := _fault(moment, line.removeprefix(MARK).strip(), {**_CHECKS, **further}):
                faults.append(f"line {number}: {fault}")
        elif MARK in line:
            raise ValueError(f"line {number}: {MARK!r} belongs at the start of a line of its own: {line!r}")
        elif content := line.split("#", 1)[0].strip():
            if has_header:
                result = game.apply(moment.state, Action.from_text(content))
                if isinstance(result, Refusal):
                    faults.append(f"line {number}: {content!r} is refused: {event_text(result)}")
                    break
                moment = moment._replace(state=result)
            has_header = True
    return Telling(moment, checked, tuple(faults))


def _fault(moment: Moment, expectation: str, checks: Mapping[str, Check]) -> str | None:
    word, _, rest = expectation.partition(" ")
    if word not in checks:
        raise ValueError(f"{expectation!r}: there is no expectation {word!r}; write one of {', '.join(checks)}")
    found = checks[word](moment, rest.strip())
    return None if found is None else f"expected {expectation!r}, found {found}"


# Each check gives None where the expectation holds, else what is there instead.


def _events(moment: Moment, rest: str) -> str | None:
    codes = [event.code for event in moment.state.events]
    return None if codes == rest.split() else " ".join(codes) or NONE


def _event(moment: Moment, rest: str) -> str | None:
    return _among(moment.state.events, rest)


def _reason(moment: Moment, rest: str) -> str | None:
    return _among(moment.game.score(moment.state).reasons, rest)


def _among(events: tuple[Event, ...], rest: str) -> str | None:
    code, *pairs = rest.split()
    wanted = dict(pair.split("=", 1) for pair in pairs)
    alike = [event for event in events if event.code == code]
    if any(_has(event.data, wanted) for event in alike):
        return None
    return "; ".join(map(event_text, alike or events)) or NONE


def _has(data: Json, wanted: dict[str, str]) -> bool:
    return all(key in data and plain(data[key]) == value for key, value in wanted.items())


def _piece(kind: str) -> Callable[[Moment, str], str | None]:
    def check(moment: Moment, rest: str) -> str | None:
        place, colour = rest.split()
        if kind == "club":
            place = f"club:{place}"
        _check_place(moment, place)
        pieces = dict(moment.game.expected(moment.state).get(place, ()))
        return _differs(pieces.get(kind, NONE), colour)

    return check


def _check_place(moment: Moment, place: str) -> None:
    """An expectation about a place that is not on the board would hold for ever."""
    setup = moment.state.setup
    if place not in setup.site_set and place not in setup.club_places:
        raise ValueError(f"there is no place {place!r} on these boards")


def _reserve(moment: Moment, rest: str) -> str | None:
    colour, count = rest.split()
    return _differs(_view(moment)["reserves"][colour], count)


def _cards(moment: Moment, rest: str) -> str | None:
    seat, *pairs = rest.split()
    return _shown(_view(moment)["cards_left"][seat], pairs)


def _seen(moment: Moment, rest: str) -> str | None:
    """What a bystander sees of a plan."""
    seat, *pairs = rest.split()
    plan = _view(moment)["plans"][seat]
    return NONE if plan is None else _shown(plan, pairs)


def _shown(data: Json, pairs: list[str]) -> str | None:
    wanted = dict(pair.split("=", 1) for pair in pairs)
    return None if _has(data, wanted) else _pairs_text(data)


def _view(moment: Moment) -> dict[str, Json]:
    return moment.game.view(moment.state, None)


def _field(key: str) -> Callable[[Moment, str], str | None]:
    return lambda moment, rest: _differs(plain(_view(moment)[key]), rest)


def _waits(moment: Moment, rest: str) -> str | None:
    return _differs(" ".join(moment.game.actors(moment.state)) or NONE, rest)


def _final(moment: Moment, rest: str) -> str | None:
    """Why the round is the final one: the codes of its causes."""
    final = _view(moment)["final"]
    return _differs(plain(final["because"]) if final else NONE, rest)


def _score(moment: Moment, rest: str) -> str | None:
    colour, *points = rest.split()
    return _differs(" ".join(map(str, moment.game.score(moment.state).points[colour].values())), " ".join(points))


def _winners(moment: Moment, rest: str) -> str | None:
    outcome = moment.game.outcome(moment.state)
    return _differs(" ".join(outcome.score.winners) if outcome else NONE, rest)


def _choices(moment: Moment, rest: str) -> str | None:
    seat, _, choices = rest.partition(":")
    found = sorted(action.text.removeprefix(seat).strip() for action in moment.game.legal_actions(moment.state, seat))
    return _differs(" | ".join(found), " | ".join(sorted(choice.strip() for choice in choices.split("|"))))


def _refused(moment: Moment, rest: str) -> str | None:
    code, _, line = rest.partition(": ")
    result = moment.game.apply(moment.state, Action.from_text(line))
    if not isinstance(result, Refusal):
        return "no refusal"
    return _differs(result.code, code)


def _would(moment: Moment, rest: str) -> str | None:
    """Another action, tried from the same state: the story goes on without it."""
    codes, _, line = rest.partition(": ")
    result = moment.game.apply(moment.state, Action.from_text(line))
    if isinstance(result, Refusal):
        return f"refused: {event_text(result)}"
    found = [event.code for event in result.events]
    return _differs(" ".join(found), codes)


def _differs(found: object, wanted: str) -> str | None:
    return None if str(found) == wanted else str(found)


_CHECKS: dict[str, Check] = {
    "events": _events,
    "event": _event,
    "hut": _piece("hut"),
    "club": _piece("club"),
    "tiki": _piece("tiki"),
    "reserve": _reserve,
    "cards": _cards,
    "seen": _seen,
    "waits": _waits,
    "choices": _choices,
    "refused": _refused,
    "would": _would,
    "round": _field("round"),
    "first": _field("first"),
    "out": _field("out"),
    "phase": _field("phase"),
    "final": _final,
    "score": _score,
    "reason": _reason,
    "winners": _winners,
}


# Data as one word, in expectations and in the golden games.


def plain(value: Json) -> str:
    """A value as one word: lists joined by `+`, events by their code, mappings as `blue:4,green:0`, sorted."""
    if value is None:
        return NONE
    if isinstance(value, list | tuple):
        return "+".join(map(plain, value)) or NONE
    if isinstance(value, dict):
        return str(value.get("code") or ",".join(f"{key}:{plain(value[key])}" for key in sorted(value)) or NONE)
    return str(value)


def _pairs_text(data: Json) -> str:
    return " ".join(f"{key}={plain(value)}" for key, value in data.items())


def event_text(event: Event | Refusal) -> str:
    return " ".join([event.code, _pairs_text(event.data)]).strip()
