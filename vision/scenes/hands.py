"""Hands with their arms: pointing, pinching, reaching or resting over the board."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from vision.scenes.arrays import Floats, Rgb, Vec, Xy, between, chosen, floats, happens, rgb_of_hex
from vision.scenes.mesh import Mesh, loft, merged, mirrored, moved, painted, scaled, transformed, turn_about
from vision.scenes.noise import mottled
from vision.scenes.organic import Limb, skin
from vision.scenes.paints import Surface
from vision.scenes.pieces import Thing

SKIN_TONES = ("#e8b899", "#d9a07c", "#c68863", "#a86b47", "#7d4b31", "#5a3524", "#f0c8ae")
SLEEVES = ("#5a1f2a", "#25344f", "#3b3b3f", "#d9d6cf", "#2f4a3a", "#8a7a5c", "#6b2f2f", "#9fb3c8")
SKIN = Surface(0.55, 0.03, 0.25, 0.05, 4.0)
CLOTH = Surface(0.95, 0.012, 0.1, 0.14, 1.4)

# How far each finger bends at its three joints, thumb first (its first number: how far it swings under the palm).
POSES = {
    "point": ((35, 30, 20), (8, 10, 8), (75, 85, 50), (80, 90, 55), (80, 85, 55)),
    "pinch": ((42, 22, 18), (42, 42, 26), (50, 46, 30), (58, 50, 34), (62, 52, 36)),
    "reach": ((15, 12, 10), (22, 20, 12), (20, 22, 14), (24, 24, 16), (28, 26, 18)),
    "rest": ((8, 8, 6), (6, 10, 8), (6, 10, 8), (8, 12, 8), (12, 14, 8)),
}
# Where fingers grow from the palm (x along the hand, y to the thumb's side), spread, lengths of three bones, thickness.
_FINGERS = (
    ((88.0, 27.0), 7.0, (44.0, 26.0, 20.0), 9.2),
    ((92.0, 8.0), 1.0, (48.0, 30.0, 21.0), 9.4),
    ((88.0, -11.0), -5.0, (44.0, 28.0, 20.0), 8.9),
    ((79.0, -28.0), -13.0, (35.0, 21.0, 18.0), 7.8),
)


class Hand(NamedTuple):
    """A hand over the board. `tip_mm` is where its index finger points, in the world frame; it comes from `from_deg`
    and its arm rises by `rise_deg`."""

    pose: str
    tip_mm: Vec
    from_deg: float
    rise_deg: float
    left: bool
    size: float
    skin: Rgb
    sleeve: Rgb | None
    seed: int


def make_hand(rng: np.random.Generator, tip_mm: Vec, from_deg: float) -> Hand:
    sleeve = rgb_of_hex(chosen(rng, SLEEVES)) if happens(rng, 0.75) else None
    return Hand(
        pose=chosen(rng, [*POSES]),
        tip_mm=tip_mm,
        from_deg=from_deg,
        rise_deg=between(rng, 12, 32),
        left=happens(rng, 0.3),
        size=between(rng, 0.86, 1.05),
        skin=rgb_of_hex(chosen(rng, SKIN_TONES)),
        sleeve=sleeve,
        seed=int(rng.integers(1 << 30)),
    )


def hand_things(hand: Hand) -> tuple[Thing, ...]:
    """The hand with its forearm, and the sleeve if there is one. Its lowest point stays above the paper."""
    body, tip = _posed(hand.pose, hand.left)
    arm = _forearm(hand.seed)
    parts = [Thing(_skin_coloured(merged([body, arm[0]]), hand.skin), SKIN, "hand")]
    if hand.sleeve is not None:
        parts.append(Thing(painted(arm[1], hand.sleeve), CLOTH, "hand"))
    # The hand is made lying flat and pointing along x: tip it down, turn it, bring its fingertip to the place.
    turn = floats(turn_about("z", hand.from_deg + 180.0) @ turn_about("y", hand.rise_deg))
    size = (hand.size, hand.size, hand.size)
    turned = [thing._replace(mesh=transformed(scaled(thing.mesh, size), turn)) for thing in parts]
    at = turn @ (tip * hand.size)
    shift = floats(hand.tip_mm) - at
    low = min(float(thing.mesh.corners[..., 2].min()) for thing in turned)
    shift[2] = max(float(shift[2]), 0.8 - low)
    by = (float(shift[0]), float(shift[1]), float(shift[2]))
    return tuple(thing._replace(mesh=moved(thing.mesh, by)) for thing in turned)


@lru_cache(maxsize=16)
def _posed(pose: str, left: bool) -> tuple[Mesh, Floats]:
    """A right (or left) hand from wrist at the origin along x, palm down, and the place of its index fingertip."""
    limbs = _palm()
    bends = POSES[pose]
    limbs += _thumb(bends[0])
    tips = []
    for finger, bend in zip(_FINGERS, bends[1:], strict=True):
        bones = _finger(*finger, bend)
        limbs += bones
        tips.append(bones[-1].end)
    mesh = _nailed(
        skin(limbs, 2.6, 5.0), [_finger(*finger, bend)[-1] for finger, bend in zip(_FINGERS, bends[1:], strict=True)]
    )
    tip = floats(tips[0]) - floats([0, 0, 6.0])
    return (mirrored(mesh), tip * floats([1, -1, 1])) if left else (mesh, tip)


def _palm() -> list[Limb]:
    wrist = [
        Limb((-30.0, 7.0, 0.0), (8.0, 12.0, 0.0), 20.0, 18.0),
        Limb((-30.0, -7.0, 0.0), (8.0, -11.0, 0.0), 20.0, 17.0),
    ]
    bones = [Limb((10.0, y * 0.55, 0.0), (x - 4, y, 3.0), 15.0, 11.5) for (x, y), *_ in _FINGERS]
    ball = Limb((14.0, 20.0, -8.0), (44.0, 34.0, -10.0), 15.0, 12.0)
    return [*wrist, *bones, ball]


def _finger(
    root: Xy, spread_deg: float, bones: tuple[float, float, float], thick: float, bend: tuple[int, ...]
) -> list[Limb]:
    at = np.array([root[0], root[1], 3.0])
    limbs, down, width = [], 0.0, thick
    for length, angle in zip(bones, bend, strict=True):
        down += np.radians(angle)
        way = np.array(
            [
                np.cos(down) * np.cos(np.radians(spread_deg)),
                np.cos(down) * np.sin(np.radians(spread_deg)),
                -np.sin(down),
            ]
        )
        end = at + way * length
        limbs.append(Limb(_vec(at), _vec(end), width, width * 0.9))
        at, width = end, width * 0.9
    return limbs


def _thumb(bend: tuple[int, ...]) -> list[Limb]:
    at = np.array([38.0, 38.0, -9.0])
    limbs, width = [], 11.0
    swing, down = np.radians(42.0), np.radians(bend[0] * 0.8)
    for length, angle in zip((36.0, 29.0), bend[1:], strict=True):
        way = np.array([np.cos(down) * np.cos(swing), np.cos(down) * np.sin(swing), -np.sin(down)])
        end = at + way * length
        limbs.append(Limb(_vec(at), _vec(end), width, width * 0.88))
        at, width = end, width * 0.88
        swing -= np.radians(angle)
        down += np.radians(angle * 0.4)
    return limbs


def _vec(point: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Vec:
    return float(point[0]), float(point[1]), float(point[2])


def _nailed(mesh: Mesh, tips: list[Limb]) -> Mesh:
    """Nails lighter, and knuckles and tips a little redder."""
    colours = mesh.colours.copy()
    for tip in tips:
        end, start = floats(tip.end), floats(tip.start)
        along = (end - start) / np.linalg.norm(end - start)
        upward = floats([0, 0, 1]) - along * along[2]
        upward = upward / max(float(np.linalg.norm(upward)), 1e-3)
        offset = mesh.corners - end
        near = np.exp(-((np.linalg.norm(offset, axis=2) / 14.0) ** 2))
        colours *= 1 - near[..., None] * floats([0.0, 0.12, 0.1])
        nail = (offset @ upward > tip.thin * 0.66) & (np.abs(offset @ along) < 6.0)
        colours[nail] *= floats([1.12, 1.1, 1.12])
    return mesh._replace(colours=colours)


def _skin_coloured(mesh: Mesh, tone: Rgb) -> Mesh:
    """Skin is mottled, and a little paler on the palm's side."""
    blotches = mottled(floats(mesh.corners.reshape(-1, 3)), 26.0).reshape(-1, 3, 1)
    colours = mesh.colours * floats(tone) * (1 + 0.1 * blotches * floats([0.4, 1.0, 1.0]))
    pale = np.clip(-mesh.normals[..., 2:3], 0, 1) * 0.15
    return mesh._replace(colours=floats(np.minimum(colours * (1 + pale), 0.95)))


@lru_cache(maxsize=8)
def _forearm(seed: int) -> tuple[Mesh, Mesh]:
    """The bare arm and a sleeve with folds, both along -x from the wrist."""
    rng = np.random.default_rng(seed)
    along = np.linspace(22, 1000, 44)
    girth = np.interp(along, [22, 60, 120, 200, 1000], [20.5, 23.0, 31.0, 38.0, 55.0])
    bare = _tube([*zip((-along).tolist(), girth.tolist(), strict=True)], np.zeros((44, 24)), 1.25)
    start = between(rng, -75, -38)
    x = np.concatenate([[start + 6, start, start - 3], np.linspace(start - 9, -1000, 70)])
    radius = np.interp(-x, [40, 120, 250, 1000], [33, 42, 50, 72]) * np.where(np.arange(len(x)) < 1, 0.8, 1.0)
    phase = np.arange(24) * (2 * np.pi / 24)
    folds = sum(
        (
            between(rng, 0.01, 0.045)
            * np.sin(x[:, None] / between(rng, 9, 26) + rng.integers(1, 3) * phase[None] + between(rng, 0, 6))
            for _ in range(5)
        ),
        np.zeros((len(x), 24)),
    )
    sleeve = _tube([*zip(x.tolist(), radius.tolist(), strict=True)], folds, 1.12)
    return bare, sleeve


def _tube(
    stations: list[tuple[float, float]], folds: np.ndarray[tuple[int, ...], np.dtype[np.float64]], flatness: float
) -> Mesh:
    """A limb along x through (x, radius) stations from the wrist backwards, its rings dented by `folds` (K, 24)."""
    angle = np.arange(24) * (2 * np.pi / 24)
    rings = []
    for (x, radius), dent in zip(stations, folds, strict=True):
        reach = radius * (1 + dent)
        # Seen from the elbow's side the ring runs anticlockwise, as lofts that go towards -x need.
        rings.append(
            np.column_stack([np.full(24, x), -np.cos(angle) * reach * flatness, np.sin(angle) * reach / flatness])
        )
    return loft(floats(np.stack(rings)), around=True, along=True)
