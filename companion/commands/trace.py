"""`makabana trace`: turn the clicks on a photo of one's own board into a board file."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from companion.commands.extras import need
from companion.commands.files import FileError, read_text, write_text
from companion.games.protocol import FormatError
from companion.games.record import loads_strictly


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser("trace", help="make a board file from clicks on a photo", description=__doc__)
    parser.add_argument("clicks", help="the clicks as JSON (see vision/README.md)")
    parser.add_argument("--out", metavar="FILE", required=True, help="the board file to write")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    need("cv2", "numpy", extra="vision")
    from vision.trace import board_file, board_of, parse_trace

    try:
        trace = parse_trace(loads_strictly(read_text(args.clicks)))
        board_of(trace)  # says everything that is wrong with the board itself
    except FormatError as error:
        raise FileError(args.clicks, error) from None
    try:
        write_text(Path(args.out), json.dumps(board_file(trace), ensure_ascii=False, indent=1) + "\n")
    except FormatError as error:
        raise FileError(args.out, error) from None
    print(args.out)
    return 0
