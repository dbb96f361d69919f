"""Pieces as small drawings, made of the symbols of their game.

Each game brings a file of symbols. A piece is drawn by the symbol named after it, `maki-red-green`, else by that of its
kind, `hut`; where a word goes on after an `@`, as in `tile:E12@90`, that is by how many degrees it is turned. What else
there is to know of a kind stands on its symbol, where scripts read it, too (`static/js/pieces.js`):

- `data-mark="x y size"`: where the mark of its colour goes, in the symbol's own 20 units;
- `data-scale`: how large it is drawn on a place of size 1;
- `data-aside`: how far right of the middle it stands where it is not alone, as a share of its place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import resources
from typing import NamedTuple

from markupsafe import Markup, escape

MAKABANA = "symbols.svg"  # has everybody's marks as well
_SYMBOL = re.compile(r"<symbol ([^>]*)>")
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
_USED = re.compile(r'href="#([\w-]+)"')
_ORNAMENTS = ("compass", "turtle", "whale")  # of the open sea
_UNITS = 20.0  # a symbol's own size


class Shape(NamedTuple):
    """How a symbol wants to be drawn."""

    mark: tuple[float, float, float] | None = None
    scale: float = 1.0
    aside: float = 0.0


@cache
def symbols(file: str = MAKABANA) -> str:
    """A game's pieces and signs as `<symbol>`s, to be put once into a page or picture.

    Everybody's marks are among them, and those drawings of Maka Bana that are used in the game's own.
    """
    lines = _lines(file)
    if file == MAKABANA:
        return f"<defs>{''.join(lines)}</defs>"
    wanted = {*_USED.findall("".join(lines)), *_ORNAMENTS}
    shared = [line for line in _lines(MAKABANA) if _named(line) in wanted or _named(line).startswith("mark-")]
    return f"<defs>{''.join([*shared, *lines])}</defs>"


def _named(line: str) -> str:
    return str(dict(_ATTRIBUTE.findall(line.partition(">")[0])).get("id", ""))


def _lines(file: str) -> list[str]:
    return resources.files(__package__).joinpath(file).read_text(encoding="utf-8").splitlines()


@cache
def shapes(file: str) -> Mapping[str, Shape]:
    """By name: how each symbol of a file wants to be drawn."""
    found = [dict(_ATTRIBUTE.findall(match[1])) for match in _SYMBOL.finditer(symbols(file))]
    return {told["id"]: _shape(told) for told in found}


def _shape(told: Mapping[str, str]) -> Shape:
    x, y, size = map(float, told.get("data-mark", "0 0 0").split())
    mark = (x, y, size) if size else None
    return Shape(mark, float(told.get("data-scale", 1)), float(told.get("data-aside", 0)))


def symbol_of(kind: str, colour: str, file: str) -> str | None:
    """The name of the symbol that draws a piece; None for a kind that has none."""
    known = shapes(file)
    return next((name for name in (f"{kind}-{colour.partition('@')[0]}", kind) if name in known), None)


def piece_svg(kind: str, colour: str, size: float, x: float = 0.0, file: str = MAKABANA) -> str:
    """One piece with its colour's mark, around (x, 0); nothing for a kind without a symbol."""
    name = symbol_of(kind, colour, file)
    if name is None:
        return ""
    half, mark = size / 2, shapes(file)[name].mark
    drawn = f'<use href="#{escape(name)}" x="{x - half:.1f}" y="{-half:.1f}" width="{size:.1f}" height="{size:.1f}"/>'
    if mark:
        mx, my, across = (value * size / _UNITS for value in mark)
        drawn += f'<use class="mark" href="#mark-{escape(colour)}" x="{x + mx - across / 2:.1f}" '
        drawn += f'y="{my - across / 2:.1f}" width="{across:.1f}" height="{across:.1f}"/>'
    turn = colour.partition("@")[2]
    way = f' transform="rotate({turn})"' if turn.isdigit() else ""
    return f'<g class="piece piece-{escape(kind)} seat-{escape(colour)}"><g{way}>{drawn}</g></g>'


def pieces_svg(content: str, size: float, file: str = MAKABANA) -> str:
    """All that lies on a place of this size, `hut:blue+tiki:pink`."""
    found = [word.partition(":") for word in content.split("+") if ":" in word]
    drawn = []
    for kind, _, colour in found:
        shape = shapes(file).get(symbol_of(kind, colour, file) or "", Shape())
        aside = size * shape.aside if len(found) > 1 else 0.0
        drawn.append(piece_svg(kind, colour, size * shape.scale, aside, file))
    return "".join(drawn)


@lru_cache(maxsize=1024)
def piece_token(kind: str, colour: str, file: str = MAKABANA) -> Markup:
    """One piece as a small picture beside a word. Its symbols must stand somewhere on the same page."""
    drawn = piece_svg(kind, colour, _UNITS, 0.0, file)
    return Markup(f'<svg class="token" viewBox="-10 -10 20 20" aria-hidden="true">{drawn}</svg>') if drawn else Markup()
