"""How a game of Maka Bana goes on: `apply` and the one function behind each verb."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.games.makabana.adjust import adjusted
from companion.games.makabana.legal import (
    OBSTACLES,
    deeds_left,
    opening_obstacle,
    possible_deeds,
    realise_turn,
    tiki_obstacle,
    tiki_turn,
)
from companion.games.makabana.plans import Plan, parse_plan
from companion.games.makabana.rounds import brought_forward, final_round_cause
from companion.games.makabana.state import (
    AMENDS,
    DENOUNCE,
    NOBODY,
    OPENING,
    OVER,
    PLAN,
    REALISE,
    TIKI,
    Amends,
    State,
    acting_seats,
    is_acting,
    seat_at,
)
from companion.games.protocol import ADJUST, END, TABLE, Action, Event, Refusal, plain

Step = Callable[[State, int, str], State | Refusal]


def apply(state: State, action: Action) -> State | Refusal:
    """The state after the action, or why the rules refuse it."""
    name, verb, args = action
    seat = state.setup.seat_index.get(name)
    if seat is None:
        if (name, verb) == (TABLE, ADJUST):
            return _adjust(state, args)
        if (name, verb, args) == (TABLE, END, ()):
            return _end_here(state)
        return Refusal("seat_unknown", {"seat": name, "seats": list(state.setup.seats)})
    if verb == "plan" and state.phase == PLAN:
        return _lay_plan(state, seat, args)
    step = _STEPS.get((state.phase, verb))
    if step is None:
        return Refusal("not_now", {"seat": name, "verb": verb, "phase": state.phase})
    if len(args) != (verb in _VERBS_WITH_ARGUMENT):
        return Refusal("wrong_arguments", {"seat": name, "verb": verb, "args": list(args)})
    if verb != "withdraw" and not is_acting(state, seat):
        return Refusal(
            "not_your_turn", {"seat": name, "waits_for": [state.setup.seats[i] for i in acting_seats(state)]}
        )
    return step(state, seat, args[0] if args else "")


def _next(state: State, *events: Event, **changes: Any) -> State:
    """The state one action further, with its events told."""
    changes["number"] = state.number + 1
    changes["events"] = events
    changes["story"] = state.story + events
    return state.but(changes)


def _also(state: State, *events: Event, **changes: Any) -> State:
    """The same action's further consequences."""
    changes["events"] = state.events + events
    changes["story"] = state.story + events
    return state.but(changes)


def _put(values: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    return (*values[:index], value, *values[index + 1 :])


def _name(state: State, seat: int) -> str:
    return state.setup.seats[seat]


def _adjust(state: State, args: tuple[str, ...]) -> State | Refusal:
    """The people agree that the board is right."""
    changes = adjusted(state, args)
    if isinstance(changes, Refusal):
        return changes
    pairs = dict(arg.split("=", 1) for arg in args)
    state = _next(state, Event("board_adjusted", {"changes": pairs}), **changes)
    news, further = brought_forward(state)
    return _also(state, *news, **further) if further else state


def _end_here(state: State) -> State | Refusal:
    """The people agree to stop and count."""
    if state.phase == OVER:
        return Refusal("not_now", {"seat": TABLE, "verb": END, "phase": state.phase})
    return _next(state, Event("ended_here", {"round": state.round}), phase=OVER, amends=None)


# Opening


def _hut(state: State, seat: int, site: str) -> State | Refusal:
    if site not in state.setup.site_set:
        return Refusal("site_unknown", {"site": site})
    if obstacle := opening_obstacle(state, seat, site):
        return Refusal(*obstacle)
    first_huts = state.first_huts
    if first_huts[seat] is None:
        first_huts = _put(first_huts, seat, site)
    colour = state.setup.colour_index[seat]
    state = _next(
        state,
        Event("hut_placed", {"seat": _name(state, seat), "site": site}),
        turn=state.turn + 1,
        huts={**state.huts, site: state.setup.colours[colour]},
        reserves=_put(state.reserves, colour, state.reserves[colour] - 1),
        first_huts=first_huts,
    )
    if state.turn == state.setup.rules.opening_huts * len(state.setup.seats):
        return _also(state, Event("round_begins", {"round": 1}), phase=PLAN, round=1, turn=0)
    return state


# Plans


def _lay_plan(state: State, seat: int, args: tuple[str, ...]) -> State | Refusal:
    plan = parse_plan(state.setup, args)
    if isinstance(plan, Refusal):
        return Refusal(plan.code, plain(plan.data))  # a copy, since the cache keeps the original
    if plan.paints > state.paints[seat]:
        return Refusal("card_spent", {"card": "Paint", "left": state.paints[seat]})
    if plan.clubs > state.club_cards[seat]:
        return Refusal("card_spent", {"card": "Club", "left": 0})
    if state.plans[seat] is not None:
        return Refusal("plan_laid_already", {"seat": _name(state, seat)})
    if state.story and not any(state.plans):  # a new round's story begins
        state = state.but({"story": ()})
    state = _next(state, Event("plan_laid", {"seat": _name(state, seat)}), plans=_put(state.plans, seat, plan))
    return state if None in state.plans else _show_clues(state)


def _withdraw(state: State, seat: int, _: str) -> State | Refusal:
    if state.plans[seat] is None:
        return Refusal("no_plan_to_withdraw", {"seat": _name(state, seat)})
    laid = Event("plan_laid", {"seat": _name(state, seat)})
    story = tuple(event for event in state.story if event != laid)  # or it would grow with every change of mind
    state = _next(state, Event("plan_withdrawn", laid.data), plans=_put(state.plans, seat, None))
    return state.but({"story": story})


def _show_clues(state: State) -> State:
    rules = state.setup.rules
    faces = state.setup.seen_face
    clues = {_name(state, seat): plan.clue and faces[plan.clue] for seat, plan in enumerate(_laid(state))}
    shown = Event("clues_shown", {"clues": clues})
    if rules.tricky:
        return _also(state, shown, phase=DENOUNCE)
    counted = (rules.count_is_public,) * len(state.plans)
    return _begin_tikis(_also(state, shown, counted=counted))


def _laid(state: State) -> list[Plan]:
    return [plan for plan in state.plans if plan is not None]


# Denunciation (Mao)


def _close(state: State, seat: int, _: str) -> State | Refusal:
    if seat != state.first:
        return Refusal("only_first_player", {"first": _name(state, state.first)})
    return _begin_tikis(_next(state, Event("nobody_denounced")))


def _denounce(state: State, accuser: int, accused_name: str) -> State | Refusal:
    accused = state.setup.seat_index.get(accused_name)
    if accused is None:
        return Refusal("seat_unknown", {"seat": accused_name, "seats": list(state.setup.seats)})
    if accused == accuser:
        return Refusal("denounced_oneself", {"seat": accused_name})
    plans = _laid(state)
    just = plans[accused].trickery > plans[accuser].trickery
    counts = {_name(state, seat): len(plans[seat].cards) for seat in (accuser, accused)}
    out = accused if just else accuser
    data = {"accuser": _name(state, accuser), "accused": accused_name, "counts": counts, "out": _name(state, out)}
    counted = _put(_put(state.counted, accuser, True), accused, True)
    state = _next(state, Event("denounced_rightly" if just else "denounced_wrongly", data), out=out, counted=counted)
    if just and state.setup.rules.amends and state.final is None:
        return _begin_amends(state, accuser, accused)
    return _begin_tikis(state)


# Amends (Mao 2003)


def _begin_amends(state: State, accuser: int, accused: int) -> State:
    """The accused's Paint serves now, if the plan held one and the cards of an opponent's hut."""
    plan = _laid(state)[accused]
    if len(plan.cards) <= 3:  # Paint and three coordinates take four cards: nothing to look at
        return _begin_tikis(state)
    state = _show_plan(_also, state, accused, plan)
    colours, huts = state.setup.colour_of, state.huts
    owners = {huts[site] for site in plan.design.reach if site in huts} - {colours[accused]}
    if not plan.paints or not owners:
        return _begin_tikis(state)
    repaints = colours[accuser] in owners
    giver = accused if repaints else accuser
    if colours[giver] not in huts.values():  # reserves are never empty before the final round
        return _begin_tikis(_also(state, Event("amends_impossible", {"giver": _name(state, giver)})))
    code = "amends_due" if repaints else "offer_due"
    due = Event(code, {"accuser": _name(state, accuser), "accused": _name(state, accused)})
    return _also(state, due, phase=AMENDS, amends=Amends(accuser, accused, repaints))


def _repaint(state: State, seat: int, site: str) -> State | Refusal:
    amends = state.amends
    assert amends is not None
    if not amends.accuser_repaints:
        return Refusal("not_now", {"seat": _name(state, seat), "verb": "repaint", "phase": state.phase})
    if refusal := _not_a_hut_of(state, amends.accused, site):
        return refusal
    return _begin_tikis(_swap_hut(_next(state), seat, site, paint_of=amends.accused))


def _offer(state: State, seat: int, site: str) -> State | Refusal:
    amends = state.amends
    assert amends is not None
    if amends.accuser_repaints or amends.offered is not None:
        return Refusal("not_now", {"seat": _name(state, seat), "verb": "offer", "phase": state.phase})
    if refusal := _not_a_hut_of(state, seat, site):
        return refusal
    offered = Event("hut_offered", {"seat": _name(state, seat), "site": site, "accused": _name(state, amends.accused)})
    return _next(state, offered, amends=amends._replace(offered=site))


def _accept(state: State, seat: int, _: str) -> State | Refusal:
    if state.amends is None or state.amends.offered is None:
        return Refusal("not_now", {"seat": _name(state, seat), "verb": "accept", "phase": state.phase})
    return _begin_tikis(_swap_hut(_next(state), seat, state.amends.offered, paint_of=seat))


def _decline(state: State, seat: int, _: str) -> State | Refusal:
    if state.amends is None or state.amends.offered is None:
        return Refusal("not_now", {"seat": _name(state, seat), "verb": "decline", "phase": state.phase})
    return _begin_tikis(
        _next(state, Event("offer_declined", {"seat": _name(state, seat), "site": state.amends.offered}))
    )


def _not_a_hut_of(state: State, seat: int, site: str) -> Refusal | None:
    if site not in state.setup.site_set:
        return Refusal("site_unknown", {"site": site})
    owner = state.setup.colour_of[seat]
    if state.huts.get(site) != owner:
        return Refusal("not_a_hut_of", {"site": site, "owner": owner})
    return None


# Tikis


def _begin_tikis(state: State) -> State:
    return _go_on_with_tikis(state, 0)


def _go_on_with_tikis(state: State, turn: int) -> State:
    """From this step on, the next seat to place a tiki; after the last, the plans."""
    next_turn = tiki_turn(state, turn)
    if next_turn is None:
        return _go_on_with_plans(state.but({"phase": REALISE, "amends": None}), 0)
    return state.but({"phase": TIKI, "turn": next_turn, "amends": None})


def _tiki(state: State, seat: int, place: str) -> State | Refusal:
    if place not in state.setup.site_set and place not in state.setup.club_places:
        return Refusal("place_unknown", {"place": place})
    if obstacle := tiki_obstacle(state, seat, place):
        return Refusal(*obstacle)
    tikis = {**state.tikis, place: state.setup.colour_of[seat]}
    placed = Event("tiki_placed", {"seat": _name(state, seat), "place": place})
    return _go_on_with_tikis(_next(state, placed, tikis=tikis), state.turn + 1)


# Realisation


def _go_on_with_plans(state: State, turn: int) -> State:
    """From this step on, the next seat to reveal; after the last, the end of the round."""
    next_turn = realise_turn(state, turn)
    if next_turn is None:
        return _end_round(state)
    return state.but({"turn": next_turn, "deeds": 0, "painted": 0})


def _next_plan(state: State) -> State:
    return _go_on_with_plans(state, state.turn + 1)


def _show_plan(change: Callable[..., State], state: State, seat: int, plan: Plan) -> State:
    """The plan lies face up for all, as this action's doing (`_next`) or as a consequence of it (`_also`)."""
    event = Event("revealed", {"seat": _name(state, seat), "cards": list(plan.cards)})
    counted = state.counted if state.counted[seat] else _put(state.counted, seat, True)
    return change(state, event, counted=counted, revealed=_put(state.revealed, seat, True))


def _reveal(state: State, seat: int, _: str) -> State | Refusal:
    if state.revealed[seat]:
        return Refusal("revealed_already", {"seat": _name(state, seat)})
    plan = state.plans[seat]
    assert plan is not None
    state = _show_plan(_next, state, seat, plan)
    design = plan.design
    if design.faults:
        return _next_plan(_come_to_nothing(state, seat, design.faults))
    if design.verb is not None:
        return _next_plan(_do_or_fail(state, seat, design.verb, design.reach[0]))
    if next(possible_deeds(state, seat), None) is None:
        return _next_plan(_come_to_nothing(state, seat, (Event("nothing_possible"),)))
    return state


def _do_or_fail(state: State, seat: int, verb: str, site: str) -> State:
    obstacle = OBSTACLES[verb](state, seat, site)
    if obstacle is None:
        return _DEEDS[verb](state, seat, site)
    because = [obstacle.to_json()]
    return _also(state, Event("failed", {"seat": _name(state, seat), "verb": verb, "site": site, "because": because}))


def _come_to_nothing(state: State, seat: int, because: tuple[Event, ...]) -> State:
    reasons = [reason.to_json() for reason in because]
    return _also(state, Event("void", {"seat": _name(state, seat), "because": reasons}))


def _build(state: State, seat: int, site: str) -> State:
    colour = state.setup.colour_index[seat]
    return _also(
        state,
        Event("built", {"seat": _name(state, seat), "site": site}),
        huts={**state.huts, site: state.setup.colours[colour]},
        reserves=_put(state.reserves, colour, state.reserves[colour] - 1),
    )


def _paint(state: State, seat: int, site: str) -> State:
    return _swap_hut(state, seat, site, paint_of=seat)


def _swap_hut(state: State, painter: int, site: str, paint_of: int) -> State:
    """The hut goes back to its owner's reserve, one of the painter's replaces it, and a Paint card is spent."""
    setup, owner = state.setup, state.huts[site]
    mine, theirs = setup.colour_index[painter], setup.colours.index(owner)
    reserves = _put(state.reserves, mine, state.reserves[mine] - 1)
    return _also(
        state,
        Event("painted", {"seat": _name(state, painter), "site": site, "owner": owner}),
        huts={**state.huts, site: setup.colours[mine]},
        reserves=_put(reserves, theirs, reserves[theirs] + 1),
        paints=_put(state.paints, paint_of, state.paints[paint_of] - 1),
        painted=state.painted + 1,
    )


def _club(state: State, seat: int, site: str) -> State:
    beach = state.setup.beach_of[site]
    return _also(
        state,
        Event("club_founded", {"seat": _name(state, seat), "beach": beach, "site": site}),
        clubs={**state.clubs, beach: state.setup.colour_of[seat]},
        club_cards=_put(state.club_cards, seat, state.club_cards[seat] - 1),
    )


_DEEDS: dict[str, Callable[[State, int, str], State]] = {"build": _build, "club": _club, "paint": _paint}


def _deed(verb: str) -> Step:
    """The step in which a seat carries out one deed of a plan that leaves a choice."""

    def step(state: State, seat: int, site: str) -> State | Refusal:
        plan = state.plans[seat]
        if plan is None or not state.revealed[seat]:
            return Refusal("reveal_first", {"seat": _name(state, seat)})
        allowed = dict(zip(OBSTACLES, deeds_left(state, seat, plan), strict=True))[verb]
        if not allowed or site not in plan.design.reach:
            return Refusal("cards_do_not_allow", {"verb": verb, "site": site, "cards": list(plan.cards)})
        if obstacle := OBSTACLES[verb](state, seat, site):
            return Refusal(*obstacle)
        state = _DEEDS[verb](_next(state), seat, site).but({"deeds": state.deeds + 1})
        return _next_plan(state) if next(possible_deeds(state, seat), None) is None else state

    return step


def _done(state: State, seat: int, _: str) -> State | Refusal:
    if not state.revealed[seat]:
        return Refusal("reveal_first", {"seat": _name(state, seat)})
    return _next_plan(_next(state, Event("deeds_ended", {"seat": _name(state, seat)})))


# End of a round


def _end_round(state: State) -> State:
    if state.final is not None:
        return _also(state, Event("game_over", {"round": state.round}), phase=OVER)
    final = final_round_cause(state)
    nothing = (False,) * len(state.plans)
    news = (Event("round_begins", {"round": state.round + 1}),) + ((final,) if final else ())
    return _also(
        state,
        *news,
        phase=PLAN,
        round=state.round + 1,
        first=seat_at(state, 1),
        turn=0,
        final=final,
        tikis={},
        plans=(None,) * len(state.plans),
        revealed=nothing,
        counted=nothing,
        out=NOBODY,
        deeds=0,
        painted=0,
    )


_STEPS: dict[tuple[str, str], Step] = {
    (OPENING, "hut"): _hut,
    (PLAN, "withdraw"): _withdraw,
    (DENOUNCE, "close"): _close,
    (DENOUNCE, "denounce"): _denounce,
    (AMENDS, "repaint"): _repaint,
    (AMENDS, "offer"): _offer,
    (AMENDS, "accept"): _accept,
    (AMENDS, "decline"): _decline,
    (TIKI, "tiki"): _tiki,
    (REALISE, "reveal"): _reveal,
    (REALISE, "build"): _deed("build"),
    (REALISE, "club"): _deed("club"),
    (REALISE, "paint"): _deed("paint"),
    (REALISE, "done"): _done,
}
_VERBS_WITH_ARGUMENT = frozenset({"hut", "denounce", "repaint", "offer", "tiki", "build", "club", "paint"})
