"""The board of Kahuna as data: islands, and the lines between them on which bridges lie.

`parse_board` turns JSON into a `Board`, or says everything that is wrong with it. A line is written by its two
islands, `ALOA-BARI`, the one that comes first in the alphabet first.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import NamedTuple

from companion.games.protocol import Event, FormatError, Json

BOARD_NAMES = ("kahuna",)
ISLANDS, LINES = 12, 27  # of every copy; only where they lie may differ
FEWEST_LINES = 2  # of an island
MOST_ENTRIES = 100  # far beyond any board, so that a wrong file is told at once
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_ISLAND = re.compile(r"[A-Z]{2,12}")


class Board(NamedTuple):
    """`islands` gives the place of each as fractions of the picture, from its top left; `lines` are sorted."""

    name: str
    islands: Mapping[str, tuple[float, float]]
    lines: tuple[str, ...]


def line_name(one: str, other: str) -> str:
    """The line between two islands."""
    return "-".join(sorted((one, other)))


def ends_of(line: str) -> tuple[str, str]:
    """The two islands that a line joins."""
    one, _, other = line.partition("-")
    return one, other


@cache
def load_board(name: str) -> Board:
    """One of the boards that come with the game. Raises `FormatError`."""
    if name not in BOARD_NAMES:
        raise FormatError(Event("board_unknown", {"board": name, "allowed": list(BOARD_NAMES)}))
    folder = resources.files("companion.games.kahuna").joinpath("boards")
    return parse_board(json.loads(folder.joinpath(f"{name}.json").read_text(encoding="utf-8")))


def parse_board(data: Json) -> Board:
    """The board that plain data describes. Raises `FormatError` naming everything that is wrong."""
    if not isinstance(data, dict):
        raise FormatError(Event("header_not_object"))
    problems: list[Event] = []
    name = data.get("board")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        problems.append(Event("board_name_wrong", {"name": name}))
    islands = _islands(data.get("islands"), problems)
    lines = _lines(data.get("lines"), islands, problems)
    problems += _count_problems(islands, lines)
    if problems:
        raise FormatError(*problems)
    return Board(str(name), islands, tuple(sorted(lines)))


def _islands(entries: Json, problems: list[Event]) -> dict[str, tuple[float, float]]:
    if not isinstance(entries, dict) or len(entries) > MOST_ENTRIES:
        problems.append(Event("islands_missing", {"count": ISLANDS}))
        return {}
    found = {}
    for island, point in entries.items():
        if not _ISLAND.fullmatch(island):
            problems.append(Event("island_name_wrong", {"island": island}))
        elif not _is_point(point):
            problems.append(Event("point_off_board", {"id": island, "point": point}))
        else:
            found[island] = (float(point[0]), float(point[1]))
    return found


def _is_point(point: Json) -> bool:
    if not isinstance(point, list) or len(point) != 2:
        return False
    return all(isinstance(part, int | float) and not isinstance(part, bool) and 0 <= part <= 1 for part in point)


def _lines(entries: Json, islands: Mapping[str, tuple[float, float]], problems: list[Event]) -> set[str]:
    if not isinstance(entries, list) or len(entries) > MOST_ENTRIES:
        problems.append(Event("lines_missing", {"count": LINES}))
        return set()
    found: set[str] = set()
    for entry in entries:
        if not isinstance(entry, list) or len(entry) != 2 or not all(isinstance(end, str) for end in entry):
            problems.append(Event("not_a_line", {"entry": json.dumps(entry)[:80]}))
        elif entry[0] == entry[1] or not islands.keys() >= set(entry):
            problems.append(Event("line_between_unknown", {"islands": entry}))
        elif line_name(*entry) in found:
            problems.append(Event("line_twice", {"line": line_name(*entry)}))
        else:
            found.add(line_name(*entry))
    return found


def _count_problems(islands: Mapping[str, tuple[float, float]], lines: set[str]) -> list[Event]:
    """A line too few is a slip of the pen that would change who has a majority."""
    problems = []
    if (len(islands), len(lines)) != (ISLANDS, LINES):
        counts = {"islands": len(islands), "lines": len(lines), "most_islands": ISLANDS, "most_lines": LINES}
        problems.append(Event("board_count_wrong", counts))
    degrees = {island: sum(island in ends_of(line) for line in lines) for island in islands}
    return problems + [
        Event("island_with_few_lines", {"island": island, "count": degree, "least": FEWEST_LINES})
        for island, degree in degrees.items()
        if degree < FEWEST_LINES
    ]
