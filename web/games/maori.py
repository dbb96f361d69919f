"""How the pages show Māori."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from web.drawing import maori as drawing
from web.show import Data, Foresight, Meaning, Show, Speaker, gains_of
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


_SHELLS = _l("Your shells: %(before)s, then %(after)s.")
_POINTS = _l("Your points: %(before)s, then %(after)s.")


def foresee(sight: Foresight, words: Speaker) -> Sequence[str]:
    """What it costs or brings in shells, and what it does to one's points as they stand."""
    before, after = (seen["shells"][sight.seat] for seen in (sight.before, sight.after))
    found = []
    if after != before:
        found.append(words.gettext(_SHELLS) % {"before": before, "after": after})
    if sight.words[0] in ("take", "lay", "clear"):
        found.append(words.gettext(_POINTS) % {"before": sight.points[0], "after": sight.points[1]})
    return found


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
    order=("anchor", "sail", "take", "lay", "boat", "stock", "row", "clear", "pass", "stay"),
    tells={
        "anchor": _l("choose where the ship begins"),
        "sail": _l("move the ship to a lit place"),
        "take": _l("take a tile of the ship's row and lay it"),
        "stock": _l("keep a tile of the ship's row in stock"),
        "lay": _l("lay the tile of your stock"),
        "stay": _l("move your boat, or leave it"),
        "boat": _l("move your boat"),
        "row": _l("move your boat for a shell, or do nothing"),
        "pass": _l("no tile is for you: take one off your islands, or do nothing"),
    },
    foreseen=("sail", "take", "lay", "stock", "clear", "row"),
    foresee=foresee,
    is_turned=True,
)
