"""Small plots as SVG, made here: bars and lines with their numbers written on them. Colours come from classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup, escape

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 640, 260, 44, 34, 18
WIDEST_BAR, APART = 72, 17

_END_MARK = (
    '<g class="seat-{0}"><use class="end-mark" href="#mark-{0}" x="{1:.1f}" y="{2:.1f}" width="14" height="14"/></g>'
)


def bars(values: Sequence[tuple[str, float]], title: str, unit: str = "") -> Markup:
    """One bar for each named value."""
    most = max((value for _, value in values), default=0) or 1
    step = (WIDTH - LEFT) / max(1, len(values))
    width, drawn = min(WIDEST_BAR, step * 0.7), []
    for index, (label, value) in enumerate(values):
        x, y = LEFT + index * step, _y(value, most)
        drawn.append(
            Markup('<rect class="bar" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="4"/>').format(
                x + step / 2 - width / 2, y, width, HEIGHT - BOTTOM - y
            )
        )
        drawn.append(_text(x + step / 2, y - 5, f"{value:g}{unit}", "value"))
        drawn.append(_text(x + step / 2, HEIGHT - BOTTOM + 20, label, "tick"))
    return _plot(title, drawn)


def lines(points: Mapping[str, Sequence[tuple[float, float]]], title: str) -> Markup:
    """One line for each colour, with its last number and its mark at the end."""
    every = [point for line in points.values() for point in line]
    widest, most = max((x for x, _ in every), default=1) or 1, max((y for _, y in every), default=1) or 1
    ends = _spread({colour: _y(line[-1][1], most) for colour, line in points.items() if line})
    drawn = []
    for colour, line in points.items():
        places = [(LEFT + x / widest * (WIDTH - LEFT - 46), _y(y, most)) for x, y in line]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        drawn.append(Markup('<polyline class="line-{}" points="{}"/>').format(colour, path))
        if places:
            x, y = places[-1][0], ends[colour]
            drawn.append(Markup(_END_MARK).format(colour, x + 4, y - 7))
            drawn.append(_text(x + 32, y + 4, f"{line[-1][1]:g}", "value"))
    return _plot(title, drawn)


def _spread(heights: Mapping[str, float]) -> dict[str, float]:
    """Heights for labels: where they were wanted, or lower, so that none covers another."""
    found: dict[str, float] = {}
    last = float("-inf")
    for name, wanted in sorted(heights.items(), key=lambda pair: pair[1]):
        last = found[name] = max(wanted, last + APART)
    return found


def _y(value: float, most: float) -> float:
    return TOP + (1 - value / most) * (HEIGHT - BOTTOM - TOP)


def _text(x: float, y: float, text: str, kind: str) -> Markup:
    return Markup('<text class="{}" x="{:.1f}" y="{:.1f}">{}</text>').format(kind, x, y, text)


def _plot(title: str, drawn: Sequence[Markup]) -> Markup:
    ground = f'<path class="axis" d="M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH}"/>'
    return Markup(
        f'<svg class="plot" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">{ground}'
        f"{Markup('').join(drawn)}</svg>"
    )
