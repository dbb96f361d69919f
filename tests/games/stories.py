"""Stories: records in the compact text form that say, in `#=` comments, what must hold after the action above them.

The expectations of every game are here; a game's own `golden/stories.py` adds those that speak of its pieces. They are
listed with examples in `tests/makabana/golden/README.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from companion.games.catalogue import game_of
from companion.games.protocol import Action, Event, Game, Json, Refusal
from companion.games.record import parse_record

MARK = "#="
NONE = "none"


class Moment(NamedTuple):
    """A game and the state that an expectation speaks of."""

    game: Game[Any]
    state: Any

    @property
    def view(self) -> dict[str, Json]:
        return self.game.view(self.state, None)


# Gives None where an expectation holds, else what is there instead.
Check = Callable[[Moment, str], str | None]


class Telling(NamedTuple):
    """What came of reading a story: its last moment, how much was checked, and every line that does not hold."""

    moment: Moment
    checked: int
    faults: tuple[str, ...]


def tell(text: str, further: Mapping[str, Check] = MappingProxyType({})) -> Telling:
    """Plays a story and checks its expectations, all of them; an action that is refused ends the telling.

    `further` are expectations that a game's stories know besides the common ones.
    """
    game = game_of(dict(parse_record(text).header))
    moment = Moment(game, game.start(parse_record(text).header))
    has_header, checked, faults = False, 0, []
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


# What the games' own expectations are made of.


def differs(found: object, wanted: str) -> str | None:
    return None if str(found) == wanted else str(found)


def piece(kind: str, prefix: str = "") -> Check:
    """`hut PLACE blue`, `stone PLACE none`: the colour of such a piece on the place."""

    def check(moment: Moment, rest: str) -> str | None:
        place, colour = rest.split()
        if prefix + place not in moment.game.places(moment.state):  # such an expectation would hold for ever
            raise ValueError(f"there is no place {prefix + place!r} at this table")
        return differs(dict(moment.game.expected(moment.state).get(prefix + place, ())).get(kind, NONE), colour)

    return check


def field(key: str) -> Check:
    """What all may see under that name."""
    return lambda moment, rest: differs(plain(moment.view[key]), rest)


def of_player(key: str) -> Check:
    """`reserve blue 4`: what all may see under that name of one player."""

    def check(moment: Moment, rest: str) -> str | None:
        player, wanted = rest.split()
        return differs(moment.view[key][player], wanted)

    return check


def lacks(data: Json, pairs: list[str]) -> str | None:
    """None if the data holds all of `key=value`, else the data."""
    return None if _has(data, pairs) else _pairs_text(data)


# The common expectations.


def _events(moment: Moment, rest: str) -> str | None:
    return differs(" ".join(event.code for event in moment.state.events) or NONE, rest or NONE)


def _event(moment: Moment, rest: str) -> str | None:
    return _among(moment.state.events, rest)


def _reason(moment: Moment, rest: str) -> str | None:
    return _among(moment.game.score(moment.state).reasons, rest)


def _among(events: tuple[Event, ...], rest: str) -> str | None:
    code, *pairs = rest.split()
    alike = [event for event in events if event.code == code]
    if any(_has(event.data, pairs) for event in alike):
        return None
    return "; ".join(map(event_text, alike or events)) or NONE


def _has(data: Json, pairs: list[str]) -> bool:
    wanted = [pair.split("=", 1) for pair in pairs]
    return all(key in data and plain(data[key]) == value for key, value in wanted)


def _waits(moment: Moment, rest: str) -> str | None:
    return differs(" ".join(moment.game.actors(moment.state)) or NONE, rest)


def _score(moment: Moment, rest: str) -> str | None:
    player, *points = rest.split()
    return differs(" ".join(map(str, moment.game.score(moment.state).points[player].values())), " ".join(points))


def _winners(moment: Moment, rest: str) -> str | None:
    outcome = moment.game.outcome(moment.state)
    return differs(" ".join(outcome.score.winners) if outcome else NONE, rest)


def _choices(moment: Moment, rest: str) -> str | None:
    seat, _, choices = rest.partition(":")
    found = sorted(action.text.removeprefix(seat).strip() for action in moment.game.legal_actions(moment.state, seat))
    return differs(" | ".join(found), " | ".join(sorted(choice.strip() for choice in choices.split("|"))))


def _refused(moment: Moment, rest: str) -> str | None:
    code, _, line = rest.partition(": ")
    result = moment.game.apply(moment.state, Action.from_text(line))
    return differs(result.code, code) if isinstance(result, Refusal) else "no refusal"


def _would(moment: Moment, rest: str) -> str | None:
    """Another action, tried from the same state: the story goes on without it."""
    codes, _, line = rest.partition(": ")
    result = moment.game.apply(moment.state, Action.from_text(line))
    if isinstance(result, Refusal):
        return f"refused: {event_text(result)}"
    return differs(" ".join(event.code for event in result.events), codes)


_CHECKS: Mapping[str, Check] = {
    "events": _events,
    "event": _event,
    "waits": _waits,
    "choices": _choices,
    "refused": _refused,
    "would": _would,
    "round": field("round"),
    "phase": field("phase"),
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
