"""Made-up photographs of the mat with a line of makis, and the truth about them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from companion.games.makisan.board import MAKIS, SIDES, Faces, faces_of, turned
from vision.makisan.layout import DISHES_MM, REST_MM, RESTS_MM, SHEET_MM, markers, places_mm
from vision.makisan.mat import mat_pixels
from vision.makisan.models import MakiSet, make_makis
from vision.scenes.arrays import Bytes, Xy, between, chosen, happens
from vision.scenes.mesh import dropped, moved, painted, transformed, turn_about
from vision.scenes.other import PIECE, OtherSheet, Shot, other_setting, shoot_other
from vision.scenes.pieces import Thing
from vision.scenes.spec import SceneSpec, Setting

MOST_OFF_MM = 6.0
_TOUCHING_MM = (0.2, 1.0)
# By difficulty: tilt in degrees, spread of the camera's direction, of makis' places in mm and of their turns.
_LEVELS = {
    "easy": ((28.0, 45.0), 7.0, 1.2, 2.0),
    "normal": ((25.0, 54.0), 13.0, 2.2, 4.5),
    "hard": ((25.0, 60.0), 18.0, 3.2, 7.0),
}


class Standing(NamedTuple):
    """A maki on the mat: its rest (from 0), its colours to the south and north, where it stands, how it is turned."""

    rest: int
    faces: Faces
    at_mm: Xy
    yaw_deg: float


class Line(NamedTuple):
    """Makis from the left, the one that carries a Wasabi and whose it is; and whose Wasabis wait on their dishes."""

    makis: tuple[Standing, ...]
    covered: tuple[int, str] | None
    waiting: tuple[str, ...]


@dataclass(frozen=True)
class MakiScene:
    """`hidden` by rest: the share that hands or clutter hide. `seen` by maki: the share of its near face to be seen;
    `wasabi_seen` likewise for the Wasabi on the line (1 without one)."""

    image: Bytes
    line: Line
    near: str  # the side the camera looks from
    hidden: Sequence[float]
    seen: Sequence[float]
    wasabi_seen: float


def make_scene(seed: int, difficulty: str, size_px: tuple[int, int] = (1600, 1200)) -> MakiScene:
    rng = np.random.default_rng([seed, 77])
    tilt, swing, spread, yaw = _LEVELS[difficulty]
    near = chosen(rng, SIDES)
    azimuth = float(np.clip(rng.normal(0.0, swing), -2.2 * swing, 2.2 * swing)) + 180.0 * (near == SIDES[1])
    spec = SceneSpec(
        seed=seed, difficulty=difficulty, size_px=size_px, tilt_deg=between(rng, *tilt), azimuth_deg=azimuth
    )
    makis = make_makis(rng)
    return shoot_line(spec, makis, random_line(rng, makis, spread, yaw), near)


def shoot_line(spec: SceneSpec, makis: MakiSet, line: Line, near: str, frame: int = 0) -> MakiScene:
    """The picture of a line, taken from the side `near`; `frame` varies only the sensor's noise."""
    things = _Things(makis, line)
    shot = shoot_other(mat_sheet(), replace(_setting(spec), frame=frame), things.put_down)
    return _judged(shot, line, near, [*places_mm()], things.parts)


@lru_cache(maxsize=1)
def _setting(spec: SceneSpec) -> Setting:
    return other_setting(mat_sheet(), spec)


def _judged(shot: Shot, line: Line, near: str, names: Sequence[str], parts: Sequence[str]) -> MakiScene:
    seen = [share for part, share in zip(parts, shot.visible, strict=True) if part == near]
    mound = [share for part, share in zip(parts, shot.visible, strict=True) if part == "wasabi"]
    return MakiScene(shot.image, line, near, [shot.covered[name] for name in names], seen, mound[0] if mound else 1.0)


class _Things:
    """Puts a line down; `parts` then says what each thing is: "south", "north", "body", "wasabi" or "waiting"."""

    def __init__(self, makis: MakiSet, line: Line) -> None:
        self.makis, self.line = makis, line
        self.parts: list[str] = []

    def put_down(self, height_at: Callable[[Xy], float]) -> list[Thing]:
        self.parts, things = [], []
        for number, standing in enumerate(self.line.makis):
            things += self._maki(standing, height_at(standing.at_mm))
            if self.line.covered is not None and self.line.covered[0] == number:
                high = height_at(standing.at_mm) + self.makis.size_mm[2]
                things.append(self._wasabi("wasabi", standing.at_mm, high - 0.2))
        for side in self.line.waiting:
            at = _world(DISHES_MM[side])
            things.append(self._wasabi("waiting", at, height_at(at)))
        return things

    def _maki(self, standing: Standing, floor: float) -> list[Thing]:
        colours: Mapping[str, str] = dict(zip(SIDES, standing.faces, strict=True))
        found = []
        for part, mesh in self.makis.parts._asdict().items():
            if not len(mesh.corners):
                continue
            paint = self.makis.paints[colours[part]] if part in colours else (1.0, 1.0, 1.0)
            way = transformed(painted(mesh, paint), turn_about("z", standing.yaw_deg))
            found.append(Thing(moved(way, (*standing.at_mm, floor)), self.makis.surface, PIECE))
            self.parts.append(part)
        return found

    def _wasabi(self, part: str, at: Xy, floor: float) -> Thing:
        self.parts.append(part)
        return Thing(moved(dropped(self.makis.wasabi, floor), (*at, 0.0)), self.makis.surface, PIECE)


def random_line(rng: np.random.Generator, makis: MakiSet, spread: float, yaw: float) -> Line:
    """A line as it may come up in play, begun at any rest, set down with more or less care."""
    count = int(rng.integers(0, len(MAKIS) + 1)) if happens(rng, 0.1) else int(rng.integers(2, len(MAKIS) + 1))
    first = int(rng.integers(0, len(RESTS_MM) - count + 1))
    names = [MAKIS[int(index)] for index in rng.permutation(len(MAKIS))[:count]]
    faces = [turned(faces_of(name)) if happens(rng, 0.5) else faces_of(name) for name in names]
    spots = _spots(rng, makis, range(first, first + count), spread)
    turns = np.clip(rng.normal(0.0, yaw, count), -15.0, 15.0)
    standing = [
        Standing(rest, face, at, float(turn))
        for rest, face, at, turn in zip(range(first, first + count), faces, spots, turns, strict=True)
    ]
    return _with_wasabi(rng, _kept_apart(standing, makis))


def _with_wasabi(rng: np.random.Generator, standing: tuple[Standing, ...]) -> Line:
    if not standing or happens(rng, 0.5):
        return Line(standing, None, SIDES if happens(rng, 0.5) else ())
    owner = chosen(rng, SIDES)
    waiting = tuple(side for side in SIDES if side != owner)
    return Line(standing, (int(rng.integers(len(standing))), owner), waiting)


def _spots(rng: np.random.Generator, makis: MakiSet, rests: range, spread: float) -> list[Xy]:
    """Places in the world frame, up to 6 mm off their rests; in some lines neighbours are pushed together."""
    x = np.array([_world(RESTS_MM[rest])[0] for rest in rests]) + np.clip(rng.normal(0, spread, len(rests)), -4.2, 4.2)
    y = np.clip(rng.normal(0, spread, len(rests)), -4.2, 4.2)
    if happens(rng, 0.45):
        step = makis.size_mm[0] + between(rng, *_TOUCHING_MM)
        for start in range(0, len(rests), 3):
            group = np.array([*rests][start : start + int(rng.integers(1, 4))])
            middle = np.mean([_world(RESTS_MM[rest])[0] for rest in group])
            x[start : start + len(group)] = middle + (np.arange(len(group)) - (len(group) - 1) / 2) * step
    return [(float(a), float(b)) for a, b in zip(x, y, strict=True)]


def _kept_apart(standing: list[Standing], makis: MakiSet) -> tuple[Standing, ...]:
    """The same makis, those that would stand inside each other straightened and moved back towards their rests."""
    for share in np.linspace(1.0, 0.0, 9):
        eased = [_eased(one, float(share)) for one in standing]
        if all(_are_apart(a, b, makis.size_mm) for a, b in pairwise(eased)):
            break
    return tuple(eased)


def _eased(one: Standing, share: float) -> Standing:
    (x, y), (rest_x, rest_y) = one.at_mm, _world(RESTS_MM[one.rest])
    at = (rest_x + share * (x - rest_x), rest_y + share * (y - rest_y))
    return one._replace(at_mm=at, yaw_deg=one.yaw_deg * share)


def _are_apart(a: Standing, b: Standing, size: tuple[float, float, float]) -> bool:
    reach = [
        (size[0] * np.cos(np.radians(abs(one.yaw_deg))) + size[1] * np.sin(np.radians(abs(one.yaw_deg)))) / 2
        for one in (a, b)
    ]
    alike = abs(a.yaw_deg - b.yaw_deg) < 3.0
    return b.at_mm[0] - a.at_mm[0] >= (size[0] + 0.3 if alike else sum(reach))


def _world(point_mm: Xy) -> Xy:
    return point_mm[0] - SHEET_MM[0] / 2, SHEET_MM[1] / 2 - point_mm[1]


@cache
def mat_sheet() -> OtherSheet:
    return OtherSheet(mat_pixels(), SHEET_MM, places_mm(), REST_MM - 4.0, markers())
