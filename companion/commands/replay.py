"""`makabana replay`: check a game record and show where it leads, or run a dispute's bundle again as a test.

A bundle (`.zip`) ends with 0 if the table decides now as it did then, with 1 if it does not.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.commands.files import FileError, read_text
from companion.commands.score import score_json, score_lines
from companion.commands.terminal import Ink
from companion.games.catalogue import game_of
from companion.games.protocol import Event, FormatError, Game, Json
from companion.games.record import replay_text
from companion.games.texts import harmless, name, piece_name, say
from companion.house.bundles import MOST_ZIP_BYTES, Bundle, unpack
from companion.house.rerun import Rerun, rerun
from companion.house.texts import catalogue as house_texts
from companion.house.texts import say as say_of_house

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
        "record",
        help="a record as JSON Lines or text (see companion/README.md), - for the standard input, or a dispute's .zip",
    )
    parser.add_argument("--json", action="store_true", help="print JSON for programs")
    parser.add_argument("--story", action="store_true", help="tell the whole game, event by event")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    return run_bundle(args) if args.record.lower().endswith(".zip") else run_record(args)


def run_record(args: argparse.Namespace) -> int:
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
        count=state.number, who=", ".join(name(seat, language, game.name) for seat in game.actors(state))
    )
    yield from score_lines(game.score(state), language, game.name)


# --- Disputes ---


def run_bundle(args: argparse.Namespace) -> int:
    """Whether the same decisions follow: 0 if so, 1 if not, 2 for what is no bundle."""
    try:
        bundle = unpack(_zip_bytes(args.record))
        found = rerun(bundle)
    except FormatError as error:
        if error.problems[0].code not in house_texts():
            raise FileError(args.record, error) from None
        said = say_of_house(error.problems[0], args.lang)
        print(f"makabana: {harmless(args.record)}: {said}", file=sys.stderr)
        return 2
    if args.json:
        print(json.dumps(_rerun_json(bundle, found), ensure_ascii=False, indent=1))
    else:
        print("\n".join(_rerun_lines(bundle, found, args.lang)))
    return 0 if found.is_same else 1


def _zip_bytes(path: str) -> bytes:
    try:
        with Path(path).open("rb") as file:
            return file.read(MOST_ZIP_BYTES + 1)
    except FileNotFoundError:
        raise FormatError(Event("file_missing")) from None
    except (OSError, ValueError) as error:
        what = error.strerror if isinstance(error, OSError) else str(error)
        raise FormatError(Event("file_unreadable", {"what": what})) from None


def _rerun_json(bundle: Bundle, found: Rerun) -> dict[str, Json]:
    return {
        "same": found.is_same,
        **bundle.about,
        "base": bundle.base,
        "then": {"actions": [action.text for action in found.wanted], "question": found.asked_then},
        "now": {"actions": [action.text for action in found.got], "question": found.asked_now},
        "refused": list(found.refused),
    }


def _rerun_lines(bundle: Bundle, found: Rerun, language: str) -> Iterator[str]:
    if bundle.about["words"]:
        yield "  " + say_of_house(Event("bundle_complaint", bundle.about), language)
    if found.is_same:
        data = {"count": len(found.got), "base": bundle.base, "asked": _asked(found.asked_then, language)}
        yield "  " + say_of_house(Event("bundle_same", data), language)
        return
    yield "  " + say_of_house(Event("bundle_differs"), language)
    for code, actions, question in (
        ("bundle_then", found.wanted, found.asked_then),
        ("bundle_now", found.got, found.asked_now),
    ):
        what = "; ".join([*(action.text for action in actions), _asked(question, language)])
        yield "  " + say_of_house(Event(code, {"what": what}), language)
    for what in found.refused:
        yield "  " + say_of_house(Event("bundle_refused", {"what": what}), language)


def _asked(question: Json, language: str) -> str:
    event = Event("bundle_asked", {"kind": question["kind"]}) if question else Event("bundle_not_asked")
    return say_of_house(event, language)
