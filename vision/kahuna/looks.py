"""A look at every place: the best spot for a bridge or stone near it, and what speaks for one lying there.

A piece is searched for in the picture laid flat, where it shows its footprint and its top shifted away from the camera.
"""

from __future__ import annotations

from typing import NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.kahuna.evidence import PX_PER_MM, Evidence, Field, sampled
from vision.kahuna.layout import STICK_MM, STONE_MM, kahuna_sheet, line_angle
from vision.locate.pose import Floats, View

_HEIGHT_MM = 5.0  # of a piece; looks are taken half-way up
_ALONG_MM, _ACROSS_MM = 13.0, 8.0  # how far a bridge's middle is searched for
_TURNS_DEG = np.arange(-16.0, 16.1, 4.0)
_CORE_MM = (24.0, 3.0)  # of a bridge: what even a short and thin one fills
_OFF_MM, _STONE_CORE_MM = 7.0, 5.5
_WHOLE_MM, _DARKEST = (9.0, 20.0), 0.06  # breadth of a bridge and of a stone with its flanks, and what share is dark
_PLACE_MM = 16.0
_NEARBY_MM = 26.0
_REACH_MM = 16.0  # how far from a place its surroundings are judged
_STEP_MM = 1.0
_AROUND_MM, _DARKER, _LIGHTER, _VEILED = 9.0, 0.35, 0.14, 0.12
_LONGEST_MM = 52.0
_OTHER_TONE, _NOT_THIS, _TOP_MM = 0.5, np.float32(-0.3), 3.0  # what is so much lighter or darker is another thing
_SHAPE_WORTH, _SHAPE_LESS = 0.6, 0.05  # what a dark shape is worth beside a colour that is no print's


class Look(NamedTuple):
    """What was found best at each of N places of a kind.

    `fill` mean evidence (-1 to 1) of the core; `beside` that of what should be free around it; `excess` mm by which
    what lies there is broader than such a piece can look; `tone` its lightness against the ground's; its `warmth`; the
    `veil` on it; `hidden` the share of the place under a hand or the like, `nearby` that of a wider circle; `in_view`
    that of its surroundings inside the picture. `flank` the lightness of the darkest part of it: a side that no lamp
    is mirrored in tells black from white where the top does not. `dusk` how much darker than the rest, in logs, a part
    of the ground around is.
    """

    at_mm: Floats  # (N, 2)
    turn_deg: Floats
    fill: Floats
    beside: Floats
    excess: Floats
    tone: Floats
    warmth: Floats
    veil: Floats
    hidden: Floats
    nearby: Floats
    in_view: Floats
    flank: Floats
    dusk: Floats


def lean_of(view: View, spots_mm: Floats) -> Floats:
    """(N, 2): how far on the paper the top of something 1 mm high seems shifted, in mm, at (N, 2) spots."""
    eye = view.pose.eye_mm
    return (spots_mm - eye[:2]) / max(1.0, -float(eye[2]))


def look_at_lines(evidence: Evidence, view: View) -> Look:
    sheet = kahuna_sheet()
    spots = np.array([sheet.places_mm[line] for line in sheet.lines_mm])
    turns = np.array([line_angle(line) for line in sheet.lines_mm])
    lean = lean_of(view, spots)
    best = _sticks(evidence.piece, evidence.tone, spots, turns, lean)
    for field in _bars(evidence):
        # No shape is worth more than its most: what is clear by colour needs no second look.
        torn = np.flatnonzero(best.fill < _SHAPE_WORTH - _SHAPE_LESS)
        if torn.size:
            shapes = _sticks(field, evidence.tone, spots[torn], turns[torn], lean[torn])
            better = _better(_Found(*(each[torn] for each in best)), shapes, _LONGEST_MM)
            for each, part in zip(best, better, strict=True):
                each[torn] = part
    core = _patch(best.at_mm, best.turn_deg, _CORE_MM[0] / 2, _CORE_MM[1] / 2)
    whole = _patch(best.at_mm, best.turn_deg, _CORE_MM[0] / 2, _WHOLE_MM[0] / 2)
    return Look(*best[:5], *_surroundings(evidence, spots, core, whole))


class _Found(NamedTuple):
    """The thing in some field that is most like a piece near each place; as in `Look`, and its `length` in mm."""

    at_mm: Floats
    turn_deg: Floats
    fill: Floats
    beside: Floats
    excess: Floats
    length: Floats


def _better(by_colour: _Found, by_shade: _Found, longest_mm: float) -> _Found:
    """Place by place what has more evidence; a dark or light shape counts less, and only if its size is a piece's."""
    is_shape = (by_shade.excess < 0.0) & (by_shade.beside < -0.3) & (by_shade.length < longest_mm)
    worth = np.where(is_shape, _SHAPE_WORTH * by_shade.fill - _SHAPE_LESS, -1.0)
    is_better = worth > by_colour.fill
    at = np.where(is_better[:, None], by_shade.at_mm, by_colour.at_mm)
    shades = by_shade._replace(fill=worth)
    return _Found(at, *(np.where(is_better, b, a) for a, b in zip(by_colour[1:], shades[1:], strict=True)))


def _sticks(field: Field, tone: Field, spots: Floats, turns: Floats, lean: Floats) -> _Found:
    at, turn, fill = _best_sticks(field, spots + lean * (_HEIGHT_MM / 2), turns)
    across_way = np.stack([-np.sin(np.radians(turn)), np.cos(np.radians(turn))], axis=1)
    swept = np.abs((lean * across_way).sum(axis=1)) * _HEIGHT_MM
    profile, tones = (_profiles(each, at, turn, _CORE_MM[0] / 2, 14.0) for each in (field, tone))
    widest = STICK_MM[1] * 1.4 + swept * 1.3 + 1.5
    shift = _to_the_top(profile, tones, widest)
    if shift.any():
        at = at + shift[:, None] * across_way
        profile, tones = (_profiles(each, at, turn, _CORE_MM[0] / 2, 14.0) for each in (field, tone))
    middle = tones.shape[1] // 2
    is_other = np.abs(tones - np.median(tones[:, middle - 2 : middle + 3], axis=1)[:, None]) > _OTHER_TONE
    profile = np.where(is_other, np.minimum(profile, _NOT_THIS), profile)
    along = _profiles(field, at, turn + 90.0, _CORE_MM[1] / 2, 34.0)
    beside = _outside(profile, STICK_MM[1] * 0.75 + swept / 2 + 2.5)
    excess = _extent(profile) - widest
    return _Found(at, turn, fill, beside, excess, _extent(along))


def _to_the_top(profile: Field, tones: Field, widest_mm: Floats) -> Floats:
    """(N,) mm across from the middle of something broader than a bridge can look to its lightest strip.

    Flank and shadow may have lost the print's colour as well. The top of a bridge is lighter than either.
    """
    middle, reach = profile.shape[1] // 2, round(_TOP_MM * 2)
    strips = cv2.blur(tones, (2 * round(_CORE_MM[1] / 2) + 1, 1))[:, middle - reach : middle + reach + 1]
    strips = np.where(profile[:, middle - reach : middle + reach + 1] > 0.8, strips, -9.0)
    best = strips.argmax(axis=1)
    gain = strips[np.arange(len(strips)), best] - strips[:, reach]
    is_broad = (_extent(profile) > widest_mm) & (gain > _OTHER_TONE / 2)
    return np.asarray(np.where(is_broad, (best - reach) * 0.5, 0.0))


def _bars(evidence: Evidence) -> list[Field]:
    """(H, W) each, from -1 to 1: how much darker, and under a veil how much lighter, a spot is than what is around it.

    In a veil or a bloom of light black takes the colour of the sea, and burnt out all colours are one. A bridge still
    is a dark or a light bar of its size.
    """
    size = (evidence.shade.shape[1], evidence.shade.shape[0])
    few = cv2.resize(evidence.shade, (size[0] // 4, size[1] // 4), interpolation=cv2.INTER_AREA)
    around = cv2.GaussianBlur(few, (0, 0), _AROUND_MM * PX_PER_MM / 4)
    lighter = evidence.shade - cv2.resize(around, size, interpolation=cv2.INTER_LINEAR)
    found = [np.clip((-lighter - _DARKER) / 0.3, -1.0, 1.0)]
    # Sun between two shadows is a light bar as well; only under a veil, where colour says less, is one looked for.
    is_veiled = evidence.veil > _VEILED
    if is_veiled.any():
        found.append(np.where(is_veiled, np.clip((lighter - _LIGHTER) / 0.1, -1.0, 1.0), np.float32(-1.0)))
    return [np.where(evidence.alien, np.float32(-0.3), each) for each in found]


def look_at_islands(evidence: Evidence, view: View) -> Look:
    sheet = kahuna_sheet()
    spots = np.array([*sheet.islands_mm.values()])
    starts = spots + lean_of(view, spots) * (_HEIGHT_MM / 2)
    dark = np.where(evidence.veil > _VEILED, _bars(evidence)[0], np.float32(-1.0))
    best = _better(_stones(evidence.piece, starts), _stones(dark, starts), STONE_MM * 2)
    core, whole = (best.at_mm[:, None] + _disc(radius) for radius in (_STONE_CORE_MM, _WHOLE_MM[1] / 2))
    return Look(*best[:5], *_surroundings(evidence, spots, core, whole))


def _stones(field: Field, starts: Floats) -> _Found:
    at, fill = _best_stones(field, starts)
    none = np.zeros(len(starts))
    # A stone's top is shifted in one direction only: across it, it is as broad as it is.
    wide = [_extent(_profiles(field, at, none + turn, 2.0, 24.0)) for turn in (0.0, 45.0, 90.0, 135.0)]
    angle = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1) * (STONE_MM / 2 + 9.0)
    beside = sampled(field, at[:, None] + ring).mean(axis=1).astype(np.float64)
    return _Found(at, none, fill, beside, np.min(wide, axis=0) - STONE_MM * 1.35, np.max(wide, axis=0))


def _surroundings(evidence: Evidence, spots: Floats, core: Floats, whole: Floats) -> tuple[Floats, ...]:
    """Tone, warmth, veil, hidden, nearby, in_view, flank and dusk of a `Look`."""
    around = spots[:, None] + _disc(_REACH_MM)
    piece = sampled(evidence.piece, around)
    shade, dusk = _ground_shade(sampled(evidence.shade, around), piece)
    pieces = sampled(evidence.piece, core)
    tones = _share_of(sampled(evidence.tone, core), pieces, 0.5)
    warmth = _share_of(sampled(evidence.warmth, core), pieces, 0.5)
    flank = _share_of(sampled(evidence.tone, whole), sampled(evidence.piece, whole), _DARKEST)
    veil = sampled(evidence.veil, core).mean(axis=1).astype(np.float64)
    in_view = sampled(evidence.seen, around).mean(axis=1)
    hidden = sampled(evidence.alien, spots[:, None] + _disc(_PLACE_MM / 2)).mean(axis=1)
    # Ground that is lighter than usual lies under a veil of mirrored light more often than in the sun.
    nearby = sampled(evidence.alien, spots[:, None] + _disc(_NEARBY_MM)).mean(axis=1)
    dark = np.minimum(shade, 0.0)
    return tones - dark, warmth, veil, hidden, nearby, in_view, flank - dark, dusk


def _ground_shade(shade: Field, piece: Field) -> tuple[Floats, Floats]:
    """(N,) each: the light on what is surely print around a place, where enough of it shows, and how much less there
    is on a fifth of it."""
    is_ground = piece < -0.5
    is_enough = is_ground.mean(axis=1) > 0.1
    found = np.zeros((len(shade), 2))
    for row in np.flatnonzero(is_enough):
        ground = shade[row][is_ground[row]]
        found[row] = _ranked(ground, 0.6), _ranked(ground, 0.2)
    return found[:, 0], found[:, 0] - found[:, 1]


def _share_of(values: Field, piece: Field, share: float) -> Floats:
    """(N,) the value with that share of what is not print below it, or of everything where all of it is."""
    found = _ranked(values, share).astype(np.float64)
    is_piece = piece > 0.2
    for row in np.flatnonzero(is_piece.mean(axis=1) > 0.15):
        found[row] = _ranked(values[row][is_piece[row]], share)
    return found


def _ranked(values: Field, share: float) -> Field:
    """(...) of (..., M): the value with that share below it. `np.quantile` takes several times as long."""
    rank = round(share * (values.shape[-1] - 1))
    return np.asarray(np.partition(values, rank, axis=-1)[..., rank])


def _best_sticks(piece: Field, starts: Floats, turns: Floats) -> tuple[Floats, Floats, Floats]:
    """The middle, direction and mean evidence of the stick-shaped core that fits best near each start."""
    reach_u, reach_v = _ALONG_MM + _CORE_MM[0] / 2 + 2, _ACROSS_MM + _CORE_MM[0] * 0.15 + 3
    u = np.arange(-reach_u, reach_u + 0.1, _STEP_MM)
    v = np.arange(-reach_v, reach_v + 0.1, _STEP_MM)
    ways = np.radians(turns)
    along, across = np.stack([np.cos(ways), np.sin(ways)], 1), np.stack([-np.sin(ways), np.cos(ways)], 1)
    points = starts[:, None, None] + u[None, None, :, None] * along[:, None, None]
    points = points + v[None, :, None, None] * across[:, None, None]
    stack = sampled(piece, points).reshape(-1, len(u))
    free = (np.abs(v)[:, None] <= _ACROSS_MM) & (np.abs(u)[None] <= _ALONG_MM)
    # A bridge lies near its place more often than far from it; between equals the nearer is taken.
    near = 0.004 * (np.abs(v)[:, None] + 0.3 * np.abs(u)[None])
    scores = np.stack([_filtered(stack, turn, len(v)) for turn in _TURNS_DEG], axis=1)
    ranked = np.where(free, scores - near, -9.0) - 0.002 * np.abs(_TURNS_DEG)[None, :, None, None]
    best = ranked.reshape(len(starts), -1).argmax(axis=1)
    which, row, column = np.unravel_index(best, ranked.shape[1:])
    fill = scores[np.arange(len(starts)), which, row, column]
    at = starts + u[column][:, None] * along + v[row][:, None] * across
    return at, turns + _TURNS_DEG[which], fill.astype(np.float64)


def _filtered(stack: Field, turn_deg: float, rows: int) -> Field:
    """(N, rows, columns) the mean over a core of that turn around every point; wrong near a patch's rim only."""
    size = (int(_CORE_MM[0]) + 3, 13)  # high enough for the steepest turn
    kernel = np.zeros((size[1], size[0]), np.float32)
    way = np.radians(turn_deg)
    half = np.array([np.cos(way), np.sin(way)]) * (_CORE_MM[0] / 2)
    middle = np.array([size[0] // 2, size[1] // 2])
    ends = [tuple(round(float(x) * 16) for x in middle + sign * half) for sign in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, int(_CORE_MM[1]), cv2.LINE_AA, 4)
    kernel /= kernel.sum()
    return cast(Field, cv2.filter2D(stack, -1, kernel).reshape(-1, rows, stack.shape[1]))


def _best_stones(piece: Field, starts: Floats) -> tuple[Floats, Floats]:
    shifts = _disc(_OFF_MM)
    core = _disc(_STONE_CORE_MM)
    values = sampled(piece, starts[:, None, None] + shifts[None, :, None] + core[None, None]).mean(axis=2)
    ranked = values - 0.006 * np.linalg.norm(shifts, axis=1)[None]
    best = ranked.argmax(axis=1)
    return starts + shifts[best], values[np.arange(len(starts)), best].astype(np.float64)


def _disc(radius_mm: float) -> Floats:
    """(M, 2) points a step apart that fill a disc about the origin."""
    steps = np.arange(-np.floor(radius_mm), np.floor(radius_mm) + 0.5, _STEP_MM)
    grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    return cast(Floats, grid[np.hypot(grid[:, 0], grid[:, 1]) <= radius_mm])


def _patch(at: Floats, turn_deg: Floats, half_u: float, half_v: float) -> Floats:
    """(N, M, 2) points that fill a turned rectangle around each middle."""
    u = np.arange(-half_u, half_u + 0.01, _STEP_MM)
    v = np.arange(-half_v, half_v + 0.01, 0.5)
    way = np.radians(turn_deg)
    along, across = np.stack([np.cos(way), np.sin(way)], 1), np.stack([-np.sin(way), np.cos(way)], 1)
    points = at[:, None, None] + u[None, None, :, None] * along[:, None, None]
    return cast(Floats, (points + v[None, :, None, None] * across[:, None, None]).reshape(len(at), -1, 2))


def _profiles(piece: Field, at: Floats, turn_deg: Floats, half_u: float, reach: float) -> Field:
    """(N, 4 * reach + 1): mean evidence in strips along the turn, half a millimetre from one to the next across it."""
    v = np.arange(-reach, reach + 0.01, 0.5)
    u = np.arange(-half_u, half_u + 0.01, _STEP_MM)
    way = np.radians(turn_deg)
    along, across = np.stack([np.cos(way), np.sin(way)], 1), np.stack([-np.sin(way), np.cos(way)], 1)
    points = at[:, None, None] + v[None, :, None, None] * across[:, None, None]
    return cast(Field, sampled(piece, points + u[None, None, :, None] * along[:, None, None]).mean(axis=2))


def _extent(profile: Field) -> Floats:
    """(N,) mm around the middle over which a profile stays positive."""
    middle = profile.shape[1] // 2
    is_on: NDArray[np.bool_] = profile > 0.0
    right = np.argmin(np.column_stack([is_on[:, middle:], np.zeros(len(profile), bool)]), axis=1)
    left = np.argmin(np.column_stack([is_on[:, middle::-1], np.zeros(len(profile), bool)]), axis=1)
    return cast(Floats, np.maximum(right + left - 1, 0) * 0.5)


def _outside(profile: Field, clear_mm: Floats) -> Floats:
    """(N,) the mean of a profile from `clear_mm` to 3 mm farther out, on the side where it is higher."""
    middle = profile.shape[1] // 2
    found = np.empty((len(profile), 2))
    for row, clear in enumerate(clear_mm):
        near = round(float(clear) * 2)
        far = min(near + 6, middle)
        sides = profile[row, middle + near : middle + far], profile[row, middle - far + 1 : middle - near + 1]
        found[row] = [side.mean() for side in sides]
    return cast(Floats, found.max(axis=1))
