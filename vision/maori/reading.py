"""What lies on a sheet of Māori: tiles with their turns, the ship on its track, a boat on its owner's board."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from vision.locate.find import Located, locate
from vision.locate.pose import Camera, Floats, Picture
from vision.maori.afloat import boat_odds, ship_odds
from vision.maori.cells import Cell, Face, look_at_all, printed
from vision.maori.flat import COARSE, FINE, Field, Flat, flat_of
from vision.maori.reference import reference_of
from vision.maori.strange import Strange, mean_in, strange_things
from vision.maori.surfaces import is_berth, lies_any_way, places_of, seen_word, sheet_of
from vision.sheets.canvas import Point
from vision.sheets.maori.layout import TILE_MM
from vision.surfaces import PlaceSeen, SurfaceReading

EMPTY = "empty"
_SHIP = "ship:shared"
_TRACK_MM = 15.0
_LEAST_INSIDE = 0.7  # of a place that the picture must show
_BURNT = 0.55  # share of a place at the end of the camera's scale: nothing is to be seen there
_HIDDEN, _HIDDEN_EMPTY = 0.4, 0.25  # share of strange things from which a place counts as covered
_LEAST = 1e-4
_BOAT_SEEN, _HIDDEN_BOAT = 0.9, 0.06  # chances: a boat is seen, or stands unseen on a place partly hidden
_MAY_HIDE = 0.08  # share of a place that can hide one
_FOUND = 0.99  # chance from which the ship is where it is seen, and not under a hand: only its code is worth as much
_DARK = 0.1


def read(picture: Picture, surface: str, camera: Camera | None = None) -> SurfaceReading:
    """What lies on every place of a surface in a BGR picture. Raises a `VisionError` where it is not to be found."""
    located = locate(picture, reference_of(surface), camera)
    return read_located(picture, surface, located)


def read_located(picture: Picture, surface: str, located: Located) -> SurfaceReading:
    """The same for a sheet whose place in the picture is known."""
    places, empty = places_of(surface), printed(surface)
    flat = flat_of(picture, located.view, sheet_of(surface).size_mm)
    cells = look_at_all(flat, empty, {place: at for place, at in places.items() if not is_berth(place)})
    tiles = [(cell.face[0], cell.lies) for cell in cells.values() if cell.face is not None and cell.lies is not None]
    strange = strange_things(flat, empty, tiles)
    eye = located.view.pose.eye_mm * (1.0, 1.0, -1.0)
    seen = _tiles_seen(cells, places, flat, strange)
    colour = sheet_of(surface).colour
    if colour is None:
        seen = _ship_seen(seen, places, flat, strange, eye)
    else:
        seen = _boat_seen(seen, places, strange, colour, eye)
    quality = _quality(picture, located, flat, seen)
    return SurfaceReading(surface, {place: seen[place] for place in places}, quality, _notes(quality), located)


def _tiles_seen(
    cells: Mapping[str, Cell], places: Mapping[str, Point], flat: Flat, strange: Strange
) -> dict[str, PlaceSeen]:
    found = {}
    for place, cell in cells.items():
        odds: dict[str, float] = {}
        for face, chance in cell.odds.items():
            content = _content(face, place)
            odds[content] = odds.get(content, 0.0) + chance
        kept = {content: chance for content, chance in odds.items() if chance > _LEAST}
        found[place] = PlaceSeen(kept, not cell.is_clear and _is_hidden(cell, places[place], flat, strange))
    return found


def _content(face: Face, place: str) -> str:
    return EMPTY if face is None else f"tile:{seen_word(*face, place)}"


def _whole(odds: Mapping[str, float]) -> dict[str, float]:
    total = sum(odds.values())
    return {content: chance / total for content, chance in odds.items()}


def _is_hidden(cell: Cell, middle: Point, flat: Flat, strange: Strange) -> bool:
    """Whether a hand, glare or the picture's border leaves too little of a place to judge."""
    if _mean_in(flat.inside, middle) < _LEAST_INSIDE or _mean_in(flat.burnt, middle) > _BURNT:
        return True
    if cell.is_odd:
        return True
    most = _HIDDEN if cell.face is not None else _HIDDEN_EMPTY
    return mean_in(strange.mask, middle, TILE_MM, TILE_MM) > most


def _mean_in(field: Field, middle: Point) -> float:
    """The mean of a field at `COARSE` over a place."""
    low = [max(0, round((value - TILE_MM / 2) * COARSE)) for value in middle]
    high = [round((value + TILE_MM / 2) * COARSE) for value in middle]
    return float(field[low[1] : high[1], low[0] : high[0]].mean())


def _boat_seen(
    seen: Mapping[str, PlaceSeen], places: Mapping[str, Point], strange: Strange, colour: str, eye_mm: Floats
) -> dict[str, PlaceSeen]:
    """The places with a boat on one of them. Boats stand on tiles, so under a boat there is one."""
    cells = {place: at for place, at in places.items() if not lies_any_way(place)}
    found, chances = dict(seen), boat_odds(strange, colour, cells, eye_mm)
    if sum(chances.values()) < _BOAT_SEEN:  # then it may stand where a hand hides it
        hidden = [place for place, at in cells.items() if mean_in(strange.mask, at, TILE_MM, TILE_MM) > _MAY_HIDE]
        chances = {**{place: _HIDDEN_BOAT for place in hidden}, **chances}
    for place, chance in chances.items():
        odds: dict[str, float] = {}
        for content, share in seen[place].odds.items():
            odds[content] = share * (1 - chance)
            if content != EMPTY:
                odds[f"{content}+boat:{colour}"] = share * chance
        found[place] = seen[place]._replace(odds=_whole(odds))
    return found


def _ship_seen(
    seen: Mapping[str, PlaceSeen], places: Mapping[str, Point], flat: Flat, strange: Strange, eye_mm: Floats
) -> dict[str, PlaceSeen]:
    berths = {place: at for place, at in places.items() if is_berth(place)}
    hidden = {berth for berth, at in berths.items() if _is_berth_hidden(at, flat, strange)}
    chances = ship_odds(flat, strange, berths, eye_mm, hidden)
    is_found = max(chances[berth] for berth in berths) > _FOUND
    found = dict(seen)
    for berth in berths:
        odds = {_SHIP: chances[berth], EMPTY: 1 - chances[berth]}
        found[berth] = PlaceSeen(odds, berth in hidden and not is_found)
    return found


def _is_berth_hidden(middle: Point, flat: Flat, strange: Strange) -> bool:
    covered = mean_in(strange.large, middle, _TRACK_MM, _TRACK_MM) > _HIDDEN_EMPTY
    return covered or _mean_in(flat.inside, middle) < _LEAST_INSIDE or _mean_in(flat.burnt, middle) > _BURNT


def _quality(picture: Picture, located: Located, flat: Flat, seen: Mapping[str, PlaceSeen]) -> dict[str, float]:
    small = cv2.resize(picture, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    middle = np.array([[150.0, 105.0, 0.0]])
    return {
        "sharpness": round(float(np.clip(cv2.Laplacian(flat.grey[FINE], cv2.CV_32F).std() * 20, 0, 2)), 3),
        "exposure": round(float(small.mean()) / 255, 3),
        "markers_found": located.markers,
        "reprojection_error_px": round(located.error_px, 3),
        "glare_share": round(float(flat.burnt.mean()), 4),
        "covered_share": round(sum(place.is_covered for place in seen.values()) / len(seen), 4),
        "px_per_mm": round(float(located.view.scale_at(middle)[0]), 2),
    }


def _notes(quality: Mapping[str, float]) -> tuple[tuple[str, Mapping[str, object]], ...]:
    return (("picture_dark", {}),) if quality["exposure"] < _DARK else ()
