"""Streams over real sockets: many phones, few threads; nobody waits for a slow one, and who is gone is let go."""

from __future__ import annotations

import json
import logging
import socket
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

import pytest

from tests.web.evening import until
from web import broadcast
from web.broadcast import Broadcaster
from web.stream import BEAT, Follower, Teller

PATIENCE_S = 120
BIG = "x" * 400_000
_far: list[socket.socket] = []


class Counter:
    """A source that counts, with as much to say as one likes."""

    def __init__(self, text: str = "") -> None:
        self.listeners, self.version, self._text = [], 1, text

    def snapshot(self) -> dict:
        return {"version": self.version, "text": self._text}

    def change(self) -> None:
        self.version += 1
        for listener in self.listeners:
            listener(self.version)


class Phone:
    """The far end of a stream. `ended` counts how often the near end was told that it is over."""

    def __init__(
        self, streams: Broadcaster, source: Counter, heartbeat_s: float = 600.0, chunked: bool = False
    ) -> None:
        near, self.sock = connected()
        self.ended = 0
        self._buffer = b""
        streams.carry(near, Follower(source, Teller(source.snapshot).news, heartbeat_s, self._end), chunked)

    def _end(self) -> None:
        self.ended += 1

    def read_until(self, is_there: Callable[[bytes], bool]) -> bytes:
        """All bytes so far, as soon as they have what is asked for; or to the end of the stream."""
        while not is_there(self._buffer) and (got := self.sock.recv(65_536)):
            self._buffer += got
        return self._buffer

    def versions(self, last: int) -> list[int]:
        """The versions it was shown, up to the one that is waited for."""
        wanted = f"id: {last}\n".encode()
        whole = self.read_until(lambda all_: wanted in all_ and all_.endswith(b"\n\n"))
        events = [event for event in whole.split(b"\n\n") if b"event: snapshot" in event]
        return [json.loads(event.partition(b"data: ")[2])["version"] for event in events]


def connected() -> tuple[socket.socket, socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        far = socket.create_connection(server.getsockname(), PATIENCE_S)
        near, _ = server.accept()
    _far.append(far)
    return near, far


@pytest.fixture(autouse=True)
def closed_sockets() -> Iterator[None]:
    yield
    while _far:
        _far.pop().close()


@contextmanager
def broadcasting(most: int = 100) -> Iterator[Broadcaster]:
    streams = Broadcaster(most)
    streams.start()
    try:
        yield streams
    finally:
        streams.close()


@pytest.fixture
def streams() -> Iterator[Broadcaster]:
    with broadcasting() as found:
        yield found


def test_every_phone_begins_with_a_full_snapshot_and_is_told_each_version_once(streams: Broadcaster) -> None:
    source = Counter()
    phones = [Phone(streams, source) for _ in range(5)]
    for phone in phones:
        assert phone.read_until(lambda all_: all_.endswith(b"\n\n")).startswith(
            b"retry: 1000\nevent: snapshot\nid: 1\n"
        )
    for version in (2, 3):
        source.change()
        for phone in phones:
            assert phone.versions(version) == list(range(1, version + 1))


def test_one_listener_serves_all_phones_of_a_source(streams: Broadcaster) -> None:
    source = Counter()
    phones = [Phone(streams, source) for _ in range(5)]
    assert len(source.listeners) == 1
    for phone in phones:
        phone.sock.close()
    until(lambda: source.listeners == [])


def test_a_phone_that_reads_nothing_holds_nobody_up(streams: Broadcaster) -> None:
    source = Counter(BIG)
    slow, quick = Phone(streams, source), Phone(streams, source)
    for version in range(2, 22):
        source.change()
        assert quick.versions(version)[-1] == version
    assert slow.ended == 0
    assert max(len(phone._rest) for phone in streams._phones) < len(BIG) + 1000
    shown = slow.versions(21)
    assert shown == sorted(set(shown))
    assert shown[-1] == 21
    # What it missed was skipped, not queued: no more than its socket and one event could hold.
    assert len(shown) < 16


def test_changes_while_phones_come_and_go_are_neither_lost_nor_doubled(streams: Broadcaster) -> None:
    source, is_over = Counter(), Event()

    def keep_changing() -> None:
        while not is_over.is_set() and source.version < 100_000:
            source.change()

    thread = Thread(target=keep_changing)
    thread.start()
    phones = [Phone(streams, source) for _ in range(30)]
    for phone in phones[::3]:
        phone.sock.close()
    is_over.set()
    thread.join()
    source.change()
    for phone in (*phones[1::3], *phones[2::3]):
        shown = phone.versions(source.version)
        assert shown == sorted(set(shown))
        assert shown[-1] == source.version


def test_a_phone_that_hangs_up_is_let_go_once(streams: Broadcaster) -> None:
    source = Counter()
    gone, stays = Phone(streams, source), Phone(streams, source)
    gone.versions(1)
    gone.sock.close()
    until(lambda: gone.ended)
    source.change()
    assert stays.versions(2) == [1, 2]
    assert (gone.ended, stays.ended) == (1, 0)


def test_a_connection_that_breaks_off_is_let_go_once(streams: Broadcaster) -> None:
    source = Counter(BIG)
    gone, stays = Phone(streams, source), Phone(streams, source)
    gone.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # closing resets it
    gone.sock.close()
    for version in range(2, 6):
        source.change()
        assert stays.versions(version)[-1] == version
    until(lambda: gone.ended)
    assert (gone.ended, stays.ended) == (1, 0)


def test_a_phone_that_takes_nothing_for_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broadcast, "SWEEP_S", 0.02)
    monkeypatch.setattr(broadcast, "STUCK_S", 0.1)
    source = Counter("x" * 10_000_000)  # more than any socket takes
    with broadcasting() as streams:
        asleep = Phone(streams, source)
        until(lambda: asleep.ended)
        assert source.listeners == []


def test_silence_is_filled_with_beats_that_reach_the_phone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broadcast, "SWEEP_S", 0.01)
    with broadcasting() as streams:
        phone = Phone(streams, Counter(), heartbeat_s=0.02)
        phone.read_until(lambda all_: all_.count(BEAT) >= 3)


def test_a_snapshot_that_fails_ends_its_stream_alone(streams: Broadcaster, caplog: pytest.LogCaptureFixture) -> None:
    source, broken = Counter(), Counter()
    well, ill = Phone(streams, source), Phone(streams, broken)
    ill.versions(1)
    del broken._text
    with caplog.at_level(logging.CRITICAL):
        broken.change()
        until(lambda: ill.ended)
    source.change()
    assert well.versions(2) == [1, 2]


def test_whoever_speaks_on_a_stream_is_no_browser_and_is_let_go(streams: Broadcaster) -> None:
    phone = Phone(streams, Counter())
    phone.versions(1)
    phone.sock.sendall(b"GET / HTTP/1.1\r\n\r\n")
    until(lambda: phone.ended)


def test_closing_ends_all_streams_in_good_form() -> None:
    source = Counter()
    with broadcasting() as streams:
        phones = [Phone(streams, source, chunked=True) for _ in range(3)]
    for phone in phones:
        whole = phone.read_until(lambda _: False)
        assert whole.startswith(b"c\r\nretry: 1000\n\r\n")
        assert whole.endswith(b"\r\n0\r\n\r\n")
        assert phone.ended == 1
    assert source.listeners == []
    assert not streams.has_room
    late = Phone(streams, source)
    assert late.ended == 1
    assert late.read_until(lambda _: False) == b""


def test_no_more_streams_are_carried_than_there_is_room_for() -> None:
    with broadcasting(most=2) as streams:
        source = Counter()
        first, _second = Phone(streams, source), Phone(streams, source)
        assert not streams.has_room
        first.sock.close()
        until(lambda: streams.has_room)
