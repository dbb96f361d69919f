"""Reading and writing files named on the command line, with every mishap as a sentence; what it was called by."""

from __future__ import annotations

import os
import shlex
import sys
from contextlib import suppress
from pathlib import Path

from companion.games.protocol import Event, FormatError

MOST_BYTES = 8_000_000
COMMAND = "makabana"  # as installed; a game of that name is another matter


class FileError(Exception):
    """Something is wrong in or with a file: its path, and what a `FormatError` says about it."""

    def __init__(self, path: str, error: FormatError) -> None:
        self.path, self.error = path, error
        super().__init__(f"{path}: {error}")


def command_name() -> str:
    """How this command was called, as one would type it again."""
    return shlex.quote(sys.argv[0]) if Path(sys.argv[0]).name == COMMAND else COMMAND


def read_text(path: str) -> str:
    """The text of a file, `-` being the standard input. Raises `FormatError`."""
    return _decode(_read_bytes(path))


def _read_bytes(path: str) -> bytes:
    if path == "-":
        return sys.stdin.buffer.read(MOST_BYTES + 1)
    try:
        with Path(path).open("rb") as file:  # reads one byte too many at most: devices and growing files have no size
            return file.read(MOST_BYTES + 1)
    except IsADirectoryError:
        raise FormatError(Event("file_is_folder")) from None
    except (FileNotFoundError, NotADirectoryError):
        raise FormatError(Event("file_missing")) from None
    except (OSError, ValueError) as error:  # a path with a NUL byte is a ValueError
        raise FormatError(Event("file_unreadable", {"what": _what(error)})) from None


def _decode(content: bytes) -> str:
    if len(content) > MOST_BYTES:
        raise FormatError(Event("file_too_large", {"most": MOST_BYTES}))
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(Event("file_not_text", {"byte": error.start})) from None
    if not text.strip():
        raise FormatError(Event("file_empty"))
    return text


def make_folder(path: str) -> Path:
    """The folder, made if need be. Raises `FormatError` if it can't be."""
    try:
        if not path:
            raise ValueError("no name")
        Path(path).mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise FormatError(Event("folder_unwritable", {"what": _what(error)})) from None
    return Path(path)


def write_text(path: Path, text: str) -> None:
    """Writes the whole file or, when interrupted, nothing. Raises `FormatError`."""
    temporary = path.with_name(f".{path.name}.part")
    try:
        with temporary.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise FormatError(Event("folder_unwritable", {"what": _what(error)})) from None


def _what(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
