"""`makabana read`: what stands on each site in a photo. `makabana calibrate`: learn a camera and a set of pieces."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.commands.extras import need
from companion.commands.files import FileError, read_text, write_text
from companion.commands.terminal import Ink, bar
from companion.games.makabana.board import BOARD_NAMES
from companion.games.protocol import Event, FormatError, parse_content
from companion.games.record import loads_strictly
from companion.games.texts import piece_name
from vision.surfaces import SurfaceReading, game_of, maker_of

if TYPE_CHECKING:
    from vision.calibration import Calibration
    from vision.read import Reading
    from vision.reference import Reference

BOARD_HINTS = (*BOARD_NAMES, "kahuna", "makisan", "maori-display", "maori-archipelago-blue", "maori-atoll-red ...")
WORDS = {
    "en": {"empty": "{count} places are empty.", "doubts": "In doubt", "none": "No doubts."},
    "fr": {"empty": "{count} places sont vides.", "doubts": "Doutes", "none": "Aucun doute."},
}


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("read", help="read a board from a photo", description=__doc__)
    parser.add_argument("photo", help="a JPEG or PNG picture of the whole board")
    add_board_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print JSON for programs")
    parser.add_argument("--debug", metavar="FILE", help="write the picture with what was read drawn on it, as PNG")
    parser.set_defaults(run=run)
    learn = subparsers.add_parser(
        "calibrate", help="learn a camera and a set of pieces from a photo", description=__doc__
    )
    learn.add_argument("photo", help="a picture of the board with one hut of each colour somewhere on it")
    add_board_arguments(learn, calibration=False)
    learn.add_argument("--known", metavar="POSITION", help="what stands there, as a position (huts alone will do)")
    learn.add_argument("--out", metavar="FILE", default="calibration.json", help="the file to write")
    learn.set_defaults(run=run_calibrate)


def add_board_arguments(parser: argparse.ArgumentParser, calibration: bool = True) -> None:
    """Which board it is: one of ours, or an owner's own by its traced clicks and the photo they were made on."""
    parser.add_argument("--board", metavar="BOARD", help=f"the printed board in the picture: {', '.join(BOARD_HINTS)}")
    parser.add_argument("--trace", metavar="FILE", help="instead of --board: an owner's own board as traced clicks")
    parser.add_argument("--reference", metavar="PHOTO", help="with --trace: the photo of the empty board clicked on")
    if calibration:
        parser.add_argument("--calibration", metavar="FILE", help="what `makabana calibrate` wrote")


def run(args: argparse.Namespace) -> int:
    need("cv2", "numpy", extra="vision")
    if args.board and not args.trace and game_of(args.board) is not None:
        return _run_sheet(args)
    reading, picture, reference = read_photo(args)
    if args.debug:
        from vision.annotate import annotated, png

        _write_bytes(args.debug, png(annotated(picture, reading, reference)))
    if args.json:
        print(json.dumps(reading.to_json(args.lang), ensure_ascii=False, indent=1))
    else:
        print("\n".join(_lines(reading, args.lang)))
    return 0


def _run_sheet(args: argparse.Namespace) -> int:
    """A sheet of another game, read by its own package."""
    from vision.annotate import png
    from vision.images import open_picture

    game = str(game_of(args.board))
    picture = open_picture(args.photo)
    camera = _calibration(args.calibration).camera if args.calibration else None
    reading = maker_of(game).read(picture, args.board, camera)
    if args.debug:
        _write_bytes(args.debug, png(maker_of(game).annotated(picture, reading)))
    if args.json:
        print(json.dumps(reading.to_json(args.lang), ensure_ascii=False, indent=1))
    else:
        print("\n".join(_sheet_lines(reading, game, args.lang)))
    return 0


def run_calibrate(args: argparse.Namespace) -> int:
    need("cv2", "numpy", extra="vision")
    from vision.calibration import calibrate, to_json
    from vision.images import open_picture

    known = _known(args.known) if args.known else None
    calibration = calibrate(open_picture(args.photo), reference_of(args), known)
    try:
        write_text(Path(args.out), to_json(calibration))
    except FormatError as error:
        raise FileError(args.out, error) from None
    print(args.out)
    return 0


def _known(path: str) -> Any:
    try:
        return loads_strictly(read_text(path))
    except FormatError as error:
        raise FileError(path, error) from None


def read_photo(args: argparse.Namespace) -> tuple[Reading, Any, Reference]:
    """The reading of the photo that the arguments name, the picture itself and the board it was compared with."""
    from vision.calibration import read_calibrated
    from vision.images import open_picture
    from vision.read import read

    reference = reference_of(args)
    calibration = _calibration(args.calibration) if args.calibration else None
    picture = open_picture(args.photo)
    if calibration is None:
        return read(picture, reference), picture, reference
    return read_calibrated(picture, reference, calibration), picture, reference


def reference_of(args: argparse.Namespace) -> Reference:
    from vision.images import open_picture
    from vision.reference import printed_reference
    from vision.trace import parse_trace, reference_of_trace

    if args.trace and args.reference:
        return reference_of_trace(parse_trace(_known(args.trace)), open_picture(args.reference))
    if args.board in BOARD_NAMES:
        return printed_reference(args.board)
    raise FormatError(Event("which_board", {"boards": list(BOARD_HINTS)}))


def _calibration(path: str) -> Calibration:
    from vision.calibration import from_json

    try:
        return from_json(read_text(path))
    except FormatError as error:
        raise FileError(path, error) from None


def _write_bytes(path: str, content: bytes) -> None:
    try:
        Path(path).write_bytes(content)
    except (OSError, ValueError) as error:
        what = getattr(error, "strerror", None) or str(error)
        raise FileError(path, FormatError(Event("folder_unwritable", {"what": what}))) from None


def _lines(reading: Reading, language: str) -> Iterator[str]:
    """What stands where, how sure that is, and the doubts in words."""
    ink = Ink()
    found = reading.to_json(language)
    empty = 0
    for place, seen in {**found["sites"], **{f"club:{beach}": club for beach, club in found["clubs"].items()}}.items():
        pieces = [piece_name(piece, seen[piece], language) for piece in ("hut", "club", "tiki") if seen.get(piece)]
        if not pieces:
            empty += 1
            continue
        colour = str(seen.get("hut") or seen.get("club") or seen.get("tiki"))
        sure = f"{bar(seen['confidence'], 10)} {seen['confidence']:.1%}"
        yield f"  {place.ljust(26)} {ink.colour(colour, ', '.join(pieces).ljust(24))} {ink.dim(sure)}"
    yield from _closing_lines(empty, found["doubts"], language)


def _sheet_lines(reading: SurfaceReading, game: str, language: str) -> Iterator[str]:
    """The same for a sheet of another game."""
    ink, empty = Ink(), 0
    for place, seen in reading.places.items():
        pieces = parse_content(seen.content)
        if not pieces:
            empty += 1
            continue
        said = ", ".join(piece_name(kind, colour, language, game) for kind, colour in pieces)
        sure = f"{bar(seen.confidence, 10)} {seen.confidence:.1%}"
        yield f"  {place.ljust(26)} {ink.colour(pieces[0][1], said.ljust(24))} {ink.dim(sure)}"
    yield from _closing_lines(empty, reading.to_json(language)["doubts"], language)


def _closing_lines(empty: int, doubts: list[str], language: str) -> Iterator[str]:
    ink, words = Ink(), WORDS[language]
    yield "  " + words["empty"].format(count=empty)
    yield ""
    if doubts:
        yield "  " + ink.bold(words["doubts"])
        yield from ("  · " + doubt for doubt in doubts)
    else:
        yield "  " + words["none"]
