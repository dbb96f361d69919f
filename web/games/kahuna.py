"""How the pages show Kahuna."""

from __future__ import annotations

from collections.abc import Mapping

from web.drawing import kahuna as drawing
from web.show import Data, Meaning, Setting, Show, Way, gains_of
from web.show import mark as _l

_ROUNDS = ("round_won", "round_tied", "round_was_won", "round_was_tied")


def meaning(reason: Data, pieces: Mapping[str, str]) -> Meaning | None:
    """A round is explained by the stones that lie now; those of rounds gone by have been taken off since."""
    if reason["code"] not in _ROUNDS:
        return Meaning("", {})  # why somebody wins who has no more points
    stones = [place for place, content in pieces.items() if "stone:" in content] if "stones" in reason else []
    return Meaning(f"round_{reason['round']}", gains_of(reason), stones)


_NO, _YES = _l("no"), _l("yes")
_AHEAD = {"white": _l("White begins with %(count)s"), "black": _l("Black begins with %(count)s")}
SETTINGS = (
    Setting(_l("No bridge beside the other's stone"), (Way(_NO), Way(_YES, {"respect_stones": True}))),
    Setting(_l("A free bridge in the place of a removed one"), (Way(_NO), Way(_YES, {"replace_removed": True}))),
    Setting(
        _l("Free bridges for the weaker player"),
        (Way(_NO), *(Way(text, {f"handicap_{colour}": count}, count) for colour, text in _AHEAD.items()
                     for count in (1, 2, 3))),
    ),
)  # fmt: skip

SHOW = Show(
    name="Kahuna",
    draw=drawing.draw,
    sizes=drawing.sizes,
    symbols=drawing.SYMBOLS,
    style="kahuna.css",
    cards={"bridge": (2,), "remove": (2, 3), "discard": (1,), "draw": (1,)},
    own_verbs=("draw", "discard", "skip"),
    title=_l("Map of the twelve islands"),
    back=_l("All islands"),
    badge="stone",
    rules={"standard": _l("Bridges and stones on twelve islands")},
    settings=SETTINGS,
    meaning=meaning,
    panels={"rules": ("phase", "round", "options")},
)
