"""What every game answers, and the few types all games share.

A game is a value: `apply(state, action)` gives the next state or a refusal, and touches nothing. Everything a person
may be told is an `Event`: a stable code with plain data, put into words by `texts.py` in the reader's language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, TypeVar

Json = Any  # what json.loads gives: plain data, checked where it comes in

MAX_ACTION_WORDS = 40
MOST_PROBLEMS = 100
_NO_DATA: Mapping[str, Json] = MappingProxyType({})
_WORD = re.compile(r"[^\s#]{1,64}")

# Who acts when the dice or the deck do. Chance is recorded like any other action, with what came up as its arguments.
CHANCE = "chance"
# Who acts when the people at the table agree that the board is right and the game is not.
TABLE = "table"
ADJUST = "adjust"  # its verb; each argument is a place with what lies there, `Azzura-Lagon-Fleur=hut:blue+tiki:blue`
END = "end"  # its other verb, of games that can be counted at any moment: the people agree to stop here


def plain(value: Json) -> Json:
    """A copy made of dicts and lists alone, which its reader may change without changing ours."""
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


class Event(NamedTuple):
    """Something that happened or is wrong: `code` is stable, `data` fills its sentence."""

    code: str
    data: Mapping[str, Json] = _NO_DATA

    def to_json(self) -> dict[str, Json]:
        return {"code": self.code, **plain(self.data)}


class Refusal(NamedTuple):
    """An action the rules do not accept, and why. The state is as it was."""

    code: str
    data: Mapping[str, Json] = _NO_DATA

    def to_json(self) -> dict[str, Json]:
        return {"code": self.code, **plain(self.data)}


class FormatError(ValueError):
    """Something from outside can't be read; `problems` says everything that is wrong with it, within reason.

    `game` is the game in whose words they are said, once that is known.
    """

    def __init__(self, *problems: Event, game: str | None = None) -> None:
        self.problems, self.game = problems[:MOST_PROBLEMS], game
        super().__init__("; ".join(problem.code for problem in self.problems))


class Action(NamedTuple):
    """What a seat does: plain data, ordered and hashable, with a one-line text and a JSON form."""

    seat: str
    verb: str
    args: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return " ".join((self.seat, self.verb, *self.args))

    @classmethod
    def from_text(cls, line: str) -> Action:
        """Raises `FormatError` unless the line is made of a seat, a verb and up to forty words."""
        words = line.split()
        if len(words) < 2 or len(words) > MAX_ACTION_WORDS or not all(map(_WORD.fullmatch, words)):
            raise FormatError(Event("action_unreadable", {"text": line[:80]}))
        return cls(words[0], words[1], tuple(words[2:]))

    def to_json(self) -> dict[str, Json]:
        return {"seat": self.seat, "do": self.verb, "args": list(self.args)}

    @classmethod
    def from_json(cls, data: Json) -> Action:
        """Raises `FormatError` unless the data is `{"seat": ..., "do": ..., "args": [...]}` of plain words."""
        if isinstance(data, dict) and isinstance(data.get("args", []), list):
            words = [data.get("seat"), data.get("do"), *data.get("args", [])]
            if len(words) <= MAX_ACTION_WORDS and all(isinstance(w, str) and _WORD.fullmatch(w) for w in words):
                return cls(words[0], words[1], tuple(words[2:]))
        raise FormatError(Event("action_unreadable", {"text": repr(data)[:80]}))


class Score(NamedTuple):
    """Points by player and category, who wins, and every reason as an event."""

    points: Mapping[str, Mapping[str, int]]
    winners: tuple[str, ...]
    reasons: tuple[Event, ...]

    def to_json(self) -> dict[str, Json]:
        return {
            "scores": {player: dict(points) for player, points in self.points.items()},
            "winners": list(self.winners),
            "reasons": [reason.to_json() for reason in self.reasons],
        }


class Outcome(NamedTuple):
    """How a finished game ended: why, and with which score."""

    ended_by: Event
    score: Score


# The pieces that must lie on each place that is not empty: {"Azzura-Lagon-Fleur": (("hut", "blue"), ("tiki", "pink"))}.
Piece = tuple[str, str]  # kind and colour
Pieces = tuple[Piece, ...]
Expected = Mapping[str, Pieces]
HIDDEN = "?"  # in the place of what a seat can't know of a piece


class Movement(NamedTuple):
    """A piece that hands must put on a place (`put`), or take off it."""

    put: bool
    piece: str
    colour: str
    place: str


def movements(before: Expected, after: Expected) -> tuple[Movement, ...]:
    """What hands must do on the board to get from one expectation to the next: first all takes, then all puts."""
    moves = []
    for place in sorted(before.keys() | after.keys()):
        old, new = before.get(place, ()), after.get(place, ())
        moves += [Movement(False, piece, colour, place) for piece, colour in old if (piece, colour) not in new]
        moves += [Movement(True, piece, colour, place) for piece, colour in new if (piece, colour) not in old]
    return tuple(sorted(moves, key=lambda move: move.put))


EMPTY = "empty"


@lru_cache(maxsize=4096)
def content_of(pieces: Pieces) -> str:
    """What lies on a place, as one word: `empty`, `hut:blue`, `hut:blue+tiki:pink`."""
    return "+".join(f"{piece}:{colour}" for piece, colour in pieces) or EMPTY


@lru_cache(maxsize=4096)
def parse_content(content: str) -> Pieces:
    """The pieces that such a word names. Raises `FormatError`."""
    if content == EMPTY:
        return ()
    pairs = [tuple(word.split(":")) for word in content.split("+")]
    if not all(len(pair) == 2 and all(pair) for pair in pairs):
        raise FormatError(Event("content_unreadable", {"content": content[:80]}))
    return tuple((piece, colour) for piece, colour in pairs)


class TrayReading(NamedTuple):
    """What cards in a tray may mean: one action, several that only their owner can tell apart, or none.

    `is_complete` says that nothing more needs to be laid for it to make sense.
    """

    actions: tuple[Action, ...]
    is_complete: bool


class GameState(Protocol):
    """What the table may ask of any game's state without knowing the game."""

    @property
    def number(self) -> int:
        """How many actions led here: a late or doubled tap names an older number."""

    @property
    def events(self) -> tuple[Event, ...]:
        """What the last action made happen, as everyone may know it."""


S = TypeVar("S", bound=GameState)
S_contra = TypeVar("S_contra", contravariant=True)


class ShownTo(Protocol[S_contra]):
    """The type of `Game.shown`."""

    def __call__(self, state: S_contra, seat: str | None, pieces: Expected | None = None) -> Expected: ...


def open_to_all(expected: Callable[[S_contra], Expected]) -> ShownTo[S_contra]:
    """`Game.shown` of a game whose pieces hide nothing: everybody sees what lies there."""
    return lambda state, seat, pieces=None: expected(state) if pieces is None else pieces


def never_turned(piece: Piece) -> Piece:
    """`Game.component_of` of a game whose pieces are named alike in the box and on the board."""
    return piece


class Game(Protocol[S]):
    """The questions every game answers. Seats are named by strings; `None` as a seat is a spectator."""

    name: str
    # The rules there are, and for how many people each is; the first are the ordinary ones.
    rule_sets: Mapping[str, Sequence[int]]

    def default_header(self, rules: str, people: int) -> dict[str, Json]:
        """The header of an ordinary game for so many people. Raises `FormatError` where the rules have no such game."""

    def start(self, header: Mapping[str, Json]) -> S:
        """The first state of a game with these rules, boards and players. Raises `FormatError` naming all faults."""

    def header(self, state: S) -> dict[str, Json]:
        """What `start` needs to begin this game again."""

    def seats(self, state: S) -> tuple[str, ...]:
        """Everyone who can act, in turn order of the table."""

    def actors(self, state: S) -> tuple[str, ...]:
        """The seats the game can go on with; empty when it is over. Several when they act at once."""

    def legal_actions(self, state: S, seat: str) -> Sequence[Action]:
        """The sound actions of a seat, sorted, each once. `apply` may accept more where a table can't refuse a slip."""

    def odds(self, state: S) -> Mapping[Action, int]:
        """What chance may do now, sorted, each with its weight: an outcome of weight 2 is twice as likely as one of 1.

        Empty unless `actors` names chance. These are also chance's legal actions; see `chance.py` for who draws.
        """

    def apply(self, state: S, action: Action) -> S | Refusal:
        """The state after the action, or why the rules refuse it."""

    def view(self, state: S, seat: str | None) -> dict[str, Json]:
        """All that the seat may know, as JSON; nothing of any other seat's secrets."""

    def witness(self, action: Action, seat: str | None) -> Action:
        """The action as the seat sees it being done: the same, without another seat's secrets."""

    def binding(self, before: S, action: Action, after: S) -> Refusal | None:
        """Why a seat's own action can't be taken back, if so: it showed a secret. Chance and the table always stand."""

    def expected(self, state: S) -> Expected:
        """The pieces that must lie on the board, from all sides: for scores, records and cameras, not for people."""

    def shown(self, state: S, seat: str | None, pieces: Expected | None = None) -> Expected:
        """The same pieces as the seat may see them (None: everybody); what it can't know of them is `HIDDEN`.

        With `pieces` it tells the same of other pieces that may lie there, such as a camera's reading.
        """

    def places(self, state: S) -> tuple[str, ...]:
        """Everywhere a piece may lie on the board."""

    def components(self, state: S) -> Mapping[tuple[str, str], int]:
        """Every piece that comes out of the box for this game: how many of each kind and colour."""

    def component_of(self, piece: Piece) -> Piece:
        """The piece of the box that lies on the board so: `components` names it once, whichever way it is turned."""

    def colour_of(self, state: S, seat: str) -> str:
        """The colour of the pieces a seat plays with."""

    def hand_actions(self, state: S) -> Sequence[Action]:
        """The legal actions that are done by putting pieces on the board, so that a camera can tell them."""

    def button_actions(self, state: S, seat: str) -> Sequence[Action]:
        """What the one button of a seat stands for now. Several: whoever pressed first still chooses among them."""

    def tray_actions(self, state: S, seat: str, cards: Sequence[str]) -> TrayReading:
        """What the cards in a seat's tray may mean; the first of them lies face up."""

    def is_open(self, state: S, seat: str) -> bool | None:
        """Whether what the seat laid secretly lies open for all by now; None when it has laid nothing."""

    def position(self, state: S) -> dict[str, Json]:
        """The public position in the game's JSON form."""

    def position_with(self, header: Mapping[str, Json], pieces: Expected) -> dict[str, Json]:
        """The position in the game's JSON form if these pieces lay on the board; it may be an impossible one."""

    def score(self, state: S) -> Score:
        """The score if the game ended now."""

    def score_position(self, data: Json) -> Score:
        """The score of a position in the game's JSON form. Raises `FormatError` naming all that is wrong."""

    def outcome(self, state: S) -> Outcome | None:
        """The result of a finished game."""
