"""The golden games: one whole random game per rule set and number of people, told action by action.

`python -m tests.makabana.regenerate` writes them anew into `golden/games/` and says which have changed. Read the
difference as you would read code: every changed line is a changed rule, or a bug.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from companion.games.makabana.game import MakaBana
from companion.games.protocol import Action, Event
from companion.games.record import Record, parse_record, replay, to_text
from companion.players.random_player import play_randomly
from tests.games.stories import event_text

GAME = MakaBana()
FOLDER = Path(__file__).parent / "golden" / "games"
STORY = "#>"

# Rules, people and the seed of `makabana simulate` whose first game is kept: short ones in which much happens.
SEEDS = {
    ("2013", 3): 131,
    ("2013", 4): 58,
    ("2013", 5): 124,
    ("2013", 6): 25,
    ("2013-mao", 3): 104,
    ("2013-mao", 4): 144,
    ("2013-mao", 5): 51,
    ("2013-mao", 6): 144,
    ("2013-teams", 8): 58,
    ("2013-teams", 10): 1,
    ("2003", 2): 17,
    ("2003", 3): 99,
    ("2003", 4): 42,
    ("2003", 5): 5,
    ("2003-mao", 2): 85,
    ("2003-mao", 3): 130,
    ("2003-mao", 4): 50,
    ("2003-mao", 5): 89,
}


def path_of(rules: str, people: int) -> Path:
    return FOLDER / f"{rules}-{people}.txt"


def game_of_seed(rules: str, people: int, seed: int) -> Record:
    """The first game that `makabana simulate` plays with this seed."""
    header = GAME.default_header(rules, people)
    _, actions = play_randomly(GAME, header, random.Random(f"{seed}/0"))
    return Record(header, tuple(actions))


def told(record: Record) -> Iterator[str]:
    """The record in its text form, each action followed by what it made happen, and the score at the end."""
    header, *actions = to_text(record).splitlines()
    _, *states = replay(record)
    yield header
    for line, action, state in zip(actions, record.actions, states, strict=True):
        yield f"{line}  {STORY} {'; '.join(_told(event, action) for event in state.events)}"
    score = GAME.score(states[-1])
    for colour, points in score.points.items():
        yield f"{STORY} score {colour} {' '.join(map(str, points.values()))}"
    yield f"{STORY} winners {' '.join(score.winners)}"


def _told(event: Event, action: Action) -> str:
    """The event in words that are data; the acting seat stands on the line already."""
    data = {key: value for key, value in event.data.items() if (key, value) != ("seat", action.seat)}
    return event_text(event._replace(data=data))


def golden_text(rules: str, people: int) -> str:
    seed = SEEDS[rules, people]
    origin = f"# makabana simulate --rules {rules} --players {people} --games 1 --seed {seed}"
    return "\n".join([origin, *told(game_of_seed(rules, people, seed))]) + "\n"


def retold(text: str) -> str:
    """A golden game read and told again: the same text while the rules are the same."""
    origin = text.splitlines()[0]
    return "\n".join([origin, *told(parse_record(text))]) + "\n"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for rules, people in SEEDS:
        path, text = path_of(rules, people), golden_text(rules, people)
        is_same = path.exists() and path.read_text("utf-8") == text
        path.write_text(text, encoding="utf-8")
        print(f"{path.name}: {'as before' if is_same else 'CHANGED'}")
    for path in sorted(set(FOLDER.iterdir()) - {path_of(*key) for key in SEEDS}):
        path.unlink()
        print(f"{path.name}: removed, no seed asks for it")


if __name__ == "__main__":
    main()
