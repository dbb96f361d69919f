"""Which places stand behind a number of the score. Reasons say it in their data: sites, a beach, or nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.games.protocol import Json

# The column of the score that a reason belongs to, by its code; a reason without one only counts in the total.
COLUMN_OF = {
    "beach_won": "beaches", "beach_won_by_club": "beaches", "beach_shared": "beaches", "beach_blocked": "beaches",
    "group": "huts", "lone_huts": "huts", "club": "clubs",
}  # fmt: skip


class Step(NamedTuple):
    """One reason with what it is worth to whom, and the places to light."""

    reason: Mapping[str, Json]
    column: str
    places: tuple[str, ...]
    gains: Mapping[str, int]


def reason_steps(score: Mapping[str, Json], game: Mapping[str, Json]) -> list[Step]:
    return [_step(reason, game) for reason in score["reasons"] if reason["code"] in COLUMN_OF]


def _step(reason: Mapping[str, Json], game: Mapping[str, Json]) -> Step:
    points = reason.get("points", 0)
    gains = points if isinstance(points, dict) else {reason["player"]: points}
    return Step(reason, COLUMN_OF[reason["code"]], tuple(_places(reason, game)), gains)


def _places(reason: Mapping[str, Json], game: Mapping[str, Json]) -> list[str]:
    sites = list(reason.get("sites", []))
    beach = reason.get("beach")
    if beach is None:
        return sites
    huts = sites or [site for site in game.get("huts", {}) if site.split("-")[0] == beach]
    return [*huts, *([f"club:{beach}"] if beach in game.get("clubs", {}) else [])]


def score_cells(score: Mapping[str, Json], game: Mapping[str, Json]) -> dict[str, dict[str, list[Step]]]:
    """By player and column: the steps behind the number."""
    cells: dict[str, dict[str, list[Step]]] = {player: {} for player in score["scores"]}
    for step in reason_steps(score, game):
        for player, points in step.gains.items():
            if points and player in cells:
                cells[player].setdefault(step.column, []).append(step)
    return cells
