"""Reading the header of a game for two: the checks that do not depend on which game it is.

Each check appends what is wrong to `problems`, so that a header's author sees everything at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.protocol import Event, FormatError, Json

HEADER_KEYS = ("game", "rules", "boards", "players", "options")

# What an option may be: yes or no (None), or a whole number of the range.
Option = range | None
Options = Mapping[str, bool | int]


def rules_of(header: Mapping[str, Json], game: str, rule_sets: Sequence[str]) -> str:
    """The name of the rules. Raises `FormatError` for another game or rules we do not have."""
    if header.get("game") != game:
        raise FormatError(Event("game_unknown", {"game": header.get("game"), "allowed": [game]}))
    return known_rules(header.get("rules"), rule_sets)


def known_rules(name: Json, rule_sets: Sequence[str]) -> str:
    """Raises `FormatError` for rules we do not have."""
    if not isinstance(name, str) or name not in rule_sets:
        raise FormatError(Event("rules_unknown", {"rules": name, "allowed": list(rule_sets)}))
    return name


def check_people(rules: str, people: int, allowed: int) -> None:
    """Raises `FormatError` unless as many people play as the rules are for."""
    if people != allowed:
        raise FormatError(Event("players_number", {"rules": rules, "count": people, "allowed": [allowed]}))


def players_of(players: Json, names: Sequence[str], problems: list[Event]) -> tuple[str, ...]:
    """The players in turn order, which are these and no others."""
    is_list = isinstance(players, list) and len(players) == len(names) and all(isinstance(p, str) for p in players)
    if not is_list or sorted(players) != sorted(names):
        problems.append(Event("players_wrong", {"players": players, "allowed": list(names)}))
        return tuple(names)
    return tuple(players)


def options_of(options: Json, allowed: Mapping[str, Option], rules: str, problems: list[Event]) -> Options:
    """The options that a table chose, those that can be read."""
    if not isinstance(options, dict):
        problems.append(Event("options_wrong", {"allowed": list(allowed)}))
        return {}
    found: dict[str, bool | int] = {}
    for name, value in options.items():
        if problem := _option_problem(name, value, allowed, rules):
            problems.append(problem)
        else:
            found[name] = value
    return found


def _option_problem(name: str, value: Json, allowed: Mapping[str, Option], rules: str) -> Event | None:
    numbers = allowed.get(name)
    if name not in allowed or (numbers is None and not isinstance(value, bool)):
        return Event("option_unknown", {"option": name, "rules": rules, "allowed": list(allowed)})
    if numbers is not None and (isinstance(value, bool) or not isinstance(value, int) or value not in numbers):
        limits = {"option": name, "least": numbers.start, "most": numbers.stop - 1, "value": value}
        return Event("number_wrong", limits)
    return None


def unknown_keys(data: Mapping[str, Json], allowed: Sequence[str]) -> list[Event]:
    return [Event("key_unknown", {"key": key, "allowed": list(allowed)}) for key in data if key not in allowed]
