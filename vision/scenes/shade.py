"""The light that surfaces send to the eye: Lambert below, GGX above, Fresnel between."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from vision.scenes.arrays import Floats, dot, floats, unit
from vision.scenes.lamps import Lamp, lamp_axes
from vision.scenes.lighting import Arriving, Illumination, arriving, from_ground, room_seen, sky_at
from vision.scenes.noise import mottled
from vision.scenes.paints import Surface


class Points(NamedTuple):
    """Places to shade (N): world mm, unit normals, linear RGB, and the unit way to the eye, each (N, 3)."""

    places: Floats
    normals: Floats
    colours: Floats
    views: Floats


def shaded(points: Points, surface: Surface, found: Illumination, albedo: Floats) -> Floats:
    """Linear RGB (N, 3) of points on one material. `albedo` is the ground's colour on a coarse grid."""
    colour = points.colours
    if surface.grain > 0:
        colour = floats(colour * (1 + surface.grain * mottled(points.places, surface.grain_mm))[:, None])
    diffuse = sky_at(found, points.places, points.normals) + from_ground(found, albedo, points.places, points.normals)
    gloss = np.zeros_like(colour)
    for index in range(len(found.light.lamps)):
        light = arriving(found, index, points.places, points.normals)
        lamp_colour = floats(light.lamp.colour)
        cosine = dot(points.normals, light.way)
        amount = light.lit * light.strength
        soft = np.maximum((cosine + surface.wrap) / (1 + surface.wrap), 0.0)
        diffuse += (soft * amount)[:, None] * lamp_colour
        gloss += (highlight(points, light, surface) * amount)[:, None] * lamp_colour
    facing = np.clip(dot(points.normals, points.views), 0.02, 1.0)
    fresnel = surface.shine + (1 - surface.shine) * (1 - facing) ** 5 * (1 - surface.roughness) ** 2
    mirror = floats(2 * facing[:, None] * points.normals - points.views)
    gloss += room_seen(found, mirror) * fresnel[:, None] * _openness(points)[:, None]
    return floats(colour * diffuse * (1 - fresnel)[:, None] + gloss)


def _openness(points: Points) -> Floats:
    """Low on a piece the neighbours and the paper stand in the reflections."""
    return floats(0.35 + 0.65 * np.clip(points.places[:, 2] / 10.0, 0, 1))


def highlight(points: Points, light: Arriving, surface: Surface) -> Floats:
    """A lamp's mirror image on rough surfaces (N), per unit of arriving light; GGX widened by the lamp's size."""
    half = unit(floats(light.way + points.views))
    n_h = np.clip(dot(points.normals, half), 0, 1)
    n_l = np.clip(dot(points.normals, light.way), 0.0, 1)
    n_v = np.clip(dot(points.normals, points.views), 0.05, 1)
    alpha = surface.roughness**2
    wide = min(1.0, alpha + _angle_of(light.lamp) / 2)
    spread = wide**2 / np.maximum((n_h**2 * (wide**2 - 1) + 1) ** 2, 1e-9)
    k = (surface.roughness + 1) ** 2 / 8
    hidden = 1 / ((n_l * (1 - k) + k) * (n_v * (1 - k) + k))
    fresnel = surface.shine + (1 - surface.shine) * (1 - np.clip(dot(light.way, half), 0, 1)) ** 5
    # Light is measured so that white paper returns it as it comes: pi is already in it.
    return floats(spread * fresnel * hidden / 4 * n_l)


def _angle_of(lamp: Lamp) -> float:
    return float(np.sqrt(lamp.reach_mm[0] * lamp.reach_mm[1]) / np.linalg.norm(lamp.place_mm))


def glare(lamp: Lamp, places: Floats, mirrors: Floats, roughness: Floats) -> Floats:
    """How much of a lamp's patch is seen (...) from places (..., 3) along mirrored views (..., 3), the patch softened
    by the surface's roughness, times how bright it is per unit of its light on the board."""
    across, up, towards = lamp_axes(lamp)
    way = floats(lamp.place_mm) - places
    facing = -(mirrors @ towards)
    reach = np.where(facing > 0.03, -(way @ towards) / np.maximum(facing, 0.03), 0.0)
    offset = mirrors * reach[..., None] - way
    distance = np.sqrt(dot(way, way))
    soft = 1.3 * roughness**2 * distance
    seen = _covered(offset @ across, lamp.reach_mm[0], soft) * _covered(offset @ up, lamp.reach_mm[1], soft)
    home = floats(lamp.place_mm)
    cosine = float(home[2] / np.sqrt(home @ home))
    bright = float(home @ home) / (lamp.reach_mm[0] * lamp.reach_mm[1] * 4 / np.pi) / cosine
    return floats(np.where(facing > 0.03, seen * bright * lamp.power, 0.0))


def _covered(offset: Floats, reach: float, soft: Floats) -> Floats:
    """A slit from -reach to reach, blurred by `soft`: how much of it is seen at `offset`."""
    scale = 1.2 / np.maximum(soft, 1e-3)
    return floats((np.tanh((offset + reach) * scale) - np.tanh((offset - reach) * scale)) / 2)


def fresnel_of(shine: float, cosine: Floats) -> Floats:
    return floats(shine + (1 - shine) * (1 - np.clip(cosine, 0, 1)) ** 5)
