"""What Kahuna's pages show and offer: the map, the hand under its cover, lights of the score, the virtual board."""

from __future__ import annotations

import random
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Browser, expect

from companion.games.catalogue import game_named
from companion.games.kahuna.board import ends_of, load_board
from companion.table.table import Table
from tests.web.evening import WebEvening, do, seat_everybody, until
from tests.web.kahuna import finish, legal, open_kahuna
from tests.web.pages import axe_violations, scrolls_sideways
from tests.web.players import Phone, seated_phone
from vision.surfaces import maker_of
from web.drawing import MAP, Look
from web.drawing.kahuna import draw, sizes
from web.panels import screen_snapshot, seat_snapshot

NS = "{http://www.w3.org/2000/svg}"
HEADER = game_named("kahuna").default_header("standard", 2)


@pytest.fixture(scope="module")
def evening() -> Iterator[WebEvening]:
    with WebEvening() as evening:
        yield evening


def play(table: Table, most: int, seed: int = 3) -> None:
    """So many actions by random hands that throw nothing away."""
    rng = random.Random(seed)
    for _ in range(most):
        calm = [action for action in legal(table) if action.verb not in ("discard", "skip")] or legal(table)
        action = rng.choice(calm)
        do(table, "act", action.verb, *action.args, seat=action.seat)


# --- The drawing ---


def drawn(**look: object) -> ElementTree.Element:
    return ElementTree.fromstring(draw(HEADER, Look(**look)))


def test_every_island_and_every_line_is_a_place_with_its_name() -> None:
    board = load_board("kahuna")
    places = [group.get("data-place") for group in drawn().iter(f"{NS}g") if group.get("data-place")]
    assert sorted(places) == sorted([*board.islands, *board.lines])


def test_ids_are_unique_and_every_use_finds_its_symbol() -> None:
    svg = drawn()
    ids = [element.get("id") for element in svg.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    assert {use.get("href")[1:] for use in svg.iter(f"{NS}use")} <= set(ids)


def places_drawn() -> dict[str, tuple[float, ...]]:
    return {
        group.get("data-place"): tuple(map(float, group.get("transform")[10:-1].split()))
        for group in drawn().iter(f"{NS}g")
        if group.get("data-place")
    }


def test_places_are_drawn_where_the_camera_finds_them_on_the_printed_sheet() -> None:
    maker, at = maker_of("kahuna"), places_drawn()
    assert sizes(HEADER)["kahuna"] == maker.size_mm("kahuna")
    for place, (x, y) in maker.places_mm("kahuna").items():
        assert at[place][0] == pytest.approx(x, abs=1.5)
        assert at[place][1] == pytest.approx(y, abs=4.0)


def test_a_bridge_lies_half_way_between_its_islands_and_every_place_on_the_sheet() -> None:
    at = places_drawn()
    width, height = sizes(HEADER)["kahuna"]
    assert all(10 < x < width - 10 and 10 < y < height - 10 for x, y in at.values())
    for line in load_board("kahuna").lines:
        (ax, ay), (bx, by) = (at[end] for end in ends_of(line))
        assert at[line][0] == pytest.approx((ax + bx) / 2, abs=0.2)
        assert at[line][1] == pytest.approx((ay + by) / 2, abs=3.0)  # a stone lies a little below its island's middle


def test_an_owners_own_board_is_drawn_from_its_data() -> None:
    board = load_board("kahuna")
    own = {
        "board": "mine",
        "islands": {name: [1 - x, y] for name, (x, y) in board.islands.items()},
        "lines": [list(ends_of(line)) for line in board.lines],
    }
    svg = ElementTree.fromstring(draw({**HEADER, "boards": [own]}, Look(MAP, labels={"ALOA": "<b>"})))
    assert svg.find(f"{NS}g").get("data-board") == "mine"
    assert any(group.get("aria-label") == "<b>, 2/3" for group in svg.iter(f"{NS}g"))


# --- What is sent ---


def test_nobodys_cards_are_sent_to_anybody_else(evening: WebEvening) -> None:
    table = open_kahuna(evening, seed=2)
    seat_everybody(evening, table)
    white, black = (seat_snapshot(table, seat, "en") for seat in ("white", "black"))
    hands = {seat: set(hand) for seat, hand in zip(("white", "black"), table.session.state.hands, strict=True)}
    told = set(table.session.state.open)
    for card in hands["white"] - told:
        assert f'data-pick-with="{card}"' in white["regions"]["secret"]
        assert card not in black["regions"]["secret"]
    for card in hands["black"] - told:
        assert card not in white["regions"]["secret"]
    assert "secret" not in screen_snapshot(table, "en")["regions"]
    assert black["verbs"] == {}
    assert white["verbs"]["bridge"]["tree"]


# --- Phones ---


def test_a_covered_hand_stays_covered_whatever_happens(browser: Browser, evening: WebEvening) -> None:
    table = open_kahuna(evening, seed=2)
    tokens = seat_everybody(evening, table)
    phone = seated_phone(browser, evening.address, table, "white", tokens["white"])
    phone.page.click("[data-hand-cover]")
    expect(phone.page.locator("[data-hand]")).to_have_class("card hand-panel is-covered")
    action = next(action for action in legal(table) if action.verb == "bridge")
    do(table, "act", *[action.verb, *action.args], seat="white")
    expect(phone.page.locator("[data-hand] .play-card")).to_have_count(2)
    expect(phone.page.locator("[data-hand]")).to_have_class("card hand-panel is-covered")
    phone.close()


def test_one_can_go_back_while_choosing_and_nothing_is_done(browser: Browser, evening: WebEvening) -> None:
    table = open_kahuna(evening, seed=2)
    tokens = seat_everybody(evening, table)
    number = table.session.number
    phone = seated_phone(browser, evening.address, table, "white", tokens["white"])
    action = next(action for action in legal(table) if action.verb == "bridge")
    phone.page.locator(f'[data-pick-with="{action.args[1]}"]').first.click()
    expect(phone.page.locator('.pick-chip[data-way="discard"]')).to_be_visible()
    lines = phone.page.locator(".line-place.is-legal")
    assert {line.get_attribute("data-place") for line in lines.all()} >= {action.args[0]}
    phone.page.click('.pick-chip[data-way="discard"]')
    expect(phone.page.locator("[data-pick-yes]")).to_be_visible()
    phone.page.click("[data-pick-back]")
    expect(phone.page.locator("[data-pick-yes]")).to_be_hidden()
    phone.tap_place(action.args[0])
    finish(phone, action)
    until(lambda: table.session.number > number)
    assert table.session.steps[-1].action == action
    assert phone.complaints == []
    phone.close()


def test_a_tap_on_a_rounds_number_lights_the_stones_that_count(browser: Browser, evening: WebEvening) -> None:
    table = open_kahuna(evening, seed=4)
    tokens = seat_everybody(evening, table)
    while not table.session.game.score(table.session.state).points["white"]["total"]:
        play(table, 1, seed=table.session.number)
        assert table.session.state.round == 1
    phone = seated_phone(browser, evening.address, table, "white", tokens["white"])
    phone.page.locator(".points[data-places]").first.click()
    lit = {place.get_attribute("data-place") for place in phone.page.locator(".place.is-lit").all()}
    assert lit == set(table.session.state.stones)
    expect(phone.page.locator("[data-why-here] li").first).to_be_visible()
    phone.close()


# --- The virtual board ---


def test_a_bridge_laid_by_hand_becomes_an_action(browser: Browser, evening: WebEvening) -> None:
    table = open_kahuna(evening, seed=2, is_virtual=True)
    tokens = seat_everybody(evening, table)
    number = table.session.number
    lines = [action.args[0] for action in legal(table) if action.verb == "bridge"]
    line = next(line for line in lines if lines.count(line) == 1)
    phone = seated_phone(browser, evening.address, table, "white", tokens["white"])
    phone.page.set_viewport_size({"width": 1280, "height": 900})
    phone.open(f"/virtual/{table.row.code}")
    piece = phone.page.locator('[data-take="bridge:white"]')
    expect(piece.locator(".box-count")).to_have_text("25")
    piece.drag_to(phone.page.locator(f'[data-place="{line}"]'))
    until(lambda: table.session.number > number, lambda: (table.question, table.decision))
    assert (table.session.steps[-1].action.args[0], table.session.steps[-1].by) == (line, "camera")
    expect(phone.page.locator(".loose-piece")).to_have_count(1)
    expect(piece.locator(".box-count")).to_have_text("24")
    assert axe_violations(phone.page) == []
    assert not scrolls_sideways(phone.page)
    assert phone.complaints == []
    phone.close()


def test_the_demo_offers_every_game_against_islanders(browser: Browser, evening: WebEvening) -> None:
    phone = Phone(browser, evening.address, "")
    phone.open("/demo")
    phone.page.check('input[name="game"][value="kahuna/standard"]')
    phone.page.locator('input[name="camera"][value="direct"]').check(force=True)
    phone.page.click('form[action$="/demo"] button')
    phone.page.wait_for_selector("[data-virtual] .area-kahuna")
    table = evening.house.tables()[-1]
    assert (table.session.header["game"], table.session.is_started) == ("kahuna", True)
    assert [seat.kind for seat in table.session.seats.values()] == ["person", "bot"]
    assert (
        evening.app.test_client()
        .post("/demo", data={"game": "chess/blitz"}, headers={"Origin": "http://localhost"})
        .status_code
        == 400
    )
    phone.close()


# --- Before a game ---


def test_variants_and_handicap_are_chosen_with_the_table(evening: WebEvening) -> None:
    client, origin = evening.app.test_client(), {"Origin": "http://localhost"}
    form = {"game": "kahuna/standard", "people-kahuna-standard": "2", "setting-kahuna-1": "1", "setting-kahuna-2": "5"}
    assert client.post("/new", data=form, headers=origin).status_code == 303
    table = evening.house.tables()[-1]
    assert table.session.header["options"] == {"replace_removed": True, "handicap_black": 2}
    assert client.post("/new", data={**form, "setting-kahuna-2": "9"}, headers=origin).status_code == 400
    page = client.get("/new").get_data(as_text=True)
    assert "Black begins with 2" in page


def test_a_bridge_that_two_cards_could_have_laid_is_asked_about(browser: Browser, evening: WebEvening) -> None:
    table = open_kahuna(evening, seed=0, is_virtual=True)
    tokens = seat_everybody(evening, table)
    lines = [action.args[0] for action in legal(table) if action.verb == "bridge"]
    line = next(line for line in lines if lines.count(line) == 2)
    board = evening.desk.virtual(table.row.id)
    phone = seated_phone(browser, evening.address, table, "white", tokens["white"])
    board.put("bridge", "white", line)
    answers = phone.page.locator("[data-question] [data-answer]")
    first, second = ends_of(line)
    expect(answers.nth(0)).to_contain_text(f"with {first}")
    expect(answers.nth(1)).to_contain_text(f"with {second}")
    answers.nth(1).click()
    until(lambda: table.question is None)
    assert table.session.steps[-1].action.args == (line, second)
    phone.close()
