"""Maka Bana's answers to the questions of `protocol.Game`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.makabana import hands, legal, play, setup, views
from companion.games.makabana import position as positions
from companion.games.makabana import state as states
from companion.games.makabana.rules import RULE_SETS
from companion.games.makabana.score import score
from companion.games.makabana.state import OVER, PLAN, State
from companion.games.protocol import Action, Json, Outcome, Refusal, Score, never_turned, open_to_all


class MakaBana:
    """The game as the rest of the program knows it. It keeps nothing: all there is to know is in the state."""

    name = setup.GAME
    rule_sets: Mapping[str, Sequence[int]] = {
        name: tuple(setup.people_allowed(rules)) for name, rules in RULE_SETS.items()
    }

    default_header = staticmethod(setup.default_header)
    start = staticmethod(states.start)
    apply = staticmethod(play.apply)
    view = staticmethod(views.view)
    witness = staticmethod(views.witness)
    expected = staticmethod(states.expected)
    shown = staticmethod(open_to_all(states.expected))
    places = staticmethod(hands.places)
    components = staticmethod(hands.components)
    component_of = staticmethod(never_turned)
    colour_of = staticmethod(hands.colour_of)
    hand_actions = staticmethod(hands.hand_actions)
    button_actions = staticmethod(hands.button_actions)
    tray_actions = staticmethod(hands.tray_actions)
    is_open = staticmethod(hands.is_open)
    position = staticmethod(positions.position_of)
    position_with = staticmethod(positions.position_with)

    def header(self, state: State) -> dict[str, Json]:
        return state.setup.header()

    def seats(self, state: State) -> tuple[str, ...]:
        return state.setup.seats

    def actors(self, state: State) -> tuple[str, ...]:
        seats = state.setup.seats
        return tuple([seats[seat] for seat in states.acting_seats(state)])

    def legal_actions(self, state: State, seat: str) -> Sequence[Action]:
        index = state.setup.seat_index.get(seat)
        return () if index is None else legal.legal_actions(state, index)

    def odds(self, state: State) -> Mapping[Action, int]:
        return {}  # nothing in Maka Bana is left to chance

    def binding(self, before: State, action: Action, after: State) -> Refusal | None:
        clues_shown = before.phase == PLAN != after.phase
        if clues_shown or action.verb in ("reveal", "denounce"):
            return Refusal("secrets_shown", {"seat": action.seat, "verb": action.verb})
        return None

    def score(self, state: State) -> Score:
        return score(state.setup, state.huts, state.clubs)

    def score_position(self, data: Json) -> Score:
        found = positions.parse_position(data)
        return score(found.setup, found.huts, found.clubs)

    def outcome(self, state: State) -> Outcome | None:
        if state.phase != OVER or state.final is None:
            return None
        return Outcome(state.final, self.score(state))
