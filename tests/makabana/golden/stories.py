"""Expectations that only the stories of Maka Bana have, besides the common ones of `tests/games/stories.py`."""

from __future__ import annotations

from pathlib import Path

from tests.games.stories import NONE, Check, Moment, Telling, differs, field, lacks, of_player, piece, plain
from tests.games.stories import tell as tell_story

FOLDER = Path(__file__).parent
STORIES = sorted(FOLDER.glob("*.txt"))


def tell(text: str) -> Telling:
    return tell_story(text, CHECKS)


def _cards(moment: Moment, rest: str) -> str | None:
    seat, *pairs = rest.split()
    return lacks(moment.view["cards_left"][seat], pairs)


def _seen(moment: Moment, rest: str) -> str | None:
    """What a bystander sees of a plan."""
    seat, *pairs = rest.split()
    plan = moment.view["plans"][seat]
    return NONE if plan is None else lacks(plan, pairs)


def _final(moment: Moment, rest: str) -> str | None:
    """Why the round is the final one: the codes of its causes."""
    final = moment.view["final"]
    return differs(plain(final["because"]) if final else NONE, rest)


CHECKS: dict[str, Check] = {
    "hut": piece("hut"),
    "club": piece("club", "club:"),
    "tiki": piece("tiki"),
    "reserve": of_player("reserves"),
    "cards": _cards,
    "seen": _seen,
    "first": field("first"),
    "out": field("out"),
    "final": _final,
}
