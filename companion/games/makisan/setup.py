"""A game's setup: with or without Wasabi, and who begins."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from companion.games.headers import check_people, known_rules, options_of, players_of, rules_of
from companion.games.makisan.rules import PEOPLE, RULE_SETS, SIDES
from companion.games.protocol import Event, FormatError, Json

GAME = "makisan"
HEADER_KEYS = ("game", "rules", "players", "options")  # no options yet: empty, or left out


@dataclass(frozen=True, eq=False)
class Setup:
    """Compared by identity: `make_setup` gives the same object for the same header."""

    rules: str
    seats: tuple[str, ...]  # the first player of the first round first

    @property
    def has_wasabi(self) -> bool:
        return RULE_SETS[self.rules]

    def header(self) -> dict[str, Json]:
        return {"game": GAME, "rules": self.rules, "players": list(self.seats)}


def default_header(rules: str, people: int) -> dict[str, Json]:
    """The header of an ordinary game. Raises `FormatError` where the rules have no such game."""
    check_people(known_rules(rules, tuple(RULE_SETS)), people, PEOPLE)
    return {"game": GAME, "rules": rules, "players": list(SIDES)}


def make_setup(header: Mapping[str, Json]) -> Setup:
    """The setup a header describes, built once per header. Raises `FormatError` naming everything that is wrong."""
    if not isinstance(header, Mapping):
        raise FormatError(Event("header_not_object"))
    return _make_setup(json.dumps({key: header[key] for key in HEADER_KEYS if key in header}))


@lru_cache(maxsize=64)
def _make_setup(text: str) -> Setup:
    header = json.loads(text)
    rules = rules_of(header, GAME, tuple(RULE_SETS))
    problems: list[Event] = []
    seats = players_of(header.get("players"), SIDES, problems)
    options_of(header.get("options", {}), {}, rules, problems)
    if problems:
        raise FormatError(*problems)
    return Setup(rules, seats)


def other(seat: str) -> str:
    """The opponent."""
    return SIDES[1 - SIDES.index(seat)]
