"""Parts of a running table (its camera, its readers, its bots), and the keeper that starts them again when they fail.

A part does its work in `tick`, which never waits; what it must wait for it names in `wakers`. Whatever it raises means
that it has failed: it is closed, the table hears that it is unavailable, and it is started again after a while.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from typing import Protocol

from companion.devices.clock import Backoff
from companion.table.observations import Clock, Event, Health, Observation

log = logging.getLogger(__name__)
FIRST_WAIT_S, LONGEST_WAIT_S = 0.5, 30.0
CALM_S = 2.0  # a part that has run for so long is back
STEADY_S = 20.0  # after running for so long, a part that fails is tried again soon


class Part(Protocol):
    """Something that belongs to a table and runs with it. `start` and `close` may follow each other any number of
    times; `close` may be called twice."""

    name: str  # the sensor it is reported as
    tells_health: bool  # whether it says itself when it can be believed again

    def start(self) -> None:
        """Opens what it needs, without waiting for it."""

    def tick(self) -> None:
        """Takes in what has come. Anything it raises is its end."""

    def wakers(self) -> Sequence[Connection]:
        """What to wait for: as soon as one of these can be read, there is something to do."""

    def close(self) -> None:
        """Lets everything go."""


class PartFailedError(RuntimeError):
    """A part can't go on; `event` says why."""

    def __init__(self, event: Event) -> None:
        self.event = event
        super().__init__(event.code)


class Keeper:
    """Keeps one part running. Told of failures once, and of the recovery once."""

    def __init__(self, part: Part, tell: Callable[[Observation], None], clock: Clock) -> None:
        self.part = part
        self._tell, self._clock = tell, clock
        self._backoff = Backoff(FIRST_WAIT_S, LONGEST_WAIT_S)
        self._is_running = self._is_closed = self._is_lost = self._wants_restart = False
        self._since = self._again_at = clock.now()

    @property
    def is_running(self) -> bool:
        return self._is_running

    @property
    def is_steady(self) -> bool:
        """Whether the part runs and the keeper has nothing to do but to let it work."""
        return self._is_running and not self._is_lost and not self._wants_restart

    def tick(self) -> None:
        """Starts the part when that is due, and lets it work. Never raises."""
        if self._wants_restart:
            self._wants_restart = False
            self._let_go()
            self._backoff.worked()
            self._again_at = self._clock.now()
        if self._is_closed or (not self._is_running and self._clock.now() < self._again_at):
            return
        try:
            if not self._is_running:
                self.part.start()
                self._is_running, self._since = True, self._clock.now()
            self.part.tick()
        except Exception as error:  # noqa: BLE001 - one part's fault, whatever it is, must not end the evening
            self._fail(error)
            return
        if self._clock.now() - self._since >= STEADY_S:
            self._backoff.worked()
        if self._is_lost:
            self._recover()

    def wakers(self) -> Sequence[Connection]:
        return self.part.wakers() if self._is_running else ()

    def restart(self) -> None:
        """Starts it anew at the next tick: somebody has plugged something in and knows better than the backoff.

        May be called from any thread; the part itself is only ever touched by the one that ticks.
        """
        self._wants_restart = True

    def close(self) -> None:
        if not self._is_closed:
            self._is_closed = True
            self._let_go()

    def _fail(self, error: Exception) -> None:
        reason = error.event if isinstance(error, PartFailedError) else Event("part_failed", {"part": self.part.name})
        if not self._is_lost:  # once, however often it fails again
            self._is_lost = True
            known = isinstance(error, PartFailedError)
            log.warning("%s has failed: %s", self.part.name, reason.code, exc_info=None if known else error)
        self._let_go()
        self._again_at = self._clock.now() + self._backoff.failed()
        self._tell(Health(self.part.name, "", False, self._clock.now(), reason))

    def _recover(self) -> None:
        """It has run again for a while."""
        if self._clock.now() - self._since < CALM_S:
            return
        self._is_lost = False
        log.info("%s is back.", self.part.name)
        if not self.part.tells_health:
            self._tell(Health(self.part.name, "", True, self._clock.now()))

    def _let_go(self) -> None:
        self._is_running = False
        try:
            self.part.close()
        except Exception:
            log.exception("%s could not be closed.", self.part.name)
