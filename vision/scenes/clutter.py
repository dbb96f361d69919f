"""What lies about on a game table: cups, cards, dice, pencils, coins, a phone, boxes. All stand on z = 0 about the
origin."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from vision.scenes.arrays import Floats, Rgb, between, chosen, floats, happens, rgb_of_hex
from vision.scenes.mesh import (
    Mesh,
    box,
    circle,
    loft,
    merged,
    moved,
    painted,
    prism,
    rectangle,
    rounded_rectangle,
    sheet_mesh,
    subdivided,
    transformed,
    tube,
    turn_about,
    turned,
)
from vision.scenes.paints import Surface
from vision.scenes.pieces import Thing

CHINA = Surface(0.16, 0.05, 0.0)
CARD = Surface(0.5, 0.04, 0.0)
WOODEN = Surface(0.5, 0.04, 0.0, 0.1, 2.0)
PLASTIC = Surface(0.35, 0.045, 0.02)
GLASSY = Surface(0.1, 0.06, 0.0)
METAL = Surface(0.3, 0.5, 0.0)

Maker = Callable[[np.random.Generator], list[Thing]]


def _thing(mesh: Mesh, surface: Surface) -> Thing:
    return Thing(mesh, surface, "clutter")


def cup(rng: np.random.Generator) -> list[Thing]:
    """A cup of coffee or tea, mostly on a saucer."""
    colour = rgb_of_hex(chosen(rng, ("#f2efe9", "#f7f7f5", "#2b5f8a", "#a9482f", "#3d3d40", "#d9c9a8")))
    low = 6.0 if happens(rng, 0.7) else 0.0
    tall, wide = between(rng, 52, 90), between(rng, 34, 44)
    body = [
        (wide * 0.55, low),
        (wide * 0.62, low + 2),
        (wide * 0.88, low + tall * 0.35),
        (wide, low + tall),
        (wide - 2.4, low + tall),
    ]
    inner = [*body, (wide * 0.86, low + tall * 0.82)]
    shell = turned(inner, 36, along=False)
    drink = moved(prism(circle(wide * 0.86, 36), 0.0, 0.5), (0.0, 0.0, low + tall * 0.82))
    liquid = rgb_of_hex(chosen(rng, ("#2a1208", "#6b3d1c", "#8a5a24", "#b98a5a")))
    parts = [
        _thing(painted(merged([shell, _handle(wide, low + tall * 0.5, tall * 0.28)]), colour), CHINA),
        _thing(painted(drink, liquid), GLASSY),
    ]
    if low:
        saucer = turned([(22, 0), (30, 1), (58, 5.5), (62, 7.5), (61, 8), (34, 4.0), (0.1, 3.5)], 40)
        parts.append(_thing(painted(saucer, colour), CHINA))
    return parts


def _handle(wide: float, height: float, reach: float) -> Mesh:
    """A curved bar beside the cup."""
    rings = []
    for angle in np.linspace(-np.pi / 2, np.pi / 2, 9):
        middle = floats([wide * 0.9 + reach * 0.9 * np.cos(angle), 0.0, height + reach * np.sin(angle)])
        outward = floats([np.cos(angle), 0.0, np.sin(angle)])
        section = circle(3.6, 10)
        rings.append(middle + section[:, :1] * outward + section[:, 1:] * floats([0.0, -1.0, 0.0]))
    return loft(floats(np.stack(rings)), around=True, along=True)


def _card_face(rng: np.random.Generator) -> Floats:
    """A made-up card (rows, columns, 3), linear RGB: a picture above lines of text, or a patterned back."""
    picture = np.full((59, 41, 3), 0.86, np.float32)
    ink = floats(rgb_of_hex(chosen(rng, ("#3a5a8a", "#8a3a3a", "#3a7a5a", "#c89a3a", "#7a4a8a", "#2a2a30", "#d06a9a"))))
    if happens(rng, 0.45):
        grid = np.add.outer(np.arange(59), np.arange(41)) % 4 < 2
        picture[2:-2, 2:-2] = np.where(grid[2:-2, 2:-2, None], ink, ink * 1.5 + 0.05)
        cv2.circle(picture, (20, 29), 8, [float(value) for value in ink * 0.6], -1)
        return np.clip(picture, 0, 0.9)
    picture[4:30, 4:37] = ink
    cv2.circle(
        picture, (int(rng.integers(10, 30)), int(rng.integers(10, 24))), int(rng.integers(4, 9)), (0.7, 0.6, 0.4), -1
    )
    for row in range(35, 54, 4):
        picture[row : row + 1, 5 : int(rng.integers(24, 37))] = 0.25
    return picture


def _card(rng: np.random.Generator, thick: float) -> Mesh:
    width, depth = 57.0, 88.0
    # The face lies well above the body: lenses bend large triangles, which would let it peep through.
    body = painted(prism(rounded_rectangle(width, depth, 3.5), 0.0, thick - 0.3), (0.8, 0.79, 0.76))
    return merged([body, sheet_mesh(width - 1.6, depth - 1.6, thick, _card_face(rng))])


def cards(rng: np.random.Generator) -> list[Thing]:
    """A hand of cards laid out, somewhat overlapping."""
    count = int(rng.integers(1, 6))
    spread, fan = between(rng, 18, 62), between(rng, -6, 6)
    parts = []
    for index in range(count):
        card = transformed(_card(rng, 0.4), turn_about("z", fan * index + float(rng.normal(0, 2))))
        parts.append(moved(card, ((index - count / 2) * spread, float(rng.normal(0, 3)), 0.45 * index)))
    return [_thing(merged(parts), CARD)]


def deck(rng: np.random.Generator) -> list[Thing]:
    return [_thing(_card(rng, between(rng, 6, 22)), CARD)]


def die(rng: np.random.Generator) -> list[Thing]:
    """A die with pips on the faces that show."""
    side = between(rng, 11, 16)
    ivory = rgb_of_hex(chosen(rng, ("#f4f1e6", "#b3222a", "#1f4fa0", "#1c1c1e")))
    dark = (0.02, 0.02, 0.02) if sum(ivory) > 1.5 else (0.8, 0.8, 0.78)
    body = painted(box(side, side, side, side * 0.1), ivory)
    pips = [
        painted(moved(prism(circle(side * 0.09, 8), 0.0, 0.15), (x * side * 0.26, y * side * 0.26, side)), dark)
        for x, y in _pips(rng)
    ]
    for turn in (0.0, 90.0, 180.0, 270.0):
        face = merged(
            [
                moved(prism(circle(side * 0.09, 8), 0.0, 0.15), (x * side * 0.26, y * side * 0.26, side / 2))
                for x, y in _pips(rng)
            ]
        )
        upright = moved(transformed(face, floats(turn_about("z", turn) @ turn_about("x", 90.0))), (0.0, 0.0, side / 2))
        pips.append(painted(upright, dark))
    return [_thing(merged([body, *pips]), PLASTIC)]


def _pips(rng: np.random.Generator) -> list[tuple[int, int]]:
    corners = [(1, 1), (-1, -1), (1, -1), (-1, 1)]
    return {
        1: [(0, 0)],
        2: corners[:2],
        3: [(0, 0), *corners[:2]],
        4: corners,
        5: [(0, 0), *corners],
        6: [*corners, (1, 0), (-1, 0)],
    }[int(rng.integers(1, 7))]


def pencil(rng: np.random.Generator) -> list[Thing]:
    colour = rgb_of_hex(chosen(rng, ("#e0a020", "#b3202c", "#1f5a3a", "#1c1c1e", "#3a6fb0")))
    stations = [
        (0.0, 3.6, (0.6, 0.25, 0.25)),
        (9.0, 3.7, (0.55, 0.55, 0.55)),
        (14.0, 3.7, colour),
        (150.0, 3.7, colour),
        (168.0, 1.1, (0.6, 0.42, 0.25)),
    ]
    parts = []
    for (x, radius, colour_here), (end, thin, _) in zip(stations, [*stations[1:], (174.0, 0.2, colour)], strict=True):
        across = circle(1.0, 6)
        near, far = (
            floats(np.column_stack([np.full(6, at), -across[:, 0] * r, across[:, 1] * r]))
            for at, r in ((x, radius), (end, thin))
        )
        parts.append(painted(loft(np.stack([near[::-1], far[::-1]])), colour_here))
    return [_thing(moved(merged(parts), (-85.0, 0.0, 3.2)), PLASTIC)]


def coins(rng: np.random.Generator) -> list[Thing]:
    parts = []
    for _ in range(int(rng.integers(1, 6))):
        colour = rgb_of_hex(chosen(rng, ("#b08a3c", "#a9a9a6", "#a5622f")))
        coin = painted(turned([(10.4, 0.0), (10.8, 0.3), (10.8, 1.7), (10.2, 2.0), (9.4, 1.8), (0.1, 1.8)], 28), colour)
        parts.append(moved(coin, (float(rng.normal(0, 18)), float(rng.normal(0, 14)), 0.0)))
    return [_thing(merged(parts), METAL)]


def phone(rng: np.random.Generator) -> list[Thing]:
    body = painted(prism(rounded_rectangle(74.0, 150.0, 11.0), 0.0, 8.2, 0.8), (0.03, 0.03, 0.035))
    glass = painted(prism(rounded_rectangle(70.0, 146.0, 9.0), 8.2, 8.9), (0.015, 0.015, 0.018))
    return [_thing(merged([body, glass]), GLASSY)]


def game_box(rng: np.random.Generator) -> list[Thing]:
    colour = rgb_of_hex(chosen(rng, ("#1f3f7a", "#7a2a2a", "#2f6a4a", "#caa04a", "#444048")))
    width, depth, height = between(rng, 120, 220), between(rng, 120, 220), between(rng, 35, 70)
    cover = np.broadcast_to(floats(colour), (240, 240, 3)).copy()
    cv2.circle(cover, (120, 110), int(rng.integers(36, 84)), (0.6, 0.5, 0.45), -1)
    cv2.rectangle(cover, (24, 190), (int(rng.integers(108, 216)), 216), (0.75, 0.72, 0.65), -1)
    cover = floats(cv2.resize(cover, (60, 60), interpolation=cv2.INTER_AREA))
    # Short sides and no lid of its own: lenses bend large triangles, which would peep through the cover.
    walls = tube(subdivided(rectangle(width, depth), 12), floats(np.linspace(0, height, 5)))
    return [_thing(merged([painted(walls, colour), sheet_mesh(width, depth, height, cover)]), CARD)]


def bowl(rng: np.random.Generator) -> list[Thing]:
    """A bowl of snacks."""
    colour = rgb_of_hex(chosen(rng, ("#e9e4da", "#3f5f7f", "#b5643c", "#54575c")))
    shell = turned([(26, 0), (28, 2), (52, 22), (60, 44), (57, 44.5), (50, 30)], 40)
    snacks = []
    for _ in range(34):
        radius, angle = 46 * np.sqrt(rng.random()), between(rng, 0, 2 * np.pi)
        crumb = turned([(2.5, 0), (5.5, 3), (4.0, 6), (0.2, 7)], 7)
        snacks.append(
            moved(
                painted(crumb, (between(rng, 0.4, 0.6), between(rng, 0.22, 0.34), 0.08)),
                (radius * np.cos(angle), radius * np.sin(angle), between(rng, 28, 36)),
            )
        )
    return [_thing(painted(shell, colour), CHINA), _thing(merged(snacks), WOODEN)]


def notes(rng: np.random.Generator) -> list[Thing]:
    """A sheet of paper with something written on it."""
    page = np.full((70, 50, 3), 0.8, np.float32)
    cv2.rectangle(page, (5, 26), (44, 44), tuple(float(value) for value in rng.uniform(0.2, 0.6, 3)), -1)
    for row in range(6, 66, 3):
        if not 24 < row < 46:
            page[row, 5 : int(rng.integers(25, 45))] = 0.3
    return [_thing(sheet_mesh(105.0, 148.0, 0.25, page), CARD)]


def tokens(rng: np.random.Generator) -> list[Thing]:
    """Cubes and discs of another game, in colours that could mislead."""
    parts = []
    for _ in range(int(rng.integers(2, 7))):
        colour: Rgb = (between(rng, 0.05, 0.8), between(rng, 0.05, 0.6), between(rng, 0.03, 0.6))
        solid = (
            box(9.0, 9.0, 9.0, 0.5)
            if happens(rng, 0.5)
            else turned([(7.5, 0), (8, 0.5), (8, 4), (7.5, 4.5), (0.1, 4.5)], 22)
        )
        parts.append(
            moved(
                painted(transformed(solid, turn_about("z", between(rng, 0, 90))), colour),
                (float(rng.normal(0, 20)), float(rng.normal(0, 20)), 0.0),
            )
        )
    return [_thing(merged(parts), WOODEN)]


def spoon(rng: np.random.Generator) -> list[Thing]:
    rings = []
    for share in np.linspace(0, 1, 16):
        wide = 14 * np.sqrt(max(0.03, 1 - ((share - 0.13) / 0.14) ** 2)) if share < 0.26 else 3.0 + 3 * (share - 0.26)
        section = floats(circle(1.0, 10) * floats([wide, 1.4]))
        rings.append(
            np.column_stack(
                [np.full(10, share * 150 - 75), -section[:, 0], section[:, 1] + 2.5 + 4 * (share - 0.3) ** 2]
            )
        )
    return [_thing(painted(loft(floats(np.stack(rings))[::-1], around=True, along=True), (0.5, 0.5, 0.5)), METAL)]


BIG: tuple[Maker, ...] = (cup, cup, cards, cards, deck, pencil, phone, game_box, bowl, notes, spoon)
SMALL: tuple[Maker, ...] = (die, die, coins, deck, tokens, pencil)
FLAT: tuple[Maker, ...] = (cards, notes, coins, deck)
