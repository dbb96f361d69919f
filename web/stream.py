"""Server-sent events: whoever follows a source gets its newest snapshot, whole, after every change.

Each follower has room for one thing, the newest version. A slow phone therefore skips what it missed and never makes a
queue grow; a phone that comes back after any gap begins with a full snapshot like everybody else.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from threading import Condition, Lock
from typing import Any

from flask import Response

from web.limits import Gate
from web.safety import client, too_often
from web.services import Source

Snapshot = Callable[[], dict[str, Any]]
RETRY_MS = 1000
# The comment keeps proxies awake; the event lets the page notice when it stops coming, for comments it can't see.
BEAT = b": still here\nevent: beat\ndata: {}\n\n"
_LISTENERS = Lock()


class Mailbox:
    """Room for the newest version; taking it empties the box."""

    def __init__(self) -> None:
        self._condition = Condition()
        self._newest: int | None = None
        self.is_closed = False

    def close(self) -> None:
        """Wakes the follower up for the last time."""
        with self._condition:
            self.is_closed = True
            self._condition.notify()

    def put(self, version: int) -> None:
        with self._condition:
            if self._newest is None or version > self._newest:
                self._newest = version
            self._condition.notify()

    def take(self, timeout_s: float) -> int | None:
        """The newest version since the last time, as soon as there is one; None if none came in time."""
        with self._condition:
            if self._newest is None and not self.is_closed:
                self._condition.wait(timeout_s)
            version, self._newest = self._newest, None
            return version


def follow(source: Source, snapshot: Snapshot, heartbeat_s: float, mailbox: Mailbox | None = None) -> Iterator[bytes]:
    """The stream of one follower, until its mailbox is closed. Closing the stream stops the listening."""
    mailbox = mailbox or Mailbox()
    listen(source, mailbox.put)
    try:
        yield f"retry: {RETRY_MS}\n".encode()
        sent = -1
        while not mailbox.is_closed:
            now = snapshot()
            if now["version"] != sent:
                sent = now["version"]
                yield event("snapshot", now, sent)
            while mailbox.take(heartbeat_s) is None and not mailbox.is_closed:
                yield BEAT
    finally:
        unlisten(source, mailbox.put)


def event(kind: str, data: dict[str, Any], version: int) -> bytes:
    """One event. JSON has no line breaks of its own, so a single data line is enough."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"event: {kind}\nid: {version}\ndata: {text}\n\n".encode()


def listen(source: Source, listener: Callable[[int], None]) -> None:
    """The list is replaced, never changed, so that a source may go through it at the same time."""
    with _LISTENERS:
        source.listeners = [*source.listeners, listener]


def unlisten(source: Source, listener: Callable[[int], None]) -> None:
    with _LISTENERS:
        source.listeners = [other for other in source.listeners if other != listener]


def stream(source: Source, snapshot: Snapshot, gate: Gate, heartbeat_s: float) -> Response:
    """The answer to a request for a stream, as long as its sender has not too many of them open."""
    who = client()
    if not gate.enter(who):
        too_often(5)
    mailbox = Mailbox()
    response = Response(follow(source, snapshot, heartbeat_s, mailbox), mimetype="text/event-stream")
    response.headers["X-Accel-Buffering"] = "no"
    response.call_on_close(gate.when_closed(mailbox.close))
    response.call_on_close(lambda: gate.leave(who))
    return response
