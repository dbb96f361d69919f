"""`makabana score`: the score of a position or, with --board or --game, of photos, with its reasons."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

from companion.commands.files import FileError, read_text
from companion.commands.read import BOARD_HINTS, add_board_arguments
from companion.commands.terminal import Ink, columns
from companion.games.catalogue import GAME_NAMES, errors_of, game_of
from companion.games.makabana.board import BOARD_NAMES
from companion.games.protocol import Event, FormatError, Json, Score
from companion.games.record import loads_strictly
from companion.games.texts import name, say, word

WHY = {"en": "Why", "fr": "Pourquoi"}


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("score", help="score a position and say why", description=__doc__)
    parser.add_argument(
        "position",
        nargs="+",
        help="a position in JSON (see companion/README.md), - for the standard input, or photos, one for each board",
    )
    add_board_arguments(parser)
    parser.add_argument("--game", choices=GAME_NAMES, help="with photos: which game they show, if not by --board")
    parser.add_argument("--rules", help="with photos: the rules of the game played")
    parser.add_argument("--players", metavar="COLOURS", help="with photos: who played, such as blue,green,yellow")
    parser.add_argument(
        "--tell",
        action="append",
        default=[],
        metavar="FACT=WORD",
        help="with photos: what no camera sees, such as shells-blue=7, won-1=white or wins-south=1; may be repeated",
    )
    parser.add_argument("--json", action="store_true", help="print JSON for programs")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    if args.board or args.trace or args.game:
        return _run_photos(args)
    if len(args.position) > 1:
        raise FormatError(Event("which_board", {"boards": list(BOARD_HINTS)}))
    path = args.position[0]
    try:
        position = loads_strictly(read_text(path))
        game = game_of(position)
        with errors_of(game):
            score = game.score_position(position)
    except FormatError as error:
        raise FileError(path, error) from None
    if args.json:
        print(json.dumps(score_json(score, args.lang, game.name), ensure_ascii=False, indent=1))
    else:
        print("\n".join(score_lines(score, args.lang, game.name)))
    return 0


def _run_photos(args: argparse.Namespace) -> int:
    """One photo of an island may be of an owner's own or calibrated; all else is scored as the photo page does it."""
    from companion.commands import score_photo, score_sheets

    is_one_island = len(args.position) == 1 and (args.trace or args.board in BOARD_NAMES) and not args.tell
    return score_photo.run(args) if is_one_island else score_sheets.run(args)


def score_json(score: Score, language: str, game: str) -> dict[str, Json]:
    """The score's JSON form; every reason has its sentence beside its code."""
    reasons = [{**reason.to_json(), "text": say(reason, language, game)} for reason in score.reasons]
    return {**score.to_json(), "reasons": reasons}


def score_lines(score: Score, language: str, game: str) -> Iterator[str]:
    """The score as a person likes to read it: the table, best first, then every reason."""
    ink = Ink()
    ranked = sorted(score.points, key=lambda player: -score.points[player]["total"])
    categories = list(next(iter(score.points.values())))
    rows = [["", *(word(category, language, game) for category in categories)]]
    rows += [
        [name(player, language, game), *(str(score.points[player][category]) for category in categories)]
        for player in ranked
    ]
    table = columns(rows, "   ")
    yield ""
    yield "  " + ink.dim(table[0])
    for player, line in zip(ranked, table[1:], strict=True):
        won = player in score.winners
        yield "  " + ink.colour(player, ink.bold(line) if won else line) + (ink.bold("  ★") if won else "")
    yield ""
    yield "  " + ink.bold(WHY[language])
    for reason in _fold_lone_huts(score.reasons):
        yield "  · " + say(reason, language, game)


def _fold_lone_huts(reasons: tuple[Event, ...]) -> Iterator[Event]:
    """The reasons, with the lone huts of a player told in one line after their groups."""
    lone: dict[str, int] = {}
    for index, reason in enumerate(reasons):
        player = str(reason.data.get("player"))
        if reason.code == "group" and len(reason.data["sites"]) == 1:
            lone[player] = lone.get(player, 0) + 1
        else:
            yield reason
        following = reasons[index + 1] if index + 1 < len(reasons) else None
        same_player_goes_on = following and following.code == "group" and following.data["player"] == player
        if player in lone and not same_player_goes_on:
            count = lone.pop(player)
            yield Event("lone_huts", {"player": player, "count": count, "points": count})
