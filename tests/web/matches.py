"""A game through browsers, whichever it is: everybody joins by phone, pages are sound, and the screen celebrates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from playwright.sync_api import Browser, expect

from companion.games.protocol import CHANCE
from companion.table.table import Table
from tests.web.evening import WebEvening, until
from tests.web.pages import axe_violations, scrolls_sideways
from tests.web.players import Phone

WINS = {"en": "wins!|share", "fr": "gagne|gagnent"}


def everybody(
    browser: Browser, evening: WebEvening, table: Table, names: Mapping[str, str], language: str
) -> tuple[dict[str, Phone], Phone]:
    """A phone for each name, and the table's screen; the first of them starts the game."""
    look = f"{language}.light.normal"
    phones = {seat: Phone(browser, evening.address, table.row.code, look) for seat in names}
    screen = Phone(browser, evening.address, table.row.code, look, width=1920)
    for seat, name in names.items():
        phones[seat].join(seat, name)
    screen.open(f"/screen/{table.row.code}")
    next(iter(phones.values())).page.click('form[action$="/start"] button')
    until(lambda: table.session.actors and CHANCE not in table.session.actors)
    return phones, screen


def check_pages(pages: Iterable[Phone]) -> None:
    for phone in pages:
        assert axe_violations(phone.page) == []
        assert not scrolls_sideways(phone.page)


def celebrate(table: Table, phones: Mapping[str, Phone], screen: Phone, language: str) -> None:
    """The board is agreed upon, the screen names who wins, and nothing has complained; everybody goes home."""
    until(lambda: table.question is not None or table.session.is_settled)
    if table.question is not None:
        phones[table.question.seat].page.click('[data-answer="yes"]')
    until(lambda: table.session.is_settled)
    expect(screen.page.locator("[data-finale-title]")).to_have_text(re.compile(WINS[language]))
    assert table.session.game is not None
    winners = table.session.game.score(table.session.state).winners
    expect(screen.page.locator(".finale-row.is-winner")).to_have_count(len(winners))
    assert axe_violations(screen.page) == []
    for phone in (*phones.values(), screen):
        assert phone.complaints == []
        phone.close()
