"""What the commands print: colours where the terminal has them, tables, bars and a progress bar."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TextIO, TypeVar

T = TypeVar("T")

# 256-colour codes near the pieces' colours.
_ANSI = {
    "violet": 98, "pink": 205, "yellow": 178, "blue": 33, "green": 35, "orange": 208, "red": 160, "black": 244,
}  # fmt: skip
_BOLD, _DIM = "1", "2"
_BAR_WIDTH = 30
_REDRAW_SECONDS = 0.1


def has_colours(stream: TextIO) -> bool:
    return stream.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


class Ink:
    """Text in colours, or as it is where the stream shows none."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._on = has_colours(stream or sys.stdout)

    def colour(self, name: str, text: str) -> str:
        return self._wrap(f"38;5;{_ANSI[name]}", text) if name in _ANSI else text

    def bold(self, text: str) -> str:
        return self._wrap(_BOLD, text)

    def dim(self, text: str) -> str:
        return self._wrap(_DIM, text)

    def _wrap(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self._on else text


def bar(share: float, width: int = _BAR_WIDTH) -> str:
    """A bar filled to the share (0 to 1) of its width, in eighths of a character."""
    eighths = round(max(0.0, min(1.0, share)) * width * 8)
    full, rest = divmod(eighths, 8)
    return ("█" * full + (" ▏▎▍▌▋▊▉"[rest] if rest else "")).ljust(width)


def progress(items: Sequence[T], label: str, stream: TextIO | None = None) -> Iterator[T]:
    """The items, with a progress bar on the error stream while they are worked through, if that is a terminal."""
    out = stream or sys.stderr
    if not out.isatty():
        yield from items
        return
    drawn = 0.0
    for done, item in enumerate(items):
        if time.monotonic() - drawn > _REDRAW_SECONDS:
            out.write(f"\r{label} {bar(done / len(items))} {done}/{len(items)}")
            out.flush()
            drawn = time.monotonic()
        yield item
    out.write("\r\x1b[K")
    out.flush()


def columns(rows: Iterable[Sequence[str]], gaps: str = "  ") -> list[str]:
    """Rows of plain cells as lines: the first column to the left, the others to the right."""
    table = [list(row) for row in rows]
    widths = [max(len(cell) for cell in column) for column in zip(*table, strict=True)]
    return [
        gaps.join(
            cell.rjust(width) if i else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in table
    ]


def bars(shares: Mapping[str, float], ink: Ink) -> list[str]:
    """One line per name with its share as a bar and in per cent."""
    width = max(map(len, shares), default=0)
    return [f"  {name.ljust(width)} {ink.colour(name, bar(share))} {share:5.1%}" for name, share in shares.items()]
