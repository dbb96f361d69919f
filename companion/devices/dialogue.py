"""The conversation with one reader board: messages and times in, commands out, findings to the hub. No wire in here.

`firmware/PROTOCOL.md` says what the messages mean. An event counts only if nothing before it was missed, by the count
of frames (`seq`) and of changes (`rev`); otherwise the board is asked for its whole state, which replaces all belief.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from companion.devices.board_time import BoardTime
from companion.devices.hub import Hub, Reading
from companion.devices.messages import BadMessageError, integer_in, tables_in, text_in, uid_in
from companion.devices.table_file import sensor_name
from companion.devices.texts import say
from companion.table.observations import Event, Json
from firmware import framing

log = logging.getLogger(__name__)

SILENT_S = 12.0  # a board beats each 5 s
ASK_AGAIN_S = 1.0
PING_EVERY_S = 10.0
KNOWN_PER_FRAME = 30  # forty of the longest UIDs would not fit a board's 1024 bytes
PROD = "prod"  # not a message: the two bytes that wake a board from the MicroPython prompt
_SEQ_FREE = ("hello", "gone")  # a board that starts again counts from 0


class Command(NamedTuple):
    kind: str
    fields: Mapping[str, Json] = {}


class Dialogue:
    """`via` names the wire. `node` is given where the wire tells it (a topic) and learned from `hello` otherwise."""

    def __init__(self, hub: Hub, via: str, node: str = "") -> None:
        self.node = node
        self.hello: Mapping[str, Json] = {}
        self.health: Mapping[str, Json] = {}  # the last heartbeat, for the staff page and the doctor
        self.findings: Sequence[Json] | None = None  # of the self-test, once it was asked for
        self.refusal: Event | None = None  # why this board is not listened to
        self.malformed = 0
        self._hub, self._via = hub, via
        self._time = BoardTime()
        self._given_node = node
        self._is_claimed = False
        self._is_open = False
        self._boot = ""
        self._rev: int | None = None  # None: out of step, a state is needed
        self._seq: int | None = None
        self._heard_at = self._asked_at = self._stale_since = self._pinged_at = 0.0
        self._pings = 0
        self._last_refused = ""
        self._handlers: Mapping[str, Callable[[Mapping[str, Json], float], None]] = {
            "hello": self._on_hello,
            "state": self._on_state,
            "laid": self._on_change,
            "lifted": self._on_change,
            "ready": self._on_change,
            "lost": self._on_change,
            "heartbeat": self._on_heartbeat,
            "pong": self._on_pong,
            "checked": self._on_checked,
            "misconfigured": self._on_misconfigured,
            "gone": self._on_gone,
            "refused": self._on_refused,
        }
        self._out: list[Command] = []

    # --- What the wire tells ---

    def opened(self, now: float) -> list[Command]:
        """The wire is there. Gives what to send."""
        self._is_open = True
        self._forget()
        self._heard_at = self._stale_since = now
        self._ask(now, "hello?")
        return self._take()

    def received(self, message: Mapping[str, Json], now: float) -> list[Command]:
        """A whole message came. Never raises, whatever is in it."""
        kind, seq = message.get("type"), message.get("seq")
        is_in_order = self._seq is None or seq == (self._seq + 1) % framing.SEQ_LIMIT or kind in _SEQ_FREE
        if kind != "gone":  # the broker sends that one in the board's name
            self._seq = seq if isinstance(seq, int) else None
            self._heard_at = now
        if not is_in_order:
            self._fall_out_of_step(now)
        handler = self._handlers.get(kind) if isinstance(kind, str) else None
        if handler is not None:
            try:
                handler(message, now)
            except BadMessageError:
                self.malformed += 1
                self._fall_out_of_step(now)
        if self._rev is None and self._is_listened_to:
            self._ask(now, "state?")
        return self._take()

    def ticked(self, now: float) -> list[Command]:
        """Called several times a second: notices silence, asks again, measures the board's time."""
        if not self._is_open:
            return []
        if now - self._heard_at > SILENT_S:
            self._lose(Event("board_silent", {"seconds": round(SILENT_S), "via": self._via}))
            self._heard_at = self._stale_since = now  # the next prod is due when that has not helped either
            self._send(PROD)
            self._ask(now, "hello?")
        elif self._rev is None and now - self._stale_since > SILENT_S and self._is_claimed:
            self._stale_since = now
            self._lose(Event("board_out_of_step", {"via": self._via}))
        elif self._rev is None:
            self._ask(now, "state?" if self._is_listened_to else "hello?")
        if now - self._pinged_at > PING_EVERY_S and self._is_listened_to:
            self._ping(now)
        return self._take()

    def closed(self, reason: Event) -> None:
        """The wire is gone."""
        self._is_open = False
        self._lose(reason)
        if self._is_claimed:
            self._hub.release(self.node, self._via)
        self._is_claimed = False
        self._forget()

    def refused(self, sentence: str) -> None:
        """The board speaks another version of the protocol."""
        self.refusal = Event("protocol_refused", {"via": self._via, "sentence": sentence})
        self._lose(self.refusal)

    def check(self) -> list[Command]:
        self.findings = None
        self._send("check")
        return self._take()

    @property
    def is_starting(self) -> bool:
        """Whether the board has yet to tell its state, or a reader of it has yet to find its feet."""
        return self._rev is None or any(reason.code == "reader_starting" for reason in self.lost_readers)

    @property
    def lost_readers(self) -> list[Event]:
        """Why each reader of this board that is not available is not."""
        sensors = [sensor_name(self.node, reader) for reader in self._hub.readers_of(self.node)]
        return [reason for sensor in sensors if (reason := self._hub.reason_of(sensor)) is not None]

    # --- What the board says ---

    def _on_hello(self, message: Mapping[str, Json], now: float) -> None:
        node, boot = text_in(message, "node"), text_in(message, "boot")
        if self._given_node and node != self._given_node:
            raise BadMessageError("node")
        if node != self.node and self._is_claimed:  # another board on the same port
            self.closed(Event("board_changed", {"via": self._via}))
            self._is_open = True
        self.node, self.hello = node, message
        if boot != self._boot:
            self._boot, self._rev = boot, None
            self._time.forget()
        self._claim(now)
        if self._is_listened_to:
            self._ping(now)
            self._send_known()

    def _claim(self, now: float) -> None:
        problem = self._hub.claim(self.node, self._via)
        if problem and problem != self.refusal:
            log.warning("%s", say(problem))
        self.refusal, self._is_claimed = problem, problem is None

    def _on_state(self, message: Mapping[str, Json], now: float) -> None:
        if not self._is_listened_to:
            return
        boot, rev = text_in(message, "boot"), integer_in(message, "rev")
        readers = {text_in(entry, "reader"): entry for entry in tables_in(message, "readers")}
        told = {name: self._readings(entry, message, now) for name, entry in readers.items()}
        if boot != self._boot:
            self._time.forget()
        self._boot, self._rev = boot, rev
        seen = self._time.date(integer_in(message, "ticks"), 0, now)
        for name in self._hub.readers_of(self.node):
            sensor, readings = sensor_name(self.node, name), told.get(name)
            if readings is not None:
                self._hub.tags_seen(sensor, readings, seen)
            else:
                self._hub.is_lost(sensor, self._why_without_tags(name, readers.get(name)))
        self._hub.node_back(self.node)

    def _why_without_tags(self, reader: str, entry: Mapping[str, Json] | None) -> Event:
        if entry is None:
            return Event("reader_absent", {"reader": reader, "node": self.node})
        code = "reader_starting" if entry.get("status") == "starting" else "reader_lost"
        return Event(code, {"reader": reader, "node": self.node})

    def _readings(
        self, entry: Mapping[str, Json], message: Mapping[str, Json], now: float
    ) -> tuple[Reading, ...] | None:
        if entry.get("status", "ok") != "ok":
            return None
        ticks = integer_in(message, "ticks")
        return tuple(
            Reading(uid_in(tag), self._time.date(ticks, integer_in(tag, "age"), now))
            for tag in tables_in(entry, "tags")
        )

    def _on_change(self, message: Mapping[str, Json], now: float) -> None:
        rev, name, kind = integer_in(message, "rev"), text_in(message, "reader"), message["type"]
        if self._rev is None or not self._is_listened_to:
            return
        if rev <= self._rev:
            return  # a state that came before has told it
        if rev != self._rev + 1:
            self._fall_out_of_step(now)
            return
        if name in self._hub.readers_of(self.node):
            self._apply(str(kind), name, message, now)
        self._rev = rev

    def _apply(self, kind: str, name: str, message: Mapping[str, Json], now: float) -> None:
        sensor = sensor_name(self.node, name)
        if kind == "lost":
            self._hub.is_lost(sensor, Event("reader_lost", {"reader": name, "node": self.node}))
            return
        ticks = integer_in(message, "ticks")
        if kind == "ready":
            readings = self._readings(message, message, now) or ()
            self._hub.tags_seen(sensor, readings, self._time.date(ticks, 0, now))
            return
        uid, when = uid_in(message), self._time.date(ticks, integer_in(message, "age"), now)
        before = self._hub.tags_on(sensor)
        if before is None:
            raise BadMessageError("reader")  # a change on a reader that was lost: something was missed
        others = tuple(Reading(tag.uid, tag.since) for tag in before if tag.uid != uid)
        self._hub.tags_seen(sensor, (*others, Reading(uid, when)) if kind == "laid" else others, when)

    def _on_heartbeat(self, message: Mapping[str, Json], now: float) -> None:
        self.health = message
        self._time.poll_s = min(integer_in(message, "round_ms"), 2000) / 1000 + 0.1
        if integer_in(message, "rev") != self._rev or text_in(message, "boot") != self._boot:
            self._fall_out_of_step(now)

    def _on_pong(self, message: Mapping[str, Json], now: float) -> None:
        self._time.pong(message.get("echo"), integer_in(message, "ticks"), now)

    def _on_checked(self, message: Mapping[str, Json], now: float) -> None:
        self.findings = [entry for entry in tables_in(message, "findings") if isinstance(entry.get("text"), str)]

    def _on_misconfigured(self, message: Mapping[str, Json], now: float) -> None:
        problems = message.get("problems")
        if not isinstance(problems, list):
            raise BadMessageError("problems")
        self.refusal = Event(
            "board_misconfigured", {"node": self.node, "problems": [str(one)[:200] for one in problems]}
        )
        self._lose(self.refusal)

    def _on_gone(self, message: Mapping[str, Json], now: float) -> None:
        if message.get("boot") == self._boot or not self._boot:  # not the late will of an earlier start
            self._lose(Event("board_gone", {"node": self.node}))
            self._rev = None

    def _on_refused(self, message: Mapping[str, Json], now: float) -> None:
        reason = text_in(message, "reason")
        if reason != self._last_refused:
            log.warning("Board %s refused a command: %s", self.node or self._via, reason)
        self._last_refused = reason

    # --- Inside ---

    @property
    def _is_listened_to(self) -> bool:
        return self._is_claimed and self.refusal is None

    def _forget(self) -> None:
        self._boot, self._rev, self._seq = "", None, None
        self.refusal = None
        self._pinged_at = self._asked_at = float("-inf")
        self._time.forget()

    def _fall_out_of_step(self, now: float) -> None:
        if self._rev is not None:
            self._rev, self._stale_since = None, now

    def _lose(self, reason: Event) -> None:
        if self.node and (self._is_claimed or self._given_node):
            self._hub.node_lost(self.node, reason)
            self._rev = None

    def _ask(self, now: float, kind: str) -> None:
        if now - self._asked_at >= ASK_AGAIN_S:
            self._asked_at = now
            self._send(kind)

    def _ping(self, now: float) -> None:
        self._pings += 1
        self._pinged_at = now
        self._time.ping(self._pings, now)
        self._send("ping", echo=self._pings)

    def _send_known(self) -> None:
        uids = sorted(self._hub.register)
        for start in range(0, max(len(uids), 1), KNOWN_PER_FRAME):
            self._send("known", uids=uids[start : start + KNOWN_PER_FRAME], clear=start == 0)

    def _send(self, kind: str, **fields: Json) -> None:
        self._out.append(Command(kind, fields))

    def _take(self) -> list[Command]:
        out, self._out = self._out, []
        return out


def encoded(commands: Sequence[Command], encoder: framing.Encoder) -> Iterator[bytes]:
    """The commands as frames, with their newlines."""
    for kind, fields in commands:
        yield b"\x04\n" if kind == PROD else bytes(encoder.encode(kind, dict(fields)))
