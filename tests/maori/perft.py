"""Counts of action sequences from chosen moments, the way chess engines are checked. Kept in `perft.txt`.

A moment is reached by a fixed walk, not by a random generator, so that the counts mean the same on every machine and
version: `python -m tests.maori.perft` writes the file anew. A line says: rules, people, steps walked, phase, counts per
depth.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from companion.games.maori.state import State
from tests.games.every_game import STRIDE, count
from tests.maori.support import CONFIGURATIONS, GAME, new_game

DATA = Path(__file__).with_name("perft.txt")
STEPS = (0, 16, 17, 18, 20, 33, 57, 76, 121, 190)
MOST_SEQUENCES = 3_000  # a deeper count would take too long for every test run


def walk(rules: str, people: int, steps: int) -> State:
    """The state after so many steps of the fixed walk, which lays a tile where it can; it stops where the game ends."""
    state = new_game(rules, people)
    for step in range(1, steps + 1):
        if not GAME.actors(state):
            break
        actions = GAME.legal_actions(state, GAME.actors(state)[0])
        laying = [action for action in actions if action.verb in ("take", "lay")]
        actions = laying if laying and step % 7 else actions
        state = GAME.apply(state, actions[step * STRIDE % len(actions)])
    return state


def line(rules: str, people: int, steps: int) -> str:
    state = walk(rules, people, steps)
    counts = [count(GAME, state, 1)]
    while len(counts) < 3 and 0 < counts[-1] * (1 if len(counts) == 1 else counts[0]) <= MOST_SEQUENCES:
        counts.append(count(GAME, state, len(counts) + 1))
    return f"{rules} {people} {steps} {state.phase}: {' '.join(map(str, counts))}"


def lines() -> Iterator[str]:
    return (line(rules, people, steps) for rules, people in CONFIGURATIONS for steps in STEPS)


if __name__ == "__main__":
    DATA.write_text("\n".join(lines()) + "\n", encoding="utf-8")
