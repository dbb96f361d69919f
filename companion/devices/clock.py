"""The table's time. Links get a clock passed in; a test moves its own."""

from __future__ import annotations

import time


class SystemClock:
    """Seconds since this machine started: they never go back, whatever happens to the date."""

    def now(self) -> float:
        return time.monotonic()


class ManualClock:
    """Stands still until it is moved."""

    def __init__(self, start: float = 1000.0) -> None:
        self._now = start

    def now(self) -> float:
        return self._now

    def advance(self, seconds: float) -> None:
        self._now += seconds


class Backoff:
    """How long to wait before the next try: from `first` seconds, doubling to `longest`, until it worked."""

    def __init__(self, first: float = 0.5, longest: float = 15.0) -> None:
        self._first, self._longest = first, longest
        self._next = first

    def failed(self) -> float:
        """The pause after one more failure."""
        pause, self._next = self._next, min(2 * self._next, self._longest)
        return pause

    def worked(self) -> None:
        self._next = self._first
