"""A board's picture: everything on it is worked out from the board's data, and is the same each time."""

from __future__ import annotations

from typing import NamedTuple
from zlib import crc32

import numpy as np

from companion.games.makabana.board import coordinates_of
from vision.sheets.canvas import Canvas, Picture, Point, circle, dashes, length_of, walk
from vision.sheets.colours import (
    CLUB_INK,
    COMPLEX_INK,
    FOAM,
    PLOT,
    PLOT_RING,
    ROAD,
    ROAD_DUST,
    ROAD_EDGE,
    SPOT_INK,
    WOOD,
    WOOD_INK,
)
from vision.sheets.frame import draw_frame
from vision.sheets.geometry import Sheet
from vision.sheets.island import Island, island_of
from vision.sheets.lines import complex_outlines, jetties, roads
from vision.sheets.names import Name, draw_name, names_of
from vision.sheets.placing import Room, empty_room
from vision.sheets.scenery import Placed, draw_scenery, scenery_of
from vision.sheets.symbols import draw_spot, mask_and_snorkel
from vision.sheets.wash import painted

_ROAD_MM = 2.6
_JETTY_MM = 2.4
_PLANK_MM = 1.25
_CALM_MM = 2.8  # around plots and club places nothing distracts the eye or the camera


class Art(NamedTuple):
    """A board's picture before it is drawn on any canvas."""

    sheet: Sheet
    ground: Picture
    roads: list[list[Point]]
    jetties: list[list[Point]]
    complexes: list[list[Point]]
    names: list[Name]
    scenery: list[Placed]


def plan_art(sheet: Sheet) -> Art:
    """Works out the whole picture. The board's name alone seeds its chance, so a board always looks the same."""
    rng = np.random.default_rng(crc32(sheet.board.name.encode()))
    island = island_of(sheet, rng)
    ways, walks = roads(island), jetties(island)
    outlines = [line for _, line in complex_outlines(sheet)]
    room = _room(sheet, island, ways + walks, outlines)
    names = names_of(sheet, island, room)
    return Art(sheet, painted(island, rng), ways, walks, outlines, names, scenery_of(island, room, rng))


def draw_board(canvas: Canvas, art: Art) -> None:
    """The whole sheet: artwork and frame."""
    canvas.picture(art.ground, *art.sheet.art_mm)
    draw_scenery(canvas, art.scenery)
    for line in art.roads:
        _draw_road(canvas, line)
    for line in art.jetties:
        _draw_jetty(canvas, line)
    _draw_links(canvas, art.sheet)
    for outline in art.complexes:
        _draw_complex(canvas, outline)
    for site, point in art.sheet.sites_mm.items():
        _draw_plot(canvas, coordinates_of(site)[2], point, art.sheet.plot_mm / 2)
    for point in art.sheet.clubs_mm.values():
        _draw_club(canvas, point, art.sheet.club_mm / 2)
    for name in art.names:
        draw_name(canvas, name)
    draw_frame(canvas, art.sheet)


def _room(sheet: Sheet, island: Island, ways: list[list[Point]], outlines: list[list[Point]]) -> Room:
    room = empty_room(island.grid)
    room.take_discs(sheet.sites_mm.values(), sheet.plot_mm / 2 + _CALM_MM)
    room.take_discs(sheet.clubs_mm.values(), sheet.club_mm / 2 + _CALM_MM / 2)
    for line in ways:
        room.take_line(line, _ROAD_MM + 1.2)
    for outline in outlines:
        room.take_line(outline, 1.6, closed=True)
    return room


def _draw_road(canvas: Canvas, line: list[Point]) -> None:
    canvas.stroke(line, ROAD_EDGE, _ROAD_MM, alpha=0.75)
    canvas.stroke(line, ROAD, _ROAD_MM - 0.55)
    for step, (point, (dx, dy)) in enumerate(walk(line, np.arange(0.8, length_of(line), 1.7))):
        side = (0.45, -0.5, 0.05)[step % 3]
        canvas.fill([circle((point[0] - dy * side, point[1] + dx * side), 0.16)], ROAD_DUST)


def _draw_jetty(canvas: Canvas, line: list[Point]) -> None:
    canvas.stroke(line, WOOD_INK, _JETTY_MM)
    canvas.stroke(line, WOOD, _JETTY_MM - 0.5)
    half = _JETTY_MM / 2 - 0.1
    for (x, y), (dx, dy) in walk(line, np.arange(_PLANK_MM / 2, length_of(line), _PLANK_MM)):
        canvas.stroke([(x - dy * half, y + dx * half), (x + dy * half, y - dx * half)], WOOD_INK, 0.2)
    for (x, y), (dx, dy) in walk(line, np.arange(0.6, length_of(line), _PLANK_MM * 6)):
        for side in (half + 0.25, -half - 0.25):
            canvas.fill([circle((x - dy * side, y + dx * side), 0.42)], WOOD_INK)


def _draw_links(canvas: Canvas, sheet: Sheet) -> None:
    """Neighbouring plots are joined, so that everyone sees which huts will form a group."""
    for a, b in sheet.board.adjacent:
        line = [sheet.sites_mm[a], sheet.sites_mm[b]]
        canvas.stroke(line, PLOT_RING, 5.0)
        canvas.stroke(line, PLOT, 4.3)


def _draw_complex(canvas: Canvas, outline: list[Point]) -> None:
    for dash in dashes(outline, 2.7, 1.7, closed=True):
        canvas.stroke(dash, FOAM, 1.15, alpha=0.7)
        canvas.stroke(dash, COMPLEX_INK, 0.5)


def _draw_plot(canvas: Canvas, spot: str, at: Point, radius: float) -> None:
    canvas.fill([circle(at, radius)], PLOT)
    canvas.stroke(circle(at, radius - 0.2), PLOT_RING, 0.35, closed=True)
    draw_spot(canvas, spot, at, radius * 0.72, SPOT_INK[spot], 0.38)


def _draw_club(canvas: Canvas, at: Point, radius: float) -> None:
    canvas.fill([circle(at, radius)], FOAM, 0.8)
    canvas.stroke(circle(at, radius - 0.25), CLUB_INK, 0.5, closed=True)
    for dash in dashes(circle(at, radius - 1.5), 0.05, 1.6, closed=True):
        canvas.stroke(dash, CLUB_INK, 0.5)
    mask_and_snorkel(canvas, at, radius * 0.66, CLUB_INK, 0.42)
