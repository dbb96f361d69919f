"""Keeping a game in a file while it is played, so that it can be gone on with whatever happens."""

from __future__ import annotations

import shlex
from pathlib import Path

from companion.commands.files import FileError, command_name, write_text
from companion.games.protocol import FormatError
from companion.games.record import Record, to_jsonl
from companion.games.texts import LANGUAGES

SAVE_NAME = "maka-bana"


class Keeper:
    """Writes the record after every action, once there is a file for it."""

    def __init__(self, path: Path | None) -> None:
        self.path = path

    def keep(self, record: Record) -> FileError | None:
        """Writes the record, if there is a file; what went wrong, if so, and then the file is given up."""
        problem = _write(self.path, record) if self.path is not None else None
        if problem is not None:
            self.path = None
        return problem

    def is_free(self, name: str) -> bool:
        """Whether the named file is ours or does not exist yet."""
        return not name or _named(name) == self.path or not exists(_named(name))

    def save_as(self, name: str, record: Record) -> FileError | None:
        """Moves to the named file, else stays with the one in use, else takes a fresh one."""
        chosen = _named(name) if name else self.path or _fresh()
        problem = _write(chosen, record)
        if problem is None:
            self.path = chosen
        return problem

    def resume_command(self, language: str) -> str:
        spoken = "" if language == LANGUAGES[0] else f" --lang {language}"
        return f"{command_name()} play{spoken} --save {shlex.quote(str(self.path))}"


def _write(path: Path, record: Record) -> FileError | None:
    try:
        write_text(path, to_jsonl(record))
    except FormatError as error:
        return FileError(str(path), error)
    return None


def _named(name: str) -> Path:
    try:
        return Path(name.replace("\0", "")).expanduser()
    except RuntimeError:  # ~somebody who is not known here
        return Path(name)


def _fresh() -> Path:
    names = [f"{SAVE_NAME}.jsonl", *(f"{SAVE_NAME}-{number}.jsonl" for number in range(2, 1000))]
    return next((path for path in map(Path, names) if not exists(path)), Path(names[-1]))


def exists(path: Path) -> bool:
    """Whether there is such a file; where that can't even be asked, reading or writing it will say why."""
    try:
        return path.exists()
    except OSError:  # a name too long, a folder closed to us
        return False
