"""What may be asked of a scene, and everything in it once chance has decided the rest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from companion.games.makabana.board import BOARD_NAMES
from vision.scenes.arrays import Xy, between, chosen, happens
from vision.scenes.camera import LENSES, Camera, View
from vision.scenes.hands import Hand
from vision.scenes.lamps import Light, even_light, evening_light, harsh_light
from vision.scenes.mesh import Mesh
from vision.scenes.paints import PieceSet
from vision.scenes.pieces import Thing
from vision.scenes.position import Habits, Position, Standing
from vision.scenes.printed import Paper, flat_paper, used_paper, worn_paper
from vision.scenes.room import Room
from vision.scenes.sensor import Sensor, clean_sensor, poor_sensor, usual_sensor
from vision.scenes.tables import TABLES, Table

DIFFICULTIES = ("easy", "normal", "hard")


class SceneError(ValueError):
    """A scene was asked for that can't be made; the message says why."""


@dataclass(frozen=True)
class SceneSpec:
    """A scene to make. Whatever is None is drawn by chance from `seed`, within what `difficulty` allows.

    `set_seed` is that of the pieces, for many scenes with one set; `markers` False is an owner's bought board without
    any. `hands` and `hidden_markers` are numbers; `clutter` is how many things lie about.
    """

    board: str = "maka-bana"
    seed: int = 0
    difficulty: str = "normal"
    size_px: tuple[int, int] = (1600, 1200)
    position: Position | None = None
    lens: str | None = None
    tilt_deg: float | None = None
    azimuth_deg: float | None = None
    fill: float | None = None
    light: Light | None = None
    table: str | None = None
    set_seed: int | None = None
    markers: bool = True
    clutter: int | None = None
    hands: int | None = None
    hidden_markers: int | None = None
    jpeg: int | None = None

    def __post_init__(self) -> None:
        for value, known, what in (
            (self.board, BOARD_NAMES, "board"),
            (self.difficulty, DIFFICULTIES, "difficulty"),
            (self.lens, (None, *LENSES), "lens"),
            (self.table, (None, *TABLES), "table"),
        ):
            if value not in known:
                raise SceneError(
                    f"There is no {what} {value!r}. Choose one of {', '.join(map(str, filter(None, known)))}."
                )


@dataclass(frozen=True)
class Setting:
    """A scene down to its last crumb: rendering it twice gives the same picture. `frame` varies only the sensor's
    noise."""

    spec: SceneSpec
    camera: Camera
    light: Light
    pieces: PieceSet
    standing: tuple[Standing, ...]
    paper: Paper
    table: Table
    room: Room
    clutter: tuple[Thing, ...]
    hands: tuple[Hand, ...]
    blockers: Mesh
    sensor: Sensor
    frame: int = 0


class Level(NamedTuple):
    """What a difficulty allows; ranges are (low, high)."""

    tilt_deg: Xy
    fill: Xy
    roll_deg: float
    lenses: tuple[str, ...]
    lights: tuple[Callable[[np.random.Generator], Light], ...]
    paper: Callable[[np.random.Generator], Paper]
    sensor: Callable[[np.random.Generator], Sensor]
    habits: Habits
    clutter: tuple[int, int]
    blockers: tuple[int, int]
    hand_chance: float
    hidden_markers: tuple[int, int]
    touches_frame: float  # chance that a thing beside the board lies on its edge


LEVELS = {
    "easy": Level(
        (1.0, 12.0), (0.82, 0.97), 2.0, ("phone", "pi-camera-3", "webcam"), (even_light,), flat_paper, clean_sensor,
        Habits(1.4, 0.0, 0.0), (0, 2), (0, 0), 0.0, (0, 0), 0.0,
    ),
    "normal": Level(
        (12.0, 32.0), (0.76, 0.97), 5.0, ("phone", "phone", "phone-2x", "pi-camera-3", "pi-camera-3-wide", "webcam"),
        (evening_light, evening_light, evening_light, even_light), used_paper, usual_sensor,
        Habits(2.2, 0.05, 2.0), (1, 5), (0, 1), 0.12, (0, 0), 0.25,
    ),
    "hard": Level(
        (28.0, 52.0), (0.72, 0.98), 9.0, ("phone", "phone", "phone-2x", "pi-camera-3", "pi-camera-3-wide", "webcam"),
        (harsh_light, harsh_light, evening_light), worn_paper, poor_sensor,
        Habits(3.0, 0.12, 3.0), (3, 8), (0, 2), 0.6, (2, 3), 0.5,
    ),
}  # fmt: skip


def make_view(rng: np.random.Generator, spec: SceneSpec) -> View:
    level = LEVELS[spec.difficulty]
    tilt, azimuth, fill = between(rng, *level.tilt_deg), between(rng, 0, 360), between(rng, *level.fill)
    roll, aim = float(rng.normal(0, level.roll_deg)), (between(rng, -12, 12), between(rng, -9, 9))
    return View(
        spec.tilt_deg if spec.tilt_deg is not None else tilt,
        spec.azimuth_deg if spec.azimuth_deg is not None else azimuth,
        roll,
        spec.fill if spec.fill is not None else fill,
        aim,
    )


def make_lens(rng: np.random.Generator, spec: SceneSpec) -> str:
    return spec.lens or chosen(rng, LEVELS[spec.difficulty].lenses)


def make_light(rng: np.random.Generator, spec: SceneSpec) -> Light:
    light = chosen(rng, LEVELS[spec.difficulty].lights)(rng)
    return spec.light or light


def count_of(rng: np.random.Generator, wanted: int | None, allowed: tuple[int, int]) -> int:
    drawn = int(rng.integers(allowed[0], allowed[1] + 1))
    return drawn if wanted is None else wanted


def hand_count(rng: np.random.Generator, spec: SceneSpec) -> int:
    drawn = (2 if happens(rng, 0.15) else 1) if happens(rng, LEVELS[spec.difficulty].hand_chance) else 0
    return drawn if spec.hands is None else spec.hands
