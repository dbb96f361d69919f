"""When something happened at a reader board, told in the table's time.

A board counts milliseconds since it started. A ping shows what its count was between sending and the answer, so its
zero lies within half the round trip; the shortest round trip knows best, until the two clocks may have drifted more.
"""

from __future__ import annotations

from companion.table.observations import When

DRIFT = 100e-6  # crystals of both ends together, seconds per second
UNMEASURED = 0.25  # without an answered ping: how long a message may have been on its way
POLL_S = 0.2  # a change shows at the next poll of its reader; boards tell their own round


class BoardTime:
    """Told of pings and pongs, gives dates."""

    def __init__(self) -> None:
        self.poll_s = POLL_S
        self._pinged: dict[int, float] = {}
        self._zero: When | None = None  # the board's start
        self._measured_at = 0.0

    def forget(self) -> None:
        """The board started again, or another one speaks."""
        self._zero = None
        self._pinged.clear()

    def ping(self, echo: int, now: float) -> None:
        self._pinged = {echo: now}  # only the last one: an answer to an older one is no better

    def pong(self, echo: object, ticks_ms: int, now: float) -> None:
        sent = self._pinged.pop(echo, None) if isinstance(echo, int) else None
        if sent is None:
            return
        measured = When((sent + now) / 2 - ticks_ms / 1000, (now - sent) / 2 + 0.001)
        if self._zero is None or measured.within <= self._zero.within + DRIFT * (now - self._measured_at):
            self._zero, self._measured_at = measured, now

    def date(self, ticks_ms: int, age_ms: int, now: float) -> When:
        """When something happened that a message of `ticks_ms`, which arrived `now`, calls so old."""
        if self._zero is None:
            return When(now - age_ms / 1000 - UNMEASURED / 2, UNMEASURED / 2 + self.poll_s)
        drifted = DRIFT * (now - self._measured_at)
        at = min(self._zero.at + ticks_ms / 1000, now) - age_ms / 1000
        return When(at, self._zero.within + drifted + self.poll_s)
