"""Positions: the JSON form of a board with pieces on it, checked so that a score is never silently wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from companion.games.makabana.board import beach_of
from companion.games.makabana.setup import CLUB_PREFIX, HEADER_KEYS, Setup, make_setup
from companion.games.makabana.state import State
from companion.games.protocol import Event, Expected, FormatError, Json

POSITION_KEYS = (*HEADER_KEYS, "huts", "clubs", "tikis")


class Position(NamedTuple):
    """A board with pieces. `tikis` is by place."""

    setup: Setup
    huts: Mapping[str, str]
    clubs: Mapping[str, str]
    tikis: Mapping[str, str]


def position_of(state: State) -> dict[str, Json]:
    """The position of a game in its JSON form."""
    position = state.setup.header()
    position.pop("options", None)
    position["huts"] = dict(sorted(state.huts.items()))
    position["clubs"] = dict(sorted(state.clubs.items()))
    position["tikis"] = {colour: place for place, colour in sorted(state.tikis.items())}
    return position


def position_with(header: Mapping[str, Json], pieces: Expected) -> dict[str, Json]:
    """The position if these pieces lay on the board. It is not checked: eyes may see what the rules don't allow.

    Raises `FormatError` for a kind of piece that this game has not got.
    """
    found: dict[str, dict[str, Json]] = {"huts": {}, "clubs": {}, "tikis": {}}
    for place, on_place in pieces.items():
        for piece, colour in on_place:
            if f"{piece}s" not in found:
                raise FormatError(Event("content_unreadable", {"content": f"{piece}:{colour}"}))
            if piece == "tiki":
                found["tikis"][colour] = place
            else:
                found[f"{piece}s"][place.removeprefix(CLUB_PREFIX)] = colour
    return {**{key: header[key] for key in HEADER_KEYS if key in header}, **found}


def parse_position(data: Json) -> Position:
    """The position that plain JSON data describes. Raises `FormatError` naming everything that is wrong."""
    if not isinstance(data, dict):
        raise FormatError(Event("header_not_object"))
    setup = make_setup(data)
    problems = [
        Event("key_unknown", {"key": key, "allowed": list(POSITION_KEYS)}) for key in data if key not in POSITION_KEYS
    ]
    if "huts" not in data:
        problems.append(Event("huts_missing"))
    huts = _owners(data, "huts", setup, problems)
    clubs = _owners(data, "clubs", setup, problems)
    tikis = _tikis(data, setup, problems)
    problems += _hut_problems(huts, setup)
    problems += _club_problems(clubs, setup)
    problems += _tiki_problems(tikis, huts, clubs, setup)
    if problems:
        raise FormatError(*problems)
    return Position(setup, huts, clubs, {place: colour for colour, place in tikis.items()})


def _owners(data: Mapping[str, Json], key: str, setup: Setup, problems: list[Event]) -> dict[str, str]:
    """The places of one kind of piece with their owners, those that can be read."""
    entries = data.get(key, {})
    if not isinstance(entries, dict):
        problems.append(Event("not_an_object", {"key": key}))
        return {}
    owners = {}
    for place, owner in entries.items():
        if isinstance(owner, list) and len(owner) > 1:
            problems.append(Event("several_on_place", {"key": key, "place": place, "owners": owner}))
        elif owner not in setup.colours:
            problems.append(
                Event("owner_unknown", {"key": key, "place": place, "owner": owner, "players": list(setup.colours)})
            )
        else:
            owners[place] = owner
    return owners


def _hut_problems(huts: Mapping[str, str], setup: Setup) -> list[Event]:
    problems = [_unknown_site(site, setup) for site in huts if site not in setup.site_set]
    most = setup.rules.huts_per_colour
    return problems + [
        Event("too_many_huts", {"player": colour, "count": count, "most": most})
        for colour, count in Counter(huts.values()).items()
        if count > most
    ]


def _unknown_site(site: str, setup: Setup) -> Event:
    beach = beach_of(site)
    if any(site in board.sites for board in setup.boards):
        return Event("beach_left_out", {"site": site, "beach": beach, "players": len(setup.colours)})
    if beach not in setup.beach_sites:
        return Event("site_of_no_beach", {"site": site, "beach": beach, "beaches": list(setup.beach_sites)})
    return Event("site_not_on_beach", {"site": site, "sites": list(setup.beach_sites[beach])})


def _club_problems(clubs: Mapping[str, str], setup: Setup) -> list[Event]:
    if clubs and not setup.rules.clubs:
        return [Event("rules_without_clubs", {"rules": setup.rules.name, "beach": next(iter(clubs))})]
    problems = [
        Event("club_on_no_beach", {"beach": beach, "beaches": list(setup.beach_sites)})
        for beach in clubs
        if CLUB_PREFIX + beach not in setup.club_places
    ]
    most = setup.rules.clubs_per_seat * setup.rules.seats_per_colour
    return problems + [
        Event("too_many_clubs", {"player": colour, "count": count, "most": most})
        for colour, count in Counter(clubs.values()).items()
        if count > most
    ]


def _tikis(data: Mapping[str, Json], setup: Setup, problems: list[Event]) -> dict[str, str]:
    """Each colour's tiki and its place."""
    entries = data.get("tikis", {})
    if not isinstance(entries, dict):
        problems.append(Event("not_an_object", {"key": "tikis"}))
        return {}
    problems += [
        Event("tiki_owner_unknown", {"owner": colour, "players": list(setup.colours)})
        for colour in entries
        if colour not in setup.colours
    ]
    wrong = {colour: place for colour, place in entries.items() if not isinstance(place, str)}
    problems += [Event("tiki_place_unknown", {"owner": colour, "place": place}) for colour, place in wrong.items()]
    return {colour: place for colour, place in entries.items() if colour in setup.colours and colour not in wrong}


def _tiki_problems(
    tikis: Mapping[str, str], huts: Mapping[str, str], clubs: Mapping[str, str], setup: Setup
) -> list[Event]:
    problems = [
        Event("tikis_share_place", {"place": place}) for place, count in Counter(tikis.values()).items() if count > 1
    ]
    for colour, place in tikis.items():
        if place not in setup.site_set and place not in setup.club_places:
            problems.append(Event("tiki_place_unknown", {"owner": colour, "place": place}))
        elif huts.get(place, colour) != colour:
            problems.append(Event("tiki_on_others_hut", {"owner": colour, "place": place, "hut": huts[place]}))
        elif place.removeprefix(CLUB_PREFIX) in clubs:
            problems.append(Event("tiki_on_built_club", {"owner": colour, "place": place}))
    return problems
