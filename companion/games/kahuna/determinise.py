"""From what a seat sees back to a state of the game: what is known as it is, hidden cards dealt by lot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.games.kahuna.setup import make_setup
from companion.games.kahuna.state import OPEN, State
from companion.games.protocol import Event, Json

if TYPE_CHECKING:
    from random import Random


def possible_state(view: Mapping[str, Json], rng: Random) -> State:
    """A state that looks like the view to its seat: every deal of the unseen cards is as likely as the next."""
    setup = make_setup(view)
    own = view["hand"] or []
    unseen = sorted((Counter(setup.deck) - Counter([*view["open"], *view["discards"], *own])).elements())
    rng.shuffle(unseen)
    hands = []
    for colour in setup.colours:
        dealt, unseen = (own, unseen) if colour == view["seat"] else _split(unseen, view["hands"][colour])
        hands.append(tuple(sorted(dealt)))
    return State(
        setup=setup,
        number=view["number"],
        phase=view["phase"],
        round=view["round"],
        turn=setup.seat_index[view["turn"]],
        bridges=dict(view["bridges"]),
        stones=dict(view["stones"]),
        hands=tuple(hands),
        open=tuple(view["open"]),
        stock=tuple(sorted(unseen)),
        discards=tuple(view["discards"]),
        due=tuple(setup.seat_index.get(to, OPEN) for to in view["due"]),
        free_bridges=view["free_bridges"],
        replaceable=view["replaceable"],
        was_skipped=view["was_skipped"],
        last_turns=view["last_turns"],
        won=tuple(view["won"]),
        ended_by=_event(view["ended_by"]) if view["ended_by"] else None,
        events=tuple(map(_event, view["events"])),
    )


def _split(cards: list[str], count: int) -> tuple[list[str], list[str]]:
    return cards[:count], cards[count:]


def _event(data: Mapping[str, Json]) -> Event:
    return Event(data["code"], {key: value for key, value in data.items() if key != "code"})
