"""A table as the sum of its entries: who sits where, which game, how far it has come. Frozen; `fold` adds an entry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from companion.games.catalogue import game_of
from companion.games.protocol import Action, Game, Json, Refusal
from companion.games.record import Record, why_it_stands
from companion.table.belief import Testimony
from companion.table.claims import Claim, Verdict
from companion.table.entries import Entry
from companion.table.observations import When
from companion.table.seals import Seal

EMPTY_SEAT, PERSON, BOT = "empty", "person", "bot"
MOST_TOKENS = 8  # phones of one seat


class Seat(NamedTuple):
    """Who plays a seat. `tokens` are hashes of what its phones keep; a bot has its character as name."""

    kind: str = EMPTY_SEAT
    name: str = ""
    tokens: tuple[str, ...] = ()


class Step(NamedTuple):
    """One action of the game and the state after it; `salt` where it is sealed."""

    action: Action
    state: Any
    entry: int
    at: float
    by: str
    salt: str | None = None

    def __repr__(self) -> str:
        return f"Step({self.action.seat!r}, {self.action.verb!r}, entry={self.entry}, hidden)"  # log lines travel


_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Session(NamedTuple):
    """Everything about a table that survives a power cut."""

    table: str
    number: int = 0  # of the last entry
    games: int = 0  # begun at this table so far
    header: Mapping[str, Json] | None = None
    game: Game[Any] | None = None
    start: Any = None  # the first state
    steps: tuple[Step, ...] = ()
    seats: Mapping[str, Seat] = _NOTHING
    changed: Mapping[str, int] = _NOTHING  # by seat: the entry since which it may do what it may do now
    is_started: bool = False
    is_paused: bool = False
    is_settled: bool = False
    claims: tuple[Claim, ...] = ()
    verdict: Verdict | None = None
    testimony: Mapping[str, Testimony] = _NOTHING
    promises: Mapping[str, str] = _NOTHING  # by place: what lay there when somebody said they would see to it
    began: float = 0.0
    ended: float = 0.0

    def __repr__(self) -> str:
        return f"Session({self.table!r}, number={self.number}, hidden)"

    @property
    def state(self) -> Any:
        return self.steps[-1].state if self.steps else self.start

    @property
    def record(self) -> Record:
        return Record(self.header or {}, tuple(step.action for step in self.steps))

    @property
    def actors(self) -> tuple[str, ...]:
        return self.game.actors(self.state) if self.game and self.is_started else ()

    @property
    def state_before(self) -> Any:
        """The state before the last action."""
        return self.steps[-2].state if len(self.steps) > 1 else self.start

    def why_it_stands(self, seat: str) -> Refusal | None:
        """Why the seat can't take the last action back; None where it may."""
        if self.game is None or not self.steps:
            return Refusal("nothing_to_undo")
        last = self.steps[-1]
        return why_it_stands(self.game, self.state_before, last.action, last.state, seat)

    def seal(self, seat: str) -> Seal | None:
        """The seal of what the seat keeps or kept secret this time round."""
        if self.game is None or self.game.is_open(self.state, seat) is None:
            return None
        for step in reversed(self.steps):
            if step.action.seat == seat and step.salt is not None:
                return Seal(step.salt, f"{self.table}/{self.games}/{step.entry} {step.action.text}")
        return None


def fold(session: Session, entry: Entry) -> Session:
    """The session one entry further. Entries were checked before they were written."""
    return _FOLDS[entry.kind](session._replace(number=entry.number), entry)


def replayed(table: str, entries: Iterable[Entry]) -> Session:
    session = Session(table)
    for entry in entries:
        session = fold(session, entry)
    return session


def _new_game(session: Session, entry: Entry) -> Session:
    header = entry.body["header"]
    game = game_of(header)
    state = game.start(header)
    seats = {seat: session.seats.get(seat, Seat()) for seat in game.seats(state)}
    return Session(
        session.table,
        session.number,
        session.games + 1,
        header,
        game,
        state,
        seats=seats,
        changed={seat: session.number for seat in seats},
    )


def _sit(session: Session, entry: Entry) -> Session:
    old = session.seats[str(entry.seat)]
    tokens = old.tokens if old.kind == PERSON and entry.body["name"] == old.name else ()
    seat = Seat(PERSON, entry.body["name"], (*tokens, entry.body["token"])[-MOST_TOKENS:])
    return session._replace(seats={**session.seats, str(entry.seat): seat})


def _leave(session: Session, entry: Entry) -> Session:
    return session._replace(seats={**session.seats, str(entry.seat): Seat()})


def _seat_bot(session: Session, entry: Entry) -> Session:
    return session._replace(seats={**session.seats, str(entry.seat): Seat(BOT, entry.body["name"])})


def _act(session: Session, entry: Entry) -> Session:
    game = session.game
    assert game is not None
    action = Action(str(entry.seat), entry.body["do"], tuple(entry.body["args"]))
    state = game.apply(session.state, action)
    if isinstance(state, Refusal):
        raise AssertionError(f"entry {entry.number} holds an action that the rules refuse: {state.code}")
    step = Step(action, state, entry.number, entry.at, entry.body["by"], entry.body.get("salt"))
    return _with_steps(session, (*session.steps, step), entry)


def _undo(session: Session, entry: Entry) -> Session:
    return _with_steps(session, session.steps[:-1], entry)


def _with_steps(session: Session, steps: tuple[Step, ...], entry: Entry) -> Session:
    before = set(session.actors)
    after = session._replace(steps=steps, claims=(), verdict=None)
    after = after._replace(testimony=_still_true(session, after))
    turned = before ^ set(after.actors) | {str(entry.seat)}
    changed = {seat: entry.number if seat in turned else since for seat, since in session.changed.items()}
    is_over = not after.actors
    return after._replace(changed=changed, ended=entry.at if is_over else 0.0, is_settled=False)


def _still_true(before: Session, after: Session) -> Mapping[str, Testimony]:
    """What people said of places that the game has not changed since."""
    if not before.testimony or before.game is None:
        return before.testimony
    old, new = before.game.expected(before.state), before.game.expected(after.state)
    return {place: word for place, word in before.testimony.items() if old.get(place) == new.get(place)}


def _claim(session: Session, entry: Entry) -> Session:
    pressed = When(entry.body["at"], entry.body["within"])
    claim = Claim(str(entry.seat), pressed, tuple(entry.body["words"]))
    return session._replace(claims=(*session.claims, claim))


def _race(session: Session, entry: Entry) -> Session:
    first = next(claim for claim in session.claims if claim.seat == entry.seat)
    return session._replace(verdict=Verdict(first, tuple(entry.body["near_tie"])))


def _testimony(session: Session, entry: Entry) -> Session:
    said = {place: Testimony(content, seen) for place, (content, seen) in entry.body["places"].items()}
    return session._replace(testimony={**session.testimony, **said})


def _promise(session: Session, entry: Entry) -> Session:
    return session._replace(promises={**session.promises, **entry.body["places"]})


_FOLDS: Mapping[str, Callable[[Session, Entry], Session]] = {
    "new_game": _new_game,
    "start": lambda session, entry: session._replace(is_started=True, began=entry.at),
    "sit": _sit,
    "leave": _leave,
    "seat_bot": _seat_bot,
    "act": _act,
    "undo": _undo,
    "claim": _claim,
    "race": _race,
    "testimony": _testimony,
    "promise": _promise,
    "pause": lambda session, entry: session._replace(is_paused=True),
    "resume": lambda session, entry: session._replace(is_paused=False),
    "settled": lambda session, entry: session._replace(is_settled=True),
    "wrong": lambda session, entry: session,
}
