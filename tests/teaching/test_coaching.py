"""The coach at a table speaks from one seat's knowledge: other secrets behind the same view change nothing."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from companion.games.catalogue import game_named
from companion.games.protocol import Action, Event
from companion.table.entries import Entry
from companion.table.session import Session, replayed
from companion.teaching.coaching import Advice, advice_for, odds_of

GAME = game_named("makabana")
HEADER = GAME.default_header("2013", 3)
OPENING = [
    "violet hut Danae-Rocher-Fleur", "pink hut Danae-Cocotier-Tatouage", "yellow hut Danae-Sable-Poisson",
    "yellow hut Evao-Rocher-Poisson", "pink hut Evao-Cocotier-Fleur", "violet hut Evao-Lagon-Poisson",
]  # fmt: skip
PLANS = ["violet plan Danae Rocher Tatouage show Danae", "pink plan Evao Lagon Fleur show Evao"]


def session(*lines: str) -> Session:
    rows: list[tuple[str, str | None, dict[str, Any]]] = [("new_game", None, {"header": HEADER}), ("start", None, {})]
    for line in lines:
        seat, verb, *args = line.split()
        rows.append(("act", seat, {"do": verb, "args": args, "by": "test"}))
    entries = [Entry(number, kind, seat, body) for number, (kind, seat, body) in enumerate(rows, 1)]
    return replayed("t", entries)


def said(advice: Advice) -> str:
    return json.dumps([[event.to_json() for event in part] for part in advice])


def test_while_planning_projects_come_with_worth_and_risk() -> None:
    advice = advice_for(session(*OPENING), "violet")
    assert advice.projects
    assert all({"points", "risk", "clue"} <= event.data.keys() for event in advice.projects)
    assert not advice.opponents


def test_once_clues_lie_open_it_tells_what_they_leave() -> None:
    advice = advice_for(session(*OPENING, *PLANS, "yellow plan Danae Sable Tatouage show Sable"), "violet")
    assert {event.data["seat"] for event in advice.opponents} == {"pink", "yellow"}
    assert advice.tikis
    chances = odds_of(advice.opponents[0])
    assert chances
    assert all(0 < chance <= 100 and place.startswith("Evao-") for place, chance in chances.items())


@pytest.mark.parametrize(
    "others",
    [
        ["pink plan Evao Lagon Fleur show Evao", "yellow plan Danae Sable Fleur show Sable"],
        ["pink plan Evao Rocher Fleur show Evao", "yellow plan Danae Sable Tatouage show Sable"],
    ],
)
def test_other_secrets_behind_the_same_view_change_nothing(others: list[str]) -> None:
    lines = [*OPENING, *PLANS, "yellow plan Danae Sable Tatouage show Sable"]
    changed = session(*OPENING, PLANS[0], *others)
    assert changed.state.plans != session(*lines).state.plans
    assert said(advice_for(session(*lines), "violet")) == said(advice_for(changed, "violet"))


def test_a_failure_is_explained_to_its_own_seat_alone() -> None:
    tikis = ["violet tiki Evao-Lagon-Fleur", "pink tiki Danae-Lagon-Poisson", "yellow tiki Evao-Lagon-Tatouage"]
    plans = [*PLANS, "yellow plan Danae Sable Tatouage show Sable"]
    game = session(*OPENING, *plans, *tikis, "violet reveal", "pink reveal")
    assert [event.code[:8] for event in advice_for(game, "pink").failures] == ["why_tiki"]
    assert not advice_for(game, "violet").failures


def test_after_the_game_it_tells_what_decided_it() -> None:
    rng, state, lines = random.Random(4), GAME.start(HEADER), []
    while seats := GAME.actors(state):
        legal = GAME.legal_actions(state, rng.choice(seats))
        action: Action = legal[rng.randrange(len(legal))]
        lines.append(action.text)
        state = GAME.apply(state, action)
    advice = advice_for(session(*lines), "pink")
    assert advice.decided
    assert all(event.code.startswith("turn_") for event in advice.decided)


def test_before_the_game_and_to_strangers_it_says_nothing() -> None:
    assert advice_for(Session("t"), "violet").is_silent
    assert advice_for(session(*OPENING), "black").is_silent


def test_odds_of_a_guess_add_up_by_place() -> None:
    guesses = [{"site": "A", "likely": 0.25}, {"site": "A", "likely": 0.25}, {"site": "B", "likely": 0.001}]
    assert odds_of(Event("coach_open", {"guesses": guesses})) == {"A": 50}
