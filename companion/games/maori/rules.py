"""The ways to play Māori as named differences: data, so that one implementation plays them all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

SHELLS = 30  # wooden shells in the box
SHELLS_AT_START = 5
WREATH = 10
PALM, PALM_WITH_HUT = 1, 2
INSIDE_ATOLL = 2  # what an island's palms are multiplied by there
GAP = -1

COLOURS = ("violet", "pink", "yellow", "blue", "green", "orange", "red", "black")
# The rulebook names no colours of the five boats.
DEFAULT_COLOURS = ("blue", "red", "yellow", "green", "violet")


class RuleSet(NamedTuple):
    """One way to play. Every field is a difference that some rule set makes."""

    name: str
    board: str = "archipelago"  # the side that is up where nobody brings a board of their own
    atoll: bool = False  # the back of the boards: islands inside the ring count double
    people: tuple[int, ...] = (2, 3, 4, 5)
    boat: bool = False  # tiles are laid next to one's own boat
    must_move: bool = False  # the boat moves after laying, and then only


_FRONT = (RuleSet("base"), RuleSet("advanced", boat=True), RuleSet("expert", boat=True, must_move=True))
_BACK = tuple(
    rules._replace(name=f"{rules.name}-atoll", board="atoll", atoll=True, people=(2, 3, 4)) for rules in _FRONT
)
RULE_SETS: Mapping[str, RuleSet] = {rules.name: rules for rules in _FRONT + _BACK}
