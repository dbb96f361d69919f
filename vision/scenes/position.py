"""Which piece stands where: positions given or drawn by chance, and how people set the pieces down."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import cv2
import numpy as np

from vision.scenes.arrays import Xy, between, chosen, happens
from vision.sheets.geometry import Sheet

# The colours that each edition's box holds, as far as its rulebook names them.
EDITION_COLOURS = {
    "2013": ("violet", "pink", "yellow", "blue", "green", "orange"),
    "2003": ("yellow", "blue", "green", "red", "black"),
}
FOOTPRINT_MM = {"hut": 14.0, "tiki": 10.0, "club": 20.0}
MOST_OFF_MM = 6.0


@dataclass(frozen=True)
class Position:
    """Pieces on a board by colour name: huts and tikis by site, clubs and tikis on club places by beach."""

    huts: Mapping[str, str] = field(default_factory=dict)
    tikis: Mapping[str, str] = field(default_factory=dict)
    clubs: Mapping[str, str] = field(default_factory=dict)
    club_tikis: Mapping[str, str] = field(default_factory=dict)


class Standing(NamedTuple):
    """One piece on the board. `place` is a site, or a beach when `on_club`; `at_mm` its middle in the world frame."""

    kind: str
    colour: str
    place: str
    on_club: bool
    at_mm: Xy
    yaw_deg: float
    lean_deg: float
    lean_way_deg: float


class Habits(NamedTuple):
    """How carefully people set pieces down: spread of their places in mm, chance to lean and how far."""

    off_mm: float
    lean_chance: float
    lean_deg: float


def random_position(rng: np.random.Generator, sheet: Sheet) -> Position:
    """A position as it may come up in play, from a few huts to a full beach."""
    everyone = EDITION_COLOURS[sheet.board.edition]
    count = int(rng.integers(3, len(everyone) + 1))
    colours = [everyone[index] for index in sorted(rng.choice(len(everyone), count, replace=False))]
    share = between(rng, 0.12, 0.85)
    huts = {site: chosen(rng, colours) for site in sheet.sites_mm if happens(rng, share)}
    clubs = {beach: chosen(rng, colours) for beach in sheet.clubs_mm if happens(rng, 0.45)}
    tikis: dict[str, str] = {}
    club_tikis: dict[str, str] = {}
    for colour in colours:
        for _ in range(1 if happens(rng, 0.8) else 2):
            _add_tiki(rng, sheet, colour, (huts, clubs), (tikis, club_tikis))
    return Position(huts, tikis, clubs, club_tikis)


def _add_tiki(
    rng: np.random.Generator,
    sheet: Sheet,
    colour: str,
    taken: tuple[Mapping[str, str], Mapping[str, str]],
    tikis: tuple[dict[str, str], dict[str, str]],
) -> None:
    """A tiki stands on an empty site, beside a hut, or on an empty club place; now and then it is still in hand."""
    huts, clubs = taken
    on_sites, on_clubs = tikis
    kind = chosen(rng, ("hut", "empty", "empty", "club", "none"))
    if kind == "club":
        free = [beach for beach in sheet.clubs_mm if beach not in clubs and beach not in on_clubs]
        if free:
            on_clubs[chosen(rng, free)] = colour
        return
    wanted = [site for site in sheet.sites_mm if (site in huts) == (kind == "hut") and site not in on_sites]
    own = [site for site in wanted if kind == "hut" and huts[site] == colour]
    if kind != "none" and wanted:
        on_sites[chosen(rng, own if own and happens(rng, 0.7) else wanted)] = colour


def calibration_position(sheet: Sheet, rng: np.random.Generator) -> Position:
    """One hut of each colour of the edition, on sites far from each other."""
    sites = [*sheet.sites_mm]
    order = [sites[int(rng.integers(len(sites)))]]
    while len(order) < len(EDITION_COLOURS[sheet.board.edition]):
        order.append(
            max(sites, key=lambda site: min(_apart(sheet.sites_mm[site], sheet.sites_mm[other]) for other in order))
        )
    return Position(huts=dict(zip(order, EDITION_COLOURS[sheet.board.edition], strict=True)))


def _apart(a: Xy, b: Xy) -> float:
    return float(np.hypot(a[0] - b[0], a[1] - b[1]))


def set_down(rng: np.random.Generator, sheet: Sheet, position: Position, habits: Habits) -> tuple[Standing, ...]:
    """Every piece put on its place, a little off and at any angle, none inside another."""
    done: list[Standing] = []
    for group in _groups(sheet, position):
        best: tuple[float, list[Standing]] | None = None
        for attempt in range(40):
            tried = _tried(rng, group, habits, 1.0 - attempt / 50)
            overlap = _overlap(tried, done)
            if best is None or overlap < best[0]:
                best = overlap, tried
            if overlap <= 0:
                break
        assert best is not None
        done += best[1]
    return tuple(done)


class _Group(NamedTuple):
    """The pieces of one place, with its middle in the world frame."""

    place: str
    on_club: bool
    middle: Xy
    pieces: tuple[tuple[str, str], ...]  # kind and colour


def _groups(sheet: Sheet, position: Position) -> Iterator[_Group]:
    half = sheet.size_mm[0] / 2, sheet.size_mm[1] / 2
    for places, on_club, big, tikis in (
        (sheet.sites_mm, False, ("hut", position.huts), position.tikis),
        (sheet.clubs_mm, True, ("club", position.clubs), position.club_tikis),
    ):
        for place, (x, y) in places.items():
            pieces = [(big[0], big[1][place])] if place in big[1] else []
            pieces += [("tiki", tikis[place])] if place in tikis else []
            if pieces:
                yield _Group(place, on_club, (x - half[0], half[1] - y), tuple(pieces))


def _tried(rng: np.random.Generator, group: _Group, habits: Habits, boldness: float) -> list[Standing]:
    """One way to set a group down; the less bold, the nearer to the middle."""
    if len(group.pieces) == 1:
        kind, colour = group.pieces[0]
        most = 1.5 if kind == "club" else MOST_OFF_MM
        return [_standing(rng, group, (kind, colour), _off(rng, min(habits.off_mm * boldness, most), most), habits)]
    # Two pieces share the plot: the tiki beside, before or behind the other.
    angle = between(rng, 0, 2 * np.pi)
    (kind, colour), tiki = group.pieces
    apart = FOOTPRINT_MM[kind] / 2 + FOOTPRINT_MM["tiki"] / 2 + between(rng, 0.4, 2.0) + (1 - boldness) * 0.5
    back = between(rng, 0.35, 0.5) * apart
    first = (-back * np.cos(angle), -back * np.sin(angle))
    second = ((apart - back) * np.cos(angle), (apart - back) * np.sin(angle))
    yaw = float(np.degrees(angle)) + 90 * int(rng.integers(4)) + float(rng.normal(0, 8))
    return [
        _standing(rng, group, (kind, colour), first, habits)._replace(yaw_deg=yaw),
        _standing(rng, group, tiki, second, habits),
    ]


def _off(rng: np.random.Generator, spread: float, most: float) -> Xy:
    x, y = rng.normal(0, spread, 2)
    far = max(1.0, float(np.hypot(x, y)) / most)
    return float(x) / far, float(y) / far


def _standing(rng: np.random.Generator, group: _Group, piece: tuple[str, str], off: Xy, habits: Habits) -> Standing:
    lean = abs(float(rng.normal(0, habits.lean_deg))) if happens(rng, habits.lean_chance) else 0.0
    at = (group.middle[0] + float(off[0]), group.middle[1] + float(off[1]))
    return Standing(*piece, group.place, group.on_club, at, between(rng, 0, 360), lean, between(rng, 0, 360))


def _overlap(tried: list[Standing], done: list[Standing]) -> float:
    """The area in mm2 that pieces would share with those that stand already, and with each other."""
    total = 0.0
    for index, piece in enumerate(tried):
        for other in [*done, *tried[:index]]:
            if _apart(piece.at_mm, other.at_mm) < 24.0:
                total += _shared_area(piece, other)
    return total


def _shared_area(a: Standing, b: Standing) -> float:
    first, second = ((piece.at_mm, (FOOTPRINT_MM[piece.kind],) * 2, piece.yaw_deg) for piece in (a, b))
    status, corners = cv2.rotatedRectangleIntersection(first, second)
    if status == cv2.INTERSECT_NONE or len(corners) < 3:
        return 0.0
    return float(cv2.contourArea(cv2.convexHull(corners)))
