"""From what a seat sees back to a state of the game: what is known as it is, hidden colours drawn by lot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from companion.games.makisan.board import Faces, Line, maki_of, rows_of
from companion.games.makisan.rules import MAKIS, SIDES
from companion.games.makisan.setup import make_setup
from companion.games.makisan.state import DRAW, OVER, State, Wasabi
from companion.games.protocol import Event, Json

if TYPE_CHECKING:
    from random import Random

_TRIES = 20  # to find a line that has not won already


def possible_state(view: Mapping[str, Json], rng: Random) -> State:
    """A state that looks like the view to its seat."""
    makis = list(view["line"].values())
    line = _possible_line(view, makis, rng)
    laid = [maki_of(faces) for faces in line]
    drawn = maki_of(view["drawn"]) if view["drawn"] else None
    bag = [maki for maki in MAKIS if maki not in laid and maki != drawn]
    if view["phase"] == DRAW and len(bag) > view["bag"]:  # the other player holds one that this seat has not seen
        drawn = bag.pop(int(rng.random() * len(bag)))
    covered = [(seen["wasabi"], maki) for maki, seen in zip(laid, makis, strict=True) if seen["wasabi"]]
    return State(
        setup=make_setup(view),
        number=view["number"],
        phase=view["phase"],
        round=view["round"],
        first=view["first"],
        turn=view["turn"],
        line=line,
        bag=tuple(bag),
        drawn=drawn,
        known=(_known(view, laid, drawn, SIDES[0]), _known(view, laid, drawn, SIDES[1])),
        wasabi=Wasabi(*covered[0]) if covered else None,
        just_turned=frozenset(_named(view["just_turned"], laid)),
        just_moved=next(iter(_named(view["just_moved"], laid)), None),
        wins=(view["wins"][SIDES[0]], view["wins"][SIDES[1]]),
        ended_by=_event(view["ended_by"]) if view["ended_by"] else None,
        events=tuple(map(_event, view["events"])),
    )


def _known(view: Mapping[str, Json], laid: Sequence[str], drawn: str | None, side: str) -> frozenset[str]:
    """The makis of which a side knows both colours, the one in hand included: its drawer does, at an opening both."""
    known = {maki for maki, seen in zip(laid, view["line"].values(), strict=True) if side in seen["known_to"]}
    sees_drawn = view["phase"] != DRAW or side == view["turn"]
    return frozenset(known | {drawn} if drawn and sees_drawn else known)


def _possible_line(view: Mapping[str, Json], makis: Sequence[Mapping[str, Json]], rng: Random) -> Line:
    """Makis that fit the colours seen; a line that would have won before now only if no other is found."""
    in_hand = {maki_of(view["drawn"])} if view["drawn"] else set()
    line: Line = ()
    for _ in range(_TRIES):
        line = tuple(_fill(makis, in_hand, rng))
        if not rows_of(line) or view["phase"] == OVER:
            break
    return line


def _fill(makis: Sequence[Mapping[str, Json]], used: set[str], rng: Random) -> list[Faces]:
    """Faces for all places, those with fewest choices first; backs up where a choice leaves nothing for another."""
    found: dict[int, Faces] = {}

    def settle(left: list[int], used: frozenset[str]) -> bool:
        if not left:
            return True
        choices = {place: [way for way in _ways(makis[place]) if maki_of(way) not in used] for place in left}
        place = min(left, key=lambda one: len(choices[one]))
        for way in rng.sample(choices[place], len(choices[place])):
            if settle([one for one in left if one != place], used | {maki_of(way)}):
                found[place] = way
                return True
        return False

    settle(list(range(len(makis))), frozenset(used))
    return [found[place] for place in range(len(makis))]


def _ways(seen: Mapping[str, Json]) -> list[Faces]:
    """The makis, either way round, that show the colours seen."""
    south, north = (seen[side] for side in SIDES)
    both = [way for one, other in (maki.split("-") for maki in MAKIS) for way in ((one, other), (other, one))]
    return [way for way in both if south in (None, way[0]) and north in (None, way[1])]


def _named(places: Sequence[str], laid: Sequence[str]) -> list[str]:
    return [laid[int(place) - 1] for place in places]


def _event(data: Mapping[str, Json]) -> Event:
    return Event(data["code"], {key: value for key, value in data.items() if key != "code"})
