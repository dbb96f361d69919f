"""How the pages show Maki-San."""

from __future__ import annotations

from collections.abc import Mapping

from web.drawing import makisan as drawing
from web.show import Data, Meaning, Show
from web.show import mark as _l


def meaning(reason: Data, pieces: Mapping[str, str]) -> Meaning | None:
    """Rounds won before explain themselves; the line is explained by the makis that stand in it."""
    if reason["code"] == "four_in_line":
        return Meaning("line", {reason["player"]: 1}, reason["places"])
    if reason["code"] == "rounds_before" and reason["count"]:
        return Meaning("rounds", {reason["player"]: reason["count"]})
    return None


SHOW = Show(
    name="Maki-San",
    draw=drawing.draw,
    sizes=drawing.sizes,
    symbols=drawing.SYMBOLS,
    style="makisan.css",
    own_verbs=("face", "lay"),
    title=_l("The mat with the line of makis"),
    back=_l("Whole line"),
    badge="side",
    rules={"standard": _l("Ten makis in a line"), "wasabi": _l("With Wasabi")},
    meaning=meaning,
    panels={"rules": ("phase", "round", "rules")},
    is_turned=True,
    is_camera_public=False,  # a camera sees the side that one of the players does not
)
