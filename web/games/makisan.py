"""How the pages show Maki-San."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from web.drawing import makisan as drawing
from web.show import Data, Meaning, Show, Speaker
from web.show import mark as _l


def meaning(reason: Data, pieces: Mapping[str, str]) -> Meaning | None:
    """Rounds won before explain themselves; the line is explained by the makis that stand in it."""
    if reason["code"] == "four_in_line":
        return Meaning("line", {reason["player"]: 1}, reason["places"])
    if reason["code"] == "rounds_before" and reason["count"]:
        return Meaning("rounds", {reason["player"]: reason["count"]})
    return None


_FACES = _l("%(maki)s: %(front)s in front of you, %(back)s behind.")
_FRONT = _l("%(maki)s: %(front)s in front of you; you do not know what is behind.")
_TO_WIN = 4


def own(game: Data, seat: str) -> Data:
    """The colours in front of the seat from its left to its right, and the longest run of one colour for each side.

    Of the other side only what the seat knows: a maki whose back it has not seen ends a run.
    """
    places = list(game["line"]) if seat == "south" else list(reversed(game["line"]))  # whoever plays first
    front = [(place, game["line"][place][seat]) for place in places]
    other = next(side for side in game["seats"] if side != seat)
    behind = [(place, game["line"][place][other]) for place in places]
    return {"front": front, "best": _longest(front), "danger": _longest(behind), "other": other, "to_win": _TO_WIN}


def _longest(seen: list[tuple[str, str | None]]) -> tuple[str, list[str]] | None:
    """The colour and places of the longest run of one colour; None if there is none of two or more."""
    return max((run for run in _runs(seen) if len(run[1]) > 1), key=lambda run: len(run[1]), default=None)


def _runs(seen: list[tuple[str, str | None]]) -> Iterator[tuple[str, list[str]]]:
    for colour, group in groupby(seen, key=lambda one: one[1]):
        if colour is not None:
            yield colour, [place for place, _ in group]


def about(game: Data, seat: str, words: Speaker) -> Mapping[str, str]:
    """What the seat knows of each maki."""
    other = next(side for side in game["seats"] if side != seat)
    found = {}
    for place, seen in game["line"].items():
        front, back = (words.card(seen[side]) if seen[side] else "" for side in (seat, other))
        text = words.gettext(_FACES if back else _FRONT)
        maki = words.card(f"place.{place}")
        found[place] = text % {"maki": maki[:1].upper() + maki[1:], "front": front, "back": back}
    return found


SHOW = Show(
    name="Maki-San",
    draw=drawing.draw,
    sizes=drawing.sizes,
    symbols=drawing.SYMBOLS,
    style="makisan.css",
    own_verbs=("face", "lay"),
    order=("draw", "flip", "move", "wasabi"),
    tells={
        "face": _l("choose the colour in front of you"),
        "lay": _l("add your maki at one end"),
        "draw": _l("draw a maki, or turn or move one of the line"),
        "flip": _l("turn or move a maki of the line"),
    },
    about=about,
    own=own,
    title=_l("The mat with the line of makis"),
    back=_l("Whole line"),
    badge="side",
    rules={"standard": _l("Ten makis in a line"), "wasabi": _l("With Wasabi")},
    meaning=meaning,
    panels={"rules": ("phase", "round", "rules")},
    is_turned=True,
    is_camera_public=False,  # a camera sees the side that one of the players does not
)
