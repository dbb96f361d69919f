"""The story of a finished game: for everybody, but only once it is over."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Browser, expect

from companion.games.record import last_state, parse_record
from companion.table.table import Table
from tests.web.evening import WebEvening, do, seat_everybody
from tests.web.pages import axe_violations, phone, scrolls_sideways
from tests.web.test_screen import play


class House(NamedTuple):
    evening: WebEvening
    over: Table
    playing: Table


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    with WebEvening() as evening:
        over, playing = evening.open_table(name="Palmier"), evening.open_table(name="Lagune")
        seat_everybody(evening, over)
        play(over, 1000)
        do(over, "answer", over.question.id, "yes")
        seat_everybody(evening, playing)
        play(playing, 20)
        yield House(evening, over, playing)


@pytest.mark.parametrize("path", ["story", "story/film.svg", "story/record.jsonl"])
def test_nothing_is_told_before_the_end(house: House, path: str) -> None:
    answer = house.evening.app.test_client().get(f"/t/{house.playing.row.code}/{path}")
    assert answer.status_code in (403, 404)


def test_the_record_replays_to_the_final_board(house: House) -> None:
    answer = house.evening.app.test_client().get(f"/t/{house.over.row.code}/story/record.jsonl")
    game, end = house.over.session.game, last_state(parse_record(answer.get_data(as_text=True)))
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert game.position(end) == game.position(house.over.session.state)


def test_the_film_is_one_picture_that_needs_nothing_else(house: House) -> None:
    answer = house.evening.app.test_client().get(f"/t/{house.over.row.code}/story/film.svg")
    text = answer.get_data(as_text=True)
    ElementTree.fromstring(text)
    assert text.count("<animate ") > 20
    assert "<script" not in text
    assert not re.search(r"(href|src)=\"(?!#)", text)
    assert "url(http" not in text


def test_the_film_ends_with_the_final_board(browser: Browser, house: House) -> None:
    code, address = house.over.row.code, house.evening.address
    page = browser.new_page()
    page.goto(f"{address}/t/{code}/story")
    text = page.evaluate("(url) => fetch(url).then((answer) => answer.text())", f"/t/{code}/story/film.svg")
    page.set_content(text)
    length = float(re.search(r'dur="([\d.]+)s"', text)[1])
    stop = "(at) => { const film = document.querySelector('svg'); film.pauseAnimations(); film.setCurrentTime(at); }"
    page.evaluate(stop, length - 0.1)
    shown = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll('.place')].map((place) => [place.dataset.place,
           [...place.querySelectorAll('.piece')].filter((one) => getComputedStyle(one.parentElement).display !== 'none')
           .map((one) => one.getAttribute('class').replace(/^piece piece-(.*) seat-(.*)$/, '$1:$2')).join('+')])
           .filter(([, content]) => content))"""
    )
    page.close()
    game, state = house.over.session.game, house.over.session.state
    expected = {place: "+".join(map(":".join, pieces)) for place, pieces in game.expected(state).items()}
    assert shown == expected


@pytest.mark.parametrize(("width", "look"), [(360, "fr.light.huge"), (1920, "en.dark.normal")])
def test_the_story_is_accessible_and_fits(browser: Browser, house: House, width: int, look: str) -> None:
    with phone(browser, house.evening.address, width, look) as page:
        for table in (house.over, house.playing):
            page.goto(f"{house.evening.address}/t/{table.row.code}/story")
            assert not scrolls_sideways(page)
            assert axe_violations(page) == []


def test_keys_move_through_the_game(browser: Browser, house: House) -> None:
    with phone(browser, house.evening.address, 1920) as page:
        page.goto(f"{house.evening.address}/t/{house.over.row.code}/story")
        slider, huts = page.locator("[data-slider]"), page.locator(".place .piece-hut")
        final = huts.count()
        slider.focus()
        page.keyboard.press("Home")
        expect(huts).to_have_count(0)
        expect(page.locator("[data-now]")).to_have_text("The empty board.")
        page.keyboard.press("ArrowRight")
        expect(huts).to_have_count(1)
        expect(slider).to_have_attribute("aria-valuetext", re.compile("opens with a hut"))
        page.keyboard.press("End")
        expect(huts).to_have_count(final)
        slider.blur()
        page.keyboard.press("ArrowLeft")
        expect(slider).not_to_have_value(slider.get_attribute("max") or "")


def test_turning_points_lead_to_their_moment(browser: Browser, house: House) -> None:
    with phone(browser, house.evening.address, 360) as page:
        page.goto(f"{house.evening.address}/t/{house.over.row.code}/story")
        turn = page.locator("[data-to]").first
        turn.click()
        expect(turn).to_have_attribute("aria-current", "true")
        expect(page.locator("[data-slider]")).to_have_value(turn.get_attribute("data-to") or "")


def test_the_story_of_the_last_game_stays_while_the_next_one_is_set_up(house: House) -> None:
    client, code = house.evening.app.test_client(), house.over.row.code
    before = client.get(f"/t/{code}/story/record.jsonl").get_data()
    do(house.over, "new_game", json.dumps(dict(house.over.session.header)))
    assert client.get(f"/t/{code}/story/record.jsonl").get_data() == before
