"""Bots at a table: they are asked with what their seat may know and nothing else, think in a worker, and act as a
phone would. They answer no questions: those are about hands, and a bot has none."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count
from multiprocessing.connection import Connection
from typing import NamedTuple

from companion.games.protocol import Action, FormatError
from companion.players.bot import PATIENT_VERBS, Bot, Budget, know
from companion.players.characters import bot_named
from companion.table.entries import Command
from companion.table.observations import Clock
from companion.table.session import BOT, Session
from companion.table.table import Table

log = logging.getLogger(__name__)
STAND_IN = "nino"  # plays for a character that nobody knows any more
WORKERS = 2
_AGAIN_S = 1.0  # after a refusal that may pass, such as a full disk
_PASSING = ("race_open", "game_paused")

Moment = tuple[int, int, int]


class Pace(NamedTuple):
    """How fast bots act: people want to see what happens. All in seconds."""

    least: float = 1.2  # before an action becomes known
    most: float = 3.0
    fair_delay: float = 8.0  # for others to speak up before a bot ends the time for it
    think: float = 0.3

    @classmethod
    def at_once(cls) -> Pace:
        """For tests and simulations."""
        return cls(0.0, 0.0, 0.0, 0.05)


class _Thought(NamedTuple):
    """A bot at work on one decision: begun at which moment, until when it takes its time at least."""

    moment: Moment
    not_before: float
    future: Future[Action | None]


class Bots:
    """A part of a running table: all its bots. The worker pool is shared with other tables and not ours to close."""

    name, tells_health = "bots", False

    def __init__(
        self,
        table: Table,
        pool: ThreadPoolExecutor,
        clock: Clock,
        pace: Pace | None = None,
        rng: random.Random | None = None,
        bot_of: Callable[[str], Bot] = bot_named,
    ) -> None:
        self._table, self._pool, self._clock = table, pool, clock
        self._pace, self._rng, self._bot_of = pace or Pace(), rng or random.Random(), bot_of
        self._thoughts: dict[str, _Thought] = {}
        self._done: dict[str, Moment] = {}  # by seat: the moment at which it has acted, or let others go on
        self._again_at = 0.0
        self._tries = count(1)  # a refused key stays refused, so no two tries share one

    def start(self) -> None:
        self._thoughts.clear()
        self._done.clear()

    def tick(self) -> None:
        if not self._table.is_playing or self._clock.now() < self._again_at:
            return
        self._again_at = 0.0
        with self._table.lock:
            session = self._table.session
            bots = [seat for seat in session.actors if seat in session.seats and session.seats[seat].kind == BOT]
            for seat in bots:
                self._begin(session, seat)
        for seat, thought in list(self._thoughts.items()):
            session = self._table.session  # another bot may have acted just now
            if seat not in bots or thought.moment[-1] != _moment(session, seat)[-1]:
                self._forget(seat)  # the game went on without it
            elif thought.future.done() and self._clock.now() >= thought.not_before:
                self._finish(session, seat, thought)

    def wakers(self) -> Sequence[Connection]:
        return ()

    def close(self) -> None:
        for seat in list(self._thoughts):
            self._forget(seat)

    @property
    def is_busy(self) -> bool:
        """Whether some bot is still at it, or will try again. If not, nothing is to do until the table changes."""
        return bool(self._thoughts) or self._again_at > 0.0

    # --- One decision ---

    def _begin(self, session: Session, seat: str) -> None:
        """Puts a bot to work, unless it is at it, or has nothing more to say at this moment."""
        moment = _moment(session, seat)
        if seat in self._thoughts or self._done.get(seat) == moment:
            return
        game, state = session.game, session.state
        assert game is not None
        legal = game.legal_actions(state, seat)
        if not legal:
            return
        events = [event for step in session.steps for event in step.state.events]
        knowledge = know(game, state, seat, [step.action for step in session.steps], events)
        budget, rng = Budget(self._pace.think), random.Random(self._rng.random())
        future = self._pool.submit(self._character(session, seat).choose, game, knowledge, legal, rng, budget)
        wait = self._rng.uniform(self._pace.least, self._pace.most)
        self._thoughts[seat] = _Thought(moment, self._clock.now() + wait, future)

    def _character(self, session: Session, seat: str) -> Bot:
        try:
            return self._bot_of(session.seats[seat].name.lower())
        except FormatError:
            return self._bot_of(STAND_IN)

    def _finish(self, session: Session, seat: str, thought: _Thought) -> None:
        action = thought.future.result()  # what it raises ends this part, which is then started anew
        if action is None:
            self._done[seat] = _moment(session, seat)
            self._forget(seat)
        elif action.verb not in PATIENT_VERBS or self._is_time_up(seat):
            self._forget(seat)
            self._act(seat, action, thought.moment)

    def _is_time_up(self, seat: str) -> bool:
        """Whether others have had their say: some time has passed, and no other bot is still at it."""
        others = [one for name, one in self._thoughts.items() if name != seat]
        has_waited = self._clock.now() >= self._table.opened_at + self._pace.fair_delay
        return has_waited and not others and not self._table.session.claims

    def _act(self, seat: str, action: Action, moment: Moment) -> None:
        key = f"bot.{self._table.epoch}.{next(self._tries)}"
        refusal = self._table.do(Command(key, "act", (action.verb, *action.args), seat)).refusal
        if refusal is None:
            self._done[seat] = moment  # a press in a race changes nothing yet: it must not press again
            return
        if moment == _moment(self._table.session, seat) and refusal.code not in _PASSING:
            log.warning("A bot's %s was refused: %s", action.verb, refusal.code)
            self._done[seat] = moment
        self._again_at = self._clock.now() + (_AGAIN_S if self._table.trouble or refusal.code in _PASSING else 0.0)

    def _forget(self, seat: str) -> None:
        self._thoughts.pop(seat).future.cancel()


def _moment(session: Session, seat: str) -> Moment:
    """Changes with every action; its last number only when there is something else to decide for the seat."""
    last = session.steps[-1].entry if session.steps else 0
    return session.games, last, session.changed.get(seat, 0)
