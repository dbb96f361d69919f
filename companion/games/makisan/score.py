"""The score and its reasons: rounds won before, and the line as it lies."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.makisan.board import Line, rows_of
from companion.games.makisan.rules import SIDES
from companion.games.makisan.setup import Setup
from companion.games.protocol import Event, Score

CATEGORIES = ("rounds", "line", "total")


def score(setup: Setup, wins: Sequence[int], line: Line) -> Score:
    """Rounds won; the line counts where it shows somebody four of a colour."""
    points = {seat: dict.fromkeys(CATEGORIES, 0) for seat in setup.seats}
    reasons = []
    for side, count in zip(SIDES, wins, strict=True):
        points[side]["rounds"] = count
        reasons.append(Event("rounds_before", {"player": side, "count": count}))
    for row in rows_of(line):
        points[row.side]["line"] = 1
        reasons.append(Event("four_in_line", {"player": row.side, "colour": row.colour, "places": list(row.places)}))
    for gained in points.values():
        gained["total"] = gained["rounds"] + gained["line"]
    most = max(gained["total"] for gained in points.values())
    return Score(points, tuple(seat for seat in setup.seats if points[seat]["total"] == most), tuple(reasons))
