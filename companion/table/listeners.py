"""Who is told of changes. Streams come and go in threads of their own while a source goes through its list."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol

Listener = Callable[[int], None]
_LOCK = threading.Lock()


class Telling(Protocol):
    """Something that tells its listeners the number of its newest version."""

    listeners: list[Listener]


def listen(source: Telling, listener: Listener) -> None:
    """The list is replaced, never changed, so that a source may go through it at the same time."""
    with _LOCK:
        source.listeners = [*source.listeners, listener]


def unlisten(source: Telling, listener: Listener) -> None:
    with _LOCK:
        source.listeners = [other for other in source.listeners if other != listener]
