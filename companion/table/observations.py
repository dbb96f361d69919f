"""What sensors tell the table: plain values, in which a silent sensor is *unavailable* and never its last value.

Times are seconds of the one clock that is passed to every link (`Clock`); nothing here reads it. The JSON forms carry
everything, secrets included: whoever writes them down decides where. The `repr` of a value never shows a tag, because
what lies in a tray is a secret and log lines travel.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, NamedTuple, Protocol

from companion.games.protocol import Event, FormatError, Json, parse_content

__all__ = [
    "BoardSeen",
    "Clock",
    "Event",
    "FormatError",
    "Health",
    "Json",
    "Noted",
    "Observation",
    "Piece",
    "Pressed",
    "Tag",
    "TagsSeen",
    "When",
    "from_json",
    "to_json",
]

TIKI, CARD = "tiki", "card"
DESK = "desk"  # the place of a reader that lies beside the board, for enrolling tags
TRAY = "tray"


class Clock(Protocol):
    """The time of the table, in seconds that never go back."""

    def now(self) -> float:
        """Seconds since some fixed moment."""


class When(NamedTuple):
    """A moment at the sensor, and by how much it may be off either way; both in seconds."""

    at: float
    within: float = 0.0

    def to_json(self) -> dict[str, Json]:
        return {"at": self.at, "within": self.within}

    @classmethod
    def from_json(cls, data: Json) -> When:
        return cls(_number(data, "at"), _number(data, "within"))


class Piece(NamedTuple):
    """What a tag is stuck to: a tiki, or one card of a colour's deck. `copy` tells equal cards apart, from 1."""

    kind: str
    colour: str
    card: str = ""
    copy: int = 1

    @property
    def text(self) -> str:
        words = [self.colour, self.kind, self.card, str(self.copy) if self.copy > 1 else ""]
        return " ".join(word for word in words if word)

    @classmethod
    def from_text(cls, text: str) -> Piece:
        """Reads `blue tiki`, `blue card Azzura` or `blue card Paint 2`. Raises `FormatError`."""
        match text.split() if len(text) <= 100 else []:
            case [colour, "tiki"]:
                return cls(TIKI, colour)
            case [colour, "card", card]:
                return cls(CARD, colour, card)
            case [colour, "card", card, ("2" | "3" | "4" | "5" | "6" | "7" | "8" | "9") as copy]:
                return cls(CARD, colour, card, int(copy))
        raise FormatError(Event("piece_unreadable", {"text": text[:80]}))


class Tag(NamedTuple):
    """A tag that lies on a reader: what it is stuck to (None: not registered) and since when it lies there."""

    uid: str
    piece: Piece | None
    since: When

    def __repr__(self) -> str:
        return f"Tag(hidden, since={self.since.at:.3f})"

    def to_json(self) -> dict[str, Json]:
        return {"uid": self.uid, "piece": self.piece.text if self.piece else None, "since": self.since.to_json()}

    @classmethod
    def from_json(cls, data: Json) -> Tag:
        piece = data["piece"]
        return cls(
            _text(data, "uid"),
            None if piece is None else Piece.from_text(_text(data, "piece")),
            When.from_json(data["since"]),
        )


class TagsSeen(NamedTuple):
    """Everything that lies on one reader, sorted by UID; it replaces all that was known of that reader.

    `sensor` is who says so (`north/place-1`), `place` what lies over it: a site, `club:Azzura`, `tray:blue:1`, `desk`.
    """

    sensor: str
    place: str
    tags: tuple[Tag, ...]
    seen: When

    def __repr__(self) -> str:
        return f"TagsSeen({self.sensor!r}, {self.place!r}, hidden, at={self.seen.at:.3f})"


class Health(NamedTuple):
    """Whether a sensor can be believed. Once it can't, what it said before counts for nothing."""

    sensor: str
    place: str  # empty for what has none, such as a button: its sensor is `button:blue`
    is_available: bool
    since: float
    reason: Event | None = None  # why it is unavailable


class Pressed(NamedTuple):
    """A seat's button went down, at this moment at the seat."""

    seat: str
    pressed: When


class Noted(NamedTuple):
    """Something odd that no single reading says, such as one tag on two readers at once."""

    sensor: str
    what: Event
    at: float


class BoardSeen(NamedTuple):
    """What a camera makes of the board: per place the odds of each content, which need not sum to 1.

    A content is `empty` or pieces such as `hut:blue`. `hidden` places are covered or moving: nothing is known of them.
    """

    camera: str
    odds: Mapping[str, Mapping[str, float]]
    hidden: tuple[str, ...]
    seen: When


Observation = TagsSeen | Health | Pressed | Noted | BoardSeen


def is_secret(place: str) -> bool:
    """Whether what lies on a place is one seat's secret."""
    return place.startswith(f"{TRAY}:")


def known_by(observation: Observation, now: float) -> Observation:
    """The observation as it can have been made: no later than now, whatever the sensor's own clock says."""
    match observation:
        case TagsSeen(_, _, _, seen) | BoardSeen(_, _, _, seen) if not seen.at <= now:  # what is no number included
            return observation._replace(seen=seen._replace(at=now))
        case Health(_, _, _, since) if not since <= now:
            return observation._replace(since=now)
        case Pressed(_, pressed) if not pressed.at <= now:
            return observation._replace(pressed=pressed._replace(at=now))
    return observation


# --- JSON ---


def to_json(observation: Observation) -> dict[str, Json]:
    """The observation as plain data, with everything in it. A camera's odds and a tray's tags are both in there."""
    match observation:
        case TagsSeen(sensor, place, tags, seen):
            body: dict[str, Json] = {"sensor": sensor, "place": place, "tags": [tag.to_json() for tag in tags]}
            return {"observed": "tags", **body, "seen": seen.to_json()}
        case Health(sensor, place, is_available, since, reason):
            why = None if reason is None else {"code": reason.code, "data": dict(reason.data)}
            body = {"sensor": sensor, "place": place, "available": is_available, "since": since}
            return {"observed": "health", **body, "reason": why}
        case Pressed(seat, pressed):
            return {"observed": "press", "seat": seat, "pressed": pressed.to_json()}
        case Noted(sensor, what, at):
            note = {"code": what.code, "data": dict(what.data)}
            return {"observed": "note", "sensor": sensor, "what": note, "at": at}
        case BoardSeen(camera, odds, hidden, seen):
            plain = {place: dict(contents) for place, contents in odds.items()}
            return {
                "observed": "board",
                "camera": camera,
                "odds": plain,
                "hidden": list(hidden),
                "seen": seen.to_json(),
            }


def from_json(data: Json) -> Observation:
    """Raises `FormatError` unless the data is what `to_json` gives."""
    try:
        return _READERS[data["observed"]](data)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(Event("observation_unreadable", {"what": type(error).__name__})) from None


def _read_tags(data: Json) -> TagsSeen:
    tags = tuple(Tag.from_json(tag) for tag in data["tags"])
    return TagsSeen(_text(data, "sensor"), _text(data, "place"), tags, When.from_json(data["seen"]))


def _read_health(data: Json) -> Health:
    reason = None if data["reason"] is None else _event(data["reason"])
    is_available = data["available"] is True
    return Health(_text(data, "sensor"), _text(data, "place"), is_available, _number(data, "since"), reason)


def _read_board(data: Json) -> BoardSeen:
    odds = {
        str(place): {_content(content): _chance(contents, content) for content in contents}
        for place, contents in data["odds"].items()
    }
    return BoardSeen(_text(data, "camera"), odds, tuple(map(str, data["hidden"])), When.from_json(data["seen"]))


_READERS: dict[Any, Callable[[Json], Observation]] = {
    "tags": _read_tags,
    "health": _read_health,
    "press": lambda data: Pressed(_text(data, "seat"), When.from_json(data["pressed"])),
    "note": lambda data: Noted(_text(data, "sensor"), _event(data["what"]), _number(data, "at")),
    "board": _read_board,
}


def _event(data: Json) -> Event:
    return Event(_text(data, "code"), dict(data["data"]))


def _text(data: Json, key: str) -> str:
    if not isinstance(data[key], str):
        raise TypeError(key)
    return str(data[key])


def _content(text: Json) -> str:
    parse_content(text)
    return str(text)


def _chance(data: Json, key: str) -> float:
    if (value := _number(data, key)) < 0:
        raise ValueError(key)
    return value


def _number(data: Json, key: str) -> float:
    value = data[key]
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(key)
    if not isfinite(value):
        raise ValueError(key)
    return float(value)
