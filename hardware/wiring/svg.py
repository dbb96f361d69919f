"""A small pen for line drawings: everything in millimetres, on a sheet that prints at true size."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, cos, pi, sin
from xml.sax.saxutils import escape

Point = tuple[float, float]

INK = "#1d2733"
SOFT = "#5b6875"
PAPER = "#ffffff"
PANEL = "#f3f6f8"
FONT = "DejaVu Sans, Verdana, Arial, sans-serif"


class Drawing:
    """Collects shapes and gives them as SVG text. The page is `width` by `height` mm."""

    def __init__(self, width: float, height: float, title: str) -> None:
        self.width, self.height, self.title = width, height, title
        self._shapes: list[str] = []

    def content(self) -> str:
        size = (
            f'width="{_n(self.width)}mm" height="{_n(self.height)}mm" viewBox="0 0 {_n(self.width)} {_n(self.height)}"'
        )
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{FONT}">'
        ground = f'<rect width="{_n(self.width)}" height="{_n(self.height)}" fill="{PAPER}"/>'
        return "\n".join([head, f"<title>{escape(self.title)}</title>", ground, *self._shapes, "</svg>", ""])

    def line(self, points: Sequence[Point], colour: str = INK, width: float = 0.4, dash: str = "") -> None:
        path = " ".join(f"{_n(x)},{_n(y)}" for x, y in points)
        style = f'fill="none" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round"'
        self._shapes.append(f'<polyline points="{path}" {style}{_dash(dash)}/>')

    def shape(self, points: Sequence[Point], fill: str, colour: str = INK, width: float = 0.4) -> None:
        path = " ".join(f"{_n(x)},{_n(y)}" for x, y in points)
        style = f'fill="{fill}" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round"'
        self._shapes.append(f'<polygon points="{path}" {style}/>')

    def box(  # noqa: PLR0913 - a rectangle has that many sides to it
        self, x: float, y: float, width: float, height: float, fill: str = PANEL, colour: str = INK, line: float = 0.4,
        *, dash: str = "", radius: float = 1.0,
    ) -> None:  # fmt: skip
        place = f'x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}" rx="{_n(radius)}"'
        style = f'fill="{fill}" stroke="{colour}" stroke-width="{line}"'
        self._shapes.append(f"<rect {place} {style}{_dash(dash)}/>")

    def circle(
        self, x: float, y: float, radius: float, fill: str = "none", colour: str = INK, width: float = 0.4
    ) -> None:
        style = f'fill="{fill}" stroke="{colour}" stroke-width="{width}"'
        self._shapes.append(f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" {style}/>')

    def dot(self, x: float, y: float, colour: str = INK) -> None:
        self.circle(x, y, 0.75, fill=colour, colour=colour, width=0)

    def text(  # noqa: PLR0913
        self, x: float, y: float, words: str, size: float = 2.8, anchor: str = "start", colour: str = INK,
        *, bold: bool = False, turn: float = 0,
    ) -> None:  # fmt: skip
        """`y` is the foot of the letters, `turn` in degrees."""
        style = f'font-size="{size}" text-anchor="{anchor}" fill="{colour}"' + (' font-weight="bold"' if bold else "")
        turned = f' transform="rotate({_n(turn)} {_n(x)} {_n(y)})"' if turn else ""
        self._shapes.append(f'<text x="{_n(x)}" y="{_n(y)}" {style}{turned}>{escape(words)}</text>')

    def lines_of_text(self, x: float, y: float, lines: Sequence[str], size: float = 2.9, step: float = 4.6) -> None:
        for number, words in enumerate(lines):
            self.text(x, y + number * step, words, size)

    def heading(self, words: str, under: str) -> None:
        self.text(10, 13, words, 5.6, bold=True)
        self.text(10, 19, under, 3.1, colour=SOFT)

    def measure(self, start: Point, end: Point, words: str, offset: float = 1.2, size: float = 2.8) -> None:
        """An arrow from end to end with its length written along it, `offset` mm beside it."""
        self.line([start, end], SOFT, 0.3)
        angle = atan2(end[1] - start[1], end[0] - start[0])
        for (x, y), way in ((start, 0.0), (end, pi)):
            tips = [(x + 1.8 * cos(angle + way + turn), y + 1.8 * sin(angle + way + turn)) for turn in (-0.3, 0.3)]
            self.shape([(x, y), *tips], SOFT, SOFT, 0.1)
        middle = ((start[0] + end[0]) / 2 + offset * sin(angle), (start[1] + end[1]) / 2 - offset * cos(angle))
        self.text(*middle, words, size, "middle", turn=angle * 180 / pi)

    # --- Parts of a circuit ---

    def resistor(self, start: Point, end: Point, colour: str = INK) -> None:
        """A resistor in the middle of a straight wire, upright or level."""
        self.line([start, end], colour)
        x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        wide, high = (5.0, 1.9) if start[1] == end[1] else (1.9, 4.0)
        self.box(x - wide / 2, y - high / 2, wide, high, PAPER, colour, radius=0.2)

    def supply(self, x: float, y: float, words: str, colour: str) -> None:
        self.line([(x - 1.6, y), (x + 1.6, y)], colour, 0.6)
        self.text(x, y - 0.9, words, 2.3, "middle", colour)

    def ground(self, x: float, y: float) -> None:
        for half, down in ((2.0, 0.0), (1.3, 0.9), (0.6, 1.8)):
            self.line([(x - half, y + down), (x + half, y + down)], INK, 0.5)


def _dash(dash: str) -> str:
    return f' stroke-dasharray="{dash}"' if dash else ""


def _n(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")
