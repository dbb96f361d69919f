"""Smooth fields over the artwork, distances and noise on a fine grid, from which coasts and lines are taken."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sheets.canvas import Line, Point
from vision.sheets.geometry import Box

Field = NDArray[np.float32]
Mask = NDArray[np.bool_]

GRID = 3  # grid points per mm


class Grid(NamedTuple):
    """Grid points over a box of the sheet; `x` and `y` hold the place of each in mm."""

    area: Box
    x: Field
    y: Field

    @property
    def shape(self) -> tuple[int, int]:
        return self.x.shape[0], self.x.shape[1]

    def indices(self, points: Sequence[Point] | NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Row and column of the grid point nearest to each place, places outside clipped to the edge."""
        places = np.asarray(points, dtype=float).reshape(-1, 2)
        columns = np.clip(np.round((places[:, 0] - self.area.left) * GRID - 0.5), 0, self.shape[1] - 1)
        rows = np.clip(np.round((places[:, 1] - self.area.top) * GRID - 0.5), 0, self.shape[0] - 1)
        return rows.astype(np.intp), columns.astype(np.intp)


def grid_over(area: Box) -> Grid:
    columns = area.left + (np.arange(round(area.width * GRID), dtype=np.float32) + 0.5) / GRID
    rows = area.top + (np.arange(round(area.height * GRID), dtype=np.float32) + 0.5) / GRID
    x, y = np.meshgrid(columns, rows)
    return Grid(area, x.astype(np.float32), y.astype(np.float32))


def distance_to_points(grid: Grid, points: Iterable[Point]) -> Field:
    """How far each grid point is from the nearest of the points, in mm."""
    nearest = np.full(grid.shape, np.inf, np.float32)
    for px, py in points:
        np.minimum(nearest, np.hypot(grid.x - px, grid.y - py), out=nearest)
    return nearest


def distance_to_lines(grid: Grid, lines: Iterable[tuple[Point, Point]]) -> Field:
    """How far each grid point is from the nearest of the straight lines, in mm."""
    nearest = np.full(grid.shape, np.inf, np.float32)
    for (ax, ay), (bx, by) in lines:
        dx, dy = bx - ax, by - ay
        share = np.clip(((grid.x - ax) * dx + (grid.y - ay) * dy) / max(dx * dx + dy * dy, 1e-6), 0.0, 1.0)
        np.minimum(nearest, np.hypot(grid.x - ax - share * dx, grid.y - ay - share * dy), out=nearest)
    return nearest


def signed_distance(mask: Mask) -> Field:
    """How deep each grid point lies inside the mask, in mm; negative outside."""
    inside = cv2.distanceTransform(mask.astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    outside = cv2.distanceTransform((~mask).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    return cast(Field, (inside - outside) / GRID)


def blurred(field: Field, sigma_mm: float) -> Field:
    return cast(Field, cv2.GaussianBlur(field, (0, 0), sigma_mm * GRID, borderType=cv2.BORDER_REPLICATE))


def noise(shape: tuple[int, int], wave: float, rng: np.random.Generator) -> Field:
    """Soft random hills of about -1 to 1, `wave` grid points from one to the next."""
    rows, columns = (int(side / wave) + 5 for side in shape)
    coarse = rng.uniform(-1.0, 1.0, (rows, columns)).astype(np.float32)
    size = (int(columns * wave), int(rows * wave))
    hills = cv2.resize(coarse, size, interpolation=cv2.INTER_CUBIC)
    return cast(Field, np.clip(hills[int(wave) : int(wave) + shape[0], int(wave) : int(wave) + shape[1]], -1.0, 1.0))


def layered_noise(shape: tuple[int, int], waves: Sequence[float], rng: np.random.Generator) -> Field:
    """Noise of several waves, each half as strong as the one before."""
    total = np.zeros(shape, np.float32)
    for layer, wave in enumerate(waves):
        total += noise(shape, wave, rng) / 2**layer
    return total


def filled(mask: Mask) -> Mask:
    """The mask with every hole closed that the rim of the grid can't reach."""
    outside = np.pad(mask, 1).astype(np.uint8)
    cv2.floodFill(outside, None, (0, 0), 2)
    return cast(Mask, outside[1:-1, 1:-1] != 2)


def closed_up(mask: Mask, radius_mm: float) -> Mask:
    """Grown and shrunk again by a disc, which fills dents; by distances, which is fast for large discs."""
    pad = round(radius_mm * GRID) + 2  # else what nears the rim would flow together with it
    grown = signed_distance(np.pad(mask, pad)) > -radius_mm
    return (signed_distance(grown) > radius_mm)[pad:-pad, pad:-pad]


def opened_up(mask: Mask, radius_mm: float) -> Mask:
    """Shrunk and grown again by a disc, which washes needles away."""
    return signed_distance(signed_distance(mask) > radius_mm) > -radius_mm


def contours(field: Field, grid: Grid, smooth_mm: float = 0.8) -> list[list[Point]]:
    """The closed lines around where the field is positive, holes included, smoothed along their way."""
    fine = cv2.resize(field, None, fx=2, fy=2, interpolation=cv2.INTER_LINEAR)
    found, _ = cv2.findContours((fine > 0).astype(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    step = 1 / (2 * GRID)
    rings = []
    for ring in found:
        places = ring.reshape(-1, 2).astype(float) * step + (grid.area.left + step / 2, grid.area.top + step / 2)
        rings.append(smoothed(places.tolist(), smooth_mm / step, closed=True))
    return rings


def smoothed(line: Line, sigma: float, closed: bool) -> list[Point]:
    """The line with its jags evened out; `sigma` counts points. Every third point is kept."""
    places = np.asarray(line, dtype=float)
    reach = min(int(3 * sigma), len(places) - 1)
    if reach < 1:
        return [(float(x), float(y)) for x, y in places]
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    weights /= weights.sum()
    padded = np.pad(places, ((reach, reach), (0, 0)), mode="wrap" if closed else "edge")
    even = np.stack([np.convolve(padded[:, axis], weights, mode="valid") for axis in (0, 1)], axis=1)
    kept = even[::3] if closed else np.concatenate([even[:-1:3], even[-1:]])
    return [(float(x), float(y)) for x, y in kept]
