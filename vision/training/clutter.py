"""Whatever else lies on a table: spare pieces, dice, cards, cups, and hands that reach in."""

from __future__ import annotations

import numpy as np

from vision.locate.pose import Floats
from vision.training import models
from vision.training.painter import Thing
from vision.training.solids import Mesh, box, joined, moved, placed, prism, tinted, toppled

FOREIGN = 1 << 20  # idents from here on are hands and strangers


def strangers(board_mm: Floats, places_mm: Floats, rng: np.random.Generator) -> list[Thing]:
    """Spare pieces and other things on the table and between the sites, and now and then a card on some sites."""
    found = []
    for _ in range(int(rng.integers(0, 16))):
        at = rng.uniform(-0.25, 1.25, 2) * board_mm
        if np.linalg.norm(places_mm - at, axis=1).min() > 18:
            found.append(_stranger(at, rng))
    for _ in range(int(rng.choice([0, 1, 2, 4], p=[0.7, 0.15, 0.1, 0.05]))):
        at = places_mm[rng.integers(len(places_mm))] + rng.normal(0, 8, 2)
        found.append(Thing(placed(_card(rng), _pair(at), rng.uniform(0, 6.3)), models.any_colour(rng), FOREIGN))
    return found


def _stranger(at: Floats, rng: np.random.Generator) -> Thing:
    kind = str(rng.choice(["hut", "tiki", "token", "lump", "lump"]))
    colour = models.any_colour(rng) if kind == "lump" else models.colour_of(str(rng.choice(models.COLOURS)), rng)
    mesh = getattr(models, kind)(rng)
    if kind in ("hut", "tiki") and rng.random() < 0.6:
        mesh = toppled(mesh)
    return Thing(placed(mesh, _pair(at), rng.uniform(0, 6.3)), colour, FOREIGN)


def _card(rng: np.random.Generator) -> Mesh:
    """A playing card, plain or printed with stripes and spots in other shades."""
    width, depth = rng.uniform(20, 65), rng.uniform(25, 95)
    parts = [box(width, depth, 0, 0.5)]
    for _ in range(int(rng.choice([0, 3, 8, 25]))):
        x, y = rng.uniform(-0.42, 0.42, 2) * (width, depth)
        sides = int(rng.integers(3, 9))
        spot = prism(sides, rng.uniform(1, 7), 0.5, 0.55, 1.0, rng.uniform(0, 6.3))
        parts.append(tinted(moved(spot, x, y), float(rng.choice([0.1, 0.4, 0.7, 1.6, 3.0]))))
    return joined(*parts)


def hands(board_mm: Floats, rng: np.random.Generator) -> list[Thing]:
    """An arm and fingers as rows of prisms reaching in from a side."""
    skin = np.array([0.12, 0.2, 0.42]) * rng.uniform(0.1, 1.6) * np.exp(rng.normal(0, 0.15, 3))
    sleeve = models.any_colour(rng)
    tip = rng.uniform(0.1, 0.9, 2) * board_mm
    angle = rng.uniform(0, 2 * np.pi)
    inward = np.array([np.cos(angle), np.sin(angle)])
    side = np.array([-inward[1], inward[0]])
    height = rng.uniform(5, 60)
    found = []
    for finger in range(int(rng.integers(1, 5))):
        bend = rng.uniform(-0.3, 0.3)
        for step in range(8):
            at = tip - inward * step * 9 + side * (finger * 17 - 20 + step * bend * 4)
            found.append(_ball(at, rng.uniform(6, 9), height + step * 3, skin))
    for step in range(12):
        at = tip - inward * (75 + step * 22)
        found.append(_ball(at, 26 + step, height + 22 + step * 5, skin if step < 3 else sleeve))
    return found


def _ball(at: Floats, radius: float, height: float, colour: Floats) -> Thing:
    low = prism(9, radius * 0.7, height, height + radius, 1.4)
    high = prism(9, radius, height + radius, height + 1.8 * radius, 0.5)
    return Thing(placed(joined(low, high), _pair(at), 0.0), colour, FOREIGN)


def _pair(at: Floats) -> tuple[float, float]:
    return float(at[0]), float(at[1])
