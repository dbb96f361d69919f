"""Counts of action sequences from chosen moments, the way chess engines are checked. Kept in `perft.txt`.

A moment is reached by a fixed walk, not by a random generator, so that the counts mean the same on every machine and
version: `python -m tests.makabana.perft` writes the file anew. A line says: rules, people, steps walked, phase, counts
per depth.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.games.every_game import count, walk
from tests.makabana.support import CONFIGURATIONS, GAME

DATA = Path(__file__).with_name("perft.txt")
STEPS = (0, 1, 9, 14, 23, 31, 47, 58, 83)
MOST_SEQUENCES = 60_000  # a deeper count would take too long for every test run


def line(rules: str, people: int, steps: int) -> str:
    state = walk(GAME, GAME.default_header(rules, people), steps)
    counts = [count(GAME, state, 1)]
    while len(counts) < 3 and 0 < counts[-1] * max(counts[0], 1) <= MOST_SEQUENCES * (1 if len(counts) > 1 else 20):
        counts.append(count(GAME, state, len(counts) + 1))
    return f"{rules} {people} {steps} {state.phase}: {' '.join(map(str, counts))}"


def lines() -> Iterator[str]:
    return (line(rules, people, steps) for rules, people in CONFIGURATIONS for steps in STEPS)


if __name__ == "__main__":
    DATA.write_text("\n".join(lines()) + "\n", encoding="utf-8")
