"""The virtual table: what a hand does in the browser reaches the table through its camera."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.web.evening import WebEvening, seat_everybody, until
from tests.web.pages import axe_violations, scrolls_sideways
from tests.web.players import Phone

SCRIPT = {"Origin": "http://localhost", "X-Makabana": "1", "Content-Type": "application/json"}


@pytest.fixture(scope="module")
def evening() -> Iterator[WebEvening]:
    with WebEvening() as evening:
        yield evening


@pytest.mark.parametrize("is_by_keyboard", [False, True])
def test_a_hut_put_down_by_hand_becomes_an_action(browser: Browser, evening: WebEvening, is_by_keyboard: bool) -> None:
    table = evening.open_table(is_virtual=True)
    seat_everybody(evening, table)
    phone = Phone(browser, evening.address, table.row.code, width=1920)
    phone.open(f"/virtual/{table.row.code}")
    place = table.session.game.legal_actions(table.session.state, "violet")[4].args[0]
    piece = phone.page.locator('[data-take="hut:violet"]')
    target = phone.page.locator(f'[data-place="{place}"]')
    if is_by_keyboard:
        piece.press("Enter")
        target.press("Enter")
    else:
        piece.drag_to(target)
    until(lambda: table.session.steps)
    step = table.session.steps[0]
    assert (step.action.text, step.by) == (f"violet hut {place}", "camera")
    expect(phone.page.locator(".loose-piece")).to_have_count(1)
    assert axe_violations(phone.page) == []
    assert not scrolls_sideways(phone.page)
    assert phone.complaints == []
    phone.close()


def test_a_piece_can_be_knocked_and_taken_off(browser: Browser, evening: WebEvening) -> None:
    table = evening.open_table(is_virtual=True)
    board = evening.desk.virtual(table.row.id)
    assert board is not None
    board.put("hut", "blue", "Aloa-Lagon-Fleur")
    phone = Phone(browser, evening.address, table.row.code, width=1920)
    phone.open(f"/virtual/{table.row.code}")
    phone.page.locator(".loose-piece").click(force=True)
    phone.page.click("[data-knock]")
    until(lambda: board.pieces()[0].place == "")
    phone.page.locator(".loose-piece").click(force=True)
    phone.page.click("[data-remove]")
    until(lambda: board.pieces() == [])
    phone.close()


@pytest.mark.parametrize("data", [None, [], {}, {"piece": "x", "place": "y"}, {"piece": 99, "gone": True},
                                  {"kind": "hut", "colour": "blue", "place": "Nowhere"}, {"hand": "no"}])  # fmt: skip
def test_what_no_hand_can_do_changes_nothing(evening: WebEvening, data: object) -> None:
    table = evening.open_table(is_virtual=True)
    board = evening.desk.virtual(table.row.id)
    assert board is not None
    client = evening.app.test_client()
    answer = client.post(f"/virtual/{table.row.code}/drag", data=json.dumps(data), headers=SCRIPT)
    assert answer.status_code in (200, 409)
    assert board.pieces() == []
    assert "pieces" in answer.get_json()


def test_a_table_without_a_virtual_board_is_given_one_on_request(evening: WebEvening) -> None:
    table = evening.open_table()
    client = evening.app.test_client()
    assert client.get(f"/virtual/{table.row.code}/board").status_code == 404
    answer = client.post(
        f"/virtual/{table.row.code}/open", data={"camera": "direct"}, headers={"Origin": "http://localhost"}
    )
    assert answer.status_code == 303
    assert client.get(f"/virtual/{table.row.code}/board").get_json()["pieces"] == []


def test_a_hand_over_the_board_hides_it_for_a_while(evening: WebEvening) -> None:
    table = evening.open_table(is_virtual=True)
    seat_everybody(evening, table)
    until(lambda: table.belief.sees_board(evening.clock.now()))
    evening.app.test_client().post(f"/virtual/{table.row.code}/drag", data='{"hand": 5}', headers=SCRIPT)
    until(table.belief.has_hidden)


def test_the_demo_seats_a_visitor_among_three_islanders(browser: Browser, evening: WebEvening) -> None:
    phone = Phone(browser, evening.address, "")
    phone.open("/demo")
    phone.page.fill("#name", "Ann")
    phone.page.locator('input[name="camera"][value="direct"]').check(force=True)
    phone.page.click('form[action$="/demo"] button')
    phone.page.wait_for_selector("[data-virtual]")
    table = evening.house.tables()[-1]
    assert [seat.kind for seat in table.session.seats.values()] == ["person", "bot", "bot", "bot"]
    assert table.session.is_started
    assert phone.complaints == []
    phone.close()


@pytest.mark.parametrize(("has_memory", "chosen"), [(True, "rendered"), (False, "direct")])
def test_a_small_machine_is_offered_the_demonstration_without_pictures(
    evening: WebEvening, monkeypatch: pytest.MonkeyPatch, has_memory: bool, chosen: str
) -> None:
    monkeypatch.setattr("companion.house.desk.RENDERING_BYTES", 0 if has_memory else 1e15)
    page = evening.app.test_client().get("/demo").text
    assert re.findall(r'name="camera" value="(\w+)" checked', page) == [chosen]
