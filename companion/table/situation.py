"""What a decision depends on, and the small questions about boards that deciding is made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from companion.games.protocol import EMPTY, Action, Game, Json, Refusal, parse_content
from companion.table.belief import Belief
from companion.table.compare import CONFIRMED, Contents, PlaceState, expected_contents

Piece = tuple[str, str]  # kind and colour


class Situation(NamedTuple):
    """All that a decision depends on."""

    game: Game[Any]
    state: Any
    earlier: Mapping[str, frozenset[str]]  # by place: what may still lie there, because hands have not followed yet
    pending_since: Mapping[str, float]  # ... and since when
    last: Action | None  # the last action, if its seat may fairly take it back
    before_last: Any  # the state before it
    acted_at: float  # when the last action of all was accepted
    belief: Belief
    now: float

    @property
    def still_s(self) -> float:
        """For how long nothing has changed on the board."""
        return self.now - self.belief.changed_at


Standing = Mapping[str, PlaceState]


def pieces_in(content: str | None) -> frozenset[Piece]:
    return frozenset(parse_content(content)) if content else frozenset()


def differing(wanted: Contents, other: Contents) -> dict[str, str]:
    """The places on which two boards differ, with what the first has there."""
    places = sorted(wanted.keys() | other.keys())
    return {place: wanted.get(place, EMPTY) for place in places if wanted.get(place, EMPTY) != other.get(place, EMPTY)}


def changes_by(game: Game[Any], state: Any, action: Action) -> dict[str, str]:
    """The places that an action changes, with what lies there after it; empty if it is refused."""
    after = game.apply(state, action)
    if isinstance(after, Refusal):
        return {}
    return differing(expected_contents(game, after), expected_contents(game, state))


def lead_to_the_same(situation: Situation, one: Action, other: Action) -> bool:
    """Whether the game is the same after either, but for what is told of it: a club that two of a plan's huts allow."""
    game, state = situation.game, situation.state
    after = (game.apply(state, one), game.apply(state, other))
    if any(isinstance(found, Refusal) for found in after):
        return False
    viewers = (None, *game.seats(state))
    return all(_known(game.view(after[0], seat)) == _known(game.view(after[1], seat)) for seat in viewers)


def _known(seen: Mapping[str, Json]) -> dict[str, Json]:
    return {key: value for key, value in seen.items() if key not in _TELLING}


_TELLING = ("events", "story")  # parts of a view that tell how things came to be as they are


def pieces_put_by(situation: Situation, action: Action) -> frozenset[Piece]:
    """The pieces that an action brings to the board."""
    before = expected_contents(situation.game, situation.state)
    changes = changes_by(situation.game, situation.state, action)
    return frozenset(
        piece for place, content in changes.items() for piece in pieces_in(content) - pieces_in(before.get(place))
    )


def gone(found: PlaceState) -> frozenset[Piece]:
    return pieces_in(found.expected) - pieces_in(found.seen)


def come(found: PlaceState) -> frozenset[Piece]:
    return pieces_in(found.seen) - pieces_in(found.expected)


def owed(situation: Situation, standing: Standing) -> dict[str, frozenset[Piece]]:
    """The pieces that hands still have to put down, by place: those expected of which nobody has seen the putting."""
    found = {}
    for place, earlier in situation.earlier.items():
        if standing[place].state != CONFIRMED:
            there = frozenset(piece for content in earlier for piece in pieces_in(content))
            found[place] = pieces_in(standing[place].expected) - there
    return {place: pieces for place, pieces in found.items() if pieces}
