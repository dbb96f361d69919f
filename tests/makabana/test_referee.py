"""The engine against the referee of `tests/reference`, a second reading of the rules written without looking at it."""

from __future__ import annotations

import random
from copy import deepcopy

import pytest

from companion.games.makabana.state import PLAN
from companion.games.protocol import Action, Refusal
from companion.players.random_player import random_action
from tests.makabana.support import BOARD_FILES, CONFIGURATIONS, GAME, new_game, random_position, random_slip
from tests.reference import scorer
from tests.reference.referee import Referee

GAMES_EACH = 12
POSITIONS = 10_000


def differences(state, referee) -> list[str]:
    """Where the engine and the referee see the game differently."""
    reserves = dict(zip(state.setup.colours, state.reserves, strict=True))
    pairs = {
        "position": (GAME.position(state), referee.position()),
        "reserves": (reserves, referee.reserves()),
        "phase": (state.phase, referee.phase),
        "round": (state.round, referee.round),
        "final": (state.final is not None, referee.final),
        "waits for": (set(GAME.actors(state)), referee.waiting_for()),
    }
    return [f"{what}: {ours} != {theirs}" for what, (ours, theirs) in pairs.items() if ours != theirs]


@pytest.mark.parametrize(("rules", "people"), CONFIGURATIONS)
def test_engine_and_referee_play_the_same_games(rules, people):
    for seed in range(GAMES_EACH):
        rng = random.Random(f"{rules}/{people}/{seed}")
        options = {"options": {"protect_only_when_threatened": seed % 3 > 0}} if rules == "2003" else {}
        state = new_game(rules, people, **options)
        referee = Referee(GAME.header(state), BOARD_FILES)
        while GAME.actors(state):
            action = random_action(GAME, state, rng) if rng.random() < 0.6 else random_slip(state, rng)
            result = GAME.apply(state, action)
            assert referee.play(action.text) == (not isinstance(result, Refusal)), (
                seed,
                state.number,
                action.text,
                result,
            )
            if not isinstance(result, Refusal):
                state = result
                assert not differences(state, referee), (seed, action.text)


@pytest.mark.parametrize(("rules", "people"), CONFIGURATIONS)
def test_the_legal_list_is_all_the_referee_accepts(rules, people):
    """Every conceivable action, tried on the referee, at moments of a game chosen by chance."""
    rng = random.Random(f"universe/{rules}/{people}")
    state = new_game(rules, people)
    referee = Referee(GAME.header(state), BOARD_FILES)
    while GAME.actors(state):
        if state.phase != PLAN and rng.random() < 0.04:
            legal = {action for seat in GAME.seats(state) for action in GAME.legal_actions(state, seat)}
            accepted = {action for action in _universe(state) if deepcopy(referee).play(action.text)}
            assert legal == accepted, state.number
        action = random_action(GAME, state, rng)
        referee.play(action.text)
        state = GAME.apply(state, action)


def _universe(state):
    """Every action anyone could utter in this phase but plans."""
    setup = state.setup
    places = setup.sites + setup.club_places
    for seat in setup.seats if state.phase == "denounce" else GAME.actors(state):
        for verb in ("withdraw", "close", "accept", "decline", "reveal", "done"):
            yield Action(seat, verb)
        for verb in ("hut", "tiki", "build", "paint", "club", "repaint", "offer"):
            yield from (Action(seat, verb, (place,)) for place in places)
        yield from (Action(seat, "denounce", (other,)) for other in setup.seats)


def test_both_scorers_agree_on_ten_thousand_positions():
    rng = random.Random("positions")
    for number in range(POSITIONS):
        rules, people = CONFIGURATIONS[number % len(CONFIGURATIONS)]
        position = random_position(rules, people, rng)
        ours = GAME.score_position(position).to_json()
        theirs = scorer.score(position, [BOARD_FILES[name] for name in position["boards"]])
        assert {key: ours[key] for key in theirs} == theirs, position
