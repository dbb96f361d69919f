"""Maka Bana's answers to the questions of `protocol.Game`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.makabana import legal, play, position, views
from companion.games.makabana import state as states
from companion.games.makabana.score import score
from companion.games.makabana.setup import GAME, default_header
from companion.games.makabana.state import OVER, PLAN, State
from companion.games.protocol import Action, Expected, Json, Outcome, Refusal, Score


class MakaBana:
    """The game as the rest of the program knows it. It keeps nothing: all there is to know is in the state."""

    name = GAME

    def default_header(self, rules: str, people: int) -> dict[str, Json]:
        return default_header(rules, people)

    def start(self, header: Mapping[str, Json]) -> State:
        return states.start(header)

    def header(self, state: State) -> dict[str, Json]:
        return state.setup.header()

    def seats(self, state: State) -> tuple[str, ...]:
        return state.setup.seats

    def actors(self, state: State) -> tuple[str, ...]:
        return tuple([state.setup.seats[seat] for seat in states.acting_seats(state)])

    def legal_actions(self, state: State, seat: str) -> Sequence[Action]:
        return legal.legal_actions(state, state.setup.seat_index[seat])

    def apply(self, state: State, action: Action) -> State | Refusal:
        return play.apply(state, action)

    def view(self, state: State, seat: str | None) -> dict[str, Json]:
        return views.view(state, seat)

    def witness(self, action: Action, seat: str | None) -> Action:
        return views.witness(action, seat)

    def binding(self, before: State, action: Action, after: State) -> Refusal | None:
        clues_shown = before.phase == PLAN != after.phase
        if clues_shown or action.verb in ("reveal", "denounce"):
            return Refusal("secrets_shown", {"seat": action.seat, "verb": action.verb})
        return None

    def expected(self, state: State) -> Expected:
        return states.expected(state)

    def position(self, state: State) -> dict[str, Json]:
        return position.position_of(state)

    def score(self, state: State) -> Score:
        return score(state.setup, state.huts, state.clubs)

    def score_position(self, data: Json) -> Score:
        found = position.parse_position(data)
        return score(found.setup, found.huts, found.clubs)

    def outcome(self, state: State) -> Outcome | None:
        if state.phase != OVER or state.final is None:
            return None
        return Outcome(state.final, self.score(state))
