"""The table: commands and observations in, entries and news out.

Whatever is accepted is in the store, synced, before anyone is told. Everything else here (belief, the open question,
what hands still have to do) follows from the entries and from what the sensors say, so a restart loses none of it.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, NamedTuple

from companion.games.chance import chance_action, chance_is_due
from companion.games.protocol import EMPTY, Action, Event, Refusal
from companion.table import trays as trays_
from companion.table.asking import Asking
from companion.table.belief import Belief
from companion.table.claims import HOLD_S, bounded, judge
from companion.table.commands import drafts_for
from companion.table.compare import expected_contents
from companion.table.decide import Ask, Decision, decide
from companion.table.entries import Answer, Command, Entry, Store, TableRow
from companion.table.ledger import Ledger
from companion.table.observations import (
    BoardSeen,
    Clock,
    Health,
    Noted,
    Observation,
    Pressed,
    TagsSeen,
    When,
    known_by,
)
from companion.table.questions import Draft, Question, act_draft
from companion.table.seals import new_salt
from companion.table.session import PERSON, Session
from companion.table.settle import settlement
from companion.table.sight import Sight
from companion.table.situation import Situation
from companion.table.trays import Trays

log = logging.getLogger(__name__)
MOST_NEWS = 40
MOST_DEALT = 200  # cards or tiles in a row
MOST_INFERRED = 12  # at once: all tikis of a full table
MOST_ANSWERS = 200  # refusals remembered for phones that ask twice
MOST_EVIDENCE = 400  # observations kept for a dispute


class News(NamedTuple):
    """Something to tell everybody, and after which entry."""

    number: int
    event: Event


class Table:
    """One table. Thread-safe; `listeners` are told the new version, inside the lock, and must not linger."""

    def __init__(
        self,
        store: Store,
        row: TableRow,
        clock: Clock,
        wall: Callable[[], float] = time.time,
        salt: Callable[[], str] = new_salt,
        rng: Random | None = None,
    ) -> None:
        self.row, self.epoch = row, secrets.token_hex(4)
        self.version = 0
        self.listeners: list[Callable[[int], None]] = []
        self.lock = threading.RLock()
        self.clock = clock
        self._rng = rng or secrets.SystemRandom()
        self._ledger = Ledger(store, row, wall, salt)
        self._refused: dict[str, Answer] = {}
        self._said: dict[str, int] = {}  # by key: what it was used for, since this table was opened
        self.belief = Belief()
        for place, word in self.session.testimony.items():
            self.belief.testify(place, word.content, word.seen)
        self.trays = Trays()
        self.health: dict[str, Health] = {}
        self.decision: Decision | None = None
        self.news: deque[News] = deque(maxlen=MOST_NEWS)
        self.evidence: deque[Observation] = deque(maxlen=MOST_EVIDENCE)
        self.earlier: dict[str, frozenset[str]] = {}
        self._pending_since: dict[str, float] = {}
        self._acted_at = self.opened_at = clock.now()
        self._asking = Asking(clock, self.session.promises, self._told_of, self.belief.favourite)
        self._turned = {seat: self._acted_at for seat in self.session.seats}  # since when it is whose turn, or was
        # Moments of before a restart can't be compared with those after it: such a race is judged at once.
        self._claimed_at: float | None = clock.now() - HOLD_S if self.session.claims else None
        self._look_again_at: float | None = clock.now()  # after a restart, what was asked is asked again
        self._belief_seen = -1
        self._expect_unseen_hands()

    @property
    def session(self) -> Session:
        """Everything about the table that survives a power cut."""
        return self._ledger.session

    @property
    def trouble(self) -> Event | None:
        """Why entries can't be kept at present."""
        return self._ledger.trouble

    # --- In ---

    def do(self, command: Command) -> Answer:
        """Carries a command out, once: the same key again gives the same answer."""
        if command.seat is not None:  # two phones may make up the same key
            command = command._replace(key=f"{command.seat}/{command.key}")
        with self.lock:
            known = self._answered(command)
            if known is not None:
                return known
            answer = self._do(command)
            if not answer.accepted and self.trouble is None:
                self._refused[command.key] = answer
                while len(self._refused) > MOST_ANSWERS:
                    del self._refused[next(iter(self._refused))]
            return answer

    def _answered(self, command: Command) -> Answer | None:
        """What was answered to the key before. With other words it is another command, which was never carried out."""
        if not self._ledger.has(command.key):
            return self._refused.get(command.key)
        is_same = self._said.get(command.key, _words(command)) == _words(command)
        return Answer(self.session.number, None if is_same else Refusal("key_reused"))

    def _do(self, command: Command) -> Answer:
        if self.trouble is not None:
            self._catch_up()
            known = self._answered(command)
            if known is not None:  # it had been kept after all
                return known
        drafts = drafts_for(self, command)
        if isinstance(drafts, Refusal):
            return Answer(self.session.number, drafts)
        self._said[command.key] = _words(command)
        refusal = self._write(drafts, command.key)
        if refusal is None:
            if command.do == "answer":
                self._asking.close(command.args[0])
            self._go_on()
        return Answer(self.session.number, refusal)

    def observe(self, observation: Observation) -> None:
        """A sensor says something."""
        with self.lock:
            observation = known_by(observation, self.clock.now())
            self.evidence.append(observation)
            match observation:
                case Pressed(seat, pressed):
                    self._press(seat, pressed)
                case Health():
                    self._hear_health(observation)
                case Noted():
                    pass
                case TagsSeen() | BoardSeen():
                    self._mark_available(observation)
            self._hear_tray(observation)
            self.belief.hear(observation)
            if self.belief.changes != self._belief_seen:
                self._reconsider()

    def tick(self) -> None:
        """Time has passed: stillness, patience, presses on their way."""
        with self.lock:
            now = self.clock.now()
            if self._claimed_at is not None and now >= self._claimed_at + HOLD_S:
                self._settle_race()
            for seat in self.trays.seats():
                self._consider_tray(seat)
            if self._look_again_at is not None and now >= self._look_again_at:
                self._reconsider()

    # --- Writing ---

    def _write(self, drafts: list[Draft], key: str = "") -> Refusal | None:
        """Keeps entries and takes them in; a refusal if they can't be kept, and then nothing has happened."""
        if self.trouble is not None and self._catch_up():
            return Refusal("no_longer_possible")
        before = self.session
        entries = self._ledger.write(drafts, key)
        if isinstance(entries, Refusal):
            if self.trouble is not None:
                self._tell()
            return entries
        self._take_in(before, entries)
        return None

    def _catch_up(self) -> bool:
        """Whether anything had been kept that this table did not know of."""
        before = self.session
        missed = self._ledger.catch_up()
        if missed:
            self._take_in(before, missed)
            self._look_again_at = self.clock.now()  # what follows from it is due, and nobody else would look
            self._tell()
        return bool(missed)

    def _take_in(self, before: Session, entries: list[Entry]) -> None:
        after = self.session
        for entry in entries:
            if entry.kind == "testimony":
                for place, (content, seen) in entry.body["places"].items():
                    self.belief.testify(place, content, seen)
            if entry.kind == "promise":
                self._asking.promise(entry.body["places"])
        if after.games != before.games:
            self._begin_game()
        elif after.steps is not before.steps:
            self._follow(before, after)
        self._announce(before, entries)
        self._claimed_at = self.clock.now() if after.claims and not before.claims else self._claimed_at
        if not after.claims:
            self._claimed_at = None

    def _begin_game(self) -> None:
        self.earlier, self._pending_since, self.decision = {}, {}, None
        self._asking = Asking(self.clock, {}, self._told_of, self.belief.favourite)
        self.opened_at = self.clock.now()
        self._turned = {seat: self.opened_at for seat in self.session.seats}
        self.news.clear()

    def _follow(self, before: Session, after: Session) -> None:
        """Hands now have to follow the game: what lay there until now may lie there for a while yet."""
        assert after.game is not None
        now = self.clock.now()
        self._acted_at = self.opened_at = now
        self._turned |= {seat: now for seat in set(after.actors) - set(before.actors)}
        old, new = expected_contents(after.game, before.state), expected_contents(after.game, after.state)
        for place in sorted(old.keys() | new.keys()):
            was, will_be = old.get(place, EMPTY), new.get(place, EMPTY)
            if was != will_be:
                self.earlier[place] = (self.earlier.get(place, frozenset()) | {was}) - {will_be}
                self._pending_since[place] = now
                self.belief.forget_testimony(place)

    def _expect_unseen_hands(self) -> None:
        """After a restart nobody knows how far hands had come: the last step's changes may still be on their way."""
        steps, game = self.session.steps, self.session.game
        if game is None or not steps:
            return
        before = self.session._replace(steps=steps[:-1])
        self._follow(before, self.session)

    def _announce(self, before: Session, entries: list[Entry]) -> None:
        known = len(before.steps)
        steps = {step.entry: step for step in self.session.steps[known - 1 if known else 0 :]}
        for entry in entries:
            if entry.number in steps:
                step = steps[entry.number]
                by = Event("done_by", {"seat": step.action.seat, "by": step.by})
                found = [*([by] if step.by not in _UNSAID else []), *step.state.events]
                self.news.extend(News(entry.number, event) for event in found)
            elif entry.kind in _TOLD:
                body = {key: value for key, value in entry.body.items() if key in ("name", "near_tie")}
                self.news.append(News(entry.number, Event(_code(entry), {"seat": entry.seat, **body})))

    def _tell(self) -> None:
        self.version += 1
        for listener in list(self.listeners):
            try:
                listener(self.version)
            except Exception as error:  # noqa: BLE001 - whatever is wrong with one screen, the others are told
                log.error("table %s: a listener failed: %s", self.row.id, type(error).__name__)

    # --- Deciding ---

    @property
    def _moment(self) -> int:
        return len(self.session.steps)

    @property
    def is_playing(self) -> bool:
        return self.session.game is not None and self.session.is_started and not self.session.is_paused

    def situation(self) -> Situation:
        session = self.session
        assert session.game is not None
        last = session.steps[-1].action if session.steps else None
        is_fair = last is not None and session.why_it_stands(last.seat) is None
        return Situation(
            session.game,
            session.state,
            self.earlier,
            self._pending_since,
            last if is_fair else None,
            session.state_before if is_fair else None,
            self._acted_at,
            self.belief,
            self.clock.now(),
        )

    def newest_pending(self) -> set[str]:
        """The places that the last action changed."""
        return {place for place, since in self._pending_since.items() if since >= self._acted_at}

    def _reconsider(self) -> None:
        """Compares the board with the game until nothing more follows from it."""
        self._belief_seen = self.belief.changes
        if not self.is_playing:
            return
        for _ in range(MOST_INFERRED):
            self._let_chance_speak()
            decision = decide(self.situation())
            for place in decision.confirmed:
                del self.earlier[place]
                self._pending_since.pop(place, None)
            if decision.inferred is None or self._write([act_draft(decision.inferred, "camera")]) is not None:
                break
        self._conclude(decision)

    def _go_on(self) -> None:
        """Something was written: what follows from it, and everybody is told, once."""
        version = self.version
        self._reconsider()
        if self.version == version:
            self._tell()

    def _let_chance_speak(self) -> None:
        """The house deals: what came up is written down like any other action."""
        game = self.session.game
        for _ in range(MOST_DEALT):
            if game is None or not chance_is_due(game, self.session.state):
                return
            if self._write([act_draft(chance_action(game, self.session.state, self._rng), "chance")]) is not None:
                return

    def _conclude(self, decision: Decision) -> None:
        ask = decision.ask
        if ask is None and not self.session.actors and not self.session.is_settled:
            ask = self._settle(decision)
        before = (self.question, _told(self.decision))
        self.decision, self._look_again_at = decision, decision.look_again_at
        self._ask(ask, decision)
        is_unsettled = not self.session.actors and not self.session.is_settled
        is_promised = ask is not None and self.question is None  # ... and may not be kept
        if self._look_again_at is None and (is_unsettled or is_promised or self.trouble is not None):
            self._look_again_at = self.clock.now() + 1.0
        if before != (self.question, _told(decision)) or self.session.number != self._told_number:
            self._tell()
        self._told_number = self.session.number

    _told_number = -1

    @property
    def question(self) -> Question | None:
        """The open question, if any."""
        return self._asking.question

    @property
    def private(self) -> dict[str, Question]:
        """By seat: a question that only this seat may know of."""
        return self._asking.private

    def _ask(self, ask: Ask | None, decision: Decision) -> None:
        race = self.session.verdict
        if race is not None and not race.first.words:
            self._asking.choose(race.first.seat, [a.text for a in self._button_actions(race.first.seat)], self._moment)
            return
        self._asking.consider(ask, decision.standing, self.person_for(ask.seat) if ask else None, self._moment)

    def _told_of(self, ask: Ask) -> Ask:
        """What everybody may know of a question."""
        session = self.session
        return Sight(session.game, session.state, None).ask(ask) if session.game else ask

    def _settle(self, decision: Decision) -> Ask | None:
        found = settlement(self.situation(), decision.standing, self.session.header)
        if found.is_settled:
            self._write([Draft("settled")])
        return found.ask

    def person_for(self, seat: str) -> str | None:
        """The seat itself if a person plays it, else the next person round the table, else nobody."""
        order = list(self.session.seats)
        turned = order[order.index(seat) :] + order[: order.index(seat)] if seat in order else order
        return next((name for name in turned if self.session.seats[name].kind == PERSON), None)

    # --- Trays, buttons, health ---

    def _hear_tray(self, observation: Observation) -> None:
        game = self.session.game
        colours = {seat: game.colour_of(self.session.state, seat) for seat in self.session.seats} if game else {}
        seat = self.trays.hear(observation, colours)
        if seat is not None and seat in self.session.seats:
            self.private.pop(seat, None)
            self._tell()

    def _consider_tray(self, seat: str, is_pressed: bool = False) -> None:
        if not self.is_playing or seat not in self.session.seats:
            return
        turned, now = self._turned.get(seat, 0.0), self.clock.now()
        found = trays_.consider(self.session, seat, self.trays.tray(seat), turned, now, is_pressed)
        if isinstance(found, Ask):
            if self._asking.ask_privately(found, self._moment):
                self._tell()
        elif found:
            self._write(found)
            self._reconsider()
        elif found is None:
            self.private.pop(seat, None)

    def _button_actions(self, seat: str) -> list[Action]:
        game = self.session.game
        return list(game.button_actions(self.session.state, seat)) if game and seat in self.session.seats else []

    def is_race(self, action: Action) -> bool:
        """Whether several may do this now and only the first counts."""
        return len(self.session.actors) > 1 and action in self._button_actions(action.seat)

    def _press(self, seat: str, pressed: When) -> None:
        if not self.is_playing:
            return
        actions = self._button_actions(seat)
        if actions and len(self.session.actors) > 1:
            self._write(self.claim_drafts(seat, pressed, ()))
        elif len(actions) == 1:
            self._write([act_draft(actions[0], "button")])
        else:
            self._consider_tray(seat, is_pressed=True)
        self._reconsider()

    def claim_drafts(self, seat: str, pressed: When, words: tuple[str, ...]) -> list[Draft]:
        """A press in a race, once per seat; nothing once the race is over."""
        if self.session.verdict is not None or any(claim.seat == seat for claim in self.session.claims):
            return []
        moment = bounded(pressed, self.opened_at, self.clock.now())
        return [Draft("claim", seat, {"at": moment.at, "within": moment.within, "words": list(words)})]

    def _settle_race(self) -> None:
        session, self._claimed_at = self.session, None
        assert session.game is not None
        if not session.claims or session.verdict is not None:
            return
        verdict = judge(session.claims, session.game.seats(session.state))
        drafts = [Draft("race", verdict.first.seat, {"near_tie": list(verdict.near_tie)})]
        if verdict.first.words:
            verb, *args = verdict.first.words
            drafts.append(act_draft(Action(verdict.first.seat, verb, tuple(args)), "claim"))
        if self._write(drafts) is not None and self.session.claims:
            self._claimed_at = self.clock.now()  # it can't be kept now, and must not stay open for ever
        self._go_on()

    def _hear_health(self, health: Health) -> None:
        if self.health.get(health.sensor) != health:
            self.health[health.sensor] = health
            self._tell()

    def _mark_available(self, observation: TagsSeen | BoardSeen) -> None:
        sensor = observation.camera if isinstance(observation, BoardSeen) else observation.sensor
        known = self.health.get(sensor)
        if known is None or not known.is_available:
            place = "" if isinstance(observation, BoardSeen) else observation.place
            self._hear_health(Health(sensor, place, True, observation.seen.at))


# What everybody is told of entries that are no actions, and by which code.
_TOLD: Mapping[str, str] = {
    "sit": "seat_taken",
    "leave": "seat_left",
    "seat_bot": "bot_seated",
    "undo": "taken_back",
    "race": "pressed_first",
    "pause": "paused",
    "resume": "resumed",
    "start": "game_started",
    "settled": "board_settled",
    "wrong": "disputed",
}


# Who told the table of an action is news, but for those from whom one expects it.
_UNSAID = ("phone", "chance")


def _words(command: Command) -> int:
    """What tells a command from another: what is to be done, and with what."""
    return hash((command.do, command.args))


def _code(entry: Entry) -> str:
    """By which code everybody is told of an entry that is no action."""
    if entry.kind == "wrong" and entry.seat is None:
        return "disputed_by_house"
    return "pressed_together" if entry.body.get("near_tie") else _TOLD[entry.kind]


def _told(decision: Decision | None) -> Any:
    """What of a decision shows on screens: hands passing over the board do not."""
    if decision is None:
        return None
    shown = {place: found for place, found in decision.standing.items() if found.state not in ("hidden", "unknown")}
    return shown, decision.early
