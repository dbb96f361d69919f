"""Reading the mat from one picture: locate it, look at the line from the camera's side, judge it as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from companion.games.makisan.board import COLOURS, PLACES, SIDES
from vision.errors import BoardNotFound
from vision.locate.find import Located, locate
from vision.locate.pose import Camera, Floats, Picture
from vision.makisan import wasabi
from vision.makisan.colours import shades_of
from vision.makisan.facade import facade_of
from vision.makisan.faces import faces_of
from vision.makisan.lamp import Light, light_of
from vision.makisan.layout import LINE_Y_MM, SHEET_MM, SURFACE
from vision.makisan.odds import Line, Rest, contents, line_of
from vision.makisan.reference import mat_reference
from vision.makisan.row import Spot, spots_of
from vision.surfaces import Note, PlaceSeen, SurfaceReading

_COVERED = 0.5  # chance that something hides a rest, from which on it is said to be covered
_AMBIGUOUS = 0.9  # a far side known with less is told to be open
_DARK = 0.1
_LEAST_ALIKE = 0.12  # of a picture with its print
# How much speaks for a maki: a face that is not mat, no mat where it would hide it, no drawing of the rest.
_FACE, _MAT, _PRINT = (9.0, 0.45), (-4.0, 0.4), (-8.0, 0.4)
# A rest that shows neither a maki nor its drawing is covered: how sharply, less than which share of what the other
# rests show, and the bounds of that.
_BLANK, _SHARE, _LEAST_PRINT, _MOST_PRINT = 15.0, 0.45, 0.25, 0.4
_UNDER_STRANGE, _UNDER_BLANK = 0.5, 0.12  # chances that a maki stands under a stranger, or where the drawing is dim
_LEAST_DOUBT = 5e-4  # nothing is surer than this


class Row(NamedTuple):
    """The line as it was seen: from which side, each rest with its chances, and the line they make."""

    near: str
    spots: list[Spot]
    rests: list[Rest]
    line: Line
    wasabis: list[dict[str, float]]  # by rest

    @property
    def colours(self) -> list[str]:
        """The likeliest colours towards the camera, from the left."""
        return [COLOURS[int(self.rests[rest].near.argmax())] for rest in self.line.rests]


def read(picture: Picture, surface: str, camera: Camera | None = None) -> SurfaceReading:
    """What stands on every place of the mat in a BGR picture. Raises a `VisionError` where no mat is to be found."""
    located, light = _found(picture, camera)
    row = _row(picture, located, light)
    odds = contents(row.line, row.rests, row.wasabis, 1 if row.near == SIDES[0] else -1)
    hidden = _hidden(row)
    places = {place: PlaceSeen(odds[place], place in hidden) for place in PLACES}
    quality = _quality(located, light, len(hidden))
    return SurfaceReading(surface, places, quality, (*_remarks(quality), *_open_sides(row, places)), located)


def read_row(picture: Picture, camera: Camera | None = None) -> Row:
    """The near side of the line alone. Raises a `VisionError` where the mat is not to be found."""
    return _row(picture, *_found(picture, camera))


def _found(picture: Picture, camera: Camera | None) -> tuple[Located, Light]:
    """The mat and its light. Squares in noise may lie as markers do; but then what lies there does not look like it."""
    located = locate(picture, mat_reference(), camera)
    light = light_of(picture, located.view, mat_reference())
    if not light.alike > _LEAST_ALIKE:
        raise BoardNotFound(board=SURFACE)
    return located, light


def _row(picture: Picture, located: Located, light: Light) -> Row:
    facade = facade_of(picture, located.view, mat_reference(), light)
    spots = spots_of(facade, shades_of(facade))
    standing = _standing(spots)
    faces = faces_of(facade, spots, standing)
    blank = (1 - standing) * _blank(spots, standing)
    rests = [_rest(*each) for each in zip(standing, blank, faces.known, faces.chances, strict=True)]
    line = line_of(rests)
    heaps = wasabi.heaps_of(facade, [spots[rest] for rest in line.rests], faces.shift)
    dishes = wasabi.dishes_of(picture, located.view, light, facade.depth)
    found: list[dict[str, float]] = [{} for _ in rests]
    for rest, chances in zip(line.rests, wasabi.on_line(heaps, dishes), strict=True):
        found[rest] = chances
    return Row(SIDES[0] if facade.side > 0 else SIDES[1], spots, rests, line, found)


def _standing(spots: list[Spot]) -> Floats:
    """(N,) the chance that something stands on each rest."""
    return np.array(
        [
            _chance(_weighed(spot.filled, _FACE) + _weighed(spot.mat, _MAT) + _weighed(spot.print, _PRINT))
            for spot in spots
        ]
    )


def _blank(spots: list[Spot], standing: Floats) -> Floats:
    """(N,) the chance that a rest without a maki does not show its drawing either."""
    prints = np.array([spot.print for spot in spots])
    usual = float(np.median(prints[standing < 0.5])) if (standing < 0.5).any() else 0.0
    least = float(np.clip(_SHARE * usual, _LEAST_PRINT, _MOST_PRINT))
    return np.array([_chance(_BLANK * (least - shown)) for shown in prints])


def _rest(standing: float, blank: float, known: float, near: Floats) -> Rest:
    """A rest's chances. What stands there and has none of the five colours is no maki but something before it."""
    strange = standing * (1 - known)
    maki = standing * known + strange * _UNDER_STRANGE + blank * _UNDER_BLANK
    hidden = strange + blank
    return Rest(
        float(np.clip(maki, _LEAST_DOUBT, 1 - _LEAST_DOUBT)), hidden, near * (1 - hidden) + hidden / len(COLOURS)
    )


def _weighed(value: float, weight: tuple[float, float]) -> float:
    return weight[0] * (value - weight[1])


def _chance(logit: float) -> float:
    return float(1 / (1 + np.exp(-logit)))


def _hidden(row: Row) -> set[str]:
    """The places of which nothing can be said: of covered rests in the line, and of those beside it."""
    covered = [rest.hidden > _COVERED for rest in row.rests]
    found = {PLACES[number] for number, rest in enumerate(row.line.rests) if covered[rest]}
    last = row.line.rests[-1] if row.line.rests else -1
    beyond = len(row.line.rests)
    for rest in range(last + 1, len(row.rests)):
        if not covered[rest]:
            break
        found.add(PLACES[beyond + rest - last - 1])
    return found


def _open_sides(row: Row, places: Mapping[str, PlaceSeen]) -> tuple[Note, ...]:
    """A note that names the places whose far side the ten makis leave open."""
    unsure = []
    for place in PLACES[: len(row.line.rests)]:
        far: dict[str, float] = {}
        for content, chance in places[place].odds.items():
            colour = _far_of(content, row.near)
            far[colour] = far.get(colour, 0.0) + chance
        if max(far.values()) < _AMBIGUOUS and not places[place].is_covered:
            unsure.append(place)
    return (("far_side_ambiguous", {"places": ", ".join(unsure)}),) if unsure else ()


def _far_of(content: str, near: str) -> str:
    faces = content.partition("+")[0].partition(":")[2].split("-")
    return faces[1 - SIDES.index(near)] if len(faces) == 2 else ""


def _quality(located: Located, light: Light, hidden: int) -> dict[str, float]:
    middle = np.array([[SHEET_MM[0] / 2, LINE_Y_MM, 0.0]])
    return {
        "exposure": round(float(np.clip(np.exp(light.level), 0, 1)), 3),
        "markers_found": located.markers,
        "reprojection_error_px": round(located.error_px, 3),
        "glare_share": round(light.clipped, 4),
        "covered_share": round(hidden / len(PLACES), 4),
        "px_per_mm": round(float(located.view.scale_at(middle)[0]), 2),
    }


def _remarks(quality: Mapping[str, float]) -> tuple[Note, ...]:
    return (("picture_dark", {}),) if quality["exposure"] < _DARK else ()
