"""Printed card lying on a sheet, for scenes: painted into the sheet's picture as this very camera sees it.

What lies above the paper hides another part of it from every camera. Seen from one eye that is a stretch about the
point below the eye, so thick card can be painted flat: first its shadow, then its cut edge, then its face.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

import cv2
import numpy as np

from vision.scenes.arrays import Bytes, Floats, between, floats, happens
from vision.sheets.canvas import Point
from vision.sheets.geometry import DPI

DOTS_PER_MM = DPI / 25.4


class Card(NamedTuple):
    """A flat piece: `face` RGB at `DOTS_PER_MM`, its convex `outline` (N, 2) in mm about its middle."""

    face: Bytes
    outline: Floats
    at_mm: Point
    angle_deg: float  # clockwise
    low_mm: float
    high_mm: float
    edge: tuple[int, int, int]


def square_outline(width: float, height: float) -> Floats:
    x, y = width / 2, height / 2
    return floats([(-x, -y), (x, -y), (x, y), (-x, y)])


def disc_outline(diameter: float) -> Floats:
    angle = np.arange(40) * (2 * np.pi / 40)
    return floats(np.column_stack([np.cos(angle), np.sin(angle)]) * diameter / 2)


def lain(pixels: Bytes, cards: Sequence[Card], eye_mm: Floats, shade: Point, darkness: float) -> Bytes:
    """The sheet's picture with the cards on it. `eye_mm` is the camera over the sheet: x, y from the sheet's corner, z
    up; `shade` how far a shadow falls per mm of height, `darkness` how deep it is at most."""
    shown = pixels.astype(np.float32)
    for card in cards:
        _cast_shadow(shown, card, shade, darkness)
    drawn = np.clip(shown, 0, 255).astype(np.uint8)
    farthest = sorted(cards, key=lambda card: (card.low_mm, -float(np.hypot(*(eye_mm[:2] - floats(card.at_mm))))))
    for card in farthest:
        _lay(drawn, card, eye_mm)
    return drawn


def corners_mm(card: Card) -> Floats:
    """(N, 2) the outline where it lies on the sheet."""
    return floats(card.outline @ _turn(card.angle_deg).T + floats(card.at_mm))


def _turn(angle_deg: float) -> Floats:
    c, s = np.cos(np.radians(angle_deg)), np.sin(np.radians(angle_deg))
    return floats([[c, -s], [s, c]])


def _stretched(points: Floats, height: float, eye_mm: Floats) -> Floats:
    """Where on the paper the eye sees (N, 2) points at a height."""
    return floats(eye_mm[:2] + (points - eye_mm[:2]) * (eye_mm[2] / (eye_mm[2] - height)))


def _polygon(points_mm: Floats) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
    return np.round((points_mm * DOTS_PER_MM - 0.5) * 16).astype(np.int32)


def _cast_shadow(shown: Floats, card: Card, shade: Point, darkness: float) -> None:
    thick = card.high_mm - card.low_mm
    fallen = corners_mm(card) + floats(shade) * thick
    reach = int((2.0 * thick + 2.0) * DOTS_PER_MM)
    low = np.maximum((fallen.min(axis=0) * DOTS_PER_MM).astype(int) - reach, 0)
    high = (fallen.max(axis=0) * DOTS_PER_MM).astype(int) + reach
    part = shown[low[1] : high[1], low[0] : high[0]]
    mask = np.zeros(part.shape[:2], np.float32)
    cv2.fillPoly(mask, [_polygon(fallen - low / DOTS_PER_MM)], 1.0, cv2.LINE_8, 4)
    soft = cv2.GaussianBlur(mask, (0, 0), max(1.0, 0.45 * thick * DOTS_PER_MM))
    part *= 1.0 - darkness * soft[..., None]


def _lay(drawn: Bytes, card: Card, eye_mm: Floats) -> None:
    corners = corners_mm(card)
    bottom, top = (_stretched(corners, height, eye_mm) for height in (card.low_mm, card.high_mm))
    hull = cv2.convexHull(np.concatenate([bottom, top]).astype(np.float32)).reshape(-1, 2)
    cv2.fillConvexPoly(drawn, _polygon(floats(hull)), card.edge, cv2.LINE_AA, 4)
    low = np.maximum((top.min(axis=0) * DOTS_PER_MM).astype(int) - 2, 0)
    size = (top.max(axis=0) * DOTS_PER_MM).astype(int) + 3 - low
    part = drawn[low[1] : low[1] + size[1], low[0] : low[0] + size[0]]
    matrix = _face_to_sheet(card, eye_mm)
    matrix[:, 2] -= low
    extent = (part.shape[1], part.shape[0])
    face = cv2.warpAffine(card.face, matrix, extent, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mask = np.zeros(part.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, _polygon(top - low / DOTS_PER_MM), 255, cv2.LINE_AA, 4)
    share = mask[..., None].astype(np.float32) / 255
    part[:] = np.round(part * (1 - share) + face * share).astype(np.uint8)


def _face_to_sheet(card: Card, eye_mm: Floats) -> Floats:
    """(2, 3) from pixels of the face to pixels of the sheet."""
    rows, columns = card.face.shape[:2]
    ends = floats([(0, 0), (columns, 0), (0, rows)]) / DOTS_PER_MM - floats([columns, rows]) / DOTS_PER_MM / 2
    lying = _stretched(floats(ends @ _turn(card.angle_deg).T + floats(card.at_mm)), card.high_mm, eye_mm)
    start = floats([(-0.5, -0.5), (columns - 0.5, -0.5), (-0.5, rows - 0.5)])
    return cast(Floats, cv2.getAffineTransform(start, floats(lying * DOTS_PER_MM - 0.5)))


class Wear(NamedTuple):
    """What printing, cutting and playing made of a set of tiles."""

    fade: float  # share of white in the inks
    saturation: float
    gains: tuple[float, float, float]
    rim: float  # how far the paper's white shows at the cut edge, in mm
    cut_mm: float  # by which the scissors were off
    scratches: float  # per tile


def worn(face: Bytes, wear: Wear, rng: np.random.Generator) -> Bytes:
    """A face after its life, each one a little different."""
    shift = rng.normal(0, wear.cut_mm * DOTS_PER_MM / 2, 2)
    matrix = np.array([[1, 0, shift[0]], [0, 1, shift[1]]], np.float64)
    moved = cv2.warpAffine(face, matrix, face.shape[1::-1], flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    inks = floats(moved)
    grey = inks.mean(axis=2, keepdims=True)
    inks = (grey + (inks - grey) * wear.saturation) * floats(wear.gains) * between(rng, 0.97, 1.03)
    inks = inks + (244 - inks) * wear.fade * between(rng, 0.6, 1.3)
    for _ in range(int(rng.poisson(wear.scratches))):
        _scratch(inks, rng)
    _rub_rim(inks, wear.rim * DOTS_PER_MM, rng)
    return cast(Bytes, np.clip(inks, 0, 255).astype(np.uint8))


def _scratch(inks: Floats, rng: np.random.Generator) -> None:
    rows, columns = inks.shape[:2]
    start = rng.uniform(0, (columns, rows))
    way = rng.normal(0, 0.25 * columns, 2)
    ends = [tuple(np.round(point).astype(int).tolist()) for point in (start, start + way)]
    line = np.zeros(inks.shape[:2], np.float32)
    cv2.line(line, ends[0], ends[1], between(rng, 0.2, 0.6), 1 + int(happens(rng, 0.3)), cv2.LINE_AA)
    inks += (between(rng, 170, 250) - inks) * line[..., None]


def _rub_rim(inks: Floats, reach_px: float, rng: np.random.Generator) -> None:
    if reach_px <= 0:
        return
    rows, columns = inks.shape[:2]
    y, x = np.mgrid[:rows, :columns]
    inward = np.minimum(np.minimum(x, columns - 1 - x), np.minimum(y, rows - 1 - y))
    coarse = floats(rng.uniform(0, 1, (rows // 6 + 1, columns // 6 + 1)))
    rough = cv2.resize(coarse, (columns, rows), interpolation=cv2.INTER_LINEAR)
    bare = np.clip(1.3 * rough - inward / reach_px, 0, 0.8)[..., None]
    inks += (236 - inks) * bare
