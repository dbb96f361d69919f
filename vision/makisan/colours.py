"""What colour a spot of the facade has: one of the five, the mat's own, or something else.

Nothing here is fitted to a set. Under white light each of the five colours has its corner of the plane of hues, wide
enough for any paint that people would call by its name; black is what is dark and has no hue.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from companion.games.makisan.board import COLOURS
from vision.makisan.facade import Facade
from vision.makisan.lamp import Field

MAT, OTHER = len(COLOURS), len(COLOURS) + 1
_SOFT, _SOFTER = 0.03, 0.15  # of white, and of what black shows: below this, hues are noise
# Hue is a direction in the plane of log red over green (to the right) and log blue over both (upwards): its middle and
# spread in degrees. Strength says little, for haze and shade take it away; only what has hardly any is grey.
_HUES = {"red": (-22.0, 17.0), "yellow": (-82.0, 14.0), "green": (-172.0, 23.0), "blue": (116.0, 25.0)}
_STRENGTH = (1.1, 0.75)  # of a colour: middle, and spread in logs
_HEAP_HUE, _HEAP_STRENGTH, _HEAP_LIGHT = (-127.0, 18.0, 9.0), 0.25, 0.1  # middle, half breadth and spread; least ones
_GREY = 0.22  # how much of a hue black may show
_BLACK_BELOW, _BLACK_SPAN = 0.3, 1.4  # of white; how many logs of darkness black has
_LIGHTS_SPAN = 4.0  # logs of brightness that a colour may have
_MAT_CHROMA = 0.1  # how much the mat's hue may be off, in logs
_MAT_LIGHT, _MAT_DARKEST = 0.16, 0.72  # its spread in brightness in logs, and how near a shadow comes to black
_IN_SHADOW = 0.35  # of the mat lies in some shadow
_ANYTHING = 0.06  # how much of what nobody foresaw there is


def hues_of(seen: Field, depth: float) -> Field:
    """(..., 3) from BGR under white light: log red over green, log blue over both, log brightness. Values that are not
    much larger than what the haze left of black (`depth`, a log) have no hue."""
    soft = np.float32(_SOFT + _SOFTER * np.exp(depth))
    blue, green, red = (seen[..., channel] + soft for channel in range(3))
    warm, cold = np.log(red / green), np.log(blue / np.sqrt(red * green))
    return cast(Field, np.stack([warm, cold, np.log((blue + green + red) / 3)], axis=-1))


def shades_of(facade: Facade) -> Field:
    """(classes, rows, columns) chances of the five colours, the mat and something else."""
    warm, cold, light = np.moveaxis(hues_of(facade.seen, facade.depth), -1, 0)
    strength, angle = np.hypot(warm, cold) + np.float32(1e-3), np.degrees(np.arctan2(cold, warm))
    density = [_density_of(colour, strength, angle, light) for colour in COLOURS]
    mat, other = _mat(facade.ratio, _MAT_DARKEST * facade.darkest), _anything(strength)
    stack = np.stack([*density, mat, other])
    stack /= stack.sum(axis=0)
    stack[:, ~facade.inside] = 0.0
    stack[OTHER, ~facade.inside] = 1.0
    return cast(Field, stack.astype(np.float32))


def likeness_of(colour: str, strength: Any, angle: Any, light: Any) -> Any:
    """How well a colour explains a hue's strength, direction and brightness: 1 where it could not do so better."""
    if colour == "black":
        return np.exp(-((strength / _GREY) ** 2) / 2) / (1 + np.exp((light - np.log(_BLACK_BELOW)) * 10))
    return hue_likeness(strength, angle, _HUES[colour], _STRENGTH)


def hue_likeness(strength: Any, angle: Any, hue: tuple[float, float], usual: tuple[float, float]) -> Any:
    turn = (angle - hue[0] + 180.0) % 360.0 - 180.0
    return np.exp(-((turn / hue[1]) ** 2 + (np.log(strength / usual[0]) / usual[1]) ** 2) / 2)


def heap_likeness(warm: Field, cold: Field, light: Field) -> Field:
    """How much spots look like Wasabi: green to yellowish green, and not black."""
    strength, angle = np.hypot(warm, cold) + np.float32(1e-3), np.degrees(np.arctan2(cold, warm))
    turn = np.maximum(np.abs((angle - _HEAP_HUE[0] + 180.0) % 360.0 - 180.0) - _HEAP_HUE[1], 0.0)
    hue = np.exp(-((turn / _HEAP_HUE[2]) ** 2) / 2)
    some = 1 / (1 + np.exp((_HEAP_STRENGTH - strength) * 25)) / (1 + np.exp((np.log(_HEAP_LIGHT) - light) * 8))
    return cast(Field, (hue * some).astype(np.float32))


def _density_of(colour: str, strength: Any, angle: Any, light: Any) -> Any:
    """The same as a density over the plane of hues and over brightness, to be compared with that of the mat."""
    area = 2 * np.pi * _GREY**2 * _BLACK_SPAN
    if colour != "black":
        area = 2 * np.pi * np.radians(_HUES[colour][1]) * _STRENGTH[1] * strength**2 * _LIGHTS_SPAN
    return likeness_of(colour, strength, angle, light) / area


def _anything(strength: Any) -> Any:
    """Density of things of no foreseen colour: any hue, and strong ones as rare as strong colours are."""
    return _ANYTHING / (strength**2 + 0.15) / _LIGHTS_SPAN


def _mat(ratio: Field, darkest: float) -> Field:
    """Density of the print itself, in the open or in whatever shadow."""
    brightness = ratio.mean(axis=2)
    off = ((ratio - brightness[..., None]) ** 2).sum(axis=2) / _MAT_CHROMA**2
    lit = np.exp(-((brightness / _MAT_LIGHT) ** 2) / 2) / (2.507 * _MAT_LIGHT)
    shade = 1 / (1 + np.exp(brightness * 20)) / (1 + np.exp((darkest - brightness) * 10)) / -darkest
    mixed = (1 - _IN_SHADOW) * lit + _IN_SHADOW * shade
    return cast(Field, (np.exp(-off / 2) / (2 * np.pi * _MAT_CHROMA**2) * mixed).astype(np.float32))
