"""The palette sheet: with one hut and one tiki of each colour on it, one photo teaches the camera a set's colours."""

from __future__ import annotations

from typing import NamedTuple

from vision.sheets.boards import json_bytes
from vision.sheets.canvas import Point, box, dashes, rounded_box
from vision.sheets.colours import INK, PIECES, SOFT_INK
from vision.sheets.frame import draw_marker
from vision.sheets.geometry import (
    DICTIONARY,
    MARGIN_MM,
    SIDE_MARKER_MM,
    Box,
    Marker,
    marker_at,
    markers_to_json,
    palette_ids,
)
from vision.sheets.lettering import write
from vision.sheets.pdf import PdfCanvas
from vision.sheets.tiling import A4_MM

_HUT_MM = 15.0  # a hut of 14 mm fits in its outline
_TIKI_MM = 11.0
_ROWS = 4
_TEXTS = (
    "Posez une paillote et un tiki de chaque couleur sur leur contour, à côté de son nom, puis prenez une photo.",
    "La pastille imprimée aide l'œil ; la caméra apprend les couleurs des pièces elles-mêmes.",
    "Put one hut and one tiki of each colour on its outline, beside the colour's name, then take one picture.",
    "The printed patch is for your eyes; the camera learns the colours from the pieces themselves.",
)


class Swatch(NamedTuple):
    """One colour's place on the sheet, in mm."""

    colour: str
    patch: Box
    hut: Point
    tiki: Point


def swatches() -> tuple[Swatch, ...]:
    found = []
    for number, colour in enumerate(PIECES):
        column, row = divmod(number, _ROWS)
        left, top = 22.0 + column * 88.0, 68.0 + row * 50.0
        found.append(Swatch(colour, Box(left, top, 34.0, 26.0), (left + 47.0, top + 13.0), (left + 67.0, top + 13.0)))
    return tuple(found)


def palette_markers() -> tuple[Marker, ...]:
    right, bottom = A4_MM[0] - MARGIN_MM - SIDE_MARKER_MM, A4_MM[1] - MARGIN_MM - SIDE_MARKER_MM
    corners = ((MARGIN_MM, MARGIN_MM), (right, MARGIN_MM), (right, bottom), (MARGIN_MM, bottom))
    return tuple(
        marker_at(ident, *corner, SIDE_MARKER_MM) for ident, corner in zip(palette_ids(), corners, strict=True)
    )


def palette_pdf() -> bytes:
    canvas = PdfCanvas(A4_MM, "Maka Bana palette")
    write(canvas, "PALETTE", (36.0, 22.0), 9.0, INK, 1.4)
    for line, text in enumerate(_TEXTS):
        canvas.text(text, (22.0, 38.0 + line * 5.0), 2.75, INK)
    for swatch in swatches():
        _draw_swatch(canvas, swatch)
    for marker in palette_markers():
        draw_marker(canvas, marker)
    return canvas.content()


def palette_json() -> bytes:
    """`size_mm`, `colours` {name: {patch_mm, hut_mm, tiki_mm}}, and the markers as in a board's file."""
    colours = {
        swatch.colour: {"patch_mm": list(swatch.patch), "hut_mm": list(swatch.hut), "tiki_mm": list(swatch.tiki)}
        for swatch in swatches()
    }
    return json_bytes({
        "palette": 1, "size_mm": list(A4_MM), "colours": colours, "marker_dictionary": DICTIONARY,
        "markers": markers_to_json(palette_markers()),
    })  # fmt: skip


def _draw_swatch(canvas: PdfCanvas, swatch: Swatch) -> None:
    canvas.fill([rounded_box(*swatch.patch, 3.0)], PIECES[swatch.colour].ink)
    canvas.text(PIECES[swatch.colour].french, (swatch.patch.left, swatch.patch.bottom + 5.0), 3.6, INK, bold=True)
    canvas.text(swatch.colour, (swatch.patch.left + 17.0, swatch.patch.bottom + 5.0), 3.6, SOFT_INK)
    for (x, y), side in ((swatch.hut, _HUT_MM), (swatch.tiki, _TIKI_MM)):
        for dash in dashes(box(x - side / 2, y - side / 2, side, side), 1.4, 1.1, closed=True):
            canvas.stroke(dash, SOFT_INK, 0.25)
    # A thatched roof seen from above, and a tiki's face.
    x, y = swatch.hut
    for line in ([(x - 5, y), (x + 5, y)], [(x - 5, y), (x - 7.5, y - 7.5)], [(x - 5, y), (x - 7.5, y + 7.5)]):
        canvas.stroke(line, SOFT_INK, 0.15)
        canvas.stroke([(2 * x - px, py) for px, py in line], SOFT_INK, 0.15)
    x, y = swatch.tiki
    for line in (
        [(x - 3, y - 1.5), (x - 1, y - 1.5)],
        [(x + 1, y - 1.5), (x + 3, y - 1.5)],
        [(x - 2.5, y + 2.5), (x + 2.5, y + 2.5)],
    ):
        canvas.stroke(line, SOFT_INK, 0.3)
