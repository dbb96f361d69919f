"""Counts of action sequences from chosen moments, the way chess engines are checked. Kept in `perft.txt`.

A moment is reached by a fixed walk, not by a random generator, so that the counts mean the same on every machine and
version: `python -m tests.makabana.perft` writes the file anew. A line says: rules, people, steps walked, phase, counts
per depth.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from companion.games.makabana.state import State
from tests.makabana.support import CONFIGURATIONS, GAME, new_game

DATA = Path(__file__).with_name("perft.txt")
STEPS = (0, 1, 9, 14, 23, 31, 47, 58, 83)
STRIDE = 7919  # a prime, so that the walk does not favour one end of the lists
MOST_SEQUENCES = 60_000  # a deeper count would take too long for every test run


def walk(rules: str, people: int, steps: int) -> State:
    """The state after so many steps of the fixed walk; it stops where the game ends."""
    state = new_game(rules, people)
    for step in range(1, steps + 1):
        actors = GAME.actors(state)
        if not actors:
            break
        actions = GAME.legal_actions(state, actors[step * STRIDE % len(actors)])
        state = GAME.apply(state, actions[step * STRIDE % len(actions)])
    return state


def divide(state: State, depth: int) -> dict[str, int]:
    """How many sequences begin with each first action."""
    actions = [action for seat in GAME.actors(state) for action in GAME.legal_actions(state, seat)]
    return {action.text: count(GAME.apply(state, action), depth - 1) for action in actions}


def count(state: State, depth: int) -> int:
    """How many sequences of that many actions the legal lists allow from here."""
    if depth == 0:
        return 1
    if depth == 1:
        return sum(len(GAME.legal_actions(state, seat)) for seat in GAME.actors(state))
    return sum(divide(state, depth).values())


def line(rules: str, people: int, steps: int) -> str:
    state = walk(rules, people, steps)
    counts = [count(state, 1)]
    while len(counts) < 3 and 0 < counts[-1] * max(counts[0], 1) <= MOST_SEQUENCES * (1 if len(counts) > 1 else 20):
        counts.append(count(state, len(counts) + 1))
    return f"{rules} {people} {steps} {state.phase}: {' '.join(map(str, counts))}"


def lines() -> Iterator[str]:
    return (line(rules, people, steps) for rules, people in CONFIGURATIONS for steps in STEPS)


if __name__ == "__main__":
    DATA.write_text("\n".join(lines()) + "\n", encoding="utf-8")
