"""Which tile lies on a place and which way round, with its odds."""

from __future__ import annotations

from collections.abc import Mapping, Set
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from vision.maori.art import TILES, Fit, Match, bareness, closely, matches, printed_logs
from vision.maori.codes import Code, codes_near, plates
from vision.maori.flat import Field, Flat, Lies
from vision.maori.reference import reference_of
from vision.sheets.canvas import Point

Face = tuple[str, int] | None  # a tile and its turn; None is an empty place

_SURE = 0.75  # likeness of a code that is really there
_SURE_MARGIN = 0.06
_TIED, _PER_MARGIN = 0.02, 90.0  # a margin between two codes that says nothing, and what more of it is worth in logits
_SEEN, _PER_LIKENESS = 0.6, 60.0  # likeness from which a code counts at all
_FREEDOM, _GRAIN = 10.0, 0.002  # how many independent things colours tell, and what misfit any picture has
_PER_DRAWING = 30.0  # what it is worth to see all of the fine drawing and not none, in logits
_TILE_OFF_MM = 7.5  # farther from its place it is another place's tile
_MOST_BY_CODE, _MOST_BY_ART, _MOST_EMPTY = 0.9995, 0.98, 0.998
_EMPTY = 0.006  # misfit to the empty sheet below which nothing lies there, if nothing looks like a code
_PLAIN, _FAINT, _NONE = 0.45, 0.3, 0.17  # of the empty place's fine print: plainly seen, just seen, not seen at all
_UNSURE = 0.85
_ODD = 0.02  # misfit of a place that hardly looks like its likeliest face
_KNOWN = 0.4  # of a tile's drawing, to say which it is without its code
_CODES_TRIED = 4


class Cell(NamedTuple):
    """What a place shows: odds over faces, where the likeliest tile lies, whether its code was clearly read, and how
    the place compares with its likeliest face."""

    odds: Mapping[Face, float]
    lies: Lies | None
    is_clear: bool
    fit: Fit = Fit(0.0, 1.0)

    @property
    def is_odd(self) -> bool:
        """Whether it looks like no face: something covers it, or too little light falls on it."""
        if self.is_clear:
            return False
        least = _NONE if self.face is None else _KNOWN
        return self.fit.likeness < least or (self.fit.misfit > _ODD and self.fit.likeness < _KNOWN)

    @property
    def face(self) -> Face:
        return max(self.odds, key=lambda face: self.odds[face])


@lru_cache(maxsize=4)
def printed(surface: str) -> Field:
    """The empty sheet in logs."""
    return printed_logs(reference_of(surface))


def look_at_all(flat: Flat, empty: Field, places: Mapping[str, Point]) -> dict[str, Cell]:
    """The odds of all places: first those whose codes are clear, then the others among the tiles that are left."""
    responses = plates(flat)
    codes = {
        place: [code for code in codes_near(flat, responses, at) if _is_near(code.tile_lies, at)]
        for place, at in places.items()
    }
    found = {place: _by_code(own[0]) for place, own in codes.items() if own and _is_clear(own[0])}
    taken = {cell.face[0] for cell in found.values() if cell.face is not None}
    for place, at in places.items():
        if place not in found:
            found[place] = _by_art(flat, codes[place], empty, at, taken)
    return _told_apart({place: found[place] for place in places})


def _is_clear(code: Code) -> bool:
    return bool(code.likeness.max() > _SURE and code.margin > _SURE_MARGIN)


def _is_near(lies: Lies, middle: Point) -> bool:
    return bool(np.hypot(lies.x_mm - middle[0], lies.y_mm - middle[1]) < _TILE_OFF_MM)


def _by_code(code: Code) -> Cell:
    second, first = np.argsort(code.likeness)[-2:]
    chance = _MOST_BY_CODE / (1 + np.exp(-_PER_MARGIN * (code.margin - _TIED)))
    odds: dict[Face, float] = {(TILES[first], code.turn): chance, (TILES[second], code.turn): 1 - chance}
    return Cell(odds, code.tile_lies, True)


def _by_art(flat: Flat, codes: list[Code], empty: Field, middle: Point, taken: Set[str]) -> Cell:
    """Everything that may lie there, compared by its looks; what is left of a code counts too."""
    bare = bareness(flat, empty, middle)
    has_code = max((float(code.likeness.max()) for code in codes), default=0.0) > _SEEN
    if not has_code and (bare.misfit < _EMPTY or bare.likeness > _PLAIN):
        return Cell({None: _MOST_EMPTY if bare.likeness > _FAINT else _UNSURE}, None, False, bare)
    found: dict[tuple[str, int], Match] = {}
    for match in (*_of_codes(flat, codes), *matches(flat, middle, taken)):
        face = (match.tile, match.turn)
        if face not in found or match.misfit < found[face].misfit:
            found[face] = match
    scores: dict[Face, float] = {None: _score(bare)}
    for face, match in found.items():
        code = _PER_LIKENESS * (_likeness(codes, match) - _SEEN)
        scores[face] = _score(_fit(match)) + max(0.0, code)
    best = max(scores.values())
    weights = {face: float(np.exp(score - best)) for face, score in scores.items()}
    total = sum(weights.values())
    spared = (1 - _MOST_BY_ART) / len(weights)
    odds = {face: _MOST_BY_ART * weight / total + spared for face, weight in weights.items()}
    first = max(odds, key=lambda face: odds[face])
    lies, rest = (None, bare) if first is None else (found[first].lies, _fit(found[first]))
    return Cell(odds, lies, False, rest)


def _of_codes(flat: Flat, codes: list[Code]) -> list[Match]:
    """The tiles that a code half seen may belong to."""
    found = []
    for code in codes[:2]:
        likeliest = np.argsort(code.likeness)[::-1][:_CODES_TRIED]
        if code.likeness.max() > _SEEN:
            found += [closely(flat, TILES[each], code.turn, code.tile_lies) for each in likeliest]
    return found


def _likeness(codes: list[Code], match: Match) -> float:
    """How much of this tile's code is seen where the tile would have it."""
    near = [
        float(code.likeness[TILES.index(match.tile)])
        for code in codes
        if code.turn == match.turn
        and np.hypot(code.tile_lies.x_mm - match.lies.x_mm, code.tile_lies.y_mm - match.lies.y_mm) < 4.0
    ]
    return max(near, default=0.0)


def _fit(match: Match) -> Fit:
    return Fit(match.misfit, match.likeness)


def _score(fit: Fit) -> float:
    """What a comparison is worth, in logits against others of the same place."""
    return _PER_DRAWING * fit.likeness - _FREEDOM * float(np.log(fit.misfit + _GRAIN))


def _told_apart(cells: Mapping[str, Cell]) -> dict[str, Cell]:
    """The cells again, knowing that no tile lies in two places: the surer place keeps it."""
    claims: dict[str, list[tuple[float, str]]] = {}
    for place, cell in cells.items():
        if cell.face is not None:
            claims.setdefault(cell.face[0], []).append((cell.odds[cell.face], place))
    result = dict(cells)
    for tile, claimed in claims.items():
        for chance, place in sorted(claimed, reverse=True)[1:]:
            rival = max(share for share, other in claimed if other != place)
            result[place] = _without(cells[place], tile, 1 - rival * (1 - chance * 0.5))
    return result


def _without(cell: Cell, tile: str, kept: float) -> Cell:
    """The cell with a tile's odds made smaller."""
    weights = {face: odds * (kept if face is not None and face[0] == tile else 1.0) for face, odds in cell.odds.items()}
    total = sum(weights.values())
    return cell._replace(odds={face: weight / total for face, weight in weights.items()}, is_clear=False)
