"""Māori through real browsers: sailing, taking and laying by taps on the map, boats, and the score at the end."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from companion.games.catalogue import game_named
from companion.games.protocol import CHANCE, Action
from companion.table.table import Table
from tests.web.evening import WebEvening, do, until
from tests.web.kahuna import legal
from tests.web.matches import celebrate, check_pages, everybody
from tests.web.players import Phone
from web.drawing.maori_tiles import FILE, symbol_lines
from web.games.maori import place_of

NAMES = {"blue": "Ève", "red": "Zoë"}
VERBS = {"anchor", "sail", "take", "stock", "boat"}


@pytest.fixture(scope="module")
def evening() -> Iterator[WebEvening]:
    with WebEvening() as evening:
        yield evening


def open_maori(evening: WebEvening, rules: str = "advanced", seed: int = 1) -> Table:
    table = evening.house.open_table("Māori")
    table._rng = random.Random(seed)
    do(table, "new_game", json.dumps(game_named("maori").default_header(rules, 2)))
    return table


def tapped(phone: Phone, table: Table, action: Action) -> None:
    """An action by taps: its button, or place after place of the map, with a chip where a tile can be turned."""
    number, page = table.session.number, phone.page
    phone.keep_up(table)
    if not action.args:
        page.click(f'[data-act="{action.verb}"]')
    else:
        page.click(f'[data-pick="{action.verb}"]')
        view = table.session.game.view(table.session.state, action.seat)
        for word in action.args:
            choose(phone, word, place_of(view, action.seat, action.verb, word))
        page.click("[data-pick-yes]")
    is_taken = lambda: table.session.number > number and CHANCE not in table.session.actors  # noqa: E731
    until(is_taken, lambda: (action, table.question))


def choose(phone: Phone, word: str, place: str | None) -> None:
    """One word of an action, if it is asked for: the place it stands for, then the very word among those left. What is
    asked for next is there as soon as a tap is over."""
    if phone.page.locator(f'[data-map] .is-legal[data-place="{place}"]').count():
        phone.tap_place(str(place))
    chip = phone.page.locator(f'.pick-chip[data-way="{word}"], .pick-chip[data-way^="{word} "]')
    if chip.count():
        chip.first.click()


def next_action(table: Table, unseen: set[str], rng: random.Random) -> Action:
    actions = legal(table)
    new = [action for action in actions if action.verb in unseen]
    useful = [action for action in actions if action.verb in ("take", "lay", "sail", "boat")]
    return rng.choice(new or useful or actions)


def play_on(table: Table, rng: random.Random) -> None:
    """The long middle of a game, without phones."""
    while table.session.actors:
        until(lambda: CHANCE not in table.session.actors)
        if not table.session.actors:
            return
        action = next_action(table, set(), rng)
        do(table, "act", action.verb, *action.args, seat=action.seat)


def test_a_game_on_two_phones_ends_in_its_celebration(browser: Browser, evening: WebEvening) -> None:
    rng, table = random.Random(2), open_maori(evening, seed=4)
    phones, screen = everybody(browser, evening, table, NAMES, "fr")
    unseen = set(VERBS)
    for _ in range(14):
        action = next_action(table, unseen, rng)
        tapped(phones[action.seat], table, action)
        unseen.discard(action.verb)
    assert unseen == set()
    check_pages((*phones.values(), screen))
    play_on(table, rng)
    celebrate(table, phones, screen, "fr")


def test_the_symbols_of_the_tiles_are_drawn_from_their_data() -> None:
    assert FILE.read_text(encoding="utf-8").splitlines() == list(symbol_lines())
