"""The score and its reasons: islands, wreaths, most shells, most canoes, gaps; unfinished islands come off first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.games.maori.board import SIDES, neighbour, turned
from companion.games.maori.rules import GAP, INSIDE_ATOLL, PALM, PALM_WITH_HUT, WREATH
from companion.games.maori.setup import Face, Setup
from companion.games.maori.state import Laid, canoes
from companion.games.protocol import Event, Score

CATEGORIES = ("islands", "wreaths", "shells", "canoes", "gaps", "total")
_OPPOSITE = {side: turned(side, 180) for side in SIDES}


class Holdings(NamedTuple):
    """What the players have. A photo may leave boards `unseen`, and shells are told or not: then nothing is guessed."""

    laid: Mapping[str, Laid]
    shells: Mapping[str, int]
    unseen: frozenset[str] = frozenset()


class Island(NamedTuple):
    """Tiles that hold together. It is complete if its land ends in water on all sides."""

    cells: tuple[str, ...]
    is_complete: bool


def islands_of(setup: Setup, laid: Laid) -> list[Island]:
    """The islands on a board, complete or not, sorted by their first cell."""
    faces = {cell: setup.faces[word] for cell, word in laid.items() if setup.faces[word].kind != "water"}
    found: list[Island] = []
    grouped: set[str] = set()
    for start in sorted(faces):
        if start in grouped:
            continue
        grouped.add(start)
        cells, is_complete = [start], True
        for cell in cells:  # grows while we walk it
            for side in faces[cell].land:
                beyond = neighbour(cell, side)
                if not _goes_on(faces.get(beyond), side):
                    is_complete = False
                elif beyond not in grouped:
                    grouped.add(beyond)
                    cells.append(beyond)
        found.append(Island(tuple(sorted(cells)), is_complete))
    return found


def _goes_on(face: Face | None, side: str) -> bool:
    """Whether the tile beyond a side takes the land up."""
    return face is not None and _OPPOSITE[side] in face.land


def score(setup: Setup, holdings: Holdings) -> Score:
    """The score of these boards as they lie. Nobody is named the winner while something is not known."""
    points = {player: dict.fromkeys(CATEGORIES, 0) for player in setup.seats}
    reasons: list[Event] = []
    kept: dict[str, Laid] = {}
    for player in setup.seats:
        if player not in holdings.unseen:
            kept[player] = _score_board(setup, player, holdings.laid.get(player, {}), points[player], reasons)
    _score_shells(setup, holdings, points, reasons)
    _score_canoes(setup, kept, points, reasons)
    for line in points.values():
        line["total"] = sum(line[category] for category in CATEGORIES[:-1])
    is_known = len(kept) == len(setup.seats) and len(holdings.shells) == len(setup.seats)
    return Score(points, _winners(points, holdings, reasons) if is_known else (), tuple(reasons))


def _score_board(setup: Setup, player: str, laid: Laid, points: dict[str, int], reasons: list[Event]) -> Laid:
    """What a board scores by itself; gives the tiles that stay on it."""
    islands = islands_of(setup, laid)
    off = sorted(cell for island in islands if not island.is_complete for cell in island.cells)
    if off:
        reasons.append(Event("unfinished", {"player": player, "cells": off}))
    for island in islands:
        if island.is_complete:
            points["islands"] += _score_island(setup, player, laid, island, reasons)
    kept = {cell: word for cell, word in laid.items() if cell not in off}
    for pair in _wreaths(setup, kept):
        reasons.append(Event("wreath", {"player": player, "cells": list(pair), "points": WREATH}))
        points["wreaths"] += WREATH
    gaps = [cell for cell in setup.cells if cell not in kept]
    points["gaps"] = GAP * len(gaps)
    if gaps:
        reasons.append(Event("gaps", {"player": player, "cells": gaps, "points": points["gaps"]}))
    return kept


def _score_island(setup: Setup, player: str, laid: Laid, island: Island, reasons: list[Event]) -> int:
    faces = [setup.faces[laid[cell]] for cell in island.cells]
    palms, has_hut = sum(face.palms for face in faces), any(face.huts for face in faces)
    is_inside = set(setup.board.inside).issuperset(island.cells)
    each = (PALM_WITH_HUT if has_hut else PALM) * (INSIDE_ATOLL if is_inside else 1)
    if is_inside:
        code = "atoll_island_with_hut" if has_hut else "atoll_island"
    else:
        code = "island_with_hut" if has_hut else "island"
    data = {"player": player, "cells": list(island.cells), "palms": palms, "each": each, "points": palms * each}
    reasons.append(Event(code, data))
    return palms * each


def _wreaths(setup: Setup, laid: Laid) -> list[tuple[str, str]]:
    """The pairs of cells whose half wreaths meet."""
    return [
        (cell, beyond)
        for cell, word in sorted(laid.items())
        for side in setup.faces[word].wreaths
        if side in "ES"  # seen from one of the two tiles only
        and (beyond := neighbour(cell, side)) in laid
        and _OPPOSITE[side] in setup.faces[laid[beyond]].wreaths
    ]


def _score_shells(setup: Setup, holdings: Holdings, points: Mapping[str, dict[str, int]], reasons: list[Event]) -> None:
    missing = [player for player in setup.seats if player not in holdings.shells]
    if missing:
        reasons.append(Event("shells_open", {"players": missing}))
        return
    counts = {player: holdings.shells[player] for player in setup.seats}
    best, most = _leaders(counts)
    code = "shells_most" if len(best) == 1 else "shells_tied" if most else "shells_none"
    reasons.append(Event(code, {"players": best, "counts": counts, "points": most}))
    for player in best:
        points[player]["shells"] = most


def _score_canoes(
    setup: Setup, kept: Mapping[str, Laid], points: Mapping[str, dict[str, int]], reasons: list[Event]
) -> None:
    missing = [player for player in setup.seats if player not in kept]
    if missing:
        reasons.append(Event("canoes_open", {"players": missing}))
        return
    counts = {player: canoes(setup, laid) for player, laid in kept.items()}
    best, most = _leaders(counts)
    code = "canoes_most" if len(best) == 1 else "canoes_tied" if most else "canoes_none"
    reasons.append(Event(code, {"players": best, "counts": counts, "points": most}))
    for player in best:
        points[player]["canoes"] = most


def _leaders(counts: Mapping[str, int]) -> tuple[list[str], int]:
    most = max(counts.values())
    return [player for player, count in counts.items() if count == most], most


def _winners(points: Mapping[str, Mapping[str, int]], holdings: Holdings, reasons: list[Event]) -> tuple[str, ...]:
    """The highest total; among equals the most wooden shells; still equal, they share the win."""
    tied, _ = _leaders({player: line["total"] for player, line in points.items()})
    if len(tied) == 1:
        return tuple(tied)
    shells = {player: holdings.shells[player] for player in tied}
    best, _ = _leaders(shells)
    code = "tie_broken" if len(best) == 1 else "tie_shared"
    reasons.append(Event(code, {"tied": tied, "counts": shells, "players": best}))
    return tuple(best)
