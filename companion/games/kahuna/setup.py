"""A game's setup: board, players and options, checked, with what follows from them worked out once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from companion.games.headers import (
    HEADER_KEYS,
    Options,
    check_people,
    known_rules,
    options_of,
    players_of,
    rules_of,
)
from companion.games.kahuna.board import BOARD_NAMES, Board, ends_of, load_board, parse_board
from companion.games.kahuna.rules import (
    CARDS_PER_ISLAND,
    COLOURS,
    HANDICAP_OPTIONS,
    OPTIONS,
    PEOPLE,
    REPLACE_REMOVED,
    RESPECT_STONES,
    RULE_SETS,
)
from companion.games.protocol import Event, FormatError, Json, plain

GAME = "kahuna"


@dataclass(frozen=True, eq=False)
class Setup:
    """Who plays on which board. Compared by identity: `make_setup` gives the same object for the same header."""

    rules: str
    board: Board
    board_data: Json  # as the header names it: a name, or a whole board
    colours: tuple[str, ...]
    options: Options

    @cached_property
    def seat_index(self) -> dict[str, int]:
        return {colour: index for index, colour in enumerate(self.colours)}

    @cached_property
    def islands(self) -> tuple[str, ...]:
        return tuple(sorted(self.board.islands))

    @cached_property
    def lines(self) -> frozenset[str]:
        return frozenset(self.board.lines)

    @cached_property
    def ends(self) -> dict[str, tuple[str, str]]:
        return {line: ends_of(line) for line in self.board.lines}

    @cached_property
    def lines_of(self) -> dict[str, tuple[str, ...]]:
        """The lines that start at each island."""
        return {island: tuple(line for line in self.board.lines if island in ends_of(line)) for island in self.islands}

    @cached_property
    def deck(self) -> tuple[str, ...]:
        """All cards, sorted."""
        return tuple(island for island in self.islands for _ in range(CARDS_PER_ISLAND))

    @cached_property
    def respects_stones(self) -> bool:
        return bool(self.options.get(RESPECT_STONES, False))

    @cached_property
    def replaces_removed(self) -> bool:
        return bool(self.options.get(REPLACE_REMOVED, False))

    @cached_property
    def free_bridges(self) -> tuple[int, ...]:
        """For each seat, how many bridges it lays before the first turn."""
        return tuple(int(self.options.get(HANDICAP_OPTIONS[colour], 0)) for colour in self.colours)

    def header(self) -> dict[str, Json]:
        header: dict[str, Json] = {"game": GAME, "rules": self.rules, "boards": [plain(self.board_data)]}
        header["players"] = list(self.colours)
        if self.options:
            header["options"] = dict(self.options)
        return header


def default_header(rules: str, people: int) -> dict[str, Json]:
    """The header of an ordinary game. Raises `FormatError` where the rules have no such game."""
    check_people(known_rules(rules, RULE_SETS), people, PEOPLE)
    return {"game": GAME, "rules": rules, "boards": list(BOARD_NAMES), "players": list(COLOURS)}


def make_setup(header: Mapping[str, Json]) -> Setup:
    """The setup a header describes, built once per header. Raises `FormatError` naming everything that is wrong."""
    if not isinstance(header, Mapping):
        raise FormatError(Event("header_not_object"))
    return _make_setup(json.dumps({key: header[key] for key in HEADER_KEYS if key in header}))


@lru_cache(maxsize=64)
def _make_setup(text: str) -> Setup:
    header = json.loads(text)
    rules = rules_of(header, GAME, RULE_SETS)
    problems: list[Event] = []
    colours = players_of(header.get("players"), COLOURS, problems)
    options = options_of(header.get("options", {}), OPTIONS, rules, problems)
    if all(options.get(option) for option in HANDICAP_OPTIONS.values()):
        problems.append(Event("handicap_for_both", {"options": list(HANDICAP_OPTIONS.values())}))
    board = _board(header.get("boards"), problems)
    if problems or board is None:
        raise FormatError(*problems)
    return Setup(rules, board, header["boards"][0], colours, options)


def _board(entries: Json, problems: list[Event]) -> Board | None:
    if not isinstance(entries, list) or len(entries) != 1:
        problems.append(Event("boards_missing", {"example": list(BOARD_NAMES)}))
        return None
    try:
        return load_board(entries[0]) if isinstance(entries[0], str) else parse_board(entries[0])
    except FormatError as error:
        problems += error.problems
        return None
