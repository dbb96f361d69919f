"""Which places stand behind a number of the score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from web.show import Data
from web.shows import show_of


class Step(NamedTuple):
    """One reason with what it is worth to whom, and the places to light."""

    reason: Data
    column: str
    places: tuple[str, ...]
    gains: Mapping[str, int]


def reason_steps(score: Data, game: str, pieces: Mapping[str, str]) -> list[Step]:
    """The reasons that explain a column of the score, in the order in which it tells them."""
    meant = [(reason, show_of(game).meaning(reason, pieces)) for reason in score["reasons"]]
    return [Step(reason, found.column, tuple(found.places), found.gains) for reason, found in meant if found]


def score_cells(score: Data, game: str, pieces: Mapping[str, str]) -> dict[str, dict[str, list[Step]]]:
    """By player and column: the steps behind the number."""
    cells: dict[str, dict[str, list[Step]]] = {player: {} for player in score["scores"]}
    for step in reason_steps(score, game, pieces):
        for player, points in step.gains.items():
            if points and player in cells:
                cells[player].setdefault(step.column, []).append(step)
    return cells
