"""Kahuna for the pages' tests: a table whose cards are the same each time, and hands that tap what an action needs."""

from __future__ import annotations

import json
import random
from typing import Any

from companion.games.catalogue import game_named
from companion.games.protocol import CHANCE, Action
from companion.table.table import Table
from tests.web.evening import WebEvening, do, until
from tests.web.players import Phone

NAMES = {"white": "Ève", "black": "Zoë"}


def open_kahuna(evening: WebEvening, seed: int = 1, is_virtual: bool = False, **options: Any) -> Table:
    """A table with Kahuna set up and its seats free."""
    table = evening.house.open_table("Kahuna")
    table._rng = random.Random(seed)
    header = game_named("kahuna").default_header("standard", 2)
    do(table, "new_game", json.dumps({**header, "options": options} if options else header))
    if is_virtual:
        assert evening.desk.start_virtual(table.row.id, is_rendered=False) is not None
    return table


def legal(table: Table) -> list[Action]:
    session = table.session
    assert session.game is not None
    return list(session.game.legal_actions(session.state, session.actors[0]))


def tap(phone: Phone, action: Action, begin_with: str = "") -> None:
    """An action by taps, on a page that has kept up with its table: on its button, else word by word, beginning with
    the given card, its line, or its card."""
    text = " ".join((action.verb, *action.args))
    button = phone.page.locator(f'[data-act="{text}"]')
    if button.count():
        button.first.click()
        asked = phone.page.locator("[data-confirm-yes]")
        return asked.click() if asked.is_visible() else None
    if begin_with in action.args:
        phone.page.locator(f'[data-pick-with="{begin_with}"]').first.click()
    elif "-" in action.args[0]:
        phone.tap_place(action.args[0])
    else:
        phone.page.locator(f'[data-pick-with="{action.args[0]}"]').first.click()
    finish(phone, action)


def finish(phone: Phone, action: Action) -> None:
    """Whatever is still asked, answered; then the bar that asks again."""
    words = [action.verb, *action.args]
    for _ in range(len(words) + 1):
        sheet = phone.page.locator("[data-picker]:visible, [data-confirm]:visible").first
        sheet.wait_for()
        if sheet.locator("[data-pick-yes]:visible, [data-confirm-yes]:visible").count():
            return sheet.locator("[data-pick-yes]:visible, [data-confirm-yes]:visible").click()
        chips = {chip.get_attribute("data-way"): chip for chip in sheet.locator(".pick-chip").all()}
        fitting = [way for way in chips if way and is_part(way.split(), words)]
        if fitting:
            chips[max(fitting, key=len)].click()
        else:
            phone.tap_place(action.args[0])
    raise AssertionError(f"the page never asked again: {words}")


def is_part(some: list[str], words: list[str]) -> bool:
    return any(words[at : at + len(some)] == some for at in range(len(words)))


def tapped(phones: dict[str, Phone], table: Table, action: Action, begin_with: str = "") -> None:
    """Taps an action and waits until the table has taken it."""
    number = table.session.number
    phones[action.seat].keep_up(table)
    tap(phones[action.seat], action, begin_with)
    with_cards = lambda: table.session.number > number and CHANCE not in table.session.actors  # noqa: E731
    until(with_cards, lambda: (action, table.question))
