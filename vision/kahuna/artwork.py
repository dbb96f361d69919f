"""The picture of the board: sea and islands, a pool for a stone on each, dotted lines for bridges between them."""

from __future__ import annotations

from functools import cache
from math import atan2, cos, pi, sin, tau
from typing import NamedTuple
from zlib import crc32

import numpy as np

from vision.kahuna.characters import CHARACTERS
from vision.kahuna.colours import DOTS, FOAM, NAME_INK, POOL, POOL_RIM, SWELL, TEETH, TITLE_INK
from vision.kahuna.ground import lands, painted
from vision.kahuna.layout import STICK_MM, SURFACE, KahunaSheet, as_board_sheet, kahuna_sheet
from vision.sheets import motifs
from vision.sheets.canvas import Canvas, Colour, Picture, Point, box, circle, dashes, moved, walk
from vision.sheets.fields import Field, Mask, grid_over
from vision.sheets.frame import draw_frame
from vision.sheets.lettering import text_width, write_along
from vision.sheets.placing import Room, empty_room, name_line, scattered, widest_spot
from vision.sheets.scenery import Placed, draw_scenery

POOL_MM = 20.0  # diameter: a stone lies in it and leaves its rim to be seen
_DOT_MM, _DOT_STEP_MM = 0.55, 3.0
_NAME_MM, _TITLE_MM = (6.0, 5.4, 4.8, 4.2), (15.0, 13.0, 11.0, 9.0)
_STROKE = 0.16
_AT_SEA = ((motifs.compass, 17.0), (motifs.whale, 9.0), (motifs.canoe, 9.0), (motifs.turtle, 5.5), (motifs.turtle, 4.5))
_EDGE_MM = 4.0  # nothing is drawn so near to the torn rim of the sea
_GROVE_MM = 3.1  # half the height of the small drawings ashore


class Art(NamedTuple):
    """The board's picture before it is drawn on any canvas; `names` are text, line and height in mm."""

    sheet: KahunaSheet
    ground: Picture
    names: list[tuple[str, list[Point], float, Colour]]
    scenery: list[Placed]


@cache
def plan_art() -> Art:
    """Works out the whole picture, the same each time."""
    sheet, rng = kahuna_sheet(), np.random.default_rng(crc32(SURFACE.encode()))
    grid = grid_over(sheet.art_mm)
    layers = lands(sheet, grid, rng)
    room = empty_room(grid)
    room.take_discs(sheet.islands_mm.values(), POOL_MM / 2 + 1.6)
    for ends in sheet.lines_mm.values():
        room.take_line(ends, STICK_MM[1] * 1.7)
    room.take_line(box(*sheet.art_mm), 2 * _EDGE_MM, closed=True)
    coast = layers.max(axis=0)
    names = _island_names(sheet, room, layers) + _placed(room, "KAHUNA", _TITLE_MM, coast < -4.0, [], TITLE_INK)
    return Art(sheet, painted(sheet, layers, rng), names, _scenery(sheet, room, layers, rng))


def _island_names(sheet: KahunaSheet, room: Room, layers: Field) -> list[tuple[str, list[Point], float, Colour]]:
    """Each in the water beside its island, on no coast."""
    names = []
    for index, (island, middle) in enumerate(sheet.islands_mm.items()):
        where = (layers.max(axis=0) < -0.8) & (layers[index] > -16.0)
        names += _placed(room, island, _NAME_MM, where, [middle], NAME_INK)
    return names


def _placed(
    room: Room, text: str, heights: tuple[float, ...], where: Mask, near: list[Point], ink: Colour
) -> list[tuple[str, list[Point], float, Colour]]:
    """The name in the largest letters that fit, which takes its room."""
    for height in heights:
        if line := name_line(room, text_width(text, height), height, where, near):
            room.take_line([(x, y - height / 2) for x, y in line], height * 1.4)
            return [(text, line, height, ink)]
    return []


def _scenery(sheet: KahunaSheet, room: Room, layers: Field, rng: np.random.Generator) -> list[Placed]:
    placed = []
    coast = layers.max(axis=0)
    for draw, size in _AT_SEA:
        if spot := widest_spot(room, coast < -4.0, size * 1.2):
            room.take_discs([spot], size * 1.5)
            placed.append(Placed(draw, spot, size, SWELL, float(rng.random())))
    for index, island in enumerate(sheet.islands_mm):
        who = CHARACTERS[island]
        for size in (_GROVE_MM * who.girth, _GROVE_MM * who.girth * 0.72):
            spots = scattered(room, layers[index] > 0.9, size, size * 2.7, rng)
            placed += [Placed(who.small, spot, size, who.ink, float(rng.random())) for spot in spots]
    for spot in scattered(room, coast < -3.0, 3.6, 15.0, rng):
        placed.append(Placed(motifs.swell, spot, 2.8, SWELL, float(rng.random())))
    return sorted(placed, key=lambda motif: motif.at[1])


def draw_board(canvas: Canvas, art: Art) -> None:
    """The whole sheet: artwork and frame."""
    canvas.picture(art.ground, *art.sheet.art_mm)
    draw_scenery(canvas, art.scenery)
    for ends in art.sheet.lines_mm.values():
        _draw_line(canvas, ends)
    for middle in art.sheet.islands_mm.values():
        draw_pool(canvas, middle, POOL_MM / 2)
    for text, line, height, ink in art.names:
        write_along(canvas, text, line, height, FOAM, height * _STROKE + min(1.3, height * 0.2), alpha=0.55)
        write_along(canvas, text, line, height, ink, height * _STROKE)
    draw_frame(canvas, as_board_sheet(art.sheet))


def _draw_line(canvas: Canvas, ends: tuple[Point, Point]) -> None:
    """Dots from pool to pool: plain to see, and nothing like a bridge."""
    (ax, ay), (bx, by) = ends
    turn, start = atan2(by - ay, bx - ax), POOL_MM / 2 + 2.4
    length = float(np.hypot(bx - ax, by - ay))
    first, last = ((ax + cos(turn) * s, ay + sin(turn) * s) for s in (start, length - start))
    count = round((length - 2 * start) / _DOT_STEP_MM)
    for point, _ in walk([first, last], np.linspace(0.0, length - 2 * start, count + 1)):
        canvas.fill([circle(point, _DOT_MM)], DOTS)


def draw_pool(canvas: Canvas, middle: Point, radius: float) -> None:
    """Where an island's stone lies: a calm pool inside a ring of shark teeth."""
    canvas.fill([circle(middle, radius)], POOL_RIM)
    count = round(radius * 2.4)
    root, half = radius * 0.985, pi * radius * 0.8 / count
    tooth = [(root, -half), (root, half), (radius * 0.86, 0.0)]
    for step in range(count):
        canvas.fill([moved(tooth, middle, turn=step * tau / count)], TEETH)
    canvas.fill([circle(middle, radius * 0.84)], POOL)
    for dash in dashes(circle(middle, radius * 0.66), 1.1, 1.6, closed=True):
        canvas.stroke(dash, POOL_RIM, 0.3, alpha=0.6)
