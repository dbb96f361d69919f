"""How the pages show Maka Bana."""

from __future__ import annotations

from collections.abc import Mapping

from web.drawing import makabana as drawing
from web.show import Data, Meaning, Show, gains_of
from web.show import mark as _l

_COLUMNS = {
    "beach_won": "beaches", "beach_won_by_club": "beaches", "beach_shared": "beaches", "beach_blocked": "beaches",
    "group": "huts", "lone_huts": "huts", "club": "clubs",
}  # fmt: skip


def meaning(reason: Data, pieces: Mapping[str, str]) -> Meaning | None:
    """A reason names sites or a beach: then all huts there, and its club."""
    column = _COLUMNS.get(reason["code"])
    if column is None:
        return None
    places, beach = list(reason.get("sites", [])), reason.get("beach")
    if beach is not None:
        places = places or [place for place in pieces if place.split("-")[0] == beach and "hut:" in pieces[place]]
        places += [place for place in (f"club:{beach}",) if "club:" in pieces.get(place, "")]
    return Meaning(column, gains_of(reason), places)


SHOW = Show(
    name="Maka Bana",
    draw=drawing.draw,
    sizes=drawing.sizes,
    title=_l("Map of the island"),
    back=_l("Whole island"),
    badge="hut",
    rules={
        "2013": _l("The island of 2013"),
        "2013-mao": _l("2013 with Mao: bluff and denounce"),
        "2013-teams": _l("2013 in teams of two"),
        "2003": _l("Haapii, the edition of 2003"),
        "2003-mao": _l("2003 with Mao"),
    },
    meaning=meaning,
    panels={
        "clues": ("plans", "phase", "round", "first", "out", "reserves"),
        "secret": ("rules", "final", "phase", "cards_left", "plans"),
        "rules": ("phase", "round", "final", "rules"),
    },
)
