"""How a game of Kahuna goes on: `apply` and the one function behind each verb."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from companion.games.kahuna.adjust import adjusted
from companion.games.kahuna.bridges import Settled, lay, take
from companion.games.kahuna.legal import (
    STOCK,
    acting,
    bridge_obstacle,
    draw_obstacle,
    replace_obstacle,
    skip_obstacle,
)
from companion.games.kahuna.rules import OPEN_CARDS, ROUND_POINTS, ROUNDS
from companion.games.kahuna.score import round_result
from companion.games.kahuna.state import DEAL, HANDICAP, LAST, OPEN, OVER, TURN, State
from companion.games.protocol import ADJUST, CHANCE, TABLE, Action, Event, Refusal

Args = tuple[str, ...]
Step = Callable[[State, int, Args], State | Refusal]


def apply(state: State, action: Action) -> State | Refusal:
    """The state after the action, or why the rules refuse it."""
    name, verb, args = action
    if name == CHANCE:
        return _chance(state, action)
    if (name, verb) == (TABLE, ADJUST):
        return _adjust(state, args)
    seat = state.setup.seat_index.get(name)
    if seat is None:
        return Refusal("seat_unknown", {"seat": name, "seats": list(state.setup.colours)})
    waits_for = acting(state)
    if (state.phase, verb) not in _STEPS:
        return Refusal("not_now", {"seat": name, "verb": verb, "phase": state.phase})
    if waits_for != name:
        return Refusal("not_your_turn", {"seat": name, "waits_for": [waits_for] if waits_for else []})
    words, step = _STEPS[state.phase, verb]
    if len(args) != words:
        return Refusal("wrong_arguments", {"seat": name, "verb": verb, "args": list(args)})
    result = step(state, seat, args)
    return result if isinstance(result, Refusal) else _end_suddenly(result)


def _next(state: State, *events: Event, **changes: Any) -> State:
    """The state one action further, with its events told. Any further action gives up a free bridge not laid."""
    return state._replace(**{"number": state.number + 1, "events": events, "replaceable": None, **changes})


def _also(state: State, *events: Event, **changes: Any) -> State:
    """The same action's further consequences."""
    return state._replace(events=state.events + events, **changes)


def _adjust(state: State, args: Args) -> State | Refusal:
    """The people agree that the board is right."""
    changes = adjusted(state, args)
    if isinstance(changes, Refusal):
        return changes
    told = Event("board_adjusted", {"changes": dict(arg.split("=", 1) for arg in args)})
    return _end_suddenly(_next(state, told, **changes))


# Cards


def _chance(state: State, action: Action) -> State | Refusal:
    """A card comes up: in somebody's hand, or among the open ones."""
    if not state.due or state.phase == OVER:
        return Refusal("no_card_due", {"verb": action.verb})
    to, card = state.due[0], action.args[-1] if action.args else ""
    expected = Action(CHANCE, "turn") if to == OPEN else Action(CHANCE, "deal", (state.setup.colours[to],))
    if not card or action != expected._replace(args=(*expected.args, card)):
        return Refusal("other_card_due", {"text": action.text, "expected": expected.text})
    if card not in state.stock:
        return Refusal("card_not_in_stock", {"card": card})
    changes: dict[str, Any] = {"due": state.due[1:], "stock": _without(state.stock, card)}
    if to == OPEN:
        told = Event("card_turned", {"card": card})
        changes["open"] = _with(state.open, card)
    else:
        told = Event("card_dealt", {"seat": state.setup.colours[to]})
        changes["hands"] = _put(state.hands, to, _with(state.hands[to], card))
    state = _next(state, told, **changes)
    return state if state.due else _after_cards(state)


def _after_cards(state: State) -> State:
    """Chance has given all it owed: a round begins, or the draw that asked for it ends the turn."""
    if state.phase == TURN:
        return _end_turn(state)
    begins = Event("round_begins", {"round": state.round, "seat": state.setup.colours[state.turn]})
    return _also(state, begins, phase=HANDICAP if state.free_bridges else TURN)


def _draw(state: State, seat: int, args: Args) -> State | Refusal:
    card, colour = args[0], state.setup.colours[seat]
    if obstacle := draw_obstacle(state, seat):
        return Refusal(*obstacle)
    if card == STOCK:
        if not state.stock:
            return Refusal("stock_empty", {"open": list(state.open)})
        return _next(state, Event("draws_hidden", {"seat": colour}), due=(seat,), was_skipped=False)
    if card not in state.open:
        return Refusal("card_not_open", {"card": card, "open": list(state.open)})
    state = _next(
        state,
        Event("draws_open", {"seat": colour, "card": card}),
        open=_without(state.open, card),
        hands=_put(state.hands, seat, _with(state.hands[seat], card)),
        due=(OPEN,) if state.stock else (),
        was_skipped=False,
    )
    return state if state.due else _end_turn(state)


def _skip(state: State, seat: int, _: Args) -> State | Refusal:
    if obstacle := skip_obstacle(state):
        return Refusal(*obstacle)
    colour = state.setup.colours[seat]
    if state.phase == TURN:
        state = _next(state, Event("draw_skipped", {"seat": colour}), was_skipped=True)
        return _end_turn(state)
    state = _next(state, Event("last_turn_over", {"seat": colour}), last_turns=state.last_turns - 1)
    return _pass_turn(state) if state.last_turns else _end(state, Event("third_scoring"))


def _discard(state: State, seat: int, args: Args) -> State | Refusal:
    if refusal := _cards_missing(state, seat, args):
        return refusal
    told = Event("discarded", {"seat": state.setup.colours[seat], "card": args[0]})
    return _next(state, told, **_spend(state, seat, args))


def _cards_missing(state: State, seat: int, cards: Args) -> Refusal | None:
    missing = Counter(cards) - Counter(state.hands[seat])
    if not missing:
        return None
    return Refusal("card_not_in_hand", {"seat": state.setup.colours[seat], "cards": sorted(missing.elements())})


def _spend(state: State, seat: int, cards: Args) -> dict[str, Any]:
    hand, discards = state.hands[seat], state.discards
    for card in cards:
        hand, discards = _without(hand, card), _with(discards, card)
    return {"hands": _put(state.hands, seat, hand), "discards": discards}


def _with(cards: Args, card: str) -> Args:
    return tuple(sorted((*cards, card)))


def _without(cards: Args, card: str) -> Args:
    index = cards.index(card)
    return cards[:index] + cards[index + 1 :]


def _put(values: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    return (*values[:index], value, *values[index + 1 :])


# Bridges


def _free_bridge(state: State, seat: int, args: Args) -> State | Refusal:
    """A handicap bridge, for no card."""
    line, colour = args[0], state.setup.colours[seat]
    if refusal := _unknown_line(state, line):
        return refusal
    if obstacle := bridge_obstacle(state, colour, line):
        return Refusal(*obstacle)
    state = _settle(_next(state, Event("bridge_given", {"seat": colour, "line": line})), _lay(state, line, colour))
    left = state.free_bridges - 1
    return state._replace(free_bridges=left, phase=HANDICAP if left else TURN)


def _bridge(state: State, seat: int, args: Args) -> State | Refusal:
    (line, card), colour = args, state.setup.colours[seat]
    if refusal := _cards_refused(state, seat, line, (card,)):
        return refusal
    if obstacle := bridge_obstacle(state, colour, line):
        return Refusal(*obstacle)
    told = Event("bridge_laid", {"seat": colour, "line": line, "card": card})
    return _settle(_next(state, told, **_spend(state, seat, (card,))), _lay(state, line, colour))


def _remove(state: State, seat: int, args: Args) -> State | Refusal:
    line, cards, colour = args[0], args[1:], state.setup.colours[seat]
    if refusal := _cards_refused(state, seat, line, cards):
        return refusal
    if list(cards) != sorted(cards):  # one way to write a removal
        return Refusal("cards_out_of_order", {"cards": sorted(cards)})
    owner = state.bridges.get(line, colour)
    if owner == colour:
        return Refusal("no_bridge_to_remove", {"line": line})
    told = Event("bridge_removed", {"seat": colour, "line": line, "owner": owner, "cards": list(cards)})
    replaceable = line if state.setup.replaces_removed else None
    after = take(state.setup, state.bridges, state.stones, line)
    return _settle(_next(state, told, replaceable=replaceable, **_spend(state, seat, cards)), after)


def _replace(state: State, seat: int, _: Args) -> State | Refusal:
    line, colour = state.replaceable, state.setup.colours[seat]
    if obstacle := replace_obstacle(state, colour):
        return Refusal(*obstacle)
    assert line is not None
    return _settle(_next(state, Event("bridge_replaced", {"seat": colour, "line": line})), _lay(state, line, colour))


def _cards_refused(state: State, seat: int, line: str, cards: Args) -> Refusal | None:
    """Why these cards do not go with that line, or are not in hand."""
    if refusal := _unknown_line(state, line):
        return refusal
    if not set(cards) <= set(state.setup.ends[line]):
        return Refusal("card_of_other_island", {"line": line, "cards": list(cards)})
    return _cards_missing(state, seat, cards)


def _unknown_line(state: State, line: str) -> Refusal | None:
    return None if line in state.setup.lines else Refusal("line_unknown", {"line": line})


def _lay(state: State, line: str, colour: str) -> Settled:
    return lay(state.setup, state.bridges, state.stones, line, colour)


def _settle(state: State, settled: Settled) -> State:
    return _also(state, *settled.events, bridges=settled.bridges, stones=settled.stones)


# Ends


def _end_turn(state: State) -> State:
    if state.open or state.stock:
        return _pass_turn(state)
    return _end_round(state)


def _pass_turn(state: State) -> State:
    return state._replace(turn=1 - state.turn)


def _end_round(state: State) -> State:
    """The last card is drawn: points, and the played cards become the new stock. After the third: a last turn each."""
    if state.round == ROUNDS:
        last = Event("last_turns", {"seat": state.setup.colours[1 - state.turn]})
        return _pass_turn(_also(state, last, phase=LAST, last_turns=len(state.setup.colours)))
    result = round_result(state.setup, state.round, state.stones, ROUND_POINTS[state.round - 1])
    state = _also(
        state,
        result.reason,
        phase=DEAL,
        round=state.round + 1,
        won=(*state.won, result.winner),
        stock=state.discards,
        discards=(),
        due=(OPEN,) * OPEN_CARDS,
    )
    return _pass_turn(state)


def _end(state: State, ended_by: Event) -> State:
    return _also(state, ended_by, phase=OVER, ended_by=ended_by, due=())


def _end_suddenly(state: State) -> State:
    """From the second round on, whoever has no bridge left while the other has one loses at once."""
    left = [colour for colour in state.setup.colours if colour in state.bridges.values()]
    if state.phase == OVER or state.round == 1 or len(left) != 1:
        return state
    loser = next(colour for colour in state.setup.colours if colour not in left)
    return _end(state, Event("sudden_end", {"player": left[0], "loser": loser}))


# The verbs of a turn, with the number of words after them and what they do.
_OF_A_TURN: dict[str, tuple[int, Step]] = {
    "bridge": (2, _bridge),
    "remove": (3, _remove),
    "replace": (0, _replace),
    "discard": (1, _discard),
    "draw": (1, _draw),
    "skip": (0, _skip),
}
_STEPS: dict[tuple[str, str], tuple[int, Step]] = {
    (HANDICAP, "bridge"): (1, _free_bridge),
    **{(phase, verb): step for phase in (TURN, LAST) for verb, step in _OF_A_TURN.items()},
}
