"""The golden games of Maki-San: one whole random game per rule set, told action by action.

`python -m tests.makisan.regenerate` writes them and `perft.txt` anew. Read the difference as you would read code.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from companion.games.record import parse_record
from tests.games.every_game import counts, simulated, told, walk
from tests.makisan.support import GAME, RULES

FOLDER = Path(__file__).parent / "golden" / "games"
PERFT = Path(__file__).with_name("perft.txt")
SEEDS = {"standard": 48, "wasabi": 29}  # of `makabana simulate`: short games
STEPS = (0, 1, 2, 3, 4, 5, 7, 12, 20, 33, 48, 77, 110)


def path_of(rules: str) -> Path:
    return FOLDER / f"{rules}.txt"


def golden_text(rules: str) -> str:
    return "\n".join(told(GAME, simulated(GAME, GAME.default_header(rules, 2), SEEDS[rules]))) + "\n"


def retold(text: str) -> str:
    """A golden game read and told again: the same text while the rules are the same."""
    return "\n".join(told(GAME, parse_record(text))) + "\n"


def perft_lines() -> Iterator[str]:
    """Rules, steps walked, phase and round there, and counts per depth, chance included."""
    for rules in RULES:
        for steps in STEPS:
            state = walk(GAME, GAME.default_header(rules, 2), steps)
            found = " ".join(map(str, counts(GAME, state)))
            yield f"{rules} {steps} {state.phase} {state.round}: {found}"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for rules in RULES:
        path_of(rules).write_text(golden_text(rules), encoding="utf-8")
    PERFT.write_text("\n".join(perft_lines()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
