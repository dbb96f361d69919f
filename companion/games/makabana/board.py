"""A Maka Bana board as data: sites, neighbours, hotel complexes and club places.

`parse_board` turns the JSON of a board file into a `Board`, or says everything that is wrong with it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from itertools import combinations
from math import hypot
from typing import Any, NamedTuple

from companion.games.protocol import Event, FormatError

SPOTS = ("Fleur", "Poisson", "Tatouage")
SECTORS = {"2013": ("Cocotier", "Lagon", "Rocher", "Sable"), "2003": ("Herbe", "Lagon", "Rocher", "Sable")}
SECTORS_OF_A_BEACH = (3, 4)
BOARD_NAMES = ("maka-bana", "maka-bana-2003", "nadaa", "noka")

# Pieces must fit: two huts of 14 mm can't stand closer than this on a board printed 360 mm wide.
PRINTED_WIDTH_MM = 360.0
LEAST_DISTANCE_MM = 15.0

# Far beyond any island, and little enough that a wrong file is told at once.
MOST_ENTRIES = {"sites": 200, "clubs": 20, "adjacent": 1000, "complexes": 200}
MOST_BEACHES = 5  # one for each beach card

_BEACH = re.compile(r"[A-Z][A-Za-zÀ-ÿ]{1,19}")
_OTHER_CARDS = {*SPOTS, "Paint", "Club"}.union(*SECTORS.values())
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")

Pair = tuple[str, str]
Point = tuple[float, float]


class Board(NamedTuple):
    """One island. Coordinates are fractions of the picture's width and height, origin at the top left."""

    name: str
    edition: str
    designed: bool
    aspect: Point
    sites: Mapping[str, Point]
    adjacent: tuple[Pair, ...]
    complexes: tuple[tuple[str, ...], ...]
    clubs: Mapping[str, Point]

    @property
    def beaches(self) -> tuple[str, ...]:
        return tuple(sorted({beach_of(site) for site in self.sites}))


def beach_of(site: str) -> str:
    return site.split("-", 1)[0]


def coordinates_of(site: str) -> tuple[str, str, str]:
    """The beach, sector and spot that name a site."""
    beach, sector, spot = site.split("-")
    return beach, sector, spot


@cache
def load_board(name: str) -> Board:
    """One of the boards that come with the companion. Raises `FormatError` for an unknown name."""
    if name not in BOARD_NAMES:
        raise FormatError(Event("board_unknown", {"board": name, "allowed": list(BOARD_NAMES)}))
    text = resources.files(__package__).joinpath("boards", f"{name}.json").read_text(encoding="utf-8")
    return parse_board(json.loads(text))


def parse_board(data: object) -> Board:
    """The board that a board file describes. Raises `FormatError` naming every problem at once."""
    if not isinstance(data, dict):
        raise FormatError(Event("header_not_object"))
    problems: list[Event] = []
    name, edition = data.get("board"), data.get("edition", "2013")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        problems.append(Event("board_name_wrong", {"name": name}))
    if edition not in list(SECTORS):  # a list, because the value may be of any type
        problems.append(Event("edition_unknown", {"edition": edition, "allowed": list(SECTORS)}))
        edition = "2013"
    aspect = _aspect(data, problems)
    sites = _points(data, "sites", "id", problems)
    clubs = _points(data, "clubs", "beach", problems)
    problems += _site_problems(sites, edition)
    problems += _distance_problems(sites, aspect)
    problems += _club_problems(clubs, sites, edition)
    pairs = _pairs(data, sites, problems)
    complexes = _complexes(data, sites, pairs, problems)
    if problems:
        raise FormatError(*problems)
    return Board(str(name), edition, bool(data.get("designed")), aspect, sites, pairs, complexes, clubs)


def _aspect(data: Mapping[str, Any], problems: list[Event]) -> Point:
    aspect = data.get("aspect")
    if isinstance(aspect, list) and len(aspect) == 2 and all(_is_number(side) and side > 0 for side in aspect):
        return float(aspect[0]), float(aspect[1])
    problems.append(Event("aspect_wrong", {"aspect": aspect}))
    return 1.0, 1.0


def _points(data: Mapping[str, Any], key: str, id_key: str, problems: list[Event]) -> dict[str, Point]:
    """The entries of a list of {id, x, y}, sorted by id, those that can be read at all."""
    entries = _entries(data, key, problems)
    points: dict[str, Point] = {}
    for entry in entries:
        ident = entry.get(id_key) if isinstance(entry, dict) else None
        if not isinstance(ident, str):
            problems.append(Event("entry_without_id", {"key": key, "id_key": id_key, "entry": json.dumps(entry)[:80]}))
            continue
        if ident in points:
            problems.append(Event("entry_twice", {"id": ident, "key": key}))
        x, y = entry.get("x"), entry.get("y")
        if not (_is_number(x) and _is_number(y) and 0 <= x <= 1 and 0 <= y <= 1):
            problems.append(Event("point_off_board", {"id": ident, "x": x, "y": y}))
            x = y = -1.0
        points[ident] = (float(x), float(y))
    return dict(sorted(points.items()))


def _entries(data: Mapping[str, Any], key: str, problems: list[Event]) -> list[Any]:
    entries = data.get(key, [])
    if not isinstance(entries, list):
        problems.append(Event("not_a_list", {"key": key}))
        return []
    if len(entries) > MOST_ENTRIES[key]:
        problems.append(Event("too_many_entries", {"key": key, "count": len(entries), "most": MOST_ENTRIES[key]}))
        return []
    return entries


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and -1e6 < value < 1e6


def _site_problems(sites: Mapping[str, Point], edition: str) -> list[Event]:
    if not sites:
        return [Event("board_empty")]
    problems = []
    spots_of: dict[Pair, set[str]] = {}
    for site in sites:
        parts = site.split("-")
        if len(parts) != 3 or not all(parts):
            problems.append(Event("site_name_wrong", {"site": site}))
            continue
        beach, sector, spot = parts
        if not _BEACH.fullmatch(beach) or beach in _OTHER_CARDS:
            problems.append(Event("beach_name_wrong", {"site": site, "beach": beach}))
        if sector not in SECTORS[edition]:
            problems.append(
                Event("sector_unknown", {"site": site, "sector": sector, "allowed": list(SECTORS[edition])})
            )
        if spot not in SPOTS:
            problems.append(Event("spot_unknown", {"site": site, "spot": spot, "allowed": list(SPOTS)}))
        spots_of.setdefault((beach, sector), set()).add(spot)
    for (beach, sector), spots in sorted(spots_of.items()):
        if missing := [spot for spot in SPOTS if spot not in spots]:
            problems.append(Event("sector_incomplete", {"sector": f"{beach}-{sector}", "missing": missing}))
    return problems + _beach_problems(Counter(beach for beach, _ in spots_of))


def _beach_problems(sector_counts: Mapping[str, int]) -> list[Event]:
    problems = [
        Event("sectors_number", {"beach": beach, "count": count})
        for beach, count in sorted(sector_counts.items())
        if count not in SECTORS_OF_A_BEACH
    ]
    if len(sector_counts) > MOST_BEACHES:
        problems.append(Event("too_many_beaches", {"count": len(sector_counts), "most": MOST_BEACHES}))
    initials = Counter(beach[:1] for beach in sector_counts)
    for initial in sorted(initial for initial, count in initials.items() if count > 1):
        names = sorted(beach for beach in sector_counts if beach[:1] == initial)
        problems.append(Event("beaches_share_card", {"beaches": names, "card": initial}))
    return problems


def _distance_problems(sites: Mapping[str, Point], aspect: Point) -> list[Event]:
    width_mm, height_mm = PRINTED_WIDTH_MM, PRINTED_WIDTH_MM * aspect[1] / aspect[0]
    placed = {site: point for site, point in sites.items() if point[0] >= 0}
    problems = []
    for (a, (ax, ay)), (b, (bx, by)) in combinations(placed.items(), 2):
        distance_mm = hypot((ax - bx) * width_mm, (ay - by) * height_mm)
        if distance_mm < LEAST_DISTANCE_MM:
            data = {"sites": [a, b], "distance_mm": round(distance_mm), "least_mm": round(LEAST_DISTANCE_MM)}
            problems.append(Event("sites_too_near", data))
    return problems


def _club_problems(clubs: Mapping[str, Point], sites: Mapping[str, Point], edition: str) -> list[Event]:
    beaches = {beach_of(site) for site in sites}
    if edition == "2003":
        return [Event("edition_without_clubs", {"beach": beach}) for beach in clubs]
    unknown = [Event("club_without_beach", {"beach": beach}) for beach in sorted(clubs.keys() - beaches)]
    return unknown + [Event("beach_without_club", {"beach": beach}) for beach in sorted(beaches - clubs.keys())]


def _pairs(data: Mapping[str, Any], sites: Mapping[str, Point], problems: list[Event]) -> tuple[Pair, ...]:
    entries = _entries(data, "adjacent", problems)
    pairs: set[Pair] = set()
    for entry in entries:
        if not (isinstance(entry, list) and len(entry) == 2 and all(isinstance(site, str) for site in entry)):
            problems.append(Event("not_a_pair", {"entry": json.dumps(entry)[:80]}))
            continue
        if unknown := [site for site in entry if site not in sites]:
            problems.append(Event("names_unknown_sites", {"key": "adjacent", "sites": unknown}))
            continue
        a, b = sorted(entry)
        if a == b:
            problems.append(Event("own_neighbour", {"site": a}))
        elif (a, b) in pairs:
            problems.append(Event("pair_twice", {"sites": [a, b]}))
        pairs.add((a, b))
    return tuple(sorted(pairs))


def _complexes(
    data: Mapping[str, Any], sites: Mapping[str, Point], pairs: tuple[Pair, ...], problems: list[Event]
) -> tuple[tuple[str, ...], ...]:
    """The hotel complexes: as drawn where the file says so, else what the neighbour pairs connect."""
    connected = connected_groups(sites, neighbours_of(sites, pairs))
    if data.get("complexes") is None:
        return connected
    drawn = _entries(data, "complexes", problems)
    if not all(isinstance(group, list) for group in drawn):
        problems.append(Event("not_a_list", {"key": "complexes"}))
        return connected
    members = Counter(str(site) for group in drawn for site in group)
    if unknown := [site for site in sorted(members) if site not in sites]:
        problems.append(Event("names_unknown_sites", {"key": "complexes", "sites": unknown}))
    problems += [
        Event("complexes_of_site", {"site": site, "count": members[site]}) for site in sites if members[site] != 1
    ]
    complex_of = {str(site): index for index, group in enumerate(drawn) for site in group}
    problems += [
        Event("complex_splits_pair", {"sites": [a, b]}) for a, b in pairs if complex_of.get(a) != complex_of.get(b)
    ]
    return tuple(sorted(tuple(sorted(map(str, group))) for group in drawn))


def neighbours_of(sites: Iterable[str], pairs: Iterable[Pair]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {site: set() for site in sites}
    for a, b in pairs:
        found[a].add(b)
        found[b].add(a)
    return {site: frozenset(others) for site, others in found.items()}


def connected_groups(sites: Iterable[str], neighbours: Mapping[str, frozenset[str]]) -> tuple[tuple[str, ...], ...]:
    """The sites split into groups joined by neighbours among them, each sorted, in order of their first site."""
    left = set(sites)
    groups = []
    while left:
        start = min(left)
        group, edge = {start}, [start]
        while edge:
            reached = neighbours[edge.pop()] & left - group
            group |= reached
            edge.extend(reached)
        left -= group
        groups.append(tuple(sorted(group)))
    return tuple(groups)
