"""Who asks too often waits a little: token buckets by key, in bounded memory."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from time import monotonic

from web.config import Rate

MOST_KEYS = 5_000


class Limiter:
    """A bucket of tokens for each key; a key not seen for long has a full one, so it need not be kept."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = monotonic) -> None:
        self._rate, self._clock, self._lock = rate, clock, Lock()
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # tokens left, and when that was

    def take(self, key: str) -> float:
        """Takes a token. Returns 0 if there was one, else in how many seconds there will be."""
        with self._lock:
            tokens = self._tokens(key)
            if tokens < 1:
                return (1 - tokens) * 60 / self._rate.per_minute
            self._put(key, tokens - 1)
            return 0.0

    def wait(self, key: str) -> float:
        """The same without taking one."""
        with self._lock:
            return max(0.0, (1 - self._tokens(key)) * 60 / self._rate.per_minute)

    def _tokens(self, key: str) -> float:
        now = self._clock()
        tokens, since = self._buckets.get(key, (float(self._rate.burst), now))
        return min(float(self._rate.burst), tokens + (now - since) * self._rate.per_minute / 60)

    def _put(self, key: str, tokens: float) -> None:
        self._buckets[key] = (tokens, self._clock())
        self._buckets.move_to_end(key)
        while len(self._buckets) > MOST_KEYS:
            self._buckets.popitem(last=False)


class Gate:
    """At most so many at the same time for each key, such as streams of one address."""

    def __init__(self, most: int) -> None:
        self._most, self._lock = most, Lock()
        self._inside: dict[str, int] = {}
        self._enders: set[Callable[[], None]] = set()
        self._is_closed = False

    def enter(self, key: str) -> bool:
        with self._lock:
            if self._is_closed or self._inside.get(key, 0) >= self._most:
                return False
            self._inside[key] = self._inside.get(key, 0) + 1
            return True

    def leave(self, key: str) -> None:
        with self._lock:
            left = self._inside.get(key, 0) - 1
            if left > 0:
                self._inside[key] = left
            else:
                self._inside.pop(key, None)

    def count(self, key: str) -> int:
        with self._lock:
            return self._inside.get(key, 0)

    def when_closed(self, end: Callable[[], None]) -> Callable[[], None]:
        """Has `end` called when the gate is closed. Returns what takes that back."""
        with self._lock:
            self._enders.add(end)
            is_closed = self._is_closed
        if is_closed:
            end()
        return lambda: self._forget(end)

    def _forget(self, end: Callable[[], None]) -> None:
        with self._lock:
            self._enders.discard(end)

    def close(self) -> None:
        """Lets nobody in any more, and tells those inside to end."""
        with self._lock:
            self._is_closed = True
            enders = list(self._enders)
        for end in enders:
            end()
