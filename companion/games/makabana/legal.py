"""What stands in the way of a deed, where a tiki or a hut may stand, and from these the legal actions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from companion.games.makabana.plans import BUILD, PAINT_OR_BUILD, Plan, plans_anywhere, site_plans, tricky_plans
from companion.games.makabana.setup import CLUB, CLUB_PREFIX, PAINT
from companion.games.makabana.state import (
    AMENDS,
    DENOUNCE,
    OPENING,
    PLAN,
    REALISE,
    TIKI,
    State,
    is_acting,
    seat_at,
)
from companion.games.protocol import Action, Event

# What stands in the way, or None. The same answer refuses a deed, explains a failure, and makes the legal list.


def build_obstacle(state: State, seat: int, site: str) -> Event | None:
    if site in state.huts:
        return Event("site_taken", {"site": site, "owner": state.huts[site]})
    if site in state.tikis:
        return Event("tiki_on_site", {"site": site, "owner": state.tikis[site]})
    if not state.reserves[state.setup.colour_index[seat]]:
        return Event("reserve_empty")
    return None


def paint_obstacle(state: State, seat: int, site: str) -> Event | None:
    owner = state.huts.get(site)
    if state.final is not None:
        return Event("builds_only")
    if owner is None:
        return Event("no_hut_there", {"site": site})
    if owner == state.setup.colour_of[seat]:
        return Event("own_hut", {"site": site})
    if site in state.tikis:  # only the owner's can stand there
        return Event("hut_protected", {"site": site, "owner": owner})
    if not state.reserves[state.setup.colour_index[seat]]:
        return Event("reserve_empty")
    return None


def club_obstacle(state: State, seat: int, site: str) -> Event | None:
    """`site` is the own hut that the plan names; the club goes to its beach."""
    beach = state.setup.beach_of[site]
    if state.final is not None:
        return Event("builds_only")
    owner = state.huts.get(site)
    if owner is None:
        return Event("no_hut_there", {"site": site})
    if owner != state.setup.colour_of[seat]:
        return Event("hut_not_yours", {"site": site, "owner": owner})
    if beach in state.clubs:
        return Event("club_taken", {"beach": beach, "owner": state.clubs[beach]})
    if CLUB_PREFIX + beach in state.tikis:
        return Event("tiki_on_club", {"beach": beach, "owner": state.tikis[CLUB_PREFIX + beach]})
    return None


OBSTACLES: dict[str, Callable[[State, int, str], Event | None]] = {
    "build": build_obstacle,
    "club": club_obstacle,
    "paint": paint_obstacle,
}


def opening_obstacle(state: State, seat: int, site: str) -> Event | None:
    if site in state.huts:
        return Event("site_taken", {"site": site, "owner": state.huts[site]})
    first = state.first_huts[seat]
    if first is None:
        return None
    if state.setup.beach_of[site] == state.setup.beach_of[first]:
        return Event("beach_of_first_hut", {"site": site, "first": first})
    if site in state.setup.neighbours[first]:
        return Event("next_to_first_hut", {"site": site, "first": first})
    return None


def tiki_obstacle(state: State, seat: int, place: str) -> Event | None:
    if place in state.tikis:
        return Event("tiki_there", {"place": place, "owner": state.tikis[place]})
    if place.startswith(CLUB_PREFIX):
        beach = place.removeprefix(CLUB_PREFIX)
        return Event("club_there", {"place": place, "owner": state.clubs[beach]}) if beach in state.clubs else None
    owner = state.huts.get(place)
    if owner is None:
        return None
    if owner != state.setup.colour_of[seat]:
        return Event("hut_not_yours", {"site": place, "owner": owner})
    return None if may_protect(state, seat) else Event("not_threatened", {"site": place})


def may_protect(state: State, seat: int) -> bool:
    """Ruling 8: in 2003 a tiki stands behind an own hut only while an opponent shows a Paint."""
    if not state.setup.protect_only_when_threatened:
        return True
    colours = state.setup.colour_of
    return any(plan is not None and plan.paints and colours[i] != colours[seat] for i, plan in enumerate(state.plans))


def deeds_left(state: State, seat: int, plan: Plan) -> tuple[bool, bool, bool]:
    """Whether the plan still has the cards and the right to build, to found a club, to paint."""
    design = plan.design
    more = state.deeds < design.deeds
    special = more and state.final is None
    return more, special and design.club and state.club_cards[seat] > 0, special and state.painted < design.paints


def possible_deeds(state: State, seat: int) -> Iterator[Action]:
    """The deeds a revealed plan can still do, sorted."""
    plan = state.plans[seat]
    assert plan is not None
    for verb, allowed in zip(OBSTACLES, deeds_left(state, seat, plan), strict=True):
        if allowed:
            actions, obstacle = state.setup.place_actions(verb, seat), OBSTACLES[verb]
            for site in plan.design.reach:
                if obstacle(state, seat, site) is None:
                    yield actions[site]


def legal_actions(state: State, seat: int) -> Sequence[Action]:
    """The sound actions of a seat, sorted. A sound plan names a site and, but in Mao, suits the board as it is now."""
    if is_acting(state, seat):
        return _BY_PHASE[state.phase](state, seat)
    if state.phase == PLAN:
        return (Action(state.setup.seats[seat], "withdraw"),)
    return ()


def _opening(state: State, seat: int) -> Sequence[Action]:
    setup, first = state.setup, state.first_huts[seat]
    blocked = set(state.huts).union(setup.club_places)
    if first is not None:
        blocked.update(setup.neighbours[first], setup.beach_sites[setup.beach_of[first]])
    return [action for site, action in setup.place_actions("hut", seat).items() if site not in blocked]


def _plans(state: State, seat: int) -> Sequence[Action]:
    setup, huts = state.setup, state.huts
    rules, mine = setup.rules, setup.colour_of[seat]
    if rules.tricky:
        return tricky_plans(setup, seat, state.paints[seat], state.club_cards[seat])
    may_paint = state.paints[seat] > 0 and state.final is None
    paint_plans = site_plans(setup, seat, PAINT) if may_paint else {}
    club_plans = site_plans(setup, seat, CLUB) if state.club_cards[seat] and state.final is None else {}
    # The plans of an empty board, with those of each hut's site exchanged, from the last to the first.
    aims = PAINT_OR_BUILD if may_paint and rules.paint_aims_anywhere else BUILD
    found = list(plans_anywhere(setup, seat, aims))
    width = len(found) // len(setup.sites)
    sites, beach_of, founded = setup.sites, setup.beach_of, state.clubs
    for index in sorted(map(setup.site_index.__getitem__, huts), reverse=True):
        site = sites[index]
        plans: tuple[Action, ...] = ()
        if huts[site] != mine:
            plans = paint_plans.get(site, ())
        elif beach_of[site] not in founded:
            plans = club_plans.get(site, ())
        start = index * width
        found[start : start + width] = plans
    return found or plans_anywhere(setup, seat, BUILD)  # with nothing left to hope for, one still lays three cards


def _denounce(state: State, seat: int) -> Sequence[Action]:
    name = state.setup.seats[seat]
    close = [Action(name, "close")] if seat == state.first else []
    return close + [Action(name, "denounce", (other,)) for other in sorted(state.setup.seats) if other != name]


def _amends(state: State, seat: int) -> Sequence[Action]:
    amends, name = state.amends, state.setup.seats[seat]
    assert amends is not None
    if amends.offered is not None:
        return [Action(name, "accept"), Action(name, "decline")]
    verb, owner = ("repaint", amends.accused) if amends.accuser_repaints else ("offer", amends.accuser)
    colour, actions = state.setup.colour_of[owner], state.setup.place_actions(verb, seat)
    return [actions[site] for site in state.setup.sites if state.huts.get(site) == colour]


def _tikis(state: State, seat: int) -> Sequence[Action]:
    mine = state.setup.colour_of[seat] if may_protect(state, seat) else None
    blocked = {site for site, owner in state.huts.items() if owner != mine}
    blocked.update(state.tikis)
    blocked.update([CLUB_PREFIX + beach for beach in state.clubs])
    return [action for place, action in state.setup.place_actions("tiki", seat).items() if place not in blocked]


def _realise(state: State, seat: int) -> Sequence[Action]:
    if not state.revealed[seat]:
        return state.setup.reveal_actions[seat]
    return sorted([*possible_deeds(state, seat), Action(state.setup.seats[seat], "done")])


_BY_PHASE: dict[str, Callable[[State, int], Sequence[Action]]] = {
    OPENING: _opening,
    PLAN: _plans,
    DENOUNCE: _denounce,
    AMENDS: _amends,
    TIKI: _tikis,
    REALISE: _realise,
}


def tiki_turn(state: State, turn: int) -> int | None:
    """The next step from this one on at which a seat still in the round can place a tiki; None when all have."""
    setup = state.setup
    for step in range(turn, len(setup.colours)):  # in team play only the first half of the table places
        seat = seat_at(state, step)
        if seat != state.out and (len(state.huts) + len(state.tikis) < len(setup.sites) or _tikis(state, seat)):
            return step
    return None


def realise_turn(state: State, turn: int) -> int | None:
    """The next step from this one on at which a seat still in the round reveals; None when all have."""
    if turn < len(state.plans) and seat_at(state, turn) == state.out:
        turn += 1
    return turn if turn < len(state.plans) else None
