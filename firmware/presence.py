"""What lies on one reader, made out from polls that are now and then missed, garbled or invented.

- A tag is believed after two equal reads, or at once if it is registered.
- Only clean time-outs speak for its removal: an answer that cannot be read is an answer.
- It is gone when they have lasted for `removal_ms` and it is silent once more after the field has been off.
"""

from mfrc522 import FOUND, GARBLED, MAX_UID
from micropython import const

_SLOTS = const(3)  # two tags can be told apart; one more may come while the first is on its way out
_CONFIRM_MS = const(1000)  # two reads of a stranger further apart than this are two accidents

FREE = const(0)
CANDIDATE = const(1)
PRESENT = const(2)

LAID = const(1)
LIFTED = const(2)


class Slot:
    """A tag, its times in ticks, and in `change` what happened to it and was not yet reported."""

    def __init__(self):
        self.uid = bytearray(MAX_UID)
        self.uids = [memoryview(self.uid)[:size] for size in range(MAX_UID + 1)]
        self.size = 0
        self.state = FREE
        self.change = 0
        self.since = 0  # the first read
        self.miss_since = 0  # the first of the clean time-outs that have lasted until now
        self.is_missing = False
        self.is_doubted = False  # the time is over, and the field is being cycled
        self.is_seen = False  # in this poll

    @property
    def tag(self):
        return self.uids[self.size]

    def holds(self, uid, size):
        if self.state == FREE or self.size != size:
            return False
        for index in range(size):
            if self.uid[index] != uid[index]:
                return False
        return True

    def take(self, uid, size, now):
        for index in range(size):
            self.uid[index] = uid[index]
        self.size = size
        self.state = CANDIDATE
        self.change = 0
        self.since = now
        self.prove()

    def prove(self):
        self.is_missing = False
        self.is_doubted = False


class Tracker:
    """Follows one reader. `known` is a set of registered UIDs as bytes, shared by all readers of a board.

    Until it `is_settled` it does not claim anything: not even that the place is empty.
    """

    def __init__(self, clock, known, removal_ms=1500):
        self.removal_ms = removal_ms
        self.slots = [Slot() for _ in range(_SLOTS)]
        self.is_settled = False
        self.wants_cycle = False
        self._clock = clock
        self._known = known
        self._empty_since = 0
        self._is_empty = False

    def clear(self):
        for slot in self.slots:
            slot.state = FREE
            slot.change = 0
        self.is_settled = False
        self.wants_cycle = False
        self._is_empty = False

    def update(self, now, result, chip):
        """Takes the result of one poll. Changes are left in the slots."""
        for slot in self.slots:
            slot.is_seen = False
        if result == FOUND:
            for index in range(chip.count):
                self._read(chip.uids[index], chip.sizes[index], now)
        for slot in self.slots:
            self._age(slot, now, result, result == FOUND and chip.is_partial)
        if not self.is_settled:
            self._settle(now, result)

    def _read(self, uid, size, now):
        slot = self._slot_of(uid, size)
        if slot is None:
            slot = self._free_slot()
            if slot is None:
                return
            slot.take(uid, size, now)
            slot.is_seen = True
            if self._known and bytes(slot.tag) in self._known:
                self._believe(slot)
            return
        slot.is_seen = True
        slot.prove()
        if slot.state == CANDIDATE:
            self._believe(slot)

    def _believe(self, slot):
        slot.state = PRESENT
        if self.is_settled:
            slot.change = LAID

    def _age(self, slot, now, result, is_partial):
        if slot.is_seen or slot.state == FREE:
            return
        if slot.state == CANDIDATE:
            if self._clock.ticks_diff(now, slot.since) > _CONFIRM_MS:
                slot.state = FREE
        elif result >= GARBLED or is_partial:
            slot.prove()
        else:
            self._miss(slot, now)

    def _miss(self, slot, now):
        if not slot.is_missing:
            slot.is_missing = True
            slot.miss_since = now
        elif slot.is_doubted:
            slot.state = FREE
            slot.change = LIFTED
        elif self._clock.ticks_diff(now, slot.miss_since) >= self.removal_ms:
            slot.is_doubted = True
            self.wants_cycle = True

    def _settle(self, now, result):
        if result >= GARBLED:
            self._is_empty = False
            return
        for slot in self.slots:
            if slot.state == PRESENT:
                self.is_settled = True
                return
        if not self._is_empty:
            self._is_empty = True
            self._empty_since = now
        elif self._clock.ticks_diff(now, self._empty_since) >= self.removal_ms:
            self.is_settled = True

    def _slot_of(self, uid, size):
        for slot in self.slots:
            if slot.holds(uid, size):
                return slot
        return None

    def _free_slot(self):
        """A free one whose last change was reported; a candidate makes room if there is none."""
        spare = None
        for slot in self.slots:
            if slot.change == 0:
                if slot.state == FREE:
                    return slot
                if slot.state == CANDIDATE:
                    spare = slot
        return spare
