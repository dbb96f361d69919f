"""What the tests of Maka Bana share: every game there is, and ways into the middle of one."""

from __future__ import annotations

import json
import random
from pathlib import Path

from hypothesis import strategies as st

from companion.games.makabana.game import MakaBana
from companion.games.makabana.rules import RULE_SETS
from companion.games.makabana.setup import default_header
from companion.games.makabana.state import State
from companion.games.protocol import Action, Refusal
from companion.players.random_player import random_action

GAME = MakaBana()
BOARDS = Path(__file__).parents[2] / "companion" / "games" / "makabana" / "boards"
BOARD_FILES = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(BOARDS.glob("*.json"))}

# Every rule set with every number of people it is for.
PEOPLE = {
    "2013": (3, 4, 5, 6),
    "2013-mao": (3, 4, 5, 6),
    "2013-teams": (8, 10),
    "2003": (2, 3, 4, 5),
    "2003-mao": (2, 3, 4, 5),
}
CONFIGURATIONS = [(rules, people) for rules in RULE_SETS for people in PEOPLE[rules]]

configurations = st.sampled_from(CONFIGURATIONS)
seeds = st.integers(0, 2**32)


def play(state: State, *lines: str) -> State:
    """The state after the actions, all of which must be accepted."""
    for line in lines:
        result = GAME.apply(state, Action.from_text(line))
        assert not isinstance(result, Refusal), f"{line}: {result}"
        state = result
    return state


def new_game(rules: str, people: int, **changes: object) -> State:
    return GAME.start({**default_header(rules, people), **changes})


def random_states(rules: str, people: int, seed: int) -> list[tuple[State, Action, State]]:
    """A whole random game as its steps: before, action, after."""
    rng = random.Random(seed)
    state, steps = new_game(rules, people), []
    while GAME.actors(state):
        action = random_action(GAME, state, rng)
        after = play(state, action.text)
        steps.append((state, action, after))
        state = after
    return steps


def random_slip(state: State, rng: random.Random) -> Action:
    """An action as careless hands might make it: any verb, any place, any cards."""
    setup = state.setup
    seat = rng.choice(setup.seats)
    places = ("hut", "tiki", "tiki", "build", "paint", "club", "repaint", "offer")
    verb = rng.choice(
        (*places, "plan", "plan", "plan", "withdraw", "denounce", "close", "accept", "decline", "reveal", "done")
    )
    if verb == "plan":
        hand = [*setup.card_kinds, "Paint"]
        cards = rng.sample(hand, rng.choice((0, 1, 2, 3, 3, 3, 4, 4, 5, 6)))
        return Action(seat, verb, (*cards, "show", rng.choice(cards)) if cards else ())
    if verb == "denounce":
        return Action(seat, verb, (rng.choice(setup.seats),))
    return Action(seat, verb, (rng.choice(setup.sites + setup.club_places),) if verb in places else ())


def random_position(rules: str, people: int, rng: random.Random) -> dict:
    """A position that need not come from a game: huts and clubs anywhere the pieces allow."""
    position = default_header(rules, people)
    setup = GAME.start(position).setup
    reserve = [colour for colour in setup.colours for _ in range(setup.rules.huts_per_colour)]
    rng.shuffle(reserve)
    sites = rng.sample(setup.sites, rng.randint(0, min(len(setup.sites), len(reserve))))
    position["huts"] = dict(zip(sites, reserve, strict=False))
    clubs = [colour for colour in setup.colours for _ in range(setup.rules.seats_per_colour)]
    places = [place.removeprefix("club:") for place in setup.club_places]
    rng.shuffle(clubs)
    count = min(len(clubs), rng.randint(0, len(places)))
    position["clubs"] = dict(zip(rng.sample(places, count), clubs, strict=False))
    return position
