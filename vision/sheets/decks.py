"""Which cards there are: the decks of both editions, from the boards' own names. Pure."""

from __future__ import annotations

from typing import NamedTuple

from companion.games.makabana.board import SECTORS, SPOTS, load_board

# The boards whose beaches an edition's cards name, in the order in which a card with two names shows them.
_BOARDS = {"2013": ("maka-bana", "noka", "nadaa"), "2003": ("maka-bana-2003",)}
# The rulebooks name all but the sixth of 2013 and the fifth of 2003.
COLOURS = {
    "2013": ("violet", "pink", "yellow", "blue", "green", "orange"),
    "2003": ("yellow", "blue", "green", "red", "black"),
}
EDITIONS = tuple(_BOARDS)


class Card(NamedTuple):
    colour: str
    kind: str  # beach, sector, spot, Paint or Club
    names: tuple[str, ...]  # one, or two that are read from opposite ends


def deck(edition: str, colour: str) -> tuple[Card, ...]:
    """The cards of one colour: 15 in 2013, 13 in 2003."""
    beaches = [Card(colour, "beach", names) for names in beach_names(edition)]
    sectors = [Card(colour, "sector", (sector,)) for sector in SECTORS[edition]]
    spots = [Card(colour, "spot", (spot,)) for spot in SPOTS]
    clubs = [Card(colour, "Club", ("Club",))] if edition == "2013" else []
    return (*beaches, *sectors, *spots, *[Card(colour, "Paint", ("Paint",))] * 2, *clubs)


def decks(edition: str) -> tuple[Card, ...]:
    return tuple(card for colour in COLOURS[edition] for card in deck(edition, colour))


def beach_names(edition: str) -> list[tuple[str, ...]]:
    """The beaches by initial: a card stands for every beach that begins with its letter."""
    names: dict[str, list[str]] = {}
    for board in _BOARDS[edition]:
        for beach in load_board(board).beaches:
            names.setdefault(beach[0], []).append(beach)
    return [tuple(names[initial]) for initial in sorted(names)]
