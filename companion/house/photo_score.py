"""What photographs say about the boards of one game, what people corrected, and the score that follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from companion.games.catalogue import errors_of, game_named
from companion.games.makabana.board import BOARD_NAMES
from companion.games.makabana.rules import COLOURS as ISLAND_COLOURS
from companion.games.protocol import (
    EMPTY,
    Event,
    Expected,
    FormatError,
    Json,
    Piece,
    Pieces,
    Refusal,
    content_of,
    parse_content,
)
from companion.games.texts import say
from companion.house.photo_games import PhotoGame, Table, photo_game_of
from companion.table.score_range import ScoreRange, Way, score_range
from web.services import PhotoBoard

MOST_PLAYERS = 6
MOST_WAYS = 6  # offered for a doubtful place, the likeliest first
_ISLAND_ORDER = ("maka-bana", "noka", "nadaa", "maka-bana-2003")
_NO_WORDS: Mapping[str, str] = MappingProxyType({})


class Seen(NamedTuple):
    """One place in a photo: the piece that scores there, and what stands on it (`tiki`), which does not. `chances` are
    by colour, the empty word standing for an empty place."""

    piece: str
    colour: str | None
    tiki: str | None
    confidence: float
    is_doubtful: bool
    chances: Mapping[str, float]

    @property
    def content(self) -> str:
        return content_of(_pieces(self.piece, self.colour))

    @property
    def ways(self) -> list[str]:
        """What may lie there, the likeliest first."""
        likely = sorted(self.chances, key=lambda colour: -self.chances[colour])[:MOST_WAYS]
        return [content_of(_pieces(self.piece, colour or None)) for colour in likely]


class Board(NamedTuple):
    name: str
    places: Mapping[str, Seen]
    notes: tuple[Event, ...] = ()

    @classmethod
    def from_reading(cls, data: Mapping[str, Any]) -> Board:
        places = {place: Seen(**seen) for place, seen in data["places"].items()}
        return cls(data["board"], places, tuple(Event(code, values) for code, values in data["notes"]))


class Sheet(NamedTuple):
    """Everything known about one game's final boards. `said` are contents that people gave, by place; `told` is what no
    camera sees, by the key of the fact."""

    boards: tuple[Board, ...] = ()
    said: Mapping[str, str] = _NO_WORDS
    players: tuple[str, ...] = ()
    choice: str = ""
    told: Mapping[str, str] = _NO_WORDS

    @property
    def game(self) -> PhotoGame:
        """The game that the boards belong to; there must be one."""
        return photo_game_of(self.boards[0].name)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(board.name for board in self.boards)

    @property
    def places(self) -> dict[str, Seen]:
        return {place: seen for board in self.boards for place, seen in board.places.items()}

    @property
    def table(self) -> Table:
        return Table(self.names, self.players, self.choice, self.told)

    @property
    def header(self) -> dict[str, Json]:
        return self.game.header(self.table)

    def content(self, place: str) -> str:
        """What lies there, as far as it scores: as people said, else as it was seen."""
        return self.said.get(place) or self.places[place].content

    def to_json(self, language: str) -> dict[str, Json]:
        if not self.boards:
            return {"boards": [], "places": {}, "score": None, "score_problems": [], "players": []}
        score, problems = scored(self, language)
        return {
            "game": self.game.name,
            "header": self.header,
            "boards": list(self.names),
            "edition": self.game.family(self.names[0]),
            "rules": self.choice,
            "rule_choices": sorted(self.game.choices(self.names)),
            "players": list(self.players),
            "colours": list(self.game.colours(self.names)),
            "facts": [
                {**fact._asdict(), "values": list(fact.values), "value": self.told.get(fact.key)}
                for fact in self.game.facts(self.players)
            ],
            "places": {place: self._place(place, seen) for place, seen in self.places.items()},
            "score": score,
            "score_problems": problems,
        }

    def _place(self, place: str, seen: Seen) -> dict[str, Json]:
        is_said = place in self.said
        return {
            "content": self.content(place),
            "piece": seen.piece,
            "confidence": 1.0 if is_said else seen.confidence,
            "is_doubtful": seen.is_doubtful and not is_said,
            "is_corrected": is_said,
            "ways": seen.ways,
        }


def merged(sheet: Sheet, board: Board) -> Sheet:
    """The sheet with one more board on it; a board seen before is replaced, with what was said about it. A board that
    can't lie on the same table begins a new sheet."""
    game = photo_game_of(board.name)
    others = [
        other
        for other in sheet.boards
        if other.name != board.name and photo_game_of(other.name) is game and _are_family(game, other, board)
    ]
    boards = tuple(sorted((*others, board), key=lambda each: _rank(each.name)))
    known = {place for each in others for place in each.places} - set(board.places)
    said = {place: content for place, content in sheet.said.items() if place in known}
    fresh = Sheet(boards, said, told=sheet.told if others else _NO_WORDS)
    choice = game.choices(fresh.names)[0]
    return fresh._replace(players=game.players(fresh.names, _colours_seen(fresh)), choice=choice)


def _are_family(game: PhotoGame, one: Board, other: Board) -> bool:
    return game.family(one.name) == game.family(other.name)


def _rank(board: str) -> tuple[int, str]:
    return (_ISLAND_ORDER.index(board), "") if board in BOARD_NAMES else (0, board)


def _colours_seen(sheet: Sheet) -> set[str]:
    return {seen.colour for seen in sheet.places.values() if seen.colour and not seen.is_doubtful}


# --- What people say ---


def corrected(sheet: Sheet, verb: str, args: Sequence[str]) -> Sheet | Refusal:
    """The sheet after what somebody said, or why that can't be."""
    if verb == "put":
        return _put(sheet, args)
    if verb == "players":
        return _with_players(sheet, args)
    if verb == "tell":
        return _with_fact(sheet, args)
    choice, choices = args[0] if len(args) == 1 else "", sheet.game.choices(sheet.names)
    if choice not in choices:
        return Refusal("rules_unknown", {"rules": choice, "allowed": list(choices)})
    return sheet._replace(choice=choice)


def _with_players(sheet: Sheet, args: Sequence[str]) -> Sheet | Refusal:
    colours = _all_colours(sheet)
    wrong = [colour for colour in args if colour not in colours]
    if wrong or len(set(args)) != len(args) or len(args) > MOST_PLAYERS:
        return Refusal("colour_unknown", {"player": (wrong or ["?"])[0], "colours": list(colours)})
    return sheet._replace(players=tuple(colour for colour in colours if colour in args))


def _with_fact(sheet: Sheet, args: Sequence[str]) -> Sheet | Refusal:
    """One more fact; an empty word takes it back."""
    key, value = args if len(args) == 2 else ("", "")
    facts = {fact.key: fact.values for fact in sheet.game.facts(sheet.players)}
    if key not in facts:
        return Refusal("key_unknown", {"key": key[:40], "allowed": list(facts)})
    if value not in ("", *facts[key]):
        return _wrong_fact(key, value[:40], facts[key])
    told = {other: word for other, word in sheet.told.items() if other != key}
    return sheet._replace(told={**told, key: value} if value else told)


def _wrong_fact(key: str, value: str, values: Sequence[str]) -> Refusal:
    if all(map(str.isdigit, values)):
        return Refusal("number_wrong", {"option": key, "least": values[0], "most": values[-1], "value": value})
    return Refusal("key_unknown", {"key": value, "allowed": list(values)})


def _all_colours(sheet: Sheet) -> Sequence[str]:
    """Every colour that a piece of the game may have or a player be, in order."""
    widest = sheet.game.players(sheet.names, ISLAND_COLOURS)
    return tuple(dict.fromkeys([*widest, *sheet.game.colours(sheet.names)]))


def _put(sheet: Sheet, args: Sequence[str]) -> Sheet | Refusal:
    place, content = args if len(args) == 2 else ("", "")
    if place not in sheet.places:
        return Refusal("place_unknown", {"place": place})
    try:
        pieces = parse_content(content)
    except FormatError as error:
        return Refusal(*error.problems[0])
    if len(pieces) > 1 or not all(_may_lie(sheet, place, piece) for piece in pieces):
        return Refusal("content_unreadable", {"content": content[:80]})
    seen = {*sheet.players, *(colour for _, colour in pieces)}
    return sheet._replace(
        said={**sheet.said, place: content or EMPTY}, players=tuple(sheet.game.players(sheet.names, seen))
    )


def _may_lie(sheet: Sheet, place: str, piece: Piece) -> bool:
    """Whether there is such a piece, and it is of the kind that this place takes."""
    kind, colour = piece
    if sheet.places[place].piece not in (kind, ""):
        return False
    return colour in _all_colours(sheet) or game_named(sheet.game.name).component_of(piece) in _box(sheet)


def _box(sheet: Sheet) -> Mapping[Piece, int]:
    """Every piece of the game, for a table as ordinary as can be."""
    game = game_named(sheet.game.name)
    rules = next(iter(game.rule_sets))
    return game.components(game.start(game.default_header(rules, min(game.rule_sets[rules]))))


# --- The score ---


def scored(sheet: Sheet, language: str) -> tuple[dict[str, Json] | None, list[str]]:
    """The score with its reasons in words, as a range while places are in doubt; or why there is none."""
    try:
        return _score_json(range_of(sheet), sheet, language), []
    except FormatError as error:
        return None, [say(problem, language, sheet.game.name) for problem in error.problems]


def range_of(sheet: Sheet) -> ScoreRange:
    """The score over every way the boards may be, of those whose boards are seen. Raises `FormatError` if there is no
    such game or position."""
    certain, doubtful = belief_of(sheet)
    game = game_named(sheet.game.name)
    with errors_of(game):
        found = score_range(game, sheet.header, certain, doubtful)
    return _only(found, set(sheet.game.scored(sheet.table)) & set(found.low) or set(found.low))


def _only(found: ScoreRange, players: set[str]) -> ScoreRange:
    """The same for these players alone."""
    return found._replace(
        best=found.best._replace(points={p: points for p, points in found.best.points.items() if p in players}),
        low={player: low for player, low in found.low.items() if player in players},
        high={player: high for player, high in found.high.items() if player in players},
        winners={player: chance for player, chance in found.winners.items() if player in players},
    )


def board_found(sheet: Sheet) -> PhotoBoard:
    """The board to go on from. Tikis are left out: they go back to their owners between two rounds."""
    certain, doubtful = belief_of(sheet)
    contents = {place: content_of(pieces) for place, pieces in certain.items()}
    return PhotoBoard(sheet.header, contents, tuple(doubtful))


def belief_of(sheet: Sheet) -> tuple[Expected, dict[str, list[Way]]]:
    """What surely lies there, and for each doubtful place the ways it may be. Tikis do not score."""
    certain: dict[str, Pieces] = {}
    doubtful: dict[str, list[Way]] = {}
    for place, seen in sheet.places.items():
        if seen.is_doubtful and place not in sheet.said:
            doubtful[place] = _ways(seen, sheet.players)
        elif (content := sheet.content(place)) != EMPTY:
            certain[place] = parse_content(content)
    return certain, doubtful


def _ways(seen: Seen, players: Sequence[str]) -> list[Way]:
    """What is hidden may be a piece of anybody, so that counts as equally likely; where pieces are nobody's, it may be
    what was seen of it, or nothing."""
    is_owned = all(colour in ("", *players) for colour in seen.chances)
    anything = ["", *(players if is_owned else seen.chances)]
    unseen = max(0.0, 1.0 - sum(seen.chances.values())) / len(anything)
    chances = {colour: unseen + seen.chances.get(colour, 0.0) for colour in anything}
    total = sum(chances.values()) or 1.0
    return [Way(_pieces(seen.piece, colour or None), chance / total) for colour, chance in chances.items()]


def _pieces(piece: str, colour: str | None) -> Pieces:
    return () if colour is None else ((piece, colour),)


def _score_json(result: ScoreRange, sheet: Sheet, language: str) -> dict[str, Json]:
    contents = {place: sheet.content(place) for place in sheet.places}
    return {
        **result.best.to_json(),
        "reasons": [_reason_json(reason, sheet.game.name, contents, language) for reason in result.best.reasons],
        "is_settled": result.is_settled,
        "ranges": {player: [result.low[player], result.high[player]] for player in result.low},
        "winner_chances": {player: round(chance, 4) for player, chance in result.winners.items()},
        "ask": result.ask,
        "left_out": list(result.left_out),
    }


def _reason_json(reason: Event, game: str, contents: Mapping[str, str], language: str) -> dict[str, Json]:
    """A reason in words, with the column of the score it belongs to, who gains by it, and the places to light."""
    from web.show import gains_of  # only pages ask for this, and a command line may be without them
    from web.shows import show_of

    data = reason.to_json()
    meant = show_of(game).meaning(data, contents)
    gains = dict(meant.gains if meant else gains_of(data))
    told = {
        "category": meant.column if meant else "total",
        "gains": gains,
        "places": list(meant.places) if meant else [],
    }
    return {**data, **told, "text": say(reason, language, game)}
