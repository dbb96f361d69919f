"""The shape of an island, grown from its sites: land, lagoons, and which beach and sector owns each spot of ground."""

from __future__ import annotations

from math import dist
from typing import NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.makabana.board import coordinates_of
from vision.sheets.canvas import Point
from vision.sheets.fields import (
    GRID,
    Field,
    Grid,
    Mask,
    blurred,
    closed_up,
    distance_to_lines,
    distance_to_points,
    filled,
    grid_over,
    layered_noise,
    opened_up,
    signed_distance,
)
from vision.sheets.geometry import Sheet

LAGOON = "Lagon"
Sector = tuple[str, str]  # beach and sector

_LAND_REACH = 17.5  # mm of ground around a site and around the lines between the sites of a sector
_LAGOON_REACH = 16.0
_BAY = 16.0  # gaps in the coast narrower than twice this grow together
_NECK = 5.0  # and land narrower than twice this is washed away
_APRON = 2.0  # mm of its own ground that a plot keeps around it at least


class Island(NamedTuple):
    """Fields over the artwork. `land` and `lagoon` tell how many mm inside each lies a spot, negative outside."""

    grid: Grid
    sectors: tuple[Sector, ...]
    reach: Field  # stack of one field per sector: how far from that sector's sites, bent around the plots
    owner: NDArray[np.intp]  # index into `sectors`
    land: Field
    lagoon: Field


def island_of(sheet: Sheet, rng: np.random.Generator) -> Island:
    grid = grid_over(sheet.art_mm)
    groups = _sites_by_sector(sheet)
    drift = layered_noise(grid.shape, (34 * GRID, 13 * GRID, 5 * GRID), rng) * 3.0
    reach = np.stack([_reach(sheet, grid, sector, sites) for sector, sites in groups.items()])
    owner = reach.argmin(axis=0)
    is_water = np.array([name == LAGOON for _, name in groups])[owner]
    near = reach.min(axis=0) + drift
    land, lagoon = _settled(~is_water & (near < _LAND_REACH), is_water & (near < _LAGOON_REACH), is_water)
    return Island(
        grid, tuple(groups), reach, owner, blurred(signed_distance(land), 0.6), blurred(signed_distance(lagoon), 0.6)
    )


def _sites_by_sector(sheet: Sheet) -> dict[Sector, list[Point]]:
    """Where each sector's sites are. A club place counts to its beach's lagoon, even where that has no sites."""
    groups: dict[Sector, list[Point]] = {}
    for site, point in sheet.sites_mm.items():
        beach, sector, _ = coordinates_of(site)
        groups.setdefault((beach, sector), []).append(point)
    for beach, point in sheet.clubs_mm.items():
        groups.setdefault((beach, LAGOON), []).append(point)
    return groups


def _reach(sheet: Sheet, grid: Grid, sector: Sector, sites: list[Point]) -> Field:
    """The distance to a sector: to its sites, and a little less to the lines that hold them together as one ground."""
    apron = sheet.plot_mm / 2 + _APRON
    to_sites = distance_to_points(grid, sites)
    to_lines = distance_to_lines(grid, _tree(sites)) + 3.0
    # Boundaries wander and are smoothed, but never across a plot: near a site its own sector pulls hard.
    soft = blurred(np.minimum(to_sites, to_lines), 2.5)
    return cast(Field, soft - 4.0 * np.clip(apron - to_sites, 0.0, None))


def _tree(points: list[Point]) -> list[tuple[Point, Point]]:
    """The shortest lines that join the points."""
    joined, left, lines = points[:1], points[1:], []
    while left:
        a, b = min(((a, b) for a in joined for b in left), key=lambda pair: dist(*pair))
        lines.append((a, b))
        joined.append(b)
        left.remove(b)
    return lines


def _settled(ground: Mask, water: Mask, is_water: Mask) -> tuple[Mask, Mask]:
    """Land and lagoons: bays rounded, the inside of a ring of beaches filled, needles and crumbs washed away."""
    whole = closed_up(ground | water, _BAY)
    inland = filled(whole) & ~whole
    lagoon = water | (closed_up(water, _BAY) & is_water & ~inland) | (whole & is_water & ~ground & ~inland)
    land = opened_up((whole | inland) & ~lagoon, _NECK) | ground
    count, labels = cv2.connectedComponents(land.astype(np.uint8))
    keep = [part for part in range(1, count) if (ground & (labels == part)).any()]
    return np.isin(labels, keep), opened_up(lagoon, _NECK)
