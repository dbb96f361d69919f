"""Maki-San through real browsers: two phones that see the line from their own sides, and a screen that hides faces."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from companion.games.catalogue import game_named
from companion.games.protocol import CHANCE, Action, content_of
from companion.table.table import Table
from tests.web.evening import WebEvening, do, until
from tests.web.kahuna import finish, legal
from tests.web.matches import celebrate, check_pages, everybody
from tests.web.players import Phone, seated_phone

NAMES = {"south": "Ève", "north": "Zoë"}
VERBS = {"face", "draw", "lay", "flip", "move", "wasabi"}


@pytest.fixture(scope="module")
def evening() -> Iterator[WebEvening]:
    with WebEvening() as evening:
        yield evening


def open_makisan(evening: WebEvening, seed: int = 1) -> Table:
    table = evening.house.open_table("Maki-San")
    table._rng = random.Random(seed)
    do(table, "new_game", json.dumps(game_named("makisan").default_header("wasabi", 2)))
    return table


def tapped(phone: Phone, table: Table, action: Action) -> None:
    """An action by taps: on its button, else on its maki and then on what is asked; waits until the table has it."""
    number, text = table.session.number, " ".join((action.verb, *action.args))
    phone.keep_up(table)
    if action.verb in ("face", "draw", "lay"):
        phone.page.locator(f'[data-act="{text}"]').first.click()
    else:
        phone.tap_place(action.args[0])
        finish(phone, action)
    until(
        lambda: table.session.number > number and CHANCE not in table.session.actors, lambda: (action, table.question)
    )


def next_action(table: Table, unseen: set[str], rng: random.Random) -> Action:
    """Something random: what nobody has tapped yet first, and nothing that ends the round before all was tapped."""
    actions = legal(table)
    calm = [action for action in actions if not unseen or not _ends_round(table, action)]
    new = [action for action in calm if action.verb in unseen]
    return rng.choice(new or calm or actions)


def _ends_round(table: Table, action: Action) -> bool:
    after = table.session.game.apply(table.session.state, action)
    return after.round != table.session.state.round


def play_on(table: Table, rng: random.Random) -> None:
    """The long middle of a match, without phones: until somebody could win it."""
    while table.session.actors and not any(_ends_match(table, action) for action in legal(table)):
        action = next_action(table, set(), rng)
        do(table, "act", action.verb, *action.args, seat=action.seat)


def _ends_match(table: Table, action: Action) -> bool:
    return table.session.game.outcome(table.session.game.apply(table.session.state, action)) is not None


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_match_on_two_phones_ends_in_its_celebration(browser: Browser, evening: WebEvening, language: str) -> None:
    rng, table = random.Random(3), open_makisan(evening, seed=4)
    phones, screen = everybody(browser, evening, table, NAMES, language)
    unseen = set(VERBS)
    for _ in range(14):
        action = next_action(table, unseen, rng)
        tapped(phones[action.seat], table, action)
        unseen.discard(action.verb)
    assert unseen == set()
    check_pages((*phones.values(), screen))

    play_on(table, rng)
    last = next(action for action in legal(table) if _ends_match(table, action))
    tapped(phones[last.seat], table, last)
    celebrate(table, phones, screen, language)


def test_each_phone_sees_its_own_side_near_and_only_what_it_may_know(browser: Browser, evening: WebEvening) -> None:
    table = open_makisan(evening, seed=2)
    tokens = {seat: evening.house.sit(table, seat, name, f"sit.{seat}").token for seat, name in NAMES.items()}
    do(table, "start")
    for _ in range(3):  # the facing of the first maki, a draw, and its laying
        until(lambda: CHANCE not in table.session.actors)
        action = legal(table)[0]
        do(table, "act", action.verb, *action.args, seat=action.seat)
    drawer, game, state = action.seat, table.session.game, table.session.state
    other = next(seat for seat in NAMES if seat != drawer)
    for seat in NAMES:
        phone = seated_phone(browser, evening.address, table, seat, tokens[seat])
        phone.page.wait_for_selector('[data-place="2"][data-content^="maki:"]')
        lefts = [phone.page.locator(f'[data-place="{place}"] .plot').bounding_box()["x"] for place in ("1", "2")]
        assert (lefts[0] < lefts[1]) == (seat == "south")
        shown = {place: content_of(pieces) for place, pieces in game.shown(state, seat).items()}
        for place, content in shown.items():
            assert phone.page.locator(f'[data-place="{place}"]').get_attribute("data-content") == content
            assert ("?" in content) == (seat == other and place == ("1" if action.args[0] == "left" else "2"))
        phone.close()
