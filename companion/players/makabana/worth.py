"""What a board is worth to each colour, and what one more hut would change: the score without its reasons, but fast."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from companion.games.makabana.score import MAJORITY, SHARED_MAJORITY, group_steps
from companion.games.makabana.setup import Setup

Change = dict[str, int]  # points by colour
GROUP_POINTS = tuple(sum(group_steps(size)) for size in range(64))
_NO_CHANGE: Change = {}


@lru_cache(maxsize=64)
def sides_of(setup: Setup) -> tuple[tuple[str, ...], ...]:
    """The colours whose points count together: camps, or every colour alone."""
    return setup.camps or tuple((colour,) for colour in setup.colours)


def majority(counts: Mapping[str, int], club_owner: str | None) -> Change:
    """Who gets how much for a beach with so many huts by colour."""
    if not counts:
        return _NO_CHANGE
    most = max(counts.values())
    tied = [colour for colour, count in counts.items() if count == most]
    if len(tied) == 1:
        return {tied[0]: MAJORITY} if most else _NO_CHANGE
    if club_owner in tied:
        return {club_owner: MAJORITY} if most and club_owner else _NO_CHANGE
    return {colour: SHARED_MAJORITY for colour in tied} if len(tied) == 2 and most else _NO_CHANGE


class Worth:
    """A board with its points worked out, ready to say what a change would bring."""

    def __init__(self, setup: Setup, huts: Mapping[str, str], clubs: Mapping[str, str]) -> None:
        self.setup, self.huts, self.clubs = setup, huts, clubs
        self._counts: dict[str, dict[str, int]] = {beach: {} for beach in setup.beach_sites}
        for site, colour in huts.items():
            on_beach = self._counts[setup.beach_of[site]]
            on_beach[colour] = on_beach.get(colour, 0) + 1
        self._group_of: dict[str, list[str]] = {}
        self.points = dict.fromkeys(setup.colours, 0)
        self._add_points()

    def _add_points(self) -> None:
        points = self.points
        for beach, counts in self._counts.items():
            for colour, gain in majority(counts, self.clubs.get(beach)).items():
                points[colour] += gain
        for start, colour in self.huts.items():
            if start not in self._group_of:
                points[colour] += GROUP_POINTS[len(self._find_group(start, colour))]
        for beach, colour in self.clubs.items():
            points[colour] += self._counts[beach].get(colour, 0)

    def _find_group(self, start: str, colour: str) -> list[str]:
        huts, neighbours, group_of, group = self.huts, self.setup.neighbours, self._group_of, [start]
        group_of[start] = group
        for site in group:  # grows while we walk it
            for near in neighbours[site]:
                if near not in group_of and huts.get(near) == colour:
                    group_of[near] = group
                    group.append(near)
        return group

    def hut_count(self, beach: str, colour: str) -> int:
        return self._counts[beach].get(colour, 0)

    def build(self, site: str, colour: str) -> Change:
        """What a hut of this colour on a free site changes."""
        change = self._majority_change(self.setup.beach_of[site], {colour: 1})
        change[colour] = change.get(colour, 0) + self._joining(site, colour) + self._club_point(site, colour)
        return change

    def paint(self, site: str, colour: str) -> Change:
        """What repainting another's hut in this colour changes."""
        owner = self.huts[site]
        change = self._majority_change(self.setup.beach_of[site], {colour: 1, owner: -1})
        change[colour] = change.get(colour, 0) + self._joining(site, colour) + self._club_point(site, colour)
        change[owner] = change.get(owner, 0) - self._leaving(site, owner) - self._club_point(site, owner)
        return change

    def club(self, beach: str, colour: str) -> Change:
        """What a club of this colour on the beach changes: a point for each own hut, and ties."""
        counts = self._counts[beach]
        change = _difference(majority(counts, self.clubs.get(beach)), majority(counts, colour))
        change[colour] = change.get(colour, 0) + counts.get(colour, 0)
        return change

    def _majority_change(self, beach: str, huts: Mapping[str, int]) -> Change:
        counts, club = self._counts[beach], self.clubs.get(beach)
        after = dict(counts)
        for colour, more in huts.items():
            after[colour] = after.get(colour, 0) + more
        return _difference(majority(counts, club), majority(after, club))

    def _joining(self, site: str, colour: str) -> int:
        """What the groups that a new hut joins gain together."""
        huts = self.huts
        groups = {id(g): len(g) for near in self.setup.neighbours[site] if huts.get(near) == colour
                  for g in (self._group_of[near],)}  # fmt: skip
        sizes = groups.values()
        return GROUP_POINTS[1 + sum(sizes)] - sum([GROUP_POINTS[size] for size in sizes])

    def _leaving(self, site: str, owner: str) -> int:
        """What the owner's groups lose when this hut goes."""
        left = set(self._group_of[site])
        before = GROUP_POINTS[len(left)]
        left.discard(site)
        after = 0
        while left:
            group = [left.pop()]
            for member in group:  # grows while we walk it
                reached = self.setup.neighbours[member] & left
                left -= reached
                group.extend(reached)
            after += GROUP_POINTS[len(group)]
        return before - after

    def _club_point(self, site: str, colour: str) -> int:
        return int(self.clubs.get(self.setup.beach_of[site]) == colour)

    def room_to_grow(self) -> dict[str, int]:
        """For each colour, how many free sites lie next to a hut of its own."""
        huts, neighbours = self.huts, self.setup.neighbours
        open_sites: dict[str, set[str]] = {colour: set() for colour in self.setup.colours}
        for site, colour in huts.items():
            open_sites[colour].update([near for near in neighbours[site] if near not in huts])
        return {colour: len(sites) for colour, sites in open_sites.items()}


def _difference(before: Change, after: Change) -> Change:
    change = dict(after)
    for colour, points in before.items():
        change[colour] = change.get(colour, 0) - points
    return change


def lead(values: Mapping[str, float], sides: Sequence[tuple[str, ...]], colour: str, rivalry: float = 0.0) -> float:
    """How far the side of a colour is ahead of the average other side; `rivalry` is the share of the best other one."""
    own, others = 0.0, []
    for side in sides:
        total = sum([values[one] for one in side])
        if colour in side:
            own = total
        else:
            others.append(total)
    return own - rivalry * max(others) - (1 - rivalry) * sum(others) / len(others)
