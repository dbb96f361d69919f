"""Finding the named board, or saying which of the ways it can be missing this picture has."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple, cast

import cv2
import numpy as np

from companion.games.makabana.board import BOARD_NAMES, load_board
from vision.errors import BoardCut, BoardNotFound, OtherBoard, PictureMirrored, TwoBoards
from vision.locate import markers as marking
from vision.locate.art import find_by_features, refine_by_art
from vision.locate.consensus import find_together
from vision.locate.markers import Seen
from vision.locate.pose import Camera, Floats, Picture, View
from vision.locate.solve import Fit, fit_view
from vision.reference import Reference
from vision.sheets.geometry import DICTIONARY, sheet_geometry

_GOOD_MARKERS = 8  # well spread, these need no help from the art
_GOOD_ERROR_PX = 1.3
_OTHER_MARKERS = 3  # that agree, to say another board lies there
_FEW_MARKERS = 4  # fewer are looked for once more, by their layout
_AGREEING = 0.25  # of the print's details, for a pose that few markers or none support
_LEAST_IN_VIEW = 0.75  # of the places


class Located(NamedTuple):
    """A board in a picture. `markers` fit the view within `error_px`; so does a share `agreeing` of the print."""

    view: View
    markers: int
    error_px: float
    agreeing: float | None
    by: str  # "markers", "markers and art", "art" or "corners"


def locate(picture: Picture, reference: Reference, camera: Camera | None = None) -> Located:
    """The board in a BGR picture. Raises a `VisionError` that says what is the matter."""
    grey = cast(Picture, cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
    sheets = _known_sheets(reference)
    board_of = {ident: name for name, markers in sheets.items() for ident in markers}
    found = marking.find(grey, board_of, dictionary=reference.dictionary)
    groups = marking.by_board(found, board_of)
    own = [marker for marker in groups.get(reference.name, []) if marker.ident in reference.markers_mm]
    others = {
        name: _agreeing_markers(group, sheets[name], _size(grey))
        for name, group in groups.items()
        if name != reference.name
    }
    _refuse_strangers(reference, own, others)
    lens = camera.scaled_to(_size(grey)) if camera and _same_shape(camera, grey) else None
    if len(own) < _FEW_MARKERS and reference.markers_mm:
        own = find_together(grey, reference) or own
    located = _from_markers(grey, reference, own, lens) if own else None
    located = located or _from_art(grey, reference, lens)
    if located is None:
        raise _missing(grey, reference, own)
    _refuse_cut(located.view, reference)
    return located


def locate_by_corners(
    corners_px: Floats, size_px: tuple[int, int], reference: Reference, camera: Camera | None = None
) -> Located:
    """The board whose picture's corners, clockwise from its top left one, a person has put at (4, 2) pixels."""
    width, height = reference.size_mm
    square = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
    fit = fit_view(square, np.asarray(corners_px, np.float64), size_px, camera)
    if fit is None:
        raise BoardNotFound(board=reference.name)
    return Located(fit.view, 0, fit.error_px, None, "corners")


def _from_markers(grey: Picture, reference: Reference, own: list[Seen], lens: Camera | None) -> Located | None:
    points = _points(own, reference)
    fit = fit_view(*points, _size(grey), lens)
    if fit is None:
        return None
    count = _fitting(fit)
    if count >= _GOOD_MARKERS and fit.error_px < _GOOD_ERROR_PX:
        return Located(fit.view, count, fit.error_px, None, "markers")
    better, agreeing = refine_by_art(grey, fit.view, reference, points, fixed=lens is not None)
    if agreeing >= _AGREEING:
        return Located(better.view, count, min(fit.error_px, better.error_px), agreeing, "markers and art")
    # Covered, dark or blurred art says nothing; several markers in agreement still do.
    if count >= 3 or (count == 2 and lens is not None):
        return Located(fit.view, count, fit.error_px, agreeing, "markers")
    return None


def _from_art(grey: Picture, reference: Reference, lens: Camera | None) -> Located | None:
    fit = find_by_features(grey, reference, lens)
    if fit is None:
        return None
    nothing = (np.zeros((0, 2)), np.zeros((0, 2)))
    better, agreeing = refine_by_art(grey, fit.view, reference, nothing, fixed=lens is not None)
    return Located(better.view, 0, better.error_px, agreeing, "art") if agreeing >= _AGREEING else None


def _refuse_strangers(reference: Reference, own: list[Seen], others: dict[str, int]) -> None:
    seen = {marker.ident for marker in own}
    if len(own) - len(seen) >= 2 and _lies_twice(own):
        raise TwoBoards(board=reference.name, other=reference.name)
    other = max(others, key=lambda name: others[name], default="")
    if others.get(other, 0) >= _OTHER_MARKERS:
        raise (TwoBoards if len(seen) >= _OTHER_MARKERS else OtherBoard)(board=reference.name, other=other)


def _known_sheets(reference: Reference) -> dict[str, Mapping[int, Floats]]:
    """The markers of all sheets that use the reference's dictionary, by name; its own take precedence."""
    others = _islands() if reference.dictionary == DICTIONARY else {}
    return {**others, **reference.others_mm, reference.name: reference.markers_mm}


@cache
def _islands() -> dict[str, Mapping[int, Floats]]:
    """The markers of the boards of Maka Bana."""
    geometries = {name: sheet_geometry(load_board(name)) for name in BOARD_NAMES}
    return {
        name: {marker.id: np.array(marker.corners_mm) for marker in sheet.markers} for name, sheet in geometries.items()
    }


def _agreeing_markers(group: list[Seen], corners: Mapping[int, Floats], size_px: tuple[int, int]) -> int:
    """How many of the markers lie as that board's do. A single false reading is common in noise; agreement is not."""
    return _agreeing(group, corners, size_px) if len(group) > 1 else 0


def _agreeing(group: list[Seen], corners: Mapping[int, Floats], size_px: tuple[int, int]) -> int:
    mm = np.concatenate([corners[marker.ident] for marker in group])
    fit = fit_view(mm, np.concatenate([marker.corners_px for marker in group]), size_px)
    return _fitting(fit) if fit is not None and fit.error_px < _GOOD_ERROR_PX else 0


def _lies_twice(own: list[Seen]) -> bool:
    """Whether ids are doubled far apart, as two sheets would show them, and not in noise next to each other."""
    by_id: dict[int, list[Floats]] = {}
    for marker in own:
        by_id.setdefault(marker.ident, []).append(marker.corners_px)
    alike = 0
    for quads in by_id.values():
        sides = [float(np.sqrt(max(cv2.contourArea(quad.astype(np.float32)), 1.0))) for quad in quads]
        alike += len(quads) > 1 and max(sides) < 2.5 * min(sides)
    return alike >= 2


def _missing(grey: Picture, reference: Reference, own: list[Seen]) -> BoardCut | BoardNotFound | PictureMirrored:
    if reference.markers_mm and marking.mirrored(grey, reference.markers_mm, reference.dictionary):
        return PictureMirrored(board=reference.name)
    # One marker may be the corner of a cut sheet; several that contradict each other are of some other game.
    alone = len({marker.ident for marker in own}) == 1
    agree = len(own) > 1 and _agreeing(own, reference.markers_mm, _size(grey)) > 1
    return BoardCut(board=reference.name, share=0) if alone or agree else BoardNotFound(board=reference.name)


def _refuse_cut(view: View, reference: Reference) -> None:
    at = view.project(reference.places_mm)
    share = float(((at >= 0) & (at < view.camera.size_px)).all(axis=1).mean())
    if share < _LEAST_IN_VIEW:
        raise BoardCut(board=reference.name, share=round(100 * share))


def _points(own: list[Seen], reference: Reference) -> tuple[Floats, Floats]:
    mm = np.concatenate([reference.markers_mm[marker.ident] for marker in own])
    return mm, np.concatenate([marker.corners_px for marker in own])


def _fitting(fit: Fit) -> int:
    return int((fit.fits.reshape(-1, 4).min(axis=1) > 0.1).sum())


def _size(grey: Picture) -> tuple[int, int]:
    return grey.shape[1], grey.shape[0]


def _same_shape(camera: Camera, grey: Picture) -> bool:
    return bool(abs(camera.size_px[0] / camera.size_px[1] - grey.shape[1] / grey.shape[0]) < 0.01)
