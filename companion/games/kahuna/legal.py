"""What stands in the way of each action, and from that the legal ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement

from companion.games.kahuna.rules import BRIDGES_PER_COLOUR, MOST_CARDS
from companion.games.kahuna.state import HANDICAP, LAST, OPEN, OVER, TURN, State, acting_seat
from companion.games.protocol import CHANCE, Action, Event

STOCK = "stock"


def acting(state: State) -> str | None:
    """Who acts: chance while it owes cards, else a seat; None when the game is over."""
    if state.phase == OVER:
        return None
    return CHANCE if state.due else state.setup.colours[acting_seat(state)]


def odds(state: State) -> dict[Action, int]:
    """The cards that may come up next: as likely as there are copies of them in the stock."""
    if state.phase == OVER or not state.due:
        return {}
    owed = state.due[0]
    counts = Counter(state.stock)
    if owed == OPEN:
        return {Action(CHANCE, "turn", (card,)): count for card, count in sorted(counts.items())}
    seat = state.setup.colours[owed]
    return {Action(CHANCE, "deal", (seat, card)): count for card, count in sorted(counts.items())}


def legal_actions(state: State, name: str) -> Sequence[Action]:
    """All legal actions of a seat or of chance, sorted."""
    if name != acting(state):
        return ()
    if name == CHANCE:
        return tuple(odds(state))
    if state.phase == HANDICAP:
        free = (line for line in state.setup.board.lines if bridge_obstacle(state, name, line) is None)
        return [Action(name, "bridge", (line,)) for line in free]
    seat = state.setup.seat_index[name]
    found = [Action(name, "discard", (card,)) for card in sorted(set(state.hands[seat]))]
    found += _bridges(state, seat)
    found += _removals(state, seat)
    found += _endings(state, seat)
    if replace_obstacle(state, name) is None:
        found.append(Action(name, "replace"))
    return sorted(found)


def _bridges(state: State, seat: int) -> Iterator[Action]:
    setup, colour = state.setup, state.setup.colours[seat]
    for card in set(state.hands[seat]):
        for line in setup.lines_of[card]:
            if bridge_obstacle(state, colour, line) is None:
                yield Action(colour, "bridge", (line, card))


def _removals(state: State, seat: int) -> Iterator[Action]:
    setup, colour, hand = state.setup, state.setup.colours[seat], Counter(state.hands[seat])
    for line, owner in state.bridges.items():
        if owner != colour:
            for cards in combinations_with_replacement(setup.ends[line], 2):
                if not Counter(cards) - hand:
                    yield Action(colour, "remove", (line, *cards))


def _endings(state: State, seat: int) -> Iterator[Action]:
    colour = state.setup.colours[seat]
    if skip_obstacle(state) is None:
        yield Action(colour, "skip")
    if draw_obstacle(state, seat) is None:
        yield from (Action(colour, "draw", (card,)) for card in set(state.open))
        if state.stock:
            yield Action(colour, "draw", (STOCK,))


# What stands in the way, or None. The same answer refuses an action and makes the legal list.


def bridge_obstacle(state: State, colour: str, line: str) -> Event | None:
    if line in state.bridges:
        return Event("line_taken", {"line": line, "owner": state.bridges[line]})
    if _bridges_laid(state, colour) >= BRIDGES_PER_COLOUR:
        return Event("bridges_used_up", {"seat": colour, "most": BRIDGES_PER_COLOUR})
    return stone_obstacle(state, colour, line) if state.setup.respects_stones else None


def _bridges_laid(state: State, colour: str) -> int:
    return list(state.bridges.values()).count(colour)


def stone_obstacle(state: State, colour: str, line: str) -> Event | None:
    """An opponent's stone at either end."""
    for island in state.setup.ends[line]:
        if state.stones.get(island, colour) != colour:
            return Event("stone_in_the_way", {"line": line, "island": island, "owner": state.stones[island]})
    return None


def replace_obstacle(state: State, colour: str) -> Event | None:
    if state.replaceable is None:
        return Event("nothing_to_replace", {"seat": colour})
    return stone_obstacle(state, colour, state.replaceable) or bridge_obstacle(state, colour, state.replaceable)


def draw_obstacle(state: State, seat: int) -> Event | None:
    colour = state.setup.colours[seat]
    if state.phase == LAST:
        return Event("no_cards_left", {"seat": colour})
    if len(state.hands[seat]) >= MOST_CARDS:
        return Event("hand_full", {"seat": colour, "most": MOST_CARDS})
    return None


def skip_obstacle(state: State) -> Event | None:
    if state.phase == TURN and state.was_skipped:
        return Event("opponent_has_skipped", {"seat": state.setup.colours[state.turn]})
    return None
