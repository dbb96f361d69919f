"""Every page of a table: nothing scrolls sideways, nothing is out of reach, in both languages and on every width."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, expect

from companion.table.table import Table
from tests.web.evening import PIN, WebEvening, do, seat_everybody, until
from tests.web.pages import axe_violations, scrolls_sideways
from tests.web.players import Phone
from web.tables import SEAT_COOKIE


class House(NamedTuple):
    """An evening with one table in the middle of a game, one that waits for people, and one whose game is over."""

    evening: WebEvening
    playing: Table
    token: str
    waiting: Table
    over: Table


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    with WebEvening() as evening:
        playing, over = evening.open_table(is_virtual=True, name="Lagune"), evening.open_table(name="Palmier")
        token = seat_everybody(evening, playing)["violet"]
        play(playing, 22)
        seat_everybody(evening, over)
        play(over, 1000)
        do(over, "answer", over.question.id, "yes")
        yield House(evening, playing, token, evening.open_table("2013-mao", 6, "Terrasse"), over)


def play(table: Table, most: int) -> None:
    rng, game = random.Random(3), table.session.game
    assert game is not None
    for _ in range(most):
        if not table.session.actors:
            return
        seat = rng.choice(table.session.actors)
        action = rng.choice(list(game.legal_actions(table.session.state, seat)))
        do(table, "act", action.verb, *action.args, seat=seat)


PAGES = {
    "new": "/new",
    "demo": "/demo",
    "join": "/t/{waiting}",
    "play": "/t/{playing}/play",
    "screen": "/screen/{playing}",
    "screen of a table that waits": "/screen/{waiting}",
    "finale": "/screen/{over}",
    "virtual": "/virtual/{playing}",
    "virtual, not laid yet": "/virtual/{waiting}",
    "door": "/staff/door",
    "staff": "/staff",
    "staff's table": "/staff/t/{id}",
    "numbers": "/staff/numbers",
    "camera guide": "/staff/guide/camera",
    "tag guide": "/staff/guide/tags",
    "calibration": "/staff/t/{id}/camera",
    "enrolment": "/staff/t/{id}/tags",
    "begin from a photo": "/staff/t/{id}/photo",
}
LOOKS = [(360, "fr.light.normal"), (360, "en.dark.huge"), (768, "fr.dark.normal"), (1920, "en.light.normal")]


@pytest.mark.parametrize(("width", "look"), LOOKS)
def test_every_page_is_fit_to_show(browser: Browser, house: House, width: int, look: str) -> None:
    codes = {name: getattr(house, name).row.code for name in ("playing", "waiting", "over")}
    phone = Phone(browser, house.evening.address, "", look, width)
    cookie = {"name": SEAT_COOKIE + house.playing.row.id, "value": house.token, "url": house.evening.address}
    phone.context.add_cookies([cookie])
    phone.open("/staff/door")
    phone.page.fill("#pin", PIN)
    phone.page.click('form[action$="/door"] button')
    phone.page.wait_for_selector(".table-list")
    wrong = {}
    for name, path in PAGES.items():
        phone.open(path.format(**codes, id=house.playing.row.id))
        phone.page.wait_for_selector("h1", state="attached")
        found = axe_violations(phone.page)
        if found or scrolls_sideways(phone.page):
            wrong[name] = found or ["scrolls sideways"]
    assert wrong == {}
    assert phone.complaints == []
    phone.close()


def test_pieces_appear_on_the_screen_as_they_are_played(browser: Browser, house: House) -> None:
    table = house.evening.open_table()
    seat_everybody(house.evening, table)
    screen = Phone(browser, house.evening.address, "", width=1920)
    screen.open(f"/screen/{table.row.code}")
    place = table.session.game.legal_actions(table.session.state, "violet")[0].args[0]
    do(table, "act", "hut", place, seat="violet")
    expect(screen.page.locator(f'[data-place="{place}"] .piece-hut.seat-violet')).to_have_count(1)
    expect(screen.page.locator(".stage-wait")).to_contain_text("Pink")
    screen.close()


def test_the_screen_says_who_is_asked_but_not_what(browser: Browser, house: House) -> None:
    table = house.evening.open_table()
    seat_everybody(house.evening, table)
    play(table, 1000)
    until(lambda: table.question)
    screen = Phone(browser, house.evening.address, "", width=1920)
    screen.open(f"/screen/{table.row.code}")
    expect(screen.page.locator(".stage-ask")).to_contain_text("Violet")
    assert screen.page.locator("[data-answer]").count() == 0
    screen.close()


def test_the_final_score_is_told_step_by_step_to_whoever_likes_motion(browser: Browser, house: House) -> None:
    context = browser.new_context(viewport={"width": 1920, "height": 1080}, reduced_motion="no-preference")
    page = context.new_page()
    page.goto(f"{house.evening.address}/screen/{house.over.row.code}")
    expect(page.locator("[data-finale-reason]")).not_to_be_empty()
    expect(page.locator(".place.is-lit").first).to_be_visible()
    context.close()
