"""A game's setup: rules, boards, players and options, checked, with what follows from them worked out once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from companion.games.makabana.board import (
    SECTORS,
    SPOTS,
    Board,
    beach_of,
    coordinates_of,
    load_board,
    neighbours_of,
    parse_board,
)
from companion.games.makabana.rules import COLOURS, DEFAULT_COLOURS, PAINTS_PER_SEAT, RULE_SETS, RuleSet
from companion.games.protocol import Action, Event, FormatError, Json, plain

GAME = "makabana"
PAINT = "Paint"
CLUB = "Club"
CLUB_PREFIX = "club:"
MOST_BOARDS = 3
HEADER_KEYS = ("game", "rules", "boards", "players", "camps", "options")


@dataclass(frozen=True, eq=False)
class Setup:
    """Who plays what on which boards. Compared by identity: `make_setup` gives the same object for the same header."""

    rules: RuleSet
    boards: tuple[Board, ...]
    board_data: tuple[Json, ...]  # as the header names them: a name, or a whole board
    colours: tuple[str, ...]
    camps: tuple[tuple[str, ...], ...]
    options: Mapping[str, bool]

    @cached_property
    def seats(self) -> tuple[str, ...]:
        if self.rules.seats_per_colour == 1:
            return self.colours
        return tuple(
            f"{colour}-{half}" for half in range(1, self.rules.seats_per_colour + 1) for colour in self.colours
        )

    @cached_property
    def seat_index(self) -> dict[str, int]:
        return {seat: index for index, seat in enumerate(self.seats)}

    @cached_property
    def colour_index(self) -> tuple[int, ...]:
        """For each seat, the index of its colour. Partners sit opposite: seats count through the colours again."""
        return tuple(index % len(self.colours) for index in range(len(self.seats)))

    @cached_property
    def colour_of(self) -> tuple[str, ...]:
        return tuple(self.colours[index] for index in self.colour_index)

    @cached_property
    def sites(self) -> tuple[str, ...]:
        """The sites in play, sorted."""
        left_out = self.rules.left_out.get(len(self.seats))
        return tuple(sorted(site for board in self.boards for site in board.sites if beach_of(site) != left_out))

    @cached_property
    def site_index(self) -> dict[str, int]:
        return {site: index for index, site in enumerate(self.sites)}

    @cached_property
    def site_set(self) -> frozenset[str]:
        return frozenset(self.sites)

    @cached_property
    def beach_of(self) -> dict[str, str]:
        return {site: beach_of(site) for site in self.sites}

    @cached_property
    def site_named(self) -> dict[tuple[str, ...], str]:
        """The site that a beach, a sector and a spot name together."""
        return {coordinates: site for site, coordinates in self.coordinates.items()}

    @cached_property
    def cards_of_kind(self) -> dict[str, tuple[str, ...]]:
        kinds = self.card_kinds
        return {kind: tuple(card for card in kinds if kinds[card] == kind) for kind in kinds.values()}

    @cached_property
    def coordinates(self) -> dict[str, tuple[str, str, str]]:
        return {site: coordinates_of(site) for site in self.sites}

    @cached_property
    def neighbours(self) -> dict[str, frozenset[str]]:
        pairs = (pair for board in self.boards for pair in board.adjacent)
        return neighbours_of(self.sites, (pair for pair in pairs if self.site_set.issuperset(pair)))

    @cached_property
    def beach_sites(self) -> dict[str, tuple[str, ...]]:
        """The sites of each beach in play."""
        sites: dict[str, tuple[str, ...]] = {}
        for site in self.sites:
            sites[beach_of(site)] = (*sites.get(beach_of(site), ()), site)
        return sites

    @cached_property
    def club_places(self) -> tuple[str, ...]:
        if not self.rules.clubs:
            return ()
        return tuple(sorted(CLUB_PREFIX + beach for board in self.boards for beach in board.clubs))

    @cached_property
    def card_kinds(self) -> dict[str, str]:
        """Every card face in play and its kind, in the order a plan is written."""
        kinds = dict.fromkeys(self.beach_sites, "beach")
        kinds |= dict.fromkeys(SECTORS[self.rules.edition], "sector") | dict.fromkeys(SPOTS, "spot")
        if self.rules.clubs:
            kinds[CLUB] = CLUB
        return kinds | {PAINT: PAINT}

    @cached_property
    def card_rank(self) -> dict[str, int]:
        return {card: rank for rank, card in enumerate(self.card_kinds)}

    @cached_property
    def protect_only_when_threatened(self) -> bool:
        return self.options.get("protect_only_when_threatened", self.rules.protect_only_when_threatened)

    @cached_property
    def reveal_actions(self) -> tuple[tuple[Action], ...]:
        """For each seat, the one thing it can do when its turn to realise comes."""
        return tuple((Action(seat, "reveal"),) for seat in self.seats)

    @cached_property
    def _place_actions(self) -> dict[tuple[str, int], dict[str, Action]]:
        return {}

    def place_actions(self, verb: str, seat: int) -> dict[str, Action]:
        """For each place, the one action object of that seat and verb there: legal lists are picked from these."""
        actions = self._place_actions.get((verb, seat))
        if actions is None:
            actions = {place: Action(self.seats[seat], verb, (place,)) for place in self.sites + self.club_places}
            self._place_actions[verb, seat] = actions
        return actions

    def header(self) -> dict[str, Json]:
        header: dict[str, Json] = {"game": GAME, "rules": self.rules.name, "boards": plain(self.board_data)}
        header["players"] = list(self.colours)
        if self.camps:
            header["camps"] = [list(camp) for camp in self.camps]
        if self.options:
            header["options"] = dict(self.options)
        return header

    @cached_property
    def has_two_way_cards(self) -> bool:
        """In team play one card shows two beaches, and the way it lies says which."""
        return len({beach[0] for beach in self.beach_sites}) < len(self.beach_sites)

    @cached_property
    def seen_face(self) -> dict[str, str]:
        """What others read on a shown card: of a two-way card both beaches, for which one is meant stays secret."""
        twins = {
            card: [beach for beach in self.beach_sites if beach[0] == card[0]] if kind == "beach" else [card]
            for card, kind in self.card_kinds.items()
        }
        return {card: "/".join(faces) for card, faces in twins.items()}

    @cached_property
    def full_hand(self) -> dict[str, int]:
        """How many of each card a seat starts with. In team play a two-beach card counts under both its names."""
        hand = dict.fromkeys(self.card_kinds, 1)
        return hand | {PAINT: PAINTS_PER_SEAT}


def default_header(rules: str, people: int) -> dict[str, Json]:
    """The header of an ordinary game for so many people. Raises `FormatError` where the rules have no such game."""
    rule_set = _rule_set(rules)
    camps = rule_set.camps and people == 2
    seats = 4 if camps else people
    if seats not in rule_set.boards:
        raise FormatError(
            Event("players_number", {"rules": rules, "count": people, "allowed": people_allowed(rule_set)})
        )
    colours = DEFAULT_COLOURS[rule_set.edition][: seats // rule_set.seats_per_colour]
    header: dict[str, Json] = {
        "game": GAME,
        "rules": rules,
        "boards": list(rule_set.boards[seats]),
        "players": list(colours),
    }
    if camps:
        header["camps"] = [list(colours[::2]), list(colours[1::2])]
    return header


def make_setup(header: Mapping[str, Json]) -> Setup:
    """The setup a header describes, built once per header. Raises `FormatError` naming everything that is wrong."""
    if not isinstance(header, Mapping):
        raise FormatError(Event("header_not_object"))
    return _make_setup(json.dumps({key: header[key] for key in HEADER_KEYS if key in header}))


@lru_cache(maxsize=64)
def _make_setup(text: str) -> Setup:
    header = json.loads(text)
    if header.get("game") != GAME:
        raise FormatError(Event("game_unknown", {"game": header.get("game"), "allowed": [GAME]}))
    rules = _rule_set(header.get("rules"))
    problems: list[Event] = []
    colours = _colours(header.get("players"), rules, problems)
    boards = _boards(header.get("boards"), rules, problems)
    camps = _camps(header.get("camps"), colours, rules, problems)
    options = _options(header.get("options", {}), rules, problems)
    if problems:
        raise FormatError(*problems)
    return Setup(rules, boards, tuple(header["boards"]), colours, camps, options)


def _rule_set(name: Json) -> RuleSet:
    if not isinstance(name, str) or name not in RULE_SETS:
        raise FormatError(Event("rules_unknown", {"rules": name, "allowed": list(RULE_SETS)}))
    return RULE_SETS[name]


def people_allowed(rules: RuleSet) -> list[int]:
    return ([2] if rules.camps else []) + list(rules.boards)


def _colours(players: Json, rules: RuleSet, problems: list[Event]) -> tuple[str, ...]:
    if not isinstance(players, list) or not all(isinstance(player, str) for player in players):
        problems.append(Event("players_missing", {"colours": list(COLOURS)}))
        return ()
    if len(players) > len(COLOURS):
        problems.append(Event("too_many_entries", {"key": "players", "count": len(players), "most": len(COLOURS)}))
        return ()
    problems += [Event("colour_unknown", {"player": p, "colours": list(COLOURS)}) for p in players if p not in COLOURS]
    problems += [Event("player_twice", {"player": p}) for p in sorted(set(players)) if players.count(p) > 1]
    if len(players) * rules.seats_per_colour not in rules.boards:
        allowed = [seats // rules.seats_per_colour for seats in rules.boards]
        problems.append(Event("colours_number", {"rules": rules.name, "count": len(players), "allowed": allowed}))
    return tuple(players)


def _boards(entries: Json, rules: RuleSet, problems: list[Event]) -> tuple[Board, ...]:
    if not isinstance(entries, list) or not entries:
        problems.append(Event("boards_missing", {"example": list(next(iter(rules.boards.values())))}))
        return ()
    if len(entries) > MOST_BOARDS:
        problems.append(Event("too_many_entries", {"key": "boards", "count": len(entries), "most": MOST_BOARDS}))
        return ()
    boards: list[Board] = []
    for entry in entries:
        try:
            board = load_board(entry) if isinstance(entry, str) else parse_board(entry)
        except FormatError as error:
            problems += error.problems
            continue
        if board.edition != rules.edition:
            problems.append(
                Event("board_edition", {"board": board.name, "edition": board.edition, "rules": rules.name})
            )
        problems += [
            Event("beach_on_two_boards", {"beach": beach, "boards": [other.name, board.name]})
            for other in boards
            for beach in other.beaches
            if beach in board.beaches
        ]
        boards.append(board)
    if rules.opening_huts > 1 and boards and sum(len(board.beaches) for board in boards) < 2:
        problems.append(Event("too_few_beaches"))  # the second hut of the opening goes to another beach
    return tuple(boards)


def _camps(camps: Json, colours: tuple[str, ...], rules: RuleSet, problems: list[Event]) -> tuple[tuple[str, ...], ...]:
    if camps is None:
        return ()
    expected = [list(colours[::2]), list(colours[1::2])]
    if not rules.camps or len(colours) != 4 or camps != expected:
        problems.append(Event("camps_wrong", {"camps": camps, "expected": expected}))
        return ()
    return tuple(tuple(camp) for camp in camps)


def _options(options: Json, rules: RuleSet, problems: list[Event]) -> dict[str, bool]:
    allowed = list(rules.options)
    if not isinstance(options, dict):
        problems.append(Event("options_wrong", {"allowed": allowed}))
        return {}
    wrong = [key for key, value in options.items() if key not in allowed or not isinstance(value, bool)]
    problems += [Event("option_unknown", {"option": key, "rules": rules.name, "allowed": allowed}) for key in wrong]
    return {key: value for key, value in options.items() if key not in wrong}
