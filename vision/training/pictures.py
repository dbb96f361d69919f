"""Whole training pictures: a board on a table under some lamp before some camera, with pieces, strangers and hands.

Crude on purpose and wide in range: nothing here looks like a photo, but light, colours, shapes, blur and noise vary
more than photos do. Deterministic by the generator passed in.
"""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.locate.pose import Camera, Floats, Picture, Pose, View
from vision.training import shapes
from vision.training.painter import Canvas, Lamp, Light, Thing, paint, shadows

FOREIGN = 1 << 20  # idents from here on are hands and strangers
_GAMMA = 2.2

Kinds = dict[str, tuple[shapes.Mesh, bool]]  # a set's models, and whether all its pieces are alike
Spot = tuple[tuple[float, float], float, float]  # where in mm, turn, height in mm


class Standing(NamedTuple):
    """What stands on one place: index of its colour or -1."""

    base: int
    tiki: int


class Training(NamedTuple):
    picture: Picture  # (H, W, 3) BGR
    view: View
    owners: NDArray[np.int32]  # (H, W): 1 + 2 * place for a hut or token, 2 + 2 * place for a tiki, FOREIGN for others
    standing: tuple[Standing, ...]


def make(empty: Picture, px_per_mm: float, places_mm: Floats, sites: int, rng: np.random.Generator) -> Training:
    """A picture of the board `empty` (BGR). The first `sites` of the (N, 2) places take huts, the others tokens."""
    height = int(rng.integers(560, 1050))
    size = (round(height * rng.choice([4 / 3, 16 / 9, 3 / 4 + 0.4])), height)
    board_mm = np.array([empty.shape[1], empty.shape[0]]) / px_per_mm
    view = random_view(board_mm, size, rng)
    lamp = _lamp(rng)
    standing, things = _pieces(places_mm, sites, rng)
    strangers = _strangers(board_mm, places_mm, rng)
    hands = _hands(board_mm, rng) if rng.random() < 0.3 else []
    canvas = Canvas(_table_and_board(empty, px_per_mm, view, rng), np.zeros((size[1], size[0]), np.int32))
    everything = things + strangers + hands
    shade = shadows((size[1], size[0]), view, everything, lamp, rng.choice([0.6, 1.5, 4.0, 9.0]))
    below = shadows((size[1], size[0]), view, everything, lamp._replace(direction=np.array([0.0, 0.0, -1.0])), 5.0)
    sky = (1 - rng.uniform(0, 0.7) * (1 - below))[..., None] * lamp.ambient
    up = max(0.05, float(-lamp.direction[2]))
    canvas.light[:] *= (sky + shade[..., None] * lamp.direct * up).astype(np.float32)
    paint(canvas, view, everything, lamp, rng)
    canvas.light[:] *= _grain(canvas.owners, rng)
    light = canvas.light * _room(canvas.light.shape, rng)
    picture = _developed(_lensed(light, rng), rng)
    return Training(picture, view, canvas.owners, standing)


def random_view(board_mm: Floats, size: tuple[int, int], rng: np.random.Generator) -> View:
    """A camera somewhere above the board, looking at it."""
    focal = size[0] * rng.uniform(0.65, 1.5)
    # From straight above a hut and a tiki differ least, so that is practised more.
    elevation = np.radians(rng.uniform(24, 89) if rng.random() < 0.65 else rng.uniform(68, 89.5))
    azimuth = rng.uniform(0, 2 * np.pi)
    away = focal * board_mm[0] / (size[0] * rng.uniform(0.5, 1.1))
    target = np.array([*(board_mm * rng.uniform(0.35, 0.65, 2)), 0.0])
    ray = np.array([np.cos(azimuth) * np.cos(elevation), np.sin(azimuth) * np.cos(elevation), -np.sin(elevation)])
    eye = target + ray * max(away, 260.0)
    forward = -ray
    right = np.cross(forward, (0.0, 0.0, -1.0))
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    roll = rng.normal(0, 0.15)
    turned = np.array([right * np.cos(roll) + down * np.sin(roll), down * np.cos(roll) - right * np.sin(roll), forward])
    rotation = cv2.Rodrigues(turned)[0].ravel()
    translation = -turned @ eye
    return View(Camera(float(focal), size), Pose(_three(rotation), _three(translation)))


def _three(values: Any) -> tuple[float, float, float]:
    a, b, c = values
    return float(a), float(b), float(c)


def _lamp(rng: np.random.Generator) -> Lamp:
    height = np.radians(rng.uniform(22, 88))
    around = rng.uniform(0, 2 * np.pi)
    direction = np.array([np.cos(around) * np.cos(height), np.sin(around) * np.cos(height), -np.sin(height)])
    warmth, coolness = rng.normal(0, 0.5), rng.normal(0, 0.25)
    direct = (
        np.array([np.exp(-0.7 * warmth), 1.0, np.exp(0.55 * warmth)]) * rng.uniform(0.3, 1.0) / max(np.sin(height), 0.4)
    )
    ambient = np.array([np.exp(-0.7 * (warmth + coolness)), 1.0, np.exp(0.55 * (warmth + coolness))])
    return Lamp(direction, direct, ambient * rng.uniform(0.12, 0.8), rng.choice([0.0, 0.1, 0.5, 1.5]) * rng.random())


def _pieces(places_mm: Floats, sites: int, rng: np.random.Generator) -> tuple[tuple[Standing, ...], list[Thing]]:
    kinds = {kind: (getattr(shapes, kind)(rng), rng.random() < 0.8) for kind in ("hut", "tiki", "token")}
    palette = [shapes.colour_of(name, rng) for name in shapes.COLOURS]
    full, shares = rng.uniform(0.15, 0.9), rng.dirichlet([4, 3, 2])
    things, standing = [], []
    for place, at in enumerate(places_mm):
        what = rng.choice(3, p=shares) if rng.random() < full else 3
        colour = int(rng.integers(len(palette)))
        own = colour if rng.random() < 0.8 else int(rng.integers(len(palette)))
        state = Standing(colour if what in (0, 2) else -1, own if what in (1, 2) else -1)
        standing.append(state)
        off, turn = _off_centre(rng), rng.uniform(0, 2 * np.pi)
        base = "hut" if place < sites else "token"
        if state.base >= 0:
            things.append(_thing(kinds, base, palette[state.base], _spot(at + off, turn), 1 + 2 * place, rng))
        if state.tiki >= 0:
            beside, height = _beside(base, off, rng) if state.base >= 0 else (off, 0.0)
            spot = _spot(at + beside, turn, height)
            things.append(_thing(kinds, "tiki", palette[state.tiki], spot, 2 + 2 * place, rng))
    return tuple(standing), things


def _spot(at: Floats, turn: float, height: float = 0.0) -> Spot:
    return (float(at[0]), float(at[1])), turn, height


def _off_centre(rng: np.random.Generator) -> Floats:
    angle, radius = rng.uniform(0, 2 * np.pi), rng.choice([2.0, 6.5]) * np.sqrt(rng.random())
    return np.array([np.cos(angle) * radius, np.sin(angle) * radius])


def _beside(base: str, off: Floats, rng: np.random.Generator) -> tuple[Floats, float]:
    """A tiki against its hut, or now and then on top; on a token it may stand anywhere."""
    angle = rng.uniform(0, 2 * np.pi)
    away = np.array([np.cos(angle), np.sin(angle)])
    if base == "token":
        return off + away * rng.uniform(0, 5), 3.0
    if rng.random() < 0.12:
        return off + away * rng.uniform(0, 2), 9.0
    return off * 0.5 + away * rng.uniform(8.5, 12.5), 0.0


def _thing(kinds: Kinds, kind: str, colour: Floats, at: Spot, ident: int, rng: np.random.Generator) -> Thing:
    mesh, all_alike = kinds[kind]
    if not all_alike:
        mesh = getattr(shapes, kind)(rng)
    worn = colour * np.exp(rng.normal(0, 0.06, 3))
    return Thing(shapes.placed(mesh, at[0], at[1], at[2]), worn, ident)


def _strangers(board_mm: Floats, places_mm: Floats, rng: np.random.Generator) -> list[Thing]:
    """Spare pieces and other things, on the table and between the sites."""
    found = []
    for index in range(int(rng.integers(0, 14))):
        at = rng.uniform(-0.25, 1.25, 2) * board_mm
        if np.linalg.norm(places_mm - at, axis=1).min() < 17:
            continue
        kind = str(rng.choice(["hut", "tiki", "token", "lump"]))
        named = shapes.colour_of(str(rng.choice(shapes.COLOURS)), rng)
        colour = shapes.any_colour(rng) if kind == "lump" else named
        mesh = shapes.placed(getattr(shapes, kind)(rng), (float(at[0]), float(at[1])), rng.uniform(0, 6.3))
        found.append(Thing(mesh, colour, FOREIGN + index))
    if rng.random() < 0.15:  # something lies on a site where it should not
        at = places_mm[rng.integers(len(places_mm))] + rng.normal(0, 6, 2)
        card = shapes.tinted(shapes.box(rng.uniform(25, 60), rng.uniform(25, 90), 0, 0.6), 1.0)
        found.append(
            Thing(
                shapes.placed(card, (float(at[0]), float(at[1])), rng.uniform(0, 6.3)), shapes.any_colour(rng), FOREIGN
            )
        )
    return found


def _hands(board_mm: Floats, rng: np.random.Generator) -> list[Thing]:
    """An arm and fingers as rows of prisms reaching in from a side."""
    skin = np.array([0.12, 0.2, 0.42]) * rng.uniform(0.15, 1.5) * np.exp(rng.normal(0, 0.15, 3))
    tip = rng.uniform(0.1, 0.9, 2) * board_mm
    angle = rng.uniform(0, 2 * np.pi)
    inward = np.array([np.cos(angle), np.sin(angle)])
    side = np.array([-inward[1], inward[0]])
    height = rng.uniform(5, 60)
    found = []
    for finger in range(int(rng.integers(1, 5))):
        bend = rng.uniform(-0.3, 0.3)
        for step in range(8):
            at = tip - inward * step * 9 + side * (finger * 17 - 20 + step * bend * 4)
            found.append(_ball(at, 7.5, height + step * 3, skin))
    sleeve = shapes.any_colour(rng) if rng.random() < 0.7 else skin
    for step in range(12):
        at = tip - inward * (75 + step * 22)
        found.append(_ball(at, 26 + step, height + 22 + step * 5, skin if step < 3 else sleeve))
    return found


def _ball(at: Floats, radius: float, height: float, colour: Floats) -> Thing:
    low = shapes.prism(9, radius * 0.7, height, height + radius, 1.4)
    high = shapes.prism(9, radius, height + radius, height + 1.8 * radius, 0.5)
    return Thing(shapes.placed(shapes.joined(low, high), (float(at[0]), float(at[1])), 0.0), colour, FOREIGN)


def _table_and_board(empty: Picture, px_per_mm: float, view: View, rng: np.random.Generator) -> Light:
    """(H, W, 3) linear reflectance of everything flat."""
    width, height = view.camera.size_px
    table = shapes.any_colour(rng) * 0.6 + 0.02
    coarse = rng.normal(0, 0.25, (int(rng.integers(4, 60)), int(rng.integers(4, 200)))).astype(np.float32)
    grain = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    flat = (table * np.exp(grain)[..., None]).astype(np.float32)
    matrix = view.plane_homography() @ np.diag([1 / px_per_mm, 1 / px_per_mm, 1.0])
    inks = (np.arange(256) / 255) ** (_GAMMA * np.exp(rng.normal(0, 0.12)))
    printed = inks.astype(np.float32)[empty]
    printed = printed * np.exp(rng.normal(0, 0.05, 3)).astype(np.float32) * rng.uniform(0.75, 1) + rng.uniform(0, 0.03)
    drawn = cv2.warpPerspective(printed.astype(np.float32), matrix, (width, height), flags=cv2.INTER_AREA)
    cover = cv2.warpPerspective(np.ones(empty.shape[:2], np.float32), matrix, (width, height), flags=cv2.INTER_LINEAR)
    return cast(Light, np.where(cover[..., None] > 0.5, drawn, flat).astype(np.float32))


def _room(shape: tuple[int, ...], rng: np.random.Generator) -> Light:
    """(H, W, 3) uneven light: slopes, shadows of things outside the picture, a second lamp's colour."""
    height, width = shape[:2]
    y, x = np.mgrid[:height, :width].astype(np.float32) / max(shape[:2])
    slope = rng.normal(0, 0.5, 2)
    field = np.exp(slope[0] * (x - 0.5) + slope[1] * (y - 0.4))[..., None] * np.ones(3, np.float32)
    for _ in range(int(rng.choice([0, 0, 1, 2]))):
        edge = np.zeros((height, width), np.float32)
        corners = rng.uniform(-0.3, 1.3, (int(rng.integers(3, 6)), 2)) * (width, height)
        cv2.fillPoly(edge, [np.round(corners).astype(np.int32)], 1.0)
        soft = np.asarray(cv2.GaussianBlur(edge, (0, 0), rng.choice([1.0, 4.0, 20.0])), np.float32)
        field *= 1 - soft[..., None] * (1 - rng.uniform(0.12, 0.8) * np.exp(rng.normal(0, 0.1, 3)).astype(np.float32))
    return cast(Light, field.astype(np.float32))


def _grain(owners: NDArray[np.int32], rng: np.random.Generator) -> Light:
    """(H, W, 1) uneven colour of wood, paint and skin."""
    coarse = rng.normal(0, rng.choice([0.0, 0.1, 0.2]), (owners.shape[0] // 3, owners.shape[1] // 6)).astype(np.float32)
    fine = cv2.resize(coarse, owners.shape[::-1], interpolation=cv2.INTER_LINEAR)
    return cast(Light, np.exp(np.where(owners > 0, fine, np.float32(0)))[..., None])


def _lensed(light: Light, rng: np.random.Generator) -> Light:
    """Glare, haze and blur."""
    height, width = light.shape[:2]
    for _ in range(int(rng.choice([0, 0, 1, 3]))):
        spot = np.zeros((height, width), np.float32)
        axes = (int(rng.uniform(5, 120)), int(rng.uniform(5, 60)))
        centre = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
        cv2.ellipse(spot, centre, axes, rng.uniform(0, 180), 0, 360, 1.0, -1)
        light = light + cv2.GaussianBlur(spot, (0, 0), rng.uniform(3, 60))[..., None] * np.float32(
            rng.uniform(0.1, 1.5)
        )
    if rng.random() < 0.25:
        light = light + np.float32(rng.uniform(0, 0.08))
    sigma = rng.choice([0.4, 0.7, 1.0, 1.6])
    light = np.asarray(cv2.GaussianBlur(light, (0, 0), sigma), np.float32)
    if rng.random() < 0.15:
        kernel = np.zeros((13, 13), np.float32)
        angle, length = rng.uniform(0, 6.3), rng.uniform(1, 5)
        across, along = round(np.cos(angle) * length), round(np.sin(angle) * length)
        cv2.line(kernel, (6 - across, 6 - along), (6 + across, 6 + along), 1.0)
        light = np.asarray(cv2.filter2D(light, -1, kernel / kernel.sum()), np.float32)
    return light


def _developed(light: Light, rng: np.random.Generator) -> Picture:
    """Exposure, white balance, tone curve, noise and JPEG."""
    small = light[::16, ::16].reshape(-1, 3)
    level = np.percentile(small.max(axis=1), 90)
    balance = small.mean(axis=0) / small.mean()
    corrected = light / (balance ** rng.uniform(0, 1)).astype(np.float32)
    exposed = corrected * np.float32(rng.uniform(0.45, 1.25) / max(level, 1e-4))
    noise = rng.choice([0.002, 0.006, 0.015])
    repeats = (exposed.shape[0] // 200 + 1, exposed.shape[1] // 200 + 1, 1)
    dice = np.tile(rng.standard_normal((200, 200, 3), np.float32), repeats)[: exposed.shape[0], : exposed.shape[1]]
    sensed = exposed + dice * np.sqrt(np.maximum(exposed, 0) * noise * 0.3 + noise**2)
    tone = np.clip(sensed, 0, 1) ** np.float32(rng.uniform(0.38, 0.55))
    curve = rng.uniform(0, 0.6)
    tone = tone * (1 - curve) + (tone * tone * (3 - 2 * tone)) * curve
    picture = np.clip(tone * 255, 0, 255).astype(np.uint8)
    _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(55, 97))])
    return cast(Picture, cv2.imdecode(packed, cv2.IMREAD_COLOR))
