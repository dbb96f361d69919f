"""Everything of Māori that one prints: pages at true scale, and a picture of each sheet with where its places are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from vision.maori.reference import sheet_pixels
from vision.maori.surfaces import SURFACES, places_of, sheet_of
from vision.sheets import PAPERS
from vision.sheets.boards import json_bytes, png_bytes
from vision.sheets.files import SheetError, ready_folder, write_whole
from vision.sheets.geometry import DPI, markers_to_json, size_px
from vision.sheets.maori import print_maori
from vision.sheets.maori.layout import DICTIONARY


def print_all(folder: str | Path, paper: str, tell: Callable[[str], None]) -> list[Path]:
    """Writes all of it and returns the paths. Raises `SheetError` with a sentence for the person at the keyboard."""
    if paper not in PAPERS:
        raise SheetError("sheet_paper_unknown", paper=paper, papers=", ".join(PAPERS))
    written = print_maori(folder, tell)
    own = ready_folder(Path(folder))
    for surface in SURFACES:
        tell(f"writing {surface}.png and {surface}.json")
        written.append(write_whole(own / f"{surface}.png", png_bytes(sheet_pixels(surface))))
        written.append(write_whole(own / f"{surface}.json", sheet_json(surface)))
    return written


def sheet_json(surface: str) -> bytes:
    """Where everything lies on one sheet, in mm from its top left corner, places named as the game names them."""
    sheet = sheet_of(surface)
    return json_bytes(
        {
            "sheet": 1,
            "board": surface,
            "size_mm": list(sheet.size_mm),
            "picture": {"file": f"{surface}.png", "dpi": DPI, "size_px": list(size_px(sheet.size_mm))},
            "places_mm": {place: [round(x, 3), round(y, 3)] for place, (x, y) in places_of(surface).items()},
            "marker_dictionary": DICTIONARY,
            "markers": markers_to_json(sheet.markers),
        }
    )
