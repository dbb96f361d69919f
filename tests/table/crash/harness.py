"""Kills a child process at random instants and lets somebody look at what it left behind, again and again.

The child plays until it is killed and prints one line for each thing it was promised is kept, right after the promise.
What it prints first only says that it is up. Lines go through a pipe, which outlives the child: all that was printed is
read, and a line that was cut off in the middle counts as not printed.
"""

import math
import random
import subprocess
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

MOST_AWAITED = 4  # promises before the time of a life begins to run
ROUSING_S = 60.0  # a busy machine is slow to start a child; nothing waits this long when all is well


class Tally(NamedTuple):
    kills: int
    lines: int  # promises in all lives together
    early: int  # kills that came before the child was up


def kill_at_random(
    child_argv: Sequence[str],
    check: Callable[[list[str]], None],
    kills: int,
    seed: int,
    longest_life_s: float = 0.12,
    early_share: float = 0.1,
    most_s: float = math.inf,
) -> Tally:
    """Starts and kills the child `kills` times. `check` gets each life's lines, the first one left out, and asserts.

    Most kills come within `longest_life_s` of the first line or of a promise soon after it, however slow the machine; a
    share comes before it, while the child recovers.
    A slow machine stops after `most_s`; the tally says how many kills there were.
    """
    rng, lines, early, deadline = random.Random(seed), 0, 0, time.monotonic() + most_s
    for number in range(kills):
        if time.monotonic() > deadline:
            return Tally(number, lines, early)
        is_early = rng.random() < early_share
        awaited = 0 if is_early else rng.randint(1, 1 + MOST_AWAITED)
        said = _one_life(child_argv, awaited, rng.uniform(0.0, longest_life_s))
        early += not said
        lines += len(said[1:])
        try:
            check(said[1:])
        except BaseException as error:
            error.add_note(f"after kill {number + 1} of {kills}, seed {seed}")
            raise
    return Tally(kills, lines, early)


def _one_life(child_argv: Sequence[str], awaited: int, life_s: float) -> list[str]:
    """Killed so long after so many lines, of which the first is no promise."""
    # Without a buffer: what came along with the first line would stay in it, and those promises would go unchecked.
    child = subprocess.Popen(child_argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
    assert child.stdout
    try:
        first = b"".join(child.stdout.readline() for _ in range(awaited))
        try:
            _, error_text = child.communicate(timeout=life_s)
        except subprocess.TimeoutExpired:
            pass
        else:
            raise AssertionError(f"the child ended by itself: {error_text.decode()}")
    finally:
        child.kill()
        rest, _ = child.communicate(timeout=ROUSING_S)
    whole, _, _torn = (first + rest).rpartition(b"\n")
    return whole.decode().splitlines()
