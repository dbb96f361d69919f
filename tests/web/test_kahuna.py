"""Kahuna through real browsers: two phones and the table's screen; the house deals the cards."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from companion.games.protocol import Action
from companion.table.table import Table
from tests.web.evening import WebEvening, do
from tests.web.kahuna import NAMES, legal, open_kahuna, tapped
from tests.web.matches import celebrate, check_pages, everybody

VERBS = {"bridge", "remove", "replace", "discard", "draw", "skip"}


@pytest.fixture(scope="module")
def evening() -> Iterator[WebEvening]:
    with WebEvening() as evening:
        yield evening


def next_action(table: Table, unseen: set[str], rng: random.Random) -> Action:
    """Something random, but what nobody has tapped yet first, and no hand that is thrown away."""
    actions = legal(table)
    new = [action for action in actions if action.verb in unseen]
    calm = [action for action in actions if action.verb not in ("discard", "skip")]
    return rng.choice(new or calm or actions)


def play_on(table: Table, rng: random.Random) -> None:
    """The long middle of a game, without phones."""
    while table.session.actors and table.session.state.phase != "last":
        action = next_action(table, set(), rng)
        do(table, "act", action.verb, *action.args, seat=action.seat)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_game_on_two_phones_ends_in_its_celebration(browser: Browser, evening: WebEvening, language: str) -> None:
    rng, table = random.Random(0), open_kahuna(evening, seed=4, replace_removed=True, handicap_white=1)
    phones, screen = everybody(browser, evening, table, NAMES, language)
    unseen = set(VERBS)
    for count in range(8):
        action = next_action(table, unseen, rng)
        tapped(phones, table, action, begin_with=action.args[-1] if count % 2 and action.args else "")
        unseen.discard(action.verb)
    assert unseen == set()
    check_pages((*phones.values(), screen))
    play_on(table, rng)
    while table.session.actors:
        tapped(phones, table, next_action(table, {"skip"}, rng))
    celebrate(table, phones, screen, language)
