"""Cards in trays. What lies in a tray is its seat's secret: nothing here goes to anyone else, nor into any log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.games.protocol import Action
from companion.table.decide import Ask, Cause
from companion.table.observations import CARD, TRAY, Health, Observation, TagsSeen
from companion.table.questions import TRAY_OR_PHONE, TRAY_WAY, Draft, act_draft
from companion.table.session import Session

# Cards are laid one by one, and a fourth may still come: a tray counts once it has been still for this long, or at once
# when its seat presses the button.
STILL_S = 5.0


class Tray(NamedTuple):
    """One seat's tray: the card on each of its readers, and when that last changed."""

    cards: Mapping[str, tuple[str, ...]] = {}  # by sensor, in the order of its places
    strangers: int = 0  # tags nobody knows, or cards of another colour
    changed: float = 0.0
    is_whole: bool = True  # False: a reader is dead, so a card may lie there unseen

    def __repr__(self) -> str:
        return "Tray(hidden)"

    @property
    def laid(self) -> tuple[str, ...]:
        """All cards, that on the first place first: it lies face up."""
        return tuple(card for _, cards in sorted(self.cards.items()) for card in cards)


class Trays:
    """The trays of a table."""

    def __init__(self) -> None:
        self._trays: dict[str, Tray] = {}
        self._dead: set[str] = set()  # places whose reader is lost
        self._tags: dict[str, TagsSeen] = {}

    def hear(self, observation: Observation, colour_of: Mapping[str, str]) -> str | None:
        """Takes in what concerns a tray and says whose it was."""
        match observation:
            case TagsSeen(sensor, place, _, seen) if place.startswith(f"{TRAY}:"):
                # The first word of a reader is no change: those cards may have lain there since the last round.
                at = seen.at if sensor in self._tags else None
                self._tags[sensor] = observation
                return self._update(place.split(":")[1], colour_of, at)
            case Health(sensor, place, is_available, since) if place.startswith(f"{TRAY}:"):
                (self._dead.discard if is_available else self._dead.add)(place)
                self._tags.pop(sensor, None)
                return self._update(place.split(":")[1], colour_of, since)
        return None

    def _update(self, seat: str, colour_of: Mapping[str, str], at: float | None) -> str:
        cards: dict[str, tuple[str, ...]] = {}
        strangers = 0
        for seen in self._tags.values():
            _, owner, number = seen.place.split(":")
            if owner == seat:
                own = [t.piece for t in seen.tags if t.piece and t.piece.kind == CARD]
                # In team play two decks have one colour, so a card may also be known by its seat.
                mine = [piece.card for piece in own if piece.colour in (colour_of.get(seat), seat)]
                cards[number] = tuple(mine)
                strangers += len(seen.tags) - len(mine)
        old = self._trays.get(seat, Tray())
        changed = old.changed if at is None or (cards, strangers) == (old.cards, old.strangers) else at
        is_whole = not any(place.split(":")[1] == seat for place in self._dead)
        self._trays[seat] = Tray(cards, strangers, changed, is_whole)
        return seat

    def tray(self, seat: str) -> Tray:
        return self._trays.get(seat, Tray())

    def seats(self) -> list[str]:
        return list(self._trays)


def consider(
    session: Session, seat: str, tray: Tray, turned: float, now: float, is_pressed: bool = False
) -> list[Draft] | Ask | None:
    """What a tray at rest asks for: a plan laid, a plan laid anew, a question to its owner, or nothing.

    Cards that nobody has touched since it was the seat's turn (`turned`) are those of the last round.
    """
    if session.game is None or not tray.laid or tray.strangers or not tray.is_whole:
        return None
    if not is_pressed and (tray.changed < turned or now - tray.changed < STILL_S):
        return None
    reading = session.game.tray_actions(session.state, seat, tray.laid)
    if not reading.actions or not (reading.is_complete or is_pressed):
        return None
    laid = _laid_plan(session, seat)
    if laid is None:
        return _lay(session, seat, reading.actions)
    if laid.action in reading.actions:
        return None
    if not (taken_up := take_up(session, seat)):
        return None
    if laid.by == TRAY:
        return [*taken_up, act_draft(reading.actions[0], TRAY)]
    data = {"tray": reading.actions[0].text, "phone": laid.action.text}
    return Ask(TRAY_OR_PHONE, seat, (Cause(f"tray:{seat}", laid.action.text, reading.actions[0].text),), data)


def take_up(session: Session, seat: str) -> list[Draft]:
    """The draft that takes a laid plan up again: the one thing a seat may do that has laid and waits for the others."""
    assert session.game is not None
    legal = session.game.legal_actions(session.state, seat) if seat not in session.actors else ()
    return [act_draft(legal[0], TRAY)] if len(legal) == 1 else []


class _Laid(NamedTuple):
    action: Action
    by: str


def _laid_plan(session: Session, seat: str) -> _Laid | None:
    """The plan the seat has laid this time round."""
    if session.game is None or session.game.is_open(session.state, seat) is None:
        return None
    steps = (step for step in reversed(session.steps) if step.action.seat == seat and step.salt is not None)
    return next((_Laid(step.action, step.by) for step in steps), None)


def _lay(session: Session, seat: str, actions: tuple[Action, ...]) -> list[Draft] | Ask | None:
    if seat not in session.actors:
        return None
    if len(actions) == 1:
        return [act_draft(actions[0], TRAY)]
    choices = [action.text for action in actions]
    return Ask(TRAY_WAY, seat, (Cause(f"tray:{seat}", "", " ".join(choices)),), {"actions": choices})
