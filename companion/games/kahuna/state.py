"""The state of a game of Kahuna: one frozen value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.games.headers import HEADER_KEYS, unknown_keys
from companion.games.kahuna.rules import FIRST_CARDS, OPEN_CARDS
from companion.games.kahuna.setup import Setup, make_setup
from companion.games.protocol import Event, Expected, FormatError, Json, Pieces

DEAL, HANDICAP, TURN, LAST, OVER = PHASES = ("deal", "handicap", "turn", "last", "over")
OPEN = -1  # where chance's next card goes: to the open cards, or to the seat with this index


class State(NamedTuple):
    """Seats are counted from 0 in turn order; per-seat fields are tuples in that order. Cards are kept sorted."""

    setup: Setup
    number: int
    phase: str
    round: int
    turn: int  # the seat whose turn it is
    bridges: Mapping[str, str]  # line -> colour
    stones: Mapping[str, str]  # island -> colour: who has more than half of its lines
    hands: tuple[tuple[str, ...], ...]  # per seat
    open: tuple[str, ...]
    stock: tuple[str, ...]  # what is left, not in which order: that is decided when a card comes up
    discards: tuple[str, ...]
    due: tuple[int, ...]  # the cards that chance owes: a seat, or OPEN
    free_bridges: int  # handicap bridges still to be laid
    replaceable: str | None  # the line of a bridge just removed, where a free one may be laid at once
    was_skipped: bool  # the turn before this one ended without a draw
    last_turns: int  # still to be played after the third round's last card
    won: tuple[str | None, ...]  # who won each round scored so far; None: nobody
    ended_by: Event | None
    events: tuple[Event, ...]  # what the last action made happen


def start(header: Mapping[str, Json]) -> State:
    """The first state of a game. Raises `FormatError` naming everything wrong with the header."""
    setup = make_setup(header)
    if problems := unknown_keys(header, HEADER_KEYS):
        raise FormatError(*problems)
    everyone = tuple(range(len(setup.colours)))
    return State(
        setup=setup,
        number=0,
        phase=DEAL,
        round=1,
        turn=0,
        bridges={},
        stones={},
        hands=((),) * len(everyone),
        open=(),
        stock=setup.deck,
        discards=(),
        due=everyone * FIRST_CARDS + (OPEN,) * OPEN_CARDS,
        free_bridges=max(setup.free_bridges),
        replaceable=None,
        was_skipped=False,
        last_turns=0,
        won=(),
        ended_by=None,
        events=(),
    )


def acting_seat(state: State) -> int:
    """The seat the game can go on with, once chance owes nothing."""
    if state.phase == HANDICAP:
        return state.setup.free_bridges.index(max(state.setup.free_bridges))
    return state.turn


def expected(state: State) -> Expected:
    """The pieces that must lie on the board: bridges on lines, stones on islands."""
    pieces: dict[str, Pieces] = {line: (("bridge", colour),) for line, colour in state.bridges.items()}
    pieces |= {island: (("stone", colour),) for island, colour in state.stones.items()}
    return dict(sorted(pieces.items()))
