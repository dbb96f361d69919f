"""One place of the table: a chip, what lies on it, and what to do when the chip stops answering."""

from mfrc522 import BROKEN, GARBLED, NOTHING
from micropython import const

STARTING = "starting"
OK = "ok"
LOST = "lost"

_CYCLE_MS = const(50)  # how long the field stays off before a tag is given up
_FAILS_TO_LOSE = const(3)  # after a soft and a hard reset
_LONGEST_WAIT_MS = const(4000)
_REFRESH_POLLS = const(512)  # about once a minute all registers are written again


class Reader:
    """Polls a chip and resets it if need be: softly at first, then by its RST pin, then both in turn for ever.

    `change` is OK or LOST when the status became that and nobody was told yet.
    """

    def __init__(self, name, chip, tracker, clock):
        self.name = name
        self.chip = chip
        self.tracker = tracker
        self.status = STARTING
        self.change = None
        self.polls = 0
        self.timeouts = 0
        self.garbled = 0
        self.soft = 0
        self.hard = 0
        self._clock = clock
        self._fails = 0
        self._wait_ms = 0
        self._rest_start = 0
        self._rest_ms = 0
        self._needs_begin = True

    @property
    def reason(self):
        """Why it is lost, and what to do."""
        version = self.chip.version
        if version in (0x00, 0xFF):
            said = "does not answer (version register 0x%02X)" % version
        else:
            said = "answers (version register 0x%02X) but does not read" % version
        return "Reader '%s' %s. Check its power and wires, then send check." % (self.name, said)

    def poll(self, now):
        """Polls once, unless the chip is resting or has to be started first."""
        if self._rest_ms:
            if self._clock.ticks_diff(now, self._rest_start) < self._rest_ms:
                return
            self._rest_ms = 0
        if self._needs_begin or self.polls % _REFRESH_POLLS == 0:
            self._needs_begin = False
            self.chip.begin()
        result = self.chip.poll()
        self._count(result)
        now = self._clock.ticks_ms()
        self.tracker.update(now, result, self.chip)
        if self.tracker.wants_cycle:
            self.tracker.wants_cycle = False
            self._needs_begin = True  # a chip that has only forgotten its settings gets them before the verdict
            self._rest(now, _CYCLE_MS)
        if result == BROKEN:
            self._fail(now)
        else:
            self._work()

    def restart(self):
        """Sets the chip up again before its next poll, for new settings or after the self-test."""
        self._needs_begin = True

    def _count(self, result):
        self.polls += 1
        if result == NOTHING:
            self.timeouts += 1
        elif result == GARBLED:
            self.garbled += 1

    def _work(self):
        self._fails = 0
        self._wait_ms = 0
        if self.status == LOST:
            self.status = STARTING
        if self.status == STARTING and self.tracker.is_settled:
            self.status = OK
            self.change = OK

    def _fail(self, now):
        self._fails += 1
        if self._fails >= _FAILS_TO_LOSE:
            self._lose()
            self._wait_ms = min(max(2 * self._wait_ms, 250), _LONGEST_WAIT_MS)
        self._needs_begin = True
        needs_ms = self.chip.hard_reset() if self._fails % 2 == 0 else 0
        if needs_ms:
            self.hard += 1
        else:
            self.soft += 1
            self.chip.soft_reset()
        if needs_ms or self._wait_ms:
            self._rest(now, max(needs_ms, self._wait_ms))

    def _lose(self):
        if self.status != LOST:
            self.status = LOST
            self.change = LOST
            self.tracker.clear()

    def _rest(self, now, duration_ms):
        self._rest_start = now
        self._rest_ms = duration_ms
