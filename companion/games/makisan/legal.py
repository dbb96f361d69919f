"""What stands in the way of each action, and from that the legal ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.makisan.board import maki_of
from companion.games.makisan.rules import COLOURS, ENDS, LEFT, PLACES
from companion.games.makisan.state import DRAW, OPENING, TURN, State, acting
from companion.games.protocol import CHANCE, Action, Event


def odds(state: State) -> dict[Action, int]:
    """The makis that may come out of the bag, each as likely as the next."""
    if acting(state) != CHANCE:
        return {}
    shown_to = () if state.phase == OPENING else (state.turn,)
    verb = "open" if state.phase == OPENING else "draw"
    return {Action(CHANCE, verb, (*shown_to, maki)): 1 for maki in sorted(state.bag)}


def legal_actions(state: State, name: str) -> Sequence[Action]:
    """All legal actions of a seat or of chance, sorted."""
    if name != acting(state):
        return ()
    if name == CHANCE:
        return tuple(odds(state))
    return sorted(_BY_PHASE[state.phase](state, name))


def _facings(state: State, seat: str) -> Iterator[Action]:
    return (Action(seat, "face", (colour,)) for colour in str(state.drawn).split("-"))


def _layings(state: State, seat: str) -> Iterator[Action]:
    one, other = str(state.drawn).split("-")
    for end in ENDS:
        yield Action(seat, "lay", (end, one, other))
        yield Action(seat, "lay", (end, other, one))


def _turns(state: State, seat: str) -> Iterator[Action]:
    if state.bag:
        yield Action(seat, "draw")
    for place in PLACES[: len(state.line)]:
        if flip_obstacle(state, place) is None:
            yield Action(seat, "flip", (place,))
        for end in ENDS:
            if move_obstacle(state, place, end) is None:
                yield Action(seat, "move", (place, end))
            if wasabi_obstacle(state, seat, place) is None:
                yield Action(seat, "wasabi", (place, end))


_BY_PHASE = {OPENING: _facings, DRAW: _layings, TURN: _turns}


def maki_at(state: State, place: str) -> str:
    return maki_of(state.line[int(place) - 1])


# What stands in the way, or None. The same answer refuses an action and makes the legal list.


def flip_obstacle(state: State, place: str) -> Event | None:
    if obstacle := _covered(state, place):
        return obstacle
    return Event("just_turned", {"place": place}) if maki_at(state, place) in state.just_turned else None


def move_obstacle(state: State, place: str, end: str) -> Event | None:
    if obstacle := _covered(state, place):
        return obstacle
    if maki_at(state, place) == state.just_moved:
        return Event("just_moved", {"place": place})
    stays = place == (PLACES[0] if end == LEFT else PLACES[len(state.line) - 1])
    return Event("already_at_end", {"place": place, "end": end}) if stays else None


def wasabi_obstacle(state: State, seat: str, place: str) -> Event | None:
    if not state.setup.has_wasabi:
        return Event("rules_without_wasabi", {"rules": state.setup.rules})
    if state.wasabi is None:
        return None
    if state.wasabi.owner == seat:
        return Event("wasabi_lies_already", {"seat": seat})
    return Event("wasabi_on_wasabi", {"place": place}) if state.wasabi.maki == maki_at(state, place) else None


def _covered(state: State, place: str) -> Event | None:
    if state.wasabi is None or state.wasabi.maki != maki_at(state, place):
        return None
    return Event("covered_by_wasabi", {"place": place, "owner": state.wasabi.owner})


def lay_obstacle(state: State, mine: str, theirs: str) -> Event | None:
    """`mine` and `theirs` must be the two colours of the drawn maki."""
    if {mine, theirs} <= set(COLOURS) and mine != theirs and maki_of((mine, theirs)) == state.drawn:
        return None
    return Event("not_the_drawn_maki", {"colours": [mine, theirs]})
