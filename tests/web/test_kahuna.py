"""Kahuna through real browsers: two phones and the table's screen; the house deals the cards."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from companion.games.protocol import Action
from companion.table.table import Table
from tests.web.evening import WebEvening, do, until
from tests.web.kahuna import NAMES, legal, open_kahuna, tapped
from tests.web.pages import axe_violations, scrolls_sideways
from tests.web.players import Phone

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


@pytest.mark.parametrize(("language", "wins"), [("en", "wins!|share"), ("fr", "gagne|gagnent")])
def test_a_game_on_two_phones_ends_in_its_celebration(
    browser: Browser, evening: WebEvening, language: str, wins: str
) -> None:
    rng, look = random.Random(0), f"{language}.light.normal"
    table = open_kahuna(evening, seed=4, replace_removed=True, handicap_white=1)
    phones = {seat: Phone(browser, evening.address, table.row.code, look) for seat in NAMES}
    screen = Phone(browser, evening.address, table.row.code, look, width=1920)
    for seat, name in NAMES.items():
        phones[seat].join(seat, name)
    screen.open(f"/screen/{table.row.code}")
    phones["white"].page.click('form[action$="/start"] button')
    phones["white"].page.wait_for_selector(".is-legal")

    unseen = set(VERBS)
    for count in range(8):
        action = next_action(table, unseen, rng)
        tapped(phones, table, action, begin_with=action.args[-1] if count % 2 and action.args else "")
        unseen.discard(action.verb)
    assert unseen == set()
    for phone in (*phones.values(), screen):
        assert axe_violations(phone.page) == []
        assert not scrolls_sideways(phone.page)
    play_on(table, rng)
    while table.session.actors:
        tapped(phones, table, next_action(table, {"skip"}, rng))
    phones[table.question.seat].page.click('[data-answer="yes"]')
    until(lambda: table.session.is_settled)

    expect(screen.page.locator("[data-finale-title]")).to_have_text(re.compile(wins))
    expect(screen.page.locator(".finale-row.is-winner")).to_have_count(
        len(table.session.game.score(table.session.state).winners)
    )
    assert axe_violations(screen.page) == []
    for phone in (*phones.values(), screen):
        assert phone.complaints == []
        phone.close()
