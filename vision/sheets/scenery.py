"""What lives on the map between the sites: ships and a compass at sea, palms, stones and shells ashore."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from vision.sheets import motifs
from vision.sheets.canvas import Canvas, Colour, Point
from vision.sheets.colours import GROUND_INK, HINTERLAND_INK, SEA_INK
from vision.sheets.fields import Mask
from vision.sheets.island import LAGOON, Island
from vision.sheets.placing import Room, scattered, widest_spot


class Placed(NamedTuple):
    draw: motifs.Motif
    at: Point
    size: float
    ink: Colour
    whim: float


class _Sort(NamedTuple):
    draw: motifs.Motif
    size: float
    spacing: float  # mm from one to the next
    girth: float = 1.0  # the room around its middle, in sizes


# Rarest first: what comes later fills the room between.
_AT_SEA = ((motifs.compass, 17.0), (motifs.canoe, 9.0), (motifs.whale, 8.5), (motifs.turtle, 5.0), (motifs.turtle, 4.0))
_GROWTH: dict[str, tuple[_Sort, ...]] = {
    "Cocotier": (_Sort(motifs.palm, 3.2, 10.5), _Sort(motifs.palm, 2.3, 8.0), _Sort(motifs.grass, 0.9, 5.0)),
    "Herbe": (_Sort(motifs.grass, 2.3, 8.0), _Sort(motifs.grass, 1.5, 5.5)),
    "Rocher": (_Sort(motifs.stones, 2.4, 9.5), _Sort(motifs.stones, 1.4, 6.5)),
    "Sable": (_Sort(motifs.starfish, 1.8, 40.0), _Sort(motifs.shell, 1.4, 30.0), _Sort(motifs.sand_grains, 1.7, 5.0)),
    LAGOON: (_Sort(motifs.ripples, 2.2, 10.0), _Sort(motifs.swell, 1.3, 7.0, 1.3)),
}
_HINTERLAND = (_Sort(motifs.hill, 4.4, 15.0, 1.4), _Sort(motifs.tree, 2.4, 7.0), _Sort(motifs.tree, 1.7, 5.0))
_SEA = (_Sort(motifs.swell, 2.8, 19.0, 1.7),)


def scenery_of(island: Island, room: Room, rng: np.random.Generator) -> list[Placed]:
    coast = np.maximum(island.land, island.lagoon)
    sea = coast < -4.0
    placed = _at_sea(room, sea, rng)
    inland = (island.reach.min(axis=0) > 19.0) & (island.land > 3.0)
    placed += _grown(room, inland, _HINTERLAND, HINTERLAND_INK, rng)
    names = np.array([name for _, name in island.sectors])[island.owner]
    for name, sorts in _GROWTH.items():
        ashore = (island.lagoon > 2.0) if name == LAGOON else (names == name) & (island.land > 1.6) & ~inland
        placed += _grown(room, ashore, sorts, GROUND_INK.get(name, SEA_INK), rng)
    return sorted(placed + _grown(room, sea, _SEA, SEA_INK, rng), key=lambda motif: motif.at[1])


def draw_scenery(canvas: Canvas, scenery: list[Placed]) -> None:
    """From the back of the map to the front, so that near trees stand before far ones."""
    for motif in scenery:
        motif.draw(canvas, motif.at, motif.size, motif.ink, motif.whim)


def _at_sea(room: Room, sea: Mask, rng: np.random.Generator) -> list[Placed]:
    placed = []
    for draw, size in _AT_SEA:
        if spot := widest_spot(room, sea, size * 1.25):
            room.take_discs([spot], size * 1.6)
            placed.append(Placed(draw, spot, size, SEA_INK, float(rng.random())))
    return placed


def _grown(room: Room, where: Mask, sorts: tuple[_Sort, ...], ink: Colour, rng: np.random.Generator) -> list[Placed]:
    return [
        Placed(sort.draw, at, sort.size, ink, float(rng.random()))
        for sort in sorts
        for at in scattered(room, where, sort.size * sort.girth, sort.spacing, rng)
    ]
