"""The command `makabana`: it only wires the parts together."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from io import BytesIO, StringIO, TextIOWrapper

from companion import __version__
from companion.commands import (
    board,
    doctor,
    flash,
    lesson,
    play,
    read,
    replay,
    score,
    sheets,
    simulate,
    simulate_table,
    table_file,
    tags,
    tournament,
    trace,
    update,
)
from companion.commands.arguments import Parser, asked_language
from companion.commands.evening.texts import EveningError
from companion.commands.evening.texts import sentence as sentence_of_evening
from companion.commands.files import FileError
from companion.games.catalogue import GAME_NAMES
from companion.games.protocol import Event, FormatError
from companion.games.record import LineError
from companion.games.texts import LANGUAGES, harmless, say
from vision.errors import VisionError, sentence

COMMANDS = (
    play,
    score,
    read,
    replay,
    simulate,
    simulate_table,
    tournament,
    lesson,
    board,
    sheets,
    trace,
    table_file,
    tags,
    flash,
    doctor,
    update,
)
BAD_INPUT, INTERRUPTED = 2, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one subcommand. What the user got wrong ends in one sentence and exit code 2."""
    _make_streams_kind()
    Parser.language = asked_language(sys.argv[1:] if argv is None else argv, _language())
    args = _parser().parse_args(argv)
    try:
        code = int(args.run(args))
        sys.stdout.flush()  # here, where a full disk can still be told
        return code
    except FileError as problem:
        return _complain(f"{problem.path}: {_sentence(problem.error, args.lang)}")
    except VisionError as error:
        return _complain(sentence(error.code, error.data, args.lang))
    except EveningError as error:
        return _complain(sentence_of_evening(error, args.lang))
    except FormatError as error:
        return _complain(_sentence(error, args.lang))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader of our output went away: nothing left to say, and nowhere to say it
        _give_up_output()
        return 0
    except OSError as error:
        _give_up_output()
        return _complain(say(Event("output_failed", {"what": error.strerror or str(error)}), args.lang))


def _make_streams_kind() -> None:
    """A closed stream is an empty one, and a letter that a terminal lacks is shown as a question mark."""
    sys.stdin = sys.stdin or TextIOWrapper(BytesIO(), encoding="utf-8")
    sys.stdout = sys.stdout or StringIO()
    sys.stderr = sys.stderr or StringIO()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def _give_up_output() -> None:
    """Lets the interpreter end without trying once more to write what could not be written."""
    with suppress(OSError):  # no file behind it: then nothing will be tried
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="makabana", description="The companion for the table game Maka Bana.")
    parser.add_argument("--version", action="version", version=f"makabana {__version__}")
    parser.add_argument("--lang", choices=LANGUAGES, default=_language(), help="language of what is printed")
    subparsers = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add(subparsers)
    for subparser in subparsers.choices.values():  # said before the command or after it
        if "--lang" not in subparser.format_usage():
            subparser.add_argument("--lang", choices=LANGUAGES, default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    return parser


def _language() -> str:
    """The user's language as the environment tells it, if we speak it."""
    locale = next((os.environ[key] for key in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(key)), "")
    return locale[:2] if locale[:2] in LANGUAGES else LANGUAGES[0]


def _sentence(error: FormatError, language: str) -> str:
    first, *others = error.problems
    if isinstance(error, LineError):
        first = Event("at_line", {"line": error.line, "because": [first.to_json()]})
    game = error.game or GAME_NAMES[0]
    sentences = [say(first, language, game)]
    if others:
        sentences.append(say(Event("and_more", {"count": len(others)}), language, game))
    return " ".join(sentences)


def _complain(words: str) -> int:
    print(f"makabana: {harmless(words)}", file=sys.stderr)
    return BAD_INPUT


if __name__ == "__main__":
    sys.exit(main())
