"""One table with a board, pieces, lamps and a camera, all drawn by chance, and what can be seen of it."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path
from typing import Any, NamedTuple

import bpy
from mathutils import Vector

from tests.studio import paints, props

Position = dict[str, tuple[str | None, str | None]]  # by place (clubs as `club:NAME`): colour of hut or token, of tiki
_THICK_MM = 2.0
_OFF_MM = 6.0


class Sheet(NamedTuple):
    name: str
    picture: Path
    size_mm: tuple[float, float]
    places_mm: dict[str, tuple[float, float]]


class Level(NamedTuple):
    """What makes a picture hard."""

    lowest_deg: float
    highest_deg: float
    ambient: tuple[float, float]
    lamp_deg: tuple[float, float]  # how high the lamp stands
    gloss: tuple[float, float]
    hands: float  # chance
    clutter: int
    exposure: float  # spread, in stops


LEVELS = {
    "easy": Level(45, 80, (0.5, 0.9), (50, 85), (0, 0.3), 0.0, 1, 0.2),
    "normal": Level(38, 80, (0.25, 0.7), (30, 85), (0, 0.6), 0.15, 4, 0.4),
    "hard": Level(28, 82, (0.08, 0.4), (18, 80), (0.2, 1.0), 0.6, 7, 0.7),
}


def read_sheet(folder: Path, name: str) -> Sheet:
    data = json.loads((folder / f"{name}.json").read_text())
    clubs = {f"club:{club}": tuple(at) for club, at in data["clubs_mm"].items()}
    places = {**{site: tuple(at) for site, at in data["sites_mm"].items()}, **clubs}
    return Sheet(name, folder / f"{name}.png", tuple(data["size_mm"]), places)


def position(sheet: Sheet, rng: random.Random) -> Position:
    """A board somewhere in a game: at most one tiki of each colour."""
    full, found = rng.uniform(0.25, 0.8), {}
    for place in sheet.places_mm:
        found[place] = (rng.choice(paints.PLAYERS) if rng.random() < full else None, None)
    for colour, place in zip(paints.PLAYERS, rng.sample(sorted(found), len(paints.PLAYERS)), strict=True):
        if rng.random() < 0.8:
            found[place] = (found[place][0], colour)
    return found


def known_position(sheet: Sheet, rng: random.Random) -> Position:
    """For a calibration: one hut of each colour and nothing else."""
    sites = [place for place in sheet.places_mm if not place.startswith("club:")]
    chosen = dict(zip(rng.sample(sites, len(paints.PLAYERS)), paints.PLAYERS, strict=True))
    return {place: (chosen.get(place), None) for place in sheet.places_mm}


class Studio:
    """The same board, camera, lamp and box of pieces for any number of pictures."""

    def __init__(self, sheet: Sheet, difficulty: str, seed: int) -> None:
        self.sheet, self.level = sheet, LEVELS[difficulty]
        self.rng = random.Random(seed)
        rng = self.rng
        bpy.ops.wm.read_factory_settings(use_empty=True)
        self.finish = paints.Finish(rng)
        self.makers = {"hut": rng.choice(props.HUTS), "tiki": rng.choice(props.TIKIS), "club": rng.choice(props.TOKENS)}
        self.shape_seed = rng.random()
        self._lay_board()
        self._light()
        self._camera()
        self.loose: list[bpy.types.Object] = []
        self.pieces: dict[tuple[str, str], bpy.types.Object] = {}

    def at(self, point_mm: tuple[float, float]) -> tuple[float, float]:
        """From the sheet's frame (y down) to the room's, whose origin is the middle of the board."""
        return point_mm[0] - self.sheet.size_mm[0] / 2, self.sheet.size_mm[1] / 2 - point_mm[1]

    def _lay_board(self) -> None:
        (wide, high), rng = self.sheet.size_mm, self.rng
        corners = [(-wide / 2, -high / 2), (wide / 2, -high / 2), (wide / 2, high / 2), (-wide / 2, high / 2)]
        top = props.solid("sheet", [([(x, y, 0.0) for x, y in corners], [[0, 1, 2, 3]])], 0.0)
        layer = top.data.uv_layers.new()
        for loop, spot in zip(layer.data, ((0, 0), (1, 0), (1, 1), (0, 1)), strict=True):
            loop.uv = spot
        top.data.materials.append(paints.sheet(self.sheet.picture, rng, rng.uniform(*self.level.gloss)))
        core = props.solid("core", [props.block(wide, high, -_THICK_MM, -0.05)], 0.0)
        core.data.materials.append(paints.plain((0.5, 0.48, 0.44), 0.9))
        ground = props.solid("table", [props.block(4000, 4000, -60, -_THICK_MM)], 0.0)
        ground.rotation_euler.z = rng.uniform(0, math.pi)
        ground.data.materials.append(paints.table(rng))

    def _light(self) -> None:
        rng, level = self.rng, self.level
        kelvin = rng.choice([2700, 3000, 4000, 5000, 6500])
        warm = max(-0.2, (5500 - kelvin) / 2800)  # a camera's white balance takes some of it away
        balance = rng.uniform(0.3, 0.8)
        tint = Vector((1 + 0.35 * warm * (1 - balance), 1.0, 1 - 0.5 * warm * (1 - balance)))
        world = bpy.data.worlds.new("room")
        bpy.context.scene.world = world
        world.use_nodes = True
        ambient = rng.uniform(*level.ambient)
        sky = world.node_tree.nodes["Background"]
        sky.inputs["Color"].default_value = (*(tint * 0.5 + Vector((0.5, 0.5, 0.5))), 1)
        sky.inputs["Strength"].default_value = ambient
        for count in range(rng.choice([1, 1, 2])):
            lamp = bpy.data.lights.new("lamp", "AREA")
            lamp.size = rng.choice([40, 200, 700])
            away, height, around = (
                rng.uniform(900, 1600),
                math.radians(rng.uniform(*level.lamp_deg)),
                rng.uniform(0, 2 * math.pi),
            )
            lamp.energy = rng.uniform(1.5, 3.2) * 4 * math.pi * away**2 * (1 - 0.5 * ambient) / (1 + 2 * count)
            lamp.color = tint
            thing = bpy.data.objects.new("lamp", lamp)
            thing.location = (
                away * math.cos(height) * math.cos(around),
                away * math.cos(height) * math.sin(around),
                away * math.sin(height),
            )
            thing.rotation_euler = (-thing.location).to_track_quat("-Z", "Y").to_euler()
            bpy.context.collection.objects.link(thing)

    def _camera(self) -> None:
        rng, level = self.rng, self.level
        lens = bpy.data.cameras.new("camera")
        lens.lens, lens.clip_end = rng.uniform(24, 40), 20000
        height, around = math.radians(rng.uniform(level.lowest_deg, level.highest_deg)), rng.uniform(0, 2 * math.pi)
        away = self.sheet.size_mm[0] * lens.lens / 36 / rng.uniform(0.6, 0.85)
        target = Vector((rng.uniform(-25, 25), rng.uniform(-25, 25), 0))
        ray = Vector((math.cos(around) * math.cos(height), math.sin(around) * math.cos(height), math.sin(height)))
        self.camera = bpy.data.objects.new("camera", lens)
        self.camera.location = target + ray * away
        self.camera.rotation_euler = (-ray).to_track_quat("-Z", "Y").to_euler()
        self.camera.rotation_euler.rotate_axis("Z", rng.gauss(0, 0.1))
        bpy.context.collection.objects.link(self.camera)
        bpy.context.scene.camera = self.camera

    # --- Pieces and what else lies about ---

    def set_up(self, what: Position, is_busy: bool) -> None:
        """Puts a position on the board; a busy picture has clutter and hands as well."""
        for thing in [*self.pieces.values(), *self.loose]:
            bpy.data.objects.remove(thing, do_unlink=True)
        self.pieces, self.loose = {}, []
        taken: list[tuple[float, float, float]] = []
        for place in self.rng.sample(sorted(what), len(what)):
            self._put(place, *what[place], taken)
        if is_busy:
            self._strew()

    def _put(self, place: str, base: str | None, tiki: str | None, taken: list[tuple[float, float, float]]) -> None:
        kind = "club" if place.startswith("club:") else "hut"
        x, y = self.at(self.sheet.places_mm[place])
        for attempt in range(20):
            spread = _OFF_MM * self.rng.random() * (1 - attempt / 22)
            spots = self._spots(x, y, kind, base, tiki, spread)
            near = [math.hypot(a - c, b - d) - r - s for a, b, r, _ in spots.values() for c, d, s in taken]
            if min(near, default=0) >= 0 or attempt == 19:
                break
        for part, (a, b, radius, low) in spots.items():
            colour = tiki if part == "tiki" else base
            self.pieces[place, part] = self._piece(part, str(colour), (a, b, low))
            taken.append((a, b, radius))

    def _spots(
        self, x: float, y: float, kind: str, base: str | None, tiki: str | None, spread: float
    ) -> dict[str, Any]:
        """Where each part of a place stands: (x, y, radius, height)."""
        way, turn = self.rng.uniform(0, 2 * math.pi), self.rng.uniform(0, 2 * math.pi)
        x, y = x + spread * math.cos(way), y + spread * math.sin(way)
        if base and tiki and kind == "hut":
            x, y = x - 0.7 * spread * math.cos(way), y - 0.7 * spread * math.sin(way)  # two pieces fill their plot
            dx, dy = 6 * math.cos(turn), 6 * math.sin(turn)
            return {"hut": (x - dx, y - dy, 7.0, 0.0), "tiki": (x + dx, y + dy, 4.5, 0.0)}
        if base and tiki:
            return {"club": (x, y, 10.0, 0.0), "tiki": (x, y, 4.5, 3.0)}
        return (
            {kind: (x, y, 7.2 if kind == "hut" else 10.0, 0.0)} if base else {"tiki": (x, y, 4.5, 0.0)} if tiki else {}
        )

    def _piece(self, part: str, colour: str, at: tuple[float, float, float]) -> bpy.types.Object:
        found = self.makers[part](random.Random(self.shape_seed))
        found.location = at
        found.rotation_euler.z = self.rng.uniform(0, 2 * math.pi)
        found.data.materials.append(paints.piece(self.finish, colour, self.rng))
        return found

    def _strew(self) -> None:
        rng = self.rng
        reach = math.hypot(*self.sheet.size_mm) / 2
        for _ in range(rng.randint(0, self.level.clutter)):
            thing = rng.choice(props.CLUTTER)(rng)
            thing.data.materials.append(
                paints.plain(
                    tuple(rng.choice([0.05, 0.3, 0.8]) * rng.uniform(0.5, 1.2) for _ in range(3)), rng.uniform(0.1, 0.8)
                )
            )
            self._beside(thing, reach * rng.uniform(1.05, 1.5))
        for _ in range(rng.choice([0, 0, 6, 12]) if self.level.clutter > 1 else 0):
            self._beside(
                self._piece(rng.choice(["hut", "hut", "tiki"]), rng.choice(paints.PLAYERS), (0, 0, 0)),
                reach * rng.uniform(1, 1.3),
            )
        if rng.random() < self.level.hands:
            self._reach_in()

    def _beside(self, thing: bpy.types.Object, away: float) -> None:
        around = self.rng.uniform(0, 2 * math.pi)
        thing.location = (away * math.cos(around), away * math.sin(around), -_THICK_MM)
        thing.rotation_euler.z = self.rng.uniform(0, 6.3)
        self.loose.append(thing)

    def _reach_in(self) -> None:
        rng = self.rng
        (wide, high), thing = self.sheet.size_mm, props.hand(rng.randint(1, 5), rng)
        tip = (rng.uniform(-0.4, 0.4) * wide, rng.uniform(-0.4, 0.4) * high, rng.uniform(2, 30))
        thing.location = tip
        thing.rotation_euler.z = math.atan2(tip[1], tip[0]) + rng.gauss(0, 0.4)
        thing.data.materials.append(paints.plain(rng.choice(paints.SKINS), 0.55))
        self.loose.append(thing)

    # --- What can be seen ---

    def truth(self, what: Position) -> dict[str, tuple[str | None, str | None, bool]]:
        """By place what stands there, and whether enough of it can be seen to be judged."""
        bpy.context.view_layer.update()
        graph = bpy.context.evaluated_depsgraph_get()
        return {place: (base, tiki, self._is_fair(graph, place)) for place, (base, tiki) in what.items()}

    def _is_fair(self, graph: Any, place: str) -> bool:
        mine = [thing for (where, _), thing in self.pieces.items() if where == place]
        x, y = self.at(self.sheet.places_mm[place])
        ground = [Vector((x + 8 * k * math.cos(a), y + 8 * k * math.sin(a), 0.3)) for k in (0.4, 1) for a in range(6)]
        is_hidden = sum(self._first(graph, spot) in self._strange for spot in ground) / len(ground)
        if is_hidden >= 0.15:
            return False
        for thing in mine:
            spots = [thing.matrix_world @ corner.co for corner in thing.evaluated_get(graph).data.vertices]
            if sum(self._first(graph, spot) == thing.name for spot in spots) < 0.15 * len(spots):
                return False
        return True

    @property
    def _strange(self) -> set[str]:
        return {thing.name for thing in self.loose}

    def _first(self, graph: Any, spot: Vector) -> str:
        """Name of what a ray from the camera meets first on its way to a little before a spot."""
        eye = self.camera.matrix_world.translation
        ray = spot - eye
        hit, *_, thing, _ = bpy.context.scene.ray_cast(graph, eye, ray.normalized(), distance=ray.length + 0.3)
        return thing.name if hit else ""
