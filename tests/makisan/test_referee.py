"""The engine against the referee and the scorer of `tests/reference/makisan.py`, a second reading of the rules."""

from __future__ import annotations

import random
from copy import deepcopy

import pytest

from companion.games.makisan.rules import MAKIS, PLACES, SIDES
from companion.games.protocol import Action, Refusal
from companion.players.random_player import random_action
from tests.makisan.support import GAME, RULES, new_game, random_position, random_slip
from tests.reference import makisan as reference

GAMES_EACH = 5
POSITIONS = 3_000


def differences(state, referee) -> list[str]:
    pairs = {
        "position": (GAME.position(state), referee.position()),
        "waits for": (GAME.actors(state), (referee.waits_for(),) if referee.waits_for() else ()),
        "bag": (sorted(state.bag), sorted(referee.bag)),
        "drawn": (state.drawn, referee.hand),
        "round": (state.round, referee.round),
        "first": (state.first, referee.first),
    }
    if GAME.actors(state):  # once the game is over, everybody may look at everything
        pairs |= {seat: (seen_by(state, seat), referee.seen_by(seat)) for seat in SIDES}
    return [f"{what}: {ours} != {theirs}" for what, (ours, theirs) in pairs.items() if ours != theirs]


def seen_by(state, seat):
    return [(maki["south"], maki["north"]) for maki in GAME.view(state, seat)["line"].values()]


@pytest.mark.parametrize("first", SIDES)
@pytest.mark.parametrize("rules", RULES)
def test_engine_and_referee_play_the_same_games(rules, first):
    for seed in range(GAMES_EACH):
        rng = random.Random(f"lockstep/{rules}/{first}/{seed}")
        state = new_game(rules, first)
        referee = reference.Referee(GAME.header(state))
        while GAME.actors(state):
            action = random_action(GAME, state, rng) if rng.random() < 0.6 else random_slip(state, rng)
            result = GAME.apply(state, action)
            accepted = not isinstance(result, Refusal)
            assert referee.play(action.text) == accepted, (seed, state.number, action.text, result)
            if accepted:
                state = result
                assert not differences(state, referee), (seed, action.text)
        ours = GAME.score(state).to_json()
        theirs = reference.score(referee.position())
        assert {key: ours[key] for key in theirs} == theirs


@pytest.mark.parametrize("rules", RULES)
def test_the_legal_list_is_all_the_referee_accepts(rules):
    """Every conceivable action, tried on the referee, at moments of a game chosen by chance."""
    rng = random.Random(f"universe/{rules}")
    state = new_game(rules)
    referee = reference.Referee(GAME.header(state))
    while GAME.actors(state):
        if rng.random() < 0.1:
            legal = {action for seat in (*SIDES, "chance") for action in GAME.legal_actions(state, seat)}
            assert legal == {action for action in universe() if deepcopy(referee).play(action.text)}, state.number
        action = random_action(GAME, state, rng)
        referee.play(action.text)
        state = GAME.apply(state, action)


def universe():
    """Every action anyone could utter."""
    for maki in MAKIS:
        yield Action("chance", "open", (maki,))
        yield from (Action("chance", "draw", (seat, maki)) for seat in SIDES)
    for seat in SIDES:
        yield Action(seat, "draw")
        yield from (Action(seat, "face", (colour,)) for colour in reference.COLOURS)
        for place in PLACES:
            yield Action(seat, "flip", (place,))
        for end in ("left", "right"):
            yield from (Action(seat, verb, (place, end)) for place in PLACES for verb in ("move", "wasabi"))
            for maki in MAKIS:
                one, other = maki.split("-")
                yield Action(seat, "lay", (end, one, other))
                yield Action(seat, "lay", (end, other, one))


def test_both_scorers_agree_on_thousands_of_positions():
    rng = random.Random("positions")
    rows = 0
    for _ in range(POSITIONS):
        position = random_position(rng)
        ours = GAME.score_position(position).to_json()
        theirs = reference.score(position)
        assert {key: ours[key] for key in theirs} == theirs, position
        rows += any(points["line"] for points in theirs["scores"].values())
    assert rows > 100
