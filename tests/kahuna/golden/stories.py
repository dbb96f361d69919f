"""Expectations that only the stories of Kahuna have, besides the common ones of `tests/games/stories.py`."""

from __future__ import annotations

from pathlib import Path

from tests.games.stories import NONE, Check, Moment, Telling, differs, piece
from tests.games.stories import tell as tell_story

FOLDER = Path(__file__).parent
STORIES = sorted(FOLDER.glob("*.txt"))


def tell(text: str) -> Telling:
    return tell_story(text, CHECKS)


def _hand(moment: Moment, rest: str) -> str | None:
    """`hand white ALOA BARI`: these are the cards that white sees in hand."""
    seat, *cards = rest.split()
    return differs(" ".join(moment.game.view(moment.state, seat)["hand"]) or NONE, " ".join(sorted(cards)) or NONE)


def _public(key: str) -> Check:
    def check(moment: Moment, rest: str) -> str | None:
        found = moment.view[key]
        return differs(" ".join(found) or NONE if isinstance(found, list) else found, rest or NONE)

    return check


CHECKS: dict[str, Check] = {
    "bridge": piece("bridge"),
    "stone": piece("stone"),
    "hand": _hand,
    "open": _public("open"),
    "stock": _public("stock"),
    "discards": _public("discards"),
}
