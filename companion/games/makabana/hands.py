"""What hands do at the table: pieces put on the board, a button pressed, cards laid in a tray."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from companion.games.makabana import legal
from companion.games.makabana.plans import SHOW, Plan, parse_plan
from companion.games.makabana.setup import Setup
from companion.games.makabana.state import AMENDS, DENOUNCE, OPENING, PLAN, REALISE, TIKI, State, acting_seats
from companion.games.protocol import Action, TrayReading

_BY_HAND = {OPENING: ("hut",), TIKI: ("tiki",), REALISE: ("build", "club", "paint"), AMENDS: ("repaint",)}
_BY_BUTTON = {REALISE: ("reveal",), DENOUNCE: ("denounce",)}


def places(state: State) -> tuple[str, ...]:
    return (*state.setup.sites, *state.setup.club_places)


def components(state: State) -> Mapping[tuple[str, str], int]:
    """Every piece that comes out of the box for this game."""
    rules, found = state.setup.rules, {}
    for colour in state.setup.colours:
        found["hut", colour] = rules.huts_per_colour
        found["tiki", colour] = 1
        if rules.clubs:
            found["club", colour] = rules.clubs_per_seat * rules.seats_per_colour
    return found


def colour_of(state: State, seat: str) -> str:
    return state.setup.colour_of[state.setup.seat_index[seat]]


def hand_actions(state: State) -> Sequence[Action]:
    """The legal actions that show on the board when hands do them."""
    verbs = _BY_HAND.get(state.phase, ())
    found = [legal.legal_actions(state, seat) for seat in acting_seats(state)] if verbs else []
    return [action for actions in found for action in actions if action.verb in verbs]


def button_actions(state: State, seat: str) -> Sequence[Action]:
    """Reveal at one's turn; a denunciation while those are open."""
    verbs = _BY_BUTTON.get(state.phase, ())
    found = legal.legal_actions(state, state.setup.seat_index[seat]) if verbs else ()
    return [action for action in found if action.verb in verbs]


def tray_actions(state: State, seat: str, cards: Sequence[str]) -> TrayReading:
    """The plans that the cards in a tray may be; the first lies face up. A card with two beaches may lie either way."""
    if state.phase != PLAN or not cards:
        return TrayReading((), False)
    ways = product(*(_both_ways(state.setup, card) for card in cards))
    plans = [Action(seat, "plan", (*way, SHOW, way[0])) for way in ways]
    meant = {_written(action, plan): plan for action in plans if (plan := _plan(state, action)) is not None}
    return TrayReading(tuple(sorted(meant)), any(not plan.design.faults for plan in meant.values()))


def _both_ways(setup: Setup, card: str) -> Sequence[str]:
    """A beach card names one beach per island, all with its letter: those in play are what it can mean."""
    if card in setup.card_kinds and (setup.card_kinds[card] != "beach" or not setup.has_two_way_cards):
        return (card,)
    return [other for other in setup.cards_of_kind["beach"] if other[0] == card[0]]


def _plan(state: State, action: Action) -> Plan | None:
    plan = parse_plan(state.setup, action.args)
    return plan if isinstance(plan, Plan) else None


def _written(action: Action, plan: Plan) -> Action:
    """The same plan in the order in which plans are written, so that equal plans are equal actions."""
    return action._replace(args=(*plan.cards, SHOW, plan.clue or ""))


def is_open(state: State, seat: str) -> bool | None:
    index = state.setup.seat_index[seat]
    return None if state.plans[index] is None else state.revealed[index]
