"""The pieces and numbers of Maki-San: data, so that one implementation plays with and without Wasabi."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

# The rulebook suggests the first games without Wasabi.
RULE_SETS: Mapping[str, bool] = {"standard": False, "wasabi": True}  # whether the Wasabi is played
PEOPLE = 2

# Where people sit, as a picture of the mat shows it. Places of the line are counted from the left as south sees it.
SIDES = ("south", "north")
LEFT, RIGHT = ENDS = ("left", "right")

COLOURS = ("red", "green", "yellow", "blue", "black")
MAKIS = tuple("-".join(pair) for pair in combinations(COLOURS, 2))  # one for each pair of colours
PLACES = tuple(str(place) for place in range(1, len(MAKIS) + 1))

IN_A_ROW = 4  # of one colour facing a player win the round
ROUNDS_TO_WIN = 2
