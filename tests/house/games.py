"""Whole games acted out on a running evening, for tests and benches: what went wrong is counted, not asserted."""

import random
from itertools import count, pairwise
from typing import NamedTuple

from companion.games.protocol import Action, content_of
from companion.house.camera import Camera, DirectCamera
from companion.house.virtual_readers import VirtualReaders
from companion.table.entries import Command
from companion.table.observations import BoardSeen
from companion.table.session import Session
from companion.table.table import Table
from tests.house.support import People, until

PLACED = ("hut", "tiki")


class Tally(NamedTuple):
    """What came of one game. Questions have a cause only where somebody made a mistake, and nobody does here."""

    actions: int
    rounds: int
    wrong_commits: int
    questions: int
    misread: int  # places read wrongly by the camera once it had looked
    asked: tuple[str, ...] = ()
    waits: tuple[float, ...] = ()  # seconds from the first settled frame of a placement until it was written down


class Watcher:
    """Counts the different questions that a table puts, and answers them as somebody would who knows the truth."""

    def __init__(self, table: Table, people: People) -> None:
        self._table, self._people, self._tries = table, people, count()
        self.asked: dict[str, str] = {}

    def look(self) -> None:
        for question in filter(None, (self._table.question, *self._table.private.values())):
            if question.id not in self.asked:
                self.asked[question.id] = f"{question.kind} {[tuple(cause) for cause in question.causes]}"
            meant = self._people.intended[-1]
            if meant.text in question.answers:
                self._answer(question.id, meant.text)
            elif not self._people.is_understood:  # the camera does not see it: then it is tapped on the phone
                words = (meant.verb, *meant.args)
                self._table.do(Command(f"tap-{question.id}-{next(self._tries)}", "act", words, meant.seat))
            else:
                self._answer(question.id, "camera" if "camera" in question.answers else question.answers[-1])

    def _answer(self, question: str, answer: str) -> None:
        self._table.do(Command(f"q-{question}-{next(self._tries)}", "answer", (question, answer)))


def play(
    table: Table,
    people: People,
    camera: Camera | DirectCamera,
    most_rounds: int,
    hands: "TrayHands | None" = None,
) -> Tally:
    """Plays until the game or so many rounds are over; with `hands`, by cards in trays and tikis in their homes."""
    watcher, misread, waits = Watcher(table, people), 0, []
    while table.session.actors and rounds_of(table.session) < most_rounds:
        people.act(hands and hands.lay_plan, hands and hands.reach_for)
        until(lambda: watcher.look() or people.is_understood, lambda: state_of(table, people, camera, watcher))
        waits += wait_of(table)
        people.follow()
        if hands is not None:
            hands.put_tikis_home()
        until(lambda: watcher.look() or not camera.is_looking)
        truth = people.virtual.contents()
        misread += sum(table.belief.seen_by_camera(place) not in (None, content) for place, content in truth.items())
    got, meant = list(table.session.record.actions), people.intended
    wrong = sum(one != other for one, other in zip(got, meant, strict=False)) + abs(len(got) - len(meant))
    asked = tuple(watcher.asked.values())
    return Tally(len(got), rounds_of(table.session), wrong, len(asked), misread, asked, tuple(waits))


def state_of(table: Table, people: People, camera: Camera | DirectCamera, watcher: Watcher) -> dict[str, object]:
    """Why a table does not go on, for whoever has to find out."""
    truth, belief = people.virtual.contents(), table.belief
    wrong = {place: (content, belief.seen_by_camera(place), belief.is_hidden(place))
             for place, content in truth.items() if belief.seen_by_camera(place) != content}  # fmt: skip
    return {
        "meant": people.intended[-1].text,
        "question": table.question,
        "asked": watcher.asked,
        "wrong": wrong,
        "looking": camera.is_looking,
        "health": {sensor: health.is_available for sensor, health in table.health.items()},
    }


def wait_of(table: Table) -> list[float]:
    """How long the table took for the last action, if the camera told it: from the first frame that showed it."""
    step, game = table.session.steps[-1], table.session.game
    if step.by != "camera":
        return []
    place = step.action.args[0]
    content = content_of(game.expected(step.state)[place])
    frames = [one for one in table.evidence if isinstance(one, BoardSeen)]
    shown: float | None = None
    for frame in frames:
        odds = frame.odds.get(place, {})
        is_shown = place not in frame.hidden and odds and max(odds, key=odds.__getitem__) == content
        shown = (shown or frame.seen.at) if is_shown else None
        if frame.seen.at > step.at:
            break
    return [] if shown is None else [step.at - shown]


def rounds_of(session: Session) -> int:
    """Whole rounds played: each ends when all tikis are off the board again."""
    tikis = [any(piece == "tiki" for pieces in session.game.expected(step.state).values() for piece, _ in pieces)
             for step in session.steps]  # fmt: skip
    return sum(before and not after for before, after in pairwise(tikis))


class TrayHands:
    """Lays plans as cards in trays and presses the button; takes tikis from the rail and puts them back."""

    def __init__(self, table: Table, readers: VirtualReaders) -> None:
        self._table, self._readers = table, readers
        self._pressed = float("-inf")

    def lay_plan(self, action: Action) -> None:
        """`plan CARDS show CLUE`: the clue lies face up on the first place."""
        *cards, _, clue = action.args
        cards.remove(clue)
        self._readers.clear_tray(action.seat)
        copies: dict[str, int] = {}
        for number, card in enumerate([clue, *cards], 1):
            copies[card] = copies.get(card, 0) + 1
            self._readers.lay_card(action.seat, number, card, copies[card])
        until(lambda: self._is_laid(action))

    def _is_laid(self, action: Action) -> bool:
        """Presses whenever all cards are seen: on a busy machine a reader may be lost for a moment, and a press too."""
        cards = action.args[:-2]  # without `show` and the clue
        tray = self._table.trays.tray(action.seat)
        if sorted(tray.laid) == sorted(cards) and tray.is_whole and self._table.clock.now() > self._pressed + 1.0:
            self._pressed = self._table.clock.now()
            self._readers.press(action.seat)
        return action in self._table.session.record.actions[-len(self._table.session.seats) :]

    def reach_for(self, action: Action) -> None:
        """A tiki leaves its home before it stands on the board."""
        if action.verb == "tiki":
            colour = self._table.session.game.colour_of(self._table.session.state, action.seat)
            self._readers.take_tiki(colour)
            until(lambda: colour not in self._tikis_at_home())

    def _tikis_at_home(self) -> set[str]:
        """As the readers have it."""
        hub = self._readers.hub
        homes = [sensor for sensor, place in self._readers.file.places.items() if place == "desk"]
        return {tag.piece.colour for sensor in homes for tag in hub.tags_on(sensor) or () if tag.piece}

    def put_tikis_home(self) -> None:
        """Every tiki that is not on the board stands in its home."""
        game, state = self._table.session.game, self._table.session.state
        out = {colour for pieces in game.expected(state).values() for piece, colour in pieces if piece == "tiki"}
        for colour in {game.colour_of(state, seat) for seat in self._table.session.seats} - out:
            self._readers.return_tiki(colour)


def await_readers(readers: VirtualReaders) -> None:
    """Until every reader has been heard once. On a busy machine the firmware loses one for a moment now and then."""
    heard: set[str] = set()

    def all_heard() -> bool:
        heard.update(one for one in readers.file.places if readers.hub and readers.hub.reason_of(one) is None)
        return len(heard) == len(readers.file.places)

    until(all_heard)


def seeded(number: int) -> random.Random:
    return random.Random(1000 + number)
