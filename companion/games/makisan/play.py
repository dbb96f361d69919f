"""How a game of Maki-San goes on: `apply` and the one function behind each verb."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.games.makisan.adjust import adjusted
from companion.games.makisan.board import Faces, Line, maki_of, rows_of, turned
from companion.games.makisan.legal import flip_obstacle, lay_obstacle, maki_at, move_obstacle, wasabi_obstacle
from companion.games.makisan.rules import ENDS, LEFT, MAKIS, PLACES, ROUNDS_TO_WIN, SIDES
from companion.games.makisan.setup import other
from companion.games.makisan.state import DRAW, NONE, OPENING, OVER, TURN, State, Wasabi, acting
from companion.games.protocol import ADJUST, CHANCE, TABLE, Action, Event, Refusal

Args = tuple[str, ...]
Step = Callable[[State, str, Args], State | Refusal]
Known = tuple[frozenset[str], frozenset[str]]


def apply(state: State, action: Action) -> State | Refusal:
    """The state after the action, or why the rules refuse it."""
    name, verb, args = action
    if name == CHANCE:
        return _chance(state, action)
    if (name, verb) == (TABLE, ADJUST):
        return _adjust(state, args)
    if name not in SIDES:
        return Refusal("seat_unknown", {"seat": name, "seats": list(state.setup.seats)})
    if (state.phase, verb) not in _STEPS:
        return Refusal("not_now", {"seat": name, "verb": verb, "phase": state.phase})
    waits_for = acting(state)
    if waits_for != name:
        return Refusal("not_your_turn", {"seat": name, "waits_for": [waits_for] if waits_for else []})
    words, step = _STEPS[state.phase, verb]
    if len(args) != words:
        return Refusal("wrong_arguments", {"seat": name, "verb": verb, "args": list(args)})
    result = step(state, name, args)
    return result if isinstance(result, Refusal) else _judge(result)


def _next(state: State, *events: Event, **changes: Any) -> State:
    """The state one action further, with its events told. What an action turned or moved binds the next one only."""
    return state._replace(
        **{"number": state.number + 1, "events": events, "just_turned": NONE, "just_moved": None, **changes}
    )


def _also(state: State, *events: Event, **changes: Any) -> State:
    """The same action's further consequences."""
    return state._replace(events=state.events + events, **changes)


def _adjust(state: State, args: Args) -> State | Refusal:
    """The people agree that the line is right."""
    changes = adjusted(state, args)
    if isinstance(changes, Refusal):
        return changes
    told = Event("board_adjusted", {"changes": dict(arg.split("=", 1) for arg in args)})
    return _judge(_next(state, told, **changes))


def _knowing(state: State, makis: frozenset[str], *seats: str) -> Known:
    """Who knows both colours of which makis, once these seats have seen those of these."""
    south, north = (known | makis if side in seats else known for side, known in zip(SIDES, state.known, strict=True))
    return south, north


# Out of the bag


def _chance(state: State, action: Action) -> State | Refusal:
    """A maki comes out of the bag: for all to see when a round opens, else for the drawer alone."""
    if acting(state) != CHANCE:
        return Refusal("no_maki_due", {"verb": action.verb})
    seats, verb = (SIDES, "open") if state.phase == OPENING else ((state.turn,), "draw")
    shown_to = () if state.phase == OPENING else seats
    maki = action.args[-1] if action.args else ""
    if action != Action(CHANCE, verb, (*shown_to, maki)):
        expected = Action(CHANCE, verb, shown_to).text
        return Refusal("other_maki_due", {"text": action.text, "expected": expected})
    if maki not in state.bag:
        return Refusal("maki_not_in_bag", {"maki": maki, "makis": list(MAKIS)})
    known = _knowing(state, frozenset({maki}), *seats)
    bag = tuple(left for left in state.bag if left != maki)
    told = (
        Event("maki_shown", {"seat": state.first, "colours": maki.split("-")})
        if state.phase == OPENING
        else Event("maki_drawn", {"seat": state.turn})
    )
    # To draw is one action with what is laid then: the bans of the action before it are over either way.
    return _next(state, told, bag=bag, drawn=maki, known=known)


def _face(state: State, seat: str, args: Args) -> State | Refusal:
    """The second player chooses the colour of the first maki that faces them."""
    colours = str(state.drawn).split("-")
    if args[0] not in colours:
        return Refusal("colour_not_on_maki", {"colour": args[0], "colours": colours})
    mine, theirs = args[0], colours[1 - colours.index(args[0])]
    told = Event("facing_chosen", {"seat": seat, "colour": mine})
    return _next(state, told, line=(_faces(seat, mine, theirs),), drawn=None, phase=TURN, turn=state.first)


def _faces(seat: str, mine: str, theirs: str) -> Faces:
    return (mine, theirs) if seat == SIDES[0] else (theirs, mine)


def _draw(state: State, seat: str, _: Args) -> State | Refusal:
    if not state.bag:
        return Refusal("bag_empty", {"seat": seat})
    return _next(state, Event("draws", {"seat": seat}), phase=DRAW)


def _lay(state: State, seat: str, args: Args) -> State | Refusal:
    end, mine, theirs = args
    if refusal := _unknown_end(end):
        return refusal
    if obstacle := lay_obstacle(state, mine, theirs):
        return Refusal(*obstacle)
    line = _at_end(state.line, _faces(seat, mine, theirs), end)
    return _pass(_next(state, Event("maki_laid", {"seat": seat, "end": end}), line=line, drawn=None, phase=TURN))


# On the line


def _flip(state: State, seat: str, args: Args) -> State | Refusal:
    place = args[0]
    if refusal := _unknown_place(state, place):
        return refusal
    if obstacle := flip_obstacle(state, place):
        return Refusal(*obstacle)
    told = Event("flipped", {"seat": seat, "place": place})
    return _pass(_turn_round(_next(state, told), range(int(place) - 1, int(place))))


def _turn_round(state: State, indices: range) -> State:
    """These makis show each side what they hid from it, so both sides know them from now on."""
    line = tuple(turned(faces) if index in indices else faces for index, faces in enumerate(state.line))
    makis = frozenset(maki_of(state.line[index]) for index in indices)
    return state._replace(line=line, just_turned=makis, known=_knowing(state, makis, *SIDES))


def _move(state: State, seat: str, args: Args) -> State | Refusal:
    place, end = args
    if refusal := _unknown_place(state, place) or _unknown_end(end):
        return refusal
    if obstacle := move_obstacle(state, place, end):
        return Refusal(*obstacle)
    index = int(place) - 1
    line = _at_end(state.line[:index] + state.line[index + 1 :], state.line[index], end)
    told = Event("moved", {"seat": seat, "place": place, "end": end})
    return _pass(_next(state, told, line=line, just_moved=maki_at(state, place)))


def _wasabi(state: State, seat: str, args: Args) -> State | Refusal:
    place, end = args
    if refusal := _unknown_place(state, place) or _unknown_end(end):
        return refusal
    if obstacle := wasabi_obstacle(state, seat, place):
        return Refusal(*obstacle)
    index = int(place) - 1
    turns = range(index) if end == LEFT else range(index + 1, len(state.line))
    events = [Event("wasabi_laid", {"seat": seat, "place": place, "end": end, "count": len(turns)})]
    if state.wasabi is not None:
        events.append(Event("wasabi_returned", {"owner": state.wasabi.owner}))
    return _pass(_turn_round(_next(state, *events, wasabi=Wasabi(seat, maki_at(state, place))), turns))


def _at_end(line: Line, faces: Faces, end: str) -> Line:
    return (faces, *line) if end == LEFT else (*line, faces)


def _unknown_end(end: str) -> Refusal | None:
    return None if end in ENDS else Refusal("end_unknown", {"end": end, "ends": list(ENDS)})


def _unknown_place(state: State, place: str) -> Refusal | None:
    places = PLACES[: len(state.line)]
    return None if place in places else Refusal("place_unknown", {"place": place, "most": len(places)})


def _pass(state: State) -> State:
    return state._replace(turn=other(state.turn))


# Ends


def _judge(state: State) -> State:
    """Four in a row win the round at once, whoever made them; both sides may have some."""
    rows = rows_of(state.line)
    if not rows:
        return state
    won = [
        Event("round_won", {"round": state.round, "player": row.side, "colour": row.colour, "places": list(row.places)})
        for row in rows
    ]
    sides = [row.side for row in rows]
    south, north = (wins + (side in sides) for side, wins in zip(SIDES, state.wins, strict=True))
    if max(south, north) < ROUNDS_TO_WIN:
        return _begin_round(_also(state, *won, wins=(south, north)))
    ended_by = Event("game_over", {"rounds": {SIDES[0]: south, SIDES[1]: north}})
    # The last line stays where it is, and counts as it lies: `wins` are the rounds before it.
    return _also(state, *won, ended_by, phase=OVER, ended_by=ended_by)


def _begin_round(state: State) -> State:
    """All makis back into the bag; the other player begins."""
    first = other(state.first)
    return _also(
        state,
        Event("round_begins", {"round": state.round + 1, "seat": first}),
        phase=OPENING,
        round=state.round + 1,
        first=first,
        turn=first,
        line=(),
        bag=MAKIS,
        drawn=None,
        known=(NONE, NONE),
        wasabi=None,
        just_turned=NONE,
        just_moved=None,
    )


# For each phase, the verbs with the number of words after them and what they do.
_STEPS: dict[tuple[str, str], tuple[int, Step]] = {
    (OPENING, "face"): (1, _face),
    (TURN, "draw"): (0, _draw),
    (TURN, "flip"): (1, _flip),
    (TURN, "move"): (2, _move),
    (TURN, "wasabi"): (2, _wasabi),
    (DRAW, "lay"): (3, _lay),
}
