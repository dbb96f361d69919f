"""What a scene really shows: pieces by site, and what is hidden."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vision.scenes.arrays import Floats, Ints, floats
from vision.scenes.camera import Camera, world_of_sheet
from vision.scenes.pieces import Thing
from vision.scenes.position import Standing
from vision.scenes.solids import FINE, Seen
from vision.sheets.geometry import Sheet

COVERED_FROM = 0.15  # of a place hidden by a hand or the like: nobody should be asked to read it


@dataclass(frozen=True)
class SiteTruth:
    """A site's pieces by colour; `covered` is the share of it hidden by hands and clutter or outside the picture,
    `visible` how much of its least visible piece is seen (1 for an empty site)."""

    hut: str | None
    tiki: str | None
    covered: float
    visible: float


@dataclass(frozen=True)
class ClubTruth:
    club: str | None
    tiki: str | None
    covered: float
    visible: float


@dataclass(frozen=True)
class Truth:
    """The truth of one picture. `covered` names the places that hands or clutter hide; `hidden_markers` the ids of
    markers that something covers even a little, or that lie outside."""

    sites: Mapping[str, SiteTruth]
    clubs: Mapping[str, ClubTruth]
    covered: frozenset[str]
    hidden_markers: frozenset[int]


class _Judge:
    """Looks points up in what the camera saw."""

    def __init__(self, camera: Camera, things: Sequence[Thing], seen: Seen) -> None:
        self._camera = camera
        self._things = things
        self._owner = seen.things()
        self._seen = seen
        self._is_piece = np.array([thing.kind in ("hut", "tiki", "club", "piece") for thing in things] + [True])

    def owners(self, points: Floats) -> Ints:
        """The thing seen where world points (N, 3) would be: -1 the ground, -2 outside the picture."""
        pixels = np.nan_to_num(self._camera.project(points), nan=-1e6)
        sample = np.rint(pixels * FINE + (FINE - 1) / 2)
        rows, columns = self._owner.shape
        is_in = (sample >= 0).all(axis=1) & (sample[:, 0] < columns) & (sample[:, 1] < rows)
        found = np.full(len(points), -2)
        at = sample[is_in].astype(np.int64)
        found[is_in] = self._owner[at[:, 1], at[:, 0]]
        return found

    def covered(self, points: Floats) -> float:
        """The share of points that something other than a piece hides."""
        owners = self.owners(points)
        return float(((owners == -2) | ~self._is_piece[owners]).mean())

    def visible(self, index: int) -> float:
        """How much of a thing's side towards the camera is seen."""
        own = self._seen.owner == index
        if not own.any():
            return 0.0
        return float((self.owners(floats(self._seen.mesh.corners[own].mean(axis=1))) == index).mean())


def judge(sheet: Sheet, camera: Camera, standing: Sequence[Standing], things: Sequence[Thing], seen: Seen) -> Truth:
    """The truth of a picture. The first things must be the standing pieces, in their order."""
    look = _Judge(camera, things, seen)
    on: dict[tuple[str, bool], list[int]] = {}
    for index, piece in enumerate(standing):
        on.setdefault((piece.place, piece.on_club), []).append(index)
    sites, clubs = {}, {}
    for is_club, places, size in ((False, sheet.sites_mm, sheet.plot_mm), (True, sheet.clubs_mm, sheet.club_mm)):
        for place, middle in places.items():
            pieces = on.get((place, is_club), [])
            points = np.concatenate(
                [_disc(middle, size / 2, sheet), *(things[index].mesh.corners[::3, 0] for index in pieces)]
            )
            colours = {standing[index].kind: standing[index].colour for index in pieces}
            visible = min((look.visible(index) for index in pieces), default=1.0)
            covered = look.covered(floats(points))
            if is_club:
                clubs[place] = ClubTruth(colours.get("club"), colours.get("tiki"), covered, visible)
            else:
                sites[place] = SiteTruth(colours.get("hut"), colours.get("tiki"), covered, visible)
    hidden = {name for name, site in sites.items() if site.covered >= COVERED_FROM}
    hidden |= {name for name, club in clubs.items() if club.covered >= COVERED_FROM}
    return Truth(sites, clubs, frozenset(hidden), _hidden_markers(sheet, look))


def judge_things(
    sheet: Sheet, camera: Camera, count: int, things: Sequence[Thing], seen: Seen
) -> tuple[dict[str, float], tuple[float, ...]]:
    """The share of every place that hands or clutter hide, and how much is seen of each of the first `count` things."""
    look = _Judge(camera, things, seen)
    covered = {place: look.covered(_disc(middle, sheet.plot_mm / 2, sheet)) for place, middle in sheet.sites_mm.items()}
    return covered, tuple(look.visible(index) for index in range(count))


def _disc(middle: tuple[float, float], radius: float, sheet: Sheet) -> Floats:
    steps = np.linspace(-radius, radius, 9)
    grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    inside = grid[np.hypot(grid[:, 0], grid[:, 1]) <= radius]
    return world_of_sheet(floats(inside + middle), sheet.size_mm)


def _hidden_markers(sheet: Sheet, look: _Judge) -> frozenset[int]:
    found = set()
    share = np.stack(np.meshgrid(*[np.linspace(-0.05, 1.05, 9)] * 2), axis=-1).reshape(-1, 2)
    for marker in sheet.markers:
        low, high = np.min(marker.corners_mm, axis=0), np.max(marker.corners_mm, axis=0)
        points = world_of_sheet(floats(low + share * (high - low)), sheet.size_mm)
        if (look.owners(points) != -1).any():
            found.add(marker.id)
    return frozenset(found)
