"""The shape of an island, grown from its sites: coast, shallows, grounds, roads, jetties and hotel complexes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import combinations
from math import dist, inf, sin
from typing import NamedTuple
from zlib import crc32

from companion.games.makabana.board import Board, coordinates_of, neighbours_of
from web.drawing import contours as lines
from web.drawing import fields
from web.drawing.fields import Field, Grid, Point, Segment

WIDTH_MM = 360.0
LAGOON = "Lagon"
_STEP = 3.0
_MARGIN = 26.0  # mm of sea around the board's picture, so that shallows are never cut
_REACH = 34.0
_GROUND = 17.0  # mm of ground around a site and the lines that hold a sector together
_BAY = 14.0
_TIE = 3.0  # the lines between a sector's sites count as this much farther than the sites
_SHALLOWS = (-5.0, -11.0, -18.0)
_COMPLEX_ROOM = 2.4
_SHORTEST_WAY = 7.0

Sector = tuple[str, str]


class Layout(NamedTuple):
    """Where a board's places lie, in mm from the top left corner of its picture."""

    board: Board
    size: Point
    plot: float  # diameter of the disc under a site
    sites: Mapping[str, Point]
    clubs: Mapping[str, Point]


class Island(NamedTuple):
    """SVG path data, layer by layer, and the fields that names and scenery are placed by."""

    layout: Layout
    shallows: tuple[str, ...]
    coast: str
    land: str
    grounds: Mapping[Sector, str]
    roads: tuple[str, ...]
    jetties: tuple[str, ...]
    complexes: tuple[str, ...]
    grid: Grid
    owner: list[list[int]]  # index into the sectors, -1 where no site is near
    sectors: tuple[Sector, ...]
    depth: Field  # mm inside the island's coast, lagoons included
    near: Field  # mm to the nearest site or sector line


class _Reach(NamedTuple):
    """For every sector, how far each grid point is from it."""

    grid: Grid
    sectors: tuple[Sector, ...]
    distances: list[Field]
    owner: list[list[int]]
    two: tuple[Field, Field]  # to the nearest sector, and to the second nearest

    @property
    def near(self) -> Field:
        return self.two[0]


def layout_of(board: Board) -> Layout:
    height = WIDTH_MM * board.aspect[1] / board.aspect[0]

    def placed(points: Mapping[str, Point]) -> dict[str, Point]:
        return {name: (x * WIDTH_MM, y * height) for name, (x, y) in points.items()}

    sites = placed(board.sites)
    nearest = min((dist(a, b) for a, b in combinations(sites.values(), 2)), default=20.0)
    return Layout(board, (WIDTH_MM, height), round(min(17.0, nearest - 0.8), 1), sites, placed(board.clubs))


def island_of(board: Board) -> Island:
    """The island of a board; the same board gives the same island each time."""
    return _island(_Key(board))


class _Key:
    """A board by its identity of content, so that drawing it is remembered."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._content = (board.name, board.aspect, tuple(board.sites.items()), board.adjacent, board.complexes,
                         tuple(board.clubs.items()))  # fmt: skip

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self._content == other._content

    def __hash__(self) -> int:
        return hash(self._content)


@lru_cache(maxsize=16)
def _island(key: _Key) -> Island:
    layout = layout_of(key.board)
    reach = _reach(layout)
    wobble = _wobble(reach.grid, key.board.name)
    island = fields.combined([reach.near, wobble], lambda near, drift: near + drift)
    mask = fields.filled(fields.closed_up(fields.masked(island, lambda v: v < _GROUND), _BAY, _STEP))
    depth = fields.softened(fields.signed_distance(mask, _STEP), 2)
    return Island(
        layout=layout,
        shallows=tuple(_outline(depth, reach.grid, level, every=3) for level in reversed(_SHALLOWS)),
        coast=_outline(depth, reach.grid, 0.0),
        land=_outline(_land(reach, depth), reach.grid, 0.0),
        grounds={sector: _ground(reach, depth, index) for index, sector in enumerate(reach.sectors)},
        roads=_roads(reach, depth),
        jetties=_jetties(reach, depth),
        complexes=tuple(_complex(layout, sites) for sites in key.board.complexes),
        grid=reach.grid,
        owner=reach.owner,
        sectors=reach.sectors,
        depth=depth,
        near=reach.near,
    )


def _reach(layout: Layout) -> _Reach:
    width, height = layout.size
    grid = fields.grid_over(-_MARGIN, -_MARGIN, width + 2 * _MARGIN, height + 2 * _MARGIN, _STEP)
    groups = _sector_places(layout)
    distances = [
        fields.spread(grid, [*(((p, p), 0.0) for p in places), *((tie, _TIE) for tie in _tree(places))], _REACH)
        for places in groups.values()
    ]
    owner = [[_first_least(values) for values in zip(*rows, strict=True)] for rows in zip(*distances, strict=True)]
    return _Reach(grid, tuple(groups), distances, owner, _two_nearest(distances))


def _two_least(values: tuple[float, ...]) -> tuple[float, float]:
    least, *others = sorted(values)
    return least, others[0] if others else inf


def _first_least(values: tuple[float, ...]) -> int:
    least = min(values)
    return values.index(least) if least < inf else -1


def _sector_places(layout: Layout) -> dict[Sector, list[Point]]:
    """A club place counts to its beach's lagoon, even where that has no sites."""
    groups: dict[Sector, list[Point]] = {}
    for site, point in layout.sites.items():
        beach, sector, _ = coordinates_of(site)
        groups.setdefault((beach, sector), []).append(point)
    for beach, point in layout.clubs.items():
        groups.setdefault((beach, LAGOON), []).append(point)
    return groups


def _tree(points: list[Point]) -> list[Segment]:
    """The shortest lines that join the points."""
    joined, left, ties = points[:1], points[1:], []
    while left:
        a, b = min(((a, b) for a in joined for b in left), key=lambda pair: dist(*pair))
        ties.append((a, b))
        joined.append(b)
        left.remove(b)
    return ties


def _wobble(grid: Grid, name: str) -> Field:
    """A coast that wanders a little, the same way each time for a board of this name."""
    seed = crc32(name.encode()) % 1000 / 100

    def drift(x: float, y: float) -> float:
        slow = sin(x * 0.061 + seed) * sin(y * 0.053 - seed)
        quick = sin(x * 0.17 - y * 0.09 + 2 * seed) * sin(y * 0.15 + x * 0.05)
        return 1.9 * slow + 1.1 * quick

    return [[drift(*grid.place(column, row)) for column in range(grid.columns)] for row in range(grid.rows)]


def _outline(field: Field, grid: Grid, level: float, every: int = 2) -> str:
    rings = [ring for ring in lines.contours(field, grid, level) if len(ring) > 8]
    return "".join(lines.closed_path(lines.thinned(lines.smoothed(ring), every)) for ring in rings)


def _land(reach: _Reach, depth: Field) -> Field:
    """Positive on dry land: inside the coast, and nearer to a dry sector than to a lagoon, or far from both."""
    wet = [d for (_, name), d in zip(reach.sectors, reach.distances, strict=True) if name == LAGOON]
    dry = [d for (_, name), d in zip(reach.sectors, reach.distances, strict=True) if name != LAGOON]
    to_wet, to_dry = _nearest(reach.grid, wet), _nearest(reach.grid, dry)

    def dryness(inside: float, water: float, ground: float) -> float:
        return min(inside, max(_half(water, ground), water - _GROUND - 2.0))

    return fields.softened(fields.combined([depth, to_wet, to_dry], dryness))


def _all_but(nearest: tuple[Field, Field], own: Field) -> Field:
    """The distance to the nearest of all areas but one: that is the second where the one itself is the nearest."""
    first, second = nearest
    return [
        [b if mine == a else a for a, b, mine in zip(firsts, seconds, owns, strict=True)]
        for firsts, seconds, owns in zip(first, second, own, strict=True)
    ]


def _two_nearest(distances: list[Field]) -> tuple[Field, Field]:
    """The distances to the nearest and to the second nearest area."""
    first, second = [], []
    for rows in zip(*distances, strict=True):
        pairs = [_two_least(values) for values in zip(*rows, strict=True)]
        first.append([a for a, _ in pairs])
        second.append([b for _, b in pairs])
    return first, second


def _nearest(grid: Grid, distances: list[Field]) -> Field:
    if not distances:
        return grid.full(_REACH)
    return fields.combined(distances, min) if len(distances) > 1 else distances[0]


def _half(a: float, b: float) -> float:
    """Half of a - b, for distances that may be unknown because both are large."""
    return (min(a, _REACH) - min(b, _REACH)) / 2


def _ground(reach: _Reach, depth: Field, index: int) -> str:
    """Where one sector's ground shows: nearer to it than to any other, inside the coast, and not too far."""
    others = _all_but(reach.two, reach.distances[index])

    def inside(deep: float, own: float, other: float) -> float:
        return min(deep, _half(other, own), _GROUND + 3.0 - own)

    field = fields.softened(fields.combined([depth, reach.distances[index], others], inside))
    return _outline(field, reach.grid, 0.0)


def _roads(reach: _Reach, depth: Field) -> tuple[str, ...]:
    """Where two beaches meet."""
    beaches = sorted({beach for beach, _ in reach.sectors})
    by_beach = [
        _nearest(reach.grid, [d for (b, _), d in zip(reach.sectors, reach.distances, strict=True) if b == beach])
        for beach in beaches
    ]
    return _borders(reach.grid, by_beach, depth, lambda a, b: True, deepest=1.0)


def _jetties(reach: _Reach, depth: Field) -> tuple[str, ...]:
    """Where two sectors of one beach meet."""
    beaches = [beach for beach, _ in reach.sectors]
    return _borders(reach.grid, reach.distances, depth, lambda a, b: beaches[a] == beaches[b], deepest=-4.0)


def _borders(
    grid: Grid, distances: list[Field], depth: Field, parts: Callable[[int, int], bool], deepest: float
) -> tuple[str, ...]:
    """The lines between areas a and b that `parts` says yes to, each once, as far as `deepest` mm from the coast."""
    found, two = [], _two_nearest(distances)
    for a in range(len(distances) - 1):
        others = _all_but(two, distances[a])
        field = fields.softened(fields.combined([others, distances[a]], _half))

        def is_kept(point: Point, a: int = a) -> bool:
            column, row = grid.nearest(point)
            ranked = sorted((d[row][column], b) for b, d in enumerate(distances) if b != a)
            near, b = ranked[0]
            return near < _REACH - 8 and b > a and parts(a, b) and depth[row][column] > deepest

        for ring in lines.contours(field, grid):
            found += lines.stretches(lines.smoothed(ring), is_kept)
    return tuple(lines.open_path(lines.thinned(line, 2)) for line in found if lines.length_of(line) > _SHORTEST_WAY)


def _complex(layout: Layout, sites: tuple[str, ...]) -> str:
    """The dashes around exactly the sites of one complex."""
    radius = layout.plot / 2 + _COMPLEX_ROOM
    points = [layout.sites[site] for site in sites]
    segments: list[tuple[Segment, float]] = [((point, point), 0.0) for point in points]
    segments += [((layout.sites[a], layout.sites[b]), 1.4) for a, b in _ties(layout, sites)]
    left, top = min(x for x, _ in points) - radius - 4, min(y for _, y in points) - radius - 4
    right, bottom = max(x for x, _ in points) + radius + 4, max(y for _, y in points) + radius + 4
    grid = fields.grid_over(left, top, right - left, bottom - top, 1.5)
    near = fields.spread(grid, segments, radius + 6)
    field = [[radius - min(value, radius + 6) for value in row] for row in near]
    return _outline(fields.softened(field), grid, 0.0)


def _ties(layout: Layout, sites: tuple[str, ...]) -> list[tuple[str, str]]:
    """What holds a complex together: neighbours, and where a board draws more, the shortest lines to the rest."""
    inside = [pair for pair in layout.board.adjacent if pair[0] in sites]
    near = neighbours_of(sites, inside)
    joined, extra = {sites[0]}, []
    while len(joined) < len(sites):
        if reached := {other for site in joined for other in near[site]} - joined:
            joined |= reached
            continue
        left = [site for site in sites if site not in joined]
        extra.append(min(((a, b) for a in sorted(joined) for b in left), key=lambda p: _apart(layout, *p)))
        joined.add(extra[-1][1])
    return inside + extra


def _apart(layout: Layout, a: str, b: str) -> float:
    return dist(layout.sites[a], layout.sites[b])
