"""Carries all open streams: one thread for the sockets and a few that tell, however many phones follow.

A thread for each phone would be simpler, but 600 of them that wake up at once fight for the interpreter, and the last
phone waits for all of them. Here a change of a table is one task: a telling thread goes through the table's phones and
writes to each what its socket takes at once. What did not fit waits with its phone, one event at most, until the
socket can be written again; whatever happens meanwhile is told by the next snapshot. So nobody waits for a slow phone,
and a slow phone takes no more memory than a quick one. Telling is done by more than one thread because a snapshot may
have to wait for its table, which may be waiting for the disk.
"""

from __future__ import annotations

import logging
import selectors
import socket
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Lock, Thread
from time import monotonic

from companion.table.listeners import listen, unlisten
from web.services import Source
from web.stream import BEAT, BEGINNING, Follower

log = logging.getLogger(__name__)
TELLERS = 8  # one or two are enough, unless tables have to wait for the disk or this machine has much else to do
SWEEP_S = 0.5  # how often it is seen who is due for a beat, or stuck
STUCK_S = 30.0  # a phone that takes nothing for so long is given up; awake, it comes back by itself
SEND_BUFFER_BYTES = 65_536  # what the system keeps for a slow phone: a few snapshots, not megabytes
_READ, _WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE


class Phone:
    """One stream's socket, which never blocks, and what of its last event did not fit into it."""

    def __init__(self, sock: socket.socket, follower: Follower, is_chunked: bool) -> None:
        self.sock, self.follower, self._is_chunked = sock, follower, is_chunked
        self._lock = Lock()
        self._rest = BEGINNING if not is_chunked else _chunk(BEGINNING)
        self._is_behind = self.is_closed = False
        self.moved_at = monotonic()  # when it last took something

    @property
    def is_stuck(self) -> bool:
        return bool(self._rest)

    def tell(self) -> bool:
        """Writes what is new, as far as there is room; says whether all of it was taken. Raises `OSError` if the phone
        is gone, and whatever making its snapshot raises."""
        with self._lock:
            self._is_behind = True
            return self._catch_up()

    def write_on(self) -> bool:
        """Writes what was left, and says whether all of it was taken. Raises `OSError` if the phone is gone."""
        with self._lock:
            return self._flush()

    def beat(self) -> None:
        """Fills the silence, unless there is none. Raises `OSError` if the phone is gone."""
        if not self._lock.acquire(blocking=False):
            return  # it is being told something
        try:
            if not self._rest:
                self._write(BEAT)
        finally:
            self._lock.release()

    @property
    def is_behind(self) -> bool:
        """Whether it was not told of everything for want of room."""
        return self._is_behind

    def _catch_up(self) -> bool:
        if not self._flush():
            return False
        if not self._is_behind:
            return True
        self._is_behind = False
        news = self.follower.news()
        return news is None or self._write(news)

    def _write(self, data: bytes) -> bool:
        self._rest = _chunk(data) if self._is_chunked else data
        self.moved_at = monotonic()
        return self._flush()

    def _flush(self) -> bool:
        if self._rest and not self.is_closed:
            with suppress(BlockingIOError):
                self._rest = self._rest[self.sock.send(self._rest) :]
                self.moved_at = monotonic()
        return not self._rest

    def close(self) -> None:
        """Ends the stream, for those who still listen."""
        with self._lock:
            if self.is_closed:
                return
            self.is_closed = True
            with suppress(OSError):
                if self._is_chunked and not self._rest:
                    self.sock.send(b"0\r\n\r\n")
            self.sock.close()
        self.follower.close()


class Audience:
    """All phones that follow one source. The tuple is replaced, never changed."""

    def __init__(self, source: Source, when_changed: Callable[[Audience], None]) -> None:
        self.source, self.phones = source, tuple[Phone, ...]()
        self.is_called = False
        self._when_changed = when_changed

    def hear(self, version: int) -> None:
        """The source has changed. Called inside its lock, so nothing is done here."""
        if not self.is_called:
            self.is_called = True
            self._when_changed(self)


class Broadcaster:
    """Carries up to `most` streams. `close` ends them all."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = Lock()
        self._audiences: dict[int, Audience] = {}
        self._phones: dict[Phone, Audience] = {}
        self._tasks: SimpleQueue[Audience | Phone | None] = SimpleQueue()
        self._selector = selectors.DefaultSelector()
        self._wishes: deque[Callable[[], None]] = deque()
        self._waker, woken = socket.socketpair()
        self._waker.setblocking(False)
        woken.setblocking(False)
        self._selector.register(woken, _READ)
        self._woken = woken
        self._is_closed = False
        self._threads = [Thread(target=self._look, name="streams", daemon=True)]
        self._threads += [Thread(target=self._tell, name=f"teller-{n}", daemon=True) for n in range(TELLERS)]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    @property
    def has_room(self) -> bool:
        return len(self._phones) < self._most and not self._is_closed

    def carry(self, sock: socket.socket, follower: Follower, is_chunked: bool) -> None:
        """Takes a socket over whose answer's head is sent, and tells it the first snapshot."""
        phone = Phone(sock, follower, is_chunked)
        if not _is_ready(sock) or not self._join(phone):
            phone.close()
            return
        self._wish(lambda: self._watch(phone))
        self._tell_phone(phone)

    def close(self) -> None:
        """Ends all streams and waits for it."""
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
        for _ in range(TELLERS):
            self._tasks.put(None)
        self._wish(lambda: None)
        for thread in self._threads:
            if thread.is_alive():
                thread.join()
        for phone in list(self._phones):
            self._drop(phone)
        self._selector.close()
        self._waker.close()
        self._woken.close()

    # --- Who follows what ---

    def _join(self, phone: Phone) -> bool:
        with self._lock:
            if self._is_closed:
                return False
            source = phone.follower.source
            audience = self._audiences.get(id(source))
            if audience is None:
                audience = self._audiences[id(source)] = Audience(source, self._tasks.put)
                listen(source, audience.hear)
            audience.phones = (*audience.phones, phone)
            self._phones[phone] = audience
            return True

    def _leave(self, phone: Phone) -> None:
        with self._lock:
            audience = self._phones.pop(phone, None)
            if audience is None:
                return
            audience.phones = tuple(other for other in audience.phones if other is not phone)
            if not audience.phones:
                del self._audiences[id(audience.source)]
                unlisten(audience.source, audience.hear)

    # --- The tellers ---

    def _tell(self) -> None:
        while (task := self._tasks.get()) is not None:
            if isinstance(task, Phone):
                self._tell_phone(task)
                continue
            task.is_called = False  # a change from here on is another task
            for phone in task.phones:
                self._tell_phone(phone)

    def _tell_phone(self, phone: Phone) -> None:
        try:
            if not phone.tell():
                self._wish(lambda: self._watch(phone))
        except OSError:
            self._wish(lambda: self._drop(phone))
        except Exception:  # a snapshot that can't be made is this stream's end, not that of the others
            log.exception("A stream has failed.")
            self._wish(lambda: self._drop(phone))

    # --- The thread of the sockets ---

    def _wish(self, wish: Callable[[], None]) -> None:
        """Has something done by the thread that alone touches the selector."""
        self._wishes.append(wish)
        with suppress(OSError):  # full of bytes: it is awake already; or closed: there is nothing more to wish for
            self._waker.send(b"!")

    def _look(self) -> None:
        sweep_at = monotonic() + SWEEP_S
        while not self._is_closed:
            for key, events in self._selector.select(max(0.0, sweep_at - monotonic())):
                if key.data is None:
                    self._woken.recv(4096)
                else:
                    self._attend(key.data, events)
            while self._wishes:
                self._wishes.popleft()()
            if monotonic() >= sweep_at:
                self._sweep()
                sweep_at = monotonic() + SWEEP_S

    def _attend(self, phone: Phone, events: int) -> None:
        if events & _READ:  # a browser says nothing more on a stream: it is gone, or none
            self._drop(phone)
            return
        try:
            is_done = phone.write_on()
        except OSError:
            self._drop(phone)
            return
        if is_done:
            self._selector.modify(phone.sock, _READ, phone)
            if phone.is_behind:
                self._tasks.put(phone)

    def _watch(self, phone: Phone) -> None:
        """Sees to it that a phone's leaving is noticed, and also its having room again where it has none."""
        if phone.is_closed:
            return
        events = _READ | _WRITE if phone.is_stuck else _READ
        if phone.sock.fileno() in self._selector.get_map():
            self._selector.modify(phone.sock, events, phone)
        else:
            self._selector.register(phone.sock, events, phone)

    def _drop(self, phone: Phone) -> None:
        if phone.is_closed:
            return
        if phone.sock.fileno() in self._selector.get_map():
            self._selector.unregister(phone.sock)
        self._leave(phone)
        phone.close()

    def _sweep(self) -> None:
        now = monotonic()
        for phone in list(self._phones):
            if phone.is_stuck and now - phone.moved_at >= STUCK_S:
                self._drop(phone)
            elif now - phone.moved_at >= phone.follower.heartbeat_s:
                try:
                    phone.beat()
                except OSError:
                    self._drop(phone)


def _is_ready(sock: socket.socket) -> bool:
    """Makes a socket fit for a stream; says whether it still is one."""
    try:
        sock.setblocking(False)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # a phone that has left the Wi-Fi without a word
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(1000 * STUCK_S))
    except OSError:
        return False
    return True


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)
