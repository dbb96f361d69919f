"""The golden games of Kahuna: one whole random game per set of options, told action by action.

`python -m tests.kahuna.regenerate` writes them and `perft.txt` anew. Read the difference as you would read code.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from companion.games.record import parse_record
from tests.games.every_game import counts, simulated, told, walk
from tests.kahuna.support import GAME, OPTIONS, header_with

FOLDER = Path(__file__).parent / "golden" / "games"
PERFT = Path(__file__).with_name("perft.txt")
SEED = 3
STEPS = (0, 3, 9, 10, 11, 17, 29, 60, 91, 130, 170)


def path_of(number: int) -> Path:
    return FOLDER / f"options-{number}.txt"


def golden_text(number: int) -> str:
    return "\n".join(told(GAME, simulated(GAME, header_with(OPTIONS[number]), SEED))) + "\n"


def retold(text: str) -> str:
    """A golden game read and told again: the same text while the rules are the same."""
    return "\n".join(told(GAME, parse_record(text))) + "\n"


def perft_lines() -> Iterator[str]:
    """Options, steps walked, phase and round there, and counts per depth, chance included."""
    for number, options in enumerate(OPTIONS):
        for steps in STEPS:
            state = walk(GAME, header_with(options), steps)
            found = " ".join(map(str, counts(GAME, state)))
            yield f"{number} {steps} {state.phase} {state.round}: {found}"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for number in range(len(OPTIONS)):
        path_of(number).write_text(golden_text(number), encoding="utf-8")
    PERFT.write_text("\n".join(perft_lines()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
