"""How far the strong bot looks in its time, whether it keeps to it, and what the coach costs, in every rule set.

Times are those of one core's work, so that a busy machine does not blur them. `--seconds 0.3` is the default budget.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time

from companion.commands.terminal import columns
from companion.players.bot import Budget, Thrift, know
from companion.players.bots import StrongBot
from companion.players.coach import advise
from companion.players.makabana.thoughts import MakaBanaThoughts
from companion.players.search import explore
from tests.makabana.support import CONFIGURATIONS, GAME, random_states

DECISIONS = 4  # of each rule set
MOST_OVER_MS = 50.0


def decisions(rules: str, people: int) -> list[tuple[object, str]]:
    """Moments of a random game at which somebody has something to think about."""
    steps = random_states(rules, people, 1)
    found = [(state, GAME.actors(state)[0]) for state, _, _ in steps if state.round > 1]
    real = [(state, seat) for state, seat in found if len(GAME.legal_actions(state, seat)) > 1]
    return random.Random(1).sample(real, DECISIONS)


def measure(rules: str, people: int, seconds: float) -> tuple[float, float, float]:
    """Median looks ahead, longest time beyond the budget, and longest advice, both in milliseconds."""
    looks, over, advice = [], [], []
    budget = Budget(seconds, None, time.process_time)
    for state, seat in decisions(rules, people):
        seen, legal = know(GAME, state, seat), GAME.legal_actions(state, seat)
        trials = explore(MakaBanaThoughts(seen, legal), Thrift(budget), random.Random(1))
        looks.append(sum(trial.looks for trial in trials))
        began = time.process_time()
        StrongBot().choose(GAME, seen, legal, random.Random(1), budget)
        over.append(time.process_time() - began - seconds)
        began = time.process_time()
        advise(GAME, seen, legal)
        advice.append(time.process_time() - began)
    return statistics.median(looks), max(over) * 1e3, max(advice) * 1e3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=0.3)
    seconds = parser.parse_args().seconds
    rows = [["rules", "looks", "beyond, ms", "advice, ms"]]
    worst = -1e9
    for rules, people in CONFIGURATIONS:
        looks, over, advice = measure(rules, people, seconds)
        worst = max(worst, over)
        rows.append([f"{rules}, {people} people", f"{looks:.0f}", f"{over:+.1f}", f"{advice:.0f}"])
    print("\n".join(columns(rows, "   ")))
    print(f"longest beyond {seconds} s: {worst:+.1f} ms (asked: at most {MOST_OVER_MS:.0f})")


if __name__ == "__main__":
    main()
