"""The terminal of a game: lines wrapped and coloured on their way out, typed lines on their way in."""

from __future__ import annotations

import codecs
import io
import re
import shutil
import sys
import textwrap
import time
import unicodedata
from collections.abc import Iterable, Sequence
from typing import TextIO

from companion.commands.play.screen import WIDTH, Scene
from companion.commands.terminal import Ink

# What stands in where the terminal's encoding lacks a character; always as wide as the character.
_NEAREST = {
    "◆": "*", "●": "o", "▲": "^", "■": "#", "▼": "v", "○": "@", "◇": "%", "×": "x", "·": ".", "★": "*", "–": "-",
    "─": "-", "│": "|", "█": "#", "▏": "|", "▎": "|", "▍": "|", "▌": "|", "▋": "|", "▊": "|", "▉": "|",
    "“": '"', "”": '"', "«": '"', "»": '"', "’": "'", "…": ".",
}  # fmt: skip
_COLOUR_CODE = re.compile(r"(\x1b\[[0-9;]*m)")
_LEAST_WIDTH = 40


def _nearest(error: UnicodeError) -> tuple[str, int]:
    """Answers a failed encoding with plain letters: é as e, ◆ as *."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost = error.object[error.start : error.end]
    return "".join(_NEAREST.get(char) or _without_accent(char) for char in lost), error.end


def _without_accent(char: str) -> str:
    base = unicodedata.normalize("NFKD", char)[0]
    return base if base.isascii() and base.isprintable() else "?"


class Terminal:
    """Prints, pauses where somebody watches, and asks. `read` raises `EOFError` when nobody answers any more."""

    def __init__(self, language: str, pause_s: float, stdin: TextIO | None = None) -> None:
        self._in = stdin or sys.stdin
        self._kept: list[str] = []
        self._names: dict[str, str] = {}
        self._name_pattern: re.Pattern[str] | None = None
        self._pause_s = pause_s if sys.stdout.isatty() else 0.0
        self._types_live = self._in is sys.stdin and self._in.isatty() and sys.stdout.isatty()
        _forgive_encodings(self._in)
        self._readline = _load_readline() if self._types_live else None
        width = min(WIDTH, max(_LEAST_WIDTH, shutil.get_terminal_size((WIDTH, 24)).columns))
        self.scene = Scene((), language, Ink(), width)

    def has_player(self) -> bool:
        """Whether anybody is there: a terminal, or at least one line to read."""
        if not self._in.isatty() and not self._kept:
            self._kept = [line] if (line := self._in.readline()) else []
            return bool(self._kept)
        return True

    def lines(self, lines: Iterable[str]) -> None:
        print("\n".join(lines), flush=True)

    def say(self, text: str, bullet: str = "", blank: bool = False) -> None:
        """A paragraph, wrapped; the names of players get their colours."""
        first = "  " + bullet
        wrapped = textwrap.wrap(
            text, self.scene.width - 1, initial_indent=first, subsequent_indent=" " * len(first), break_on_hyphens=False
        )
        self.lines(([""] if blank else []) + [self._coloured(line) for line in wrapped])

    def colour_names(self, names: dict[str, str]) -> None:
        """From now on these names appear in the colours given for them."""
        self._names = names
        longest_first = sorted(names, key=len, reverse=True)
        self._name_pattern = re.compile(r"\b(" + "|".join(map(re.escape, longest_first)) + r")\b") if names else None

    def _coloured(self, line: str) -> str:
        if self._name_pattern is None:
            return line
        return self._name_pattern.sub(lambda hit: self.scene.ink.colour(self._names[hit[0]], hit[0]), line)

    def pause(self, share: float = 1.0) -> None:
        if self._pause_s:
            time.sleep(self._pause_s * share)

    def read(self, question: str) -> str:
        """What the player answers, without the line's end. Raises `EOFError`."""
        prompt = f"  {self.scene.ink.bold(question)} {self.scene.ink.dim('>')} "
        if self._types_live:
            print(flush=True)
            return input(_COLOUR_CODE.sub("\x01\\1\x02", prompt) if self._readline else prompt)
        print(f"\n{prompt}", end="", flush=True)
        line = self._kept.pop() if self._kept else self._in.readline()
        if not line:
            print(flush=True)
            raise EOFError
        print(line.rstrip("\r\n"), flush=True)  # as if it had been typed, so that a transcript can be read
        return line

    def complete_with(self, words: Sequence[str]) -> None:
        """The words that the Tab key completes to."""
        if self._readline is not None:
            self._readline.complete_with(words)


class _Readline:
    """Line editing, history and completion by Tab, where Python has them."""

    def __init__(self) -> None:
        import readline

        self._words: Sequence[str] = ()
        readline.set_completer(self._complete)
        readline.set_completer_delims(" ,-")
        readline.parse_and_bind("tab: complete")

    def complete_with(self, words: Sequence[str]) -> None:
        self._words = words

    def _complete(self, begun: str, index: int) -> str | None:
        fitting = [word for word in self._words if word.casefold().startswith(begun.casefold())]
        return f"{fitting[index]} " if index < len(fitting) else None


def _load_readline() -> _Readline | None:
    try:
        return _Readline()
    except ImportError:  # a Python built without it
        return None


def _forgive_encodings(stdin: TextIO) -> None:
    """Neither an odd byte typed nor a character the terminal can't show ends the game."""
    codecs.register_error("nearest", _nearest)
    if isinstance(stdin, io.TextIOWrapper):
        stdin.reconfigure(errors="replace")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="nearest")
