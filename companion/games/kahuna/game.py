"""Kahuna's answers to the questions of `protocol.Game`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.kahuna import hands, legal, play, setup, views
from companion.games.kahuna import position as positions
from companion.games.kahuna import state as states
from companion.games.kahuna.rules import PEOPLE, RULE_SETS
from companion.games.kahuna.score import score
from companion.games.kahuna.state import State
from companion.games.protocol import Action, Json, Outcome, Refusal, Score, never_turned, open_to_all


class Kahuna:
    """The game as the rest of the program knows it. It keeps nothing: all there is to know is in the state."""

    name = setup.GAME
    rule_sets: Mapping[str, Sequence[int]] = {rules: (PEOPLE,) for rules in RULE_SETS}

    default_header = staticmethod(setup.default_header)
    start = staticmethod(states.start)
    legal_actions = staticmethod(legal.legal_actions)
    odds = staticmethod(legal.odds)
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
        return state.setup.colours

    def actors(self, state: State) -> tuple[str, ...]:
        actor = legal.acting(state)
        return () if actor is None else (actor,)

    def binding(self, before: State, action: Action, after: State) -> Refusal | None:
        if action.verb == "draw":
            return Refusal("chance_has_spoken", {"verb": action.verb})
        return None

    def score(self, state: State) -> Score:
        return score(state.setup, state.won, state.bridges, state.stones)

    def score_position(self, data: Json) -> Score:
        found = positions.parse_position(data)
        return score(found.setup, found.won, found.bridges, found.stones)

    def outcome(self, state: State) -> Outcome | None:
        return Outcome(state.ended_by, self.score(state)) if state.ended_by else None
