"""Names for the arrays that scenes are made of, and the few helpers that every file needs.

The world frame of a scene: millimetres, origin in the middle of the sheet, x to the right and y towards the top of the
print, z up, with the paper at z = 0. Colours are linear-light RGB; only `Scene.image` is BGR with 8 bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]
Words = NDArray[np.uint16]
Flags = NDArray[np.bool_]

Rgb = tuple[float, float, float]
Vec = tuple[float, float, float]
Xy = tuple[float, float]
Item = TypeVar("Item")


def floats(values: ArrayLike) -> Floats:
    return np.asarray(values, dtype=np.float32)


def unit(vectors: Floats) -> Floats:
    """Vectors (..., 3) made one long; a zero vector stays zero."""
    length = np.sqrt(np.einsum("...i,...i->...", vectors, vectors))
    return floats(vectors / np.maximum(length, 1e-9)[..., None])


def dot(a: Floats, b: Floats) -> Floats:
    """Products of vectors (..., 3), one number each."""
    return floats(np.einsum("...i,...i->...", a, b))


def linear_of_srgb(values: ArrayLike) -> Floats:
    """Display values between 0 and 1 as linear light."""
    shown = floats(values)
    return floats(np.where(shown <= 0.04045, shown / 12.92, ((shown + 0.055) / 1.055) ** 2.4))


def srgb_of_linear(values: Floats) -> Floats:
    light = np.clip(values, 0.0, 1.0)
    return floats(np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055))


def rgb_of_hex(code: str) -> Rgb:
    """A web colour such as "#2b6fd0" as linear RGB."""
    red, green, blue = linear_of_srgb([int(code[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    return float(red), float(green), float(blue)


def between(rng: np.random.Generator, low: float, high: float) -> float:
    return float(rng.uniform(low, high))


def chosen(rng: np.random.Generator, items: Sequence[Item]) -> Item:
    return items[int(rng.integers(len(items)))]


def happens(rng: np.random.Generator, chance: float) -> bool:
    return bool(rng.random() < chance)
