"""The play area of Maki-San: a bamboo mat on a lacquer tray, ten rests in a row, seen by each player from their side.

Drawn in the millimetres of our printed sheet, so that what lies beside a place is where the camera finds it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from markupsafe import Markup, escape

from companion.games.makisan.board import PLACES, SIDES
from companion.games.protocol import Json
from web.drawing.fields import Point
from web.drawing.look import MAP, Look
from web.drawing.pieces import symbols

SYMBOLS = "makisan.svg"
SURFACE = "makisan"
_SHEET = (420.0, 297.0)
_MIDDLE = (_SHEET[0] / 2, _SHEET[1] / 2)
_TRAY, _BAMBOO = (30.0, 30.0, 360.0, 237.0), (50.0, 74.0, 320.0, 149.0)  # left, top, width, height
_NEAR = (66.0, 94.0, 288.0, 109.0)  # what a phone shows of it: the line, large enough for a thumb
_PITCH, _REST, _MAKI = 27.0, (24.0, 40.0), 38.0
_STALKS = 22
_DISHES: Mapping[str, Point] = dict(zip(SIDES, ((338.0, 245.0), (82.0, 52.0)), strict=True))


def draw(header: Mapping[str, Json], look: Look) -> Markup:
    """The mat without makis. Its lower edge is south's, unless it is drawn for north."""
    is_turned = look.seat == SIDES[1]
    layers = (_tray(), _bamboo(), _dishes(is_turned), _places(look, is_turned))
    body = "".join(part for layer in layers for part in layer)
    box = " ".join(f"{value:g}" for value in (_NEAR if look.kind == MAP else _TRAY))
    role = 'role="group"' if look.kind == MAP else 'role="img"'
    label = Markup(' aria-label="{}"').format(look.title) if look.title else ""
    turn = f' transform="rotate(180 {_MIDDLE[0]:g} {_MIDDLE[1]:g})"' if is_turned else ""
    size = f'data-size="{_SHEET[0]:g} {_SHEET[1]:g}"'
    return Markup(
        f'<svg class="island island-{look.kind} area-makisan" xmlns="http://www.w3.org/2000/svg" viewBox="{box}" '
        f'{role}{label} data-home="{box}" data-thumb="{_REST[0]:g}">{symbols(SYMBOLS)}'
        f'<rect class="table-top" x="-1500" y="-1500" width="3500" height="3500"/>'
        f'<g{turn}><g class="board" data-board="{SURFACE}" {size}>{body}</g></g></svg>'
    )


def sizes(header: Mapping[str, Json]) -> dict[str, Point]:
    """The size of the sheet, by which fractions of it are told."""
    return {SURFACE: _SHEET}


def _tray() -> Iterator[str]:
    left, top, width, height = _TRAY
    yield f'<rect class="lacquer" x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}" rx="16"/>'
    yield f'<rect class="lacquer-line" x="{left + 7:g}" y="{top + 7:g}" width="{width - 14:g}" '
    yield f'height="{height - 14:g}" rx="11"/>'


def _bamboo() -> Iterator[str]:
    """Stalks side by side, held together by three threads."""
    left, top, width, height = _BAMBOO
    thick = height / _STALKS
    for number in range(_STALKS):
        y = top + number * thick
        yield f'<rect class="stalk stalk-{number % 3}" x="{left:g}" y="{y:.1f}" width="{width:g}" '
        yield f'height="{thick - 0.5:.1f}" rx="2.4"/>'
        knot = left + 20 + (number * 67) % (width - 40)
        yield f'<path class="knot" d="M{knot:.1f} {y + 0.6:.1f}v{thick - 1.6:.1f}"/>'
    for share in (0.06, 0.5, 0.94):
        yield f'<path class="thread" d="M{left + share * width:.1f} {top:g}v{height:g}"/>'


def _dishes(is_turned: bool) -> Iterator[str]:
    """Where each side's Wasabi waits, with the side's own mark."""
    for side, (x, y) in _DISHES.items():
        yield f'<g class="dish seat-{side}"{_upright((x, y), is_turned)}>'
        yield f'<circle class="rim" cx="{x:g}" cy="{y:g}" r="15"/>'
        yield f'<use class="mark" href="#mark-{side}" x="{x - 6:g}" y="{y - 6:g}" width="12" height="12"/></g>'


def _upright(middle: Point, is_turned: bool) -> str:
    return f' transform="rotate(180 {middle[0]:g} {middle[1]:g})"' if is_turned else ""


def _places(look: Look, is_turned: bool) -> Iterator[str]:
    width, height = _REST
    for number, place in enumerate(PLACES):
        x = _MIDDLE[0] + _PITCH * (number - (len(PLACES) - 1) / 2)
        label = escape(look.labels.get(place, place))
        tappable = f'role="button" tabindex="0" aria-label="{label}"' if look.kind == MAP else ""
        below = -height / 2 - 6.5 if is_turned else height / 2 + 11.5  # towards whoever looks
        yield (
            f'<g class="place rest" id="place-{place}" data-place="{place}" data-content="empty" '
            f'data-size="{_MAKI:g}" data-turn="0" transform="translate({x:.1f} {_MIDDLE[1]:.1f})" {tappable}>'
            f"{_rest('touch', _PITCH, height + 26)}{_rest('glow', width + 2, height + 2)}{_rest('plot', width, height)}"
            f'<text class="rest-number" y="{below:g}"{_upright((0, below - 2.5), is_turned)} aria-hidden="true">'
            f'{place}</text><g class="pieces"></g></g>'
        )


def _rest(kind: str, width: float, height: float) -> str:
    return f'<rect class="{kind}" x="{-width / 2:g}" y="{-height / 2:g}" width="{width:g}" height="{height:g}" rx="9"/>'
