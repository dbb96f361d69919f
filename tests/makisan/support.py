"""What the tests of Maki-San share."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from companion.games.makisan.board import faces_of, maki_of
from companion.games.makisan.game import MakiSan
from companion.games.makisan.rules import MAKIS, RULE_SETS, SIDES
from companion.games.makisan.state import TURN, State
from companion.games.protocol import Action

GAME = MakiSan()
RULES = tuple(RULE_SETS)
rule_sets = st.sampled_from(RULES)
seeds = st.integers(0, 2**32)


def new_game(rules: str = "wasabi", first: str = "south") -> State:
    players = ["south", "north"] if first == "south" else ["north", "south"]
    return GAME.start({**GAME.default_header(rules, 2), "players": players})


def with_line(line: str, turn: str = "south", rules: str = "wasabi") -> State:
    """South's or north's turn at this line, `red-green green-blue`: south's colours first. Both know all of it."""
    faces = tuple(faces_of(facing) for facing in line.split())
    makis = frozenset(map(maki_of, faces))
    bag = tuple(maki for maki in MAKIS if maki not in makis)
    return new_game(rules)._replace(phase=TURN, turn=turn, line=faces, bag=bag, known=(makis, makis))


def line_of(state: State) -> str:
    return " ".join(GAME.position(state)["line"])


def random_slip(state: State, rng: random.Random) -> Action:
    """An action as careless hands might make it."""
    seat = rng.choice((*SIDES, *SIDES, "chance"))
    maki, end, place = rng.choice(MAKIS), rng.choice(("left", "right")), str(rng.randint(1, 10))
    if seat == "chance":
        return rng.choice((Action(seat, "open", (maki,)), Action(seat, "draw", (rng.choice(SIDES), maki))))
    drawn = (state.drawn or maki).split("-")
    verb = rng.choice(("face", "draw", "lay", "lay", "flip", "flip", "move", "move", "wasabi", "wasabi"))
    words = {
        "face": (rng.choice(drawn),),
        "lay": (end, *rng.sample(drawn, 2)),
        "flip": (place,),
        "move": (place, end),
        "wasabi": (place, end),
    }
    return Action(seat, verb, words.get(verb, ()))


def random_position(rng: random.Random) -> dict:
    """A position that need not come from a game: any makis either way round, often with long rows."""
    rules = rng.choice(RULES)
    makis = rng.sample(MAKIS, rng.randint(0, 10))
    if rng.random() < 0.5:  # four of a colour side by side, so that rows are not rare
        colour = rng.choice(("red", "green", "yellow", "blue", "black"))
        makis.sort(key=lambda maki: colour not in maki)
        makis = [maki if rng.random() < 0.2 else "-".join(sorted(maki.split("-"), key=colour.__ne__)) for maki in makis]
    tidy = rng.random() < 0.3
    line = [maki if tidy else "-".join(rng.sample(maki.split("-"), 2)) for maki in makis]
    wasabi = {str(rng.randint(1, len(line))): rng.choice(SIDES)} if line and rules == "wasabi" else {}
    wins = {"south": rng.randint(0, 1), "north": rng.randint(0, 1)}
    return {**GAME.default_header(rules, 2), "wins": wins, "line": line, "wasabi": wasabi}
