"""Bots play every rule set by the rules, with what their seat knows, within their time, and the same way twice."""

from __future__ import annotations

import random

import pytest

from companion.games.catalogue import game_named
from companion.games.makabana.state import DENOUNCE, PLAN, TIKI
from companion.games.protocol import Action, Event, FormatError
from companion.players.bot import Budget, Thrift, know
from companion.players.bots import GreedyBot, RandomBot, StrongBot
from companion.players.characters import bot_named, bot_names, characters
from companion.players.makabana.thoughts import MakaBanaThoughts
from companion.players.match import Seat, play_match
from companion.players.search import explore
from tests.makabana.support import CONFIGURATIONS, GAME, play
from tests.players.support import LOOKS, knowledge_of, lookalike, match, moments, opened, planned

FEW = Budget(seconds=None, iterations=4)


@pytest.mark.parametrize(("rules", "people"), CONFIGURATIONS)
def test_whole_games_of_every_rule_set_are_played_by_the_rules(rules, people):
    """`play_match` raises if an action is refused."""
    assert GAME.outcome(match(rules, people, "strong", "greedy", "coco", seed=people, budget=FEW).state) is not None


@pytest.mark.parametrize("name", [character.id for character in characters()])
def test_every_character_plays_mao_to_the_end(name):
    assert GAME.outcome(match("2013-mao", 3, name, seed=1, budget=FEW).state) is not None


@pytest.mark.parametrize("game", ["kahuna", "makisan", "maori"])
@pytest.mark.parametrize("bot", [GreedyBot(), StrongBot()])
def test_other_games_are_played_through_their_protocol_alone(game, bot):
    other = game_named(game)
    header = other.default_header(next(iter(other.rule_sets)), 2)
    state, rng, actions, events = other.start(header), random.Random(1), [], []
    for _ in range(40):
        actors = other.actors(state)
        if actors == ("chance",):
            action = rng.choice(list(other.odds(state)))
        else:
            seen = know(other, state, actors[0], actions, events)
            legal = other.legal_actions(state, actors[0])
            action = bot.choose(other, seen, legal, rng, FEW)
            assert action in legal
        state = other.apply(state, action)
        actions.append(action)
        events += state.events


@pytest.mark.parametrize(("rules", "people"), [("2013", 4), ("2013-mao", 3), ("2003-mao", 2), ("2013-teams", 8)])
@pytest.mark.parametrize("bot", [GreedyBot(noise=1.0), StrongBot(noise=0.5)])
def test_no_bot_depends_on_what_its_seat_cannot_know(rules, people, bot):
    rng = random.Random(people)
    for state, actions, events in rng.sample(moments(rules, people, 5), 8):
        for seat in GAME.actors(state):
            legal = GAME.legal_actions(state, seat)
            chosen = {
                bot.choose(GAME, knowledge_of(world, seat, actions, events), legal, random.Random(7), LOOKS)
                for world in (state, lookalike(state, seat, 1), lookalike(state, seat, 2))
            }
            assert len(chosen) == 1


def test_the_same_seed_and_looks_give_the_same_game():
    first, second = (match("2013-mao", 3, "strong", "moana", seed=3) for _ in range(2))
    assert first.actions == second.actions
    assert first.actions != match("2013-mao", 3, "strong", "moana", seed=4).actions


class SlowClock:
    """A machine on which every look takes its time, up to 45 ms."""

    def __init__(self) -> None:
        self.now, self._rng = 100.0, random.Random(1)

    def __call__(self) -> float:
        self.now += self._rng.uniform(0.001, 0.045)
        return self.now


@pytest.mark.parametrize("seconds", [0.0, 0.02, 0.1, 0.3])
def test_a_strong_bot_keeps_to_its_time_on_a_slow_machine(seconds):
    state = opened()
    for seat in GAME.actors(state):
        clock = SlowClock()
        began = clock.now
        legal = GAME.legal_actions(state, seat)
        action = StrongBot().choose(
            GAME, knowledge_of(state, seat), legal, random.Random(1), Budget(seconds, None, clock)
        )
        assert action in legal
        assert clock.now - began <= seconds + 0.05


def test_more_time_means_more_looks():
    state = opened()
    thoughts = MakaBanaThoughts(knowledge_of(state, "pink"), GAME.legal_actions(state, "pink"))
    looks = []
    for seconds in (0.2, 2.0):
        thrift = Thrift(Budget(seconds, None, SlowClock()))
        looks.append(sum(trial.looks for trial in explore(thoughts, thrift, random.Random(1))))
    assert 2 < looks[0] < looks[1] / 5


def test_a_budget_of_looks_is_kept_exactly():
    state = opened()
    thoughts = MakaBanaThoughts(knowledge_of(state, "pink"), GAME.legal_actions(state, "pink"))
    trials = explore(thoughts, Thrift(Budget(None, 37)), random.Random(1))
    assert sum(trial.looks for trial in trials) == 37


def test_a_budget_of_nothing_still_gives_the_most_promising_action():
    state = opened()
    legal = GAME.legal_actions(state, "pink")
    assert StrongBot().choose(GAME, knowledge_of(state, "pink"), legal, random.Random(1), Budget(None, 0)) in legal


def test_a_bot_takes_part_of_the_time_of_its_level():
    assert Budget(0.4, 100).share(0.25)[:2] == (0.1, 25)
    assert Budget(None, None).share(0.25)[:2] == (None, None)


@pytest.mark.parametrize("bot", [GreedyBot(), StrongBot()])
def test_a_tiki_is_not_put_on_ones_own_project(bot):
    state = planned(violet="Aloa Lagon Tatouage show Aloa", pink="Aloa Lagon Tatouage show Lagon",
                    yellow="Borea Lagon Poisson show Borea", blue="Aloa Lagon Tatouage show Tatouage")  # fmt: skip
    legal = GAME.legal_actions(state, "violet")
    for seed in range(3):
        action = bot.choose(GAME, knowledge_of(state, "violet"), legal, random.Random(seed), Budget(None, 150))
        assert action.args[0] != "Aloa-Lagon-Tatouage"


def test_a_tiki_goes_where_the_clues_point():
    """Blue shows Paint: of the six huts it may mean, violet's own is the dearest to violet."""
    state = planned(
        violet="Aloa Lagon Tatouage show Aloa",
        pink="Aloa Sable Poisson show Aloa",
        yellow="Borea Lagon Poisson show Borea",
        blue="Coconut Cocotier Poisson Paint show Cocotier",
    )
    legal = GAME.legal_actions(state, "violet")
    action = StrongBot().choose(GAME, knowledge_of(state, "violet"), legal, random.Random(1), Budget(None, 300))
    assert action == Action("violet", "tiki", ("Coconut-Cocotier-Poisson",))  # the only Cocotier hut blue could paint


def test_the_shown_card_of_a_greedy_plan_gives_little_away():
    """Of the cards of a plan, the one that most other plans share is shown."""
    state = opened()
    thoughts = MakaBanaThoughts(knowledge_of(state, "pink"), GAME.legal_actions(state, "pink"))
    for option in thoughts.beliefs.options(1)[:10]:
        shown = thoughts.best_clues(option)[0]
        exposures = [thoughts.beliefs.exposure(1, option, plan) for plan in option.plans]
        assert thoughts.beliefs.exposure(1, option, shown) == min(exposures)


def honest_and_tricky():
    """Mao: violet laid three cards, pink five; pink has always laid five."""
    state = play(opened("2013-mao"), "violet plan Aloa Lagon Tatouage show Aloa",
                 "pink plan Aloa Borea Sable Poisson Fleur show Sable", "yellow plan Borea Lagon Poisson show Borea",
                 "blue plan Aloa Lagon Tatouage show Tatouage")  # fmt: skip
    assert state.phase == DENOUNCE
    habit = [_revealed("pink", 5) for _ in range(20)]
    habit += [_revealed(seat, 3) for seat in ("yellow", "blue") for _ in range(20)]
    return state, habit


def _revealed(seat, count):
    return Event("revealed", {"seat": seat, "cards": ["x"] * count})


@pytest.mark.parametrize("bot", [GreedyBot(), StrongBot()])
def test_somebody_who_always_tricks_is_denounced_and_nobody_else(bot):
    state, habit = honest_and_tricky()
    seen = knowledge_of(state, "violet", [], habit)
    legal = GAME.legal_actions(state, "violet")
    assert bot.choose(GAME, seen, legal, random.Random(1), Budget(None, 400)) == Action("violet", "denounce", ("pink",))


@pytest.mark.parametrize("bot", [GreedyBot(), StrongBot()])
def test_the_tricky_one_lets_the_moment_pass(bot):
    state, habit = honest_and_tricky()
    legal = GAME.legal_actions(state, "pink")
    seen = knowledge_of(state, "pink", [], habit)
    assert bot.choose(GAME, seen, legal, random.Random(1), Budget(None, 400)) is None


def test_a_match_ends_the_time_for_denouncing_only_when_nobody_speaks_up():
    class Accuser(RandomBot):
        def choose(self, game, knowledge, legal, rng, budget):
            accusing = [action for action in legal if action.verb == "denounce"]
            return accusing[0] if accusing else super().choose(game, knowledge, legal, rng, budget)

    class Patient(RandomBot):
        def choose(self, game, knowledge, legal, rng, budget):
            closing = [action for action in legal if action.verb == "close"]
            is_asked = any(action.verb == "denounce" for action in legal)
            return closing[0] if closing else None if is_asked else super().choose(game, knowledge, legal, rng, budget)

    header = GAME.default_header("2013-mao", 3)
    for accusers, verb in ((("pink",), "denounce"), ((), "close")):
        seats = {seat: Seat(Accuser() if seat in accusers else Patient()) for seat in header["players"]}
        played = play_match(GAME, header, seats, random.Random(1), FEW)
        assert {action.verb for action in played.actions} & {"denounce", "close"} == {verb}


def test_one_person_with_two_colours_knows_both_plans():
    state = play(GAME.start(GAME.default_header("2003", 2)), "yellow plan Azzura Lagon Fleur show Lagon")
    assert know(GAME, state, "green").view["plans"]["yellow"]["cards"] is None
    assert know(GAME, state, "green", partners=("yellow",)).view["plans"]["yellow"]["cards"] == [
        "Azzura",
        "Lagon",
        "Fleur",
    ]


def test_witnessed_actions_hide_the_plans_of_others():
    plan = Action.from_text("violet plan Aloa Lagon Tatouage show Aloa")
    state = play(opened(), plan.text)
    assert know(GAME, state, "pink", [plan]).actions == (Action("violet", "plan"),)
    assert know(GAME, state, "violet", [plan]).actions == (plan,)


def test_there_are_six_levels_and_an_unknown_bot_is_told_with_the_known_ones():
    assert sorted({character.level for character in characters()}) == [1, 2, 3, 4, 5, 6]
    assert len(characters()) >= 6
    with pytest.raises(FormatError) as caught:
        bot_named("hal")
    assert caught.value.problems[0].data["allowed"] == list(bot_names())


def test_phases_of_the_examples_are_what_they_are_meant_to_be():
    assert opened().phase == PLAN
    assert (
        planned(
            violet="Aloa Lagon Tatouage show Aloa",
            pink="Aloa Sable Poisson show Aloa",
            yellow="Borea Lagon Poisson show Borea",
            blue="Aloa Lagon Tatouage show Lagon",
        ).phase
        == TIKI
    )
