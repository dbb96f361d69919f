"""How fast the rules play and score, as ratios within one run.

Random legal play, the legal list included, next to python-chess and OpenSpiel's Python tic-tac-toe doing the same. A
machine's speed changes from minute to minute, so the contenders take turns in short rounds, and what counts is the
median of the ratios.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable

import chess
import pyspiel
from open_spiel.python.games import tic_tac_toe  # noqa: F401, its import registers the game

from companion.commands.terminal import columns
from companion.games.makabana.score import score
from companion.players.random_player import play_randomly
from tests.makabana.support import CONFIGURATIONS, GAME, new_game

ROUNDS = 9
SECONDS_A_ROUND = 0.25
LEAST_TO_CHESS, LEAST_TO_SPIEL, MOST_SCORE_US = 2.5, 1.0, 100.0

Play = Callable[[random.Random], int]


def makabana(rules: str, people: int) -> Play:
    header = GAME.header(new_game(rules, people))
    return lambda rng: len(play_randomly(GAME, header, rng)[1])


def python_chess(rng: random.Random) -> int:
    board, moves = chess.Board(), 0
    while not board.is_game_over() and moves < 200:
        board.push(rng.choice(list(board.legal_moves)))
        moves += 1
    return moves


def open_spiel(rng: random.Random) -> int:
    state, actions = pyspiel.load_game("python_tic_tac_toe").new_initial_state(), 0
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
        actions += 1
    return actions


def python_chess_without_end_test(rng: random.Random) -> int:
    """The same, asking only for the legal moves: python-chess at its fastest, and the one we compare with."""
    board, moves = chess.Board(), 0
    while (legal := list(board.legal_moves)) and moves < 200:
        board.push(rng.choice(legal))
        moves += 1
    return moves


def rate(play: Play, seed: int) -> float:
    """Actions a second over one short round of whole games."""
    rng, actions, began = random.Random(seed), 0, time.perf_counter()
    while (elapsed := time.perf_counter() - began) < SECONDS_A_ROUND:
        actions += play(rng)
    return actions / elapsed


def full_board_score_us() -> float:
    """Microseconds to score a full five-player board, median of many runs."""
    setup = new_game("2013", 5).setup
    rng = random.Random(5)
    owners = [colour for colour in setup.colours for _ in range(10)][: len(setup.sites)]
    rng.shuffle(owners)
    huts = dict(zip(setup.sites, owners, strict=True))
    clubs = dict(zip(setup.beach_sites, setup.colours, strict=False))
    times = []
    for _ in range(2000):
        began = time.perf_counter()
        score(setup, huts, clubs)
        times.append(time.perf_counter() - began)
    return statistics.median(times) * 1e6


def main() -> None:
    rivals: dict[str, Play] = {
        "python-chess": python_chess_without_end_test,
        "python-chess, asking for the end too": python_chess,
        "OpenSpiel python_tic_tac_toe": open_spiel,
    }
    ours = {f"makabana {rules}, {people} people": makabana(rules, people) for rules, people in CONFIGURATIONS}
    everyone = {**rivals, **ours}
    for play in everyone.values():
        play(random.Random(0))  # tables that are worked out once
    rates = _take_turns(everyone)
    rows = [["actions a second (median)", "", "to chess", "to OpenSpiel"]]
    for name, values in rates.items():
        to_chess, to_spiel = (
            _ratio(values, rates[rival]) for rival in ("python-chess", "OpenSpiel python_tic_tac_toe")
        )
        rows.append([name, f"{statistics.median(values):,.0f}", f"{to_chess:.2f}", f"{to_spiel:.2f}"])
    print("\n".join(columns(rows, "   ")))
    worst_chess = min(_ratio(rates[name], rates["python-chess"]) for name in ours)
    worst_spiel = min(_ratio(rates[name], rates["OpenSpiel python_tic_tac_toe"]) for name in ours)
    score_us = full_board_score_us()
    print(f"slowest of ours to python-chess: {worst_chess:.2f} (asked: {LEAST_TO_CHESS})")
    print(f"slowest of ours to OpenSpiel: {worst_spiel:.2f} (asked: {LEAST_TO_SPIEL})")
    print(f"score of a full five-player board: {score_us:.1f} microseconds (asked: under {MOST_SCORE_US:.0f})")


def _take_turns(everyone: dict[str, Play]) -> dict[str, list[float]]:
    rates: dict[str, list[float]] = {name: [] for name in everyone}
    for seed in range(ROUNDS):
        for name, play in everyone.items():
            rates[name].append(rate(play, seed))
    return rates


def _ratio(values: list[float], rival: list[float]) -> float:
    return statistics.median(a / b for a, b in zip(values, rival, strict=True))


if __name__ == "__main__":
    main()
