"""Where all links leave what they saw, and the table fetches it. Never blocks a link, never grows without end."""

from __future__ import annotations

import threading
from collections import deque

from companion.table.observations import BoardSeen, Health, Noted, Observation, Pressed, TagsSeen

MOST = 1000
MOST_PRESSES = 200


class Inbox:
    """A queue with a limit. When it is full, each sensor keeps only its newest word, which says all that is so now.

    Presses are not like that: each counts, and the first most of all. So the first `MOST_PRESSES` stay.
    """

    def __init__(self, most: int = MOST) -> None:
        self.dropped = 0
        self._most = most
        self._queue: deque[Observation] = deque()
        self._changed = threading.Condition()

    def put(self, observation: Observation) -> None:
        with self._changed:
            self._queue.append(observation)
            if len(self._queue) > self._most:
                self._compact()
            self._changed.notify()

    def take(self, timeout: float | None = 0.0) -> Observation | None:
        """The oldest observation, or None if there is none within the time-out (None: wait for ever)."""
        with self._changed:
            self._changed.wait_for(lambda: bool(self._queue), timeout)
            return self._queue.popleft() if self._queue else None

    def drain(self) -> list[Observation]:
        """Everything that waits, oldest first."""
        with self._changed:
            everything = list(self._queue)
            self._queue.clear()
            return everything

    def __len__(self) -> int:
        return len(self._queue)

    def _compact(self) -> None:
        before = len(self._queue)
        kept: dict[tuple[str, ...], Observation] = {}
        presses = 0
        for observation in self._queue:
            key = _key(observation)
            if isinstance(observation, Pressed):
                presses += 1
                if presses > MOST_PRESSES:
                    continue
                key = ("press", str(presses))
            kept.pop(key, None)  # so that the newest word stands where it was said
            kept[key] = observation
        self._queue = deque(kept.values())
        self.dropped += before - len(self._queue)


def _key(observation: Observation) -> tuple[str, ...]:
    match observation:
        case TagsSeen(sensor=sensor):
            return ("tags", sensor)
        case Health(sensor=sensor):
            return ("health", sensor)
        case Noted(sensor=sensor, what=what):
            return ("note", sensor, what.code)
        case BoardSeen(camera=camera):
            return ("board", camera)
    return ("press",)
