"""The state of a game of Maki-San: one frozen value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.games.headers import unknown_keys
from companion.games.makisan.board import Line, facing_of, maki_of
from companion.games.makisan.rules import MAKIS, PLACES
from companion.games.makisan.setup import HEADER_KEYS, Setup, make_setup, other
from companion.games.protocol import CHANCE, Event, Expected, FormatError, Json, Pieces

OPENING, TURN, DRAW, OVER = PHASES = ("opening", "turn", "draw", "over")
NONE: frozenset[str] = frozenset()


class Wasabi(NamedTuple):
    """A Wasabi on the line: whose it is, and the maki it covers."""

    owner: str
    maki: str


class State(NamedTuple):
    """Makis are named by their two colours; pairs of values are in the order south, north."""

    setup: Setup
    number: int
    phase: str
    round: int
    first: str  # who began this round
    turn: str
    line: Line
    bag: tuple[str, ...]
    drawn: str | None  # the maki out of the bag that does not lie yet
    known: tuple[frozenset[str], frozenset[str]]  # the makis of which a seat knows both colours
    wasabi: Wasabi | None
    just_turned: frozenset[str]  # the makis that the last action turned round
    just_moved: str | None  # the maki that the last action moved
    wins: tuple[int, int]  # rounds won before this one
    ended_by: Event | None
    events: tuple[Event, ...]  # what the last action made happen


def start(header: Mapping[str, Json]) -> State:
    """The first state of a game. Raises `FormatError` naming everything wrong with the header."""
    setup = make_setup(header)
    if problems := unknown_keys(header, HEADER_KEYS):
        raise FormatError(*problems)
    return State(
        setup=setup,
        number=0,
        phase=OPENING,
        round=1,
        first=setup.seats[0],
        turn=setup.seats[0],
        line=(),
        bag=MAKIS,
        drawn=None,
        known=(NONE, NONE),
        wasabi=None,
        just_turned=NONE,
        just_moved=None,
        wins=(0, 0),
        ended_by=None,
        events=(),
    )


def acting(state: State) -> str | None:
    """Who acts: chance while a maki comes out of the bag, else a seat; None when the game is over."""
    if state.phase == OVER:
        return None
    if state.phase != TURN and state.drawn is None:
        return CHANCE
    return other(state.first) if state.phase == OPENING else state.turn


def expected(state: State) -> Expected:
    """The line from the left as south sees it: each maki with its colours to the south and to the north."""
    pieces: dict[str, Pieces] = {}
    for place, faces in zip(PLACES, state.line, strict=False):
        covered = state.wasabi is not None and state.wasabi.maki == maki_of(faces)
        wasabi = (("wasabi", state.wasabi.owner),) if covered and state.wasabi else ()
        pieces[place] = (("maki", facing_of(faces)), *wasabi)
    return pieces
