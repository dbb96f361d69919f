"""How the pages show Māori."""

from __future__ import annotations

from collections.abc import Mapping

from web.drawing import maori as drawing
from web.show import Data, Meaning, Show, gains_of
from web.show import mark as _l

_COLUMNS = {
    "wreath": "wreaths",
    "gaps": "gaps",
    "shells_most": "shells",
    "shells_tied": "shells",
    "canoes_most": "canoes",
    "canoes_tied": "canoes",
}
_SHIP_PLACES = 16


def meaning(reason: Data, pieces: Mapping[str, str]) -> Meaning | None:
    """A reason names cells of one player, or who has the most of something."""
    column = _COLUMNS.get(str(reason["code"]))
    if "cells" in reason:
        places = [f"{reason['player']}:{cell}" for cell in reason["cells"]]
        return Meaning(column or "islands", gains_of(reason), places)
    if column is None:
        return None
    return Meaning(column, {player: int(reason["points"]) for player in reason["players"]})


def place_of(game: Data, seat: str, verb: str, word: str) -> str | None:
    """A cell is one of the seat's own board, a tile lies in the display or in stock, a number moves the ship."""
    if "," in word:
        return f"{seat}:{word}"
    if verb in ("sail", "anchor"):
        return f"ship:{(game['ship'] + int(word) - 1) % _SHIP_PLACES + 1 if verb == 'sail' else int(word)}"
    if verb == "lay":
        return f"{seat}:stock"
    tile = word.partition("@")[0]
    return next((f"display:{cell}" for cell, shown in game["display"].items() if shown == tile), None)


SHOW = Show(
    name="Māori",
    draw=drawing.draw,
    sizes=drawing.sizes,
    symbols=drawing.SYMBOLS,
    style="maori.css",
    title=_l("The display and everybody's islands"),
    back=_l("Everything"),
    badge="person",
    rules={
        "base": _l("The base game"),
        "advanced": _l("Advanced, with a boat of one's own"),
        "expert": _l("Expert: the boat must move"),
        "base-atoll": _l("The base game on the atoll"),
        "advanced-atoll": _l("Advanced on the atoll"),
        "expert-atoll": _l("Expert on the atoll"),
    },
    meaning=meaning,
    panels={"rules": ("reminder", "final", "rules")},
    place_of=place_of,
    is_turned=True,
)
