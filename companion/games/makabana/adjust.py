"""When the people agree that the board is right: the game takes over what lies there, if such a board is possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.makabana.position import Position, parse_position, position_with
from companion.games.makabana.setup import CLUB_PREFIX
from companion.games.makabana.state import State, expected
from companion.games.protocol import Event, FormatError, Pieces, Refusal, parse_content


def adjusted(state: State, args: Sequence[str]) -> dict[str, Any] | Refusal:
    """The fields that change when these places (`place=content`) are as given; a refusal for an impossible board."""
    try:
        changes = _changes(state, args)
        pieces = {**expected(state), **changes}
        found = parse_position(position_with(state.setup.header(), pieces))
    except FormatError as error:
        return Refusal(*error.problems[0])
    if _count(pieces) != _count(_laid(found)):  # two tikis of a colour, a club on a site: a position can't say that
        return Refusal("board_impossible", {"places": sorted(changes)})
    return _fields(state, found)


def _changes(state: State, args: Sequence[str]) -> dict[str, Pieces]:
    changes: dict[str, Pieces] = {}
    for arg in args:
        place, _, content = arg.partition("=")
        if place not in state.setup.site_set and place not in state.setup.club_places:
            raise FormatError(Event("place_unknown", {"place": place}))
        changes[place] = parse_content(content)
    if not changes:
        raise FormatError(Event("wrong_arguments", {"seat": "table", "verb": "adjust", "args": []}))
    return changes


def _count(pieces: Mapping[str, Pieces]) -> Counter[tuple[str, str, str]]:
    return Counter((place, kind, colour) for place, laid in pieces.items() for kind, colour in laid)


def _laid(found: Position) -> dict[str, Pieces]:
    laid: dict[str, Pieces] = {site: (("hut", colour),) for site, colour in found.huts.items()}
    laid |= {CLUB_PREFIX + beach: (("club", colour),) for beach, colour in found.clubs.items()}
    for place, colour in found.tikis.items():
        laid[place] = (*laid.get(place, ()), ("tiki", colour))
    return laid


def _fields(state: State, found: Position) -> dict[str, Any]:
    setup = state.setup
    huts, clubs = Counter(found.huts.values()), Counter(found.clubs.values())
    return {
        "huts": dict(found.huts),
        "clubs": dict(found.clubs),
        "tikis": dict(found.tikis),
        "reserves": tuple(setup.rules.huts_per_colour - huts[colour] for colour in setup.colours),
        "club_cards": _club_cards(state, clubs),
        "first_huts": _first_huts(state, found.huts),
    }


def _club_cards(state: State, clubs: Counter[str]) -> tuple[int, ...]:
    """A colour's clubs on the board are cards spent, from its first seat on; in team play two seats share a colour."""
    left, cards = Counter(clubs), []
    for colour in state.setup.colour_of:
        spent = min(left[colour], state.setup.rules.clubs_per_seat)
        left[colour] -= spent
        cards.append(state.setup.rules.clubs_per_seat - spent)
    return tuple(cards)


def _first_huts(state: State, huts: Mapping[str, str]) -> tuple[str | None, ...]:
    """A first hut that was moved is where its colour has one now."""
    firsts = []
    for colour, first in zip(state.setup.colour_of, state.first_huts, strict=True):
        moved = first is not None and huts.get(first) != colour
        firsts.append(next((site for site, owner in huts.items() if owner == colour), None) if moved else first)
    return tuple(firsts)
