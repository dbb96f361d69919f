"""Lines taken from an island's fields: roads between beaches, jetties between sectors, dashes around complexes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, groupby
from math import dist
from typing import cast

import numpy as np

from companion.games.makabana.board import neighbours_of
from vision.sheets.canvas import Point, length_of
from vision.sheets.fields import Field, Grid, Mask, closed_up, contours, distance_to_lines, grid_over, signed_distance
from vision.sheets.geometry import Box, Sheet
from vision.sheets.island import Island

_ROAD_END = -1.8  # mm beyond the coast at which a road ends
_JETTY_END = -7.0  # and a jetty, which leads out into the water
_JETTY_REACH = 21.0  # jetties part sectors, so they end where the hinterland begins
_EDGE_GAP = 6.0  # nothing runs into the rim of the artwork
_SHORTEST = 7.0
_COMPLEX_ROOM = 2.3  # mm between a plot and the dashes around it
_POCKET = 7.0  # dents narrower than twice this are smoothed over
_COMPLEX_GAP = 0.9  # half the least distance between the dashes of two complexes


def roads(island: Island) -> list[list[Point]]:
    """Where two beaches meet on land. What parts a beach from another's lagoon runs along the shore."""
    beaches = sorted({beach for beach, _ in island.sectors})
    reach = np.stack([_reach_of_beach(island, beach) for beach in beaches])
    is_passable = (island.land > _ROAD_END) & _inside(island.grid)
    return _borders(island.grid, reach, is_passable, lambda a, b: True)


def jetties(island: Island) -> list[list[Point]]:
    """Where two sectors of one beach meet, from the hinterland out into the water."""
    coast = np.maximum(island.land, island.lagoon)
    is_passable = (coast > _JETTY_END) & (island.reach.min(axis=0) < _JETTY_REACH) & _inside(island.grid)
    beaches = [beach for beach, _ in island.sectors]
    return _borders(island.grid, island.reach, is_passable, lambda a, b: beaches[a] == beaches[b])


def _reach_of_beach(island: Island, beach: str) -> Field:
    return cast(Field, island.reach[[name == beach for name, _ in island.sectors]].min(axis=0))


def _inside(grid: Grid) -> Mask:
    art = grid.area
    across = np.minimum(grid.x - art.left, art.right - grid.x)
    along = np.minimum(grid.y - art.top, art.bottom - grid.y)
    return cast(Mask, np.minimum(across, along) > _EDGE_GAP)


def _borders(grid: Grid, reach: Field, is_passable: Mask, parts: Callable[[int, int], bool]) -> list[list[Point]]:
    """The passable stretches of the lines between areas a and b that `parts` says yes to, each line once."""
    owner = reach.argmin(axis=0)
    lines = []
    for a in range(len(reach) - 1):
        others = reach.copy()
        others[a] = np.inf
        for ring in contours((owner == a).astype(np.float32) - 0.5, grid, smooth_mm=1.5):
            at = grid.indices(ring)
            beyond = others[:, at[0], at[1]].argmin(axis=0)
            keep = [b > a and parts(a, int(b)) and bool(free) for b, free in zip(beyond, is_passable[at], strict=True)]
            lines += _stretches(ring, keep)
    return [line for line in lines if length_of(line) > _SHORTEST]


def _stretches(ring: Sequence[Point], keep: Sequence[bool]) -> list[list[Point]]:
    """The runs of kept points of a closed line, each as an open line."""
    if all(keep):
        return [[*ring, ring[0]]]
    start = keep.index(False)
    turned = [(ring[(start + i) % len(ring)], keep[(start + i) % len(ring)]) for i in range(len(ring))]
    return [[point for point, _ in run] for kept, run in groupby(turned, key=lambda pair: pair[1]) if kept]


def complex_outlines(sheet: Sheet) -> list[tuple[tuple[str, ...], list[Point]]]:
    """Each hotel complex with the closed line around exactly its sites."""
    radius = _complex_radius(sheet)
    return [(sites, _outline(sheet, sites, radius)) for sites in sheet.board.complexes]


def _complex_radius(sheet: Sheet) -> float:
    strangers = (
        dist(sheet.sites_mm[a], sheet.sites_mm[b])
        for one, other in combinations(sheet.board.complexes, 2)
        for a in one
        for b in other
    )
    return min(sheet.plot_mm / 2 + _COMPLEX_ROOM, min(strangers, default=99.0) / 2 - _COMPLEX_GAP)


def _outline(sheet: Sheet, sites: Sequence[str], radius: float) -> list[Point]:
    """Around the sites and the lines between neighbours, with rounded corners inside as well.

    Distances are added up softly and pockets closed, so that the outline flows instead of pinching.
    """
    points = [sheet.sites_mm[site] for site in sites]
    joins = [(sheet.sites_mm[a], sheet.sites_mm[b]) for a, b in links(sheet, sites)]
    room = radius + _POCKET + 2
    left, top = min(x for x, _ in points) - room, min(y for _, y in points) - room
    area = Box(left, top, max(x for x, _ in points) + room - left, max(y for _, y in points) + room - top)
    grid = grid_over(area)
    softness = 1.1
    pull = sum(np.exp(-distance_to_lines(grid, [(p, p)]) / softness) for p in points)
    pull = pull + sum(
        (np.exp(-(distance_to_lines(grid, [join]) + 1.5) / softness) for join in joins), np.zeros(grid.shape)
    )
    inside = closed_up(radius + softness * np.log(pull) > 0, _POCKET)
    return max(contours(signed_distance(inside), grid, smooth_mm=0.8), key=len)


def links(sheet: Sheet, sites: Sequence[str]) -> list[tuple[str, str]]:
    """The lines that hold a complex together: between neighbours, and where a file draws more, to the nearest."""
    inside = [(a, b) for a, b in sheet.board.adjacent if a in sites]
    joined = {sites[0]}
    near = neighbours_of(sites, inside)
    extra: list[tuple[str, str]] = []
    while True:
        while reached := {other for site in joined for other in near[site]} - joined:
            joined |= reached
        if not (left := [site for site in sites if site not in joined]):
            return inside + extra
        a, b = min(
            ((a, b) for a in sorted(joined) for b in left),
            key=lambda p: dist(sheet.sites_mm[p[0]], sheet.sites_mm[p[1]]),
        )
        extra.append((a, b))
        joined.add(b)
