"""Expectations that only the stories of Maki-San have, besides the common ones of `tests/games/stories.py`."""

from __future__ import annotations

from pathlib import Path

from tests.games.stories import NONE, Check, Moment, Telling, differs, field
from tests.games.stories import tell as tell_story

FOLDER = Path(__file__).parent
STORIES = sorted(FOLDER.glob("*.txt"))


def tell(text: str) -> Telling:
    return tell_story(text, CHECKS)


def _line(moment: Moment, rest: str) -> str | None:
    """`line red-green blue-red`: the makis from the left, the colour to the south first."""
    found = " ".join(moment.game.position(moment.state)["line"]) or NONE
    return differs(found, rest)


def _sees(moment: Moment, rest: str) -> str | None:
    """`sees north red-green ?-red`: the same as a seat may know it; `all` is what a spectator may."""
    seat, _, line = rest.partition(" ")
    makis = moment.game.view(moment.state, None if seat == "all" else seat)["line"].values()
    found = " ".join(f"{maki['south'] or '?'}-{maki['north'] or '?'}" for maki in makis)
    return differs(found, line)


def _drawn(moment: Moment, rest: str) -> str | None:
    """`drawn south red blue`, `drawn north none`: what a seat sees of the maki out of the bag."""
    seat, _, colours = rest.partition(" ")
    found = " ".join(moment.game.view(moment.state, seat)["drawn"] or [NONE])
    return differs(found, colours)


def _wasabi(moment: Moment, rest: str) -> str | None:
    """`wasabi 2 south`, `wasabi none`: where a Wasabi lies, and whose."""
    found = " ".join(word for pair in moment.game.position(moment.state)["wasabi"].items() for word in pair) or NONE
    return differs(found, rest)


CHECKS: dict[str, Check] = {"line": _line, "sees": _sees, "drawn": _drawn, "wasabi": _wasabi, "first": field("first")}
