"""Faces for makis that people make themselves: a pair of stickers for each of the ten, round and square; the Wasabis.

No colour stands alone: each has its mark, for eyes that confuse two of them. Marks keep to the upper part of a face, so
that the middle shows its colour to the camera.
"""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin, tau

from companion.games.makisan.board import MAKIS, SIDES, faces_of
from vision.sheets.canvas import Canvas, Colour, Line, Point, arc, box, circle, dashes, moved, rounded_box, shape
from vision.sheets.colours import INK, SOFT_INK
from vision.sheets.lettering import write
from vision.sheets.pdf import PdfCanvas
from vision.sheets.tiling import A4_MM

FACE_MM = 20.0
_INKS: dict[str, Colour] = {
    "red": (203, 38, 42), "green": (32, 140, 68), "yellow": (246, 202, 30), "blue": (28, 92, 180),
    "black": (26, 26, 28),
}  # fmt: skip
_MARK: dict[str, Colour] = {
    "red": (255, 214, 206), "green": (206, 240, 206), "yellow": (150, 96, 0), "blue": (206, 226, 255),
    "black": (222, 222, 226),
}  # fmt: skip
_WASABI: Colour = (126, 176, 78)
_WASABI_INK: Colour = (70, 116, 44)
_RULER_MM = 50
_TEXTS = (
    "Collez chaque paire de ronds (ou de carrés) sur les deux faces opposées d'un bloc ou d'un rondin de 20 à 25 mm,",
    "le signe en haut. Le wasabi est un petit monticule vert de 8 à 13 mm ; sinon, collez les feuilles sur du carton.",
    "Tant qu'il n'est pas sur un maki, il attend sur la coupelle de son joueur : la caméra sait ainsi à qui il est.",
    "",
    "Stick each pair of rounds (or squares) onto two opposite faces of a block or a slice of dowel of 20 to 25 mm,",
    "the mark at the top. The Wasabi is a small green heap, 8 to 13 mm high; or glue the leaves onto card. While it is",
    "not on a maki it waits on its owner's dish: that is how the camera knows whose it is.",
)


def pieces_pdf() -> bytes:
    canvas = PdfCanvas(A4_MM, "Maki-San pieces")
    write(canvas, "MAKI-SAN", (17.0, 27.0), 8.0, INK, 1.2)
    for number, maki in enumerate(MAKIS):
        row, column = divmod(number, 2)
        top = 38.0 + row * 29.0
        _draw_pair(canvas, maki, (17.0 + column * 45.0, top), is_round=True)
        _draw_pair(canvas, maki, (109.0 + column * 45.0, top), is_round=False)
    for number, side in enumerate(SIDES):
        _draw_wasabi(canvas, (40.0 + number * 45.0, 202.0), side)
    _draw_ruler(canvas, (120.0, 208.0))
    for line, text in enumerate(_TEXTS):
        canvas.text(text, (17.0, 230.0 + line * 5.2), 3.1, INK)
    return canvas.content()


def _draw_pair(canvas: PdfCanvas, maki: str, at: Point, is_round: bool) -> None:
    for number, colour in enumerate(faces_of(maki)):
        draw_face(canvas, colour, (at[0] + FACE_MM / 2 + number * (FACE_MM + 0.8), at[1] + FACE_MM / 2), is_round)
    canvas.text(maki, (at[0] + FACE_MM + 0.4, at[1] + FACE_MM + 4.0), 2.4, SOFT_INK, centred=True)


def draw_face(canvas: Canvas, colour: str, middle: Point, is_round: bool) -> None:
    """One face with its mark above the middle, and a fine line to cut along."""
    half = FACE_MM / 2
    square = rounded_box(middle[0] - half, middle[1] - half, FACE_MM, FACE_MM, 2.0)
    outline: Line = circle(middle, half) if is_round else square
    canvas.fill([outline], _INKS[colour])
    canvas.stroke(outline, SOFT_INK, 0.12, closed=True)
    _MARKS[colour](canvas, (middle[0], middle[1] - half * 0.6), _MARK[colour])


def _sun(canvas: Canvas, at: Point, ink: Colour) -> None:
    canvas.fill([circle(at, 1.3)], ink)
    for step in range(8):
        angle = step * tau / 8
        ray = [(at[0] + reach * cos(angle), at[1] + reach * sin(angle)) for reach in (1.8, 2.5)]
        canvas.stroke(ray, ink, 0.35)


def _leaf(canvas: Canvas, at: Point, ink: Colour) -> None:
    canvas.fill([moved(shape("o-1,.5 -.6,-.5 .3,-.7 1,-.5 .7,.3 0,.7"), at, 2.2)], ink)
    canvas.stroke(moved(shape("-1.2,.7 .6,-.4"), at, 2.2), _INKS["green"], 0.3)


def _star(canvas: Canvas, at: Point, ink: Colour) -> None:
    points = [
        (reach * cos(step * pi / 5 - pi / 2), reach * sin(step * pi / 5 - pi / 2))
        for step, reach in enumerate([2.4, 1.0] * 5)
    ]
    canvas.fill([moved(points, at)], ink)


def _wave(canvas: Canvas, at: Point, ink: Colour) -> None:
    for row in (-0.9, 0.7):
        for column in (-1.6, 0.0, 1.6):
            canvas.stroke(arc((at[0] + column, at[1] + row + 0.5), 0.8, pi, tau), ink, 0.4)


def _diamond(canvas: Canvas, at: Point, ink: Colour) -> None:
    canvas.fill([moved(shape("0,-1 .8,0 0,1 -.8,0"), at, 2.4)], ink)


_MARKS: dict[str, Callable[[Canvas, Point, Colour], None]] = {
    "red": _sun, "green": _leaf, "yellow": _star, "blue": _wave, "black": _diamond,
}  # fmt: skip


def _draw_wasabi(canvas: PdfCanvas, at: Point, side: str) -> None:
    """A round token with a leaf, the same for both sides: the dish says whose it is."""
    canvas.fill([circle(at, 9.0)], _WASABI)
    canvas.stroke(circle(at, 9.0), SOFT_INK, 0.12, closed=True)
    leaf = shape("o0,-1 .42,-.72 .62,-.2 .5,.34 .2,.72 0,.86 -.2,.72 -.5,.34 -.62,-.2 -.42,-.72")
    canvas.stroke(moved(leaf, at, 5.6, 0.35), _WASABI_INK, 0.4, closed=True)
    canvas.stroke(moved(shape("0,-.9 0,1.1"), at, 5.6, 0.35), _WASABI_INK, 0.35)
    for dash in dashes(box(at[0] - 9.6, at[1] - 9.6, 19.2, 19.2), 1.2, 1.6, closed=True):
        canvas.stroke(dash, SOFT_INK, 0.1)
    canvas.text(f"wasabi · {side}", (at[0], at[1] + 14.0), 2.4, SOFT_INK, centred=True)


def _draw_ruler(canvas: PdfCanvas, at: Point) -> None:
    canvas.stroke([at, (at[0] + _RULER_MM, at[1])], SOFT_INK, 0.25)
    for step in range(0, _RULER_MM + 1, 10):
        tall = 2.0 if step % _RULER_MM == 0 else 1.2
        canvas.stroke([(at[0] + step, at[1]), (at[0] + step, at[1] - tall)], SOFT_INK, 0.25)
    canvas.text(f"{_RULER_MM} mm", (at[0] + _RULER_MM / 2, at[1] - 2.6), 2.6, SOFT_INK, centred=True)
