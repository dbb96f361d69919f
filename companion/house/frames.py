"""The last pictures of a table, within a budget of bytes: for the screen, and for disputes."""

from __future__ import annotations

import threading
from collections import deque
from typing import NamedTuple

MOST_BYTES = 6_000_000
KEPT_S = 30.0


class Picture(NamedTuple):
    """A JPEG and when it was taken, by the table's clock."""

    at: float
    board: str
    jpeg: bytes


class Frames:
    """The newest pictures. Thread-safe."""

    def __init__(self, most_bytes: int = MOST_BYTES, kept_s: float = KEPT_S) -> None:
        self._most, self._kept_s = most_bytes, kept_s
        self._lock = threading.Lock()
        self._pictures: deque[Picture] = deque()
        self._size = 0
        self._insets: dict[str, Picture] = {}

    def add(self, picture: Picture) -> None:
        """Keeps a picture, and lets go of what is too old or too much. The newest always stays."""
        with self._lock:
            self._pictures.append(picture)
            self._size += len(picture.jpeg)
            while len(self._pictures) > 1 and self._is_too_much(picture.at):
                self._size -= len(self._pictures.popleft().jpeg)

    def add_inset(self, inset: Picture) -> None:
        with self._lock:
            self._insets[inset.board] = inset

    def latest(self, board: str | None = None) -> Picture | None:
        with self._lock:
            return next((one for one in reversed(self._pictures) if board in (None, one.board)), None)

    def inset(self, board: str | None = None) -> Picture | None:
        """The small picture with what was read drawn onto it."""
        with self._lock:
            found = [one for one in self._insets.values() if board in (None, one.board)]
            return max(found, key=lambda one: one.at, default=None)

    def since(self, at: float) -> list[Picture]:
        with self._lock:
            return [one for one in self._pictures if one.at >= at]

    @property
    def size(self) -> int:
        return self._size

    def _is_too_much(self, now: float) -> bool:
        return self._size > self._most or now - self._pictures[0].at > self._kept_s
