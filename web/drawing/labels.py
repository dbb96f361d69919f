"""Names and scenery, put where they hide nothing."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from math import dist, hypot
from typing import NamedTuple
from zlib import crc32

from web.drawing.fields import Point
from web.drawing.island import Island

_LETTER = 0.8  # width of a capital as a share of its height, in a wide face
_BEACH_MM, _SECTOR_MM = 10.5, 4.6
_CLEAR = 1.5  # mm between a letter and the dashes around a plot
_FARTHEST = 62.0  # mm between a name and the middle of what it names
_SPACING = 9.5
_MOTIFS = {"Cocotier": "palm", "Rocher": "rock", "Lagon": "wave", "Sable": "shell", "Herbe": "grass"}
_SEA = ("boat", "turtle", "compass", "whale")
_SEA_APART = 60.0
_SEA_DEPTH = -19.0


class Name(NamedTuple):
    text: str
    at: Point  # middle of the text
    size: float
    kind: str  # "beach" or "sector"

    @property
    def half_width(self) -> float:
        return len(self.text) * self.size * _LETTER / 2


class Motif(NamedTuple):
    symbol: str
    at: Point
    size: float


class Labels(NamedTuple):
    names: tuple[Name, ...]
    motifs: tuple[Motif, ...]


@lru_cache(maxsize=16)
def _cells(columns: int, rows: int) -> tuple[tuple[int, int], ...]:
    return tuple(product(range(0, columns, 2), range(0, rows, 2)))


def labels_of(island: Island) -> Labels:
    names: list[Name] = []
    for beach in sorted({beach for beach, _ in island.sectors}):
        names.append(_best_name(island, beach, "beach", beach, names))
    sited = {tuple(site.split("-")[:2]) for site in island.layout.sites}
    for sector in island.sectors:
        if sector in sited:
            names.append(_best_name(island, sector[1], "sector", sector[0], names))
    return Labels(tuple(names), (*_scenery(island, names), *_sea(island, names)))


def _best_name(island: Island, text: str, kind: str, beach: str, taken: list[Name]) -> Name:
    size = _BEACH_MM if kind == "beach" else _SECTOR_MM
    cells = _cells(island.grid.columns, island.grid.rows)
    home = _home(island, beach, None if kind == "beach" else text)
    options = (island.grid.place(column, row) for column, row in cells)
    near = [Name(text, at, size, kind) for at in options if dist(at, home) < _FARTHEST]
    taken_discs = _discs(island)
    return max(near, key=lambda name: _fitness(island, name, beach, home, taken, taken_discs))


def _discs(island: Island) -> list[tuple[Point, float]]:
    """What no name may cover: plots, club places, and the middles of the links between neighbours."""
    sites = island.layout.sites
    plots = [(point, island.layout.plot / 2 + 2.4) for point in sites.values()]
    clubs = [(point, 11.0) for point in island.layout.clubs.values()]
    middles = [
        ((sites[a][0] + sites[b][0]) / 2, (sites[a][1] + sites[b][1]) / 2) for a, b in island.layout.board.adjacent
    ]
    return [*plots, *clubs, *((middle, 8.0) for middle in middles)]


def _home(island: Island, beach: str, sector: str | None) -> Point:
    """The middle of what a name names."""
    prefix = f"{beach}-" if sector is None else f"{beach}-{sector}-"
    points = [point for site, point in island.layout.sites.items() if site.startswith(prefix)]
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def _fitness(
    island: Island, name: Name, beach: str, home: Point, taken: list[Name], discs: list[tuple[Point, float]]
) -> float:
    """How well a name stands: on its own ground, clear of plots and other names, near what it names."""
    width, height = island.layout.size
    (x, y), half = name.at, name.half_width
    off = max(0.0, half + 3 - x, x + half + 3 - width, name.size - y, y + name.size - height)
    away = dist(name.at, home)
    clear = min(_gap(name, point) - radius for point, radius in discs)
    crowd = min((_name_gap(name, other) for other in taken), default=99.0)
    at_home = sum(_belongs(island, (x + share * half, y), name, beach) for share in (-0.9, -0.45, 0.0, 0.45, 0.9))
    covers = (clear < 0) * 60 + (crowd <= 0) * 60
    return min(clear, _CLEAR) * 9 + min(crowd, 5.0) * 8 + at_home * 5 - away * 0.3 - off * 20 - covers


def _belongs(island: Island, point: Point, name: Name, beach: str) -> bool:
    column, row = island.grid.nearest(point)
    index = island.owner[row][column]
    if index < 0 or island.depth[row][column] < 2.0:
        return False
    owner = island.sectors[index]
    return owner[0] == beach if name.kind == "beach" else owner == (beach, name.text)


def _gap(name: Name, point: Point) -> float:
    """From a point to the box of a name."""
    across = max(0.0, abs(point[0] - name.at[0]) - name.half_width)
    along = max(0.0, abs(point[1] - name.at[1]) - name.size * 0.5)
    return hypot(across, along)


def _name_gap(name: Name, other: Name) -> float:
    across = max(0.0, abs(other.at[0] - name.at[0]) - name.half_width - other.half_width)
    along = max(0.0, abs(other.at[1] - name.at[1]) - (name.size + other.size) / 2)
    return hypot(across, along)


def _scenery(island: Island, names: list[Name]) -> Iterator[Motif]:
    """Palms, rocks and waves on the grounds, bushes where no site is near: strewn, and the same each time."""
    width, height = island.layout.size
    for column, row in product(range(int(width // _SPACING)), range(int(height // _SPACING))):
        chance = crc32(f"{island.layout.board.name} {column} {row}".encode())
        at = ((column + 0.2 + chance % 97 / 160) * _SPACING, (row + 0.2 + chance % 89 / 150) * _SPACING)
        symbol = _motif_at(island, at)
        if symbol and _is_free(island, names, at):
            yield Motif(symbol, at, (6.0 if symbol in ("palm", "bush") else 4.2) * (0.85 + chance % 7 / 20))


def _motif_at(island: Island, at: Point) -> str | None:
    column, row = island.grid.nearest(at)
    if island.depth[row][column] < 5.0:
        return None
    if island.near[row][column] > 19.0:
        return "bush"
    around = {island.owner[row + dy][column + dx] for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
    index = island.owner[row][column]
    return _MOTIFS.get(island.sectors[index][1]) if around == {index} else None


def _is_free(island: Island, names: list[Name], at: Point) -> bool:
    places = [*island.layout.sites.values(), *island.layout.clubs.values()]
    plot = island.layout.plot / 2 + 5.5
    return all(dist(at, place) > plot for place in places) and all(_gap(name, at) > 3.5 for name in names)


def _sea(island: Island, names: list[Name]) -> Iterator[Motif]:
    """A few things in open water, far apart."""
    width, height = island.layout.size
    spots = [
        at
        for column, row in _cells(island.grid.columns, island.grid.rows)
        if island.depth[row][column] < _SEA_DEPTH
        and 14 < (at := island.grid.place(column, row))[0] < width - 14
        and 14 < at[1] < height - 14
        and all(_gap(name, at) > 12 for name in names)
    ]
    spots.sort(key=lambda at: crc32(f"{at} {island.layout.board.name}".encode()))
    put: list[Point] = []
    for at in spots:
        if len(put) < len(_SEA) and all(dist(at, other) > _SEA_APART for other in put):
            yield Motif(_SEA[len(put)], at, 22.0)
            put.append(at)
