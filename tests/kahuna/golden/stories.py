"""Expectations that only the stories of Kahuna have, besides those that `tests/makabana/golden/README.md` lists."""

from __future__ import annotations

from pathlib import Path

from tests.makabana.golden.stories import NONE, Check, Moment, Telling
from tests.makabana.golden.stories import tell as tell_story

FOLDER = Path(__file__).parent
STORIES = sorted(FOLDER.glob("*.txt"))


def tell(text: str) -> Telling:
    return tell_story(text, CHECKS)


def _piece(kind: str) -> Check:
    """`bridge ALOA-BARI white`, `stone ALOA none`: what lies on the place."""

    def check(moment: Moment, rest: str) -> str | None:
        place, colour = rest.split()
        if place not in moment.game.places(moment.state):
            raise ValueError(f"there is no place {place!r} on the board")
        found = dict(moment.game.expected(moment.state).get(place, ())).get(kind, NONE)
        return None if found == colour else found

    return check


def _hand(moment: Moment, rest: str) -> str | None:
    """`hand white ALOA BARI`: these are the cards that white sees in hand."""
    seat, *cards = rest.split()
    found = moment.game.view(moment.state, seat)["hand"]
    return None if found == sorted(cards) else " ".join(found) or NONE


def _public(key: str) -> Check:
    def check(moment: Moment, rest: str) -> str | None:
        found = moment.game.view(moment.state, None)[key]
        said = " ".join(found) if isinstance(found, list) else str(found)
        return None if said == rest else said or NONE

    return check


CHECKS: dict[str, Check] = {
    "bridge": _piece("bridge"),
    "stone": _piece("stone"),
    "hand": _hand,
    "open": _public("open"),
    "stock": _public("stock"),
    "discards": _public("discards"),
}
