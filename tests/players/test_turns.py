"""Kahuna, Maki-San and Māori: bots see what is to be gained, and know nothing that their seat does not."""

from __future__ import annotations

import random

import pytest

from companion.games.catalogue import game_named
from companion.games.kahuna.determinise import possible_state as possible_kahuna
from companion.games.makisan.determinise import possible_state as possible_makisan
from companion.games.protocol import CHANCE
from companion.players.bot import Budget, know
from companion.players.bots import GreedyBot, StrongBot
from companion.players.makisan.worth import worth as makisan_worth
from companion.players.maori.worth import board_worth
from companion.players.tournament import compare, pairings
from tests.games.every_game import new_game, random_steps
from tests.kahuna.support import GAME as KAHUNA
from tests.kahuna.support import dealt, with_bridges
from tests.makisan.support import GAME as MAKISAN
from tests.makisan.support import with_line

GAMES = [("kahuna", "standard", 2), ("makisan", "standard", 2), ("maori", "advanced", 2)]
FEW = Budget(None, 6)
POSSIBLE = {"kahuna": possible_kahuna, "makisan": possible_makisan}


@pytest.mark.parametrize(("name", "rules", "people"), GAMES)
def test_greedy_beats_random(name: str, rules: str, people: int) -> None:
    game = game_named(name)
    (pairing,) = pairings(["greedy", "random"], 1)
    assert compare(game, game.default_header(rules, people), pairing, 3, FEW).result == 1.0


@pytest.mark.parametrize("bot", [GreedyBot(), StrongBot()])
@pytest.mark.parametrize("name", POSSIBLE)
def test_no_bot_depends_on_what_its_seat_cannot_know(name: str, bot: GreedyBot | StrongBot) -> None:
    """Another state that looks the same to the seat gives the same choice, luck being the same."""
    game, state = new_game(name, next(iter(game_named(name).rule_sets)), 2)
    steps = [step for step in random_steps(game, state, 4) if step.action.seat != CHANCE]
    for step in random.Random(1).sample(steps, 5):
        seat = step.action.seat
        other = POSSIBLE[name](game.view(step.before, seat), random.Random(9))
        legal = game.legal_actions(step.before, seat)
        choices = [
            bot.choose(game, know(game, state, seat), legal, random.Random(5), FEW) for state in (step.before, other)
        ]
        assert choices[0] == choices[1]


def chosen(game, state, seat: str) -> str:
    legal = game.legal_actions(state, seat)
    return GreedyBot().choose(game, know(game, state, seat), legal, random.Random(2), FEW).text


def test_a_row_that_one_move_completes_is_completed() -> None:
    state = with_line("red-green red-blue red-yellow black-red", rules="standard")
    assert chosen(MAKISAN, state, "south") == "south flip 4"


def test_a_row_that_the_other_side_could_complete_costs_much() -> None:
    threatened = with_line("green-red blue-red yellow-red red-black", turn="north", rules="standard")
    calm = with_line("green-red red-blue yellow-red red-black", turn="north", rules="standard")
    assert makisan_worth(threatened, "south") < makisan_worth(calm, "south") - 3


def test_a_majority_within_reach_is_taken() -> None:
    """ALOA has three lines, one of which carries a bridge of ours: the card of ALOA brings the stone."""
    state = with_bridges(dealt("ALOA KAHU JOJO", "DUDA DUDA ELAI", "ELAI FAAA FAAA"), white="ALOA-BARI")
    action = chosen(KAHUNA, state, "white")
    assert action in ("white bridge ALOA-DUDA ALOA", "white bridge ALOA-HUNA ALOA")


def test_an_island_that_can_still_be_finished_is_worth_more_than_one_that_cannot() -> None:
    setup = new_game("maori", "base", 2)[1].setup
    end = next(word for word, face in setup.faces.items() if face.kind == "end" and face.palms and face.land == "E")
    in_the_middle, at_the_edge = {"2,2": end}, {"2,5": end}
    assert board_worth(setup, in_the_middle) > board_worth(setup, at_the_edge)


def test_a_decision_without_a_world_to_go_by_is_still_one() -> None:
    game, state = new_game("maori", "base", 2)
    for step in random_steps(game, state, 1)[:20]:
        state = step.after
    (seat,) = game.actors(state)
    knows_nothing = know(game, state, seat)  # no actions were witnessed, so no state can be rebuilt
    legal = game.legal_actions(state, seat)
    assert GreedyBot().choose(game, knows_nothing, legal, random.Random(1), FEW) in legal
