"""The 24 island cards, two of each island, nine a page: a page of fronts, then its backs, mirrored.

Print both sides turned over the long edge, or glue the two sheets back to back with the NFC sticker between them.
"""

from __future__ import annotations

from math import tau

from vision.kahuna.characters import CHARACTERS
from vision.kahuna.colours import BEACH, CARD_RIM, FOAM, NAME_INK, POOL, SEA, SWELL
from vision.kahuna.layout import kahuna_sheet
from vision.sheets import motifs
from vision.sheets.canvas import Canvas, Point, circle, dashes, moved, rounded_box, spline
from vision.sheets.cards import CARD_MM, COLUMNS, NFC_MM, ROWS, OnCard, draw_page
from vision.sheets.colours import PAPER, SOFT_INK
from vision.sheets.lettering import text_width, write
from vision.sheets.pdf import PdfCanvas
from vision.sheets.tiling import A4_MM

COPIES = 2
_MIDDLE = (CARD_MM[0] / 2, CARD_MM[1] / 2)
_RIM_MM = 3.6
_NAME_MM = 6.4
_LARGE_MM = 8.2
# The coast of the island on a card, in shares of its radius.
_COAST = (1.0, 1.08, 0.96, 1.05, 1.1, 0.97, 1.02, 1.1, 0.98)
_SWELLS = ((13.0, 31.0), (50.0, 33.5), (11.5, 52.0), (51.0, 55.0), (31.5, 66.5), (31.5, 22.0))


def cards() -> tuple[str, ...]:
    """The island of every card, equal ones side by side."""
    return tuple(island for island in kahuna_sheet().islands_mm for _ in range(COPIES))


def cards_pdf() -> bytes:
    canvas = PdfCanvas(A4_MM, "KAHUNA cards")
    deck, per_page = cards(), COLUMNS * ROWS
    for start in range(0, len(deck), per_page):
        page = deck[start : start + per_page]
        if start:
            canvas.next_page()
        draw_page(canvas, page, draw_front, is_back=False)
        canvas.next_page()
        draw_page(canvas, page, draw_back, is_back=True)
    return canvas.content()


def draw_front(card: OnCard, island: str) -> None:
    """The island in its sea, its name readable from both ends."""
    _panel(card)
    who, (x, y) = CHARACTERS[island], _MIDDLE
    for at in _SWELLS:
        motifs.swell(card, at, 3.0, SWELL, 0.3)
    ring = [(x + 16.5 * r * dx, y + 15.0 * r * dy) for r, (dx, dy) in zip(_COAST, _spread(len(_COAST)), strict=True)]
    coast = spline(ring, closed=True)
    for scale, ink in ((1.3, SEA[1]), (1.17, SEA[0]), (1.08, FOAM), (1.04, BEACH), (0.93, who.ground)):
        card.fill([_scaled(coast, scale)], ink)
    card.stroke(_scaled(coast, 0.93), who.ink, 0.25, closed=True, alpha=0.5)
    who.large(card, _MIDDLE, _LARGE_MM, who.ink, 0.5)
    for dx, dy in ((-10.2, -4.6), (10.0, 5.0)):
        who.small(card, (x + dx, y + dy), 2.6 * who.girth, who.ink, 0.3)
    for end in (card, card.turned()):
        _draw_name(end, island)


def _spread(count: int) -> list[Point]:
    """Unit steps evenly around."""
    return [moved([(1.0, 0.0)], turn=step * tau / count)[0] for step in range(count)]


def _scaled(ring: list[Point], scale: float) -> list[Point]:
    return [(_MIDDLE[0] + (px - _MIDDLE[0]) * scale, _MIDDLE[1] + (py - _MIDDLE[1]) * scale) for px, py in ring]


def _panel(canvas: Canvas) -> None:
    width, height = CARD_MM[0] - 2 * _RIM_MM, CARD_MM[1] - 2 * _RIM_MM
    canvas.fill([rounded_box(_RIM_MM, _RIM_MM, width, height, 4.5)], CARD_RIM)
    canvas.fill([rounded_box(_RIM_MM + 2, _RIM_MM + 2, width - 4, height - 4, 2.8)], SEA[2])


def _draw_name(canvas: Canvas, name: str) -> None:
    start = (_MIDDLE[0] - text_width(name, _NAME_MM) / 2, 15.6)
    write(canvas, name, start, _NAME_MM, FOAM, _NAME_MM * 0.34)
    write(canvas, name, start, _NAME_MM, NAME_INK, _NAME_MM * 0.16)


def draw_back(card: OnCard, island: str) -> None:
    """The same for every card, so that a back gives nothing away: islands and the bridges between them."""
    _panel(card)
    spots = [
        (_MIDDLE[0] + (column - (1.0 if row % 2 else 1.5)) * 14.0, _MIDDLE[1] + (row - 3) * 11.6)
        for row in range(7)
        for column in range(3 if row % 2 else 4)
    ]
    for here in spots:
        for there in spots:
            if here < there and (there[0] - here[0]) ** 2 + (there[1] - here[1]) ** 2 < 15.0**2:
                for dot in dashes([here, there], 0.05, 1.3):
                    card.stroke(dot, FOAM, 0.5, alpha=0.8)
    for spot in spots:
        for radius, ink in ((3.5, BEACH), (2.9, CHARACTERS["COCO"].ground), (1.5, POOL)):
            card.fill([circle(spot, radius)], ink)
    card.fill([circle(_MIDDLE, NFC_MM / 2 + 2.5)], PAPER)
    card.stroke(circle(_MIDDLE, NFC_MM / 2 + 2.5), CARD_RIM, 0.5, closed=True)
    for dot in dashes(circle(_MIDDLE, NFC_MM / 2), 0.05, 1.45, closed=True):
        card.stroke(dot, SOFT_INK, 0.4)
