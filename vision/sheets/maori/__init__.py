"""Māori to print: the display, both sides of five boards, 97 tiles, ship, boats and shells, and where all of it lies.

Importing this package is free; OpenCV and ReportLab are loaded when something is printed.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from vision.sheets.files import ready_folder, write_whole

Progress = Callable[[str], None]  # is told in a few words what is being made


def print_maori(out_dir: str | Path, progress: Progress | None = None) -> list[Path]:
    """Writes maori-display.pdf, -boards.pdf, -tiles.pdf, -pieces.pdf and maori.json and returns their paths.

    Boards are front and back in turn, tiles a page of fronts and then its backs, mirrored: print on both sides, turned
    over the long edge. Raises `SheetError` with a sentence for the person at the keyboard.
    """
    folder = ready_folder(Path(out_dir))
    from vision.sheets.maori.pages import FILES

    written = []
    for name, content in FILES.items():
        if progress is not None:
            progress(f"writing {name}")
        written.append(write_whole(folder / name, content()))
    return written
