"""The score and its reasons: majorities on the beaches, groups of huts, diving clubs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from companion.games.makabana.setup import Setup
from companion.games.protocol import Event, Score

MAJORITY = 4
SHARED_MAJORITY = 2
STEPS = (1, 2, 3)  # first hut, second hut, each further one
CATEGORIES = ("beaches", "huts", "clubs", "total")

Huts = Mapping[str, str]
Clubs = Mapping[str, str]


def score(setup: Setup, huts: Huts, clubs: Clubs) -> Score:
    """The score of this board, as it stands."""
    points = {colour: dict.fromkeys(CATEGORIES, 0) for colour in setup.colours}
    reasons: list[Event] = []
    for beach, counts in _hut_counts(setup, huts).items():
        reason, gains = _beach(beach, counts, clubs.get(beach))
        reasons.append(reason)
        for colour, gain in gains.items():
            points[colour]["beaches"] += gain
    for colour, sites in _groups(setup, huts):
        steps = group_steps(len(sites))
        gain = sum(steps)
        reasons.append(Event("group", {"player": colour, "sites": sites, "steps": list(steps), "points": gain}))
        points[colour]["huts"] += gain
    for beach, colour in sorted(clubs.items()):
        sites = [site for site in setup.beach_sites[beach] if huts.get(site) == colour]
        reasons.append(Event("club", {"player": colour, "beach": beach, "sites": sites, "points": len(sites)}))
        points[colour]["clubs"] += len(sites)
    for line in points.values():
        line["total"] = line["beaches"] + line["huts"] + line["clubs"]
    return Score(points, _winners(setup, points, reasons), tuple(reasons))


@cache
def group_steps(size: int) -> tuple[int, ...]:
    """What each hut of a group of this size adds: 1, 2, 3, 3, ..."""
    return tuple(STEPS[min(index, len(STEPS) - 1)] for index in range(size))


def _hut_counts(setup: Setup, huts: Huts) -> dict[str, dict[str, int]]:
    """For every beach in play, how many huts each colour has there."""
    counts: dict[str, dict[str, int]] = {beach: {} for beach in setup.beach_sites}
    beach_of = setup.beach_of
    for site, colour in huts.items():
        on_beach = counts[beach_of[site]]
        on_beach[colour] = on_beach.get(colour, 0) + 1
    return counts


def _beach(beach: str, counts: dict[str, int], club_owner: str | None) -> tuple[Event, dict[str, int]]:
    """Who gets the majority of one beach, and why."""
    counts = dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
    most = max(counts.values(), default=0)
    tied = [colour for colour, count in counts.items() if count == most]
    if not tied:
        code, gains = "beach_empty", {}
    elif len(tied) == 1:
        code, gains = "beach_won", {tied[0]: MAJORITY}
    elif club_owner in tied:
        code, gains = "beach_won_by_club", {club_owner: MAJORITY}
    elif len(tied) == 2:
        code, gains = "beach_shared", dict.fromkeys(tied, SHARED_MAJORITY)
    else:
        code, gains = "beach_blocked", {}
    data = {
        "beach": beach,
        "players": sorted(gains),
        "huts": counts,
        "tied": sorted(tied),
        "club": club_owner,
        "points": gains,
    }
    return Event(code, data), gains


def _groups(setup: Setup, huts: Huts) -> list[tuple[str, list[str]]]:
    """The groups of side-by-side huts of one colour, by colour in playing order, largest first."""
    neighbours, grouped = setup.neighbours, set()
    groups: dict[str, list[list[str]]] = {colour: [] for colour in setup.colours}
    for start, colour in huts.items():
        if start in grouped:
            continue
        grouped.add(start)
        group = [start]
        for site in group:  # grows while we walk it
            for near in neighbours[site]:
                if near not in grouped and huts.get(near) == colour:
                    grouped.add(near)
                    group.append(near)
        groups[colour].append(sorted(group))
    return [(colour, group) for colour, found in groups.items() for group in sorted(found, key=lambda g: (-len(g), g))]


def _winners(setup: Setup, points: Mapping[str, Mapping[str, int]], reasons: list[Event]) -> tuple[str, ...]:
    """The colours with the highest total; of two people with two colours each, the colours of the better camp."""
    camps = setup.camps or tuple((colour,) for colour in setup.colours)
    totals = [sum(points[colour]["total"] for colour in camp) for camp in camps]
    if setup.camps:
        reasons += [
            Event("camp", {"colours": list(camp), "points": total}) for camp, total in zip(camps, totals, strict=True)
        ]
    best = {colour for camp, total in zip(camps, totals, strict=True) if total == max(totals) for colour in camp}
    return tuple(colour for colour in setup.colours if colour in best)
