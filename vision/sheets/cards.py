"""The decks as A4 pages, nine cards a page: a page of fronts, then its backs, mirrored for printing on both sides.

Print both sides turned over the long edge, or glue the two sheets back to back with the NFC sticker between them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from vision.sheets import motifs
from vision.sheets.canvas import Canvas, Colour, Line, Picture, Point, circle, dashes, moved, rounded_box, spline
from vision.sheets.colours import (
    BEACH_INK,
    CLUB_INK,
    FOAM,
    GROUND,
    GROUND_INK,
    INK,
    PAPER,
    PIECES,
    PLOT,
    SEA,
    SEA_INK,
    SHORE,
    SOFT_INK,
    SPOT_INK,
)
from vision.sheets.decks import Card, decks
from vision.sheets.lettering import text_width, write
from vision.sheets.pdf import PdfCanvas
from vision.sheets.symbols import draw_spot, mask_and_snorkel, paint_pot
from vision.sheets.tiling import A4_MM

CARD_MM = (63.0, 88.0)
NFC_MM = 25.0  # the usual round sticker
COLUMNS = ROWS = 3
_LEFT = (A4_MM[0] - COLUMNS * CARD_MM[0]) / 2
_TOP = (A4_MM[1] - ROWS * CARD_MM[1]) / 2
_MIDDLE = (CARD_MM[0] / 2, CARD_MM[1] / 2)
_RIM_MM = 3.6
_PER_PAGE = COLUMNS * ROWS
AnyCard = TypeVar("AnyCard")
_FRENCH = {"Paint": "Peinture", "Club": "Club"}
_ENGLISH = {
    "Sable": "sand", "Lagon": "lagoon", "Cocotier": "coconut palms", "Rocher": "rock", "Herbe": "high grass",
    "Tatouage": "tattoo", "Fleur": "flower", "Poisson": "fish", "Paint": "paint", "Club": "diving club",
}  # fmt: skip
# What lies in the circle of a sector's card: drawing, place beside the middle, size.
_SCENES: dict[str, tuple[tuple[motifs.Motif, float, float, float], ...]] = {
    "Cocotier": ((motifs.palm, -5.5, 1.0, 8.0), (motifs.palm, 6.0, 3.0, 6.5), (motifs.grass, 0.5, 10.5, 2.0)),
    "Herbe": ((motifs.grass, -6.0, 2.0, 6.0), (motifs.grass, 5.0, -2.5, 6.5), (motifs.grass, 2.5, 8.0, 4.0)),
    "Rocher": ((motifs.stones, -3.0, -3.0, 7.5), (motifs.stones, 6.0, 7.0, 4.0)),
    "Sable": (
        (motifs.starfish, -4.5, -3.5, 5.5), (motifs.shell, 6.0, 4.0, 4.5),
        (motifs.sand_grains, -4.0, 8.5, 4.0), (motifs.sand_grains, 6.0, -7.0, 4.0),
    ),
    "Lagon": ((motifs.ripples, -3.0, -6.0, 6.0), (motifs.ripples, 4.5, 2.0, 6.5), (motifs.ripples, -5.0, 8.5, 4.5)),
}  # fmt: skip


class OnCard:
    """A canvas on which a card's own millimetres hold: moved to its place, and turned by half for its other end."""

    def __init__(self, canvas: Canvas, at: Point, is_turned: bool = False) -> None:
        self._canvas, self._at, self._is_turned = canvas, at, is_turned

    def turned(self) -> OnCard:
        return OnCard(self._canvas, self._at, not self._is_turned)

    def fill(self, rings: Sequence[Line], colour: Colour, alpha: float = 1.0) -> None:
        self._canvas.fill([self._put(ring) for ring in rings], colour, alpha)

    def stroke(self, line: Line, colour: Colour, width: float, closed: bool = False, alpha: float = 1.0) -> None:
        self._canvas.stroke(self._put(line), colour, width, closed, alpha)

    def picture(self, pixels: Picture, left: float, top: float, width: float, height: float) -> None:
        raise NotImplementedError("cards are drawn in lines only")

    def _put(self, line: Line) -> list[Point]:
        if self._is_turned:
            line = [(CARD_MM[0] - x, CARD_MM[1] - y) for x, y in line]
        return moved(line, self._at)


def cards_pdf(edition: str) -> bytes:
    canvas = PdfCanvas(A4_MM, f"Maka Bana cards {edition}")
    cards = decks(edition)
    for start in range(0, len(cards), _PER_PAGE):
        page = cards[start : start + _PER_PAGE]
        if start:
            canvas.next_page()
        draw_page(canvas, page, _draw_front, is_back=False)
        canvas.next_page()
        draw_page(canvas, page, _draw_back, is_back=True)
    return canvas.content()


def place_of(number: int, is_back: bool) -> Point:
    """The top left corner of a page's card; on the back, columns run the other way."""
    row, column = divmod(number, COLUMNS)
    column = COLUMNS - 1 - column if is_back else column
    return _LEFT + column * CARD_MM[0], _TOP + row * CARD_MM[1]


def draw_page(
    canvas: PdfCanvas, cards: Sequence[AnyCard], draw: Callable[[OnCard, AnyCard], None], is_back: bool
) -> None:
    """One page of cards of whatever game, with marks where to cut; a back shows where the NFC sticker goes."""
    for number, card in enumerate(cards):
        at = place_of(number, is_back)
        draw(OnCard(canvas, at), card)
        if is_back:
            canvas.text("NFC", (at[0] + _MIDDLE[0], at[1] + _MIDDLE[1] + 1.6), 4.5, SOFT_INK, centred=True)
    for column in range(COLUMNS + 1):
        x = _LEFT + column * CARD_MM[0]
        for y in (_TOP - 5, A4_MM[1] - _TOP + 1):
            canvas.stroke([(x, y), (x, y + 4)], SOFT_INK, 0.15)
    for row in range(ROWS + 1):
        y = _TOP + row * CARD_MM[1]
        for x in (_LEFT - 2.4, A4_MM[0] - _LEFT + 0.4):
            canvas.stroke([(x, y), (x + 2, y)], SOFT_INK, 0.15)


def _draw_front(card_canvas: OnCard, card: Card) -> None:
    _panel(card_canvas, card.colour, _ground_of(card))
    ends = (card_canvas, card_canvas.turned())
    for end, name in zip(ends, (card.names * 2)[:2], strict=True):
        if card.kind == "beach":
            _draw_beach(end, name)
        else:
            _draw_title(end, _FRENCH.get(name, name), _ENGLISH[name])
    if card.kind != "beach":
        _draw_sign(card_canvas, card)


def _ground_of(card: Card) -> Colour:
    grounds = {"beach": SHORE, "sector": GROUND.get(card.names[0], PLOT), "Club": GROUND["Lagon"]}
    return grounds.get(card.kind, PLOT)


def _panel(canvas: Canvas, colour: str, ground: Colour) -> None:
    """The deck's colour as a broad rim, so that a hand of cards shows whose it is."""
    inner = (CARD_MM[0] - 2 * _RIM_MM - 4, CARD_MM[1] - 2 * _RIM_MM - 4)
    canvas.fill(
        [rounded_box(_RIM_MM, _RIM_MM, CARD_MM[0] - 2 * _RIM_MM, CARD_MM[1] - 2 * _RIM_MM, 4.5)], PIECES[colour].ink
    )
    canvas.fill([rounded_box(_RIM_MM + 2, _RIM_MM + 2, *inner, 2.8)], ground)


def _draw_title(canvas: Canvas, name: str, english: str) -> None:
    height = min(5.6, 5.6 * 44 / text_width(name, 5.6))
    _centred(canvas, name, 17.0, height, INK, height * 0.15)
    _centred(canvas, english, 21.6, 2.2, SOFT_INK, 0.28)


def _centred(canvas: Canvas, text: str, foot: float, height: float, ink: Colour, width: float) -> None:
    write(canvas, text, (_MIDDLE[0] - text_width(text, height) / 2, foot), height, ink, width)


def _draw_beach(canvas: Canvas, name: str) -> None:
    """One half of a beach card: the name and its initial under a palm, the sea in the middle of the card."""
    left, right = _RIM_MM + 2, CARD_MM[0] - _RIM_MM - 2
    shore = spline([(left, 38.5), (20.0, 36.5), (33.0, 39.5), (46.0, 37.5), (right, 40.0)])
    canvas.fill([[*shore, (right, _MIDDLE[1]), (left, _MIDDLE[1])]], SEA[1])
    canvas.stroke(shore, FOAM, 0.9)
    for x, y in ((17.0, 42.0), (45.0, 42.4)):
        motifs.swell(canvas, (x, y), 2.6, SEA_INK, 0.4)
    motifs.palm(canvas, (46.5, 29.4), 7.6, GROUND_INK["Cocotier"], 0.25)
    motifs.starfish(canvas, (39.5, 33.4), 1.7, GROUND_INK["Sable"], 0.3)
    motifs.shell(canvas, (26.0, 34.2), 1.4, GROUND_INK["Sable"], 0.6)
    write(canvas, name[0], (11.0, 33.2), 11.0, BEACH_INK, 1.9)
    height = min(6.2, 6.2 * 46 / text_width(name, 6.2))
    _centred(canvas, name, 16.6, height, BEACH_INK, height * 0.15)


def _draw_sign(canvas: Canvas, card: Card) -> None:
    name = card.names[0]
    canvas.fill([circle(_MIDDLE, 17.5)], PLOT)
    canvas.stroke(circle(_MIDDLE, 17.5), SOFT_INK, 0.3, closed=True)
    if card.kind == "sector":
        _draw_sector(canvas, name)
    elif card.kind == "spot":
        draw_spot(canvas, name, _MIDDLE, 12.5, SPOT_INK[name], 0.8)
    elif card.kind == "Paint":
        paint_pot(canvas, (_MIDDLE[0], _MIDDLE[1] + 1), 12.5, PIECES[card.colour].ink, 0.8)
    else:
        mask_and_snorkel(canvas, _MIDDLE, 13.0, CLUB_INK, 0.75)


def _draw_sector(canvas: Canvas, name: str) -> None:
    """The ground in the circle, with what grows or lies on it."""
    x, y = _MIDDLE
    canvas.fill([circle(_MIDDLE, 16.2)], GROUND[name])
    red, green, blue = GROUND_INK[name]
    ink = (red * 4 // 5, green * 4 // 5, blue * 4 // 5)  # a card is read at arm's length, so its lines are stronger
    for draw, dx, dy, size in _SCENES[name]:
        draw(canvas, (x + dx, y + dy), size, ink, 0.35)


def _draw_back(canvas: OnCard, card: Card) -> None:
    """The same for every card of a deck, so that a back gives nothing away."""
    ink = PIECES[card.colour].ink
    _panel(canvas, card.colour, PAPER)
    inner = rounded_box(_RIM_MM + 2, _RIM_MM + 2, CARD_MM[0] - 2 * _RIM_MM - 4, CARD_MM[1] - 2 * _RIM_MM - 4, 2.8)
    canvas.fill([inner], ink, 0.12)
    for row in range(7):
        for column in range(4 if row % 2 else 5):
            at = (_MIDDLE[0] + (column - (1.5 if row % 2 else 2)) * 11.2, _MIDDLE[1] + (row - 3) * 11.2)
            for size, width in ((4.9, 0.5), (3.3, 0.25), (1.6, 0.8)):
                canvas.stroke(moved([(0, -1), (1, 0), (0, 1), (-1, 0)], at, size), ink, width, closed=True)
    canvas.fill([circle(_MIDDLE, NFC_MM / 2 + 2.5)], PAPER)
    canvas.stroke(circle(_MIDDLE, NFC_MM / 2 + 2.5), ink, 0.4, closed=True)
    for dot in dashes(circle(_MIDDLE, NFC_MM / 2), 0.05, 1.45, closed=True):
        canvas.stroke(dot, SOFT_INK, 0.4)
