"""From rests to places: which rests carry the line, and which of the ten makis stands where.

Both questions are answered for the whole line at once. Any set of rests may be occupied, but a line has no holes, or
hardly ever. And every maki is there only once: what is known of some colours tells something about all the others, and
about the far sides, which nobody sees from here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.games.makisan.board import COLOURS, MAKIS, PLACES, SIDES
from vision.locate.pose import Floats

Indices = NDArray[np.int64]

_HOLE = 1e-3  # chance of a hole in the line: it is closed as soon as a maki is taken
_LEAST = 1e-4  # odds below this are not told
_SETS = 1 << len(MAKIS)


class Rest(NamedTuple):
    """One rest: the chance that a maki stands on it, how far it is hidden from view, and the colours (5,) that the maki
    may show."""

    maki: float
    hidden: float
    near: Floats


class Line(NamedTuple):
    """`share` (places, rests): the chance that a place of the line is that rest; `empty` (places,) that the line does
    not reach the place; `rests` those of the likeliest line."""

    share: Floats
    empty: Floats
    rests: tuple[int, ...]


def line_of(rests: Sequence[Rest]) -> Line:
    taken = (np.arange(1 << len(rests))[:, None] >> np.arange(len(rests))) & 1 == 1  # (sets, rests)
    standing = np.array([rest.maki for rest in rests])
    chance = np.where(taken, standing, 1 - standing)
    starts = (taken & ~np.column_stack([np.zeros(len(taken), bool), taken[:, :-1]])).sum(axis=1)
    weight = chance.prod(axis=1) * _HOLE ** np.maximum(starts - 1, 0)
    weight /= weight.sum()
    order = taken.cumsum(axis=1)  # a rest's place, counted from 1
    share = np.array([(weight[:, None] * (taken & (order == number + 1))).sum(axis=0) for number in range(len(PLACES))])
    best = taken[int(weight.argmax())]
    return Line(share, 1.0 - share.sum(axis=1), tuple(int(rest) for rest in np.flatnonzero(best)))


def facings(near: Sequence[Floats], side: int) -> list[dict[str, float]]:
    """For every maki of a line the chances of its facings (south colour first), given those (5,) of its near colour.

    All lines of different makis are counted, each by how well it fits the colours seen. `side` is +1 from the south.
    """
    count = len(near)
    before, after = [np.zeros(_SETS) for _ in range(count + 1)], [np.zeros(_SETS) for _ in range(count + 1)]
    before[0][0] = 1.0
    after[count][:] = 1.0
    for place in range(count):
        for maki in range(len(MAKIS)):
            free, used = _steps(maki)
            before[place + 1][used] += before[place][free] * sum(_ways(near[place], maki))
    for place in reversed(range(count)):
        for maki in range(len(MAKIS)):
            free, used = _steps(maki)
            after[place][free] += after[place + 1][used] * sum(_ways(near[place], maki))
    return [_marginal(near[place], before[place], after[place + 1], side) for place in range(count)]


def _marginal(near: Floats, before: Floats, after: Floats, side: int) -> dict[str, float]:
    chances: dict[str, float] = {}
    for maki, name in enumerate(MAKIS):
        free, used = _steps(maki)
        rest = float(before[free] @ after[used])
        first, second = name.split("-")
        for (shown, hidden), way in zip(((first, second), (second, first)), _ways(near, maki), strict=True):
            south, north = (shown, hidden) if side > 0 else (hidden, shown)
            chances[f"{south}-{north}"] = rest * way
    total = sum(chances.values())
    return {facing: chance / total for facing, chance in chances.items()} if total > 0 else chances


def _ways(near: Floats, maki: int) -> tuple[float, float]:
    """How well a maki fits what is seen: lying as it is named, and turned round."""
    first, second = MAKIS[maki].split("-")
    return float(near[COLOURS.index(first)]), float(near[COLOURS.index(second)])


@cache
def _steps(maki: int) -> tuple[Indices, Indices]:
    """The sets of makis without this one, and the same sets with it."""
    sets = np.arange(_SETS)
    free = sets[(sets >> maki) & 1 == 0]
    return free, free | (1 << maki)


def contents(
    line: Line, rests: Sequence[Rest], wasabis: Sequence[Mapping[str, float]], side: int
) -> dict[str, dict[str, float]]:
    """Odds over contents for every place. `wasabis`: for each rest the chances of a Wasabi on its maki, by owner."""
    joint = dict(zip(line.rests, facings([rests[rest].near for rest in line.rests], side), strict=True))
    alone = {rest: joint.get(rest) or facings([rests[rest].near], side)[0] for rest in range(len(rests))}
    found = {}
    for number, place in enumerate(PLACES):
        odds = {"empty": float(line.empty[number])}
        for rest in np.flatnonzero(line.share[number] > _LEAST):
            for facing, chance in alone[int(rest)].items():
                for owner, risk in _owners(wasabis[int(rest)]).items():
                    name = f"maki:{facing}" + (f"+wasabi:{owner}" if owner else "")
                    odds[name] = odds.get(name, 0.0) + float(line.share[number, rest]) * chance * risk
        found[place] = _told(odds)
    return found


def _owners(wasabi: Mapping[str, float]) -> dict[str, float]:
    return {"": 1.0 - sum(wasabi.values()), **{side: wasabi.get(side, 0.0) for side in SIDES}}


def _told(odds: Mapping[str, float]) -> dict[str, float]:
    """The odds worth telling, the likeliest first."""
    kept = {content: chance for content, chance in odds.items() if chance >= _LEAST}
    total = sum(kept.values())
    return {content: chance / total for content, chance in sorted(kept.items(), key=lambda each: -each[1])}
