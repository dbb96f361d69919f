"""The state of a game of Maka Bana: one frozen value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from companion.games.makabana.plans import Plan
from companion.games.makabana.rules import PAINTS_PER_SEAT
from companion.games.makabana.setup import CLUB_PREFIX, HEADER_KEYS, Setup, make_setup
from companion.games.protocol import Event, Expected, FormatError, Json, Pieces

OPENING, PLAN, DENOUNCE, AMENDS, TIKI, REALISE, OVER = (
    "opening",
    "plan",
    "denounce",
    "amends",
    "tiki",
    "realise",
    "over",
)
NOBODY = -1


class Amends(NamedTuple):
    """Mao 2003, after a just denunciation: who accused whom, and which hut the accuser put up, if it came to that."""

    accuser: int
    accused: int
    accuser_repaints: bool
    offered: str | None = None


class State(NamedTuple):
    """Seats are counted from 0 in table order; per-seat and per-colour fields are tuples in that order."""

    setup: Setup
    number: int
    phase: str
    round: int  # 0 during the opening
    first: int  # the seat of the first player
    turn: int  # how far the phase has gone round the table
    final: Event | None  # why this is the final round
    huts: Mapping[str, str]  # site -> colour
    clubs: Mapping[str, str]  # beach -> colour
    tikis: Mapping[str, str]  # place -> colour
    reserves: tuple[int, ...]  # per colour
    paints: tuple[int, ...]  # Paint cards left, per seat
    club_cards: tuple[int, ...]  # Club cards left, per seat
    first_huts: tuple[str | None, ...]  # the opening's first hut, per seat
    plans: tuple[Plan | None, ...]  # per seat
    revealed: tuple[bool, ...]  # per seat: the whole plan lies face up
    counted: tuple[bool, ...]  # per seat: the number of cards is known to all
    out: int  # the seat out of this round after a denunciation, or NOBODY
    amends: Amends | None
    deeds: int  # deeds the revealing seat has done this turn
    painted: int  # ... and how many of them used a Paint
    events: tuple[Event, ...]  # what the last action made happen
    story: tuple[Event, ...]  # all events of this round so far; kept until the next plan is laid

    def but(self, changes: dict[str, Any]) -> State:
        """This state with some fields changed: `_replace` at half its cost, since every action comes through here."""
        values = [*self]
        for field, value in changes.items():
            values[_FIELD_INDEX[field]] = value
        return _new_tuple(State, values)


_FIELD_INDEX = {field: index for index, field in enumerate(State._fields)}
_new_tuple = tuple.__new__


def start(header: Mapping[str, Json]) -> State:
    """The first state of a game. Raises `FormatError` naming everything wrong with the header."""
    setup = make_setup(header)
    _check_for_play(header, setup)
    rules, seats = setup.rules, len(setup.seats)
    nothing = (False,) * seats
    return State(
        setup=setup,
        number=0,
        phase=OPENING if rules.opening_huts else PLAN,
        round=0 if rules.opening_huts else 1,
        first=0,
        turn=0,
        final=None,
        huts={},
        clubs={},
        tikis={},
        reserves=(rules.huts_per_colour,) * len(setup.colours),
        paints=(PAINTS_PER_SEAT,) * seats,
        club_cards=(rules.clubs_per_seat,) * seats,
        first_huts=(None,) * seats,
        plans=(None,) * seats,
        revealed=nothing,
        counted=nothing,
        out=NOBODY,
        amends=None,
        deeds=0,
        painted=0,
        events=(),
        story=(),
    )


def _check_for_play(header: Mapping[str, Json], setup: Setup) -> None:
    """What a score can do without but a game can't: nothing unknown in its header, and room for the opening."""
    problems = [
        Event("key_unknown", {"key": key, "allowed": list(HEADER_KEYS)}) for key in header if key not in HEADER_KEYS
    ]
    huts = setup.rules.opening_huts * len(setup.seats)
    for site in setup.sites if huts else ():
        elsewhere = len(setup.sites) - len(setup.neighbours[site].union(setup.beach_sites[setup.beach_of[site]]))
        if elsewhere < huts:  # however the others place theirs, a second hut finds its site
            problems.append(Event("boards_too_small", {"seats": len(setup.seats), "site": site}))
            break
    if problems:
        raise FormatError(*problems)


def seat_at(state: State, turn: int) -> int:
    """The seat whose turn it is at this step of a phase that goes round the table."""
    seats = len(state.setup.seats)
    if state.phase == OPENING:  # once round, then back again
        return turn if turn < seats else 2 * seats - 1 - turn
    return (state.first + turn) % seats


def is_acting(state: State, seat: int) -> bool:
    """Whether the game can go on with this seat."""
    if state.phase == PLAN:
        return state.plans[seat] is None
    if state.phase == DENOUNCE:
        return True
    if state.amends is not None:
        return seat == (state.amends.accuser if state.amends.offered is None else state.amends.accused)
    return state.phase != OVER and seat_at(state, state.turn) == seat


def acting_seats(state: State) -> tuple[int, ...]:
    """The seats the game can go on with."""
    if state.phase in (TIKI, REALISE):  # the common cases, worked out the short way
        return (seat_at(state, state.turn),)
    if state.phase == PLAN:
        return tuple([seat for seat, plan in enumerate(state.plans) if plan is None])
    return tuple([seat for seat in range(len(state.plans)) if is_acting(state, seat)])


def expected(state: State) -> Expected:
    """The pieces that must lie on the board, by place."""
    pieces: dict[str, Pieces] = {site: (("hut", colour),) for site, colour in state.huts.items()}
    pieces |= {CLUB_PREFIX + beach: (("club", colour),) for beach, colour in state.clubs.items()}
    for place, colour in state.tikis.items():
        pieces[place] = (*pieces.get(place, ()), ("tiki", colour))
    return dict(sorted(pieces.items()))
