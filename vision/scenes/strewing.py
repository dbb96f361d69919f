"""Where clutter lies: beside the board, on its edge, on some of its markers, but never over a site."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np

from vision.scenes.arrays import Floats, Xy, between, chosen, floats, happens
from vision.scenes.camera import Camera
from vision.scenes.clutter import BIG, FLAT, SMALL, die
from vision.scenes.mesh import extremes, moved, transformed, turn_about
from vision.scenes.paints import PieceSet
from vision.scenes.pieces import Thing, lying_thing
from vision.scenes.position import EDITION_COLOURS
from vision.scenes.room import Room, is_on_table
from vision.sheets.geometry import Sheet

_CLEAR_MM = 13.0  # around a site nothing may come into the picture
_TRIES = 30


class Strewer(NamedTuple):
    """Strews things so that the picture shows every site; `drop_mm` is how far the table lies below the paper."""

    camera: Camera
    sheet: Sheet
    pieces: PieceSet
    drop_mm: float
    room: Room

    def beside(self, rng: np.random.Generator, count: int, touching: float) -> list[Thing]:
        """Things around the board; `touching` is the chance that one may lie on the sheet's edge."""
        done: list[Thing] = []
        for index in range(count):
            things = (
                self._spares(rng)
                if index % 3 == 2 or happens(rng, 0.25)
                else chosen(rng, BIG if happens(rng, 0.6) else SMALL)(rng)
            )
            may_touch = happens(rng, touching)
            for _ in range(_TRIES):
                placed = self._put(things, self._outside(rng), between(rng, 0, 360), -self.drop_mm)
                if self._lies_well(placed, may_touch) and not _collide(placed, done):
                    # What lies on the edge rests on the paper.
                    done += self._put(placed, (0.0, 0.0), 0.0, self.drop_mm) if self._over_sheet(placed) else placed
                    break
        return done

    def on_markers(self, rng: np.random.Generator, count: int) -> list[Thing]:
        """Small things that lie on markers, so that these can't be read."""
        done: list[Thing] = []
        order = rng.permutation(len(self.sheet.markers))
        for index in order:
            if len({thing.place for thing in done}) >= count:
                break
            x, y = np.mean(self.sheet.markers[index].corners_mm, axis=0)
            at = (float(x) - self.sheet.size_mm[0] / 2, self.sheet.size_mm[1] / 2 - float(y))
            things = self._spares(rng, 1) if happens(rng, 0.3) else chosen(rng, (die, *FLAT))(rng)
            for _ in range(8):
                placed = self._put(
                    things,
                    (at[0] * between(rng, 0.99, 1.12), at[1] * between(rng, 0.99, 1.14)),
                    between(rng, 0, 360),
                    0.0,
                )
                if self._is_clear(placed, True) and not _collide(placed, done):
                    done += [thing._replace(place=f"marker {self.sheet.markers[index].id}") for thing in placed]
                    break
        return done

    def _spares(self, rng: np.random.Generator, count: int | None = None) -> list[Thing]:
        """Pieces of the set in somebody's reserve: a heap of one colour, standing, on their sides or on their heads."""
        colour = chosen(rng, EDITION_COLOURS[self.sheet.board.edition])
        found = []
        for _ in range(count or int(rng.integers(2, 9))):
            kind = chosen(rng, ("hut", "hut", "hut", "tiki", "club"))
            at = (float(rng.normal(0, 22)), float(rng.normal(0, 22))) if count is None else (0.0, 0.0)
            roll = chosen(rng, (0.0, 0.0, 90.0, 180.0)) if kind != "club" else 0.0
            found.append(lying_thing(self.pieces, kind, colour, at, (roll, between(rng, 0, 360)), 0.0))
        return _apart(found)

    def _outside(self, rng: np.random.Generator) -> Xy:
        """A place around the board, near enough to be in the picture."""
        half = self.sheet.size_mm[0] / 2, self.sheet.size_mm[1] / 2
        side, out = int(rng.integers(4)), float(np.abs(rng.normal(0, 70))) + 8
        along = between(rng, -1.25, 1.25)
        if side < 2:
            return along * half[0], (half[1] + out) * (1 if side else -1)
        return (half[0] + out) * (1 if side == 2 else -1), along * half[1]

    def _put(self, things: Sequence[Thing], at: Xy, yaw_deg: float, floor_mm: float) -> list[Thing]:
        turn = turn_about("z", yaw_deg)
        return [thing._replace(mesh=moved(transformed(thing.mesh, turn), (at[0], at[1], floor_mm))) for thing in things]

    def _over_sheet(self, things: Sequence[Thing]) -> bool:
        half = floats(self.sheet.size_mm) / 2
        return any(bool((np.abs(thing.mesh.corners[..., :2]) < half).all(axis=2).any()) for thing in things)

    def _lies_well(self, things: Sequence[Thing], may_touch: bool) -> bool:
        points = np.concatenate([extremes(thing.mesh) for thing in things])
        return is_on_table(self.room, points) and self._is_clear(things, may_touch)

    def _is_clear(self, things: Sequence[Thing], may_touch: bool) -> bool:
        """Whether every site can still be seen, and the sheet too unless it may be touched."""
        hull = self._outline(things)
        if hull is None:
            return False
        if not may_touch:
            corners = floats([(0, 0), (1, 0), (1, 1), (0, 1)]) * floats(self.sheet.size_mm)
            sheet = self.camera.project_mm(corners)
            shared, _ = cv2.intersectConvexConvex(hull, sheet)
            if shared > 0:
                return False
        places = floats([*self.sheet.sites_mm.values(), *self.sheet.clubs_mm.values()])
        pixels, above = self.camera.project_mm(places), self.camera.project_mm(places, 22.0)
        reach = np.linalg.norm(self.camera.project_mm(places + floats([_CLEAR_MM, 0])) - pixels, axis=1)
        return all(
            cv2.pointPolygonTest(hull, (float(x), float(y)), True) < -float(clear)
            for points in (pixels, above)
            for (x, y), clear in zip(points, reach, strict=True)
        )

    def _outline(self, things: Sequence[Thing]) -> Floats | None:
        """The convex outline (N, 1, 2) of things in the picture; None where they come too near to the camera."""
        points = np.concatenate([extremes(thing.mesh) for thing in things])
        if not self.camera.is_near_view(points).all():
            return None
        return floats(cv2.convexHull(self.camera.project(points)))


def _apart(things: list[Thing]) -> list[Thing]:
    """The things without those that stand inside another."""
    kept: list[Thing] = []
    for thing in things:
        if not _collide([thing], kept):
            kept.append(thing)
    return kept


def _collide(new: Sequence[Thing], old: Sequence[Thing]) -> bool:
    return any(_shares_floor(a, b) for a in new for b in old)


def _shares_floor(a: Thing, b: Thing) -> bool:
    low_a, high_a, low_b, high_b = (
        edge(thing.mesh.corners[..., :2].reshape(-1, 2), axis=0) for thing in (a, b) for edge in (np.min, np.max)
    )
    return bool((low_a < high_b).all() and (low_b < high_a).all())
