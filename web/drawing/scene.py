"""One or more islands side by side as one SVG: sea, coasts, grounds, ways, plots, names, and pieces on top.

Nothing here has a colour of its own: classes do, in `static/island.css`, so that day, dusk and the table screen share
one drawing. Every place is a group with the id `place-NAME`, its name in `data-place` and a label for screen readers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup, escape

from companion.games.makabana.board import Board, beach_of, coordinates_of
from web.drawing.fields import Point
from web.drawing.island import Island, island_of
from web.drawing.labels import Labels, labels_of
from web.drawing.look import MAP, PICTURE, Look
from web.drawing.pieces import piece_svg, piece_token, pieces_svg, symbols

_GAP = 14.0
_CLUB_MM = 22.0
_TOUCH = 1.32  # how much larger than its plot a place may be tapped


class _Part(NamedTuple):
    island: Island
    labels: Labels
    at: Point


def island_svg(boards: Sequence[Board], pieces: Mapping[str, str] | None = None, look: Look | None = None) -> Markup:
    """The boards as one SVG element. `pieces` gives what lies on a place as one word, `hut:blue+tiki:pink`."""
    look = look or Look()
    parts, (width, height) = _arranged(boards, look.is_column)
    body = "".join(_island(part, pieces or {}, look) for part in parts)
    role = 'role="group"' if look.kind == MAP else 'role="img"'
    label = Markup(' aria-label="{}"').format(look.title) if look.title else ""
    return Markup(
        f'<svg class="island island-{look.kind}" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'{role}{label} data-home="0 0 {width:g} {height:g}">{symbols()}'
        f'<rect class="sea" x="-2000" y="-2000" width="{width + 4000:g}" height="{height + 4000:g}"/>{body}</svg>'
    )


def _arranged(boards: Sequence[Board], is_column: bool) -> tuple[list[_Part], Point]:
    """Where each island goes: side by side, the third below the two, or all in a column."""
    islands = [island_of(board) for board in boards]
    rows = [[island] for island in islands] if is_column else [islands[:2], islands[2:]]
    rows = [row for row in rows if row]
    width = max(_row_width(row) for row in rows)
    parts, y = [], 0.0
    for row in rows:
        x = (width - _row_width(row)) / 2
        for island in row:
            parts.append(_Part(island, _labels(island), (x, y)))
            x += island.layout.size[0] + _GAP
        y += max(island.layout.size[1] for island in row) + _GAP
    return parts, (round(width, 1), round(y - _GAP, 1))


def _row_width(row: Sequence[Island]) -> float:
    return sum(island.layout.size[0] for island in row) + _GAP * (len(row) - 1)


_LABELS: dict[int, tuple[Island, Labels]] = {}


def _labels(island: Island) -> Labels:
    """Remembered beside the island itself, which is remembered by its board."""
    known = _LABELS.get(id(island))
    if known is None or known[0] is not island:
        if len(_LABELS) > 16:
            _LABELS.clear()
        _LABELS[id(island)] = known = (island, labels_of(island))
    return known[1]


def _island(part: _Part, pieces: Mapping[str, str], look: Look) -> str:
    x, y = part.at
    layers = (_ground(part), _ways(part), _names(part), _places(part, pieces, look))
    content = "".join(piece for layer in layers for piece in layer)
    name = escape(part.island.layout.board.name)
    width, height = part.island.layout.size
    size = f'data-size="{width:g} {height:g}"'
    return f'<g class="board" data-board="{name}" {size} transform="translate({x:g} {y:g})">{content}</g>'


def _ground(part: _Part) -> Iterator[str]:
    island = part.island
    for depth, path in enumerate(island.shallows):
        yield f'<path class="shallow shallow-{depth}" d="{path}"/>'
    yield f'<path class="coast" d="{island.coast}"/>'
    yield f'<path class="land" d="{island.land}"/>'
    for (beach, sector), path in island.grounds.items():
        yield f'<path class="ground ground-{escape(sector)}" data-beach="{escape(beach)}" d="{path}"/>'
    for motif in part.labels.motifs:
        (mx, my), size = motif.at, motif.size
        yield f'<use class="motif" href="#{motif.symbol}" x="{mx - size / 2:.1f}" y="{my - size / 2:.1f}" '
        yield f'width="{size:.1f}" height="{size:.1f}"/>'


def _ways(part: _Part) -> Iterator[str]:
    island, sites = part.island, part.island.layout.sites
    links = tuple(f"M{_xy(sites[a])}L{_xy(sites[b])}" for a, b in island.layout.board.adjacent)
    layers = (("jetty", "planks", island.jetties), ("road-edge", "road", island.roads), ("link-edge", "link", links),
              ("complex-edge", "complex", island.complexes))  # fmt: skip
    for under, over, paths in layers:
        name = f"{escape(island.layout.board.name)}-{over}"
        yield f'<g class="{under}"><path id="{name}" d="{"".join(paths)}"/></g><use class="{over}" href="#{name}"/>'


def _names(part: _Part) -> Iterator[str]:
    for name in part.labels.names:
        (x, y), size = name.at, name.size
        yield f'<text class="name name-{name.kind}" x="{x:.1f}" y="{y + size * 0.36:.1f}" font-size="{size:g}" '
        yield f'aria-hidden="true">{escape(name.text)}</text>'


def _places(part: _Part, pieces: Mapping[str, str], look: Look) -> Iterator[str]:
    layout = part.island.layout
    for site, point in layout.sites.items():
        yield _place(site, beach_of(site), coordinates_of(site)[2], point, layout.plot, pieces, look)
    for beach, point in layout.clubs.items():
        yield _place(f"club:{beach}", beach, "club", point, _CLUB_MM, pieces, look)


def _place(place: str, beach: str, spot: str, point: Point, size: float, pieces: Mapping[str, str], look: Look) -> str:
    label = escape(look.labels.get(place, place))
    # A picture is one thing to a screen reader; what it shows is said in its own label.
    tappable = f'role="button" tabindex="0" aria-label="{label}"' if look.kind == MAP else ""
    sign, kind = size * 0.74, "club-place" if spot == "club" else "site"
    return (
        f'<g class="place {kind}" id="place-{escape(place)}" data-place="{escape(place)}" data-beach="{escape(beach)}" '
        f'data-content="{escape(pieces.get(place, "empty"))}" data-size="{size:.1f}" '
        f'transform="translate({_xy(point, " ")})" {tappable}>'
        f'<circle class="touch" r="{size / 2 * _TOUCH:.1f}"/><circle class="glow" r="{size / 2 + 2.6:.1f}"/>'
        f'<circle class="plot" r="{size / 2 - 0.2:.1f}"/>'
        f'<use class="spot spot-{spot}" href="#spot-{spot}" x="{-sign / 2:.1f}" y="{-sign / 2:.1f}" '
        f'width="{sign:.1f}" height="{sign:.1f}"/>'
        f'<g class="pieces">{pieces_svg(pieces.get(place, ""), size)}</g></g>'
    )


def _xy(point: Point, between: str = ",") -> str:
    return f"{point[0]:.1f}{between}{point[1]:.1f}"


__all__ = ["MAP", "PICTURE", "Look", "island_svg", "piece_svg", "piece_token", "symbols"]
