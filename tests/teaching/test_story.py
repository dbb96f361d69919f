"""The story of a game tells what everybody saw, and its record replays to the same end without anybody's secrets."""

from __future__ import annotations

import random

import pytest

from companion.games.catalogue import game_named
from companion.games.protocol import Action
from companion.games.record import Record, last_state, parse_record, to_jsonl
from companion.teaching.story import Story, story_of

GAME = game_named("makabana")
KINDS = [("2013", 4, 1), ("2013-mao", 3, 3), ("2003-mao", 4, 4), ("2013-teams", 8, 5)]


def played(rules: str, people: int, seed: int, name: str = "makabana") -> Record:
    """A whole random game."""
    game, rng = game_named(name), random.Random(seed)
    header = game.default_header(rules, people)
    state, actions = game.start(header), []
    while seats := game.actors(state):
        legal = game.legal_actions(state, rng.choice(seats))
        actions.append(legal[rng.randrange(len(legal))])
        state = game.apply(state, actions[-1])
    return Record(header, tuple(actions))


@pytest.fixture(scope="module", params=KINDS, ids=lambda kind: f"{kind[0]}-{kind[1]}")
def told(request: pytest.FixtureRequest) -> tuple[Record, Story]:
    record = played(*request.param)
    return record, story_of(record)


def test_the_last_frame_is_the_end_of_the_game(told: tuple[Record, Story]) -> None:
    record, story = told
    end = last_state(record)
    score = GAME.score(end)
    assert story.frames[-1].totals == {player: points["total"] for player, points in score.points.items()}
    assert story.winners == score.winners
    assert story.first.pieces == {}


def test_no_frame_tells_a_plan(told: tuple[Record, Story]) -> None:
    plans = [frame.action for frame in told[1].frames if frame.action.verb == "plan"]
    assert plans
    assert all(action.args == () for action in plans)


def test_turning_points_are_moments_of_the_story(told: tuple[Record, Story]) -> None:
    _, story = told
    assert story.turns
    for turn in story.turns:
        assert story.frames[turn.number - 1].totals == turn.totals


def test_the_record_replays_to_the_same_board(told: tuple[Record, Story]) -> None:
    record, story = told
    assert story.record is not None
    again = parse_record(to_jsonl(story.record))
    assert GAME.position(last_state(again)) == GAME.position(last_state(record))


def test_a_plan_that_never_lay_open_is_not_in_the_record() -> None:
    record = played("2013-mao", 3, 3)
    story = story_of(record)
    assert story.record is not None
    kept = [action for action in record.actions if action.verb != "withdraw"]
    replaced = [(real, shown) for real, shown in zip(kept, story.record.actions, strict=False) if real != shown]
    assert replaced
    for real, shown in replaced:
        assert (real.seat, real.verb, real.args[-1], len(real.args)) == (
            shown.seat,
            "plan",
            shown.args[-1],
            len(shown.args),
        )


def test_exactly_the_plans_of_those_who_were_out_are_replaced() -> None:
    record = played("2013-mao", 3, 3)
    story = story_of(record)
    outs = sum(event.code.startswith("denounced_") for frame in story.frames for event in frame.events)
    assert story.record is not None
    replaced = sum(real != shown for real, shown in zip(record.actions, story.record.actions, strict=True))
    assert 0 < replaced <= outs


def test_a_plan_that_was_taken_back_is_left_out() -> None:
    record = played("2013", 3, 6)
    at = next(index for index, action in enumerate(record.actions) if action.verb == "plan")
    plan = record.actions[at]
    first = Action(plan.seat, "plan", ("Evao", "show", "Evao"))
    with_slip = (*record.actions[:at], first, Action(plan.seat, "withdraw"), *record.actions[at:])
    assert story_of(Record(record.header, with_slip)).record == story_of(record).record


@pytest.mark.parametrize(("name", "people"), [("maori", 2)])
def test_other_games_have_a_story_too(name: str, people: int) -> None:
    rules = next(iter(game_named(name).rule_sets))
    record = played_with_chance(name, rules, people)
    story = story_of(record)
    assert len(story.frames) == len(record.actions)


def played_with_chance(name: str, rules: str, people: int) -> Record:
    game, rng = game_named(name), random.Random(2)
    header = game.default_header(rules, people)
    state, actions = game.start(header), []
    while seats := game.actors(state):
        odds = game.odds(state)
        legal = list(odds) if odds else list(game.legal_actions(state, seats[0]))
        actions.append(rng.choice(legal))
        state = game.apply(state, actions[-1])
    return Record(header, tuple(actions))
