"""Server-sent events: whoever follows a source gets its newest snapshot, whole, after every change.

Each follower has room for one thing, the newest version. A slow phone therefore skips what it missed and never makes a
queue grow; a phone that comes back after any gap begins with a full snapshot like everybody else.

A stream is carried by the server's broadcaster (`broadcast.py`), which holds no thread for it. Under a server that has
none, such as a test's client, it is an ordinary answer that goes on and on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from threading import Condition
from typing import Any, NamedTuple, Protocol
from wsgiref.types import StartResponse, WSGIEnvironment

from flask import Response, request

from companion.table.listeners import listen, unlisten
from web.limits import Gate
from web.safety import client, too_often
from web.services import Source

Snapshot = Callable[[], dict[str, Any]]
RETRY_MS = 1000
BEGINNING = f"retry: {RETRY_MS}\n".encode()
# The comment keeps proxies awake; the event lets the page notice when it stops coming, for comments it can't see.
BEAT = b": still here\nevent: beat\ndata: {}\n\n"
CARRIER = "makabana.carrier"  # where a server that carries streams says so


class Teller:
    """What one follower is told: each version once."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._told: int | None = None

    def news(self) -> bytes | None:
        """The newest snapshot as an event; None if it was told already."""
        now = self._snapshot()
        if now["version"] == self._told:
            return None
        self._told = now["version"]
        return event("snapshot", now, now["version"])


class Follower(NamedTuple):
    """A stream to be carried. `close` is to be called once when it has ended, for whatever reason."""

    source: Source
    news: Callable[[], bytes | None]
    heartbeat_s: float
    close: Callable[[], None]


class Carrier(Protocol):
    """A server's side that takes the rest of an answer over."""

    @property
    def has_room(self) -> bool:
        """Whether one more stream can be carried."""

    def carry(self, follower: Follower) -> None:
        """Carries the stream as soon as the answer's head is sent."""


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
    mailbox, teller = mailbox or Mailbox(), Teller(snapshot)
    listen(source, mailbox.put)
    try:
        yield BEGINNING
        while not mailbox.is_closed:
            news = teller.news()
            if news is not None:
                yield news
            while mailbox.take(heartbeat_s) is None and not mailbox.is_closed:
                yield BEAT
    finally:
        unlisten(source, mailbox.put)


def event(kind: str, data: dict[str, Any], version: int) -> bytes:
    """One event. JSON has no line breaks of its own, so a single data line is enough."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"event: {kind}\nid: {version}\ndata: {text}\n\n".encode()


class StreamResponse(Response):
    """An answer without end. A carrier takes it over once its head is sent, and closes it."""

    follower: Follower

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        carrier: Carrier | None = environ.get(CARRIER)
        if carrier is None or environ["REQUEST_METHOD"] != "GET":
            return super().__call__(environ, start_response)
        start_response(self.status, self.get_wsgi_headers(environ).to_wsgi_list())
        carrier.carry(self.follower)
        return ()


def stream(source: Source, snapshot: Snapshot, gate: Gate, heartbeat_s: float) -> Response:
    """The answer to a request for a stream, as long as its sender has not too many of them open."""
    who = client()
    carrier: Carrier | None = request.environ.get(CARRIER)
    if (carrier is not None and not carrier.has_room) or not gate.enter(who):
        too_often(5)
    mailbox = Mailbox()
    response = StreamResponse(follow(source, snapshot, heartbeat_s, mailbox), mimetype="text/event-stream")
    response.follower = Follower(source, Teller(snapshot).news, heartbeat_s, response.close)
    response.headers["X-Accel-Buffering"] = "no"
    response.call_on_close(gate.when_closed(mailbox.close))
    response.call_on_close(lambda: gate.leave(who))
    return response
