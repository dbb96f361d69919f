"""The numbers of Kahuna, and what a table may choose: data, so that one implementation plays it all."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.headers import Option

RULE_SETS = ("standard",)
COLOURS = ("white", "black")  # in turn order where nobody chose
PEOPLE = 2

CARDS_PER_ISLAND = 2
FIRST_CARDS = 3
OPEN_CARDS = 3
MOST_CARDS = 5  # in hand
BRIDGES_PER_COLOUR = 25
STONES_PER_COLOUR = 10
ROUNDS = 3
ROUND_POINTS = (1, 2)  # of rounds 1 and 2; the third pays the difference in stones

# A bridge may not touch an island with the opponent's stone.
RESPECT_STONES = "respect_stones"
# Whoever removes a bridge may lay one of their own in its place at once, for no card.
REPLACE_REMOVED = "replace_removed"
# So many bridges a colour lays freely before the first turn.
HANDICAP_OPTIONS = {colour: f"handicap_{colour}" for colour in COLOURS}
FREE_BRIDGES = range(4)

OPTIONS: Mapping[str, Option] = {
    RESPECT_STONES: None,
    REPLACE_REMOVED: None,
    **{option: FREE_BRIDGES for option in HANDICAP_OPTIONS.values()},
}
