"""The play area of Kahuna: twelve islands in one sea, and the lines between them on which bridges lie.

Drawn in the millimetres of our printed sheet, so that what lies beside a place is where the camera finds it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import atan2, cos, degrees, dist, pi, sin

from markupsafe import Markup, escape

from companion.games.kahuna.board import BOARD_NAMES, Board, ends_of, load_board, parse_board
from companion.games.protocol import Json
from web.drawing.contours import closed_path
from web.drawing.fields import Point
from web.drawing.look import MAP, Look
from web.drawing.pieces import shapes, symbols

SYMBOLS = "kahuna.svg"
_SHEET = (420.0, 297.0)
_ART = (30.0, 24.0, 360.0, 249.0)  # left, top, width and height of the picture on the sheet
_RADIUS, _RIM = 20.0, 26.0  # of an island; what stays free around them all
_STONE = 17.0
_STICKS, _BREADTH = (30.0, 40.0), 0.17  # shortest and longest bridge, and how broad it is for its length
_CLEAR = 34.0  # what a bridge leaves free of its line, for names and stones
_TAKES = {"line-place": "bridge", "stone-place": "stone"}
_TOUCH = (44.0, 19.0)  # what of a line may be tapped
_SHALLOWS = (17.0, 10.5, 5.0)  # how far out the water stays light
_POINTS = 24  # of a coast
# On our sheet islands lie further apart than the board's data hint, so that every bridge has its room.
_PRINTED: Mapping[str, Point] = {
    "ALOA": (342, 243), "BARI": (223, 237), "COCO": (61, 229), "DUDA": (312, 181), "ELAI": (228, 170),
    "FAAA": (158, 200), "GOLA": (94, 174), "HUNA": (347, 120), "IFFI": (265, 114), "JOJO": (145, 131),
    "KAHU": (72, 91), "LALE": (244, 55),
}  # fmt: skip
# Decoration in the open sea: symbol, place and size.
_AT_SEA = (("compass", 364, 52, 34), ("turtle", 152, 66, 22), ("whale", 110, 256, 24), ("canoe", 318, 74, 22))


def draw(header: Mapping[str, Json], look: Look) -> Markup:
    """The whole play area as one SVG element, without pieces."""
    board = board_of(header)
    at = _layout(board)
    layers = (_shallows(at), _sea_life(), _ways(board, at), _islands(at), _line_places(board, at, look),
              _island_places(board, at, look), _names(at))  # fmt: skip
    body = "".join(part for layer in layers for part in layer)
    box = " ".join(f"{value:g}" for value in _ART)
    role = 'role="group"' if look.kind == MAP else 'role="img"'
    label = Markup(' aria-label="{}"').format(look.title) if look.title else ""
    size = f'data-size="{_SHEET[0]:g} {_SHEET[1]:g}"'
    return Markup(
        f'<svg class="island island-{look.kind} area-kahuna" xmlns="http://www.w3.org/2000/svg" viewBox="{box}" '
        f'{role}{label} data-home="{box}" data-thumb="{_TOUCH[1]:g}">{symbols(SYMBOLS)}'
        f'<rect class="sea" x="-1500" y="-1500" width="3500" height="3500"/>'
        f'<g class="board" data-board="{escape(board.name)}" {size}>{body}</g></svg>'
    )


def sizes(header: Mapping[str, Json]) -> dict[str, Point]:
    """The size of the sheet, by which fractions of it are told."""
    return {board_of(header).name: _SHEET}


def board_of(header: Mapping[str, Json]) -> Board:
    """The board that a header names or brings along."""
    (board,) = header["boards"]
    return load_board(board) if isinstance(board, str) else parse_board(board)


def _layout(board: Board) -> dict[str, Point]:
    """Where each island lies on the sheet; those of an owner's own board where its data have them."""
    if board == load_board(BOARD_NAMES[0]):
        return dict(_PRINTED)
    left, top, width, height = _ART
    return {
        name: (left + _RIM + x * (width - 2 * _RIM), top + _RIM + y * (height - 2 * _RIM))
        for name, (x, y) in board.islands.items()
    }


# --- The ground ---


def _coast(middle: Point, name: str, out: float = 0.0) -> str:
    """A round coast that swings in two, three and five waves, differently for each island."""
    seed = sum(ord(letter) * place for place, letter in enumerate(name, 7))
    ring = []
    for step in range(_POINTS):
        angle = 2 * pi * step / _POINTS
        swing = 0.09 * cos(2 * angle + seed) + 0.06 * cos(3 * angle + 2.1 * seed) + 0.03 * cos(5 * angle + seed / 3)
        radius = _RADIUS * (1 + swing) + out
        ring.append((middle[0] + radius * cos(angle) * 1.06, middle[1] + radius * sin(angle) * 0.97))
    return closed_path(ring)


def _shallows(at: Mapping[str, Point]) -> Iterator[str]:
    for depth, out in enumerate(_SHALLOWS):
        path = "".join(_coast(middle, name, out) for name, middle in at.items())
        yield f'<path class="shallow shallow-{depth}" d="{path}"/>'


def _sea_life() -> Iterator[str]:
    for symbol, x, y, size in _AT_SEA:
        yield _motif(symbol, (x - size / 2, y - size / 2), size)


def _ways(board: Board, at: Mapping[str, Point]) -> Iterator[str]:
    """The lines as ropes of buoys from coast to coast."""
    path = "".join(f"M{_xy(at[one])}L{_xy(at[other])}" for one, other in map(ends_of, board.lines))
    yield f'<path class="rope-edge" id="ropes" d="{path}"/><use class="rope" href="#ropes"/>'


def _islands(at: Mapping[str, Point]) -> Iterator[str]:
    for name, middle in at.items():
        x, y = middle
        yield f'<path class="coast" d="{_coast(middle, name)}"/>'
        yield f'<path class="land land-{name}" d="{_coast(middle, name, -2.6)}"/>'
        if f"word-{name}" in shapes(SYMBOLS):
            yield from (_motif(f"word-{name}", (x + aside, y - 7), 8.5) for aside in (-16.5, 8.5))


def _names(at: Mapping[str, Point]) -> Iterator[str]:
    for name, (x, y) in at.items():
        yield f'<text class="name name-beach" x="{x:.1f}" y="{y - 9.6:.1f}" font-size="7" aria-hidden="true">'
        yield f"{name}</text>"


def _motif(symbol: str, corner: Point, size: float) -> str:
    x, y = corner
    return f'<use class="motif" href="#{symbol}" x="{x:.1f}" y="{y:.1f}" width="{size:g}" height="{size:g}"/>'


# --- Places ---


def _line_places(board: Board, at: Mapping[str, Point], look: Look) -> Iterator[str]:
    for line in board.lines:
        (ax, ay), (bx, by) = (at[end] for end in ends_of(line))
        turn = (degrees(atan2(by - ay, bx - ax)) + 90) % 180 - 90
        length = max(_STICKS[0], min(dist((ax, ay), (bx, by)) - _CLEAR, _STICKS[1]))
        breadth = length * _BREADTH
        outline = (
            f'<g transform="rotate({turn:.1f})">{_bar("touch", _TOUCH)}{_bar("glow", (length + 5, breadth + 5))}'
            f"{_bar('plot', (length, breadth))}</g>"
        )
        yield _place(line, "line-place", ((ax + bx) / 2, (ay + by) / 2), length, outline, turn, look)


def _bar(kind: str, size: Point) -> str:
    width, height = size
    return (
        f'<rect class="{kind}" x="{-width / 2:g}" y="{-height / 2:g}" width="{width:g}" height="{height:g}" '
        f'rx="{height / 2:g}"/>'
    )


def _island_places(board: Board, at: Mapping[str, Point], look: Look) -> Iterator[str]:
    for name, (x, y) in at.items():
        outline = (
            f'<circle class="touch" r="{_RADIUS - 4:g}"/><circle class="glow" r="{_STONE / 2 + 2.4:g}"/>'
            f'<circle class="plot" r="{_STONE / 2 - 0.6:g}"/>'
            f'<text class="majority" y="2.6" aria-hidden="true">{_majority(name, board)}</text>'
        )
        label = f"{look.labels.get(name, name)}, {_majority(name, board)}"
        told = look._replace(labels={name: label})
        yield _place(name, "stone-place", (x, y + 2.4), _STONE, outline, 0.0, told)


def _majority(island: str, board: Board) -> str:
    """What it takes to have more than half of an island's lines: it stands in the place for its stone."""
    lines = sum(island in ends_of(line) for line in board.lines)
    return f"{lines // 2 + 1}/{lines}"


def _place(name: str, kind: str, point: Point, size: float, outline: str, turn: float, look: Look) -> str:
    tappable = (
        f'role="button" tabindex="0" aria-label="{escape(look.labels.get(name, name))}"' if look.kind == MAP else ""
    )
    way = f' transform="rotate({turn:.1f})"' if turn else ""
    return (
        f'<g class="place {kind}" id="place-{escape(name)}" data-place="{escape(name)}" data-content="empty" '
        f'data-takes="{_TAKES[kind]}" data-size="{size:g}" data-turn="{turn:.1f}" '
        f'transform="translate({_xy(point, " ")})" {tappable}>'
        f'{outline}<g class="pieces"{way}></g></g>'
    )


def _xy(point: Point, between: str = ",") -> str:
    return f"{point[0]:.1f}{between}{point[1]:.1f}"
