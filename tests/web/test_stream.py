"""Streams: always the newest snapshot, never a queue, nobody left listening."""

from __future__ import annotations

import json
from threading import Barrier, Thread

from companion.table.listeners import listen, unlisten
from web.config import Rate
from web.limits import MOST_KEYS, Gate, Limiter
from web.stream import BEAT, Mailbox, follow


class Counter:
    """A source that counts."""

    def __init__(self) -> None:
        self.listeners, self.version = [], 1

    def snapshot(self) -> dict:
        return {"version": self.version, "text": "été\n\u2028"}

    def change(self) -> None:
        self.version += 1
        for listener in self.listeners:
            listener(self.version)


def data_of(event: bytes) -> dict:
    lines = event.decode().splitlines()
    return (
        json.loads(next(line for line in event.decode().split("\n") if line.startswith("data: "))[6:]) if lines else {}
    )


def test_a_follower_begins_with_a_full_snapshot() -> None:
    stream = follow(Counter(), Counter().snapshot, 15.0)
    assert next(stream).startswith(b"retry: ")
    first = next(stream)
    assert first.startswith(b"event: snapshot\nid: 1\ndata: ")
    assert data_of(first) == {"version": 1, "text": "été\n\u2028"}
    assert first.endswith(b"\n\n")
    assert first.count(b"\n\n") == 1


def test_a_slow_follower_gets_the_newest_and_skips_the_rest() -> None:
    source = Counter()
    stream = follow(source, source.snapshot, 15.0)
    next(stream), next(stream)
    for _ in range(1000):
        source.change()
    assert data_of(next(stream))["version"] == 1001


def test_silence_is_filled_with_beats() -> None:
    source = Counter()
    stream = follow(source, source.snapshot, 0.001)
    next(stream), next(stream)
    assert next(stream) == BEAT
    assert BEAT.startswith(b": ")


def test_a_closed_stream_listens_no_more() -> None:
    source = Counter()
    stream = follow(source, source.snapshot, 15.0)
    next(stream), next(stream)
    assert len(source.listeners) == 1
    stream.close()
    assert source.listeners == []


def test_a_closed_gate_ends_every_stream_and_lets_nobody_in() -> None:
    source, gate, box = Counter(), Gate(5), Mailbox()
    gate.when_closed(box.close)
    stream = follow(source, source.snapshot, 600.0, box)
    next(stream), next(stream)
    gate.close()
    assert list(stream) == []
    assert source.listeners == []
    assert not gate.enter("a")
    late = Mailbox()
    gate.when_closed(late.close)
    assert late.is_closed


def test_a_mailbox_holds_one_version_and_the_highest() -> None:
    box = Mailbox()
    for version in (3, 7, 5):
        box.put(version)
    assert box.take(0) == 7
    assert box.take(0) is None


def test_news_wake_a_waiting_follower() -> None:
    box, taken = Mailbox(), []
    thread = Thread(target=lambda: taken.append(box.take(30.0)))
    thread.start()
    box.put(4)
    thread.join(120)
    assert taken == [4]


def test_many_may_come_and_go_while_a_source_tells() -> None:
    source, start = Counter(), Barrier(9)

    def visit() -> None:
        start.wait()
        for _ in range(200):
            box = Mailbox()
            listen(source, box.put)
            unlisten(source, box.put)

    threads = [Thread(target=visit) for _ in range(8)]
    for thread in threads:
        thread.start()
    start.wait()
    for _ in range(500):
        source.change()
    for thread in threads:
        thread.join()
    assert source.listeners == []


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_empties_and_fills_again() -> None:
    clock = Clock()
    limiter = Limiter(Rate(2, 60), clock)
    assert [limiter.take("a"), limiter.take("a")] == [0.0, 0.0]
    assert limiter.take("a") == 1.0
    assert limiter.take("b") == 0.0
    clock.now = 1.0
    assert limiter.take("a") == 0.0
    assert limiter.wait("a") == 1.0


def test_buckets_never_take_more_memory_than_said() -> None:
    limiter = Limiter(Rate(1, 1), Clock())
    for number in range(MOST_KEYS + 500):
        limiter.take(str(number))
    assert len(limiter._buckets) == MOST_KEYS


def test_a_gate_lets_so_many_in_and_others_after_them() -> None:
    gate = Gate(2)
    assert [gate.enter("a"), gate.enter("a"), gate.enter("a"), gate.enter("b")] == [True, True, False, True]
    gate.leave("a")
    assert gate.enter("a")
    assert gate.count("a") == 2
