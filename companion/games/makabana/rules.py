"""The rule sets of Maka Bana as named differences: data, so that one implementation plays them all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

PAINTS_PER_SEAT = 2
NORMAL_CARDS = 3  # a plan of three cards is honest; the distance to it is its trickery
COLOURS = ("violet", "pink", "yellow", "blue", "green", "orange", "red", "black")

# Opening order of colours where nobody chose: as the rulebooks of each edition name them.
DEFAULT_COLOURS = {
    "2013": ("violet", "pink", "yellow", "blue", "green", "orange"),
    "2003": ("yellow", "blue", "green", "red", "black"),
}


class RuleSet(NamedTuple):
    """One way to play. Every field is a difference that some rule set makes."""

    name: str
    edition: str
    boards: Mapping[int, tuple[str, ...]]  # by number of seats
    seats_per_colour: int = 1
    huts_per_colour: int = 10
    opening_huts: int = 2
    clubs_per_seat: int = 1
    last_huts: int = 1  # the final round comes when a reserve is down to this many
    full_beaches: int = 1  # ... or when this many beaches are full
    tricky: bool = False  # Mao: plans of any size, denunciation, a choice of deeds
    most_cards: int | None = None  # a larger plan is void; None: no limit
    amends: bool = False  # Mao 2003: paint changes hands after a denunciation
    paint_lies_open: bool = False  # 2003: a Paint is visible beside the clue
    paint_aims_anywhere: bool = False  # 2003: a takeover may be aimed at a site that is still empty
    protect_only_when_threatened: bool = False  # ruling 8
    options: tuple[str, ...] = ()  # what a table may choose otherwise: names of fields above
    left_out: Mapping[int, str] = {}  # beach out of play, by number of seats
    camps: bool = False  # two people may play with two colours each

    @property
    def count_is_public(self) -> bool:
        """Whether everyone sees how many cards a plan has as soon as it is shown."""
        return self.edition == "2013" and not self.tricky

    @property
    def clubs(self) -> bool:
        return self.clubs_per_seat > 0


_ISLANDS = {3: ("nadaa",), 4: ("noka",), 5: ("maka-bana",), 6: ("noka", "nadaa")}
_TEAM_ISLANDS = {8: ("maka-bana", "noka"), 10: ("maka-bana", "noka", "nadaa")}
_ISLAND_2003 = {players: ("maka-bana-2003",) for players in (3, 4, 5)}

_BASE_2013 = RuleSet("2013", "2013", _ISLANDS)
_BASE_2003 = RuleSet(
    "2003",
    "2003",
    _ISLAND_2003,
    opening_huts=0,
    clubs_per_seat=0,
    paint_lies_open=True,
    paint_aims_anywhere=True,
    protect_only_when_threatened=True,
    options=("protect_only_when_threatened",),
    left_out={3: "Bikini"},
    camps=True,
)

RULE_SETS: Mapping[str, RuleSet] = {
    rules.name: rules
    for rules in (
        _BASE_2013,
        _BASE_2013._replace(name="2013-mao", tricky=True, most_cards=5),
        _BASE_2013._replace(
            name="2013-teams", boards=_TEAM_ISLANDS, seats_per_colour=2, huts_per_colour=20, last_huts=2, full_beaches=2
        ),
        _BASE_2003,
        _BASE_2003._replace(
            name="2003-mao",
            tricky=True,
            amends=True,
            paint_lies_open=False,
            protect_only_when_threatened=False,  # Paint may be hidden, so everyone may be threatened
            options=(),
        ),
    )
}
