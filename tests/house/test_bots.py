"""Bots at a table: they play every rule set to its end, know only what their seat may know, and leave people time."""

import random
from collections import defaultdict

import pytest

from companion.devices.clock import ManualClock
from companion.games.protocol import Action
from companion.house.bots import Bots, Pace
from companion.house.camera import DirectCamera
from companion.players.bot import Budget, Knowledge
from companion.players.bots import RandomBot
from companion.table.entries import Command
from companion.table.house import token_hash
from companion.table.table import Table
from tests.house.support import Evening, act, until, virtual_for

RULES = [("2013", 3), ("2013", 6), ("2013-mao", 4), ("2013-teams", 8), ("2003", 2), ("2003", 4), ("2003-mao", 3)]


ALL_RANDOM = defaultdict(lambda: "random")  # whoever is asked for


class Spy:
    """A bot that keeps all it was told."""

    def __init__(self, then: Action | None = None) -> None:
        self.told: list[Knowledge] = []
        self.then = then

    def choose(
        self, game: object, knowledge: Knowledge, legal: list[Action], rng: random.Random, budget: Budget
    ) -> Action | None:
        self.told.append(knowledge)
        return RandomBot().choose(game, knowledge, legal, rng, budget)


def bots_at(evening: Evening, table: Table, pace: Pace, **characters: object) -> Bots:
    """Bots of our own in the place of the usual ones."""
    running = evening.running.table(table.row.id)
    bots = Bots(table, evening.running._pool, evening.clock, pace, random.Random(1), lambda name: characters[name])
    running.add(bots)
    return bots


def pass_time(evening: Evening, seconds: float) -> None:
    for _ in range(round(seconds / 0.1)):
        evening.clock.advance(0.1)
        evening.running.tick()


@pytest.mark.parametrize(("rules", "people"), RULES)
def test_bots_play_to_the_end_on_a_board_that_helping_hands_keep_right(rules: str, people: int) -> None:
    with Evening(ManualClock(), pace=Pace.at_once()) as evening:
        table = evening.open_table(rules, people, bots=ALL_RANDOM)
        running = evening.running.table(table.row.id)
        running.virtual, running.helps_bots = virtual_for(table), True
        running.add(DirectCamera(running.virtual, table.observe, evening.clock))
        until(lambda: pass_time(evening, 0.3) or not table.session.actors, lambda: table.session.actors)
        pass_time(evening, 8)
        assert table.question is None
        assert table.session.is_settled


def test_a_bot_is_told_what_its_seat_may_know_and_nothing_else() -> None:
    spy = Spy()
    with Evening(ManualClock()) as evening:
        table = evening.open_table("2013-mao", 3, bots={seat: "spy" for seat in ("violet", "pink", "yellow")})
        bots_at(evening, table, Pace.at_once(), spy=spy)
        until(lambda: pass_time(evening, 0.3) or not table.session.actors)
        game = table.session.game
    assert len(spy.told) > 30
    for knowledge in spy.told:
        assert all(game.witness(action, knowledge.seat) == action for action in knowledge.actions)
        assert all(action.args == () for action in knowledge.actions
                   if action.verb == "plan" and action.seat != knowledge.seat)  # fmt: skip
        hidden = {seat: plan for seat, plan in knowledge.view["plans"].items() if seat != knowledge.seat and plan}
        revealed = {action.seat for action in knowledge.actions if action.verb == "reveal"}
        assert all(plan["cards"] is None for seat, plan in hidden.items() if seat not in revealed)


def test_a_bot_takes_its_time() -> None:
    with Evening(ManualClock()) as evening:
        table = evening.open_table("2013", 3, bots={"violet": "random"})
        bots = bots_at(evening, table, Pace(least=2.0, most=2.0), random=RandomBot())
        evening.running.tick()
        until(bots._thoughts["violet"].future.done)
        pass_time(evening, 1.9)
        assert table.session.steps == ()
        pass_time(evening, 0.3)
        assert [step.action.seat for step in table.session.steps] == ["violet"]


class Closing:
    """Plans like anybody, never denounces, and would end the time for it at once."""

    def choose(
        self, game: object, knowledge: Knowledge, legal: list[Action], rng: random.Random, budget: Budget
    ) -> Action | None:
        verbs = {action.verb: action for action in legal}
        if "close" in verbs:
            return verbs["close"]
        return None if set(verbs) == {"denounce"} else rng.choice(legal)


def test_a_bot_that_ends_the_time_for_denouncing_gives_people_a_fair_delay() -> None:
    with Evening(ManualClock()) as evening:
        table = evening.open_table("2013-mao", 3, bots={"violet": "closing", "pink": "closing"})
        bots_at(evening, table, Pace(0.0, 0.0, fair_delay=8.0, think=0.05), closing=Closing())
        while not any(step.action.verb == "plan" and step.action.seat == "yellow" for step in table.session.steps):
            until(lambda: pass_time(evening, 0.1) or table.session.actors in (("yellow",),))
            legal = table.session.game.legal_actions(table.session.state, "yellow")
            act(table, legal[0])
        began = evening.clock.now()
        assert {"violet", "yellow"} <= set(table.session.actors)
        until(lambda: pass_time(evening, 0.1) or table.session.steps[-1].action.verb == "close")
        assert 8.0 <= evening.clock.now() - began < 60.0


def test_a_person_who_takes_the_seat_is_not_played_for_any_more() -> None:
    with Evening(ManualClock()) as evening:
        table = evening.open_table("2013", 3, bots={"violet": "random"})
        bots = bots_at(evening, table, Pace(least=2.0, most=2.0), random=RandomBot())
        evening.running.tick()
        assert bots.is_busy
        assert table.do(Command("take-over", "sit", ("Ana", token_hash("t")), "violet")).accepted
        pass_time(evening, 5)
        assert table.session.steps == ()
        assert not bots.is_busy


class Failing:
    def choose(self, *_: object) -> Action | None:
        raise RuntimeError("a bad day")


def test_a_bot_that_fails_is_told_as_unavailable_and_the_evening_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    with Evening(ManualClock()) as evening:
        table = evening.open_table("2013", 3, bots={"violet": "failing"})
        bots_at(evening, table, Pace.at_once(), failing=Failing())
        until(lambda: pass_time(evening, 0.5) or "bots" in table.health)
        assert not table.health["bots"].is_available
        act(table, table.session.game.legal_actions(table.session.state, "violet")[0])
        assert len(table.session.steps) == 1
        pass_time(evening, 3)
        assert sum("bots has failed" in record.getMessage() for record in caplog.records) == 1
