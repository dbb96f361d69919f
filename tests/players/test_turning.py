"""Turning points say what the record says: who leapt, who was hit, who was stopped, and when it was decided."""

from __future__ import annotations

import random

import pytest

from companion.games.catalogue import GAME_NAMES, game_named
from companion.games.protocol import Action
from companion.games.record import Record, replay
from companion.players.coach import what_decided
from companion.players.random_player import play_randomly
from companion.players.texts import say
from companion.players.turning import MOST_POINTS, turning_points
from tests.makabana.support import CONFIGURATIONS, GAME, play
from tests.players.support import OPENING, match, opened

PLANS = (
    "violet plan Coconut Lagon Fleur show Lagon",
    "pink plan Coconut Cocotier Poisson Paint show Paint",
    "yellow plan Borea Lagon Poisson show Borea",
    "blue plan Aloa Rocher Tatouage show Rocher",
    "violet tiki Aloa-Lagon-Fleur",
    "pink tiki Aloa-Lagon-Poisson",
    "yellow tiki Aloa-Rocher-Tatouage",
    "blue tiki Borea-Lagon-Tatouage",
    "violet reveal",
    "pink reveal",
    "yellow reveal",
    "blue reveal",
)


def record_of(*lines):
    return Record(GAME.header(opened()), tuple(map(Action.from_text, (*OPENING, *lines))))


def test_a_leap_a_blow_and_a_stopped_plan_are_named_with_their_points():
    """Violet: a group of two (+2), and Coconut (+4). Pink's paint undoes both. Yellow's tiki stops blue."""
    points = {point.number: point for point in turning_points(record_of(*PLANS))}
    leap = points[len(OPENING) + 9].event
    assert (leap.code, leap.data["player"], leap.data["gained"]) == ("turn_leap", "violet", 6)
    blow = points[len(OPENING) + 10].event
    assert (blow.code, blow.data["player"], blow.data["gainer"]) == ("turn_blow", "violet", "pink")
    assert blow.data["lost"] == 6
    stopped = points[len(OPENING) + 12].event
    assert (stopped.code, stopped.data["seat"]) == ("turn_stopped", "blue")
    assert stopped.data["because"][0]["because"][0]["owner"] == "yellow"


def test_an_unfinished_game_is_not_settled():
    assert "turn_settled" not in {point.event.code for point in turning_points(record_of(*PLANS))}
    assert turning_points(record_of()) == []
    assert turning_points(Record(GAME.header(opened()))) == []


@pytest.mark.parametrize(("rules", "people"), CONFIGURATIONS[::4])
def test_a_finished_game_is_settled_when_its_winners_stay_ahead(rules, people):
    played = match(rules, people, "greedy", "nino", seed=1)
    record = Record(GAME.header(played.state), played.actions)
    points = turning_points(record)
    assert 1 <= len(points) <= MOST_POINTS
    assert [point.number for point in points] == sorted(point.number for point in points)
    winners = set(GAME.score(played.state).winners)
    (settled,) = [point for point in points if point.event.code == "turn_settled"]
    leaders = [set(GAME.score(state).winners) for state in replay(record)]
    assert all(leading <= winners for leading in leaders[settled.number :])
    assert settled.number == 1 or not leaders[settled.number - 1] <= winners


@pytest.mark.parametrize("name", GAME_NAMES)
def test_every_game_has_turning_points_in_words(name):
    game = game_named(name)
    header = game.default_header(next(iter(game.rule_sets)), min(game.rule_sets[next(iter(game.rule_sets))]))
    _, actions = play_randomly(game, header, random.Random(2))
    told = what_decided(Record(header, tuple(actions)))
    assert told
    for event in told:
        for language in ("en", "fr"):
            assert "{" not in say(event, language, name)


def test_a_turning_point_can_be_sent():
    sent = turning_points(record_of(*PLANS))[0].to_json()
    assert set(sent) == {"number", "round", "event", "swing", "totals"}
    assert sent["event"]["code"] == "turn_leap"


def test_the_example_is_played_by_the_rules():
    assert play(opened(), *PLANS).round == 2
