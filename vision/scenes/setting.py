"""From a spec to a setting: every part of a scene has its own stream of chance, so that one can change and the others
stay."""

from __future__ import annotations

from operator import itemgetter

import cv2
import numpy as np

from vision.scenes.arrays import between, floats, happens
from vision.scenes.blockers import make_blockers
from vision.scenes.camera import LENSES, Camera, place_camera
from vision.scenes.hands import Hand, hand_things, make_hand
from vision.scenes.mesh import merged
from vision.scenes.paints import make_set
from vision.scenes.position import Position, Standing, random_position, set_down
from vision.scenes.printed import sheet_of
from vision.scenes.room import make_room
from vision.scenes.spec import LEVELS, SceneSpec, Setting, count_of, hand_count, make_lens, make_light, make_view
from vision.scenes.strewing import Strewer
from vision.scenes.tables import make_table
from vision.sheets.geometry import Sheet

# The streams of chance. Their order is part of every seed's meaning.
STREAMS = (
    "camera",
    "light",
    "set",
    "position",
    "standing",
    "paper",
    "table",
    "room",
    "clutter",
    "hands",
    "blockers",
    "sensor",
    "noise",
)

_HAND_TRIES = 5
_MOST_HIDDEN = 0.3


def stream(spec: SceneSpec, name: str, *more: int) -> np.random.Generator:
    """The generator of one part of a scene."""
    seed = spec.set_seed if name == "set" and spec.set_seed is not None else spec.seed
    return np.random.default_rng([seed, STREAMS.index(name), *more])


def setting_of(spec: SceneSpec) -> Setting:
    sheet = sheet_of(spec.board)
    position = spec.position if spec.position is not None else random_position(stream(spec, "position"), sheet)
    return setting_on(sheet, spec, position)


def setting_on(sheet: Sheet, spec: SceneSpec, position: Position) -> Setting:
    """The setting of a scene on any sheet."""
    level = LEVELS[spec.difficulty]
    rng = stream(spec, "camera")
    lens = make_lens(rng, spec)
    camera = place_camera(rng, LENSES[lens], make_view(rng, spec), spec.size_px, sheet.size_mm)
    pieces = make_set(stream(spec, "set"))
    light = make_light(stream(spec, "light"), spec)
    paper = level.paper(stream(spec, "paper"))
    rng = stream(spec, "clutter")
    room = make_room(stream(spec, "room"), sheet.size_mm)
    strewer = Strewer(camera, sheet, pieces, paper.thickness, room)
    hidden = count_of(rng, spec.hidden_markers, level.hidden_markers)
    things = strewer.on_markers(rng, hidden) + strewer.beside(
        rng, count_of(rng, spec.clutter, level.clutter), level.touches_frame
    )
    rng = stream(spec, "blockers")
    blocking = count_of(rng, None, level.blockers)
    sensor = level.sensor(stream(spec, "sensor"))
    return Setting(
        spec=spec,
        camera=camera,
        light=light,
        pieces=pieces,
        standing=stand(spec, sheet, position),
        paper=paper,
        table=make_table(stream(spec, "table"), spec.table),
        room=room,
        clutter=tuple(things),
        hands=_make_hands(spec, sheet, camera),
        blockers=make_blockers(rng, light.lamps[0], sheet.size_mm, blocking) if light.lamps else merged([]),
        sensor=sensor if spec.jpeg is None else sensor._replace(jpeg=spec.jpeg),
    )


def stand(spec: SceneSpec, sheet: Sheet, position: Position) -> tuple[Standing, ...]:
    return set_down(stream(spec, "standing"), sheet, position, LEVELS[spec.difficulty].habits)


def _make_hands(spec: SceneSpec, sheet: Sheet, camera: Camera) -> tuple[Hand, ...]:
    """Hands that leave most of the board to be seen, as far as a few tries find such."""
    rng = stream(spec, "hands")
    found = []
    for _ in range(hand_count(rng, spec)):
        tried = []
        for _ in range(_HAND_TRIES):
            hand = _over_board(rng, spec, sheet)
            tried.append((_sites_behind(hand, sheet, camera), hand))
            if tried[-1][0] <= _MOST_HIDDEN * len(sheet.sites_mm):
                break
        found.append(min(tried, key=itemgetter(0))[1])
    return tuple(found)


def _sites_behind(hand: Hand, sheet: Sheet, camera: Camera) -> int:
    points = np.concatenate([thing.mesh.corners[::5].reshape(-1, 3) for thing in hand_things(hand)])
    hull = cv2.convexHull(camera.project(points[camera.is_near_view(points)]))
    places = camera.project_mm(floats([*sheet.sites_mm.values()]))
    return sum(cv2.pointPolygonTest(hull, (float(x), float(y)), False) >= 0 for x, y in places)


def _over_board(rng: np.random.Generator, spec: SceneSpec, sheet: Sheet) -> Hand:
    """A hand from outside: on normal scenes at the edge of the board, on hard ones in the middle of things."""
    width, height = sheet.size_mm
    reach = between(rng, 0.1, 0.75) if spec.difficulty == "hard" else between(rng, 0.85, 1.0)
    angle = between(rng, 0, 2 * np.pi)
    tip = (
        width / 2 * reach * np.cos(angle),
        height / 2 * reach * np.sin(angle),
        between(rng, 3, 45) if happens(rng, 0.7) else 70.0,
    )
    outward = np.degrees(np.arctan2(tip[1], tip[0])) + float(rng.normal(0, 25))
    return make_hand(rng, (float(tip[0]), float(tip[1]), float(tip[2])), float(outward))
