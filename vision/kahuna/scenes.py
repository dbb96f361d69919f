"""Made-up photographs of a game of Kahuna with the truth about them, in the rooms and lights of `vision.scenes`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np

from vision.kahuna.layout import PLACE_MM, kahuna_sheet, line_angle, line_length
from vision.kahuna.models import BREADTH_MM, LENGTH_MM, STICKS, STONE_MM, STONES
from vision.kahuna.prints import board_pixels
from vision.scenes.arrays import Rgb, Xy, between, chosen, happens, rgb_of_hex
from vision.scenes.mesh import Mesh, dropped, moved, scaled, transformed, turn_about
from vision.scenes.other import PIECE, OtherSheet, Shot, other_setting, shoot_other
from vision.scenes.paints import Surface
from vision.scenes.pieces import Thing, worn
from vision.scenes.setting import stream
from vision.scenes.spec import SceneSpec
from vision.surfaces import Lying

COLOURS = ("black", "white")
MOST_OFF_MM, MOST_ASKEW_DEG = 6.0, 15.0
_BLACKS = ("#1a1a1c", "#252427", "#141416", "#33302f", "#3a2a20", "#2b211c", "#2f3236", "#1d2126")
_WHITES = ("#f4f2ec", "#fbfaf7", "#efe6d2", "#e8dcc0", "#f2ead8", "#e3d3b1", "#ebebea", "#e9e2d6")
_TRIES = 25
_OFF_MM = {"easy": 1.2, "normal": 2.0, "hard": 2.8}
_ASKEW_DEG = {"easy": 2.5, "normal": 4.5, "hard": 6.5}


class PieceSet(NamedTuple):
    """The pieces of one copy of the game; paints are linear RGB by colour."""

    stick: str
    stone: str
    stick_stretch: tuple[float, float, float]
    stone_stretch: tuple[float, float, float]
    stick_paints: Mapping[str, Rgb]
    stone_paints: Mapping[str, Rgb]
    stick_surfaces: Mapping[str, Surface]
    stone_surfaces: Mapping[str, Surface]
    wear: float


class KahunaScene(NamedTuple):
    """A picture with its truth: the content of every place, and whether anybody should be asked to read it."""

    shot: Shot
    truth: Mapping[str, str]
    judged: Mapping[str, bool]


def make_set(rng: np.random.Generator) -> PieceSet:
    """Sticks and stones need not match: wood with glass, or all of one material."""
    size, round_size = between(rng, 0.8, 1.2), between(rng, 0.85, 1.15)
    long = min(1.12, between(rng, 0.78, 1.15))
    return PieceSet(
        stick=chosen(rng, [*STICKS]),
        stone=chosen(rng, [*STONES]),
        stick_stretch=(long, size, size * between(rng, 0.85, 1.15)),
        stone_stretch=(round_size, round_size, round_size * between(rng, 0.75, 1.1)),
        stick_paints=_paints(rng),
        stone_paints=_paints(rng),
        stick_surfaces={colour: _surface(rng) for colour in COLOURS},
        stone_surfaces={colour: _surface(rng) for colour in COLOURS},
        wear=between(rng, 0.0, 1.0) if happens(rng, 0.6) else 0.0,
    )


def _paints(rng: np.random.Generator) -> dict[str, Rgb]:
    return {"black": rgb_of_hex(chosen(rng, _BLACKS)), "white": rgb_of_hex(chosen(rng, _WHITES))}


def _surface(rng: np.random.Generator) -> Surface:
    """Bare or stained wood, satin paint, lacquer, or glass that is not seen through."""
    return {
        "wood": Surface(between(rng, 0.45, 0.75), 0.035, 0.0, 0.1, between(rng, 1.2, 3.0)),
        "satin": Surface(between(rng, 0.3, 0.5), 0.045, 0.05, 0.03),
        "lacquer": Surface(between(rng, 0.12, 0.28), 0.05, 0.03, 0.01),
        "glass": Surface(between(rng, 0.08, 0.16), 0.06, 0.1, 0.02),
    }[chosen(rng, ("wood", "wood", "satin", "lacquer", "glass"))]


@cache
def other_sheet() -> OtherSheet:
    """The printed board as scenes know sheets."""
    sheet = kahuna_sheet()
    return OtherSheet(board_pixels(), sheet.size_mm, sheet.places_mm, PLACE_MM, sheet.markers)


def random_contents(rng: np.random.Generator) -> dict[str, str]:
    """What lies where, from an almost empty board to a crowded one; stones need not follow from the bridges."""
    sheet = kahuna_sheet()
    bridges, stones, black = between(rng, 0.1, 0.95), between(rng, 0.1, 0.8), between(rng, 0.3, 0.7)

    def one(kind: str, chance: float) -> str:
        colour = COLOURS[0] if happens(rng, black) else COLOURS[1]
        return f"{kind}:{colour}" if happens(rng, chance) else "empty"

    lines = {line: one("bridge", bridges) for line in sheet.lines_mm}
    return {**lines, **{island: one("stone", stones) for island in sheet.islands_mm}}


def put_down(rng: np.random.Generator, contents: Mapping[str, str], pieces: PieceSet, level: str) -> list[Lying]:
    """Every piece on its place, a little off and askew, none inside another."""
    places = kahuna_sheet().places_mm
    done: list[Lying] = []
    for place, content in contents.items():
        if content == "empty":
            continue
        kind, _, colour = content.partition(":")
        tried = [_tossed(rng, Lying(kind, colour, *places[place]), place, level) for _ in range(_TRIES)]
        free = [one for one in tried if not any(_touch(one, other, pieces) for other in done)]
        done.append(free[0] if free else Lying(kind, colour, *places[place], _angle(kind, place)))
    return done


def _angle(kind: str, place: str) -> float:
    return line_angle(place) if kind == "bridge" else 0.0


def _tossed(rng: np.random.Generator, piece: Lying, place: str, level: str) -> Lying:
    off = rng.normal(0.0, _OFF_MM[level], 2)
    off *= min(1.0, MOST_OFF_MM / max(float(np.hypot(*off)), 1e-6))
    if piece.kind == "stone":
        return piece._replace(x_mm=piece.x_mm + off[0], y_mm=piece.y_mm + off[1], angle_deg=between(rng, 0.0, 360.0))
    askew = float(np.clip(rng.normal(0.0, _ASKEW_DEG[level]), -MOST_ASKEW_DEG, MOST_ASKEW_DEG))
    along = between(rng, -1.0, 1.0) * max(0.0, min(12.0, (line_length(place) - LENGTH_MM) / 2 - 12.0)) * 0.4
    turn = np.radians(line_angle(place))
    at = (piece.x_mm + off[0] + along * np.cos(turn), piece.y_mm + off[1] + along * np.sin(turn))
    return piece._replace(x_mm=float(at[0]), y_mm=float(at[1]), angle_deg=line_angle(place) + askew)


def _touch(one: Lying, other: Lying, pieces: PieceSet) -> bool:
    """Whether two pieces would share room, taken as rows of discs."""
    (a, ra), (b, rb) = _discs(one, pieces), _discs(other, pieces)
    return bool((np.linalg.norm(a[:, None] - b[None], axis=2) < ra + rb + 0.3).any())


def _discs(piece: Lying, pieces: PieceSet) -> tuple[np.ndarray[tuple[int, int], np.dtype[np.float64]], float]:
    at = np.array([[piece.x_mm, piece.y_mm]])
    if piece.kind == "stone":
        return at, STONE_MM / 2 * pieces.stone_stretch[0] * 1.05
    radius = BREADTH_MM / 2 * pieces.stick_stretch[1] * 1.2
    half, turn = LENGTH_MM / 2 * pieces.stick_stretch[0] - radius, np.radians(piece.angle_deg)
    return at + np.linspace(-half, half, 12)[:, None] * [np.cos(turn), np.sin(turn)], float(radius)


def things_of(lying: Sequence[Lying], pieces: PieceSet, floor: Callable[[Xy], float]) -> list[Thing]:
    """The pieces as solids in the world frame, each on the paper as high as that is there."""
    width, height = kahuna_sheet().size_mm
    things = []
    for piece in lying:
        at = (piece.x_mm - width / 2, height / 2 - piece.y_mm)
        mesh = transformed(_painted(piece, pieces), turn_about("z", -piece.angle_deg))
        mesh = moved(dropped(mesh, floor(at)), (*at, 0.0))
        surfaces = pieces.stick_surfaces if piece.kind == "bridge" else pieces.stone_surfaces
        things.append(Thing(mesh, surfaces[piece.colour], PIECE))
    return things


@cache
def _model(kind: str, name: str) -> Mesh:
    return {"bridge": STICKS, "stone": STONES}[kind][name]()


def _painted(piece: Lying, pieces: PieceSet) -> Mesh:
    if piece.kind == "bridge":
        mesh = scaled(_model("bridge", pieces.stick), pieces.stick_stretch)
        return worn(mesh, pieces.stick_paints[piece.colour], pieces.wear)
    mesh = scaled(_model("stone", pieces.stone), pieces.stone_stretch)
    return worn(mesh, pieces.stone_paints[piece.colour], pieces.wear)


def make_scene(spec: SceneSpec, contents: Mapping[str, str] | None = None) -> KahunaScene:
    """The scene that a spec describes, with these contents or some drawn by chance."""
    truth = {place: "empty" for place in kahuna_sheet().places_mm}
    truth |= contents if contents is not None else random_contents(stream(spec, "position", 7))
    pieces = make_set(stream(spec, "set", 7))
    lying = put_down(stream(spec, "standing", 7), truth, pieces, spec.difficulty)
    setting = other_setting(other_sheet(), spec)
    shot = shoot_other(other_sheet(), setting, lambda floor: things_of(lying, pieces, floor))
    return KahunaScene(shot, truth, _judged(shot, truth))


def _judged(shot: Shot, truth: Mapping[str, str], hidden: float = 0.15) -> dict[str, bool]:
    """Places that a hand or clutter hides, and pieces that hardly show, are nobody's to read."""
    taken = [place for place, content in truth.items() if content != "empty"]
    visible = dict(zip(taken, shot.visible, strict=True))
    return {place: shot.covered[place] < hidden and visible.get(place, 1.0) >= hidden for place in truth}


# A set for the virtual table: nothing odd about it.
_PLAIN = PieceSet(
    "soft", "nugget", (1.0, 1.0, 1.0), (1.0, 1.0, 1.0),
    {"black": rgb_of_hex("#232225"), "white": rgb_of_hex("#f0e9da")},
    {"black": rgb_of_hex("#1c1c1f"), "white": rgb_of_hex("#f5f3ee")},
    dict.fromkeys(COLOURS, Surface(0.5, 0.04, 0.0, 0.06, 2.0)), dict.fromkeys(COLOURS, Surface(0.25, 0.05, 0.05, 0.01)),
    0.0,
)  # fmt: skip


def render_table(lying: Sequence[Lying], number: int, size_px: tuple[int, int] = (960, 720)) -> Shot:
    """A friendly picture: bright, from nearly above, nothing in the way. `number` varies the room a little."""
    spec = SceneSpec(seed=number, difficulty="easy", size_px=size_px, azimuth_deg=0.0, clutter=0, hands=0)
    setting = replace(other_setting(other_sheet(), spec), hands=(), clutter=())
    return shoot_other(other_sheet(), setting, lambda floor: things_of(lying, _PLAIN, floor))
