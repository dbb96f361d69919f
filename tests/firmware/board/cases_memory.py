"""Proof that a turn in which nothing happens allocates nothing, and the count of what goes over the bus."""

# ruff: noqa: UP031 - MicroPython knows no other way

import gc
import sys

from clocks import Clock
from link import SerialLink
from rig import UID4, UID7, UID10, Rig


class Tape:
    """Stands in for a bus line: first it records a poll, then it plays it again and again without allocating."""

    def __init__(self, line):
        self._line = line
        self._answers = []
        self._position = 0
        self.is_playing = False

    def write(self, out):
        if not self.is_playing:
            self._line.write(out)

    def exchange(self, out, into):
        if not self.is_playing:
            self._line.exchange(out, into)
            self._answers.append(bytes(into))
            return
        answer = self._answers[self._position]
        self._position += 1
        if self._position == len(self._answers):
            self._position = 0
        for index in range(len(answer)):
            into[index] = answer[index]


def _allocated(uids, turns=400):
    """How many bytes that many turns take, with these tags at rest on the reader."""
    rig = Rig(period_ms=0)
    for uid in uids:
        rig.chips[0].lay(uid)
    rig.settle()
    chip = rig.readers[0].chip
    chip._line = tape = Tape(chip._line)
    polls = rig.readers[0].polls
    while rig.readers[0].polls == polls:
        rig.node.step()
    tape.is_playing = True
    rig.node.link = SerialLink(sys.stdin.buffer, sys.stdout.buffer)
    rig.node.link.service(0)
    rig.node._feed = None
    rig.node._beat_at = rig.clock.ticks_ms()
    rig.clock.sleep_ms = _Nothing()
    rig.readers[0].polls = 1  # far from the refresh
    rig.node.step()  # a poller allocates at its first use
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    for _ in range(turns):
        rig.node.step()
    after = gc.mem_alloc()
    gc.enable()
    assert rig.readers[0].polls == 2 + turns
    return after - before


class _Nothing:
    def __call__(self, ms):
        pass


def case_polling_an_empty_reader_allocates_nothing():
    assert _allocated([]) == 0


def case_polling_a_tag_at_rest_allocates_nothing():
    for uid in (UID4, UID7, UID10):
        assert _allocated([uid]) == 0, uid


def case_polling_two_tags_allocates_nothing():
    assert _allocated([UID4, UID7]) == 0


def _round(uids, transaction_us, baudrate):
    """The transactions, bytes and milliseconds of one round of eight readers, each with these tags on it."""
    rig = Rig(8)
    for chip in rig.chips:
        for uid in uids:
            chip.lay(uid)
    rig.settle()
    while rig.node._turn != 8:
        rig.node.step()
    rig.clock.is_hasty = False
    rig.world.transaction_us = transaction_us
    rig.world.us_per_byte = 8000000 // baudrate
    transactions, sent = rig.world.transactions, rig.world.bytes
    rig.clock.us += 200000
    rig.node.step()
    while rig.node._turn != 8:
        rig.node.step()
    return rig.world.transactions - transactions, rig.world.bytes - sent, rig.node.round_ms


TRANSACTION_US = 170  # MicroPython on an RP2040 at 125 MHz; see firmware/README.md


def case_eight_readers_are_polled_within_200_ms():
    for name, uids in (("empty", []), ("4 bytes", [UID4]), ("7 bytes", [UID7]), ("10 bytes", [UID10])):
        transactions, sent, ms = _round(uids, TRANSACTION_US, 2000000)
        print("%-8s %4d transactions %5d bytes %4d ms" % (name, transactions, sent, ms))
        assert ms < 200, (name, ms)


def case_the_clock_of_the_model_is_that_of_a_board():
    clock = Clock(start_us=((1 << 30) - 1) * 1000)
    before = clock.ticks_ms()
    clock.sleep_ms(5)
    assert clock.ticks_ms() == 4
    assert clock.ticks_diff(clock.ticks_ms(), before) == 5
