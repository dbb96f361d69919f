"""What the tests of several games share: every game there is, ways through one, counts and tellings of it.

Everything here asks the game through the protocol alone.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from companion.games.catalogue import GAME_NAMES, game_named
from companion.games.protocol import CHANCE, Action, Game, Json, Refusal
from companion.games.record import Record, replay, to_text
from companion.players.random_player import play_randomly, random_action
from tests.games.stories import event_text

STORY = "#>"
STRIDE = 7919  # a prime, so that the fixed walk does not favour one end of the lists
MOST_SEQUENCES = 20_000  # a deeper count would take too long for every test run

EVERY_GAME = [
    (name, rules, people)
    for name in GAME_NAMES
    for rules, allowed in game_named(name).rule_sets.items()
    for people in allowed
]


class Step(NamedTuple):
    before: Any
    action: Action
    after: Any


def new_game(name: str, rules: str, people: int, **changes: Json) -> tuple[Game[Any], Any]:
    game = game_named(name)
    return game, game.start({**game.default_header(rules, people), **changes})


def applied(game: Game[Any], state: Any, *lines: str) -> Any:
    """The state after the actions, all of which must be accepted."""
    for line in lines:
        result = game.apply(state, Action.from_text(line))
        assert not isinstance(result, Refusal), f"{line}: {result}"
        state = result
    return state


def refusal(game: Game[Any], state: Any, line: str) -> str | None:
    """The code of the refusal that an action meets, or None."""
    result = game.apply(state, Action.from_text(line))
    return result.code if isinstance(result, Refusal) else None


def random_steps(game: Game[Any], state: Any, seed: object) -> list[Step]:
    """A whole random game from here on."""
    rng, steps = random.Random(f"steps/{seed}"), []
    while (action := random_action(game, state, rng)) is not None:
        after = applied(game, state, action.text)
        steps.append(Step(state, action, after))
        state = after
    return steps


def record_of(game: Game[Any], steps: list[Step]) -> Record:
    return Record(game.header(steps[0].before), tuple(step.action for step in steps))


# Counts, the way chess engines are checked.


def walk(game: Game[Any], header: Mapping[str, Json], steps: int) -> Any:
    """The state after so many steps of a fixed walk, the same on every machine; it stops where the game ends."""
    state = game.start(header)
    for step in range(1, steps + 1):
        actors = game.actors(state)
        if not actors:
            break
        actions = game.legal_actions(state, actors[step * STRIDE % len(actors)])
        state = game.apply(state, actions[step * STRIDE % len(actions)])
    return state


def divide(game: Game[Any], state: Any, depth: int) -> dict[str, int]:
    """How many sequences begin with each first action."""
    actions = [action for seat in game.actors(state) for action in game.legal_actions(state, seat)]
    return {action.text: count(game, game.apply(state, action), depth - 1) for action in actions}


def count(game: Game[Any], state: Any, depth: int) -> int:
    """How many sequences of that many actions the legal lists allow from here, chance included."""
    if depth == 0:
        return 1
    if depth == 1:
        return sum(len(game.legal_actions(state, seat)) for seat in game.actors(state))
    return sum(divide(game, state, depth).values())


def counts(game: Game[Any], state: Any, deepest: int = 4) -> list[int]:
    """The counts for as many depths as can be had in reasonable time."""
    found = [count(game, state, 1)]
    while len(found) < deepest and 0 < found[-1] * max(found[0], 2) <= MOST_SEQUENCES:
        found.append(count(game, state, len(found) + 1))
    return found


def check_counts(game: Game[Any], state: Any, kept: str) -> None:
    """The counts from here are those that a file keeps for depths 1, 2 and so on."""
    for depth, expected in enumerate(map(int, kept.split()), 1):
        assert count(game, state, depth) == expected, f"by first action: {divide(game, state, depth)}"


# Whole games, told action by action.


def told(game: Game[Any], record: Record) -> Iterator[str]:
    """The record in its text form, each action followed by what it made happen, and the score at the end."""
    header, *actions = to_text(record).splitlines()
    _, *states = replay(record)
    yield header
    for line, state in zip(actions, states, strict=True):
        yield f"{line}  {STORY} {'; '.join(map(event_text, state.events))}"
    score = game.score(states[-1])
    for player, points in score.points.items():
        yield f"{STORY} score {player} {' '.join(map(str, points.values()))}"
    yield f"{STORY} winners {' '.join(score.winners)}"


def simulated(game: Game[Any], header: Mapping[str, Json], seed: int) -> Record:
    """The first game that `makabana simulate` plays with this seed."""
    _, actions = play_randomly(game, header, random.Random(f"{seed}/0"))
    return Record(header, tuple(actions))


# A player that looks one action ahead, for whatever game.


def greedy_action(game: Game[Any], state: Any, rng: random.Random) -> Action | None:
    """Chance by its odds; a seat takes what leaves it with the best lead, any of those that are equally good."""
    actors = game.actors(state)
    if not actors or CHANCE in actors:
        return random_action(game, state, rng)
    actions = game.legal_actions(state, actors[0])
    leads = [_lead(game, game.apply(state, action), actors[0]) for action in actions]
    return rng.choice([action for action, lead in zip(actions, leads, strict=True) if lead == max(leads)])


def _lead(game: Game[Any], state: Any, seat: str) -> tuple[bool, int]:
    score = game.score(state)
    others = [points["total"] for player, points in score.points.items() if player != seat]
    return seat in score.winners, score.points[seat]["total"] - max(others)
