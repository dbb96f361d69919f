"""The line of makis as data. A maki lies with one of its two colours to the south and the other to the north."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.games.makisan.rules import COLOURS, IN_A_ROW, MAKIS, PLACES, SIDES

# What eyes need of the rules, too, is found here.
__all__ = [
    "COLOURS", "MAKIS", "PLACES", "SIDES", "Faces", "Line", "Row", "faces_of", "facing_of", "hidden_colours",
    "is_facing", "maki_of", "rows_of", "turned",
]  # fmt: skip

Faces = tuple[str, str]  # the colours towards south and north
Line = tuple[Faces, ...]  # from the left, as south sees it


class Row(NamedTuple):
    """Four or more makis side by side that show one colour to a side."""

    side: str
    colour: str
    places: tuple[str, ...]


def maki_of(faces: Sequence[str]) -> str:
    """The maki with these two colours, whichever way it lies."""
    return "-".join(sorted(faces, key=COLOURS.index))


def faces_of(facing: str) -> Faces:
    """`red-green` as it lies: red to the south, green to the north."""
    south, _, north = facing.partition("-")
    return south, north


def is_facing(word: str) -> bool:
    """Whether the word is one of the ten makis, lying one way or the other."""
    return word in MAKIS or "-".join(reversed(faces_of(word))) in MAKIS


def facing_of(faces: Faces) -> str:
    return "-".join(faces)


def turned(faces: Faces) -> Faces:
    south, north = faces
    return north, south


def rows_of(line: Line) -> tuple[Row, ...]:
    """The rows that win, at most one for each side: the leftmost, in its whole length."""
    return tuple(row for index, side in enumerate(SIDES) if (row := _row(side, [faces[index] for faces in line])))


def _row(side: str, colours: Sequence[str]) -> Row | None:
    start = 0
    for end in range(1, len(colours) + 1):
        if end == len(colours) or colours[end] != colours[start]:
            if end - start >= IN_A_ROW:
                return Row(side, colours[start], PLACES[start:end])
            start = end
    return None


def hidden_colours(seen: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """For each maki of which one colour is seen, what its other colour may be, since all ten makis differ.

    One colour where that settles it, several where it is ambiguous, none where no such line is possible.
    """
    return tuple(
        tuple(colour for colour in COLOURS if colour != shown and _can_be(seen, place, colour))
        for place, shown in enumerate(seen)
    )


def _can_be(seen: Sequence[str], place: int, hidden: str) -> bool:
    """Whether all the others still find a maki of their own if this one has that colour behind."""
    fixed = maki_of((seen[place], hidden))
    owners = {fixed: place}
    return all(_find_maki(seen, other, owners, {fixed}) for other in range(len(seen)) if other != place)


def _find_maki(seen: Sequence[str], place: int, owners: dict[str, int], tried: set[str]) -> bool:
    """Gives the place a maki that shows its colour; its owner so far takes another, where that makes room."""
    for maki in MAKIS:
        if seen[place] not in maki.split("-") or maki in tried:
            continue
        tried.add(maki)
        if maki not in owners or _find_maki(seen, owners[maki], owners, tried):
            owners[maki] = place
            return True
    return False
