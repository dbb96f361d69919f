"""`makabana score PHOTO --board BOARD`: score the final board from a photo, as a range while there are doubts."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from companion.commands.extras import need
from companion.commands.read import read_photo
from companion.commands.score import score_json, score_lines
from companion.commands.terminal import Ink, columns
from companion.games.catalogue import game_named
from companion.games.headers import known_rules
from companion.games.makabana.rules import COLOURS, RULE_SETS
from companion.games.protocol import Event, Expected, FormatError, Json, Pieces
from companion.games.texts import name
from companion.table.score_range import ScoreRange, Way, score_range

if TYPE_CHECKING:
    from vision.read import Reading
    from vision.reading.judge import Verdict

GAME = "makabana"
WORDS = {
    "en": {
        "range": "The score is not settled: {count} place(s) are in doubt.",
        "from_to": "total",
        "ask": "What matters most is {place}: {ways}? Look there, or take another photo.",
        "same": "The doubts do not change the score.",
        "left_out": "So many doubts that {places} were taken as they look; better take another photo.",
        "empty": "empty",
    },
    "fr": {
        "range": "Le score n’est pas établi : {count} place(s) en doute.",
        "from_to": "total",
        "ask": "Ce qui compte le plus est {place} : {ways} ? Regardez là, ou reprenez une photo.",
        "same": "Les doutes ne changent pas le score.",
        "left_out": "Tant de doutes que {places} sont pris comme ils paraissent ; mieux vaut reprendre une photo.",
        "empty": "vide",
    },
}


def run(args: argparse.Namespace) -> int:
    need("cv2", "numpy", extra="vision")
    (args.photo,) = args.position
    reading, _, reference = read_photo(args)
    rules = known_rules(args.rules or reference.edition, tuple(RULE_SETS))
    header = {"game": GAME, "rules": rules, "boards": [_board(args)], "players": _players(args.players, reading, rules)}
    certain, doubtful = _belief(reading, header["players"])
    result = score_range(game_named(GAME), header, certain, doubtful)
    if args.json:
        print(json.dumps(_json(result, reading, args.lang), ensure_ascii=False, indent=1))
    else:
        print("\n".join(range_lines(result, doubtful, args.lang, GAME)))
    return 0


def _board(args: argparse.Namespace) -> Json:
    """The board as a position names it: one of ours by its name, an owner's own as a whole."""
    if not args.trace:
        return args.board
    from companion.commands.files import read_text
    from companion.games.record import loads_strictly
    from vision.trace import board_file, parse_trace

    return board_file(parse_trace(loads_strictly(read_text(args.trace))))


def _players(said: str | None, reading: Reading, rules: str) -> list[str]:
    """The colours that played: as said, or those whose pieces are surely seen, if that is a number the rules know."""
    if said:
        return said.split(",")
    seen = {verdict.state.base for verdict in reading.verdicts if verdict.reason is None}
    colours = [colour for colour in COLOURS if colour in seen]
    rule_set = RULE_SETS[rules]
    if len(colours) * rule_set.seats_per_colour not in rule_set.boards:
        raise FormatError(Event("say_who_played", {"seen": colours, "rules": rules}))
    return colours


def _belief(reading: Reading, players: Sequence[str]) -> tuple[Expected, dict[str, list[Way]]]:
    """What surely lies there, and for each doubtful place the ways it may be. Tikis do not score."""
    certain: dict[str, Pieces] = {}
    doubtful: dict[str, list[Way]] = {}
    for verdict in reading.verdicts:
        place = verdict.place if verdict.base_name == "hut" else f"club:{verdict.place}"
        if verdict.reason is None:
            certain[place] = _pieces(verdict.base_name, verdict.state.base)
        else:
            doubtful[place] = _ways(verdict, players)
    return {place: pieces for place, pieces in certain.items() if pieces}, doubtful


def _pieces(kind: str, colour: str | None) -> Pieces:
    return () if colour is None else ((kind, colour),)


def _ways(verdict: Verdict, players: Sequence[str]) -> list[Way]:
    """The odds of a place by what scores there. What is hidden may be anything, so that counts as equally likely."""
    anything: list[str | None] = [None, *players]
    unseen = max(0.0, 1.0 - sum(verdict.odds.values())) / len(anything)
    chances: dict[str | None, float] = dict.fromkeys(anything, unseen)
    for state, chance in verdict.odds.items():
        if state.base in chances:
            chances[state.base] += chance
    total = sum(chances.values()) or 1.0
    return [Way(_pieces(verdict.base_name, colour), chance / total) for colour, chance in chances.items()]


def _json(result: ScoreRange, reading: Reading, language: str) -> dict[str, Json]:
    return {
        **range_json(result, language, GAME),
        "reading": reading.to_json(language),
    }


def range_json(result: ScoreRange, language: str, game: str) -> dict[str, Json]:
    """The score of the likeliest board, and how far others may be from it."""
    return {
        **score_json(result.best, language, game),
        "settled": result.is_settled,
        "ranges": {player: [result.low[player], result.high[player]] for player in result.low},
        "winner_chances": {player: round(chance, 4) for player, chance in result.winners.items()},
        "ask": result.ask,
    }


def range_lines(result: ScoreRange, doubtful: dict[str, list[Way]], language: str, game: str) -> Iterator[str]:
    """The score as a person likes to read it; while it is not settled, its range and the one place that matters."""
    words = WORDS[language]
    if not result.is_settled:
        yield from _range_lines(result, doubtful, language, game)
        return
    yield from score_lines(result.best, language, game)
    if doubtful:
        yield "  " + words["same"]


def _range_lines(result: ScoreRange, doubtful: dict[str, list[Way]], language: str, game: str) -> Iterator[str]:
    ink, words = Ink(), WORDS[language]
    yield ""
    yield "  " + ink.bold(words["range"].format(count=len(doubtful)))
    yield ""
    ranked = sorted(result.low, key=lambda player: -result.high[player])
    rows = [["", words["from_to"], "★"]]
    rows += [[name(p, language, game), _from_to(result, p), f"{result.winners[p]:.0%}"] for p in ranked]
    heading, *lines = columns(rows, "   ")
    yield "  " + ink.dim(heading)
    yield from ("  " + ink.colour(player, line) for player, line in zip(ranked, lines, strict=True))
    yield ""
    if result.ask:
        ways = sorted(doubtful[result.ask], key=lambda way: -way.chance)[:3]
        said = ", ".join(_way_text(way, language, game) for way in ways)
        yield "  " + words["ask"].format(place=result.ask, ways=said)
    if result.left_out:
        yield "  " + words["left_out"].format(places=", ".join(result.left_out))


def _from_to(result: ScoreRange, player: str) -> str:
    low, high = result.low[player], result.high[player]
    return str(low) if low == high else f"{low}–{high}"


def _way_text(way: Way, language: str, game: str) -> str:
    if not way.pieces:
        return f"{WORDS[language]['empty']} {way.chance:.0%}"
    return ", ".join(f"{name(colour, language, game)} {way.chance:.0%}" for _, colour in way.pieces)
