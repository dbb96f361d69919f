"""Lamps, windows and the light of the room."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from vision.scenes.arrays import Floats, Rgb, Vec, Xy, between, chosen, floats, happens, unit


class Lamp(NamedTuple):
    """A glowing patch. `place_mm` its middle in the world frame, `reach_mm` half its width and height, `colour` linear
    RGB of about unit luminance, `power` the light it throws on the middle of the board when nothing is in the way."""

    place_mm: Vec
    reach_mm: Xy
    colour: Rgb
    power: float
    kind: str = "ceiling"


class Sky(NamedTuple):
    """What comes from everywhere else: the ceiling's and the walls' light, stronger from one side."""

    colour: Rgb
    power: float
    side_deg: float
    lean: float


class Light(NamedTuple):
    lamps: tuple[Lamp, ...]
    sky: Sky


def kelvin_rgb(kelvin: float) -> Rgb:
    """The colour of a black body, linear sRGB with luminance 1. After Krystek (locus) and the sRGB matrix."""
    t = kelvin
    u = (0.860117757 + 1.54118254e-4 * t + 1.28641212e-7 * t * t) / (1 + 8.42420235e-4 * t + 7.08145163e-7 * t * t)
    v = (0.317398726 + 4.22806245e-5 * t + 4.20481691e-8 * t * t) / (1 - 2.89741816e-5 * t + 1.61456053e-7 * t * t)
    x, y = 3 * u / (2 * u - 8 * v + 4), 2 * v / (2 * u - 8 * v + 4)
    xyz = np.array([x / y, 1.0, (1 - x - y) / y])
    matrix = np.array([[3.2406, -1.5372, -0.4986], [-0.9689, 1.8758, 0.0415], [0.0557, -0.2040, 1.0570]])
    red, green, blue = np.maximum(matrix @ xyz, 0.01)
    return float(red), float(green), float(blue)


def lamp_points(lamp: Lamp, count: int) -> Floats:
    """Points (count, 3) spread over a lamp, seen as a patch that faces the board."""
    place = floats(lamp.place_mm)
    across, up = _axes(place)
    index = np.arange(count)
    radius = np.sqrt((index + 0.5) / count)
    angle = index * 2.399963  # the golden angle spreads them evenly
    a, b = radius * np.cos(angle) * lamp.reach_mm[0], radius * np.sin(angle) * lamp.reach_mm[1]
    return floats(place + a[:, None] * across + b[:, None] * up)


def lamp_axes(lamp: Lamp) -> tuple[Floats, Floats, Floats]:
    """The lamp's directions: across, up, and towards the board."""
    place = floats(lamp.place_mm)
    across, up = _axes(place)
    return across, up, unit(-place)


def _axes(place: Floats) -> tuple[Floats, Floats]:
    towards = unit(-place)
    side = np.cross(towards, (0.0, 0.0, 1.0))
    if np.linalg.norm(side) < 1e-3:
        side = np.array([1.0, 0.0, 0.0])
    across = unit(floats(side))
    return across, unit(floats(np.cross(across, towards)))


def sky_points(sky: Sky, count: int, far_mm: float = 4000.0) -> tuple[Floats, Floats]:
    """Points (count, 3) of the upper half sphere, denser where they matter to a level sheet, with the light of each
    (count)."""
    index = np.arange(count)
    height = np.sqrt(1.0 - (index + 0.5) / count * 0.96)
    angle = index * 2.399963 + np.radians(sky.side_deg)
    flat = np.sqrt(1.0 - height**2)
    ways = floats(np.column_stack([flat * np.cos(angle), flat * np.sin(angle), height]))
    return floats(ways * far_mm), sky_light(sky, ways)


def sky_light(sky: Sky, ways: Floats) -> Floats:
    """How bright the room is in directions (..., 3), about 1 on average: walls below are darker, one side is
    lighter."""
    side = floats([np.cos(np.radians(sky.side_deg)), np.sin(np.radians(sky.side_deg)), 0.0])
    rise = 0.55 + 0.55 * np.clip(ways[..., 2], 0.0, 1.0)
    return floats(np.maximum(rise * (1.0 + sky.lean * (ways @ side)), 0.02))


def _at(azimuth_deg: float, elevation_deg: float, distance_mm: float) -> Vec:
    a, e = np.radians(azimuth_deg), np.radians(elevation_deg)
    return (
        float(distance_mm * np.cos(e) * np.cos(a)),
        float(distance_mm * np.cos(e) * np.sin(a)),
        float(distance_mm * np.sin(e)),
    )


def even_light(rng: np.random.Generator) -> Light:
    """A bright room: large ceiling lamps and plenty of light from all sides."""
    kelvin = between(rng, 3500, 5500)
    size = between(rng, 250, 500)
    lamp = Lamp(
        _at(between(rng, 0, 360), between(rng, 50, 80), between(rng, 1700, 2400)), (size, size), kelvin_rgb(kelvin), 0.5
    )
    return Light(
        (lamp,), Sky(kelvin_rgb(kelvin + between(rng, -300, 600)), 0.55, between(rng, 0, 360), between(rng, 0.0, 0.3))
    )


def evening_light(rng: np.random.Generator) -> Light:
    """A café in the evening: a warm lamp over the table, perhaps a second, and a warm room."""
    kelvin = between(rng, 2700, 3600)
    size = between(rng, 40, 140)
    azimuth = between(rng, 0, 360)
    lamps = [Lamp(_at(azimuth, between(rng, 40, 75), between(rng, 900, 1700)), (size, size), kelvin_rgb(kelvin), 0.7)]
    if happens(rng, 0.6):
        lamps.append(_second(rng, azimuth, between(rng, 2700, 4200), between(rng, 0.1, 0.3)))
    sky = Sky(
        kelvin_rgb(kelvin + between(rng, -100, 900)),
        between(rng, 0.2, 0.4),
        between(rng, 0, 360),
        between(rng, 0.1, 0.5),
    )
    return Light(tuple(lamps), sky)


def _second(rng: np.random.Generator, azimuth: float, kelvin: float, power: float) -> Lamp:
    size = between(rng, 30, 160)
    place = _at(azimuth + between(rng, 80, 280), between(rng, 30, 65), between(rng, 900, 2200))
    return Lamp(place, (size, size), kelvin_rgb(kelvin), power)


def harsh_light(rng: np.random.Generator) -> Light:
    """Sun through a window, a bare desk lamp, or both against each other in different colours."""
    azimuth = between(rng, 0, 360)
    first = chosen(rng, (_sun, _desk, _window))(rng, azimuth)
    lamps = [first]
    if happens(rng, 0.75):
        other = chosen(rng, (_window, _desk))(rng, azimuth + between(rng, 90, 270))
        lamps.append(other._replace(power=between(rng, 0.15, 0.6)))
    if happens(rng, 0.3):
        lamps.append(_second(rng, azimuth, between(rng, 2700, 6000), between(rng, 0.1, 0.3)))
    sky = Sky(
        kelvin_rgb(between(rng, 3000, 7000)),
        between(rng, 0.1, 0.28),
        azimuth + between(rng, -60, 60),
        between(rng, 0.2, 0.6),
    )
    return Light(tuple(lamps), sky)


def _sun(rng: np.random.Generator, azimuth: float) -> Lamp:
    place = _at(azimuth, between(rng, 22, 60), 6000)
    return Lamp(place, (26, 26), kelvin_rgb(between(rng, 4300, 5800)), 1.1, "sun")


def _desk(rng: np.random.Generator, azimuth: float) -> Lamp:
    size = between(rng, 18, 50)
    place = _at(azimuth, between(rng, 35, 65), between(rng, 450, 900))
    return Lamp(place, (size, size), kelvin_rgb(between(rng, 2700, 6500)), 0.9, "desk")


def _window(rng: np.random.Generator, azimuth: float) -> Lamp:
    place = _at(azimuth, between(rng, 18, 38), between(rng, 1300, 2600))
    return Lamp(
        place, (between(rng, 300, 600), between(rng, 400, 700)), kelvin_rgb(between(rng, 5500, 6800)), 0.8, "window"
    )
