"""People with phones, for tests that play through a browser: they tap what the page offers, as a person would."""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Sequence
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, expect

from companion.table.table import Table
from tests.web.evening import until
from tests.web.pages import HEIGHTS, is_complaint, tap_place
from web.tables import SEAT_COOKIE

PATIENCE_MS = 120_000


class Phone:
    """One person's phone at a table. `complaints` has whatever its console complained about."""

    def __init__(
        self, browser: Browser, address: str, code: str, look: str = "en.light.normal", width: int = 360
    ) -> None:
        self.address, self.code = address, code
        self.context: BrowserContext = browser.new_context(
            viewport={"width": width, "height": HEIGHTS[width]}, has_touch=width < 800, reduced_motion="reduce"
        )
        self.context.set_default_timeout(PATIENCE_MS)
        self.context.add_cookies([{"name": "makabana_look", "value": look, "url": address}])
        self.complaints: list[str] = []
        self.page = self.new_page()

    def new_page(self) -> Page:
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda message: self.complaints.append(message.text) if is_complaint(message.text) else None)
        return page

    def join(self, seat: str, name: str) -> None:
        """From four letters to a seat, as somebody does who has just sat down."""
        self.page.goto(self.address)
        self.page.fill("#code", self.code)
        self.page.click("form.join button")
        self.page.fill("#name", name)
        self.page.check(f'input[name="seat"][value="{seat}"]')
        self.page.click('form[action$="/sit"] button')
        self.page.wait_for_selector("[data-play]")

    def open(self, path: str) -> None:
        self.page.goto(f"{self.address}{path}")

    # --- Playing ---

    def keep_up(self, table: Table) -> None:
        """Waits until the page shows the table as it is at this moment, or later: then one look at it is enough."""
        with table.lock:
            epoch, version = table.epoch, table.version
        page = self.page.locator("[data-play][data-stand]")

        def is_there() -> bool:
            shown, number = (page.get_attribute("data-stand") or "").split(".")
            return shown == epoch and int(number) >= version

        until(is_there, lambda: (version, page.get_attribute("data-stand")))

    def tap_place(self, place: str) -> None:
        tap_place(self.page, place)

    def place(self, place: str) -> None:
        """A hut, a tiki or a deed on a lit place, and the bar that asks again."""
        self.page.wait_for_selector(f'[data-map] .is-legal[data-place="{place}"]')
        self.tap_place(place)
        self.page.click("[data-confirm-yes]")

    def choose(self, site: str, extra: str = "", clue: int = 0) -> None:
        """A project by its plot on the map, not locked yet."""
        self.page.wait_for_selector("[data-plan]")
        self.tap_place(site)
        if extra:
            self.page.locator(f'[data-plan] [data-card="{extra}"]').first.click()
        self.page.locator("[data-laid-cards] button").nth(clue).click()

    def choose_cards(self, cards: Sequence[str], clue: str) -> None:
        """A project card by card, not locked yet."""
        self.page.wait_for_selector("[data-plan]")
        for card in dict.fromkeys(cards):
            buttons = self.page.locator(f'[data-plan] [data-card="{card}"]')
            for number in range(list(cards).count(card)):
                buttons.nth(number).tap()
        self.page.locator("[data-laid-cards] button").nth(list(cards).index(clue)).tap()

    def lock(self) -> None:
        self.page.click("[data-lock]")
        self.page.wait_for_selector("[data-locked]")

    def act(self, verb: str) -> None:
        self.page.click(f'[data-act="{verb}"]')

    def says(self, text: str | re.Pattern[str]) -> None:
        expect(self.page.locator(".now-text")).to_contain_text(text, timeout=PATIENCE_MS)

    def close(self) -> None:
        self.context.close()


def play_action(phones: dict[str, Phone], table: Table, rng: random.Random, by_cards: Collection[str] = ()) -> str:
    """One action of somebody whose turn it is, through their phone. Returns its verb. Projects are laid by a tap on the
    map, and `by_cards` by those who like cards better."""
    session = table.session
    game, state = session.game, session.state
    assert game is not None
    seat = rng.choice(session.actors)
    action = rng.choice(list(game.legal_actions(state, seat)))
    phone = phones[seat]
    phone.keep_up(table)
    if action.verb == "plan":
        cards, clue = action.args[:-2], action.args[-1]
        if seat in by_cards:
            phone.choose_cards(cards, clue)
        else:
            phone.choose("-".join(cards[:3]), *cards[3:4], clue=list(cards).index(clue))
        phone.lock()
    elif action.args:
        phone.place(action.args[0])
    else:
        phone.act(action.verb)
    return action.verb


def rounds(table: Table) -> int:
    found: Any = table.session.state
    return int(found.round)


def seated_phone(
    browser: Browser, address: str, table: Table, seat: str, token: str, look: str = "en.light.normal"
) -> Phone:
    """The phone of somebody who sits already."""
    phone = Phone(browser, address, table.row.code, look)
    phone.context.add_cookies([{"name": SEAT_COOKIE + table.row.id, "value": token, "url": address}])
    phone.open(f"/t/{table.row.code}/play")
    phone.page.wait_for_selector("[data-play]")
    return phone
