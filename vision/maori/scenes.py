"""Made-up photographs of Māori's sheets with the truth about them.

Tiles are card: they are painted into the sheet as the camera sees their thickness (`cards.py`). Ships and boats are
solids, or card as ours. Chance, lamps, lenses, hands and clutter are those of `vision.scenes`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np

from companion.games.maori.board import TURNS, load_tiles
from vision.maori.cards import DOTS_PER_MM, Card, Wear, corners_mm, disc_outline, lain, square_outline, worn
from vision.maori.models import BOATS, SHIPS, back_face, boat_face, boat_mesh, ship_face, ship_mesh
from vision.maori.reference import sheet_pixels, tile_pixels
from vision.maori.surfaces import DISPLAY, berth_angle, is_berth, lies_any_way, places_of, seen_word, sheet_of
from vision.scenes.arrays import Bytes, Xy, between, chosen, floats, happens
from vision.scenes.mesh import moved, transformed, turn_about
from vision.scenes.other import PIECE, OtherSheet, PutDown, Shot, other_setting, shoot_other
from vision.scenes.paints import Surface
from vision.scenes.pieces import Thing
from vision.scenes.spec import SceneSpec, Setting
from vision.sheets.maori.layout import SHIP_MM, TILE_MM
from vision.sheets.maori.pieces import BOAT_MM
from vision.surfaces import Lying

PLACE_MM = 34.0  # diameter of what must be seen of a place
_WOOD = Surface(0.55, 0.04, 0.0, 0.1, 2.0)
_EDGES = ((228, 222, 208), (196, 180, 150), (150, 142, 134), (240, 240, 238))
_PILES_MM = ((62.0, 265.0), (148.0, 265.0))


class Habits(NamedTuple):
    """How tiles are laid: the most that one is off its place and askew, and how worn it may be."""

    off_mm: float
    askew_deg: float
    wear: float


HABITS = {"easy": Habits(1.6, 2.5, 0.3), "normal": Habits(3.0, 5.5, 0.7), "hard": Habits(4.0, 8.0, 1.0)}


class Copy(NamedTuple):
    """One copy of the game: its tiles' card, and the models of ship and boats; None are ours, printed."""

    thick_mm: float
    edge: tuple[int, int, int]
    wear: Wear
    ship: str | None
    boat: str | None
    boat_size: float


class MaoriScene(NamedTuple):
    """A picture and its truth: content by place, and the places that can't fairly be judged."""

    shot: Shot
    contents: Mapping[str, str]
    unjudged: frozenset[str]


def make_scene(surface: str, spec: SceneSpec) -> MaoriScene:
    """A scene of chance; the same spec gives the same picture."""
    rng = np.random.default_rng([spec.seed, 77])
    habits = HABITS[spec.difficulty]
    copy = _copy(rng, habits)
    pieces = _chosen_pieces(rng, surface)
    lying = _laid(rng, surface, pieces, habits)
    shot = shoot(surface, other_setting(outline_of(surface), spec), lying, copy, rng)
    hidden = {place for place, share in shot.covered.items() if share >= 0.15}
    solid = [at for at in lying if (at.kind == "ship" and copy.ship) or (at.kind == "boat" and copy.boat)]
    unseen = {nearest_place(surface, each) for each, share in zip(solid, shot.visible, strict=True) if share < 0.15}
    return MaoriScene(shot, truth_of(surface, lying), frozenset(hidden | unseen))


def _copy(rng: np.random.Generator, habits: Habits) -> Copy:
    error = habits.wear
    gains = tuple(float(gain) for gain in 1 + rng.normal(0, 0.03 * error, 3))
    wear = Wear(
        fade=between(rng, 0, 0.16 * error),
        saturation=1 + float(rng.normal(-0.05 * error, 0.1 * error)),
        gains=(gains[0], gains[1], gains[2]),
        rim=between(rng, 0, 1.1 * error),
        cut_mm=between(rng, 0.0, 0.7 * error),
        scratches=between(rng, 0, 3 * error),
    )
    ship = chosen(rng, [*SHIPS]) if happens(rng, 0.35) else None
    boat = chosen(rng, [*BOATS]) if happens(rng, 0.75) else None
    return Copy(between(rng, 0.5, 2.4), chosen(rng, _EDGES), wear, ship, boat, between(rng, 0.85, 1.15))


def _chosen_pieces(rng: np.random.Generator, surface: str) -> list[tuple[str, str, str]]:
    """Pieces by place: (place, kind, colour), tiles as words with their turn."""
    tiles = [str(tile) for tile in rng.permutation([*load_tiles("ours").tiles])]
    cells = [place for place in places_of(surface) if not is_berth(place)]
    if surface == DISPLAY:
        gaps = 0.0 if happens(rng, 0.7) else between(rng, 0, 0.5)
        found = [(cell, "tile", _word(rng, tiles.pop(), True)) for cell in cells if not happens(rng, gaps)]
        berth = f"ship:{int(rng.integers(1, 17))}"
        return [*found, (berth, "ship", "shared")] if happens(rng, 0.94) else found
    full, laid = between(rng, 0, 1.1), [tile for tile in tiles if not tile.startswith("V")]
    found = [(cell, "tile", _word(rng, laid.pop(), lies_any_way(cell))) for cell in cells if happens(rng, full)]
    on_board = [cell for cell, _, _ in found if not lies_any_way(cell)]
    if on_board and happens(rng, 0.65):
        found.append((chosen(rng, on_board), "boat", str(sheet_of(surface).colour)))
    return found


def _word(rng: np.random.Generator, tile: str, any_way: bool) -> str:
    """The tile as somebody lays it. With palms it stands upright on a board, save for an oversight."""
    may_turn = any_way or not load_tiles("ours").tiles[tile].palms or happens(rng, 0.04)
    return f"{tile}@{chosen(rng, TURNS) if may_turn else 0}"


def _laid(
    rng: np.random.Generator, surface: str, pieces: Sequence[tuple[str, str, str]], habits: Habits
) -> list[Lying]:
    places = places_of(surface)
    found: list[Lying] = []
    for place, kind, colour in pieces:
        if kind == "tile":
            found.append(_laid_tile(rng, colour, places[place], habits, found))
        elif kind == "ship":
            off = rng.uniform(-1, 1, 2) * habits.off_mm * 0.8
            x, y = places[place]
            turn = berth_angle(place) + float(rng.normal(0, habits.askew_deg / 2))
            found.append(Lying(kind, colour, x + off[0], y + off[1], turn + 180.0 * happens(rng, 0.15)))
        else:
            under = next(
                each for each in found if np.hypot(each.x_mm - places[place][0], each.y_mm - places[place][1]) < 9
            )
            x, y = np.array([under.x_mm, under.y_mm]) + rng.normal(0, 4.0, 2).clip(-9, 9)
            found.append(Lying(kind, colour, float(x), float(y), between(rng, 0, 360)))
    return found


def _laid_tile(rng: np.random.Generator, word: str, middle: Xy, habits: Habits, others: Sequence[Lying]) -> Lying:
    """A tile near its place that lies on no other: hands push them apart."""
    for share in np.linspace(1.0, 0.0, 10):
        off = rng.uniform(-1, 1, 2) * habits.off_mm * share
        askew = float(rng.uniform(-1, 1)) * habits.askew_deg * share
        tile = Lying("tile", word, middle[0] + float(off[0]), middle[1] + float(off[1]), askew)
        if not any(_overlap(tile, other) for other in others):
            break
    return tile


def _overlap(one: Lying, other: Lying) -> bool:
    if np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm) > TILE_MM * 1.5:
        return False
    outlines = [corners_mm(_card_of(each)).astype(np.float32) for each in (one, other)]
    return cv2.intersectConvexConvex(outlines[0], outlines[1])[0] > 0


def _card_of(tile: Lying) -> Card:
    outline = square_outline(TILE_MM, TILE_MM)
    return Card(np.zeros((1, 1, 3), np.uint8), outline, (tile.x_mm, tile.y_mm), tile.angle_deg, 0, 1, (0, 0, 0))


def nearest_place(surface: str, piece: Lying) -> str:
    """The place that a piece lies on."""
    fitting = {name: at for name, at in places_of(surface).items() if is_berth(name) == (piece.kind == "ship")}
    return min(fitting, key=lambda name: np.hypot(fitting[name][0] - piece.x_mm, fitting[name][1] - piece.y_mm))


def truth_of(surface: str, lying: Sequence[Lying]) -> dict[str, str]:
    """The content of every place."""
    parts: dict[str, list[str]] = {}
    for piece in lying:
        place = nearest_place(surface, piece)
        name, _, turn = piece.colour.partition("@")
        word = seen_word(name, int(turn or 0), place) if piece.kind == "tile" else piece.colour
        parts.setdefault(place, []).append(f"{piece.kind}:{word}")
    return {place: "+".join(parts.get(place, ())) or "empty" for place in places_of(surface)}


def shoot(
    surface: str,
    setting: Setting,
    lying: Sequence[Lying],
    copy: Copy,
    rng: np.random.Generator,
    with_piles: bool = True,
) -> Shot:
    """Takes the picture of pieces that lie so. Of solids, `visible` tells ship and boats in their order."""
    sheet = outline_of(surface)
    cards = _cards(lying, copy, rng)
    if surface == DISPLAY and with_piles and happens(rng, 0.8):
        cards += _piles(copy, rng)
    eye = floats(setting.camera.eye_mm)
    over = floats([eye[0] + sheet.size_mm[0] / 2, sheet.size_mm[1] / 2 - eye[1], eye[2]])
    angle, reach = between(rng, 0, 2 * np.pi), between(rng, 0.1, 0.9)
    shade = (float(np.cos(angle)) * reach, float(np.sin(angle)) * reach)
    pixels = lain(_sheet_picture(surface), cards, over, shade, between(rng, 0.12, 0.4))
    return shoot_other(sheet._replace(pixels=pixels), setting, _solids(surface, setting, lying, copy, rng))


def _cards(lying: Sequence[Lying], copy: Copy, rng: np.random.Generator) -> list[Card]:
    low, high = 0.0, copy.thick_mm
    outline = square_outline(TILE_MM, TILE_MM)
    found = []
    for piece in lying:
        at = (piece.x_mm, piece.y_mm)
        name, _, turn = piece.colour.partition("@")
        if piece.kind == "tile":
            face, angle = worn(_tile_picture(name), copy.wear, rng), piece.angle_deg + int(turn or 0)
            found.append(Card(face, outline, at, angle, low, high, copy.edge))
        elif piece.kind == "ship" and copy.ship is None:
            face = worn(ship_face(), copy.wear, rng)
            found.append(Card(face, square_outline(*SHIP_MM), at, piece.angle_deg, low, high, copy.edge))
        elif piece.kind == "boat" and copy.boat is None:
            face = worn(boat_face(piece.colour), copy.wear._replace(rim=0.0), rng)
            found.append(Card(face, disc_outline(BOAT_MM), at, piece.angle_deg, high, high + 2.0, copy.edge))
    return found


def _piles(copy: Copy, rng: np.random.Generator) -> list[Card]:
    """The tiles face down below the display."""
    found = []
    for at in _PILES_MM:
        back = worn(back_face(TILE_MM), copy.wear, rng)
        outline, angle = square_outline(TILE_MM, TILE_MM), between(rng, -8, 8)
        found.append(Card(back, outline, at, angle, 0.0, between(rng, 1.5, 22.0), copy.edge))
    return found


def _solids(surface: str, setting: Setting, lying: Sequence[Lying], copy: Copy, rng: np.random.Generator) -> PutDown:
    width, height = sheet_of(surface).size_mm

    def put_down(height_at: Callable[[Xy], float]) -> list[Thing]:
        found = []
        for piece in lying:
            mesh, low = None, 0.0
            if piece.kind == "ship" and copy.ship is not None:
                mesh = ship_mesh(rng, copy.ship)
            elif piece.kind == "boat" and copy.boat is not None:
                mesh, low = boat_mesh(copy.boat, setting.pieces.paints[piece.colour], copy.boat_size), copy.thick_mm
            if mesh is not None:
                at = (piece.x_mm - width / 2, height / 2 - piece.y_mm)
                mesh = transformed(mesh, turn_about("z", -piece.angle_deg))
                mesh = moved(mesh, (*at, height_at(at) + low))
                found.append(Thing(mesh, _WOOD, PIECE, nearest_place(surface, piece)))
        return found

    return put_down


@lru_cache(maxsize=11)
def outline_of(surface: str) -> OtherSheet:
    """The sheet as scenes know it, without its picture."""
    sheet = sheet_of(surface)
    nothing = np.zeros((1, 1, 3), np.uint8)
    return OtherSheet(nothing, sheet.size_mm, places_of(surface), PLACE_MM, sheet.markers)


@lru_cache(maxsize=4)
def _sheet_picture(surface: str) -> Bytes:
    return np.asarray(sheet_pixels(surface), np.uint8)


@lru_cache(maxsize=128)
def _tile_picture(tile: str) -> Bytes:
    return np.asarray(tile_pixels(tile, DOTS_PER_MM), np.uint8)


_NEW = Copy(1.6, _EDGES[0], Wear(0.0, 1.0, (1.0, 1.0, 1.0), 0.0, 0.0, 0.0), None, None, 1.0)
_FRIENDLY_PX = (960, 720)


def friendly_picture(surface: str, pieces: Sequence[Lying], number: int) -> Bytes:
    """A well lit picture of our own printed pieces, taken from nearly above; the same number gives the same picture."""
    # The longer side of a sheet fills the longer side of the picture, whichever way the camera looks.
    lying_down = sheet_of(surface).size_mm[0] > sheet_of(surface).size_mm[1]
    azimuth = (0.0 if lying_down else 90.0) + 180.0 * (number % 2)
    spec = SceneSpec(
        seed=number, difficulty="easy", size_px=_FRIENDLY_PX, tilt_deg=6.0, azimuth_deg=azimuth, fill=0.95,
        lens="phone", clutter=0, hands=0, hidden_markers=0, jpeg=92,
    )  # fmt: skip
    rng = np.random.default_rng([number, 78])
    return shoot(surface, other_setting(outline_of(surface), spec), pieces, _NEW, rng, with_piles=False).image
