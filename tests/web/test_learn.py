"""Lessons, the first game and the coach as a phone meets them."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page, expect

from companion.games.protocol import parse_content
from companion.house.virtual import VirtualBoard
from companion.teaching.library import courses
from tests.web.evening import WebEvening, do, seat_everybody, until
from tests.web.pages import axe_violations, phone, scrolls_sideways, tap_place
from tests.web.players import seated_phone
from tests.web.test_screen import play
from web.tables import SEAT_COOKIE

OURS = {"X-Makabana": "1"}


@pytest.fixture(scope="module")
def evening() -> Iterator[WebEvening]:
    with WebEvening() as found:
        yield found


# --- Without a browser ---


def test_every_lesson_is_listed_and_opens(client: FlaskClient) -> None:
    listing = client.get("/learn").get_data(as_text=True)
    for name in courses():
        assert f'href="/learn/{name}"' in listing
        assert client.get(f"/learn/{name}").status_code == 200


def test_lessons_are_linked_from_the_first_page(client: FlaskClient) -> None:
    assert 'href="/learn"' in client.get("/").get_data(as_text=True)


def test_the_page_does_not_hold_the_answer(client: FlaskClient) -> None:
    page = client.get("/learn/refresher-tiki").get_data(as_text=True)
    steps = json.loads(page.partition('id="steps">')[2].partition("</script>")[0])
    assert "right" not in json.dumps(steps)
    assert steps[1]["lit"] == []


def test_a_wrong_answer_gets_its_hint_in_the_phone_language(client: FlaskClient) -> None:
    client.set_cookie("makabana_look", "fr.light.normal", domain="localhost")
    found = client.post("/learn/refresher-tiki/2/try", json={"words": ["tiki", "club:Danae"], "tries": 0}, headers=OURS)
    assert found.json["right"] is False
    assert "Un club à Danae" in found.json["text"]


ODD = [[], 3, {}, {"words": "tiki"}, {"words": [1]}, {"words": ["x" * 65]}, {"words": ["a"] * 25}, {"words": []},
       {"words": ["tiki"], "tries": "many"}, {"words": ["tiki", "club:Danae"], "tries": -(10**9)}]  # fmt: skip


@pytest.mark.parametrize("body", ODD, ids=str)
def test_odd_answers_are_wrong_answers(client: FlaskClient, body: object) -> None:
    found = client.post("/learn/refresher-tiki/2/try", json=body, headers=OURS)
    assert (found.status_code, found.json["right"]) == (200, False)


@pytest.mark.parametrize("path", ["/learn/nothing", "/learn/mao/99/model", "/learn/mao/0/model"])
def test_what_is_no_lesson_is_not_found(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_whoever_gives_up_is_told_the_answer_as_people_say_it(client: FlaskClient) -> None:
    answers = [client.get(f"/learn/first-steps/{number}/model").json["answer"] for number in (2, 3, 6)]
    assert answers == ["Danae + Lagon + Fleur (face up: Danae)", "Place a tiki: Evao · Rocher · Tatouage", "7"]


def test_only_our_own_pages_may_answer(client: FlaskClient) -> None:
    assert client.post("/learn/mao/1/try", json={"words": ["done"]}).status_code == 403


# --- The first lesson on a phone ---


def lock(page: Page, site: str, clue: str, extra: str = "") -> None:
    page.wait_for_selector("[data-plan]")
    tap_place(page, site)
    if extra:
        page.locator(f'[data-plan] [data-card="{extra}"]').first.click()
    page.locator("[data-laid-cards] button", has_text=clue).click()
    page.click("[data-lock]")


def passed(page: Page) -> None:
    page.wait_for_selector("[data-word].is-right")
    assert axe_violations(page) == []
    assert not scrolls_sideways(page)
    page.click("[data-next]")


@pytest.mark.parametrize("look", ["en.light.normal", "fr.dark.huge"])
def test_the_first_lesson_is_played_on_a_small_phone(browser: Browser, evening: WebEvening, look: str) -> None:
    with phone(browser, evening.address, 360, look) as page:
        page.goto(f"{evening.address}/learn")
        page.click('[data-lesson-id="first-steps"]')
        lock(page, "Danae-Rocher-Tatouage", "Danae")
        passed(page)
        lock(page, "Danae-Lagon-Fleur", "Lagon")
        page.wait_for_selector("[data-word]:not(.is-right)")
        page.locator("[data-laid-cards] button", has_text="Danae").click()
        page.click("[data-lock]")
        passed(page)
        tap_place(page, "Danae-Sable-Fleur")
        page.wait_for_selector("[data-word]:not(.is-right)")
        page.locator('[data-map] [data-place="Evao-Rocher-Tatouage"]').press("Enter")
        passed(page)
        lock(page, "Danae-Lagon-Fleur", "Danae", "Paint")
        passed(page)
        page.click("[data-model]")
        passed(page)
        page.locator(".learn-number", has_text="7").click()
        passed(page)
        page.locator(".learn-number", has_text="4").click()
        passed(page)
        expect(page.locator("[data-end]")).to_be_visible()
        page.goto(f"{evening.address}/learn")
        expect(page.locator('[data-lesson-id="first-steps"] [data-done]')).to_be_visible()


def test_the_mao_lesson_is_played_with_cards_places_and_buttons(browser: Browser, evening: WebEvening) -> None:
    def lay_cards(*cards: str) -> None:
        page.wait_for_selector("[data-plan]")
        for card in cards:
            page.locator(f'[data-plan] [data-card="{card}"]').first.click()
        page.locator("[data-laid-cards] button").first.click()
        page.click("[data-lock]")

    def build(place: str) -> None:
        page.locator(f'[data-map] [data-place="{place}"]').press("Enter")

    with phone(browser, evening.address, 360) as page:
        page.goto(f"{evening.address}/learn/mao")
        lay_cards("Danae", "Rocher")
        passed(page)
        build("Danae-Rocher-Tatouage")
        passed(page)
        lay_cards("Danae", "Rocher", "Fleur", "Tatouage")
        passed(page)
        build("Danae-Rocher-Tatouage")
        passed(page)
        page.get_by_role("button", name="Denounce: Yellow").click()
        expect(page.locator(".learn-text")).to_contain_text("three honest cards")
        page.get_by_role("button", name="Denounce: Pink").click()
        passed(page)
        expect(page.locator("[data-end]")).to_be_visible()


def test_a_lesson_goes_on_where_the_phone_left_it(browser: Browser, evening: WebEvening) -> None:
    with phone(browser, evening.address, 360) as page:
        page.goto(f"{evening.address}/learn/refresher-score")
        page.locator(".learn-number", has_text="9").click()
        page.wait_for_selector("[data-word].is-right")
        page.reload()
        expect(page.locator("[data-title]")).to_have_text("A tie")


def test_a_piece_can_be_dragged_to_its_place(browser: Browser, evening: WebEvening) -> None:
    with phone(browser, evening.address, 1920) as page:
        page.goto(f"{evening.address}/learn/refresher-tiki")
        page.locator("[data-piece]").hover()
        page.mouse.down()
        box = page.locator('[data-place="Danae-Lagon-Fleur"] .plot').bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=5)
        page.mouse.up()
        page.wait_for_selector("[data-word].is-right")


@pytest.mark.parametrize(("width", "look"), [(360, "fr.light.huge"), (1920, "en.dark.normal")])
def test_lesson_pages_are_accessible_and_fit(browser: Browser, evening: WebEvening, width: int, look: str) -> None:
    with phone(browser, evening.address, width, look) as page:
        for path in ("/learn", *(f"/learn/{name}" for name in courses())):
            page.goto(evening.address + path)
            assert not scrolls_sideways(page), path
            assert axe_violations(page) == [], path


# --- With a real board ---


def lay(board: VirtualBoard, pieces: dict[str, str]) -> None:
    """Hands that set a board up: everything else goes back into the box."""
    colours = {colour for content in pieces.values() for _, colour in parse_content(content)}
    board.help_with(colours, {place: parse_content(content) for place, content in pieces.items()})


def test_a_camera_checks_what_the_learner_puts_on_the_board(browser: Browser, evening: WebEvening) -> None:
    table = evening.open_table("2013", 3, "Learners", is_virtual=True)
    board, stage = evening.desk.virtual(table.row.id), courses()["refresher-tiki"].stages[0]
    assert board is not None
    with phone(browser, evening.address, 1920) as page:
        page.goto(f"{evening.address}/t/{table.row.code}/learn/refresher-tiki")
        expect(page.locator("[data-real]")).to_be_visible()
        lay(board, stage.pieces)
        expect(page.locator("[data-real]")).to_be_hidden(timeout=120_000)
        lay(board, {**stage.pieces, "Danae-Sable-Fleur": "hut:violet+tiki:violet"})
        expect(page.locator("[data-word]")).to_contain_text("Losing the end", timeout=120_000)
        lay(board, {**stage.pieces, "Danae-Lagon-Fleur": "hut:violet+tiki:violet"})
        page.wait_for_selector("[data-word].is-right")


def test_a_table_in_mid_game_lends_its_board_to_no_lesson(evening: WebEvening) -> None:
    table = evening.open_table("2013", 3, "Busy")
    seat_everybody(evening, table)
    answer = evening.app.test_client().get(f"/t/{table.row.code}/learn/refresher-tiki")
    assert answer.headers["Location"].endswith("/learn/refresher-tiki")
    assert f"/t/{table.row.code}" not in answer.headers["Location"]


# --- A player's phone ---


def test_the_coach_speaks_to_seats_alone(evening: WebEvening) -> None:
    table = evening.open_table("2013", 3, "Coached")
    tokens = seat_everybody(evening, table)
    play(table, 6)
    client = evening.app.test_client()
    path = f"/t/{table.row.code}/coach"
    assert client.get(path).status_code == 403
    client.set_cookie(SEAT_COOKIE + table.row.id, tokens["pink"], domain="localhost")
    assert client.get(f"{path}?as=violet").status_code == 403
    assert "Your projects" in client.get(path).get_data(as_text=True)


def test_the_coach_draws_the_odds_on_the_map(browser: Browser, evening: WebEvening) -> None:
    table = evening.open_table("2013", 3, "Odds")
    tokens = seat_everybody(evening, table)
    play(table, 6)
    for seat in tuple(table.session.actors):
        plan = table.session.game.legal_actions(table.session.state, seat)[0]
        do(table, "act", plan.verb, *plan.args, seat=seat)
    until(lambda: table.session.state.phase == "tiki")
    seat = table.session.actors[0]
    found = seated_phone(browser, evening.address, table, seat, tokens[seat])
    found.page.click("[data-coach] summary")
    found.page.locator("[data-odds]").first.click()
    expect(found.page.locator(".island .odds").first).to_be_visible()
    assert axe_violations(found.page) == []
    assert found.complaints == []
    found.close()


def test_each_step_of_a_first_game_is_explained_once_to_those_who_want_it(
    browser: Browser, evening: WebEvening
) -> None:
    table = evening.open_table("2013", 3, "Novices")
    tokens = seat_everybody(evening, table)
    found = seated_phone(browser, evening.address, table, "violet", tokens["violet"])
    card = found.page.locator("[data-first-card]")
    expect(card).to_be_hidden()
    found.page.locator("[data-first-switch]").evaluate("(box) => box.click()")
    expect(card).to_contain_text("The first huts")
    found.page.click("[data-first-ok]")
    expect(card).to_be_hidden()
    play(table, 6)
    expect(card).to_contain_text("Lay your project")
    found.page.reload()
    expect(card).to_contain_text("Lay your project")
    found.page.click("[data-first-ok]")
    found.page.reload()
    found.page.wait_for_selector("[data-plan]")
    expect(card).to_be_hidden()
    assert found.complaints == []
    found.close()
