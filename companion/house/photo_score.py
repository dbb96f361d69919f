"""What photographs say about the boards of one game, what people corrected, and the score that follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from companion.games.catalogue import game_named
from companion.games.makabana.rules import COLOURS, DEFAULT_COLOURS, RULE_SETS
from companion.games.protocol import (
    EMPTY,
    Event,
    Expected,
    FormatError,
    Json,
    Pieces,
    Refusal,
    content_of,
    parse_content,
)
from companion.games.texts import say
from companion.table.score_range import ScoreRange, Way, score_range

GAME = "makabana"
BOARD_ORDER = ("maka-bana", "noka", "nadaa", "maka-bana-2003")
MOST_PLAYERS = 6
_NO_WORDS: Mapping[str, str] = MappingProxyType({})


class Choice(NamedTuple):
    """A way to have played, as people choose it."""

    rules: str
    has_camps: bool = False  # two people with two colours each


CHOICES: Mapping[str, Choice] = {
    "2013": Choice("2013"),
    "2013-teams": Choice("2013-teams"),
    "2003": Choice("2003"),
    "2003-two": Choice("2003", has_camps=True),
}
_EDITION_CHOICES = {"2013": ("2013", "2013-teams"), "2003": ("2003", "2003-two")}


class Seen(NamedTuple):
    """One place in a photo. `chances` are by colour, the empty word standing for an empty place."""

    piece: str
    colour: str | None
    tiki: str | None
    confidence: float
    is_doubtful: bool
    chances: Mapping[str, float]


class Board(NamedTuple):
    name: str
    places: Mapping[str, Seen]
    notes: tuple[Event, ...] = ()

    @classmethod
    def from_reading(cls, data: Mapping[str, Any]) -> Board:
        places = {place: Seen(**seen) for place, seen in data["places"].items()}
        return cls(data["board"], places, tuple(Event(code, values) for code, values in data["notes"]))


class Sheet(NamedTuple):
    """Everything known about one game's final board. `said` are contents that people gave, by place."""

    boards: tuple[Board, ...] = ()
    said: Mapping[str, str] = _NO_WORDS
    players: tuple[str, ...] = ()
    choice: str = "2013"

    @property
    def places(self) -> dict[str, Seen]:
        return {place: seen for board in self.boards for place, seen in board.places.items()}

    def content(self, place: str) -> str:
        """What lies there, as far as it scores: as people said, else as it was seen."""
        if place in self.said:
            return self.said[place]
        seen = self.places[place]
        return content_of(_pieces(seen.piece, seen.colour))

    def to_json(self, language: str) -> dict[str, Json]:
        if not self.boards:
            return {"boards": [], "places": {}, "score": None, "score_problems": [], "players": []}
        edition = RULE_SETS[CHOICES[self.choice].rules].edition
        score, problems = scored(self, language)
        return {
            "boards": [board.name for board in self.boards],
            "edition": edition,
            "rules": self.choice,
            "rule_choices": list(_EDITION_CHOICES[edition]),
            "players": list(self.players),
            "colours": list(COLOURS if edition == "2013" else DEFAULT_COLOURS["2003"]),
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
        }


def merged(sheet: Sheet, board: Board) -> Sheet:
    """The sheet with one more board on it; a board seen before is replaced, with what was said about it."""
    others = [other for other in sheet.boards if other.name != board.name]
    edition = _edition(board.name)
    others = [other for other in others if _edition(other.name) == edition]
    boards = tuple(sorted((*others, board), key=lambda each: BOARD_ORDER.index(each.name)))
    said = {place: content for place, content in sheet.said.items() if place not in board.places}
    known = {place for each in others for place in each.places}
    fresh = Sheet(boards, {place: content for place, content in said.items() if place in known}, choice=edition)
    return fresh._replace(players=_players_seen(fresh), choice=_likely_choice(fresh))


def _edition(board: str) -> str:
    return "2003" if board.endswith("2003") else "2013"


def _players_seen(sheet: Sheet) -> tuple[str, ...]:
    seen = {seen.colour for seen in sheet.places.values() if not seen.is_doubtful}
    return tuple(colour for colour in COLOURS if colour in seen)


def _likely_choice(sheet: Sheet) -> str:
    """Several islands with Maka Bana among them are only used in team play."""
    names = {board.name for board in sheet.boards}
    return "2013-teams" if "maka-bana" in names and len(names) > 1 else sheet.choice


def corrected(sheet: Sheet, verb: str, args: Sequence[str]) -> Sheet | Refusal:
    """The sheet after what somebody said, or why that can't be."""
    if verb == "put":
        return _put(sheet, args)
    if verb == "players":
        wrong = [colour for colour in args if colour not in COLOURS]
        if wrong or len(set(args)) != len(args) or len(args) > MOST_PLAYERS:
            return Refusal("colour_unknown", {"player": (wrong or ["?"])[0], "colours": list(COLOURS)})
        return sheet._replace(players=tuple(colour for colour in COLOURS if colour in args))
    choice = args[0] if len(args) == 1 else ""
    edition = _edition(sheet.boards[0].name)
    if choice not in _EDITION_CHOICES[edition]:
        return Refusal("rules_unknown", {"rules": choice, "allowed": list(_EDITION_CHOICES[edition])})
    return sheet._replace(choice=choice)


def _put(sheet: Sheet, args: Sequence[str]) -> Sheet | Refusal:
    place, content = args if len(args) == 2 else ("", "")
    if place not in sheet.places:
        return Refusal("place_unknown", {"place": place})
    try:
        pieces = parse_content(content)
    except FormatError as error:
        return Refusal(*error.problems[0])
    fits = len(pieces) <= 1 and all(kind == sheet.places[place].piece and colour in COLOURS for kind, colour in pieces)
    if not fits:
        return Refusal("content_unreadable", {"content": content[:80]})
    players = tuple(colour for colour in COLOURS if colour in {*sheet.players, *(colour for _, colour in pieces)})
    return sheet._replace(said={**sheet.said, place: content or EMPTY}, players=players)


def scored(sheet: Sheet, language: str) -> tuple[dict[str, Json] | None, list[str]]:
    """The score with its reasons in words, as a range while places are in doubt; or why there is none."""
    certain, doubtful = _belief(sheet)
    try:
        result = score_range(game_named(GAME), _header(sheet), certain, doubtful)
    except FormatError as error:
        return None, [say(problem, language, GAME) for problem in error.problems]
    return _score_json(result, sheet, language), []


def _header(sheet: Sheet) -> dict[str, Json]:
    choice, players = CHOICES[sheet.choice], list(sheet.players)
    header: dict[str, Json] = {"game": GAME, "rules": choice.rules, "boards": [board.name for board in sheet.boards]}
    header["players"] = players
    if choice.has_camps and len(players) == 4:
        header["camps"] = [players[::2], players[1::2]]
    return header


def _belief(sheet: Sheet) -> tuple[Expected, dict[str, list[Way]]]:
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
    """What is hidden may be anything, so that counts as equally likely."""
    anything = ["", *players]
    unseen = max(0.0, 1.0 - sum(seen.chances.values())) / len(anything)
    chances = {colour: unseen + seen.chances.get(colour, 0.0) for colour in anything}
    total = sum(chances.values()) or 1.0
    return [Way(_pieces(seen.piece, colour or None), chance / total) for colour, chance in chances.items()]


def _pieces(piece: str, colour: str | None) -> Pieces:
    return () if colour is None else ((piece, colour),)


def _score_json(result: ScoreRange, sheet: Sheet, language: str) -> dict[str, Json]:
    scores = result.best.to_json()
    reasons = [
        {**reason.to_json(), **_gains(reason), "text": say(reason, language, GAME), "places": _places_of(reason, sheet)}
        for reason in result.best.reasons
    ]
    return {
        **scores,
        "reasons": reasons,
        "is_settled": result.is_settled,
        "ranges": {player: [result.low[player], result.high[player]] for player in result.low},
        "winner_chances": {player: round(chance, 4) for player, chance in result.winners.items()},
        "ask": result.ask,
        "left_out": list(result.left_out),
    }


def _gains(reason: Event) -> dict[str, Json]:
    """Which column of the score a reason belongs to, and who gains how much by it."""
    points = reason.data["points"]
    category = {"group": "huts", "lone_huts": "huts", "club": "clubs", "camp": "total"}.get(reason.code, "beaches")
    gains = points if isinstance(points, Mapping) else {reason.data.get("player", ""): points}
    return {"category": category, "gains": {player: gain for player, gain in gains.items() if player}}


def _places_of(reason: Event, sheet: Sheet) -> list[str]:
    """The places that a reason is about, to be lit on the map."""
    beach = reason.data.get("beach")
    if reason.code == "club":
        return [f"club:{beach}", *reason.data["sites"]]
    if beach is None:
        return list(reason.data.get("sites", []))
    on_beach = [place for place in sheet.places if place.startswith(f"{beach}-") and sheet.content(place) != EMPTY]
    return [*on_beach, *([f"club:{beach}"] if reason.data.get("club") else [])]
