"""Short films for tests of the live camera: a hand comes, sets a hut down and leaves; the camera is bumped; a lamp
changes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from vision.scenes.arrays import Vec, chosen, floats
from vision.scenes.camera import Camera
from vision.scenes.hands import Hand, make_hand
from vision.scenes.lamps import Light, kelvin_rgb
from vision.scenes.mesh import moved
from vision.scenes.pieces import Thing, piece_mesh
from vision.scenes.position import EDITION_COLOURS, Position
from vision.scenes.printed import sheet_of
from vision.scenes.scene import Scene, shoot
from vision.scenes.setting import setting_of, stand, stream
from vision.scenes.spec import SceneSpec, Setting

ACTS = ("still", "place", "still", "bump", "still", "lamp", "still")
_STEPS = {"still": 2, "place": 6, "bump": 1, "lamp": 1}


def sequence(spec: SceneSpec, acts: tuple[str, ...] = ACTS) -> Iterator[Scene]:
    """The frames of a story, each with its own truth and with `note` "still", "hand", "bump" or "lamp".

    `acts` are played in order: "still" two frames at rest, "place" a hand that brings a hut, "bump" the camera moved a
    little for good, "lamp" the light changed for good.
    """
    setting = replace(setting_of(spec), hands=())
    rng = stream(spec, "hands", 1)
    frame = 0
    for act in acts:
        for setting_now, held, note in _play(act, setting, rng):
            setting = replace(setting_now, hands=())
            yield shoot(replace(setting_now, frame=frame), held, note)
            frame += 1


_Shot = tuple[Setting, tuple[Thing, ...], str]


def _play(act: str, setting: Setting, rng: np.random.Generator) -> Iterator[_Shot]:
    match act:
        case "place":
            yield from _place(setting, rng)
        case "bump":
            yield replace(setting, camera=bumped(setting.camera, rng)), (), "bump"
        case "lamp":
            yield replace(setting, light=_other_light(setting.light, rng)), (), "lamp"
        case _:
            for _ in range(_STEPS[act]):
                yield setting, (), "still"


def _place(setting: Setting, rng: np.random.Generator) -> Iterator[_Shot]:
    """A hand brings a hut to an empty site, lets go, and leaves without it."""
    sheet = sheet_of(setting.spec.board)
    taken = {piece.place for piece in setting.standing}
    free = [site for site in sheet.sites_mm if site not in taken]
    if not free:
        return
    site, colour = chosen(rng, free), chosen(rng, EDITION_COLOURS[sheet.board.edition])
    new = stand(setting.spec, sheet, Position(huts={site: colour}))
    after = replace(setting, standing=(*setting.standing, *new))
    x, y = new[0].at_mm
    hand = make_hand(rng, (x, y, 14.0), float(np.degrees(np.arctan2(y - 60, x)) + rng.normal(0, 20)))._replace(
        pose="pinch"
    )
    half = _STEPS["place"] // 2
    for step in range(half):
        place = _on_the_way(hand, 1 - step / (half - 1))
        yield replace(setting, hands=(place,)), (_in_hand(setting, colour, place.tip_mm),), "hand"
    for step in range(half):
        yield replace(after, hands=(_on_the_way(hand, step / (half - 1)),)), (), "hand"


def _on_the_way(hand: Hand, away: float) -> Hand:
    """The hand on its way: 0 at the site, 1 outside and higher."""
    out = floats([np.cos(np.radians(hand.from_deg)), np.sin(np.radians(hand.from_deg)), 0.0]) * 190 * away
    x, y, z = hand.tip_mm
    return hand._replace(tip_mm=(x + float(out[0]), y + float(out[1]), z + 45 * away))


def _in_hand(setting: Setting, colour: str, tip: Vec) -> Thing:
    mesh = piece_mesh(setting.pieces, "hut", colour)
    return Thing(moved(mesh, (tip[0], tip[1], max(0.0, tip[2] - 13.0))), setting.pieces.surface, "hand")


def bumped(camera: Camera, rng: np.random.Generator) -> Camera:
    """The camera knocked: turned by about a degree and moved by some millimetres."""
    axis = rng.normal(0, 1, 3)
    angle = np.radians(rng.uniform(0.5, 1.6))
    x, y, z = axis / np.linalg.norm(axis) * angle
    turn = np.eye(3) + np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    u, _, v = np.linalg.svd(turn)
    knock = np.asarray(u @ v)
    return camera._replace(turn=knock @ camera.turn, shift=knock @ camera.shift + rng.normal(0, 4, 3))


def _other_light(light: Light, rng: np.random.Generator) -> Light:
    """A lamp dimmed, or another one switched on."""
    first, *others = light.lamps
    dimmed = first._replace(
        power=first.power * rng.uniform(0.35, 0.6), colour=kelvin_rgb(float(rng.uniform(2700, 6500)))
    )
    return light._replace(lamps=(dimmed, *others))
