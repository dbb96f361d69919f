"""Phones for a load test: hundreds of streams and commands in one thread, cheap enough to leave the server its core.

A phone keeps the bytes of its newest snapshot and reads of them what it must know at once, its version and number;
only a phone that acts takes the rest apart. Sockets are plain ones that never block, behind one `epoll`.
"""

from __future__ import annotations

import json
import random
import re
import select
import socket
import time
from collections import Counter
from typing import Any

PEOPLE = 6
PLOT = ("Aloa", "Lagon", "Fleur")
CHUNK = 1 << 18
_SNAPSHOT = re.compile(rb"event: snapshot\nid: (\d+)\ndata: ")
_NUMBER = re.compile(rb'"number":(\d+)')
_LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)
_NOTHING_TO_DO = b'"verbs":{}'


class Stream:
    """One phone that follows its table. What it is shown goes to the table, with the moment."""

    def __init__(self, table: Table, seat: str, port: int) -> None:
        self.table, self.seat = table, seat
        self.version = self.number = -1
        self.data = b""
        self._buffer = bytearray()
        request = f"GET /t/{table.code}/stream HTTP/1.1\r\nHost: localhost\r\nCookie: {table.cookie(seat)}\r\n\r\n"
        self.sock = socket.create_connection(("127.0.0.1", port))
        self.sock.sendall(request.encode())
        self.sock.setblocking(False)

    def read(self) -> bool:
        """Takes in what has come; False if the server has ended the stream."""
        got = self.sock.recv(CHUNK)
        now = time.monotonic()
        self._buffer += got
        while (end := self._buffer.find(b"\n\n")) >= 0:
            found = _SNAPSHOT.search(self._buffer, 0, end)
            if found is not None:
                self._show(int(found[1]), bytes(self._buffer[found.end() : end]), now)
            del self._buffer[: end + 2]
        return bool(got)

    def _show(self, version: int, data: bytes, now: float) -> None:
        told = _NUMBER.search(data)
        assert told is not None, data[:200]
        self.table.doubled += version == self.version
        self.table.backwards += version < self.version
        before, self.version, self.number, self.data = self.number, version, int(told[1]), data
        for number in range(before + 1 if before >= 0 else self.number, self.number + 1):
            self.table.arrived.setdefault(number, []).append(now)

    def choices(self) -> dict[str, Any]:
        """What this phone's seat may do."""
        return {} if _NOTHING_TO_DO in self.data else json.loads(self.data)["verbs"]


class Post:
    """One phone's connection for commands, kept open between them as browsers do."""

    def __init__(self, stream: Stream, port: int) -> None:
        self.stream, self._port = stream, port
        self.sock: socket.socket | None = None
        self._request, self._answer = b"", b""
        self.sent = 0.0

    @property
    def is_free(self) -> bool:
        """Whether it waits for no answer."""
        return not self._request

    def send(self, body: dict[str, Any], poll: select.epoll, by_file: dict[int, Any]) -> None:
        table, data = self.stream.table, json.dumps(body).encode()
        head = (
            f"POST /t/{table.code}/do HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nX-Makabana: 1\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n"
            f"Cookie: {table.cookie(self.stream.seat)}\r\n\r\n"
        )
        self._request, self._answer, self.sent = head.encode() + data, b"", time.monotonic()
        self._write(poll, by_file)

    def _write(self, poll: select.epoll, by_file: dict[int, Any]) -> None:
        if self.sock is None:
            self.sock = socket.create_connection(("127.0.0.1", self._port))
            self.sock.setblocking(False)
            by_file[self.sock.fileno()] = self
            poll.register(self.sock.fileno(), select.EPOLLIN)
        self.sock.send(self._request)

    def read(self, poll: select.epoll, by_file: dict[int, Any]) -> None:
        """Takes in the answer. A kept connection may have been closed just as it was used: then it is sent again."""
        assert self.sock is not None
        try:
            got = self.sock.recv(CHUNK)
        except ConnectionError:
            got = b""
        if not got:
            poll.unregister(self.sock.fileno())
            del by_file[self.sock.fileno()]
            self.sock.close()
            self.sock = None
            if self._request:
                self._write(poll, by_file)
            return
        self._answer += got
        head, _, body = self._answer.partition(b"\r\n\r\n")
        length = _LENGTH.search(head)
        if length is not None and len(body) >= int(length[1]):
            self._request = b""
            self.stream.table.answered(int(head.split(b" ", 2)[1]), json.loads(body), self.sent)


class Table:
    """One table's phones: when they learnt of each command."""

    def __init__(self, told: dict[str, Any], rng: random.Random) -> None:
        self.id, self.code, self.tokens = told["id"], told["code"], told["tokens"]
        self.rng = rng
        self.streams: list[Stream] = []
        self.posts: dict[str, list[Post]] = {seat: [] for seat in self.tokens}
        self.sent: dict[int, float] = {}  # by number of the entry: when its command was sent
        self.accepted: dict[int, float] = {}  # ... and when the phone that sent it was told so
        self.arrived: dict[int, list[float]] = {}
        self.refused: Counter[str] = Counter()
        self.doubled = self.backwards = 0

    def cookie(self, seat: str) -> str:
        return f"makabana_seat_{self.id}={self.tokens[seat]}"

    def choice(self) -> tuple[Stream, list[str]] | None:
        """Whoever may act, and what they do."""
        for stream in self.streams:
            for verb, how in stream.choices().items():
                if how["kind"] == "place":
                    return stream, [verb, self.rng.choice(how["choices"])]
                if how["kind"] == "secret":
                    return stream, [verb, *PLOT, "show", PLOT[0]]
                if how["kind"] == "plain" and verb != "withdraw":
                    return stream, [verb]
        return None

    def answered(self, status: int, answer: dict[str, Any], sent: float) -> None:
        if status == 200:
            self.sent[answer["version"]], self.accepted[answer["version"]] = sent, time.monotonic()
        else:
            self.refused[str(answer.get("refusal", {}).get("code", status))] += 1

    def delays_ms(self, since: dict[int, float]) -> list[float]:
        """To the last phone. A phone that skipped a version had a newer one by then."""
        whole = {number: heard for number, heard in self.arrived.items() if len(heard) == PEOPLE}
        return [1000 * (max(whole[number]) - at) for number, at in since.items() if number in whole]

    def lost(self) -> int:
        """Phones that do not know of the last command."""
        last = max(self.sent, default=0)
        return sum(stream.number < last for stream in self.streams)

    def missing(self) -> int:
        """Commands of which not every phone was told, or one twice."""
        return sum(len(self.arrived.get(number, ())) != PEOPLE for number in self.sent)


class Evening:
    """All tables' phones at one server."""

    def __init__(self, port: int, tables: list[Table]) -> None:
        self._port, self._tables = port, tables
        self._poll = select.epoll()
        self._by_file: dict[int, Any] = {}
        self.ended = 0  # streams that the server has ended
        self.latest_s = 0.0  # how late a command was sent, measured against its due time

    def open(self) -> None:
        """All phones come in and are shown their table."""
        for table in self._tables:
            for seat in table.tokens:
                stream = Stream(table, seat, self._port)
                table.streams.append(stream)
                self._by_file[stream.sock.fileno()] = stream
                self._poll.register(stream.sock.fileno(), select.EPOLLIN)
            self._hear(0.02)
        deadline = time.monotonic() + 60
        while any(stream.version < 0 for table in self._tables for stream in table.streams):
            assert time.monotonic() < deadline, "not every phone was shown its table"
            self._hear(0.1)

    def play(self, seconds: int) -> None:
        """Each table acts once a second, the tables one after another, whether or not all have heard of the last."""
        begin = time.monotonic()
        for turn in range(seconds * len(self._tables)):
            due = begin + turn / len(self._tables)
            while (wait := due - time.monotonic()) > 0:
                self._hear(wait)
            self.latest_s = max(self.latest_s, time.monotonic() - due)
            self._act(self._tables[turn % len(self._tables)])
            self._hear(0)

    def rest(self, seconds: float) -> None:
        """What is on its way may still arrive."""
        end = time.monotonic() + seconds
        while (wait := end - time.monotonic()) > 0:
            self._hear(wait)

    def close(self) -> None:
        for phone in list(self._by_file.values()):
            phone.sock.close()
        self._poll.close()

    def _act(self, table: Table) -> None:
        choice = table.choice()
        if choice is None:
            table.refused["nothing to do"] += 1
            return
        stream, words = choice
        key = f"{table.rng.getrandbits(64):x}"
        post = next((post for post in table.posts[stream.seat] if post.is_free), None)
        if post is None:
            post = Post(stream, self._port)
            table.posts[stream.seat].append(post)
        post.send({"key": key, "do": "act", "args": words, "seen": stream.number}, self._poll, self._by_file)

    def _hear(self, timeout_s: float) -> None:
        for file, _ in self._poll.poll(timeout_s):
            phone = self._by_file.get(file)
            if isinstance(phone, Post):
                phone.read(self._poll, self._by_file)
            elif phone is not None and not phone.read():
                self._poll.unregister(file)
                del self._by_file[file]
                self.ended += 1
