"""The play area of Māori: the display with the ship's way around it, and everybody's own board.

Drawn in the millimetres of our printed sheets, each cropped to what is played on. A phone has the display and its own
board large, the others' below; a screen has them side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import log
from typing import NamedTuple

from markupsafe import Markup, escape

from companion.games.maori.board import DISPLAY_SIDE, SHIP_PLACES, Board, cells_of, load_board, parse_board
from companion.games.protocol import Json
from web.drawing.fields import Point
from web.drawing.look import MAP, Look
from web.drawing.pieces import symbols

SYMBOLS = "maori.svg"
DISPLAY = "maori-display"
_UPRIGHT, _LYING = (210.0, 297.0), (297.0, 210.0)  # the sheets
_PITCH, _TILE, _TRACK, _SHIP = 40.0, 38.0, 16.0, 24.0
_DISPLAY_AT = (25.0, 56.0)  # the display's top left tile on its sheet
_BOARD_AT = (14.0, 25.0)  # a board's top left cell on its sheet
_STOCK_AT = (256.0, 54.0)
_DISPLAY_BOX = (6.0, 37.0, 198.0, 198.0)  # what is drawn of a sheet: left, top, width, height
_BOARD_BOX = (4.0, 15.0, 276.0, 180.0)
_GAP = 10.0
_SMALL, _LARGE = 0.49, 2.1  # how large others' boards are on a phone, and the display at most on a screen
_EDGE = 3.0  # of sea around everything
_SCREEN = 1.5  # how much wider than high a screen's picture is


class _Part(NamedTuple):
    """A sheet in the drawing: the player it belongs to (none: the display), where its crop goes and how large."""

    player: str
    at: Point
    scale: float = 1.0


def draw(header: Mapping[str, Json], look: Look) -> Markup:
    """The whole play area as one SVG element, without tiles."""
    board = _board(header)
    parts, (width, height) = _arranged(list(header["players"]), look)
    body = "".join(_sheet(part, board, look) for part in parts)
    role = 'role="group"' if look.kind == MAP else 'role="img"'
    label = Markup(' aria-label="{}"').format(look.title) if look.title else ""
    box = f"{-_EDGE:g} {-_EDGE:g} {width + 2 * _EDGE:g} {height + 2 * _EDGE:g}"
    return Markup(
        f'<svg class="island island-{look.kind} area-maori" xmlns="http://www.w3.org/2000/svg" viewBox="{box}" '
        f'{role}{label} data-home="{box}" data-thumb="{_SHIP:g}">{symbols(SYMBOLS)}'
        f'<rect class="sea" x="-1500" y="-1500" width="4000" height="4000"/>{body}</svg>'
    )


def sizes(header: Mapping[str, Json]) -> dict[str, Point]:
    """The sizes of the sheets, by which fractions of them are told."""
    name = _board(header).name
    return {DISPLAY: _UPRIGHT, **{f"maori-{name}-{player}": _LYING for player in header["players"]}}


def _board(header: Mapping[str, Json]) -> Board:
    (board,) = header["boards"]
    return load_board(board) if isinstance(board, str) else parse_board(board)


# --- Where everything goes ---


def _arranged(players: list[str], look: Look) -> tuple[list[_Part], Point]:
    own = [player for player in players if player == look.seat]
    others = [player for player in players if player not in own]
    return _column(own, others) if look.is_column else _side_by_side(players)


def _column(own: list[str], others: list[str]) -> tuple[list[_Part], Point]:
    """For a phone held upright: the display, one's own board, the others' two in a row."""
    width, height = _BOARD_BOX[2:]
    parts, y = [_Part("", ((width - _DISPLAY_BOX[2]) / 2, 0.0))], _DISPLAY_BOX[3] + _GAP
    for player in own:
        parts.append(_Part(player, (0.0, y)))
        y += height + _GAP
    for number, player in enumerate(others):
        at = (number % 2 * (width - _SMALL * width), y + number // 2 * (_SMALL * height + _GAP))
        parts.append(_Part(player, at, _SMALL))
    rows = (len(others) + 1) // 2
    return parts, (width, y - _GAP + rows * (_SMALL * height + _GAP))


def _side_by_side(players: list[str]) -> tuple[list[_Part], Point]:
    """For a screen: the display at the left, the boards beside it in as many columns as fill the screen best."""
    return min((_in_columns(players, columns) for columns in (1, 2)), key=lambda made: _misfit(made[1]))


def _misfit(size: Point) -> float:
    return abs(log(size[0] / size[1] / _SCREEN))


def _in_columns(players: list[str], columns: int) -> tuple[list[_Part], Point]:
    width, height = _BOARD_BOX[2:]
    rows = (len(players) + columns - 1) // columns
    total = max(rows * (height + _GAP) - _GAP, _DISPLAY_BOX[3])
    scale = min(total / _DISPLAY_BOX[3], _LARGE)
    side = scale * _DISPLAY_BOX[2]
    parts = [_Part("", (0.0, (total - side) / 2), scale)]
    for number, player in enumerate(players):
        row, column = divmod(number, columns)
        parts.append(_Part(player, (side + _GAP + column * (width + _GAP), row * (height + _GAP))))
    return parts, (side + columns * (width + _GAP), total)


# --- Sheets ---


def _sheet(part: _Part, board: Board, look: Look) -> str:
    box, size = (_BOARD_BOX, _LYING) if part.player else (_DISPLAY_BOX, _UPRIGHT)
    surface = f"maori-{board.name}-{part.player}" if part.player else DISPLAY
    x, y = part.at[0] - box[0] * part.scale, part.at[1] - box[1] * part.scale
    layers = _player_board(part.player, board, look) if part.player else _display(look)
    return (
        f'<g class="board" data-board="{escape(surface)}" data-size="{size[0]:g} {size[1]:g}" '
        f'transform="translate({x:.1f} {y:.1f}) scale({part.scale:.3f})">{"".join(layers)}</g>'
    )


def _display(look: Look) -> Iterator[str]:
    yield _frame("open-sea", _DISPLAY_BOX, 20.0)
    left, top = _DISPLAY_AT
    side = DISPLAY_SIDE * _PITCH
    yield _frame("lagoon-box", (left - 1, top - 1, side + 2, side + 2), 5.0)
    for cell in cells_of(DISPLAY_SIDE, DISPLAY_SIDE):
        yield _cell(f"display:{cell}", _middle(cell, _DISPLAY_AT), look)
    for number in range(1, SHIP_PLACES + 1):
        yield _ship_place(number, look)


def _player_board(player: str, board: Board, look: Look) -> Iterator[str]:
    yield f'<g class="seat-{escape(player)}">{_frame("own-sea", _BOARD_BOX, 12.0)}</g>'
    if board.inside:
        yield _atoll(board)
    for cell in board.printed:
        x, y = _middle(cell, _BOARD_AT)
        yield f'<use class="printed" href="#tile-palm" x="{x - 13:g}" y="{y - 13:g}" width="26" height="26"/>'
        yield f'<ellipse class="printed-land" cx="{x:g}" cy="{y + 5:g}" rx="16" ry="12"/>'
        yield f'<use class="printed" href="#tile-palm" x="{x - 9:g}" y="{y - 14:g}" width="18" height="20"/>'
    for number in range(board.canoes):
        yield f'<use class="printed" href="#tile-canoe" x="{238 + 20 * number:g}" y="148" width="16" height="16"/>'
    for cell in board.free:
        yield _cell(
            f"{player}:{cell}", _middle(cell, _BOARD_AT), look, "tile-canoe" if cell in board.canoe_cells else ""
        )
    yield _cell(f"{player}:stock", _STOCK_AT, look)
    yield _owner(player)


def _atoll(board: Board) -> str:
    """The ring around the cells inside."""
    rows, columns = ([int(cell.split(",")[index]) for cell in board.inside] for index in (0, 1))
    left, top = _BOARD_AT[0] + (min(columns) - 1) * _PITCH, _BOARD_AT[1] + (min(rows) - 1) * _PITCH
    width, height = (max(columns) - min(columns) + 1) * _PITCH, (max(rows) - min(rows) + 1) * _PITCH
    return _frame("atoll", (left - 1.5, top - 1.5, width + 3, height + 3), 9.0)


def _owner(player: str) -> str:
    """Whose board it is, by colour and mark."""
    name = escape(player)
    return (
        f'<g class="owner seat-{name}" transform="translate(256 104)"><circle class="roof" r="13"/>'
        f'<use class="mark" href="#mark-{name}" x="-8" y="-8" width="16" height="16"/></g>'
    )


def _frame(kind: str, box: tuple[float, float, float, float], radius: float) -> str:
    left, top, width, height = box
    return f'<rect class="{kind}" x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}" rx="{radius:g}"/>'


# --- Places ---


def _cell(place: str, middle: Point, look: Look, shows: str = "") -> str:
    half = _TILE / 2
    drawn = f'<use class="printed" href="#{shows}" x="-9" y="-9" width="18" height="18"/>' if shows else ""
    shapes = (
        f'{_frame("touch", (-_PITCH / 2, -_PITCH / 2, _PITCH, _PITCH), 3)}'
        f'{_frame("glow", (-half - 1, -half - 1, _TILE + 2, _TILE + 2), 4)}'
        f'{_frame("plot", (-half, -half, _TILE, _TILE), 3)}{drawn}'
    )  # fmt: skip
    return _place(place, "cell", middle, _TILE, shapes, look)


def _ship_place(number: int, look: Look) -> str:
    edge, step = divmod(number - 1, DISPLAY_SIDE)
    left, top = _DISPLAY_AT
    side, along, off = DISPLAY_SIDE * _PITCH, (step + 0.5) * _PITCH, _TRACK / 2 + 1
    middle = (
        (left + along, top - off),
        (left + side + off, top + along),
        (left + side - along, top + side + off),
        (left - off, top + side - along),
    )[edge]
    shapes = '<circle class="touch" r="14"/><circle class="glow" r="9"/><circle class="plot" r="5"/>'
    return _place(f"ship:{number}", "berth", middle, _SHIP, shapes, look)


def _place(name: str, kind: str, middle: Point, size: float, shapes: str, look: Look) -> str:
    label = escape(look.labels.get(name, name))
    tappable = f'role="button" tabindex="0" aria-label="{label}"' if look.kind == MAP else ""
    return (
        f'<g class="place {kind}" id="place-{escape(name)}" data-place="{escape(name)}" data-content="empty" '
        f'data-size="{size:g}" data-turn="0" transform="translate({middle[0]:g} {middle[1]:g})" {tappable}>'
        f'{shapes}<g class="pieces"></g></g>'
    )


def _middle(cell: str, corner: Point) -> Point:
    row, column = map(int, cell.split(","))
    return corner[0] + (column - 0.5) * _PITCH, corner[1] + (row - 0.5) * _PITCH
