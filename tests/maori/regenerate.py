"""The golden games: one whole game by chance per rule set and number of people, told action by action.

`python -m tests.maori.regenerate` writes them anew into `golden/games/` and says which have changed. Read the
difference as you would read code: every changed line is a changed rule, or a bug.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from companion.games.record import Record, parse_record, replay, to_text
from tests.games.stories import event_text
from tests.maori.support import CONFIGURATIONS, GAME, random_steps

FOLDER = Path(__file__).parent / "golden" / "games"
STORY = "#>"


def path_of(rules: str, people: int) -> Path:
    return FOLDER / f"{rules}-{people}.txt"


def game_of(rules: str, people: int) -> Record:
    steps = random_steps(rules, people, f"golden/{rules}/{people}")
    return Record(GAME.header(steps[0][0]), tuple(action for _, action, _ in steps))


def told(record: Record) -> Iterator[str]:
    """The record in its text form, each action followed by what it made happen, and the score at the end."""
    header, *actions = to_text(record).splitlines()
    _, *states = replay(record)
    yield header
    for line, action, state in zip(actions, record.actions, states, strict=True):
        events = [event for event in state.events if event.code != "refilled"]  # the line says it all
        yield line + "".join(f"  {STORY} {_told(event, action.seat)}" for event in events)
    score = GAME.score(states[-1])
    yield from (f"{STORY} {event_text(reason)}" for reason in score.reasons)
    for player, points in score.points.items():
        yield f"{STORY} score {player} {' '.join(map(str, points.values()))}"
    yield f"{STORY} winners {' '.join(score.winners)}"


def _told(event, seat: str) -> str:
    data = {key: value for key, value in event.data.items() if (key, value) != ("seat", seat)}
    return event_text(event._replace(data=data))


def golden_text(rules: str, people: int) -> str:
    return "\n".join(told(game_of(rules, people))) + "\n"


def retold(text: str) -> str:
    """A golden game read and told again: the same text while the rules are the same."""
    return "\n".join(told(parse_record(text))) + "\n"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for rules, people in CONFIGURATIONS:
        path, text = path_of(rules, people), golden_text(rules, people)
        is_same = path.exists() and path.read_text("utf-8") == text
        path.write_text(text, encoding="utf-8")
        print(f"{path.name}: {'as before' if is_same else 'CHANGED'}")


if __name__ == "__main__":
    main()
