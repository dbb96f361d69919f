"""`makabana score PHOTO ... --game GAME`: score the boards of any game from photos, as a range while there are doubts.

Everything is worked out as the photo page does it: photos become boards of one sheet, what people say is added to it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence

from companion.commands.extras import need
from companion.commands.read import BOARD_HINTS
from companion.commands.score_photo import range_json, range_lines
from companion.games.protocol import Event, FormatError, Refusal
from companion.house.photo_score import Board, Sheet, belief_of, corrected, merged, range_of
from companion.house.photo_worker import read_any
from companion.house.surfaces import is_surface


def run(args: argparse.Namespace) -> int:
    need("cv2", "numpy", extra="vision")
    sheet = _said(_sheet(args.position, _boards(args), args.game or ""), args)
    result, game = range_of(sheet), sheet.game.name
    if args.json:
        boards = {board.name: board.places for board in sheet.boards}
        seen = {name: {place: seen.content for place, seen in places.items()} for name, places in boards.items()}
        print(json.dumps({**range_json(result, args.lang, game), "boards": seen}, ensure_ascii=False, indent=1))
    else:
        print("\n".join(range_lines(result, belief_of(sheet)[1], args.lang, game)))
    return 0


def _boards(args: argparse.Namespace) -> list[Sequence[str]]:
    """For each photo the board it is said to show, if any. Raises `FormatError`."""
    named = [name.strip() for name in args.board.split(",")] if args.board else []
    unknown = [name for name in named if not is_surface(name)]
    if unknown or (named and len(named) != len(args.position)):
        raise FormatError(Event("which_board", {"boards": list(BOARD_HINTS)}))
    return [[name] for name in named] or [()] * len(args.position)


def _sheet(photos: Sequence[str], boards: Sequence[Sequence[str]], game: str) -> Sheet:
    """All photos together. Raises a `VisionError` for one that shows no such board."""
    from vision.images import open_picture

    sheet = Sheet()
    for photo, names in zip(photos, boards, strict=True):
        sheet = merged(sheet, Board.from_reading(read_any(open_picture(photo), names, game)))
    return sheet


def _said(sheet: Sheet, args: argparse.Namespace) -> Sheet:
    """The sheet with what the command line says of it. Raises `FormatError`."""
    words = [("rules", [args.rules])] if args.rules else []
    words += [("players", args.players.split(","))] if args.players else []
    words += [("tell", list(fact.partition("=")[::2])) for fact in args.tell]
    for verb, said in words:
        after = corrected(sheet, verb, said)
        if isinstance(after, Refusal):
            raise FormatError(Event(*after), game=sheet.game.name)
        sheet = after
    return sheet
