"""What the tests of Kahuna share."""

from __future__ import annotations

import json
import random
from pathlib import Path

from hypothesis import strategies as st

from companion.games.kahuna.bridges import stones_on
from companion.games.kahuna.game import Kahuna
from companion.games.kahuna.state import State
from companion.games.protocol import CHANCE, Action
from tests.games.every_game import applied

GAME = Kahuna()
ROOT = Path(__file__).parents[2]
BOARD = json.loads((ROOT / "companion/games/kahuna/boards/kahuna.json").read_text("utf-8"))
HEADER = GAME.default_header("standard", 2)

# What a table may choose, each in some game.
OPTIONS = (
    {},
    {"respect_stones": True},
    {"replace_removed": True},
    {"respect_stones": True, "replace_removed": True, "handicap_black": 3},
    {"handicap_white": 1, "replace_removed": True, "respect_stones": False},
)
option_sets = st.sampled_from(OPTIONS)
seeds = st.integers(0, 2**32)


def header_with(options: dict) -> dict:
    return {**HEADER, "options": dict(options)} if options else dict(HEADER)


def new_game(options: dict | None = None) -> State:
    return GAME.start(header_with(options or {}))


def dealt(white: str, black: str, opened: str, options: dict | None = None) -> State:
    """A game whose cards came up so: three names each, in the order white, black, white, ..."""
    pairs = zip(white.split(), black.split(), strict=True)
    deals = [line for one, other in pairs for line in (f"chance deal white {one}", f"chance deal black {other}")]
    return applied(GAME, new_game(options), *deals, *(f"chance turn {card}" for card in opened.split()))


def idle_until(state: State, is_there) -> State:
    """Both players only draw, discarding where the hand is full, until the state is as asked for."""
    while not is_there(state):
        (seat,) = GAME.actors(state)
        actions = GAME.legal_actions(state, seat)
        wanted = ("turn", "deal") if seat == CHANCE else ("draw", "discard", "skip")
        state = GAME.apply(state, next(action for verb in wanted for action in actions if action.verb == verb))
    return state


def with_bridges(state: State, **bridges: str) -> State:
    """The state with these bridges, `white="ALOA-BARI ALOA-DUDA"`, and the stones that belong to them."""
    laid = {line: colour for colour, lines in bridges.items() for line in lines.split()}
    return state._replace(bridges=laid, stones=stones_on(state.setup, laid))


def random_slip(state: State, rng: random.Random) -> Action:
    """An action as careless hands might make it: any verb, any line, any cards."""
    seat = rng.choice(("white", "black", "white", "black", "chance"))
    lines = [f"{one}-{other}" for one, other in BOARD["lines"]]
    islands = list(BOARD["islands"])
    if seat == CHANCE:
        to = rng.choice((("turn",), ("deal", "white"), ("deal", "black")))
        return Action(seat, to[0], (*to[1:], rng.choice(islands)))
    held = [*state.hands[state.setup.seat_index[seat]], rng.choice(islands)]
    line = rng.choice(lines)
    ends = line.split("-")
    verb = rng.choice(("bridge", "bridge", "remove", "remove", "replace", "discard", "draw", "skip"))
    words = {
        "bridge": rng.choice(((line,), (line, rng.choice(ends)), (line, rng.choice(held)))),
        "remove": (line, *rng.choices(rng.choice((ends, held)), k=2)),
        "discard": (rng.choice(held),),
        "draw": (rng.choice(("stock", *state.open, rng.choice(islands))),),
    }
    return Action(seat, verb, words.get(verb, ()))


def random_position(rng: random.Random) -> dict:
    """A position that need not come from a game: any bridges, the stones that belong to them, any rounds won."""
    lines = [f"{one}-{other}" for one, other in BOARD["lines"]]
    share = rng.random()
    bridges = {line: "white" if rng.random() < share else "black" for line in rng.sample(lines, rng.randint(0, 25))}
    won = [rng.choice(("white", "black", None)) for _ in range(rng.randint(0, 2))]
    return {**HEADER, "won": won, "bridges": bridges}
