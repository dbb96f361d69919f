"""Bridges and stones: who has the majority of an island, and what follows when a bridge comes or goes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.games.kahuna.setup import Setup
from companion.games.protocol import Event

Bridges = Mapping[str, str]  # line -> colour
Stones = Mapping[str, str]  # island -> colour


class Settled(NamedTuple):
    """A board on which every stone lies where it belongs, and what happened to get there."""

    bridges: Bridges
    stones: Stones
    events: tuple[Event, ...]


def has_majority(setup: Setup, bridges: Bridges, island: str, colour: str) -> bool:
    """Whether more than half of all lines of the island carry a bridge of the colour."""
    lines = setup.lines_of[island]
    return 2 * sum(bridges.get(line) == colour for line in lines) > len(lines)


def stones_on(setup: Setup, bridges: Bridges) -> dict[str, str]:
    """The stones that such bridges call for."""
    return {
        island: colour
        for island in setup.islands
        for colour in setup.colours
        if has_majority(setup, bridges, island, colour)
    }


def lay(setup: Setup, bridges: Bridges, stones: Stones, line: str, colour: str) -> Settled:
    """A bridge is laid: majorities gained at its ends cost the opponent all bridges there, and what hung on them."""
    bridges = {**bridges, line: colour}
    gained = [
        island
        for island in setup.ends[line]
        if stones.get(island) != colour and has_majority(setup, bridges, island, colour)
    ]
    events = [Event("stone_laid", {"seat": colour, "island": island}) for island in gained]
    lost = {
        lost_line: bridges[lost_line]
        for island in gained
        for lost_line in setup.lines_of[island]
        if bridges.get(lost_line, colour) != colour
    }
    events += [Event("bridge_lost", {"owner": owner, "line": lost_line}) for lost_line, owner in lost.items()]
    left = {kept: owner for kept, owner in bridges.items() if kept not in lost}
    return _without_lost_stones(setup, left, {**stones, **dict.fromkeys(gained, colour)}, events)


def take(setup: Setup, bridges: Bridges, stones: Stones, line: str) -> Settled:
    """A bridge is removed, and with it the majorities that hung on it."""
    return _without_lost_stones(setup, {kept: owner for kept, owner in bridges.items() if kept != line}, stones, [])


def _without_lost_stones(setup: Setup, bridges: Bridges, stones: Stones, events: list[Event]) -> Settled:
    """Fewer bridges give nobody a majority, so one look at every stone is the whole cascade."""
    kept = {island: owner for island, owner in stones.items() if has_majority(setup, bridges, island, owner)}
    lost = [
        Event("stone_lost", {"owner": owner, "island": island})
        for island, owner in sorted(stones.items())
        if island not in kept
    ]
    return Settled(bridges, kept, (*events, *lost))
