"""Shadows of things outside the picture: people, window bars, leaves. They shade and are never seen."""

from __future__ import annotations

import numpy as np

from vision.scenes.arrays import Floats, Xy, between, chosen, floats
from vision.scenes.lamps import Lamp, lamp_axes
from vision.scenes.mesh import Mesh, circle, loft, merged, moved, ring, scaled, transformed, turned


def make_blockers(rng: np.random.Generator, lamp: Lamp, sheet_mm: Xy, count: int) -> Mesh:
    """Things between a lamp and the board, each throwing its shadow over some part of it."""
    parts = []
    for _ in range(count):
        target = floats([between(rng, -0.55, 0.55) * sheet_mm[0], between(rng, -0.55, 0.55) * sheet_mm[1], 0.0])
        parts.append(chosen(rng, (_head, _bars, _leaves))(rng, lamp, target))
    return merged(parts)


def _between(lamp: Lamp, target: Floats, share: float) -> Floats:
    return floats(target + share * (floats(lamp.place_mm) - target))


def _head(rng: np.random.Generator, lamp: Lamp, target: Floats) -> Mesh:
    """Somebody leans over: a head and shoulders at the rim of the board's light."""
    share = min(0.7, 420.0 / float(np.linalg.norm(lamp.place_mm)))
    at = _between(lamp, floats(target * 1.5), share)
    ball = turned([(20, -100), (70, -60), (80, 0), (70, 60), (20, 100)], 16)
    return moved(scaled(ball, (1.0, 0.9, 1.0)), (float(at[0]), float(at[1]), float(at[2])))


def _bars(rng: np.random.Generator, lamp: Lamp, target: Floats) -> Mesh:
    """The frame of a window or the rails of a chair."""
    share = min(0.6, between(rng, 250, 700) / float(np.linalg.norm(lamp.place_mm)))
    at = _between(lamp, target, share)
    across, up, towards = lamp_axes(lamp)
    turn = floats(np.stack([across, up, -towards], axis=1))  # right-handed
    thick, gap = between(rng, 5, 14), between(rng, 60, 140)
    rods = []
    for step in range(-1, int(rng.integers(1, 4))):
        outline = floats([(-400, -thick), (400, -thick), (400, thick), (-400, thick)])
        rod = loft(np.stack([ring(outline, -thick), ring(outline, thick)]))
        rods.append(moved(rod, (0.0, step * gap, 0.0)))
    return moved(transformed(merged(rods), turn), (float(at[0]), float(at[1]), float(at[2])))


def _leaves(rng: np.random.Generator, lamp: Lamp, target: Floats) -> Mesh:
    """A plant on the sill: dappled light."""
    share = min(0.6, between(rng, 200, 500) / float(np.linalg.norm(lamp.place_mm)))
    parts = []
    for _ in range(int(rng.integers(6, 16))):
        at = _between(lamp, floats(target + rng.normal(0, (90, 90, 0))), share)
        leaf = loft(
            np.stack(
                [ring(circle(1.0, 10), 0.0, between(rng, 12, 34)), ring(circle(1.0, 10), 1.0, between(rng, 12, 30))]
            )
        )
        leaf = scaled(leaf, (1.0, between(rng, 0.3, 0.7), 1.0))
        across, up, towards = lamp_axes(lamp)
        spin = between(rng, 0, 2 * np.pi)
        one, two = np.cos(spin) * across + np.sin(spin) * up, np.cos(spin) * up - np.sin(spin) * across
        turn = floats(np.stack([one, two, -towards], axis=1))
        parts.append(moved(transformed(leaf, turn), (float(at[0]), float(at[1]), float(at[2]))))
    return merged(parts)
