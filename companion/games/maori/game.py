"""Māori's answers to the questions of `protocol.Game`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.maori import hands, legal, play, setup, views
from companion.games.maori import position as positions
from companion.games.maori import state as states
from companion.games.maori.rules import RULE_SETS
from companion.games.maori.score import Holdings, score
from companion.games.maori.state import OVER, State
from companion.games.protocol import CHANCE, Action, Json, Outcome, Refusal, Score, open_to_all


class Maori:
    """The game as the rest of the program knows it. It keeps nothing: all there is to know is in the state."""

    name = setup.GAME
    rule_sets: Mapping[str, Sequence[int]] = {rules.name: rules.people for rules in RULE_SETS.values()}

    default_header = staticmethod(setup.default_header)
    start = staticmethod(states.start)
    actors = staticmethod(states.actors)
    apply = staticmethod(play.apply)
    view = staticmethod(views.view)
    witness = staticmethod(views.witness)
    expected = staticmethod(states.expected)
    shown = staticmethod(open_to_all(states.expected))
    places = staticmethod(hands.places)
    components = staticmethod(hands.components)
    component_of = staticmethod(hands.component_of)
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

    def legal_actions(self, state: State, seat: str) -> Sequence[Action]:
        return legal.legal_actions(state, seat)

    def odds(self, state: State) -> Mapping[Action, int]:
        return {action: 1 for action in legal.legal_actions(state, CHANCE)}  # every tile is there once

    def binding(self, before: State, action: Action, after: State) -> Refusal | None:
        return None  # nothing is secret here; a refill that follows binds by itself

    def score(self, state: State) -> Score:
        seats = state.setup.seats
        laid, shells = dict(zip(seats, state.laid, strict=True)), dict(zip(seats, state.shells, strict=True))
        return score(state.setup, Holdings(laid, shells))

    def score_position(self, data: Json) -> Score:
        found = positions.parse_position(data)
        return score(found.setup, found.holdings())

    def outcome(self, state: State) -> Outcome | None:
        if state.phase != OVER or state.final is None:
            return None
        return Outcome(state.final, self.score(state))
