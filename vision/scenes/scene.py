"""Making scenes: the picture, its truth and its camera."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from vision.scenes.arrays import Bytes, Rgb, Xy
from vision.scenes.camera import Camera
from vision.scenes.ground import height_at
from vision.scenes.hands import hand_things
from vision.scenes.mesh import Mesh, flat
from vision.scenes.paints import Surface
from vision.scenes.pieces import Thing, standing_thing
from vision.scenes.position import Position, calibration_position
from vision.scenes.printed import Print, print_of, relief_of, sheet_of
from vision.scenes.render import Stage, render
from vision.scenes.sensor import develop
from vision.scenes.setting import setting_of, stand, stream
from vision.scenes.solids import Seen
from vision.scenes.spec import SceneSpec, Setting
from vision.scenes.truth import Truth, judge
from vision.sheets.geometry import Sheet

_CARDBOARD = Surface(0.8, 0.03)


@dataclass(frozen=True)
class Scene:
    """A picture (rows, columns, 3), BGR with 8 bits, with everything that is true of it. `note` says what happens in
    a sequence."""

    image: Bytes
    truth: Truth
    camera: Camera
    spec: SceneSpec
    setting: Setting
    note: str = ""


def make_scene(spec: SceneSpec) -> Scene:
    """The scene that a spec describes; the same spec always gives the same picture."""
    return shoot(setting_of(spec))


def empty_scene(spec: SceneSpec) -> Scene:
    """The same place, camera and light with nothing on the board and no hand over it: an owner's reference photo."""
    return shoot(replace(setting_of(spec), standing=(), hands=()))


def calibration_scene(spec: SceneSpec) -> Scene:
    """The same place, camera, light and set with one hut of each colour on the board and no hand over it."""
    setting = setting_of(spec)
    sheet = sheet_of(spec.board)
    position = calibration_position(sheet, stream(spec, "position", 1))
    return shoot(replace(setting, standing=stand(spec, sheet, position), hands=()))


def position_of(scene: Scene) -> Position:
    """The pieces of a scene as a position."""
    sites, clubs = scene.truth.sites, scene.truth.clubs
    return Position(
        huts={name: site.hut for name, site in sites.items() if site.hut},
        tikis={name: site.tiki for name, site in sites.items() if site.tiki},
        clubs={name: club.club for name, club in clubs.items() if club.club},
        club_tikis={name: club.tiki for name, club in clubs.items() if club.tiki},
    )


def shoot(setting: Setting, held: tuple[Thing, ...] = (), note: str = "") -> Scene:
    """Takes the picture. `held` are things in a hand."""
    spec, sheet = setting.spec, sheet_of(setting.spec.board)
    relief = relief_of(setting.paper, sheet.size_mm)
    pieces = [
        standing_thing(setting.pieces, piece, height_at(relief, piece.at_mm, sheet.size_mm))
        for piece in setting.standing
    ]
    held_now = [thing._replace(kind="hand") for thing in held]
    found = photograph(setting, sheet, print_of(spec.board, spec.markers), pieces, held_now)
    truth = judge(sheet, setting.camera, setting.standing, found.things, found.seen)
    return Scene(found.image, truth, setting.camera, spec, setting, note)


class Photograph(NamedTuple):
    """A picture, all things on the table (the pieces first) and which of them is seen where."""

    image: Bytes
    things: Sequence[Thing]
    seen: Seen


def photograph(
    setting: Setting, sheet: Sheet, printed: Print, pieces: Sequence[Thing], held: Sequence[Thing] = ()
) -> Photograph:
    """Pieces on a sheet, with the setting's clutter and hands, as its camera takes them."""
    camera, paper = setting.camera, setting.paper
    hands = [thing for hand in setting.hands for thing in hand_things(hand)]
    things = [*pieces, *setting.clutter, *hands, *held]
    if paper.thickness > 0.5:
        things.append(Thing(_rim(sheet.size_mm, paper.thickness, paper.edge), _CARDBOARD, "rim"))
    found = render(Stage(camera, setting.light, printed, paper, setting.table, setting.room, things, setting.blockers))
    noise = stream(setting.spec, "noise", setting.frame)
    image = develop(found.radiance, setting.sensor, found.lamps, camera.vignette, noise)
    return Photograph(image, things, found.seen)


def _rim(size_mm: Xy, thickness: float, colour: Rgb) -> Mesh:
    """The cut edges of a board on card: four upright strips, in short pieces that a lens may bend."""
    x, y = size_mm[0] / 2, size_mm[1] / 2
    corners = np.array([(-x, -y), (x, -y), (x, y), (-x, y)])
    quads = []
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        steps = start + (end - start) * np.linspace(0, 1, 13)[:, None]
        for a, b in pairwise(steps):
            low_a, low_b, high_b, high_a = (*a, -thickness), (*b, -thickness), (*b, 0.0), (*a, 0.0)
            quads += [(low_a, low_b, high_b), (low_a, high_b, high_a)]
    return flat(np.array(quads, dtype=np.float32), colour)
