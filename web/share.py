"""The score as one picture: an SVG that carries its own style, to be kept, sent or turned into a PNG by the phone."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

from markupsafe import Markup, escape

from companion.games.makabana.board import load_board
from companion.games.texts import name
from web.drawing import Look, island_svg
from web.drawing.scene import piece_svg
from web.language import _

WIDTH, MARGIN, ROW, HEAD = 1080, 48, 74, 150
_STYLE = """
.paper{fill:#fbf3e0}.title{font:800 56px ui-rounded,Nunito,'DejaVu Sans',sans-serif;fill:#5b341f}
.cell{font:600 34px ui-rounded,Nunito,'DejaVu Sans',sans-serif;fill:#2b2a27}.dim{fill:#6b5d4c}
.total{font-weight:800}.num{text-anchor:middle}.head{font-size:26px}.foot{font-size:24px}
.island{animation:none}.piece{animation:none!important}
"""


def summary_svg(snapshot: dict[str, Any], language: str) -> str:
    """A whole SVG document with the map above and the ranking below."""
    boards = [load_board(board) for board in snapshot["boards"]]
    contents = {place: seen["content"] for place, seen in snapshot["places"].items()}
    island = island_svg(boards, contents, Look(is_column=True))
    width, height = (float(value) for value in str(island).split('viewBox="0 0 ')[1].split('"')[0].split())
    map_height = (WIDTH - 2 * MARGIN) * height / width
    rows = _rows(snapshot["score"], language)
    whole = HEAD + map_height + ROW * (len(snapshot["score"]["scores"]) + 1) + 110
    placed = str(island).replace(
        "<svg ", f'<svg x="{MARGIN}" y="{HEAD}" width="{WIDTH - 2 * MARGIN}" height="{map_height:g}" ', 1
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {whole:g}" width="{WIDTH}" height="{whole:g}">'
        f"<style>{_island_style()}{_STYLE}</style>"
        f'<rect class="paper" width="{WIDTH}" height="{whole:g}"/>'
        f'<text class="title" x="{MARGIN}" y="98">Maka Bana</text>'
        f'{placed}<g transform="translate({MARGIN} {HEAD + map_height + 20:g})">{rows}</g></svg>'
    )


@cache
def _island_style() -> str:
    return resources.files("web").joinpath("static", "island.css").read_text(encoding="utf-8")


def _rows(score: dict[str, Any], language: str) -> Markup:
    columns = {"beaches": _("Beaches"), "huts": _("Huts"), "clubs": _("Clubs"), "total": _("Total")}
    x_of = {key: 500 + index * 140 for index, key in enumerate(columns)}
    head = "".join(
        f'<text class="cell num head dim" x="{x_of[key]}" y="48">{escape(text)}</text>' for key, text in columns.items()
    )
    lines = [head]
    ranked = sorted(score["scores"], key=lambda player: -score["scores"][player]["total"])
    for row, player in enumerate(ranked, start=1):
        y = row * ROW + 48
        star = "★ " if player in score["winners"] else ""
        cells = "".join(_cell(score, player, key, x, y) for key, x in x_of.items())
        lines.append(f'<g transform="translate(34 {y - 14})">{piece_svg("hut", player, 64)}</g>')
        lines.append(f'<text class="cell" x="84" y="{y}">{star}{escape(name(player, language))}</text>{cells}')
    return Markup("".join(lines))


def _cell(score: dict[str, Any], player: str, key: str, x: int, y: int) -> str:
    low, high = score["ranges"][player]
    points = score["scores"][player][key]
    text = f"{low}–{high}" if key == "total" and low != high else str(points)
    return f'<text class="cell num{" total" if key == "total" else ""}" x="{x}" y="{y}">{text}</text>'
