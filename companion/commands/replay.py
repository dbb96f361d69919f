"""`makabana replay`: check a game record and show where it leads."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Any

from companion.commands.files import FileError, read_text
from companion.commands.score import score_json, score_lines
from companion.commands.terminal import Ink
from companion.games.catalogue import game_of
from companion.games.protocol import Event, FormatError, Game, Json
from companion.games.record import replay_text
from companion.games.texts import name, piece_name, say

WORDS = {
    "en": {
        "over": "The game is over after {count} actions.",
        "running": "After {count} actions the game goes on: waiting for {who}.",
    },
    "fr": {
        "over": "La partie est finie après {count} actions.",
        "running": "Après {count} actions la partie continue : on attend {who}.",
    },
}


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("replay", help="check a game record, print its end and score", description=__doc__)
    parser.add_argument(
        "record", help="a record as JSON Lines or text (see companion/README.md), or - for the standard input"
    )
    parser.add_argument("--json", action="store_true", help="print JSON for programs")
    parser.add_argument("--story", action="store_true", help="tell the whole game, event by event")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    story: list[Event] = []
    try:
        record, state = replay_text(read_text(args.record), lambda state: story.extend(state.events))
    except FormatError as error:
        raise FileError(args.record, error) from None
    game = game_of(dict(record.header))
    if args.json:
        print(json.dumps(_end_json(game, state, args.lang), ensure_ascii=False, indent=1))
        return 0
    if args.story:
        print("\n".join(say(event, args.lang, game.name) for event in story))
    print("\n".join(_end_lines(game, state, args.lang)))
    return 0


def _end_json(game: Game[Any], state: Any, language: str) -> dict[str, Json]:
    return {
        "actions": state.number,
        "over": game.outcome(state) is not None,
        "waits_for": list(game.actors(state)),
        "position": game.position(state),
        **score_json(game.score(state), language, game.name),
    }


def _end_lines(game: Game[Any], state: Any, language: str) -> Iterator[str]:
    """Where the record leads: the pieces on the board, who is awaited, and the score as it stands."""
    ink = Ink()
    for place, pieces in game.expected(state).items():
        said = (ink.colour(colour, piece_name(piece, colour, language, game.name)) for piece, colour in pieces)
        yield f"  {place.ljust(26)} " + ", ".join(said)
    which = "over" if game.outcome(state) else "running"
    yield ""
    yield "  " + WORDS[language][which].format(
        count=state.number, who=", ".join(name(seat, language) for seat in game.actors(state))
    )
    yield from score_lines(game.score(state), language, game.name)
