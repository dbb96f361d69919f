"""What the camera sees at each site, every time from the same side: upright, at one scale, beside the empty board.

A site's patch is the picture turned and scaled (never sheared: pieces must look as they stand), so that a piece's
height points up and one pixel is `MM_PER_PX` across the line of sight. Beside it lies the same patch of the empty
board, drawn through the pose. Whatever differs stands on the board.
"""

from __future__ import annotations

from typing import NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.locate.pose import Floats, Picture, View, at_height

SIZE_PX = 64
MM_PER_PX = 0.75
ANCHOR_PX = (32.0, 38.0)  # where the site's middle lies in its patch: there is more above a site than below
CHANNELS = 10
_UP_MM = 20.0
_HALVED = 1.55  # px of a picture per px of a patch from which it is halved first
_NEIGHBOURS = 6  # whose ground is marked in a patch
_OWN_MM = 4.0  # a place that is nearer than this to the patch's is the patch's own
_PIECE_MM, _GROUND_PX = 12.0, 5.0  # how high the ground mark of a place reaches, and how far around it

Channels = NDArray[np.float32]


class Patches(NamedTuple):
    """One patch per site, N in all."""

    seen: Picture  # (N, S, S, 3) BGR as the camera gave it
    empty: Picture  # (N, S, S, 3) BGR of the empty board
    inside: NDArray[np.bool_]  # (N, S, S) whether a pixel lies in the picture
    elevation: Floats  # (N,) sine of the angle between paper and line of sight
    ground: Channels  # (N, S, S) in -1..1: where this place's piece would stand, less where its neighbours' would

    def some(self, rows: NDArray[np.intp]) -> Patches:
        """The patches of these sites alone."""
        return Patches(self.seen[rows], self.empty[rows], self.inside[rows], self.elevation[rows], self.ground[rows])


def cut(
    picture: Picture,
    view: View,
    sites_mm: Floats,
    empty: Picture,
    empty_px_per_mm: float,
    upright: bool = True,
) -> Patches:
    """Patches of (N, 2) sites from a BGR picture and the BGR picture of the empty board.

    `upright=False` forgets the third dimension, to show what it buys: patches turn as the sheet lies.
    """
    to_picture = patch_transforms(view, sites_mm, upright)
    levels = _pyramid(picture, float(np.hypot(to_picture[:, 0, 0], to_picture[:, 1, 0]).max()))
    frames = _frames_mm(view, to_picture)
    seen = np.empty((len(sites_mm), SIZE_PX, SIZE_PX, 3), np.uint8)
    under = np.empty_like(seen)
    inside = np.empty(seen.shape[:3], np.bool_)
    for index, transform in enumerate(to_picture):
        seen[index] = _seen(levels, transform)
        under[index] = _drawn(empty, frames[index] * empty_px_per_mm)
        inside[index] = _inside(transform, picture.shape)
    eye = view.pose.eye_mm
    rays = eye - at_height(sites_mm, 0.0)
    elevation = -rays[:, 2] / np.linalg.norm(rays, axis=1)
    ground = _ground(view, to_picture, sites_mm, elevation)
    return Patches(seen, under, inside, elevation, ground)


def at_reading_size(picture: Picture, view: View, sites_mm: Floats) -> tuple[Picture, View]:
    """Picture and view, halved while every patch would be cut from a halved picture anyway: it is done once for all."""
    while float(view.scale_at(at_height(sites_mm, 0.0)).min()) * MM_PER_PX > _HALVED and min(picture.shape[:2]) > 128:
        picture = _halved(picture)
        view = View(view.camera.scaled_to((picture.shape[1], picture.shape[0])), view.pose)
    return picture, view


def patch_transforms(view: View, sites_mm: Floats, upright: bool = True) -> Floats:
    """(N, 2, 3) from patch pixels to picture pixels."""
    foot = view.project(at_height(sites_mm, 0.0))
    above = at_height(sites_mm, _UP_MM) if upright else at_height(sites_mm - (0.0, _UP_MM), 0.0)
    up = view.project(above) - foot
    length = np.linalg.norm(up, axis=1, keepdims=True)
    up = np.where(length > 1e-3, up / np.maximum(length, 1e-3), (0.0, -1.0))
    scale = view.scale_at(at_height(sites_mm, 0.0)) * MM_PER_PX
    linear = (
        np.stack([np.stack([-up[:, 1], -up[:, 0]], 1), np.stack([up[:, 0], -up[:, 1]], 1)], 1) * scale[:, None, None]
    )
    shift = foot - linear @ np.array(ANCHOR_PX)
    return np.concatenate([linear, shift[:, :, None]], axis=2)


def network_input(patches: Patches, gains: Floats, is_site: NDArray[np.bool_]) -> Channels:
    """(N, CHANNELS, S, S): the patch under white light (B, G, R), the empty board (B, G, R), overexposure, elevation,
    whose ground it is, and whether it is a site or a club place.

    `gains` (N, 3) is what the light makes of the paper at each site, see `light.gains_at`.
    """
    result = np.empty((len(patches.seen), CHANNELS, SIZE_PX, SIZE_PX), np.float32)
    scale = (2.0 / (255.0 * gains)).astype(np.float32)
    for channel in range(3):
        np.multiply(patches.seen[..., channel], scale[:, channel, None, None], out=result[:, channel])
        np.multiply(patches.empty[..., channel], np.float32(2 / 255), out=result[:, 3 + channel])
    np.minimum(result[:, 0:3], np.float32(3.2), out=result[:, 0:3])
    result[:, 0:6] -= 1
    darkest = np.minimum(np.minimum(patches.seen[..., 0], patches.seen[..., 1]), patches.seen[..., 2])
    burnt = np.clip((np.arange(256, dtype=np.float32) - 215) / 40, 0, 1)
    result[:, 6] = burnt[darkest] - ~patches.inside
    result[:, 7] = (patches.elevation.astype(np.float32) * 2 - 1)[:, None, None]
    result[:, 8] = patches.ground
    result[:, 9] = np.where(is_site, np.float32(1), np.float32(-1))[:, None, None]
    return result


def mirrored(channels: Channels, shifts_px: tuple[tuple[int, int], ...]) -> Channels:
    """(K * N, CHANNELS, S, S): the same places in a mirror, by K cameras that point so far aside: across and down."""
    margin = max(abs(shift) for pair in shifts_px for shift in pair)
    wide = np.pad(channels[..., ::-1], ((0, 0), (0, 0), (margin, margin), (margin, margin)), "edge")
    starts = [(margin + down, margin + across) for across, down in shifts_px]
    return np.concatenate([wide[:, :, row : row + SIZE_PX, column : column + SIZE_PX] for row, column in starts])


def _ground(view: View, to_picture: Floats, sites_mm: Floats, elevation: Floats) -> Channels:
    """(N, S, S) the mark of each site's own ground, less the marks of its neighbours'."""
    apart = np.linalg.norm(sites_mm[:, None] - sites_mm[None], axis=2)
    near = np.argsort(apart, axis=1)[:, : _NEIGHBOURS + 1]
    feet = view.project(at_height(sites_mm, 0.0))[near] - to_picture[:, None, :, 2]
    at = np.einsum("nij,nkj->nki", np.linalg.inv(to_picture[:, :, :2]), feet)
    is_own = np.take_along_axis(apart, near, axis=1) < _OWN_MM
    grid = np.arange(SIZE_PX, dtype=np.float64)
    lift = _PIECE_MM / MM_PER_PX * np.sqrt(np.maximum(0.0, 1 - elevation**2))[:, None, None]
    down = grid - at[:, :, 1, None]
    beyond = np.maximum(down, 0) + np.maximum(-down - lift, 0)
    flat = np.maximum(elevation, 0.35)[:, None, None]
    rows = np.exp(-0.5 * (beyond / (_GROUND_PX * flat)) ** 2).astype(np.float32)
    columns = np.exp(-0.5 * ((grid - at[:, :, 0, None]) / _GROUND_PX) ** 2).astype(np.float32)
    sign = np.where(is_own, np.float32(1), np.float32(-1))[:, :, None]
    return cast(Channels, np.clip(np.einsum("nky,nkx->nyx", rows * sign, columns), -1, 1))


def _pyramid(picture: Picture, most_shrink: float) -> list[Picture]:
    """The picture and its halves, as far down as the patches shrink it: sampling every third pixel would alias."""
    levels = [picture]
    while most_shrink > _HALVED * 2 ** (len(levels) - 1) and min(levels[-1].shape[:2]) > 64:
        levels.append(_halved(levels[-1]))
    return levels


def _halved(picture: Picture) -> Picture:
    height, width = picture.shape[:2]
    return cast(Picture, cv2.resize(picture, (width // 2, height // 2), interpolation=cv2.INTER_AREA))


def _seen(levels: list[Picture], transform: Floats) -> Picture:
    shrink = float(np.hypot(transform[0, 0], transform[1, 0]))
    level = min(len(levels) - 1, max(0, int(np.log2(max(shrink, 1e-6) / _HALVED) + 1)))
    step = 2.0**level
    matrix = transform / step
    matrix[:, 2] += 0.5 / step - 0.5  # the middle of a halved pixel lies between two
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    patch = cv2.warpAffine(levels[level], matrix, (SIZE_PX, SIZE_PX), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return cast(Picture, patch)


def _frames_mm(view: View, transforms: Floats) -> Floats:
    """(N, 4, 2) where the patch's outer pixels lie on the paper."""
    last = SIZE_PX - 1.0
    square = np.array([[0, 0, 1], [last, 0, 1], [last, last, 1], [0, last, 1]], np.float64)
    return view.to_plane((square @ transforms.transpose(0, 2, 1)).reshape(-1, 2)).reshape(-1, 4, 2)


def _drawn(empty: Picture, frame_px: Floats) -> Picture:
    last = SIZE_PX - 1.0
    square = np.array([[0, 0], [last, 0], [last, last], [0, last]], np.float32)
    matrix = cv2.getPerspectiveTransform(square, (frame_px - 0.5).astype(np.float32))
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cast(
        Picture, cv2.warpPerspective(empty, matrix, (SIZE_PX, SIZE_PX), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    )


def _inside(transform: Floats, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    last = SIZE_PX - 1.0
    corners = np.array([[0, 0, 1], [last, 0, 1], [last, last, 1], [0, last, 1]]) @ transform.T
    if (corners >= 0).all() and (corners < (shape[1], shape[0])).all():
        return np.ones((SIZE_PX, SIZE_PX), np.bool_)
    y, x = np.mgrid[:SIZE_PX, :SIZE_PX]
    points = np.stack([x, y, np.ones_like(x)], 2) @ transform.T
    return cast(NDArray[np.bool_], ((points >= 0) & (points < (shape[1], shape[0]))).all(axis=2))
