"""From what a seat sees back to a state of the game: what is known as it is, what is hidden drawn by lot.

`known_state` gives the state with every hidden plan left out; `possible_state` fills those with any cards that would
look the same from outside. Whoever has an opinion about likelier plans fills them in with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from companion.games.makabana.plans import SHOW, Plan, parse_plan, site_plans, tricky_plans
from companion.games.makabana.setup import CLUB, PAINT, Setup, make_setup
from companion.games.makabana.state import NOBODY, OPENING, PLAN, REALISE, TIKI, Amends, State
from companion.games.protocol import Action, Event, Json, Refusal

if TYPE_CHECKING:
    from random import Random

Flags = tuple[bool, ...]  # per seat
_DEEDS = ("built", "painted", "club_founded")
_TRIES = 60
_MOST_CARDS_GUESSED = 5  # of a plan whose size nobody has told


def known_state(view: Mapping[str, Json]) -> State:
    """The state a view shows, without the plans it hides. A view of a table with options has them under `options`."""
    setup = make_setup(view)
    story = _events(view["story"])
    revealed, counted = _shown(setup, view, story)
    deeds, painted = _done_this_turn(view, story)
    return State(
        setup=setup,
        number=view["number"],
        phase=view["phase"],
        round=view["round"],
        first=setup.seat_index[view["first"]],
        turn=_turn(setup, view, story),
        final=_event(view["final"]) if view["final"] else None,
        huts=dict(view["huts"]),
        clubs=dict(view["clubs"]),
        tikis={place: colour for colour, place in view["tikis"].items()},
        reserves=tuple(view["reserves"][colour] for colour in setup.colours),
        paints=tuple(view["cards_left"][seat][PAINT] for seat in setup.seats),
        club_cards=tuple(view["cards_left"][seat][CLUB] for seat in setup.seats),
        first_huts=_first_huts(setup, view, story),
        plans=tuple(_known_plan(setup, view["plans"][seat]) for seat in setup.seats),
        out=NOBODY if view["out"] is None else setup.seat_index[view["out"]],
        amends=_amends(setup, view["amends"]),
        events=_events(view["events"]),
        story=story,
        revealed=revealed,
        counted=counted,
        deeds=deeds,
        painted=painted,
    )


def hidden_seats(view: Mapping[str, Json]) -> list[str]:
    """The seats that have laid a plan whose cards the view does not show."""
    return [seat for seat, seen in view["plans"].items() if seen is not None and seen["cards"] is None]


def possible_state(view: Mapping[str, Json], rng: Random) -> State:
    """A state that looks like the view, its hidden plans drawn from all that fit."""
    state = known_state(view)
    plans = list(state.plans)
    for seat in hidden_seats(view):
        index = state.setup.seat_index[seat]
        plans[index] = possible_plan(state, index, view["plans"][seat], rng)
    return state.but({"plans": tuple(plans)})


def possible_plan(state: State, seat: int, seen: Mapping[str, Json], rng: Random) -> Plan:
    """A plan of the seat that looks like `seen`: a sound one if there is any, else any cards that fit."""
    setup = state.setup
    if setup.rules.tricky:
        return _any_cards(state, seat, seen, rng)
    extras = [None] + [PAINT] * (state.paints[seat] > 0) + [CLUB] * (state.club_cards[seat] > 0)
    lists = chain.from_iterable(site_plans(setup, seat, extra).values() for extra in extras)
    fitting = [
        plan for action in chain.from_iterable(lists) if (plan := _plan(setup, action.args)) and fits(setup, plan, seen)
    ]
    return rng.choice(fitting) if fitting else _any_cards(state, seat, seen, rng)


def fits(setup: Setup, plan: Plan, seen: Mapping[str, Json]) -> bool:
    """Whether the plan would look like this from outside; what is not shown yet is None."""
    if seen["clue"] is not None and (plan.clue is None or setup.seen_face[plan.clue] != seen["clue"]):
        return False
    if seen["count"] is not None and len(plan.cards) != seen["count"]:
        return False
    shown = plan.paints if setup.rules.paint_lies_open else 0
    return seen["open_paints"] is None or shown == seen["open_paints"]


def _any_cards(state: State, seat: int, seen: Mapping[str, Json], rng: Random) -> Plan:
    """Cards of the seat's hand that look like this, preferably such as make sense."""
    setup = state.setup
    rules = setup.rules
    sound = tricky_plans(setup, seat, state.paints[seat], state.club_cards[seat]) if rules.tricky else ()
    found: Plan | None = None
    for _ in range(_TRIES):
        plan = _plan(setup, _random_cards(state, seat, seen, rng))
        if plan is not None and fits(setup, plan, seen):
            found = plan
            if not plan.design.faults and (not rules.tricky or _action(setup, seat, plan) in sound):
                return plan
    return found or _least_plan(state, seat, seen)


def _random_cards(state: State, seat: int, seen: Mapping[str, Json], rng: Random) -> tuple[str, ...]:
    setup = state.setup
    clues = [card for card, face in setup.seen_face.items() if seen["clue"] in (None, face)]
    hand = _hand(state, seat)
    clue = rng.choice([card for card in clues if card in hand] or hand)
    hand.remove(clue)
    size = seen["count"] if seen["count"] is not None else rng.randint(1, _MOST_CARDS_GUESSED)
    if size == 0:
        return ()
    return (clue, *rng.sample(hand, min(size - 1, len(hand))), SHOW, clue)


def _least_plan(state: State, seat: int, seen: Mapping[str, Json]) -> Plan:
    """The clue and the open Paints, filled up from the hand in order: looks right, whatever it is good for."""
    setup, hand = state.setup, _hand(state, seat)
    clue = next((card for card in hand if setup.seen_face[card] == seen["clue"]), None)
    if clue is None:
        return _no_plan(setup)
    hand.remove(clue)
    paints = (seen["open_paints"] or 0) - (clue == PAINT)
    others = [card for card in hand if card != PAINT and setup.seen_face[card] != seen["clue"]]
    cards = (clue, *[PAINT] * paints, *others)[: seen["count"] or 1 + paints]
    return _plan(setup, (*cards, SHOW, clue)) or _no_plan(setup)


def _no_plan(setup: Setup) -> Plan:
    """The plan of somebody who laid no card."""
    plan = parse_plan(setup, ())
    assert isinstance(plan, Plan)
    return plan


def _hand(state: State, seat: int) -> list[str]:
    cards = [card for card in state.setup.card_kinds if card not in (PAINT, CLUB)]
    return cards + [CLUB] * state.club_cards[seat] + [PAINT] * state.paints[seat]


def _plan(setup: Setup, args: tuple[str, ...]) -> Plan | None:
    plan = parse_plan(setup, args)
    return None if isinstance(plan, Refusal) else plan


def _action(setup: Setup, seat: int, plan: Plan) -> Action:
    return Action(setup.seats[seat], "plan", (*plan.cards, SHOW, str(plan.clue)))


def _known_plan(setup: Setup, seen: Mapping[str, Json] | None) -> Plan | None:
    if seen is None or seen["cards"] is None:
        return None
    cards = tuple(seen["cards"])
    return _plan(setup, (*cards, SHOW, str(seen["clue"])) if cards else ())


def _event(data: Mapping[str, Json]) -> Event:
    return Event(data["code"], {key: value for key, value in data.items() if key != "code"})


def _events(rows: Sequence[Mapping[str, Json]]) -> tuple[Event, ...]:
    return tuple(_event(row) for row in rows)


def _turn(setup: Setup, view: Mapping[str, Json], story: tuple[Event, ...]) -> int:
    """How far the phase has gone round the table."""
    if view["phase"] == OPENING:
        return sum(event.code == "hut_placed" for event in story)
    if view["phase"] not in (TIKI, REALISE):
        return 0
    return (setup.seat_index[view["waits_for"][0]] - setup.seat_index[view["first"]]) % len(setup.seats)


def _first_huts(setup: Setup, view: Mapping[str, Json], story: tuple[Event, ...]) -> tuple[str | None, ...]:
    """Who opened where. Only the opening asks, and its story tells."""
    first: dict[str, str] = {}
    for event in story:
        if event.code == "hut_placed":
            first.setdefault(event.data["seat"], event.data["site"])
    return tuple(first.get(seat) for seat in setup.seats)


def _amends(setup: Setup, seen: Mapping[str, Json] | None) -> Amends | None:
    if seen is None:
        return None
    seats = setup.seat_index
    return Amends(seats[seen["accuser"]], seats[seen["accused"]], seen["repaints"], seen["offered"])


def _shown(setup: Setup, view: Mapping[str, Json], story: tuple[Event, ...]) -> tuple[Flags, Flags]:
    """Whose plans lie face up, and whose numbers of cards are known to all."""
    if view["phase"] == PLAN:  # the story may still be that of the round before
        nothing = (False,) * len(setup.seats)
        return nothing, nothing
    revealed = {event.data["seat"] for event in story if event.code == "revealed"}
    counted = {seat for event in story if event.code.startswith("denounced_") for seat in event.data["counts"]}
    if setup.rules.count_is_public and view["phase"] != OPENING:
        counted.update(setup.seats)
    counted |= revealed
    return tuple(seat in revealed for seat in setup.seats), tuple(seat in counted for seat in setup.seats)


def _done_this_turn(view: Mapping[str, Json], story: tuple[Event, ...]) -> tuple[int, int]:
    """The deeds, and the paints among them, of the seat whose plan lies open and waits for its owner's choice."""
    if view["phase"] != REALISE:
        return 0, 0
    seat = view["waits_for"][0]
    shown = [index for index, event in enumerate(story) if event.code == "revealed" and event.data["seat"] == seat]
    since = [event.code for event in story[shown[-1] :] if event.code in _DEEDS] if shown else []
    return len(since), since.count("painted")
