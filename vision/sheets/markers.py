"""Marker stickers with which an owner's own board is found by the camera: three sets of eight, one A4 page each."""

from __future__ import annotations

from vision.sheets.boards import json_bytes
from vision.sheets.canvas import Point, box, dashes
from vision.sheets.colours import FRAME_INK, GROUND, INK, SEA, SOFT_INK
from vision.sheets.frame import draw_marker
from vision.sheets.geometry import DICTIONARY, STICKER_SETS, marker_at, sticker_ids
from vision.sheets.lettering import write
from vision.sheets.pdf import PdfCanvas
from vision.sheets.tiling import A4_MM

SIDE_MM = 25.0
QUIET_MM = 5.0  # white that stays around a marker when it is cut out
PLACES = ("top left", "top right", "bottom right", "bottom left", "top", "right", "bottom", "left")
_COLUMNS, _PITCH = 4, 45.0
_TEXTS = (
    "Une série par plateau : découpez les huit étiquettes le long des tirets, bord blanc compris.",
    "Collez-les à plat autour du dessin comme ci-dessus, jamais sur un emplacement. Les lettres sont droites",
    "quand le plateau se lit à l'endroit. Une gommette repositionnable suffit : le plateau ne doit rien risquer.",
    "",
    "One set per board: cut the eight stickers out along the dashes, white border included.",
    "Stick them flat around the picture as shown above, never on a site, with their letters upright when the",
    "board is the right way up. Removable putty is enough, so that the board takes no harm.",
    "",
    "Les étiquettes peuvent dépasser du plateau, à condition de ne plus bouger ensuite.",
    "Stickers may reach beyond the board, as long as they don't move afterwards.",
)


def markers_pdf() -> bytes:
    canvas = PdfCanvas(A4_MM, "Maka Bana markers")
    for number, name in enumerate(STICKER_SETS):
        if number:
            canvas.next_page()
        _draw_page(canvas, name)
    return canvas.content()


def markers_json() -> bytes:
    """`marker_dictionary`, `side_mm`, and `sets`: for each set the id of the sticker of every place."""
    sets = {name: dict(zip(PLACES, sticker_ids(name), strict=True)) for name in STICKER_SETS}
    return json_bytes({"stickers": 1, "marker_dictionary": DICTIONARY, "side_mm": SIDE_MM, "sets": sets})


def _draw_page(canvas: PdfCanvas, name: str) -> None:
    write(canvas, f"MARKERS {name}", (18.0, 27.0), 8.0, INK, 1.2)
    for number, ident in enumerate(sticker_ids(name)):
        row, column = divmod(number, _COLUMNS)
        _draw_sticker(canvas, f"{name}{number + 1}", ident, (18.0 + column * _PITCH, 40.0 + row * _PITCH))
    _draw_plan(canvas, name, (45.0, 145.0))
    for line, text in enumerate(_TEXTS):
        canvas.text(text, (18.0, 240.0 + line * 5.0), 3.1, INK)


def _draw_sticker(canvas: PdfCanvas, label: str, ident: int, at: Point) -> None:
    whole = SIDE_MM + 2 * QUIET_MM
    draw_marker(canvas, marker_at(ident, at[0] + QUIET_MM, at[1] + QUIET_MM, SIDE_MM))
    for dash in dashes(box(*at, whole, whole), 1.6, 1.4, closed=True):
        canvas.stroke(dash, SOFT_INK, 0.2)
    # Pale enough not to disturb the quiet zone.
    canvas.text(label, (at[0] + 1.2, at[1] + 3.2), 2.3, SOFT_INK)


def _draw_plan(canvas: PdfCanvas, name: str, at: Point) -> None:
    """A small board with the number of the sticker for each place."""
    width, height, side = 120.0, 78.0, 9.0
    canvas.fill([box(*at, width, height)], SEA[0])
    canvas.fill([box(at[0] + 22, at[1] + 20, width - 44, height - 40)], GROUND["Cocotier"])
    canvas.stroke(box(*at, width, height), FRAME_INK, 0.4, closed=True)
    spots = ((0, 0), (2, 0), (2, 2), (0, 2), (1, 0), (2, 1), (1, 2), (0, 1))
    for number, (column, row) in enumerate(spots, start=1):
        left = at[0] + 3 + column * (width - side - 6) / 2
        top = at[1] + 3 + row * (height - side - 6) / 2
        canvas.fill([box(left, top, side, side)], INK)
        canvas.text(
            f"{name}{number}", (left + side / 2, top + side / 2 + 1.2), 3.4, (255, 255, 255), bold=True, centred=True
        )
