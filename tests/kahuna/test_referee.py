"""The engine against the referee and the scorer of `tests/reference/kahuna.py`, a second reading of the rules."""

from __future__ import annotations

import random
from copy import deepcopy
from itertools import combinations_with_replacement

import pytest

from companion.games.protocol import Action, Refusal
from companion.players.random_player import random_action
from tests.kahuna.support import BOARD, GAME, OPTIONS, header_with, new_game, random_position, random_slip
from tests.reference import kahuna as reference

GAMES_EACH = 8
POSITIONS = 3_000


def differences(state, referee) -> list[str]:
    pairs = {
        "position": (GAME.position(state), referee.position()),
        "waits for": (GAME.actors(state), (referee.waits_for(),) if referee.waits_for() else ()),
        "hands": (state.hands, tuple(tuple(sorted(referee.hand[colour])) for colour in referee.players)),
        "open": (state.open, tuple(sorted(referee.open))),
        "stock": (state.stock, tuple(sorted(referee.stock))),
        "discards": (state.discards, tuple(sorted(referee.played))),
        "round": (state.round, referee.round),
    }
    return [f"{what}: {ours} != {theirs}" for what, (ours, theirs) in pairs.items() if ours != theirs]


@pytest.mark.parametrize("number", range(len(OPTIONS)))
def test_engine_and_referee_play_the_same_games(number):
    for seed in range(GAMES_EACH):
        rng = random.Random(f"lockstep/{number}/{seed}")
        header = header_with(OPTIONS[number])
        header["players"] = rng.sample(header["players"], 2)
        state, referee = GAME.start(header), reference.Referee(header, BOARD)
        while GAME.actors(state):
            action = random_action(GAME, state, rng) if rng.random() < 0.6 else random_slip(state, rng)
            result = GAME.apply(state, action)
            accepted = not isinstance(result, Refusal)
            assert referee.play(action.text) == accepted, (seed, state.number, action.text, result)
            if accepted:
                state = result
                assert not differences(state, referee), (seed, action.text)
        ours = GAME.score(state).to_json()
        theirs = reference.score(referee.position(), BOARD)
        assert {key: ours[key] for key in theirs} == theirs


@pytest.mark.parametrize("number", range(len(OPTIONS)))
def test_the_legal_list_is_all_the_referee_accepts(number):
    """Every conceivable action, tried on the referee, at moments of a game chosen by chance."""
    rng = random.Random(f"universe/{number}")
    state = new_game(OPTIONS[number])
    referee = reference.Referee(GAME.header(state), BOARD)
    while GAME.actors(state):
        if rng.random() < 0.05:
            legal = {action for seat in (*GAME.seats(state), "chance") for action in GAME.legal_actions(state, seat)}
            assert legal == {action for action in universe() if deepcopy(referee).play(action.text)}, state.number
        action = random_action(GAME, state, rng)
        referee.play(action.text)
        state = GAME.apply(state, action)


def universe():
    """Every action anyone could utter."""
    islands = sorted(BOARD["islands"])
    for card in islands:
        yield Action("chance", "turn", (card,))
        yield from (Action("chance", "deal", (colour, card)) for colour in ("white", "black"))
    for colour in ("white", "black"):
        yield from (Action(colour, verb) for verb in ("skip", "replace"))
        yield from (Action(colour, verb, (card,)) for card in (*islands, "stock") for verb in ("discard", "draw"))
        for ends in BOARD["lines"]:
            line = "-".join(ends)
            yield Action(colour, "bridge", (line,))
            yield from (Action(colour, "bridge", (line, card)) for card in ends)
            yield from (Action(colour, "remove", (line, *pair)) for pair in combinations_with_replacement(ends, 2))


def test_both_scorers_agree_on_thousands_of_positions():
    rng = random.Random("positions")
    for _ in range(POSITIONS):
        position = random_position(rng)
        ours = GAME.score_position(position).to_json()
        theirs = reference.score(position, BOARD)
        assert {key: ours[key] for key in theirs} == theirs, position
