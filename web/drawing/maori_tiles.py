"""The tiles of Māori as symbols, drawn from their data: `python -m web.drawing.maori_tiles` writes `maori.svg` anew.

A tile is 20 units wide. Land lies in a band through the middle and goes on over the sides it is open to, so that two
tiles meet; palms and huts stand on it, canoes and shells lie in the water of the corners, half wreaths on the sides.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from companion.games.maori.board import VOLCANO, Tile, load_tiles

FILE = Path(__file__).with_name("maori.svg")
_TURNS = {"N": -90, "E": 0, "S": 90, "W": 180}
# Land as seen on a tile that is open to the east, in the order: all around closed, open to one side, open to both.
_ISLAND = (
    "M-6.8.4C-7-4.400-3.400-6.800.8-6.400 5-6.200 7.200-3 6.800.8"
    " 6.400 5-3.400 7.400-6 4.400-6.800 3.400-6.800 2-6.800.4Z"
)
_END = (
    "M11-5.200C7-5.600 3-6.600-1-6-5.400-5.400-7.200-2.600-7 .4"
    "-6.800 4.400-3.400 6.400.6 6 4.400 5.600 7.400 5 11 5.200Z"
)
_MIDDLE = (
    "M-11-5.200C-6-6.400-3-4.600 0-5.400 4-6.200 7-5 11-5.200V5.200C7 5.600 4 6.600 0 5.600-4 4.800-7 5.800-11 5.200Z"
)
_SLOTS = {
    1: ((0.0, 0.0),),
    2: ((-2.8, 0.4), (2.8, -0.4)),
    3: ((-3.6, 1.2), (0.2, -2.2), (3.6, 1.4)),
    4: ((-3.6, -1.6), (1.4, -2.2), (-1.4, 2.0), (3.8, 1.6)),
}
_IN_WATER = ((-7.4, 7.4), (7.4, 7.4), (-7.4, -7.4), (7.4, -7.4))
_PARTS = Path(__file__).with_name("maori_parts.svg")  # drawn by hand


def symbol_lines() -> Iterator[str]:
    """All symbols of the game, one a line: parts, every tile of our set, and its picture on a chip."""
    yield from _PARTS.read_text(encoding="utf-8").splitlines()
    for tile in load_tiles("ours").tiles.values():
        picture = _use(f"tile-{tile.id}", (0.0, 0.0), 20.0)
        yield f'<symbol id="tile-{tile.id}" viewBox="-10 -10 20 20">{"".join(_drawn(tile))}</symbol>'
        yield f'<symbol id="word-{tile.id}" viewBox="-10 -10 20 20">{picture}</symbol>'


def _drawn(tile: Tile) -> Iterator[str]:
    yield _use("sea-tile", (0.0, 0.0), 20.0)
    yield from _land(tile)
    yield from (_wreath(side) for side in tile.wreaths)
    standing = ["tile-palm"] * tile.palms + ["tile-hut"] * tile.huts
    for part, at in zip(standing, _SLOTS.get(len(standing), ()), strict=False):
        yield _use(part, at, 6.4 if len(standing) > 1 else 8.0)
    floating = ["tile-canoe"] * tile.canoes + ["tile-shell"] * tile.shells
    yield from (_use(part, at, 5.0) for part, at in zip(floating, _IN_WATER, strict=False))


def _land(tile: Tile) -> Iterator[str]:
    if tile.kind == VOLCANO:
        yield f'<path class="tile-land" d="{_ISLAND}"/>'
        yield '<path class="volcano" d="M-6 4.600-2-4.600H2L6 4.600C2 6.400-2 6.400-6 4.600Z"/>'
        yield '<path class="lava" d="M-2-4.600H2L1 0 0-1.600-1 1Z"/>'
        return
    shapes = {"island": _ISLAND, "end": _END, "middle": _MIDDLE}
    if tile.kind in shapes:
        turn = _TURNS[tile.land[0]] if tile.land else 0
        way = f' transform="rotate({turn})"' if turn else ""
        yield f'<path class="tile-land" d="{shapes[tile.kind]}"{way}/>'


def _wreath(side: str) -> str:
    """Half of a wreath: the other half is beyond the side."""
    x, y = {"N": (0, -10), "E": (10, 0), "S": (0, 10), "W": (-10, 0)}[side]
    return _use("tile-wreath", (x, y), 7.6)


def _use(symbol: str, middle: tuple[float, float], size: float) -> str:
    x, y = middle
    return f'<use href="#{symbol}" x="{x - size / 2:g}" y="{y - size / 2:g}" width="{size:g}" height="{size:g}"/>'


if __name__ == "__main__":
    FILE.write_text("\n".join(symbol_lines()) + "\n", encoding="utf-8")
