"""Actions chosen word by word: what the server sends for any game, and that a game nobody drew is playable by it."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.games.test_fifth_game import matches  # noqa: F401
from tests.web.evening import WebEvening, do, seat_everybody, until
from tests.web.pages import axe_violations
from tests.web.players import seated_phone
from web.choices import tree_of
from web.panels import seat_snapshot


@pytest.fixture
def evening() -> Iterator[WebEvening]:
    with WebEvening() as evening:
        yield evening


def ways(tree: dict) -> list[list[str]]:
    """All actions that a tree tells, as the page reads it."""
    if not tree:
        return [[]]
    return [[word, *way] if word else [] for word, further in tree.items() for way in ways(further)]


@pytest.mark.parametrize(
    "choices",
    [
        [["1"], ["2"]],
        [["A-B", "A"], ["A-B", "B"], ["A-C", "A"]],
        [["A-B", "A", "A"], ["A-B", "A", "B"]],
        [[], ["far"], ["far", "away"]],
        [["left", "red", "green"], ["left", "green", "red"], ["right", "red", "green"]],
    ],
)
def test_a_tree_tells_every_action_once(choices: list[list[str]]) -> None:
    assert ways(tree_of(choices)) == choices


def test_what_actions_begin_alike_with_is_told_once() -> None:
    assert tree_of([["A-B", "A"], ["A-B", "B"]]) == {"A-B": {"A": {}, "B": {}}}


def test_a_game_that_nobody_drew_is_played_by_words(matches, browser: Browser, evening: WebEvening) -> None:  # noqa: F811
    table = evening.house.open_table("Fifth")
    do(table, "new_game", json.dumps(matches.default_header("standard", 2)))
    tokens = seat_everybody(evening, table)
    sent = seat_snapshot(table, "blue", "en")
    assert sent["verbs"]["take"]["tree"] == {"1": {}, "2": {}, "3": {}}
    phone = seated_phone(browser, evening.address, table, "blue", tokens["blue"])
    phone.page.click('[data-pick="take"]')
    assert axe_violations(phone.page) == []
    phone.page.click('.pick-chip[data-way="3"]')
    expect(phone.page.locator("[data-pick-title]")).to_contain_text("3")
    phone.page.click("[data-pick-yes]")
    until(lambda: table.session.actors == ("green",))
    assert table.session.steps[-1].action.text == "blue take 3"
    assert phone.complaints == []
    phone.close()
