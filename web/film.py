"""A finished game as one animated SVG: it carries its own style and needs nothing but a browser to play."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import NamedTuple

from markupsafe import escape

from companion.games.protocol import EMPTY
from companion.teaching.story import Frame, Story
from web.drawing.pieces import piece_svg, pieces_svg
from web.show import Show
from web.shows import show_of
from web.words import Words

BEAT_S, LAST_S = 0.55, 5.0  # one change of the board; how long the end stays
WIDTH, MARGIN, HEAD, ROW = 1080, 40, 110, 62
_PLACE = re.compile(r'(data-place="([^"]+)"[^>]*? data-size="([\d.]+)".*?<g class="pieces"[^>]*>)(</g>)')
_STYLE = """
.paper{fill:#fbf3e0}.title{font:800 46px ui-rounded,Nunito,'DejaVu Sans',sans-serif;fill:#5b341f}
.cell{font:600 32px ui-rounded,Nunito,'DejaVu Sans',sans-serif;fill:#2b2a27}
.total{font-weight:800;text-anchor:end}.round{font-size:32px;text-anchor:end}.piece{animation:none!important}
"""


class _Shot(NamedTuple):
    """Something that is to be seen from one moment to another, in seconds."""

    what: str
    begin: float
    end: float


def film_svg(story: Story, island: str, names: Mapping[str, str], words: Words) -> str:
    """The whole game on a drawing of its board, as an SVG document that plays by itself, again and again."""
    scenes = _scenes(story)
    length = (len(scenes) - 1) * BEAT_S + LAST_S
    left, top, width, height = (float(value) for value in _attribute(island, "viewBox").split())
    scale = (WIDTH - 2 * MARGIN) / width
    map_height = height * scale
    # A group and not an SVG within the SVG, which browsers would give a clock of its own.
    drawn = _with_pieces(island.partition(">")[2].removesuffix("</svg>"), scenes, length, words.game)
    box = f'x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}"'
    clip = f'<clipPath id="frame"><rect {box} rx="6"/></clipPath>'
    corner = f"{MARGIN - left * scale:.2f} {HEAD - top * scale:.2f}"
    at = f'transform="translate({corner}) scale({scale:.4f})" clip-path="url(#frame)"'
    island = f'{clip}<g class="{_attribute(island, "class")}" {at}>{drawn}</g>'
    whole = HEAD + map_height + 30 + ROW * len(names)
    rounds = _rounds(scenes, length, words)
    show = show_of(words.game)
    rows = "".join(_row(player, names[player], scenes, length, index, show) for index, player in enumerate(names))
    size = f'viewBox="0 0 {WIDTH} {whole:.0f}" width="{WIDTH}" height="{whole:.0f}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>'
        f"<style>{''.join(map(_style, filter(None, ('island.css', show.style))))}{_STYLE}</style>"
        f'<rect class="paper" width="{WIDTH}" height="{whole:.0f}"/>'
        f'<text class="title" x="{MARGIN}" y="72">{escape(words.title)}</text>{rounds}{island}'
        f'<g transform="translate({MARGIN} {HEAD + map_height + 20:.0f})">{rows}</g></svg>'
    )


@cache
def _style(file: str) -> str:
    return resources.files("web").joinpath("static", file).read_text(encoding="utf-8")


def _attribute(svg: str, name: str) -> str:
    """An attribute of the drawing's own first element."""
    return svg.split(f' {name}="', 1)[1].split('"', 1)[0]


def _scenes(story: Story) -> list[Frame]:
    """The frames in which something on the board is new, and the last one."""
    every = [story.first, *story.frames]
    changed = [after for before, after in pairwise(every) if before.pieces != after.pieces]
    return [story.first, *changed] if not changed or changed[-1] is every[-1] else [story.first, *changed, every[-1]]


def _with_pieces(island: str, scenes: Sequence[Frame], length: float, game: str) -> str:
    """The drawing with every piece that ever lay on it, each to be seen at its time."""

    def filled(match: re.Match[str]) -> str:
        place, size = html.unescape(match[2]), float(match[3])
        contents = [scene.pieces.get(place, EMPTY) for scene in scenes]
        shots = [shot for shot in _shots(contents, length) if shot.what != EMPTY]
        return (
            match[1]
            + "".join(_timed(pieces_svg(shot.what, size, show_of(game).symbols), shot, length) for shot in shots)
            + match[4]
        )

    return _PLACE.sub(filled, island)


def _shots(values: Sequence[str], length: float) -> Iterator[_Shot]:
    """Stretches of the film in which a value stays the same."""
    starts = [at for at, value in enumerate(values) if at == 0 or values[at - 1] != value]
    for start, following in pairwise([*starts, len(values)]):
        end = length if following == len(values) else following * BEAT_S
        yield _Shot(values[start], start * BEAT_S, end)


def _timed(drawn: str, shot: _Shot, length: float) -> str:
    """Something that is seen during its shot alone; what is always there needs no clock."""
    begin, end = shot.begin / length, shot.end / length
    if begin <= 0 and end >= 1:
        return f"<g>{drawn}</g>"
    moments = [(0.0, "none")] if begin > 0 else []
    moments += [(begin, "inline"), *([(end, "none")] if end < 1 else [])]
    times, values = ";".join(f"{at:.4f}" for at, _ in moments), ";".join(value for _, value in moments)
    return (
        f'<g display="none"><animate attributeName="display" calcMode="discrete" dur="{length:.2f}s" '
        f'repeatCount="indefinite" values="{values}" keyTimes="{times}"/>{drawn}</g>'
    )


def _rounds(scenes: Sequence[Frame], length: float, words: Words) -> str:
    texts = [words.round(scene.round) if scene.round else "" for scene in scenes]
    return "".join(
        _timed(f'<text class="cell round" x="{WIDTH - MARGIN}" y="70">{escape(shot.what)}</text>', shot, length)
        for shot in _shots(texts, length)
        if shot.what
    )


def _row(player: str, name: str, scenes: Sequence[Frame], length: float, index: int, show: Show) -> str:
    y = index * ROW + 40
    totals = [str(scene.totals[player]) for scene in scenes]
    points = "".join(
        _timed(f'<text class="cell total" x="{WIDTH - 2 * MARGIN}" y="{y}">{shot.what}</text>', shot, length)
        for shot in _shots(totals, length)
    )
    badge = piece_svg(show.badge, player, 52, 0.0, show.symbols)
    token = f'<g transform="translate(26 {y - 12})">{badge}</g>'
    return f'{token}<text class="cell" x="72" y="{y}">{escape(name)}</text>{points}'
