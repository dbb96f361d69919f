"""The program of a board: polls its readers in turn, tells what changed, beats every five seconds, obeys the host.

What the messages mean is in PROTOCOL.md. A turn in which nothing happens allocates nothing.
"""

import gc

import framing
import settings
from micropython import const
from presence import LAID, LIFTED, PRESENT
from reader import LOST, OK

FIRMWARE = "0.1.0"

_HEARTBEAT_MS = const(5000)
_BLINK_MS = const(125)
_MAX_KNOWN = const(400)  # about 20 KB
_MAX_KNOWN_PER_FRAME = const(40)
_MAX_ECHO = const(32)

RUN = const(0)
RESET = const(1)
STOP = const(2)


class Identity:
    """Who this board is: its name in the configuration, its hardware id, and a number that changes at each start."""

    def __init__(self, node, board, boot, cause):
        self.node = node
        self.board = board
        self.boot = boot
        self.cause = cause


class Board:
    """What else is on it: a lamp, the watchdog's `feed`, and `check`, which gives the findings of the self-test."""

    def __init__(self, lamp=None, feed=None, check=None):
        self.lamp = lamp
        self.feed = feed
        self.check = check


class Node:
    """Given everything it works with. `known` is the set of registered UIDs that the readers' trackers share."""

    def __init__(self, identity, readers, link, clock, board, known):
        self.identity = identity
        self.readers = readers
        self.link = link
        self.known = known
        self.period_ms = settings.POLL["period_ms"][2]
        self.problems = []  # of the configuration: told instead of a state
        self.rev = 0
        self.wish = RUN
        self.round_ms = 0
        self.worst_ms = 0
        self._clock = clock
        self._lamp = board.lamp
        self._feed = board.feed
        self._check = board.check
        self._turn = 0
        self._now = clock.ticks_ms()
        self._up_s = 0
        self._up_ms = 0
        self._round_start = self._now
        self._beat_at = self._now
        self._blink_start = 0
        self._blink_ms = 0
        self._commands = {
            "state?": self._on_state,
            "hello?": self._on_hello,
            "ping": self._on_ping,
            "set": self._on_set,
            "known": self._on_known,
            "identify": self._on_identify,
            "check": self._on_check,
            "reset": self._on_reset,
            "stop": self._on_stop,
        }

    # --- The loop ---

    def run(self):
        """Runs until the host wants a reset or the prompt. Gives which."""
        while self.wish == RUN:
            self.step()
        return self.wish

    def step(self):
        """One turn: at most one reader is polled, then the link is served."""
        self._tick()
        self._poll_next()
        self._serve()
        if self._clock.ticks_diff(self._now, self._beat_at) >= _HEARTBEAT_MS:
            self._beat()
        if self._blink_ms:
            self._blink()
        if self._feed is not None:
            self._feed()

    def _tick(self):
        now = self._clock.ticks_ms()
        self._up_ms += self._clock.ticks_diff(now, self._now)
        self._now = now
        while self._up_ms >= 1000:
            self._up_ms -= 1000
            self._up_s += 1

    def _poll_next(self):
        if self._turn == len(self.readers):
            if not self.readers or self._clock.ticks_diff(self._now, self._round_start) < self.period_ms:
                self._clock.sleep_ms(1)
                return
            self._turn = 0
        if self._turn == 0:
            self._round_start = self._now
        reader = self.readers[self._turn]
        reader.poll(self._now)
        self._turn += 1
        if self._turn == len(self.readers):
            self.round_ms = self._clock.ticks_diff(self._clock.ticks_ms(), self._round_start)
            self.worst_ms = max(self.worst_ms, self.round_ms)
        self._report(reader)

    def _serve(self):
        if self.link.service(self._now):
            self._greet()
        message = self.link.receive()
        if message is not None:
            self._obey(message)
        elif self.link.decoder.refusal:
            self._send("refused", {"re": None, "reason": self.link.decoder.refusal})
            self.link.decoder.refusal = ""

    # --- Telling ---

    def _send(self, kind, fields):
        self._tick()
        fields["ticks"] = self._up_s * 1000 + self._up_ms
        self.link.send(kind, fields)

    def _greet(self):
        me = self.identity
        gc.collect()
        self._send(
            "hello",
            {
                "node": me.node,
                "firmware": FIRMWARE,
                "protocol": framing.PROTOCOL,
                "boot": me.boot,
                "board": me.board,
                "cause": me.cause,
                "free": gc.mem_free(),
                "readers": [{"reader": reader.name, "chip": reader.chip.name} for reader in self.readers],
            },
        )
        self._tell_state(None)

    def _tell_state(self, command):
        if self.problems:
            self._send("misconfigured", {"problems": self.problems})
            return
        fields = {
            "rev": self.rev,
            "boot": self.identity.boot,
            "readers": [
                {"reader": reader.name, "status": reader.status, "tags": self._tags(reader)} for reader in self.readers
            ],
        }
        if command is not None:
            fields["re"] = command["seq"]
        self._send("state", fields)

    def _tags(self, reader):
        """What lies there, or None while nobody can know."""
        if reader.status != OK:
            return None
        return [
            {"uid": slot.tag, "age": self._age(slot.since)} for slot in reader.tracker.slots if slot.state == PRESENT
        ]

    def _age(self, ticks):
        return max(0, self._clock.ticks_diff(self._clock.ticks_ms(), ticks))

    def _report(self, reader):
        """Tells what is new about a reader: its status first, as tags without one mean nothing."""
        if reader.change is not None:
            self._report_status(reader)
        if reader.status != OK:
            return
        for slot in reader.tracker.slots:
            if slot.change == LAID:
                slot.change = 0
                self._change("laid", {"reader": reader.name, "uid": slot.tag, "age": self._age(slot.since)})
            elif slot.change == LIFTED:
                slot.change = 0
                self._change("lifted", {"reader": reader.name, "uid": slot.tag, "age": self._age(slot.miss_since)})

    def _report_status(self, reader):
        status, reader.change = reader.change, None
        if status == LOST:
            self._change("lost", {"reader": reader.name, "reason": reader.reason})
        else:
            for slot in reader.tracker.slots:
                slot.change = 0  # all of it is in the tags
            self._change("ready", {"reader": reader.name, "tags": self._tags(reader)})

    def _change(self, kind, fields):
        self.rev += 1
        fields["rev"] = self.rev
        self._send(kind, fields)
        if self.link.retains_state:
            self._tell_state(None)

    def _beat(self):
        self._beat_at = self._now
        gc.collect()
        decoder = self.link.decoder
        dropped = decoder.junk + decoder.corrupt + decoder.overlong + decoder.malformed + decoder.refused
        self._send(
            "heartbeat",
            {
                "rev": self.rev,
                "boot": self.identity.boot,
                "free": gc.mem_free(),
                "round_ms": self.round_ms,
                "worst_ms": self.worst_ms,
                "readers": [_health(reader) for reader in self.readers],
                "link": {"frames": decoder.frames, "dropped": dropped, "unsent": self.link.unsent},
            },
        )
        self.worst_ms = 0
        if self.problems:
            self._tell_state(None)

    def _blink(self):
        elapsed = self._clock.ticks_diff(self._now, self._blink_start)
        is_over = elapsed >= self._blink_ms
        if is_over:
            self._blink_ms = 0
        if self._lamp is not None:
            self._lamp.value(0 if is_over else elapsed // _BLINK_MS & 1 ^ 1)

    # --- Obeying ---

    def _obey(self, message):
        command = self._commands.get(message["type"])
        if command is None:
            self._refuse(message, "There is no command %r here." % message["type"][:24])
            return
        command(message)

    def _refuse(self, message, reason):
        self._send("refused", {"re": message["seq"], "reason": reason})

    def _done(self, message):
        self._send("done", {"re": message["seq"]})

    def _on_state(self, message):
        self._tell_state(message)

    def _on_hello(self, message):
        self._greet()

    def _on_ping(self, message):
        echo = message.get("echo")
        if not isinstance(echo, (int, str)) or (isinstance(echo, str) and len(echo) > _MAX_ECHO):
            self._refuse(message, "echo must be a whole number or at most %d characters." % _MAX_ECHO)
            return
        self._send("pong", {"re": message["seq"], "echo": echo, "round_ms": self.round_ms})

    def _on_set(self, message):
        wanted = {name: message[name] for name in settings.POLL if name in message}
        problems = settings.poll_problems(wanted)
        if problems or not wanted:
            self._refuse(message, " ".join(problems) or "Nothing to set: name at least one setting.")
            return
        self.period_ms = wanted.get("period_ms", self.period_ms)
        for reader in self.readers:
            apply_poll(reader, wanted)
        self._done(message)

    def _on_known(self, message):
        uids = message.get("uids")
        if not isinstance(uids, list) or len(uids) > _MAX_KNOWN_PER_FRAME:
            self._refuse(message, "uids must be a list of at most %d UIDs." % _MAX_KNOWN_PER_FRAME)
            return
        known = [_uid_of(uid) for uid in uids]
        if None in known:
            self._refuse(message, "Each of uids must have 8, 14 or 20 hexadecimal digits.")
            return
        if message.get("clear") is True:
            self.known.clear()
        if len(self.known) + len(known) > _MAX_KNOWN:
            self._refuse(message, "This board can hold %d known tags." % _MAX_KNOWN)
            return
        self.known.update(known)
        self._done(message)

    def _on_identify(self, message):
        seconds = message.get("seconds", 5)
        if not isinstance(seconds, int) or not 1 <= seconds <= 60:
            self._refuse(message, "seconds must be a whole number from 1 to 60.")
            return
        self._blink_start = self._now
        self._blink_ms = seconds * 1000
        self._done(message)

    def _on_check(self, message):
        if self._check is None:
            self._refuse(message, "There is nothing to check: the configuration has mistakes.")
            return
        findings = [{"reader": name, "ok": is_fine, "text": text} for name, is_fine, text in self._check()]
        self._send("checked", {"re": message["seq"], "findings": findings})

    def _on_reset(self, message):
        self._done(message)
        self.wish = RESET

    def _on_stop(self, message):
        self._done(message)
        self.wish = STOP


def apply_poll(reader, poll):
    """Gives a reader new settings; the chip gets them before its next poll."""
    chip = reader.chip
    chip.timeout_ms = poll.get("timeout_ms", chip.timeout_ms)
    chip.settle_ms = poll.get("settle_ms", chip.settle_ms)
    chip.gain = poll.get("gain", chip.gain)
    reader.tracker.removal_ms = poll.get("removal_ms", reader.tracker.removal_ms)
    reader.restart()


def _health(reader):
    return {
        "reader": reader.name,
        "status": reader.status,
        "polls": reader.polls,
        "timeouts": reader.timeouts,
        "garbled": reader.garbled,
        "soft": reader.soft,
        "hard": reader.hard,
        "version": reader.chip.version,
    }


def _uid_of(text):
    """The bytes of a UID in hexadecimal, or None."""
    if not isinstance(text, str) or len(text) not in (8, 14, 20):
        return None
    try:
        return bytes([int(text[index : index + 2], 16) for index in range(0, len(text), 2)])
    except ValueError:
        return None
