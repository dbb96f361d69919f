"""The engine against the referee of `tests/reference`, which shares no code with it."""

from __future__ import annotations

import random
from copy import deepcopy

import pytest

from companion.games.maori.setup import DISPLAY_CELLS
from companion.games.protocol import Action, Refusal
from tests.maori.support import (
    BOARD_FILES,
    CONFIGURATIONS,
    GAME,
    TILE_FILE,
    TILES,
    lively_action,
    new_game,
    random_position,
    random_slip,
)
from tests.reference import maori_scorer as scorer
from tests.reference.maori_referee import Referee

GAMES_EACH = 2
POSITIONS = 1_500


def differences(state, referee) -> list[str]:
    """Where the engine and the referee see the game differently."""
    pairs = {
        "position": (GAME.position(state), referee.position()),
        "pile": (set(state.pile), referee.pile),
        "phase": (state.phase, referee.phase),
        "round": (state.round, referee.round),
        "waits for": (set(GAME.actors(state)), referee.waiting_for()),
    }
    return [f"{what}: {ours} != {theirs}" for what, (ours, theirs) in pairs.items() if ours != theirs]


def second_score(position: dict) -> dict:
    return scorer.score(position, BOARD_FILES[position["boards"][0]], TILES)


@pytest.mark.parametrize(("rules", "people"), CONFIGURATIONS)
def test_engine_and_referee_play_the_same_games(rules, people):
    for seed in range(GAMES_EACH):
        rng = random.Random(f"{rules}/{people}/{seed}")
        state = new_game(rules, people)
        referee = Referee(GAME.header(state), BOARD_FILES, TILE_FILE)
        while GAME.actors(state):
            # Every other game by players who clear and pass as often as they lay, until the tiles run out.
            eager = (
                lively_action(state, rng) if seed % 2 else rng.choice(GAME.legal_actions(state, *GAME.actors(state)))
            )
            action = eager if rng.random() < 0.7 else random_slip(state, rng)
            result = GAME.apply(state, action)
            accepted = referee.play(action.text)
            assert accepted == (not isinstance(result, Refusal)), (seed, state.number, action.text, result)
            if not isinstance(result, Refusal):
                state = result
                assert not differences(state, referee), (seed, state.number, action.text)
        ours = GAME.score(state).to_json()
        theirs = second_score(referee.position())
        assert {key: ours[key] for key in theirs} == theirs


@pytest.mark.parametrize(("rules", "people"), CONFIGURATIONS)
def test_the_legal_list_is_all_the_referee_accepts(rules, people):
    """Every conceivable action, tried on the referee, at moments of a game chosen by chance."""
    rng = random.Random(f"universe/{rules}/{people}")
    state = new_game(rules, people)
    referee = Referee(GAME.header(state), BOARD_FILES, TILE_FILE)
    while GAME.actors(state):
        if rng.random() < 0.008:
            legal = {action for seat in (*GAME.seats(state), "chance") for action in GAME.legal_actions(state, seat)}
            (seat,) = GAME.actors(state)
            assert legal == {action for action in universe(state, seat) if copied(referee).play(action.text)}
        action = lively_action(state, rng)
        referee.play(action.text)
        state = GAME.apply(state, action)


def copied(referee):
    """A referee to try things on. Board and tiles never change and need no copy."""
    return deepcopy(referee, {id(fixed): fixed for fixed in (referee.tiles, referee.board, referee.header)})


def universe(state, seat):
    """Every action anyone could utter in this phase."""
    cells = [f"{row},{column}" for row in range(1, 5) for column in range(1, 6)]
    shown = [tile for tile in (*state.display, *state.stocks) if tile]
    if seat == "chance":
        hole = f"display:{DISPLAY_CELLS[state.gap]}"
        yield from (Action(seat, "refill", (hole, tile)) for tile in TILES)
        return
    for verb in ("anchor", "sail"):
        yield from (Action(seat, verb, (str(number),)) for number in range(19))
    for verb in ("clear", "row", "boat"):
        yield from (Action(seat, verb, (cell,)) for cell in cells)
    yield from (Action(seat, verb) for verb in ("pass", "stay"))
    yield from (Action(seat, "stock", (tile,)) for tile in shown)
    if state.phase == "explore":
        words = [tile + turn for tile in shown for turn in ("", "@90", "@180", "@270")]
        yield from (Action(seat, verb, (word, cell)) for verb in ("take", "lay") for word in words for cell in cells)


def test_both_scorers_agree_on_thousands_of_positions():
    rng = random.Random("positions")
    seen = {"unfinished": 0, "wreath": 0, "atoll_island_with_hut": 0}
    for number in range(POSITIONS):
        position = random_position(*CONFIGURATIONS[number % len(CONFIGURATIONS)], rng)
        ours = GAME.score_position(position)
        theirs = second_score(position)
        assert {key: ours.to_json()[key] for key in theirs} == theirs, position
        for code in seen:
            seen[code] += any(reason.code == code for reason in ours.reasons)
    assert min(seen.values()) > 20, seen  # the positions are such that it matters
